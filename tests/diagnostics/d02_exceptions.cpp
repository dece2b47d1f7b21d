// SPDX-License-Identifier: Apache-2.0
//
// D02: exceptions in an active body.
#include "tlaloc/ad.hpp"

double f(double x) {
  try { return x > 0 ? x * x : throw 1; } catch (int) { return 0; }
}

auto df = tlaloc::grad(f);
double use(double x) { return df(x); }

// expect: 7:3 NOT_LOWERABLE ... try
// expect-note: 10:11 derivative requested here
