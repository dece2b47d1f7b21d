// SPDX-License-Identifier: Apache-2.0
//
// A08: A variable overwritten by functions of itself, in a loop.
#include "case.hpp"

double f(double x, double y) {
  for (int i = 0; i < 3; ++i) {
    x = x * x;
    y = x * y - y;
    x += y;
  }
  return x * y;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 0.017605640736011583, .gradient = {-0.23541349094344769, 0.10604655222444936}}, 0.7, 0.4);
  return run.done();
}
