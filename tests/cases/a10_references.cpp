// SPDX-License-Identifier: Apache-2.0
//
// A10: Arguments changed through references, twice.
#include "case.hpp"

void mix(double& a, double& b) {
  a = a * b;
  b = a + b * b;
}
double f(double x, double y) {
  mix(x, y);
  mix(y, x);
  return x - 2 * y;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -0.19439999999999998, .gradient = {-0.21599999999999998, -0.97199999999999995}}, 0.9, 0.6);
  return run.done();
}
