// SPDX-License-Identifier: Apache-2.0
//
// Functions that models and distributions use and C++ does not name.
#include "ir/ops/rules.hpp"

#include <numbers>

namespace tlaloc::ir {

FACTS(rsqrt){
    .name = "rsqrt",
    .doc = "1 over the square root of x.",
    .operands = {"x"},
    .type = same_real,
    .expansion = EXPANDS(1 / sqrt(x[0])),
    .derivative = pointwise([](const Op&, X x, X y) -> Partials { return {-0.5 * (y / x)}; }),
    .batching = elementwise,
    .kernel = real<1>([](auto x) { return 1 / std::sqrt(x); }),
    .cpp = by_expansion,
    .stablehlo = "stablehlo.rsqrt {x} : {type}",
    .effect = Effect::pure,
    .cost = 12,
};

FACTS(logistic){
    .name = "logistic",
    .doc = "1 / (1 + exp(-x)).",
    .operands = {"x"},
    .type = same_real,
    .expansion = EXPANDS(1 / (1 + exp(-x[0]))),
    .derivative = pointwise([](const Op&, X, X y) -> Partials { return {y * (1 - y)}; }),
    .batching = elementwise,
    .kernel = real<1>([](auto x) { return 1 / (1 + std::exp(-x)); }),
    .cpp = by_expansion,
    .stablehlo = "stablehlo.logistic {x} : {type}",
    .effect = Effect::pure,
    .cost = 30,
};

namespace {
// Newton steps for erf(y) = x from the asymptotic form of Winitzki; the slope is known exactly.
// Near 1 the residual is that of erfc, which keeps its digits.
double inverse_erf(double x) {
  if (std::isnan(x) || std::fabs(x) > 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) == 1)
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  const double a = 0.147, l = std::log1p(-x * x), c = 2 / (std::numbers::pi * a) + l / 2;
  double y = std::copysign(std::sqrt(std::sqrt(c * c - l / a) - c), x);
  for (int i = 0; i < 4; ++i) {
    const double error =
        std::fabs(x) < 0.5 ? std::erf(y) - x
                           : std::copysign(1.0, x) * ((1 - std::fabs(x)) - std::erfc(std::fabs(y)));
    const double step = error / (2 * std::numbers::inv_sqrtpi * std::exp(-y * y));
    y -= step / (1 + y * step);
  }
  return y;
}
} // namespace

FACTS(erf_inv){
    .name = "erf_inv",
    .doc = "The y with erf(y) = x.",
    .operands = {"x"},
    .type = same_real,
    .derivative = pointwise([](const Op&, X, X y) -> Partials {
      return {1 / std::numbers::inv_sqrtpi / 2 * exp(y * y)};
    }),
    .batching = elementwise,
    .kernel = real<1>([](auto x) { return decltype(x)(inverse_erf(x)); }),
    .cpp = refused("C++ has no inverse of erf"),
    .stablehlo = "chlo.erf_inv {x} : {type} -> {type}",
    .effect = Effect::pure,
    .cost = 60,
};

FACTS(sign){
    .name = "sign",
    .doc = "-1, 0 or 1 as x is negative, zero or positive; NaN for NaN.",
    .operands = {"x"},
    .type = same_real,
    .expansion = EXPANDS(select(x[0] > 0, like(x[0], 1), select(x[0] < 0, like(x[0], -1), x[0]))),
    .derivative = zero("piecewise constant"),
    .batching = elementwise,
    .kernel = real<1>([](auto x) { return x > 0   ? decltype(x)(1)
                                          : x < 0 ? decltype(x)(-1)
                                                  : x; }),
    .cpp = by_expansion,
    .stablehlo = "stablehlo.sign {x} : {type}",
    .effect = Effect::pure,
    .cost = 2,
};

} // namespace tlaloc::ir
