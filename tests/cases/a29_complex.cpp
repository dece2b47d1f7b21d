// SPDX-License-Identifier: Apache-2.0
//
// A29: std::complex: arithmetic, functions, a loop.
#include "case.hpp"

#include <complex>

double f(double x, double y) {
  std::complex<double> z(x, y), c(y, 0.25), s = 0;
  for (int i = 0; i < 3; ++i) {
    z = z * z / (2.0 + c) + std::conj(z) * 0.5;
    s += std::exp(z) + std::pow(z, 2.5) * std::sqrt(c) - std::polar(x, y);
  }
  return std::norm(s) + std::abs(z) * std::arg(z + 3.0) + std::real(std::log(s)) + std::imag(std::sin(z) / std::tanh(c));
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 7.7728584512917145, .gradient = {18.348838257737675, 9.664696411035273}}, 0.7, -0.4);
  return run.done();
}
