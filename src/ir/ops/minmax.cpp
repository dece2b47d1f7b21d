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
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    if (is_real(x[0].dtype)) return Number::of(x[0].dtype, std::fabs(x[0].real));
    return integer<1>([](auto i) { return i < 0 ? 0 - std::uint64_t(i) : std::uint64_t(i); })(op, x);
  },
  .cpp = "std::abs({x})",
  .effect = Effect::pure, .cost = 1,
};

namespace {
// Whole derivative to one operand: to a where it is the result, which is the choice of std::max and std::min in a tie and
// tells a NaN apart, too.
Partials chosen(X a, X y) {
  const X one = like(a, 1), none = like(a, 0), is_a = a == y;
  return {ops::select(is_a, one, none), ops::select(is_a, none, one)};
}
}  // namespace

FACTS(fmax) {
  .name = "fmax", .doc = "The greater of a and b; of a number and a NaN the number.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X, X y) -> Partials { return chosen(a, y); }),
  .kernel = real<2>([](auto a, auto b) { return std::fmax(a, b); }),
  .cpp = "std::fmax({a}, {b})",
  .effect = Effect::pure, .cost = 2,
};

FACTS(fmin) {
  .name = "fmin", .doc = "The lesser of a and b; of a number and a NaN the number.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X, X y) -> Partials { return chosen(a, y); }),
  .kernel = real<2>([](auto a, auto b) { return std::fmin(a, b); }),
  .cpp = "std::fmin({a}, {b})",
  .effect = Effect::pure, .cost = 2,
};

FACTS(fdim) {
  .name = "fdim", .doc = "a - b where that is positive, else 0.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials {
    const X above = a > b;
    return {select(above, like(a, 1), like(a, 0)), select(above, like(a, -1), like(a, 0))};
  }),
  .kernel = real<2>([](auto a, auto b) { return std::fdim(a, b); }),
  .cpp = "std::fdim({a}, {b})",
  .effect = Effect::pure, .cost = 3,
};

FACTS(copysign) {
  .name = "copysign", .doc = "The magnitude of a with the sign of b.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials {
    return {select(signbit(a) == signbit(b), like(a, 1), like(a, -1)), like(b, 0)};
  }),
  .kernel = real<2>([](auto a, auto b) { return std::copysign(a, b); }),
  .cpp = "std::copysign({a}, {b})",
  .effect = Effect::pure, .cost = 1,
};

// Questions about one or two reals.
#define ASKS_ONE(NAME, DOC, TO)                                                   \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"x"}, .type = real_to<TO>,            \
    .derivative = zero("piecewise constant"),                                     \
    .kernel = real<1>([](auto x) { return std::NAME(x); }),                       \
    .cpp = "std::" #NAME "({x})", .effect = Effect::pure, .cost = 1,              \
  }
#define ASKS_TWO(NAME, DOC)                                                       \
  FACTS(NAME) {                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"a", "b"},                            \
    .type = real_to<DType::boolean>, .derivative = zero("piecewise constant"),    \
    .kernel = real<2>([](auto a, auto b) { return std::NAME(a, b); }),            \
    .cpp = "std::" #NAME "({a}, {b})", .effect = Effect::pure, .cost = 1,         \
  }
ASKS_ONE(isnan, "Whether x is not a number.", DType::boolean);
ASKS_ONE(isinf, "Whether x is infinite.", DType::boolean);
ASKS_ONE(isfinite, "Whether x is neither infinite nor NaN.", DType::boolean);
ASKS_ONE(isnormal, "Whether x is neither zero, subnormal, infinite nor NaN.", DType::boolean);
ASKS_ONE(signbit, "Whether x has a minus sign.", DType::boolean);
ASKS_ONE(fpclassify, "One of FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL and FP_NORMAL.", DType::i32);
ASKS_TWO(isgreater, "a > b.");
ASKS_TWO(isgreaterequal, "a >= b.");
ASKS_TWO(isless, "a < b.");
ASKS_TWO(islessequal, "a <= b.");
ASKS_TWO(islessgreater, "a < b or a > b.");
ASKS_TWO(isunordered, "Whether a or b is not a number.");
#undef ASKS_ONE
#undef ASKS_TWO

}  // namespace tlaloc::ir
