// SPDX-License-Identifier: Apache-2.0
//
// What tests of forward mode, reverse mode and their nestings share: small programs, and the oracle, differences of the
// function itself, run by the interpreter.
#pragma once

#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"
#include "transforms/reverse_tuned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tlaloc::ir {

/// n numbers, no two alike.
inline std::vector<double> wave(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(std::sin(1.3 * double(i) + 0.4));
  return x;
}

// --- programs ---
/// f(x, y) -> one real, as the last function of the text, at a point where it is smooth.
struct Sample { const char* name; std::string text; double x, y; };
inline const std::string power_function = R"(func power(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %c = compare %n, %zero {direction = gt} : bool
    %r = if %c () {
      %m = sub %n, %one : i64
      %p = call %x, %m {callee = "power", results = [f64]} : f64
      %q = mul %p, %x : f64
      yield %q
    } () {
      %k = constant {value = 1.0:f64} : f64
      yield %k
    } : f64
    yield %r
  }
)";
inline const Sample samples[] = {
    {"StraightLine", R"(func f(%x: f64, %y: f64) {
      %a = mul %x, %y : f64
      %b = sin %a : f64
      %c = exp %x : f64
      %d = mul %b, %c : f64
      %e = div %d, %y : f64
      yield %e
    })", 0.7, 1.3},
    {"InitIsReadInsideTheLoop", R"(func f(%x: f64, %y: f64) {
      %zero = constant {value = 0:i64} : i64
      %n = constant {value = 5:i64} : i64
      %r = for %zero, %n, %x {step = 1} (%i: i64, %s: f64) {
        %a = mul %s, %y : f64
        %b = sin %a : f64
        %c = mul %b, %x : f64
        yield %c
      } : f64
      yield %r
    })", 0.9, 1.1},
    {"If", R"(func f(%x: f64, %y: f64) {
      %c = compare %x, %y {direction = lt} : bool
      %r = if %c () {
        %a = mul %x, %x : f64
        %b = mul %a, %y : f64
        yield %b
      } () {
        %a = exp %y : f64
        yield %a
      } : f64
      %s = mul %r, %r : f64
      yield %s
    })", 0.9, 1.1},
    {"While", R"(func f(%x: f64, %y: f64) {
      %limit = constant {value = 3.0:f64} : f64
      %r = while %x (%s: f64) {
        %more = compare %s, %limit {direction = lt} : bool
        yield %more
      } (%s: f64) {
        %a = mul %s, %y : f64
        %b = mul %s, %s : f64
        %c = add %a, %b : f64
        yield %c
      } : f64
      yield %r
    })", 0.4, 1.2},
    {"OverwrittenBuffer", R"(func f(%x: f64, %y: f64) {
      %zero = constant {value = 0:i64} : i64
      %one = constant {value = 1:i64} : i64
      %n = constant {value = 4:i64} : i64
      %last = constant {value = 3:i64} : i64
      %v = alloc %n {dtype = f64} : buffer f64
      fill %v, %x
      for %zero, %n {step = 1} (%t: i64) {
        for %one, %n {step = 1} (%i: i64) {
          %h = sub %i, %one : i64
          %a = load %v, %h : f64
          %b = load %v, %i : f64
          %c = mul %a, %y : f64
          %d = sin %b : f64
          %e = add %c, %d : f64
          store %v, %i, %e
        }
      }
      %r = load %v, %last : f64
      yield %r
    })", 0.6, 0.8},
    {"Recursion", power_function + R"(func f(%x: f64, %y: f64) {
      %n = constant {value = 3:i64} : i64
      %a = call %x, %n {callee = "power", results = [f64]} : f64
      %b = mul %a, %y : f64
      %c = call %b, %n {callee = "power", results = [f64]} : f64
      yield %c
    })", 1.1, 0.9},
};

inline Program copy_of(const Program& program) {
  Program p;
  for (auto& f : program.functions) p.add(copy(f, f.name));
  return p;
}
inline std::vector<double> doubles(const std::vector<Number>& ns) {
  std::vector<double> r;
  for (auto& n : ns) r.push_back(n.as_double());
  return r;
}

