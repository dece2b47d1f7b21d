// SPDX-License-Identifier: Apache-2.0
//
// A15: Function templates with a non-type parameter.
#include "case.hpp"

#include <cmath>

template <int N>
double poly(const double* c, double x) {
  if constexpr (N == 0) return c[0];
  else return c[N] * std::pow(x, N) + poly<N - 1>(c, x);
}
double f(double x, double y) {
  const double c[4] = {y, 2.0, y * y, -1.0};
  return poly<3>(c, x);
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 1.0460000000000003, .gradient = {-3.1799999999999993, 2.9599999999999998}}, 1.4, 0.5);
  return run.done();
}
