// SPDX-License-Identifier: Apache-2.0
//
// Magnitudes, extremes and what can be asked of a floating number. docs/conventions.md tells what the rules give at kinks.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {

FACTS(abs) {
  .name = "abs", .doc = "The magnitude of x, a real or a signed integer: std::fabs, std::abs.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> {
    if (!in(op, 0).real() && !is_signed(in(op, 0).dtype)) refuse(op, "needs a signed operand");
    return same_number(op);
  },
  .derivative = pointwise([](const Op&, X x, X) -> Partials {
    return {select(x > 0, like(x, 1), select(x < 0, like(x, -1), like(x, 0)))};
  }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    if (is_real(x[0].dtype)) return Number::of(x[0].dtype, std::fabs(x[0].real));
    return integer<1>([](auto i) { return i < 0 ? 0 - std::uint64_t(i) : std::uint64_t(i); })(op, x);
  },
  .cpp = "std::abs({x})",
  .stablehlo = "stablehlo.abs {x} : {type}",
  .effect = Effect::pure, .cost = 1,
};

namespace {
// Whole derivative to one operand: to a where it is the result, which is the choice of std::max and std::min in a tie and
// tells a NaN apart, too.
Partials chosen(X a, X y) {
  const X one = like(a, 1), none = like(a, 0), is_a = a == y;
  return {ops::select(is_a, one, none), ops::select(is_a, none, one)};
}
// What fmax and fmin give from `y`, which a NaN on either side makes a NaN.
X without_nan(X a, X b, X y) { return ops::select(a != a, b, ops::select(b != b, a, y)); }
}  // namespace

namespace {
// A tie is shared.
Partials shared(X a, X b, X y) {
  const X is_a = ops::select(a == y, like(a, 1), like(a, 0)), is_b = ops::select(b == y, like(a, 1), like(a, 0));
  const X half = ops::select(a == b, like(a, 0.5), like(a, 1));
  return {is_a * half, is_b * half};
}
}  // namespace

namespace {
/// A choice between two numbers of any type, each compared in its own signedness.
template <class F> constexpr Loops choice(F) {
  return {+[](const Op& op, std::span<const Number> x) -> Number { return is_real(x[0].dtype) ? mixed<Real, Real>(F{})(op, x) : integer<2>(F{})(op, x); }, real_loop<F, 2>};
}
}  // namespace

FACTS(maximum) {
  .name = "maximum", .doc = "The greater of a and b; NaN where either is. A tie shares the derivative.",
  .operands = {"a", "b"},
  .type = same_number,
  .expansion = EXPANDS(select(bit_or(x[0] != x[0], x[0] > x[1]), x[0], x[1])),
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return shared(a, b, y); }),
  .batching = elementwise,
  .kernel = choice([](auto a, auto b) { return a != a || a > b ? a : b; }),
  .cpp = by_expansion,
  .stablehlo = "stablehlo.maximum {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 2,
};

FACTS(minimum) {
  .name = "minimum", .doc = "The lesser of a and b; NaN where either is. A tie shares the derivative.",
  .operands = {"a", "b"},
  .type = same_number,
  .expansion = EXPANDS(select(bit_or(x[0] != x[0], x[0] < x[1]), x[0], x[1])),
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return shared(a, b, y); }),
  .batching = elementwise,
  .kernel = choice([](auto a, auto b) { return a != a || a < b ? a : b; }),
  .cpp = by_expansion,
  .stablehlo = "stablehlo.minimum {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 2,
};

FACTS(fmax) {
  .name = "fmax", .doc = "The greater of a and b; of a number and a NaN the number.",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(without_nan(x[0], x[1], ops::maximum(x[0], x[1]))),
  .derivative = pointwise([](const Op&, X a, X, X y) -> Partials { return chosen(a, y); }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::fmax(a, b); }),
  .cpp = "std::fmax({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 2,
};

FACTS(fmin) {
  .name = "fmin", .doc = "The lesser of a and b; of a number and a NaN the number.",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(without_nan(x[0], x[1], ops::minimum(x[0], x[1]))),
  .derivative = pointwise([](const Op&, X a, X, X y) -> Partials { return chosen(a, y); }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::fmin(a, b); }),
  .cpp = "std::fmin({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 2,
};

