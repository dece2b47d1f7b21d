// SPDX-License-Identifier: Apache-2.0
//
// A06: Switch with a fall-through and a default.
#include "case.hpp"

#include <cmath>

double g(double x, int k) {
  double r = x;
  switch (k) {
    case 0: r = x * x; break;
    case 1: r = std::sin(x);   // falls through
    case 2: r = r * x; break;
    default: r = -x;
  }
  return r;
}
double f(double x) { return g(x, 0) + 2 * g(x, 1) + 3 * g(x, 2) + 5 * g(x, 7); }

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -0.88242903192595761, .gradient = {1.9196876846816844}}, 0.6);
  return run.done();
}
