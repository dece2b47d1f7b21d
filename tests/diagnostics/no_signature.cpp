// SPDX-License-Identifier: Apache-2.0
//
// NO_SIGNATURE: a generic lambda has parameters of no type.
#include "tlaloc/ad.hpp"

auto square = [](auto x) { return x * x; };
auto df = tlaloc::grad(square);
auto right = tlaloc::grad(tlaloc::as<double(double)>(square));
double use(double x) { return right(x); }

// expect: 7:19 NO_SIGNATURE ... tlaloc::as
