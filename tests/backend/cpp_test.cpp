// SPDX-License-Identifier: Apache-2.0
//
// The printed C++: how it looks, and that it means what the representation means.
#include "backend/compiled.hpp"
#include "backend/random_function.hpp"

#include "ir/ops.hpp"

#include <gmock/gmock.h>

namespace {

using namespace tlaloc::ir;
using namespace tlaloc::ir::test;
using testing::HasSubstr;
using testing::Not;

std::string body_of(const std::string& ir) {
  Program p = parse(ir);
  verify(p);
  CppPrinter printer("test.cpp", Linkage::shared);
  const std::vector<std::string> names = {p.functions.back().name};
  const std::string s = printer.print(p, names);
  const auto from = s.find("inline ");
  return s.substr(from, s.rfind("\n}  // namespace") - from);
}

// --- the look ---

constexpr auto orbit = R"(
func orbit(%n: i32, %a: f64, %b: f64, %start: f64) {
  %.1 = constant {value = 0:i32} : i32
  %.2 = constant {value = 0:f64} : f64
  %y.1, %sum.1 = for %.1, %n, %start, %.2 {step = 1} (%i: i32, %y: f64, %sum: f64) {
    %.3 = mul %a, %y : f64
    %.4 = sin %.3 : f64
    %.5 = neg %y : f64
    %.6 = mul %.5, %y : f64
    %.7 = exp %.6 : f64
    %.8 = mul %b, %.7 : f64
    %y.2 = add %.4, %.8 : f64
    %sum.2 = add %sum, %y.2 : f64
    yield %y.2, %sum.2
  } : f64, f64
  %.9 = cast %n {dtype = f64} : f64
  %.10 = div %sum.1, %.9 : f64
  yield %.10
}
)";

TEST(Look, LoopIsTheUsersLoop) {
  EXPECT_EQ(body_of(orbit), R"(inline double orbit(int n, double a, double b, double start) {
  double y = start;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    y = std::sin(a * y) + b * std::exp(-y * y);
    sum += y;
  }
  return sum / n;
}
)");
}

TEST(Meaning, Loop) { check(parse(orbit), {{"orbit", {integer(20), number(0.7), number(1.1), number(0.3)}}, {"orbit", {integer(1), number(2), number(1e-3), number(-4)}}}); }

// --- precedence and literals ---

constexpr auto precedence = R"(
func precedence(%a: f64, %b: f64, %c: f64) {
  %.1 = add %b, %c : f64
  %.2 = add %a, %.1 : f64
  %.3 = mul %b, %c : f64
  %.4 = mul %a, %.3 : f64
  %.5 = sub %a, %b : f64
  %.6 = sub %c, %.5 : f64
  %.7 = div %a, %b : f64
  %.8 = div %c, %.7 : f64
  %.9 = neg %.5 : f64
  %.10 = constant {value = -2:f64} : f64
  %.11 = add %a, %.10 : f64
  %.12 = sub %b, %.10 : f64
  %.13 = mul %c, %.10 : f64
  %.14 = neg %.7 : f64
  %.15 = sub %b, %.14 : f64
  %.16 = add %b, %.9 : f64
  yield %.2, %.4, %.6, %.8, %.11, %.12, %.13, %.15, %.16
}
)";

TEST(Look, ParenthesesOnlyWhereTheyMatter) {
  EXPECT_THAT(body_of(precedence), HasSubstr("a + (b + c), a * (b * c), c - t, c / t_2, a - 2.0, b + 2.0, c * -2.0"));
}
TEST(Meaning, Precedence) { check(parse(precedence), {{"precedence", {number(0.1), number(0.7), number(-1e-3)}}, {"precedence", {number(1e300), number(1e-300), number(3)}}}); }

// --- random functions ---

// TLALOC_FUZZ_SEED and TLALOC_FUZZ_COUNT choose others.
TEST(Meaning, RandomFunctions) {
  auto setting = [](const char* name, int otherwise) { const char* s = std::getenv(name); return s ? std::atoi(s) : otherwise; };
  const int from = setting("TLALOC_FUZZ_SEED", 1), count = setting("TLALOC_FUZZ_COUNT", 40);
  Program p;
  std::vector<Call> calls;
  for (int seed = from; seed < from + count; ++seed) {
    const std::string name = "fuzz" + std::to_string(seed);
    p.add(RandomFunction(unsigned(seed)).make(name));
    for (double shift : {0.0, 1.7})
      calls.push_back({name, {integer(3 + int(shift)), integer(5), number(0.3 + shift), number(-1.1), number(2.5 - shift), Number::of(DType::f32, 0.7 + shift),
                              integer(200, DType::u8), reals({1, -0.5, 0.25, 3, -2}), reals({0, 1, 2, 3, 4}), ints({3, 1, 4, 1, 5})}});
  }
  check(p, calls);
}

}  // namespace
