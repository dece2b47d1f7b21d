// SPDX-License-Identifier: Apache-2.0
//
// Jacobians of random programs and of chosen ones: forward and reverse, with and without lanes, against central differences
// of the function itself; products with Hessians against second differences.
#include "transforms/jacobian.hpp"

#include "transforms/forward.hpp"
#include "transforms/lanes.hpp"
#include "transforms/random_program.hpp"
#include "transforms/reverse_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace tlaloc::ir {
namespace {

// --- random programs: f(x, y, z, n, m, c, p[4], q[4]); columns x | y, p; rows: the first two results and what p holds ---
struct Inputs { double x, y; std::vector<double> p; };
std::vector<Argument> arguments(const Inputs& at) {
  auto q = std::make_shared<Memory>(Memory{DType::i64, {}});
  for (int i = 0; i < 4; ++i) q->data.push_back(Number::of(DType::i64, i));
  return {number(at.x), number(at.y), Number::of(DType::f32, 0.5), integer(3, DType::i64), integer(2), integer(1, DType::boolean), buffer(at.p), q};
}
std::vector<double> rows_of(const Program& program, const Inputs& at) {
  auto args = arguments(at);
  auto r = doubles(interpret(program, *program.find("f"), args));
  r.resize(2);
  for (double v : contents(*std::get<std::shared_ptr<Memory>>(args[6]))) r.push_back(v);
  return r;
}
constexpr int rows = 6, columns = 6;
/// The two matrices side by side.
std::vector<double> jacobian_of(Program& program, bool in_reverse, bool lanes, const Inputs& at, std::string& text) {
  static int number = 0;
  const JacobianOptions options{.columns = {{0}, {1, 6}}, .names = {"by_x", "by_rest"}, .rows = {{true, 0}, {true, 1}, {false, 6}}, .reverse = in_reverse, .lanes = lanes};
  const Function j = jacobian(program, *program.find("f"), options, "jacobian_" + std::to_string(number++));
  text = print(j);
  verify(j, &program);
  auto args = arguments(at);
  auto first = buffer(std::vector<double>(rows * 1, NAN)), rest = buffer(std::vector<double>(rows * 5, NAN));
  args.push_back(first), args.push_back(rest);
  interpret(program, j, args);
  std::vector<double> out;
  for (std::size_t r = 0; r < rows; ++r) {
    out.push_back(contents(*first)[r]);
    for (std::size_t c = 0; c < 5; ++c) out.push_back(contents(*rest)[r * 5 + c]);
  }
  // What p holds afterwards is what f leaves there.
  const auto expected = rows_of(program, at);
  for (std::size_t i = 0; i < 4; ++i) {
    const double got = contents(*std::get<std::shared_ptr<Memory>>(args[6]))[i];
    EXPECT_TRUE(got == expected[2 + i] || (std::isnan(got) && std::isnan(expected[2 + i]))) << text;
  }
  return out;
}

TEST(Jacobian, RandomPrograms) {
  const char* s = std::getenv("TLALOC_PROGRAMS");
  const unsigned programs = s ? unsigned(std::atoi(s)) : 60;
  int compared = 0, nonzero = 0, singular = 0, refused = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    Program program = test::RandomProgram(seed, false).make(12);
    for (std::size_t i : {6u, 7u}) program.find("f")->body->params[i]->type.dims = {4};
    std::mt19937 rng(seed);
    auto real = [&] { return std::uniform_real_distribution<double>(-2, 2)(rng); };
    const Inputs at{real(), real(), {real(), real(), real(), real()}};
    auto moved = [&](std::size_t column, double h) {
      Inputs m = at;
      (column == 0 ? m.x : column == 1 ? m.y : m.p[column - 2]) += h;
      return rows_of(program, m);
    };
    auto difference = [&](std::size_t c, double h) {
      auto a = moved(c, h), b = moved(c, -h);
      for (std::size_t i = 0; i < rows; ++i) a[i] = (a[i] - b[i]) / (2 * h);
      return a;
    };
    std::vector<std::vector<double>> fine, coarse;
    for (std::size_t c = 0; c < columns; ++c) fine.push_back(difference(c, 1e-6)), coarse.push_back(difference(c, 4e-6));
    std::vector<double> one_by_one;
    for (const bool in_reverse : {false, true})
      for (const bool lanes : {false, true}) {
        std::string text;
        std::vector<double> got;
        try {
          got = jacobian_of(program, in_reverse, lanes, at, text);
        } catch (const Refusal&) {                // a growing buffer handed to a function, say
          ASSERT_TRUE(in_reverse);
          ++refused;
          break;
        }
        for (std::size_t i = 0; i < got.size(); ++i) {
          const double want = fine[i % columns][i / columns], scale = 1 + std::fabs(want);
          if (!std::isfinite(want) || std::fabs(want - coarse[i % columns][i / columns]) > 1e-6 * scale) continue;
          if (!std::isfinite(got[i])) { ++singular; continue; }
          ++compared;
          nonzero += got[i] != 0;
          EXPECT_NEAR(got[i], want, 1e-5 * scale) << "seed " << seed << (in_reverse ? " reverse" : " forward") << (lanes ? " lanes" : "") << " number " << i << "\n" << print(*program.find("f")) << text;
        }
        // Lanes compute the same numbers, to the bit.
        if (!lanes) one_by_one = got;
        else for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(got[i] == one_by_one[i] || (std::isnan(got[i]) && std::isnan(one_by_one[i]))) << "seed " << seed << " number " << i << "\n" << text;
        if (testing::Test::HasFailure()) return;
      }
  }
  EXPECT_LT(singular * 50, compared);
  EXPECT_GT(compared, int(programs) * 60);
  EXPECT_GT(nonzero, int(programs) * 20);
  EXPECT_LT(refused * 5, int(programs));
}

