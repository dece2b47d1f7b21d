// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

#include <cstdio>

double first(double), first_other(double);
static double hidden(double x) { return x * 20.0; }
double second(double x) { return all(x) + tlaloc::grad(tlaloc::fn<hidden>)(x); }
double second_other(double x) {
  return tlaloc::grad([](double y) { return 200.0 * y; })(x);
}
int main() {
  const double both = 13 + 13 + 8 + 12 + 12 + 2;  // at 2
  const bool right = first(2) == both + 10 && second(2) == both + 20 && first_other(1) == 100 && second_other(1) == 200;
  std::printf(right ? "right\n" : "first %g second %g others %g %g\n", first(2), second(2), first_other(1), second_other(1));
  return !right;
}
