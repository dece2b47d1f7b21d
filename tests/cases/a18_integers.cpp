// SPDX-License-Identifier: Apache-2.0
//
// A18: Integer parameter, integer division and an integer index.
#include "case.hpp"

double f(double x, double y, int n) {
  double w[3] = {x, x * y, y};
  int half = n / 2;            // 7 / 2 == 3
  return half * w[n % 3] + x / n + 7 / 2 * y;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.0471428571428572, .gradient = {1.0428571428571428, 6.3000000000000003}}, 1.1, 0.3, 7);
  return run.done();
}
