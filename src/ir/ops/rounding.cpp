// SPDX-License-Identifier: Apache-2.0
//
// Rounding, remainders and the parts of a floating number. Functions with two results are not ops: a front end builds
//   frexp(x, &e)      from frexp_significand(x) and frexp_exponent(x),
//   modf(x, &i)       from modf_fraction(x) and trunc(x),
//   remquo(a, b, &q)  from remainder(a, b) and remquo_quotient(a, b).
// modf and frexp keep x's sign and infinities, which x - trunc(x) would not.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {

// Functions of one real whose result does not move with x: TYPE is the rule for the result's type.
#define STEP(NAME, DOC, TYPE, HLO, EXPANSION)                                     \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"x"}, .type = TYPE,                   \
    .expansion = EXPANSION, .derivative = zero("piecewise constant"),             \
    .batching = elementwise,                                                      \
    .kernel = real<1>([](auto x) { return std::NAME(x); }),                       \
    .cpp = "std::" #NAME "({x})", .stablehlo = HLO, .effect = Effect::pure, .cost = 4, \
  }
STEP(floor, "x rounded down.", same_real, "stablehlo.floor {x} : {type}", {});
STEP(ceil, "x rounded up.", same_real, "stablehlo.ceil {x} : {type}", {});
STEP(trunc, "x rounded towards zero.", same_real, by_expansion, EXPANDS(ops::select(x[0] < 0, ops::ceil(x[0]), ops::floor(x[0]))));
STEP(round, "x rounded to the nearest integer, halves away from zero.", same_real, "stablehlo.round_nearest_afz {x} : {type}", {});
STEP(nearbyint, "x rounded in the current direction (to nearest even by default).", same_real, "stablehlo.round_nearest_even {x} : {type}", {});
STEP(rint, "Like nearbyint; may raise the inexact flag.", same_real, "stablehlo.round_nearest_even {x} : {type}", {});
STEP(lround, "round(x) as a long.", real_to<DType::i64>, by_expansion, EXPANDS(ops::cast(ops::round(x[0]), DType::i64)));
STEP(llround, "round(x) as a long long.", real_to<DType::i64>, by_expansion, EXPANDS(ops::cast(ops::round(x[0]), DType::i64)));
STEP(lrint, "rint(x) as a long.", real_to<DType::i64>, by_expansion, EXPANDS(ops::cast(ops::rint(x[0]), DType::i64)));
STEP(llrint, "rint(x) as a long long.", real_to<DType::i64>, by_expansion, EXPANDS(ops::cast(ops::rint(x[0]), DType::i64)));
STEP(logb, "The binary exponent of x, as a real.", same_real, refused("StableHLO has no such function"), {});
STEP(ilogb, "The binary exponent of x, as an int.", real_to<DType::i32>, refused("StableHLO has no such function"), {});
#undef STEP

namespace {
// A remainder is a - q * b, where q does not move. (y - a) / b is -q but for rounding, also where a / b would round to the next integer.
X minus_quotient(X a, X b, X y) { return ops::round((y - a) / b); }
}  // namespace

FACTS(fmod) {
  .name = "fmod", .doc = "a - trunc(a / b) * b, exact.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return {like(a, 1), minus_quotient(a, b, y)}; }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::fmod(a, b); }),
  .cpp = "std::fmod({a}, {b})",
  .stablehlo = "stablehlo.remainder {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 20,
};

FACTS(remainder) {
  .name = "remainder", .doc = "a - q * b, exact, where q is a / b rounded to nearest even.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return {like(a, 1), minus_quotient(a, b, y)}; }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::remainder(a, b); }),
  .cpp = "std::remainder({a}, {b})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 20,
};

HELPER(remquo_quotient, "Sign and low bits of the quotient, which std::remquo stores.",
template <class T> int remquo_quotient(T a, T b) {
  int quotient = 0;
  std::remquo(a, b, &quotient);
  return quotient;
});
HELPER(frexp_significand, "What std::frexp returns.",
template <class T> T frexp_significand(T x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
});
HELPER(frexp_exponent, "What std::frexp stores.",
template <class T> int frexp_exponent(T x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent;
});
HELPER(modf_fraction, "What std::modf returns.",
template <class T> T modf_fraction(T x) {
  T whole = 0;
  return std::modf(x, &whole);
});

FACTS(remquo_quotient) {
  .name = "remquo_quotient", .doc = "Sign and low bits of the quotient that remquo stores.",
  .operands = {"a", "b"},
  .type = real_to<DType::i32>,
  .derivative = zero("piecewise constant"),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return math::remquo_quotient(a, b); }),
  .cpp = "math::remquo_quotient({a}, {b})", .helper = &remquo_quotient_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 20,
};

FACTS(frexp_significand) {
  .name = "frexp_significand", .doc = "x scaled by a power of two to lie within 0.5 and 1.",
  .operands = {"x"},
  .type = same_real,
  // The scale is a power of two that does not move with x.
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {ldexp(like(x, 1), -frexp_exponent(x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return math::frexp_significand(x); }),
  .cpp = "math::frexp_significand({x})", .helper = &frexp_significand_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(frexp_exponent) {
  .name = "frexp_exponent", .doc = "The exponent of two by which frexp_significand scales.",
  .operands = {"x"},
  .type = real_to<DType::i32>,
  .derivative = zero("piecewise constant"),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return math::frexp_exponent(x); }),
  .cpp = "math::frexp_exponent({x})", .helper = &frexp_exponent_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(modf_fraction) {
  .name = "modf_fraction", .doc = "x - trunc(x), with the sign of x; zero for infinities.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {like(x, 1)}; }),   // not linear: it jumps
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return math::modf_fraction(x); }),
  .cpp = "math::modf_fraction({x})", .helper = &modf_fraction_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(ldexp) {
  .name = "ldexp", .doc = "x times two to the power n.",
  .operands = {"x", "n"}, .integers = {{"n", DType::i32}},
  .type = same_real,
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> { return {ldexp(d, in[1]), {}}; }),
  .batching = elementwise,
  .kernel = mixed<Real, int>([](auto x, int n) { return std::ldexp(x, n); }),
  .cpp = "std::ldexp({x}, {n})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(scalbn) {
  .name = "scalbn", .doc = "x times two to the power n.",
  .operands = {"x", "n"}, .integers = {{"n", DType::i32}},
  .type = same_real,
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> { return {scalbn(d, in[1]), {}}; }),
  .batching = elementwise,
  .kernel = mixed<Real, int>([](auto x, int n) { return std::scalbn(x, n); }),
  .cpp = "std::scalbn({x}, {n})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(scalbln) {
  .name = "scalbln", .doc = "x times two to the power n, a long.",
  .operands = {"x", "n"}, .integers = {{"n", DType::i64}},
  .type = same_real,
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> { return {scalbln(d, in[1]), {}}; }),
  .batching = elementwise,
  .kernel = mixed<Real, long>([](auto x, long n) { return std::scalbln(x, n); }),
  .cpp = "std::scalbln({x}, {n})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 5,
};

FACTS(nextafter) {
  .name = "nextafter", .doc = "The number next to a in the direction of b.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials { return {like(a, 1), like(b, 0)}; }),   // a, but for one rounding step
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::nextafter(a, b); }),
  .cpp = "std::nextafter({a}, {b})",
  .stablehlo = "chlo.next_after {a}, {b} : {type}, {type} -> {type}",
  .effect = Effect::pure, .cost = 5,
};

}  // namespace tlaloc::ir
