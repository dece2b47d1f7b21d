// SPDX-License-Identifier: Apache-2.0
//
// A02: Continue in an inner loop, with work after it.
#include "case.hpp"

double f(double u, double v) {
  double total = 2 * u;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      if ((i + j) % 2 == 1) continue;
      total += u * v / (1 + i + j);
    }
    total *= v;
  }
  return total;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.2421333333333338, .gradient = {1.7937066666666671, 11.066666666666669}}, 1.25, 0.8);
  return run.done();
}
