// SPDX-License-Identifier: Apache-2.0
//
// What Jacobians and their kin refuse by types alone.
#include "tlaloc/ad.hpp"

void nothing(double x);
void in_place(double* x, int n);
void f(const double* x, double* out) { out[0] = x[0]; }
std::array<double, 2> two(double x);

void a(double* x, double* dx) {
  tlaloc::jacfwd(nothing)(1.0);
  tlaloc::jacfwd(in_place)(tlaloc::view(x, 2), 2);
  tlaloc::jacfwd(f)(tlaloc::shadow((const double*)x, dx), tlaloc::view(x, 1));
  tlaloc::jacfwd(f)((const double*)x, tlaloc::view(x, 1));
  tlaloc::hessian(two)(1.0);
}

// expect: 12:11 NOT_DIFFERENTIABLE: the function returns nothing
// expect: 13:27 UNKNOWN_ARGUMENT: every parameter that has a derivative is one that the function may write
// expect: 14:20 ARGUMENT_MISMATCH: Jacobians, hessian and hvp
// expect: 15:20 NEEDS_SHADOW
// expect: 16:11 NOT_SCALAR