// --- lengths known at run time only: more columns than lanes, and a result that is a buffer ---
const char* const spring = R"(func f(%x: buffer f64, %n: i64, %k: f64, %out: buffer f64) {
  %zero = constant {value = 0:i64} : i64
  %one = constant {value = 1:i64} : i64
  for %one, %n {step = 1} (%i: i64) {
    %h = sub %i, %one : i64
    %a = load %x, %h : f64
    %b = load %x, %i : f64
    %c = sub %b, %a : f64
    %d = sin %c : f64
    %e = mul %d, %k : f64
    store %out, %h, %e
  }
})";
TEST(Jacobian, LengthsAtRunTime) {
  for (std::size_t n : {2u, 8u, 9u, 21u})
    for (const bool in_reverse : {false, true})
      for (const bool lanes : {false, true}) {
        Program program = parse(spring);
        const JacobianOptions options{.columns = {{0}, {2}}, .names = {"by_x", "by_k"}, .rows = {{false, 3}}, .lengths = {.extent = {{0, 1}}}, .reverse = in_reverse, .lanes = lanes};
        EXPECT_EQ(told(program.functions[0], options), std::vector<int>{3});
        const Function j = jacobian(program, program.functions[0], options, "j");
        verify(j, &program);
        std::vector<double> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(std::sin(double(3 * i)));
        const double k = 1.7;
        auto by_x = buffer(std::vector<double>((n - 1) * n, NAN)), by_k = buffer(std::vector<double>(n - 1, NAN)), out = buffer(std::vector<double>(n - 1, NAN));
        interpret(program, j, std::vector<Argument>{buffer(x), integer(std::int64_t(n), DType::i64), number(k), out, integer(std::int64_t(n - 1), DType::i64), by_x, by_k});
        for (std::size_t r = 0; r + 1 < n; ++r) {
          const double c = std::cos(x[r + 1] - x[r]);
          for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(contents(*by_x)[r * n + i], i == r ? -k * c : i == r + 1 ? k * c : 0, 1e-15) << n << " " << print(j);
          EXPECT_NEAR(contents(*by_k)[r], std::sin(x[r + 1] - x[r]), 1e-15);
          EXPECT_EQ(contents(*out)[r], std::sin(x[r + 1] - x[r]) * k);
        }
      }
}

