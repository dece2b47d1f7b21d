// SPDX-License-Identifier: Apache-2.0
//
// Names beside shadows: types cannot tell whether the shadow is named, so that this is refused by name.
#include "tlaloc/ad.hpp"

double g(const double* x, int n, double w) { return w * x[n]; }
void use(const double* x, double* dx) {
  auto by_n = tlaloc::grad<"n">(g);
  auto by_w = tlaloc::grad<"w">(g);
  by_n(tlaloc::shadow(x, dx), 1, 2.0);
  by_w(tlaloc::shadow(x, dx), 1, 2.0);
}

// expect: 8:15 NOT_DIFFERENTIABLE ... 'n'
// expect: 9:15 UNKNOWN_ARGUMENT ... select by position
