// SPDX-License-Identifier: Apache-2.0
//
// Algorithms that are not differentiated: they work in memory of no type, or through iterators that know no elements.
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <vector>

struct Point {
  double x, y;
};
double partitioned(double x) {
  std::vector<double> z{x, 2 * x};
  std::stable_partition(z.begin(), z.end(), [](double e) { return e < 1; });
  return z[0];
}
double sorted_backwards(double x) {
  std::vector<double> z{x, 2 * x};
  std::sort(z.rbegin(), z.rend());
  return z[0];
}
double shifted(double x) {
  std::vector<Point> z{{x, x}, {2 * x, x}};
  std::copy_backward(z.begin(), z.end() - 1, z.end());
  return z[0].x;
}
double use(double x) { return tlaloc::grad(partitioned)(x) + tlaloc::grad(sorted_backwards)(x) + tlaloc::grad(shifted)(x); }

// flags: -Wno-deprecated-declarations
// expect: 14:3 NOT_LOWERABLE ... std::stable_partition
// expect: 19:15 NOT_LOWERABLE ... reverse_iterator
// expect: 24:3 NOT_LOWERABLE ... std::copy_backward
