// SPDX-License-Identifier: Apache-2.0
//
// Names that types cannot tell apart, or that mean a parameter without a derivative.
#include "tlaloc/ad.hpp"

struct Point {
  double x, y;
};
double f(Point p, double k) { return k * p.x; }
double use() {
  double r = tlaloc::grad<"k">(f)(Point{1, 2}, 3.0);
  return r;
}

// expect: 11:34 UNKNOWN_ARGUMENT ... select by position
