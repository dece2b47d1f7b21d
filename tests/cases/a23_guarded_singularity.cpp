// SPDX-License-Identifier: Apache-2.0
//
// A23: A guarded singularity: the branch not taken must not contribute.
#include "case.hpp"

#include <cmath>

double f(double x, double y) {
  double r = x * x + y * y;
  double norm = r > 0 ? std::sqrt(r) : 0.0;
  return norm + 3 * x + (y != 0 ? std::log(std::fabs(y)) : 2 * y);
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 0, .gradient = {3, 2}}, 0.0, 0.0);
  return run.done();
}
