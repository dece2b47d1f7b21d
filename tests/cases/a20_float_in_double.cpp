// SPDX-License-Identifier: Apache-2.0
//
// A20: Float in the middle of double arithmetic.
#include "case.hpp"

double f(double x, float s) {
  float y = x * s;
  double z = y;
  return z * z * x + y;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 0.5859375, .gradient = {0.671875, 3.1875}}, 1.5, 0.25f);
  return run.done();
}