// --- differences ---
/// The derivative of f at 0, to h^4.
inline double slope(const std::function<double(double)>& f, double h = 1e-4) { return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h); }
using Point = std::vector<double>;
inline Point moved(Point p, double by, const Point& along) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] += by * along[i];
  return p;
}
inline Point unit(std::size_t n, std::size_t i) {
  Point e(n);
  e[i] = 1;
  return e;
}
/// The Hessian of f at p times v.
inline Point curvature(const std::function<double(const Point&)>& f, const Point& p, const Point& v, double h = 1e-3) {
  Point r;
  for (std::size_t i = 0; i < p.size(); ++i)
    r.push_back(slope([&](double a) { return slope([&](double b) { return f(moved(moved(p, a, unit(p.size(), i)), b, v)); }, h); }, h));
  return r;
}

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
                                         ReverseOptions options = {}, const ReverseTuning* tuning = nullptr, double tolerance = 1e-6) {
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
      const double expected = slope([&](double by) {
        auto g2 = given;
        if (auto* x = std::get_if<double>(&g2[at])) *x += by;
        else std::get<std::vector<double>>(g2[at])[i] += by;
        return objective(g2);
      });
      const double got = std::holds_alternative<double>(given[at]) ? out[scalar].real : shadows[buffer]->data[i].real;
      if (!(std::fabs(got - expected) <= tolerance * std::max(1.0, std::fabs(expected))))
        return fail() << "derivative by '" << f.body->params[at]->name << "'[" << i << "] is " << got << ", central differences give " << expected;
    }
    std::holds_alternative<double>(given[at]) ? ++scalar : ++buffer;
  }
  return ::testing::AssertionSuccess();
}
/// The last function of the text with and without its results and seeds, its loops all saved, all replayed and as chosen.
inline void agrees_in_every_mode(std::string_view text, const std::vector<Given>& given, const std::vector<int>& wanted) {
  const Program program = parse(text);
  const auto& ys = program.functions.back().body->yields;
  const auto real = std::count_if(ys.begin(), ys.end(), [](Value* y) { return y->type.real(); });
  for (bool value : {false, true}) for (bool seeds : {false, true}) for (int mode = 0; mode < 3; ++mode) {
    if (!seeds && real != 1) continue;
    Program p = copy_of(program);
    ReverseOptions o;
    o.value = value, o.seeds = seeds;
    ReverseTuning t;
    t.replay = [&](int) { return mode == 1; };
    try {
      EXPECT_TRUE(agrees(p, p.functions.back(), given, wanted, o, mode == 2 ? nullptr : &t)) << "value " << value << " seeds " << seeds << " mode " << mode;
    } catch (Refusal& r) { EXPECT_TRUE(r.code == "REPLAY" && mode == 1) << r.code << ": " << r.what(); }
  }
}

/// The sum of squares of y, where y[i] begins as `start` stores it, and y[i] += l[j n + i] * x[j] below the diagonal.
inline std::string triangle(const char* start) {
  return R"(func f(%n: i64, %l: buffer f64, %x: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %none = constant {value = 0.0:f64} : f64
    %y = alloc %n {dtype = f64} : buffer f64
    for %zero, %n {step = 1} (%i: i64) {
      )" + std::string(start) + R"(
    }
    for %zero, %n {step = 1} (%j: i64) {
      %row = mul %j, %n : i64
      %from = add %j, %one : i64
      for %from, %n {step = 1} (%i: i64) {
        %at = add %row, %i : i64
        %a = load %l, %at : f64
        %b = load %x, %j : f64
        %c = mul %a, %b : f64
        accum %y, %i, %c
      }
    }
    %s.1 = for %zero, %n, %none {step = 1} (%i: i64, %s: f64) {
      %e = load %y, %i : f64
      %q = mul %e, %e : f64
      %t = add %s, %q : f64
      yield %t
    } : f64
    yield %s.1
  })";
}

}  // namespace tlaloc::ir
