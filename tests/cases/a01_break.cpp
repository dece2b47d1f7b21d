// SPDX-License-Identifier: Apache-2.0
//
// A01: Loop left by break, accumulator reused after it.
#include "case.hpp"

double f(double u, double v) {
  double total = 0;
  for (int i = 1; i < 6; ++i) {
    total += i * u * v;
    if (total > 4.0) break;
  }
  return total * total;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 45.5625, .gradient = {60.75, 121.5}}, 1.5, 0.75);
  return run.done();
}
