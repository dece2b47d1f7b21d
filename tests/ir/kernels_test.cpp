// SPDX-License-Identifier: Apache-2.0
//
// Ops on numbers of every type against numbers worked out by hand: wrap-around, division, shifts, conversions, NaN.
#include "ir/straight_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tlaloc::ir {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
using Whole = std::int64_t;
constexpr Whole max64 = std::numeric_limits<Whole>::max(), min64 = std::numeric_limits<Whole>::min();

Number apply(const Kind& k, const std::vector<Number>& in, std::vector<Attr> attrs = {}) {
  Function f("f");
  Builder b{f};
  std::vector<X> xs;
  for (auto& n : in) xs.push_back(constant(b, n));
  f.body->yields.push_back(build(k, b, xs, std::move(attrs)).v);
  return interpret({}, f, {})[0];
}
Number apply(const Kind& k, DType d, Whole a, Whole b) { return apply(k, {Number::of(d, a), Number::of(d, b)}); }
Number apply(const Kind& k, double x) { return apply(k, {Number::of(DType::f64, x)}); }
Number apply(const Kind& k, double a, double b) { return apply(k, {Number::of(DType::f64, a), Number::of(DType::f64, b)}); }
Number cast_to(DType to, const Number& x) { return apply(ops::cast, {x}, {to}); }

TEST(Integers, WrapAround) {
  struct Case { const Kind* op; DType d; Whole a, b, expected; };
  const Case cases[] = {
      {&ops::add, DType::i8, 127, 1, -128},          {&ops::sub, DType::i8, -128, 1, 127},           {&ops::mul, DType::i8, 100, 3, 44},
      {&ops::add, DType::i16, 32767, 1, -32768},     {&ops::sub, DType::i16, -32768, 1, 32767},      {&ops::mul, DType::i16, 300, 300, 24464},
      {&ops::add, DType::i32, 2147483647, 1, -2147483648}, {&ops::sub, DType::i32, -2147483648, 1, 2147483647}, {&ops::mul, DType::i32, 65536, 65536, 0},
      {&ops::add, DType::i64, max64, 1, min64},      {&ops::sub, DType::i64, min64, 1, max64},       {&ops::mul, DType::i64, max64, 2, -2},
      {&ops::add, DType::u8, 255, 1, 0},             {&ops::sub, DType::u8, 0, 1, 255},              {&ops::mul, DType::u8, 16, 17, 16},
      {&ops::add, DType::u16, 65535, 2, 1},          {&ops::sub, DType::u16, 0, 1, 65535},           {&ops::mul, DType::u16, 65535, 65535, 1},
      {&ops::add, DType::u32, 4294967295, 1, 0},     {&ops::sub, DType::u32, 0, 1, 4294967295},      {&ops::mul, DType::u32, 65536, 65537, 65536},
      {&ops::add, DType::u64, -1, 1, 0},             {&ops::sub, DType::u64, 0, 1, -1},              {&ops::mul, DType::u64, -1, -1, 1},
  };
  for (auto& c : cases) EXPECT_EQ(apply(*c.op, c.d, c.a, c.b), Number::of(c.d, c.expected)) << c.op->name << " " << text(c.d) << " " << c.a << ", " << c.b;
  for (DType d : {DType::i8, DType::i16, DType::i32, DType::i64}) {
    const Number least = Number::of(d, Whole(1) << (bit_width(d) - 1));
    EXPECT_LT(least.as_int(), 0);
    EXPECT_EQ(apply(ops::neg, {least}), least) << text(d);
    EXPECT_EQ(apply(ops::abs, {least}), least) << text(d);
    EXPECT_EQ(apply(ops::abs, {Number::of(d, -5)}), Number::of(d, 5)) << text(d);
  }
  EXPECT_EQ(apply(ops::neg, {Number::of(DType::u32, 1)}), Number::of(DType::u32, 4294967295));
}

