// SPDX-License-Identifier: Apache-2.0
//
// The error function, the gamma function and its relatives. The standard library lacks the logarithmic derivatives of gamma,
// digamma and polygamma; they are ops of their own and closed under differentiation.
#include "ir/ops/rules.hpp"

#include <numbers>

namespace tlaloc::ir {

FACTS(erf) {
  .name = "erf", .doc = "The error function of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {2 * std::numbers::inv_sqrtpi * exp(-(x * x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::erf(x); }),
  .cpp = "std::erf({x})",
  .stablehlo = "chlo.erf {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(erfc) {
  .name = "erfc", .doc = "1 - erf(x), accurate for large x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {-2 * std::numbers::inv_sqrtpi * exp(-(x * x))}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::erfc(x); }),
  .cpp = "std::erfc({x})",
  .stablehlo = "chlo.erfc {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 30,
};

FACTS(tgamma) {
  .name = "tgamma", .doc = "The gamma function of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X y) -> Partials { return {y * digamma(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::tgamma(x); }),
  .cpp = "std::tgamma({x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 60,
};

FACTS(lgamma) {
  .name = "lgamma", .doc = "The logarithm of the magnitude of the gamma function of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {digamma(x)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return std::lgamma(x); }),
  .cpp = "std::lgamma({x})",
  .stablehlo = "chlo.lgamma {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 50,
};

// Three pieces: reflection below 0, the Taylor series at the root (in two parts, so that the result keeps its relative
// accuracy there), else recurrence up to 10 and the asymptotic series.
HELPER(digamma, "Logarithmic derivative of the gamma function; NaN at its poles 0, -1, -2, ...",
inline double digamma(double x) {
  constexpr double pi = 3.141592653589793;
  constexpr double root = 1.4616321449683622, root_rest = 9.549995429965697e-17;
  constexpr double taylor[] = {
      0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652, 0.10782405069126237,
      -0.07219956125645471, 0.04880428816414311, -0.03316112647484736, 0.022597648232218104, -0.01542476590494896,
      0.010538791616612175, -0.007204534386356869, 0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
      -0.0015769367714301972, 0.0010788252019162967};
  constexpr double asymptotic[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12, -3617.0 / 8160};
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  if (x < 0) {
    sum = -pi / std::tan(pi * (x - std::round(x)));
    x = 1 - x;
  }
  if (std::fabs(x - root) < 0.17) {
    const double h = (x - root) - root_rest;
    double series = 0;
    for (int k = 16; k >= 0; --k) series = series * h + taylor[k];
    return sum + series * h;
  }
  for (; x < 10; x += 1) sum -= 1 / x;
  const double r = 1 / (x * x);
  double series = 0;
  for (int k = 7; k >= 0; --k) series = (series + asymptotic[k]) * r;
  return sum + std::log(x) - 0.5 / x - series;
}
inline float digamma(float x) { return static_cast<float>(digamma(static_cast<double>(x))); }
);

FACTS(digamma) {
  .name = "digamma", .doc = "The logarithmic derivative of the gamma function at x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {polygamma(x, 1)}; }),
  .batching = elementwise,
  .kernel = real<1>([](auto x) { return math::digamma(x); }),
  .cpp = "math::digamma({x})", .helper = &digamma_helper,
  .stablehlo = "chlo.digamma {x} : {type} -> {type}",
  .effect = Effect::pure, .cost = 80,
};

// Below 0 reflection, with the n-th derivative of the cotangent as a polynomial in the cotangent; else n! times the Hurwitz
// zeta function of n + 1 by recurrence and the Euler-Maclaurin sum. m! / y^(m + 1) is a product of moderate factors, because
// the factorial and the power overflow long before their quotient.
HELPER(polygamma, "The n-th derivative of digamma, n from 1 to 100; at poles infinity for odd n, else NaN.",
inline double polygamma(int n, double x) {
  constexpr double pi = 3.141592653589793;
  constexpr double bernoulli[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000.0,
                                  1.0 / 74724249600.0, -3617.0 / 10670622842880000.0};
  const double sign = n % 2 == 1 ? 1 : -1;
  if (x <= 0 && x == std::floor(x)) {
    if (n % 2 == 0) return std::numeric_limits<double>::quiet_NaN();
    return std::numeric_limits<double>::infinity();
  }
  if (x < 0) {
    const double cotangent = 1 / std::tan(pi * (x - std::round(x)));
    double p[103] = {0, pi};
    for (int k = 1; k <= n; ++k) {
      double slope[103] = {};
      for (int i = 1; i <= k; ++i) slope[i - 1] = -pi * i * p[i];
      for (int i = 0; i <= k + 1; ++i) p[i] = slope[i] + (i >= 2 ? slope[i - 2] : 0);
    }
    double derivative = 0;
    for (int i = n + 1; i >= 0; --i) derivative = derivative * cotangent + p[i];
    return -sign * polygamma(n, 1 - x) - derivative;
  }
  double sum = 0;
  const auto term = [](int m, double y) {
    double t = 1 / y;
    for (int i = 1; i <= m; ++i) t *= i / y;
    return t;
  };
  for (; x < n + 15; x += 1) sum += term(n, x);
  double series = 0.5;
  double factor = (n + 1) / x;
  for (int k = 0; k < 8; ++k) {
    series += bernoulli[k] * factor;
    factor *= (n + 2 * k + 2) / x * ((n + 2 * k + 3) / x);
  }
  return sign * (sum + term(n - 1, x) * (1 + n / x * series));
}
inline float polygamma(int n, float x) { return static_cast<float>(polygamma(n, static_cast<double>(x))); }
);

FACTS(polygamma) {
  .name = "polygamma", .doc = "The derivative of digamma at x, `order` times from 1 to 100.",
  .operands = {"x"}, .attrs = {key::order},
  .type = [](const Op& op) -> std::vector<Type> {
    if (op.at(key::order) < 1 || op.at(key::order) > 100) refuse(op, "the order must lie within 1 and 100");
    return same_real(op);
  },
  .derivative = pointwise([](const Op& op, X x, X) -> Partials { return {polygamma(x, op.at(key::order) + 1)}; }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number> x) -> Number {
    return Number::of(x[0].dtype, math::polygamma(int(op.at(key::order)), x[0].real));
  },
  .cpp = "math::polygamma({order}, {x})", .helper = &polygamma_helper,
  .stablehlo = "{0} = stablehlo.constant dense<{order}.0> : {type}\n{result} = chlo.polygamma {0}, {x} : {type}, {type} -> {type}",
  .effect = Effect::pure, .cost = 200,
};

FACTS(beta) {
  .name = "beta", .doc = "The beta function: gamma(a) gamma(b) / gamma(a + b).",
  .operands = {"a", "b"},
  .type = same_real,
  .expansion = EXPANDS(exp(lgamma(x[0]) + lgamma(x[1]) - lgamma(x[0] + x[1]))),
  .derivative = pointwise([](const Op&, X a, X b, X y) -> Partials {
    const X both = digamma(a + b);
    return {y * (digamma(a) - both), y * (digamma(b) - both)};
  }),
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto a, auto b) { return std::beta(a, b); }),
  .cpp = "std::beta({a}, {b})",
  .stablehlo = by_expansion,
  .effect = Effect::guarded, .cost = 150,
};

FACTS(expint) {
  .name = "expint", .doc = "The exponential integral Ei(x).",
  .operands = {"x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X x, X) -> Partials { return {exp(x) / x}; }),
  .batching = elementwise,
  .kernel = checked<Real>([](auto x) { return std::expint(x); }),
  .cpp = "std::expint({x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 100,
};

FACTS(riemann_zeta) {
  .name = "riemann_zeta", .doc = "The Riemann zeta function of x.",
  .operands = {"x"},
  .type = same_real,
  .derivative = refused("the derivative of the Riemann zeta function has no closed form"),
  .batching = elementwise,
  .kernel = checked<Real>([](auto x) { return std::riemann_zeta(x); }),
  .cpp = "std::riemann_zeta({x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 300,
};

}  // namespace tlaloc::ir
