// SPDX-License-Identifier: Apache-2.0
//
// A04: While loop whose length depends on the input (Newton square root).
#include "case.hpp"

#include <cmath>

double f(double a) {
  double x = a;
  while (std::fabs(x * x - a) > 1e-6 * a) x = 0.5 * (x + a / x);
  return x;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.6457513111113693, .gradient = {0.18898223660225201}}, 7.0);
  return run.done();
}
