// SPDX-License-Identifier: Apache-2.0
//
// D01: a call whose body cannot be seen.
#include "tlaloc/ad.hpp"

double measured(double x);  // defined in another file
double f(double x) { return measured(x) * x; }

auto df = tlaloc::grad(f);
double use(double x) { return df(x); }

// expect: 7:29 NOT_DIFFERENTIABLE ... measured ... custom_vjp
// expect-note: 7:8 while differentiating ... f
// expect-note: 9:11 derivative requested here
