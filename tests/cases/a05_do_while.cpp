// SPDX-License-Identifier: Apache-2.0
//
// A05: Do-while with a decremented counter and compound assignment.
#include "case.hpp"

double f(double x, int n) {
  double r = x;
  do {
    r -= 0.1 * r * r;
    r *= 1.5;
  } while (--n > 0);
  return r;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.4292298487472902, .gradient = {1.2575755454729301}}, 0.9, 4);
  return run.done();
}
