// SPDX-License-Identifier: Apache-2.0
//
// A26: A global that is read, and a local assigned only in branches.
#include "case.hpp"

double gain = 1.5;
double f(double x) {
  double y;
  if (x > 0) y = gain * x * x;
  else y = -x;
  double z = y;
  y = z * gain;
  return y + z;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.4000000000000003, .gradient = {6.0000000000000003}}, 0.8);
  return run.done();
}