TEST(Integers, Division) {
  struct Case { DType d; Whole a, b, quotient, rest; };
  const Case cases[] = {
      {DType::i8, -7, 2, -3, -1},   {DType::i16, 7, -2, -3, 1},       {DType::i32, -7, -2, 3, -1},  {DType::i64, 7, 2, 3, 1},
      {DType::u8, 200, 7, 28, 4},   {DType::u16, 65535, 256, 255, 255}, {DType::u32, 4294967295, 2, 2147483647, 1},
      {DType::u64, -1, 10, 1844674407370955161, 5}, {DType::u64, -2, -1, 0, -2}, {DType::i64, min64, -1, min64, 0}, {DType::i32, -2147483648, -1, -2147483648, 0},
      {DType::i8, -128, -1, -128, 0},
  };
  for (auto& c : cases) {
    EXPECT_EQ(apply(ops::div, c.d, c.a, c.b), Number::of(c.d, c.quotient)) << text(c.d) << " " << c.a << " / " << c.b;
    EXPECT_EQ(apply(ops::rem, c.d, c.a, c.b), Number::of(c.d, c.rest)) << text(c.d) << " " << c.a << " % " << c.b;
  }
  for (DType d : {DType::i8, DType::i32, DType::u64}) {
    EXPECT_THROW(apply(ops::div, d, 1, 0), Error);
    EXPECT_THROW(apply(ops::rem, d, 1, 0), Error);
  }
}

TEST(Integers, BitsAndShifts) {
  struct Case { const Kind* op; DType d; Whole a, b, expected; };
  const Case cases[] = {
      {&ops::bit_and, DType::i32, -8, 12, 8},       {&ops::bit_or, DType::i8, -128, 1, -127},    {&ops::bit_xor, DType::u16, 65535, 255, 65280},
      {&ops::bit_and, DType::boolean, 1, 1, 1},     {&ops::bit_or, DType::boolean, 0, 1, 1},     {&ops::bit_xor, DType::boolean, 1, 1, 0},
      {&ops::shift_left, DType::i32, 1, 31, -2147483648}, {&ops::shift_left, DType::i32, -3, 4, -48}, {&ops::shift_left, DType::u8, 129, 1, 2},
      {&ops::shift_left, DType::i64, 1, 63, min64}, {&ops::shift_left, DType::u64, 3, 63, min64}, {&ops::shift_right, DType::i32, -8, 1, -4},
      {&ops::shift_right, DType::i32, -1, 31, -1},  {&ops::shift_right, DType::u32, 4294967288, 1, 2147483644}, {&ops::shift_right, DType::i64, min64, 62, -2},
      {&ops::shift_right, DType::u64, -1, 63, 1},   {&ops::shift_right, DType::i8, -128, 7, -1},
  };
  for (auto& c : cases) EXPECT_EQ(apply(*c.op, c.d, c.a, c.b), Number::of(c.d, c.expected)) << c.op->name << " " << text(c.d) << " " << c.a << ", " << c.b;
  for (auto* op : std::initializer_list<const Kind*>{&ops::shift_left, &ops::shift_right}) {
    EXPECT_THROW(apply(*op, DType::i32, 1, 32), Error);
    EXPECT_THROW(apply(*op, DType::i32, 1, -1), Error);
    EXPECT_THROW(apply(*op, DType::u64, 1, 64), Error);
  }
  EXPECT_EQ(apply(ops::bit_not, {Number::of(DType::i32, 0)}), Number::of(DType::i32, -1));
  EXPECT_EQ(apply(ops::bit_not, {Number::of(DType::u8, 1)}), Number::of(DType::u8, 254));
  EXPECT_EQ(apply(ops::logical_not, {Number::of(DType::boolean, 1)}), Number::of(DType::boolean, 0));
}

