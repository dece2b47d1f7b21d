// SPDX-License-Identifier: Apache-2.0
//
// NOT_SCALAR: grad of a function whose result is no floating-point number.
#include "tlaloc/ad.hpp"

struct Point {
  double x, y;
};
Point f(double x) { return {x, x}; }
auto df = tlaloc::grad(f);

// expect: 10:19 NOT_SCALAR ... vjp