TEST(Jacobian, OfANumberIsANumber) {
  for (const bool in_reverse : {false, true}) {
    Program program = parse("func f(%x: f64) {\n  %y = sin %x : f64\n  yield %y\n}");
    const Function j = jacobian(program, program.functions[0], {.columns = {{0}}, .names = {"slope"}, .numbers = {0}, .rows = {{true, 0}}, .reverse = in_reverse, .lanes = true}, "j");
    verify(j, &program);
    EXPECT_EQ(doubles(interpret(program, j, std::vector<Argument>{number(0.7)})), std::vector<double>{std::cos(0.7)});
    EXPECT_EQ(j.body->params.size(), 1u);
    walk(*j.body, [&](Op* op) { EXPECT_TRUE(op->regions.empty() && op->kind != &ops::alloc) << print(j); });
  }
}

TEST(Jacobian, EffectsHappenOnce) {
  Program program = parse(R"(func f(%x: buffer f64[20], %y: buffer f64[20]) {
    %zero = constant {value = 0:i64} : i64
    %a = load %x, %zero : f64
    output %a {callee = "std::printf", format = "%g"}
    store %y, %zero, %a
  })");
  for (const bool in_reverse : {false, true}) {
    const Function j = jacobian(program, program.functions[0], {.columns = {{0}}, .names = {"j"}, .rows = {{false, 1}}, .reverse = in_reverse, .lanes = true}, in_reverse ? "r" : "f_j");
    verify(j, &program);
    int outputs = 0;
    auto m = buffer(std::vector<double>(400, NAN));
    interpret(program, j, std::vector<Argument>{buffer(std::vector<double>(20, 0.5)), buffer(std::vector<double>(20, 0.0)), m}, [&](const Op&, auto) { ++outputs; });
    EXPECT_EQ(outputs, 1);
    EXPECT_EQ(contents(*m)[0], 1);
    EXPECT_EQ(contents(*m)[21], 0);               // y[1] is what it was, whatever x is
  }
}

TEST(Jacobian, ARestoredBufferNeedsALength) {
  Program program = parse(R"(func f(%x: buffer f64[20], %count: buffer i32, %y: buffer f64[1]) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i32} : i32
    %a = load %x, %zero : f64
    store %y, %zero, %a
    %n = load %count, %zero : i32
    %m = add %n, %one : i32
    store %count, %zero, %m
  })");
  try {
    jacobian(program, program.functions[0], {.columns = {{0}}, .names = {"j"}, .rows = {{false, 2}}}, "j");
    FAIL();
  } catch (const Refusal& r) {
    EXPECT_EQ(r.code, "NOT_DIFFERENTIABLE");
    EXPECT_NE(std::string(r.what()).find("'count'"), std::string::npos) << r.what();
  }
}

