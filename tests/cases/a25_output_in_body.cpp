// SPDX-License-Identifier: Apache-2.0
//
// A25: Output, a static table and constexpr in the body.
#include "case.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

double f(double x) {
  static const double table[3] = {0.5, -1.0, 2.0};
  constexpr int last = 2;
  double sum = 0;
  for (int i = 0; i <= last; ++i) {
    sum += table[i] * std::pow(x, i);
    std::printf("%d\n", i);
  }
  return sum;
}

/// How many lines `work` writes to standard output.
template <class Work> int lines_printed(Work work) {
  std::FILE* file = std::tmpfile();
  std::fflush(stdout);
  const int keep = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  work();
  std::fflush(stdout);
  dup2(keep, STDOUT_FILENO);
  close(keep);
  std::rewind(file);
  int lines = 0;
  for (int c; (c = std::fgetc(file)) != EOF;) lines += c == '\n';
  std::fclose(file);
  return lines;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  const cases::Expected want{.value = 4.5799999999999997, .gradient = {5.7999999999999998}};
  const auto grad = GRAD(f);
  const auto value_and_grad = VALUE_AND_GRAD(f);
  const auto jvp = JVP(f);
  const double x = cases::opaque(1.7);
  // Output happens as often as in the primal under every transform.
  run.number("lines of f", lines_printed([&] { run.number("f", f(x), want.value, want.value_tolerance); }), 3, 0);
  run.number("lines of grad", lines_printed([&] { run.gradient("grad", cases::numbers(grad(x)), want); }), 3, 0);
  run.number("lines of value_and_grad", lines_printed([&] {
               const std::vector<double> both = cases::numbers(value_and_grad(x));
               run.number("value", both.at(0), want.value, want.value_tolerance);
               run.gradient("gradient", {both.begin() + 1, both.end()}, want);
             }), 3, 0);
  run.number("lines of jvp", lines_printed([&] { run.number("jvp", jvp(x, 1.0), want.gradient[0], 1e-11); }), 3, 0);
  return run.done();
}