FACTS(fdim) {
  .name = "fdim", .doc = "a - b where that is positive, else 0.",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(select(x[0] <= x[1], like(x[0], 0), x[0] - x[1])),
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials {
    const X above = a > b;
    return {select(above, like(a, 1), like(a, 0)), select(above, like(a, -1), like(a, 0))};
  }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::fdim(a, b); }),
  .cpp = "std::fdim({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 3,
};

FACTS(copysign) {
  .name = "copysign", .doc = "The magnitude of a with the sign of b.",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(select(signbit(x[0]) == signbit(x[1]), x[0], -x[0])),
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials {
    return {select(signbit(a) == signbit(b), like(a, 1), like(a, -1)), like(b, 0)};
  }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::copysign(a, b); }),
  .cpp = "std::copysign({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1,
};

namespace {
double smallest_normal(DType d) {
  return d == DType::f64 ? std::numeric_limits<double>::min() : d == DType::f16 ? 0x1p-14 : std::numeric_limits<float>::min();
}
}  // namespace

// Questions about one or two reals.
#define ASKS_ONE(NAME, DOC, TO, HLO, EXPANSION)                                   \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"x"}, .type = real_to<TO>,            \
    .expansion = EXPANSION, .derivative = zero("piecewise constant"),             \
    .batching = elementwise,                                                      \
    .kernel = real<1>([](auto x) { return std::NAME(x); }),                       \
    .cpp = "std::" #NAME "({x})", .stablehlo = HLO, .effect = Effect::pure, .cost = 1, \
  }
#define ASKS_TWO(NAME, DOC, EXPANSION)                                            \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"a", "b"},                            \
    .type = real_to<DType::boolean>,                                              \
    .expansion = EXPANDS(EXPANSION),                                              \
    .derivative = zero("piecewise constant"),                                     \
    .batching = elementwise,                                                      \
    .kernel = real<2>([](auto a, auto b) { return std::NAME(a, b); }),            \
    .cpp = "std::" #NAME "({a}, {b})", .stablehlo = by_expansion, .effect = Effect::pure, .cost = 1, \
  }
ASKS_ONE(isnan, "Whether x is not a number.", DType::boolean, by_expansion, EXPANDS(x[0] != x[0]));
ASKS_ONE(isinf, "Whether x is infinite.", DType::boolean, by_expansion, EXPANDS(ops::abs(x[0]) == std::numeric_limits<double>::infinity()));
ASKS_ONE(isfinite, "Whether x is neither infinite nor NaN.", DType::boolean, "stablehlo.is_finite {x} : {signature}", {});
ASKS_ONE(isnormal, "Whether x is neither zero, subnormal, infinite nor NaN.", DType::boolean, by_expansion, EXPANDS(ops::bit_and(ops::isfinite(x[0]), ops::abs(x[0]) >= smallest_normal(x[0].type().dtype))));
ASKS_ONE(signbit, "Whether x has a minus sign.", DType::boolean, by_expansion, EXPANDS(ops::bit_or(x[0] < 0, ops::bit_and(x[0] == 0, 1 / x[0] < 0))));
ASKS_ONE(fpclassify, "One of FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL.", DType::i32, refused("the numbers of the classes are those of a C library"), {});
ASKS_TWO(isgreater, "a > b.", x[0] > x[1]);
ASKS_TWO(isgreaterequal, "a >= b.", x[0] >= x[1]);
ASKS_TWO(isless, "a < b.", x[0] < x[1]);
ASKS_TWO(islessequal, "a <= b.", x[0] <= x[1]);
ASKS_TWO(islessgreater, "a < b or a > b.", ops::bit_or(x[0] < x[1], x[0] > x[1]));
ASKS_TWO(isunordered, "Whether a or b is not a number.", ops::bit_or(x[0] != x[0], x[1] != x[1]));
#undef ASKS_ONE
#undef ASKS_TWO

}  // namespace tlaloc::ir
