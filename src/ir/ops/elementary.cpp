// SPDX-License-Identifier: Apache-2.0
//
// Powers, exponentials, logarithms, roots and what C counts among them. docs/conventions.md tells what the rules give at
// edges and kinks.
#include "ir/ops/rules.hpp"

#include <numbers>

namespace tlaloc::ir {

X except(X condition, X x, double c) { return ops::select(condition, like(x, c), x); }

X pow_by_base(X a, X b) {
  if (auto* n = splat_of(b.v)) {
    const double c = n->as_double();
    if (c == 0) return like(a, 0);
    if (c == 1) return like(a, 1);
    if (c == 2) return 2 * a;
    if (c == 3) return 3 * (a * a);
    if (c == 0.5) return 0.5 / ops::sqrt(a);
    if (c == -1) return -1 / (a * a);
    return c * ops::pow(a, like(b, c - 1));
  }
  // 0 * pow(0, -1) would be NaN; elsewhere b == 0 needs no care, and must get none: the derivative by b passes through here.
  return b * ops::pow(except(ops::bit_and(a == 0, b == 0), a, 1), b - 1);
}
namespace {
X pow_by_exponent(X a, X y) {
  auto* n = splat_of(a.v);
  const bool may_be_zero = !n || n->as_double() == 0;
  return ops::log(may_be_zero ? except(a == 0, a, 1) : a) * y;        // 0 at a == 0, b > 0
}
// The root of the sum of squares, scaled by the largest so that nothing overflows.
X scaled_root(std::span<const X> x) {
  X most = ops::abs(x[0]);
  for (X other : x.subspan(1)) most = ops::maximum(most, ops::abs(other));
  const X scale = except(ops::bit_or(most == 0, ops::isinf(most)), most, 1);
  X sum = (x[0] / scale) * (x[0] / scale);
  for (X other : x.subspan(1)) sum = sum + (other / scale) * (other / scale);
  return ops::sqrt(sum) * scale;
}
}  // namespace

FACTS(exp) {
  .name = "exp", .doc = "e to the power x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {y}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::exp(x); }),
  .cpp = "std::exp({x})",
  .stablehlo = "stablehlo.exponential {x} : {type}",
  .effect = Effect::pure, .cost = 20,
};

FACTS(exp2) {
  .name = "exp2", .doc = "2 to the power x.",
  .operands = {"x"},
  .type = same_real,
  .expansion = EXPANDS(exp(x[0] * std::numbers::ln2)),
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {y * std::numbers::ln2}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::exp2(x); }),
  .cpp = "std::exp2({x})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 20,
};

FACTS(expm1) {
  .name = "expm1", .doc = "e to the power x, less 1, accurate near 0.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {exp(x)}; }),      // y + 1 has no digits left for x << 0
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::expm1(x); }),
  .cpp = "std::expm1({x})",
  .stablehlo = "stablehlo.exponential_minus_one {x} : {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(log) {
  .name = "log", .doc = "Natural logarithm of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / x}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::log(x); }),
  .cpp = "std::log({x})",
  .stablehlo = "stablehlo.log {x} : {type}",
  .effect = Effect::pure, .cost = 20,
};

FACTS(log2) {
  .name = "log2", .doc = "Logarithm of x to the base 2.",
  .operands = {"x"},
  .type = same_real,
  .expansion = EXPANDS(log(x[0]) / std::numbers::ln2),
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / (x * std::numbers::ln2)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::log2(x); }),
  .cpp = "std::log2({x})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 20,
};

FACTS(log10) {
  .name = "log10", .doc = "Logarithm of x to the base 10.",
  .operands = {"x"},
  .type = same_real,
  .expansion = EXPANDS(log(x[0]) / std::numbers::ln10),
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / (x * std::numbers::ln10)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::log10(x); }),
  .cpp = "std::log10({x})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 20,
};

FACTS(log1p) {
  .name = "log1p", .doc = "Natural logarithm of 1 + x, accurate near 0.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / (1 + x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::log1p(x); }),
  .cpp = "std::log1p({x})",
  .stablehlo = "stablehlo.log_plus_one {x} : {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(sqrt) {
  .name = "sqrt", .doc = "Square root of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {0.5 * (1 / y)}; }),     // the same bits, and a division by the root shares 1 / y
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::sqrt(x); }),
  .cpp = "std::sqrt({x})",
  .stablehlo = "stablehlo.sqrt {x} : {type}",
  .effect = Effect::pure, .cost = 10,
};

FACTS(cbrt) {
  .name = "cbrt", .doc = "Cube root of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {1 / (3 * (y * y))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::cbrt(x); }),
  .cpp = "std::cbrt({x})",
  .stablehlo = "stablehlo.cbrt {x} : {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(pow) {
  .name = "pow", .doc = "a to the power b.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return {pow_by_base(a, b), pow_by_exponent(a, y)}; }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::pow(a, b); }),
  .cpp = "std::pow({a}, {b})",
  .stablehlo = "stablehlo.power {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 40,
};

FACTS(hypot) {
  .name = "hypot", .doc = "Square root of a * a + b * b without overflow.",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(scaled_root(x)),
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials {
    const X d = except(y == 0, y, 1);                                 // 0 at the origin
    return {a / d, b / d};
  }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::hypot(a, b); }),
  .cpp = "std::hypot({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 20,
};

FACTS(hypot3) {
  .name = "hypot3", .doc = "Square root of a * a + b * b + c * c without overflow: std::hypot of three.",
  .operands = {"a", "b", "c"},
  .type = same_real,
  .expansion = EXPANDS(scaled_root(x)),
  .derivative = pointwise([](const Op&, X a, X b, X c, X y) -> Partials {
    const X d = except(y == 0, y, 1);
    return {a / d, b / d, c / d};
  }),
  .batching = elementwise,
  .kernel = real<3>([](auto a, auto b, auto c) { return std::hypot(a, b, c); }),
  .cpp = "std::hypot({a}, {b}, {c})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 25,
};

FACTS(fma) {
  .name = "fma", .doc = "a * b + c, rounded once.",
  .operands = {"a", "b", "c"},
  .type = same_real,
  .expansion = EXPANDS(x[0] * x[1] + x[2]),
  .derivative = pointwise([](const Op&, X a, X b, X c, X) -> Partials { return {b, a, like(c, 1)}; }),
  .batching = elementwise,
  .kernel = real<3>([](auto a, auto b, auto c) { return std::fma(a, b, c); }),
  .cpp = "std::fma({a}, {b}, {c})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 2,
};

FACTS(lerp) {
  .name = "lerp", .doc = "a + t * (b - a), exact at both ends.",
  .operands = {"a", "b", "t"},
  .type = same_real,
  .expansion = EXPANDS(x[0] + x[2] * (x[1] - x[0])),
  .derivative = pointwise([](const Op&, X a, X b, X t, X) -> Partials { return {1 - t, t, b - a}; }),
  .batching = elementwise,
  .kernel = real<3>([](auto a, auto b, auto t) { return std::lerp(a, b, t); }),
  .cpp = "std::lerp({a}, {b}, {t})",
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 6,
};

}  // namespace tlaloc::ir
