// SPDX-License-Identifier: Apache-2.0
//
// Output by streams, as A25's: the derivative writes what the function writes, once.
#include "case.hpp"

#include <iostream>
#include <sstream>

int noted(int i) {
  std::cout << "[noted " << i << "]\n";
  return i;
}
double f(double x) {
  double sum = 0;
  for (int i = 1; i <= 2; ++i) {
    sum += x * sum + x;
    std::cout << "100% " << std::fixed << i << ' ' << 0.5 * i << std::defaultfloat << (i > 1) << ' ' << noted(i) << std::endl;
    std::cerr << "sum \"" << sum << "\"\n" << std::flush;
  }
  return sum;
}

template <class Work> std::string written(std::ostream& to, Work work) {
  std::ostringstream text;
  auto* before = to.rdbuf(text.rdbuf());
  work();
  to.rdbuf(before);
  return text.str();
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  const cases::Expected want{.value = 5.25, .gradient = {5.0}};      // 2 x + x^2
  const auto grad = GRAD(f);
  const auto value_and_grad = VALUE_AND_GRAD(f);
  const auto jvp = JVP(f);
  const double x = cases::opaque(1.5);
  const std::string out = "100% 1 0.5000000 [noted 1]\n1\n100% 2 1.0000001 [noted 2]\n2\n", err = "sum \"1.5\"\nsum \"5.25\"\n";
  auto same = [&](const char* what, auto work) {
    run.number(what, written(std::cout, work) == out, 1, 0);
    run.number(what, written(std::cerr, work) == err, 1, 0);
  };
  same("written by f", [&] { run.number("f", f(x), want.value, want.value_tolerance); });
  same("written by grad", [&] { run.gradient("grad", cases::numbers(grad(x)), want); });
  same("written by value_and_grad", [&] {
    const std::vector<double> both = cases::numbers(value_and_grad(x));
    run.number("value", both.at(0), want.value, want.value_tolerance);
    run.gradient("gradient", {both.begin() + 1, both.end()}, want);
  });
  same("written by jvp", [&] { run.number("jvp", jvp(x, 1.0), want.gradient[0], 1e-11); });
  return run.done();
}
