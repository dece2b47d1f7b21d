// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives in every order of the modes, against second differences of the function itself.
#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tlaloc::ir {
namespace {

// f(x, y) -> one real, as the last function of the text.
struct Case { const char* name; const char* text; double x, y; };
const Case cases[] = {
    {"StraightLine", R"(func f(%x: f64, %y: f64) {
      %a = mul %x, %y : f64
      %b = sin %a : f64
      %c = exp %x : f64
      %d = mul %b, %c : f64
      %e = div %d, %y : f64
      yield %e
    })", 0.7, 1.3},
    {"Loop", R"(func f(%x: f64, %y: f64) {
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
    {"Recursion", R"(func power(%x: f64, %n: i64) {
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
    func f(%x: f64, %y: f64) {
      %n = constant {value = 3:i64} : i64
      %a = call %x, %n {callee = "power", results = [f64]} : f64
      %b = mul %a, %y : f64
      %c = call %b, %n {callee = "power", results = [f64]} : f64
      yield %c
    })", 1.1, 0.9},
};

class Nesting : public testing::TestWithParam<Case> {
 protected:
  Program program = parse(GetParam().text);
  const Function& f() { return *program.find("f"); }
  double value(double x, double y) { return run(f(), {x, y})[0]; }
  std::vector<double> run(const Function& g, const std::vector<double>& xs) {
    std::vector<Argument> args;
    for (double x : xs) args.push_back(number(x));
    std::vector<double> r;
    for (auto& n : interpret(program, g, args)) r.push_back(n.as_double());
    return r;
  }
  // The Hessian times (u, v), by second differences.
  std::vector<double> expected(double u, double v) {
    const auto [name, text, x, y] = GetParam();
    const double h = 1e-4;
    auto at = [&](double a, double b) { return value(x + a * h, y + b * h); };
    const double xx = at(1, 0) - 2 * at(0, 0) + at(-1, 0), yy = at(0, 1) - 2 * at(0, 0) + at(0, -1);
    const double xy = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4;
    return {(xx * u + xy * v) / (h * h), (xy * u + yy * v) / (h * h)};
  }
  void compare(const std::vector<double>& got, double u, double v) {
    const auto want = expected(u, v);
    ASSERT_GE(got.size(), 2u);
    for (std::size_t i : {0u, 1u}) EXPECT_NEAR(got[got.size() - 2 + i], want[i], 2e-6 * (1 + std::fabs(want[i])));
  }
};

TEST_P(Nesting, ForwardOfReverse) {
  const Function gradient = reverse(program, f(), {{0, 1}}, "g");
  const Function second = forward(program, gradient, {{0, 1}}, "h");
  verify(second, &program);
  compare(run(second, {GetParam().x, GetParam().y, 0.3, -1.7}), 0.3, -1.7);
}
TEST_P(Nesting, ReverseOfForward) {
  const Function along = forward(program, f(), {{0, 1}}, "g");
  const Function second = reverse(program, along, {{0, 1}}, "h");
  verify(second, &program);
  compare(run(second, {GetParam().x, GetParam().y, 0.3, -1.7}), 0.3, -1.7);
}
TEST_P(Nesting, ForwardOfForward) {
  const Function along = forward(program, f(), {{0, 1}}, "g");
  const Function second = forward(program, along, {{0, 1}}, "h");
  verify(second, &program);
  const auto [name, text, x, y] = GetParam();
  std::vector<double> got;
  for (auto [u, v] : {std::pair{1.0, 0.0}, std::pair{0.0, 1.0}}) got.push_back(run(second, {x, y, 0.3, -1.7, u, v}).back());
  compare(got, 0.3, -1.7);
}
TEST_P(Nesting, ReverseOfReverse) {
  const Function gradient = reverse(program, f(), {{0, 1}}, "g");
  const Function second = reverse(program, gradient, {{0, 1}, false, true}, "h");
  verify(second, &program);
  compare(run(second, {GetParam().x, GetParam().y, 0.3, -1.7}), 0.3, -1.7);
}
INSTANTIATE_TEST_SUITE_P(All, Nesting, testing::ValuesIn(cases), [](auto& p) { return std::string(p.param.name); });

// A buffer parameter: the shadow that reverse mode adds to is a parameter of the gradient, and has a tangent itself.
TEST(NestingOfBuffers, ForwardOfReverse) {
  Program program = parse(R"(func f(%p: buffer f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %k = constant {value = 0.0:f64} : f64
    %s = for %one, %n, %k {step = 1} (%i: i64, %s: f64) {
      %h = sub %i, %one : i64
      %a = load %p, %h : f64
      %b = load %p, %i : f64
      %c = mul %a, %b : f64
      %d = sin %c : f64
      %e = add %s, %d : f64
      yield %e
    } : f64
    yield %s
  })");
  const Function gradient = reverse(program, program.functions[0], {{0}}, "g");        // (p, n, d_p)
  const Function second = forward(program, gradient, {{0, 2}}, "h");                   // (..., dp, d d_p)
  verify(second, &program);
  const std::vector<double> p{0.5, 1.5, -0.7}, v{0.3, -1.1, 0.9}, zeros{0, 0, 0};
  auto shadow = buffer(zeros), tangent = buffer(zeros);
  const std::vector<Argument> args{buffer(p), integer(3, DType::i64), shadow, buffer(v), tangent};
  interpret(program, second, args);
  auto value = [&](std::vector<double> q) { return std::sin(q[0] * q[1]) + std::sin(q[1] * q[2]); };
  const double h = 1e-4;
  for (std::size_t i = 0; i < 3; ++i) {
    auto moved = [&](double a, double b) { auto q = p; q[i] += a * h; for (std::size_t j = 0; j < 3; ++j) q[j] += b * h * v[j]; return value(q); };
    EXPECT_NEAR(contents(*tangent)[i], (moved(1, 1) - moved(1, -1) - moved(-1, 1) + moved(-1, -1)) / (4 * h * h), 1e-6) << i;
    EXPECT_NEAR(contents(*shadow)[i], (moved(1, 0) - moved(-1, 0)) / (2 * h), 1e-7) << i;
  }
}

}  // namespace
}  // namespace tlaloc::ir