TEST(Compare, EveryRelation) {
  auto holds = [](const Number& a, const Number& b) {
    std::string s;
    for (auto c : {Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge}) s += apply(ops::compare, {a, b}, {c}).bits ? '1' : '0';
    return s;
  };
  auto real = [](double x) { return Number::of(DType::f64, x); };
  const std::string less = "011100", equal = "100101", greater = "010011", unordered = "010000";
  EXPECT_EQ(holds(real(1), real(2)), less);
  EXPECT_EQ(holds(real(0.0), real(-0.0)), equal);
  EXPECT_EQ(holds(real(inf), real(2)), greater);
  EXPECT_EQ(holds(real(nan), real(nan)), unordered);
  EXPECT_EQ(holds(Number::of(DType::i32, -1), Number::of(DType::i32, 1)), less);
  EXPECT_EQ(holds(Number::of(DType::u32, -1), Number::of(DType::u32, 1)), greater);
  EXPECT_EQ(holds(Number::of(DType::u64, -1), Number::of(DType::u64, max64)), greater);
  EXPECT_EQ(holds(Number::of(DType::i64, max64), Number::of(DType::i64, max64 - 1)), greater);      // equal as doubles
  EXPECT_EQ(holds(Number::of(DType::boolean, 0), Number::of(DType::boolean, 1)), less);
}

TEST(Cast, AsCpp) {
  auto real = [](double x) { return Number::of(DType::f64, x); };
  struct Case { Number from; DType to; Whole expected; };
  const Case whole[] = {
      {real(3.9), DType::i32, 3},   {real(-3.9), DType::i32, -3},   {real(-0.9), DType::u8, 0},    {real(255.9), DType::u8, 255},  {real(4294967295.0), DType::u32, 4294967295},
      {real(0x1p63), DType::u64, min64}, {real(0.5), DType::boolean, 1}, {real(nan), DType::boolean, 1}, {real(-0.0), DType::boolean, 0},
      {Number::of(DType::i32, -1), DType::u32, 4294967295}, {Number::of(DType::i32, -1), DType::u64, -1}, {Number::of(DType::i32, 300), DType::i8, 44},
      {Number::of(DType::u8, 200), DType::i8, -56}, {Number::of(DType::u32, -1), DType::i64, 4294967295}, {Number::of(DType::i64, 256), DType::boolean, 1},
      {Number::of(DType::boolean, 1), DType::i32, 1}, {Number::of(DType::i64, min64), DType::i32, 0},
  };
  for (auto& c : whole) EXPECT_EQ(cast_to(c.to, c.from), Number::of(c.to, c.expected)) << c.from.as_double() << " to " << text(c.to);
  struct Real { Number from; DType to; double expected; };
  const Real reals[] = {
      {Number::of(DType::i32, 16777217), DType::f32, 16777216},          {Number::of(DType::u64, -1), DType::f64, 18446744073709551616.0},
      {Number::of(DType::u64, -1), DType::f32, 18446744073709551616.0},  {Number::of(DType::i64, (Whole(1) << 62) + (Whole(1) << 38) + 1), DType::f32, 0x1p62 + 0x1p39},   // one rounding
      {real(0.1), DType::f32, 0.100000001490116119384765625},            {real(1e300), DType::f32, inf},  {real(1e-50), DType::f32, 0},
      {real(65519), DType::f16, 65504}, {real(65520), DType::f16, inf},  {real(2049), DType::f16, 2048},  {real(0x1p-25), DType::f16, 0}, {real(0x1.8p-24), DType::f16, 0x1p-23},
      {real(257), DType::bf16, 256},    {real(259), DType::bf16, 260},   {real(0.1), DType::bf16, 0.10009765625},
  };
  for (auto& c : reals) EXPECT_EQ(cast_to(c.to, c.from).real, c.expected) << c.from.as_double() << " to " << text(c.to);
}

