// SPDX-License-Identifier: Apache-2.0
//
// A build without mistakes prints nothing.
#include "tlaloc/ad.hpp"

double f(double x) { return x * x; }

auto df = tlaloc::grad(f);
double use(double x) { return df(x); }
