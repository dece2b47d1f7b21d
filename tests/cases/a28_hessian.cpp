// SPDX-License-Identifier: Apache-2.0
//
// A28: Hessian through a nested call.
#include "case.hpp"

double inner(double x, double y) { return std::pow(x, 3) * y + std::exp(x * y); }
double f(double x, double y) { return inner(x, y) * y - std::log(x); }

#ifdef TLALOC_CASE_PRINTED
std::array<double, 4> hessian(double x, double y) {
  std::array<double, 4> m{};
  tlaloc::generated::f_hessian(x, y, m.data());
  return m;
}
#define HVP(f) CASE_PRINTED(f##_hvp)
#else
std::array<double, 4> hessian(double x, double y) {
  const auto m = tlaloc::hessian(f)(x, y);
  return {m.at(0, 0), m.at(0, 1), m.at(1, 0), m.at(1, 1)};
}
#define HVP(f) tlaloc::hvp(f)
#endif

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 0.79533228148196245, .gradient = {-0.49297840478145655, 2.5325280038020629}}, 0.9, 0.4);
  const double second[] = {2.1903009837664298, 3.2970629673449615, 3.2970629673449615, 4.502391676526163};
  const auto m = hessian(cases::opaque(0.9), cases::opaque(0.4));
  for (std::size_t i = 0; i < 4; ++i) run.number("hessian[" + std::to_string(i) + "]", m[i], second[i], 1e-12);
  const auto column = cases::numbers(HVP(f)(cases::opaque(0.9), cases::opaque(0.4), 0.25, -2.0));
  for (std::size_t i = 0; i < 2; ++i)
    run.number("hvp[" + std::to_string(i) + "]", column.at(i), 0.25 * second[2 * i] - 2 * second[2 * i + 1], 1e-12);
  return run.done();
}