TEST(Reals, RoundToTheirType) {
  auto f32 = [](double x) { return Number::of(DType::f32, x); };
  EXPECT_EQ(apply(ops::add, {f32(16777216), f32(1)}).real, 16777216);
  EXPECT_EQ(apply(ops::div, {f32(1), f32(3)}).real, 0.3333333432674407958984375);
  EXPECT_EQ(apply(ops::sqrt, {f32(2)}).real, 1.41421353816986083984375);
  EXPECT_EQ(apply(ops::exp, {f32(1)}).real, 2.71828174591064453125);
  EXPECT_EQ(apply(ops::mul, {Number::of(DType::f16, 0.1), Number::of(DType::f16, 3)}).real, 0.2998046875);
  EXPECT_EQ(apply(ops::add, {Number::of(DType::bf16, 256), Number::of(DType::bf16, 1)}).real, 256);
  EXPECT_EQ(apply(ops::div, 1.0, -0.0).real, -inf);
  EXPECT_TRUE(std::isnan(apply(ops::div, 0.0, 0.0).real));
}

TEST(Reals, QuestionsAndIntegerResults) {
  struct Case { const Kind* op; double x; Whole expected; };
  const Case cases[] = {
      {&ops::isnan, nan, 1},      {&ops::isnan, inf, 0},       {&ops::isinf, -inf, 1},        {&ops::isinf, nan, 0},     {&ops::isfinite, 1, 1},   {&ops::isfinite, nan, 0},
      {&ops::isnormal, 1, 1},     {&ops::isnormal, 5e-324, 0}, {&ops::signbit, -0.0, 1},      {&ops::signbit, 0.0, 0},   {&ops::fpclassify, 0, FP_ZERO}, {&ops::fpclassify, 5e-324, FP_SUBNORMAL},
      {&ops::lround, 2.5, 3},     {&ops::lround, -2.5, -3},    {&ops::llround, 0x1p53, Whole(1) << 53}, {&ops::lrint, 2.5, 2}, {&ops::llrint, -3.5, -4}, {&ops::ilogb, 8, 3}, {&ops::ilogb, 0.3, -2},
      {&ops::frexp_exponent, 8, 4}, {&ops::frexp_exponent, 0.3, -1},
  };
  for (auto& c : cases) EXPECT_EQ(apply(*c.op, c.x).as_int(), c.expected) << c.op->name << " " << c.x;
  struct Pair { const Kind* op; double a, b; Whole expected; };
  const Pair pairs[] = {
      {&ops::isgreater, 2, 1, 1},      {&ops::isgreater, 1, nan, 0},    {&ops::isgreaterequal, 1, 1, 1}, {&ops::isless, 1, 2, 1},        {&ops::isless, 1, 1, 0}, {&ops::islessequal, 1, 1, 1},
      {&ops::islessgreater, 1, 2, 1},  {&ops::islessgreater, 1, 1, 0},  {&ops::islessgreater, nan, 1, 0}, {&ops::isunordered, nan, 1, 1}, {&ops::isunordered, 1, 1, 0},
      {&ops::remquo_quotient, 7, 2, 4}, {&ops::remquo_quotient, -7, 2, -4}, {&ops::remquo_quotient, 5, 3, 2},
  };
  for (auto& c : pairs) EXPECT_EQ(apply(*c.op, c.a, c.b).as_int(), c.expected) << c.op->name << " " << c.a << ", " << c.b;
  EXPECT_EQ(apply(ops::modf_fraction, -inf).real, 0);
  EXPECT_TRUE(std::signbit(apply(ops::modf_fraction, -2.0).real));
  EXPECT_EQ(apply(ops::frexp_significand, -inf).real, -inf);
}

TEST(Reals, OutsideTheDomain) {
  EXPECT_THROW(apply(ops::cyl_bessel_j, 1, -2), Error);
  EXPECT_THROW(apply(ops::comp_ellint_2, 1.5), Error);
}

TEST(Select, TakesOne) {
  const Number a = Number::of(DType::i32, 7), b = Number::of(DType::i32, 9);
  EXPECT_EQ(apply(ops::select, {Number::of(DType::boolean, 1), a, b}), a);
  EXPECT_EQ(apply(ops::select, {Number::of(DType::boolean, 0), a, b}), b);
}

