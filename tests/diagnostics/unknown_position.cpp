// SPDX-License-Identifier: Apache-2.0
//
// UNKNOWN_ARGUMENT and NOT_DIFFERENTIABLE by position.
#include "tlaloc/ad.hpp"

double f(double x, int n) { return n * x; }
int count(double x) { return x > 0; }
auto too_far = tlaloc::grad<2>(f);
auto twice = tlaloc::grad<0, 0>(f);
auto integer = tlaloc::grad<1>(f);
auto mixed = tlaloc::grad<"x", 0>(f);
auto result = tlaloc::jvp(count);

// expect: 8:24 UNKNOWN_ARGUMENT ... position
// expect: 9:22 UNKNOWN_ARGUMENT ... twice
// expect: 10:24 NOT_DIFFERENTIABLE ... position
// expect: 11:22 UNKNOWN_ARGUMENT ... by name
// expect: 12:23 NOT_DIFFERENTIABLE ... result
