// SPDX-License-Identifier: Apache-2.0
//
// A24: Special functions together.
#include "case.hpp"

#include <cmath>

double f(double x, double y) {
  return std::atan2(y, x) + std::hypot(x, y) + std::fma(x, y, x) + std::erf(x) + std::lgamma(2 + x * x) +
         std::cbrt(y) + std::log1p(x * x) + std::expm1(y) + std::tanh(x * y);
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = -1.6627895694767942, .gradient = {-1.684688359542536, -1.5926505629010292}}, -0.6, -1.3);
  return run.done();
}