// Partials of ops whose operands are not all real.
TEST(Linear, SelectAndCast) {
  Function f("f");
  Builder b{f};
  const X c = param(b, {DType::boolean}, "c"), x = param(b, {DType::f64}, "x"), y = param(b, {DType::f64}, "y"), n = param(b, {DType::i32}, "n");
  const X s = ops::select(c, x, y), narrow = ops::cast(x, DType::f32), whole = ops::cast(x, DType::i32), real = ops::cast(n, DType::f64);
  for (X z : {test::ChainRule(x)(s), test::ChainRule(y)(s), test::ChainRule(x)(narrow)}) f.body->yields.push_back(z.v);
  EXPECT_EQ(f.body->yields[2]->type.dtype, DType::f64);
  EXPECT_FALSE(test::all_partials(whole)[0]);                    // an integer cuts the dependence
  EXPECT_FALSE(test::all_partials(real)[0]);
  EXPECT_EQ(test::run(f, {1, 5, 6, 0})[0].real, 1);
  EXPECT_EQ(test::run(f, {1, 5, 6, 0})[1].real, 0);
  EXPECT_EQ(test::run(f, {0, 5, 6, 0})[0].real, 0);
  EXPECT_EQ(test::run(f, {0, 5, 6, 0})[1].real, 1);
  EXPECT_EQ(test::run(f, {0, 5, 6, 0})[2].real, 1);
}

// What the adjoint of an operand reads decides what a reverse sweep keeps.
TEST(Reads, AreWhatTheRuleNeeds) {
  constexpr int result = -1;
  Function f("f");
  Builder b{f};
  const X x = param(b, {DType::f64}, "x"), y = param(b, {DType::f64}, "y"), n = param(b, {DType::u32}, "n"), c = param(b, {DType::boolean}, "c");
  struct Case { X op; int operand; std::vector<int> expected; };
  const Case cases[] = {
      {ops::add(x, y), 0, {}},           {ops::mul(x, y), 0, {1}},            {ops::mul(x, y), 1, {0}},        {ops::div(x, y), 0, {1}},      {ops::div(x, y), 1, {result, 1}},
      {ops::exp(x), 0, {result}},        {ops::sqrt(x), 0, {result}},         {ops::log(x), 0, {0}},           {ops::sin(x), 0, {0}},         {ops::tanh(x), 0, {result}},
      {ops::pow(x, y), 0, {0, 1}},       {ops::pow(x, y), 1, {result, 0}},    {ops::hypot(x, y), 0, {result, 0}}, {ops::fmax(x, y), 0, {result, 0}}, {ops::fmax(x, y), 1, {result, 0}},
      {ops::fma(x, y, x), 2, {}},        {ops::select(c, x, y), 1, {0}},      {ops::floor(x), 0, {}},          {ops::neg(x), 0, {}},          {ops::abs(x), 0, {0}},
      {ops::hermite(n, x), 1, {0, 1}},   {ops::fmod(x, y), 0, {}},            {ops::fmod(x, y), 1, {result, 0, 1}},
  };
  for (auto& k : cases) EXPECT_EQ(reads(*k.op.v->def, k.operand), k.expected) << k.op.v->def->kind->name << " by " << k.operand;
}
// A constant exponent needs the base alone, whatever was asked before.
TEST(Reads, KnowConstants) {
  Function f("f");
  Builder b{f};
  const X x = param(b, {DType::f64}, "x"), y = param(b, {DType::f64}, "y");
  const X one = ops::pow(x, like(x, 1)), square = ops::pow(x, like(x, 2)), open = ops::pow(x, y);
  EXPECT_EQ(reads(*open.v->def, 0), (std::vector<int>{0, 1}));
  EXPECT_EQ(reads(*square.v->def, 0), (std::vector<int>{0}));
  EXPECT_EQ(reads(*one.v->def, 0), (std::vector<int>{}));
}

}  // namespace
}  // namespace tlaloc::ir
