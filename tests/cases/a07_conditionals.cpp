// SPDX-License-Identifier: Apache-2.0
//
// A07: Nested conditional expressions, active in every arm.
#include "case.hpp"

#include <cmath>

double f(double x, double y) {
  double r = x > y ? (x > 2 ? x * x : x * y) : (y > 2 ? y * y * x : std::exp(x - y));
  return x * y > 0 ? r * 3 : -r;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.25, .gradient = {1.5, 4.5}}, 1.5, 0.5);
  return run.done();
}
