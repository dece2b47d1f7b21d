// SPDX-License-Identifier: Apache-2.0
//
// Algorithms that are not differentiated: they work in memory of no type, or through iterators that know no elements.
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <cstring>
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
double shifted(double x, std::size_t bytes) {
  std::vector<Point> z{{x, x}, {2 * x, x}};
  std::memmove(z.data(), z.data() + 1, bytes);
  return z[0].x;
}
double use(double x) { return tlaloc::grad(partitioned)(x) + tlaloc::grad(sorted_backwards)(x) + tlaloc::grad(shifted)(x, 16); }

// flags: -Wno-deprecated-declarations
// expect: 15:3 NOT_LOWERABLE ... std::stable_partition
// expect: 20:15 NOT_LOWERABLE ... reverse_iterator
// expect: 25:3 NOT_LOWERABLE ... memmove
