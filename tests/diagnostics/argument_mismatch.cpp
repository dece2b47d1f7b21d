// SPDX-License-Identifier: Apache-2.0
//
// ARGUMENT_MISMATCH: a derivative takes f's own arguments, then tangents or the cotangent.
#include "tlaloc/ad.hpp"

double f(double x, double y, int n);
double g(const double* x, int n);
void use(const double* p) {
  tlaloc::grad(f)(1.0, 2.0);
  tlaloc::grad(f)("x", 2.0, 3);
  tlaloc::jvp(f)(1.0, 2.0, 3, 4.0);
  tlaloc::jvp(f)(1.0, 2.0, 3, 4.0, "y");
  tlaloc::vjp(f)(1.0, 2.0, 3);
  tlaloc::grad(g)(tlaloc::shadow(p, p), 3);
}

// expect: 9:18 ARGUMENT_MISMATCH
// expect: 10:18 ARGUMENT_MISMATCH
// expect: 11:17 ARGUMENT_MISMATCH ... one tangent
// expect: 12:17 ARGUMENT_MISMATCH ... tangent
// expect: 13:17 ARGUMENT_MISMATCH ... cotangent
// expect: 14:18 ARGUMENT_MISMATCH ... shadow
