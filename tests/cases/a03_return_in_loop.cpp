// SPDX-License-Identifier: Apache-2.0
//
// A03: Return from inside a loop, and another after it.
#include "case.hpp"

double f(double x, double y) {
  double p = 1;
  for (int i = 0; i < 10; ++i) {
    p *= x;
    if (p > 8) return p * y;
  }
  return p + y;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -4.689453125, .gradient = {-10.71875, 9.37890625}}, 1.75, -0.5);
  return run.done();
}
