// SPDX-License-Identifier: Apache-2.0
//
// A16: Std::array changed through a range-for reference.
#include "case.hpp"

#include <array>

double f(double x, double y) {
  std::array<double, 3> a{x, y, x * y};
  double k = 1;
  for (double& v : a) {
    v = v * v * k;
    k += 1;
  }
  double sum = 0;
  for (double v : a) sum += v;
  return sum;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 13.016699999999998, .gradient = {16.561999999999998, 13.185999999999999}}, 0.7, 1.9);
  return run.done();
}
