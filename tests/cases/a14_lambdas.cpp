// SPDX-License-Identifier: Apache-2.0
//
// A14: Lambdas capturing by value and by reference.
#include "case.hpp"

double f(double x, double y) {
  double scale = x * y;
  double sum = 0;
  auto add = [&sum, scale](double t) { sum += scale * t * t; };
  scale = 100;  // the copy inside the lambda must not see this
  add(x);
  add(y);
  return sum;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -1.9838, .gradient = {-3.892, 4.108}}, 1.3, -0.7);
  return run.done();
}
