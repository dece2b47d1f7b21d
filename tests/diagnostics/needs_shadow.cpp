// SPDX-License-Identifier: Apache-2.0
//
// NEEDS_SHADOW: a raw pointer or a mutable span whose derivative has no place.
#include "tlaloc/ad.hpp"

double sum(const double* x, int n);
double fill(std::span<double> s, double x);
double use(const double* p, std::span<double> s) {
  tlaloc::grad(sum)(p, 3);
  return tlaloc::grad<0>(fill)(s, 1.0);
}

// expect: 9:20 NEEDS_SHADOW ... tlaloc::shadow(p, dp) ... tlaloc::view(p, n)
// expect: 10:31 NEEDS_SHADOW ... mutable span ... tlaloc::shadow(s, ds)
