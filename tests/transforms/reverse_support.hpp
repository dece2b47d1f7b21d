// SPDX-License-Identifier: Apache-2.0
//
// Oracle for reverse mode: central differences of the function itself, run by the interpreter.
#pragma once

#include "backend/interpreter/interpreter.hpp"
#include "transforms/reverse_tuned.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tlaloc::ir {

/// An argument as the test gives it: a number or the contents of a buffer, of the parameter's type.
using Given = std::variant<double, std::vector<double>>;

inline Argument make(const Type& t, const Given& g) {
  if (auto* x = std::get_if<double>(&g)) return Number::of(t.dtype, *x);
  auto m = std::make_shared<Memory>(Memory{t.dtype, {}});
  for (double x : std::get<std::vector<double>>(g)) m->data.push_back(Number::of(t.dtype, x));
  return m;
}
inline std::vector<Argument> make(const Function& f, const std::vector<Given>& given) {
  std::vector<Argument> r;
  for (std::size_t i = 0; i < given.size(); ++i) r.push_back(make(f.body->params[i]->type, given[i]));
  return r;
}
/// A cotangent that tells elements apart.
inline double seed(std::size_t i) { return 0.5 + 0.25 * std::sin(1.0 + double(i)); }

/// What is differentiated: the results and the final contents of the wanted buffers, each with its seed.
struct Objective {
  const Program& program;
  const Function& f;
  std::vector<int> wanted;
  bool seeds;
  double operator()(const std::vector<Given>& given) const {
    auto args = make(f, given);
    const auto out = interpret(program, f, args);
    double sum = 0;
    std::size_t k = 0;
    for (auto& y : out) if (is_real(y.dtype)) sum += seeds ? seed(k++) * y.real : y.real;
    for (int w : wanted) {
      if (auto* m = std::get_if<std::shared_ptr<Memory>>(&args[std::size_t(w)]))
        for (std::size_t i = 0; i < (*m)->data.size(); ++i) sum += seed(i + 10) * (*m)->data[i].real;
    }
    return sum;
  }
};

/// Runs reverse mode over f and compares all its promises with f: gradient, results, final contents.
inline ::testing::AssertionResult agrees(Program& program, const Function& f, const std::vector<Given>& given, const std::vector<int>& wanted,
                                         ReverseOptions options = {}, const ReverseTuning* tuning = nullptr, double tolerance = 1e-6, double h = 1e-4) {
  options.wanted = wanted;
  static int number = 0;
  const std::string name = f.name + "_grad" + std::to_string(number++);
  Function g = tuning ? reverse_tuned(program, f, options, *tuning, name) : reverse(program, f, options, name);
  auto fail = [&] { return ::testing::AssertionFailure() << print(f) << print(g); };
  try {
    verify(g, &program);
    for (auto& other : program.functions) verify(other, &program);
  } catch (Error& e) { return fail() << e.what(); }
  auto args = make(f, given);
  std::size_t k = 0;
  if (options.seeds) for (auto* y : f.body->yields) if (y->type.real()) args.push_back(Number::of(y->type.dtype, seed(k++)));
  std::vector<std::shared_ptr<Memory>> shadows;
  for (int w : wanted) {
    if (!f.body->params[std::size_t(w)]->type.buffer) continue;
    std::vector<double> start;
    for (std::size_t i = 0; i < std::get<std::vector<double>>(given[std::size_t(w)]).size(); ++i) start.push_back(seed(i + 10));
    shadows.push_back(std::get<std::shared_ptr<Memory>>(make(f.body->params[std::size_t(w)]->type, start)));
    args.push_back(shadows.back());
  }
  std::vector<Number> out;
  try { out = interpret(program, g, args); } catch (Error& e) { return fail() << e.what(); }
  if (options.value) {
    auto own = make(f, given);
    const auto expected = interpret(program, f, own);
    for (std::size_t i = 0; i < expected.size(); ++i) if (!(out[i] == expected[i])) return fail() << "result " << i << " is " << out[i].as_double() << ", not " << expected[i].as_double();
    out.erase(out.begin(), out.begin() + std::ptrdiff_t(expected.size()));
    for (std::size_t i = 0; i < own.size(); ++i)
      if (auto* m = std::get_if<std::shared_ptr<Memory>>(&own[i]); m && (*m)->data != std::get<std::shared_ptr<Memory>>(args[i])->data) return fail() << "final contents of parameter " << i;
  }
  const Objective objective{program, f, wanted, options.seeds};
  std::size_t scalar = 0, buffer = 0;
  for (int w : wanted) {
    const auto at = std::size_t(w);
    const std::size_t n = std::holds_alternative<double>(given[at]) ? 1 : std::get<std::vector<double>>(given[at]).size();
    for (std::size_t i = 0; i < n; ++i) {
      auto moved = [&](double by) {
        auto g2 = given;
        if (auto* x = std::get_if<double>(&g2[at])) *x += by;
        else std::get<std::vector<double>>(g2[at])[i] += by;
        return objective(g2);
      };
      const double expected = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);      // to h^4
      const double got = std::holds_alternative<double>(given[at]) ? out[scalar].real : shadows[buffer]->data[i].real;
      if (!(std::fabs(got - expected) <= tolerance * std::max(1.0, std::fabs(expected))))
        return fail() << "derivative by '" << f.body->params[at]->name << "'[" << i << "] is " << got << ", central differences give " << expected;
    }
    std::holds_alternative<double>(given[at]) ? ++scalar : ++buffer;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace tlaloc::ir
