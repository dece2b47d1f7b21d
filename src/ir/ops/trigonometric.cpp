// SPDX-License-Identifier: Apache-2.0
//
// Circular and hyperbolic functions and their inverses. 1 - x * x is written (1 - x) * (1 + x), which keeps its digits near 1.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {

FACTS(sin) {
  .name = "sin", .doc = "Sine of x radians.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {cos(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::sin(x); }),
  .cpp = "std::sin({x})",
  .stablehlo = "stablehlo.sine {x} : {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(cos) {
  .name = "cos", .doc = "Cosine of x radians.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {-sin(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::cos(x); }),
  .cpp = "std::cos({x})",
  .stablehlo = "stablehlo.cosine {x} : {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(tan) {
  .name = "tan", .doc = "Tangent of x radians.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {1 + y * y}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::tan(x); }),
  .cpp = "std::tan({x})",
  .stablehlo = "stablehlo.tan {x} : {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(asin) {
  .name = "asin", .doc = "Inverse sine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / sqrt((1 - x) * (1 + x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::asin(x); }),
  .cpp = "std::asin({x})",
  .stablehlo = "chlo.asin {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(acos) {
  .name = "acos", .doc = "Inverse cosine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {-1 / sqrt((1 - x) * (1 + x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::acos(x); }),
  .cpp = "std::acos({x})",
  .stablehlo = "chlo.acos {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(atan) {
  .name = "atan", .doc = "Inverse tangent of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / (1 + x * x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::atan(x); }),
  .cpp = "std::atan({x})",
  .stablehlo = "chlo.atan {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 25,
};

FACTS(atan2) {
  .name = "atan2", .doc = "The angle of the point (a, b) from the b axis: the inverse tangent of a / b in the right quadrant.",
  .operands = {"a", "b"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X a, X b, X) -> Partials {
    const X r2 = a * a + b * b;
    return {b / r2, -(a / r2)};
  }),
  .batching = elementwise,
  .kernel = real<2>([](auto a, auto b) { return std::atan2(a, b); }),
  .cpp = "std::atan2({a}, {b})",
  .stablehlo = "stablehlo.atan2 {a}, {b} : {type}",
  .effect = Effect::pure, .cost = 35,
};

FACTS(sinh) {
  .name = "sinh", .doc = "Hyperbolic sine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {cosh(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::sinh(x); }),
  .cpp = "std::sinh({x})",
  .stablehlo = "chlo.sinh {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(cosh) {
  .name = "cosh", .doc = "Hyperbolic cosine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {sinh(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::cosh(x); }),
  .cpp = "std::cosh({x})",
  .stablehlo = "chlo.cosh {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(tanh) {
  .name = "tanh", .doc = "Hyperbolic tangent of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X, X y) -> Partials { return {1 - y * y}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::tanh(x); }),
  .cpp = "std::tanh({x})",
  .stablehlo = "stablehlo.tanh {x} : {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(asinh) {
  .name = "asinh", .doc = "Inverse hyperbolic sine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / sqrt(x * x + 1)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::asinh(x); }),
  .cpp = "std::asinh({x})",
  .stablehlo = "chlo.asinh {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 35,
};

FACTS(acosh) {
  .name = "acosh", .doc = "Inverse hyperbolic cosine of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / sqrt((x - 1) * (x + 1))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::acosh(x); }),
  .cpp = "std::acosh({x})",
  .stablehlo = "chlo.acosh {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 35,
};

FACTS(atanh) {
  .name = "atanh", .doc = "Inverse hyperbolic tangent of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {1 / ((1 - x) * (1 + x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::atanh(x); }),
  .cpp = "std::atanh({x})",
  .stablehlo = "chlo.atanh {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 35,
};

}  // namespace tlaloc::ir
