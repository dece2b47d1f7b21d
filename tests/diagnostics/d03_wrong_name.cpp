// SPDX-License-Identifier: Apache-2.0
//
// D03: a wrong parameter name in the request.
#include "tlaloc/ad.hpp"

double f(double velocity, double time) { return velocity * time; }

auto df = tlaloc::grad<"velocty">(f);
double use(double velocity, double time) { return df(velocity, time); }

// expect: 8:11 velocty ... velocity ... time
