// SPDX-License-Identifier: Apache-2.0
//
// A21: Std::pow where the base is zero or negative and the exponent constant.
#include "case.hpp"

#include <cmath>

double f(double x, double y) {
  return std::pow(x, 2) + 3 * std::pow(y, 3) + std::pow(x, 1.875) + std::pow(y, -2) + std::pow(x, 0);
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -8.6805555555555556, .gradient = {0, 20.842592592592593}}, 0.0, -1.5);
  return run.done();
}
