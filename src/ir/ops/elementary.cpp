// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions of one or two reals.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {

FACTS(exp) {
  .name = "exp", .doc = "e to the power x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {y}; }),
  .kernel = real<1>([](auto x) { return std::exp(x); }),
  .cpp = "std::exp({x})",
  .effect = Effect::pure, .cost = 20,
};

FACTS(log) {
  .name = "log", .doc = "Natural logarithm of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / x}; }),
  .kernel = real<1>([](auto x) { return std::log(x); }),
  .cpp = "std::log({x})",
  .effect = Effect::pure, .cost = 20,
};

FACTS(sqrt) {
  .name = "sqrt", .doc = "Square root of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {0.5 / y}; }),
  .kernel = real<1>([](auto x) { return std::sqrt(x); }),
  .cpp = "std::sqrt({x})",
  .effect = Effect::pure, .cost = 10,
};

FACTS(sin) {
  .name = "sin", .doc = "Sine of x radians.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {cos(x)}; }),
  .kernel = real<1>([](auto x) { return std::sin(x); }),
  .cpp = "std::sin({x})",
  .effect = Effect::pure, .cost = 25,
};

FACTS(cos) {
  .name = "cos", .doc = "Cosine of x radians.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {-sin(x)}; }),
  .kernel = real<1>([](auto x) { return std::cos(x); }),
  .cpp = "std::cos({x})",
  .effect = Effect::pure, .cost = 25,
};

FACTS(tanh) {
  .name = "tanh", .doc = "Hyperbolic tangent of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {1 - y * y}; }),
  .kernel = real<1>([](auto x) { return std::tanh(x); }),
  .cpp = "std::tanh({x})",
  .effect = Effect::pure, .cost = 30,
};

FACTS(pow) {
  .name = "pow", .doc = "a to the power b.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials { return {b * pow(a, b - 1), log(a) * y}; }),
  .kernel = real<2>([](auto a, auto b) { return std::pow(a, b); }),
  .cpp = "std::pow({a}, {b})",
  .effect = Effect::pure, .cost = 40,
};

}  // namespace tlaloc::ir