// --- Hessians: f(x[n], y) = sum of sin(x[i - 1] x[i]) y, in scratch ---
const char* const chain = R"(func f(%x: buffer f64, %n: i64, %y: f64, %w: buffer f64) {
  %zero = constant {value = 0:i64} : i64
  %one = constant {value = 1:i64} : i64
  store %w, %zero, %y
  for %one, %n {step = 1} (%i: i64) {
    %h = sub %i, %one : i64
    %a = load %x, %h : f64
    %b = load %x, %i : f64
    %c = mul %a, %b : f64
    %d = sin %c : f64
    %old = load %w, %h : f64
    %e = mul %d, %old : f64
    %s = add %old, %e : f64
    store %w, %i, %s
  }
  %last = sub %n, %one : i64
  %r = load %w, %last : f64
  yield %r
})";
double chain_value(const std::vector<double>& x, double y) {
  for (std::size_t i = 1; i < x.size(); ++i) y += std::sin(x[i - 1] * x[i]) * y;
  return y;
}
double second_difference(std::vector<double> x, double y, std::size_t i, std::size_t j) {
  const double h = 1e-4;
  auto at = [&](double a, double b) {
    auto q = x;
    double z = y;
    (i < q.size() ? q[i] : z) += a * h;
    (j < q.size() ? q[j] : z) += b * h;
    return chain_value(q, z);
  };
  return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h);
}
TEST(Hessian, MatrixAndProduct) {
  for (std::size_t n : {3u, 11u})
    for (const bool lanes : {false, true}) {
      Program program = parse(chain);
      const Function& f = program.functions[0];
      const Lengths lengths{.extent = {{0, 1}, {3, 1}}};
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(0.3 + 0.4 * std::sin(double(2 * i)));
      const double y = 1.3;
      auto args = [&] { return std::vector<Argument>{buffer(x), integer(std::int64_t(n), DType::i64), number(y), buffer(std::vector<double>(n, 0.0))}; };

      const Gradient g = gradient(program, f, {0, 2}, {3}, "g");
      JacobianOptions options{.columns = {{0, 2}}, .names = {"hessian"}, .rows = g.parts, .scratch = {3}, .own = g.shadows, .lengths = lengths, .lanes = lanes};
      options.lengths.like = g.of;
      const Function hessian = jacobian(program, g.function, options, "h");
      verify(hessian, &program);
      auto m = buffer(std::vector<double>((n + 1) * (n + 1), NAN));
      auto a = args();
      a.push_back(m);
      interpret(program, hessian, a);
      for (std::size_t i = 0; i <= n; ++i)
        for (std::size_t j = 0; j <= n; ++j) EXPECT_NEAR(contents(*m)[i * (n + 1) + j], second_difference(x, y, i, j), 3e-6) << i << " " << j << " " << lanes << "\n" << print(hessian);

      const Function product = hessian_product(program, f, {0, 2}, {3}, lengths, "p");
      verify(product, &program);
      std::vector<double> v;
      for (std::size_t i = 0; i < n; ++i) v.push_back(std::cos(double(i)));
      auto out = buffer(std::vector<double>(n, 0.0));
      a = args();
      a.push_back(buffer(v)), a.push_back(number(0.7)), a.push_back(out);
      const auto r = doubles(interpret(program, product, a));
      ASSERT_EQ(r.size(), 1u);
      v.push_back(0.7);
      for (std::size_t i = 0; i <= n; ++i) {
        double want = 0;
        for (std::size_t j = 0; j <= n; ++j) want += contents(*m)[i * (n + 1) + j] * v[j];
        EXPECT_NEAR(i < n ? contents(*out)[i] : r[0], want, 1e-12) << i;
      }
    }
}

// A recursive callee is widened too, once.
TEST(Lanes, Recursion) {
  Program program = parse(power_function + R"(func f(%x: buffer f64[3]) {
    %n = constant {value = 3:i64} : i64
    %i = constant {value = 1:i64} : i64
    %x1 = load %x, %i : f64
    %a = call %x1, %n {callee = "power", results = [f64]} : f64
    yield %a
  })");
  for (const bool in_reverse : {false, true}) {
    const Function j = jacobian(program, *program.find("f"), {.columns = {{0}}, .names = {"j"}, .rows = {{true, 0}}, .reverse = in_reverse, .lanes = true}, "j");
    verify(j, &program);
    auto m = buffer(std::vector<double>(3, NAN));
    interpret(program, j, std::vector<Argument>{buffer(std::vector<double>{2, 0.5, 3}), m});
    EXPECT_EQ(contents(*m), (std::vector<double>{0, 3 * 0.25, 0}));
  }
}

}  // namespace
}  // namespace tlaloc::ir
