// SPDX-License-Identifier: Apache-2.0
//
// NOT_STATIC: a function pointer that is known at run time only.
#include "tlaloc/ad.hpp"

double f(double x) { return x; }
double use(double (*p)(double)) {
  constexpr auto known = f;
  return tlaloc::grad(p)(1.0) + tlaloc::grad(known)(1.0);
}

// expect: 9:10 NOT_STATIC ... wrap the call in a lambda
