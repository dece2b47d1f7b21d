// SPDX-License-Identifier: Apache-2.0
//
// Orthogonal polynomials and the Legendre functions made of them. Degree n and order m are unsigned integers. No rule divides
// by 1 - x^2, so that derivatives hold at both ends: legendre_derivative, which the standard library lacks, is an op of its own.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {
namespace {

X lower(X n) { return constant_of(n.v) ? n - 1 : except(n == 0, n - 1, 0); }      // n - 1; anything where n == 0
X zero_for_constants(X n, X x, const X& otherwise) {                              // of degree 0
  return constant_of(n.v) ? otherwise : ops::select(n == 0, like(x, 0), otherwise);
}
X scaled(X n, double factor, X x) {                                               // factor * n as a real
  if (auto* c = constant_of(n.v)) return like(x, factor * c->as_double());
  return factor * convert(n, x.type().dtype);
}

}  // namespace

FACTS(hermite) {
  .name = "hermite", .doc = "The Hermite polynomial of degree n (physicists').",
  .operands = {"n", "x"}, .integers = {{"n", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X x, X) -> Partials {
    return {{}, is_constant(n.v, 0) ? like(x, 0) : scaled(n, 2, x) * hermite(lower(n), x)};
  }),
  .batching = elementwise,
  .kernel = checked<unsigned, Real>([](unsigned n, auto x) { return std::hermite(n, x); }),
  .cpp = "std::hermite({n}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 40,
};

FACTS(laguerre) {
  .name = "laguerre", .doc = "The Laguerre polynomial of degree n.",
  .operands = {"n", "x"}, .integers = {{"n", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X x, X) -> Partials {
    return {{}, is_constant(n.v, 0) ? like(x, 0) : zero_for_constants(n, x, -assoc_laguerre(lower(n), like(n, 1), x))};
  }),
  .batching = elementwise,
  .kernel = checked<unsigned, Real>([](unsigned n, auto x) { return std::laguerre(n, x); }),
  .cpp = "std::laguerre({n}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 40,
};

FACTS(assoc_laguerre) {
  .name = "assoc_laguerre", .doc = "The associated Laguerre polynomial of degree n and order m.",
  .operands = {"n", "m", "x"}, .integers = {{"n", DType::u32}, {"m", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X m, X x, X) -> Partials {
    return {{}, {}, is_constant(n.v, 0) ? like(x, 0) : zero_for_constants(n, x, -assoc_laguerre(lower(n), m + 1, x))};
  }),
  .batching = elementwise,
  .kernel = checked<unsigned, unsigned, Real>([](unsigned n, unsigned m, auto x) { return std::assoc_laguerre(n, m, x); }),
  .cpp = "std::assoc_laguerre({n}, {m}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 40,
};

FACTS(legendre) {
  .name = "legendre", .doc = "The Legendre polynomial of degree n.",
  .operands = {"n", "x"}, .integers = {{"n", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X x, X) -> Partials {
    return {{}, is_constant(n.v, 0) ? like(x, 0) : legendre_derivative(n, like(n, 1), x)};
  }),
  .batching = elementwise,
  .kernel = checked<unsigned, Real>([](unsigned n, auto x) { return std::legendre(n, x); }),
  .cpp = "std::legendre({n}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 40,
};

HELPER(legendre_derivative, "The m-th derivative of the Legendre polynomial of degree n, by recurrence in n.",
template <class T> T legendre_derivative(unsigned n, unsigned m, T x) {
  if (m > n) return 0;
  T before = 0;
  T value = 1;
  for (unsigned i = 1; i <= m; ++i) value *= static_cast<T>(2 * i - 1);
  for (unsigned k = m + 1; k <= n; ++k) {
    const T next = (static_cast<T>(2 * k - 1) * x * value - static_cast<T>(k + m - 1) * before) / static_cast<T>(k - m);
    before = value;
    value = next;
  }
  return value;
});

FACTS(legendre_derivative) {
  .name = "legendre_derivative", .doc = "The m-th derivative of the Legendre polynomial of degree n.",
  .operands = {"n", "m", "x"}, .integers = {{"n", DType::u32}, {"m", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X m, X x, X) -> Partials { return {{}, {}, legendre_derivative(n, m + 1, x)}; }),
  .batching = elementwise,
  .kernel = mixed<unsigned, unsigned, Real>([](unsigned n, unsigned m, auto x) { return math::legendre_derivative(n, m, x); }),
  .cpp = "math::legendre_derivative({n}, {m}, {x})", .helper = &legendre_derivative_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 40,
};

FACTS(assoc_legendre) {
  .name = "assoc_legendre", .doc = "The associated Legendre function of degree n and order m, without the sign (-1)^m.",
  .operands = {"n", "m", "x"}, .integers = {{"n", DType::u32}, {"m", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X m, X x, X) -> Partials {                // of (1 - x^2)^(m / 2) times the m-th derivative of P_n
    const X next = legendre_derivative(n, m + 1, x);
    if (is_constant(m.v, 0)) return {{}, {}, next};
    const X s = (1 - x) * (1 + x), half = scaled(m, 0.5, x);
    return {{}, {}, pow(s, half) * next - 2 * x * (pow_by_base(s, half) * legendre_derivative(n, m, x))};
  }),
  .batching = elementwise,
  .kernel = checked<unsigned, unsigned, Real>([](unsigned n, unsigned m, auto x) { return std::assoc_legendre(n, m, x); }),
  .cpp = "std::assoc_legendre({n}, {m}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 60,
};

namespace {
// y[m]' = (sqrt((n - m)(n + m + 1)) y[m + 1] - sqrt((n + m)(n - m + 1)) y[m - 1]) / 2; y[-1] is -y[1], y[n + 1] is 0.
X spherical_by_angle(X n, X m, X theta) {
  const X l = scaled(n, 1, theta), k = scaled(m, 1, theta);
  const X up = ops::sqrt(ops::fmax((l - k) * (l + k + 1), like(theta, 0))), raised = up * ops::sph_legendre(n, m + 1, theta);
  if (is_constant(m.v, 0)) return raised;
  const X down = ops::sqrt(ops::fmax((l + k) * (l - k + 1), like(theta, 0)));
  if (constant_of(m.v)) return 0.5 * (raised - down * ops::sph_legendre(n, m - 1, theta));
  const X lowered = down * ops::sph_legendre(n, except(m == 0, m - 1, 1), theta);
  return 0.5 * (raised + ops::select(m == 0, lowered, -lowered));
}
}  // namespace

FACTS(sph_legendre) {
  .name = "sph_legendre", .doc = "The spherical associated Legendre function of degree n, order m and angle theta.",
  .operands = {"n", "m", "theta"}, .integers = {{"n", DType::u32}, {"m", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X m, X theta, X) -> Partials { return {{}, {}, spherical_by_angle(n, m, theta)}; }),
  .batching = elementwise,
  .kernel = checked<unsigned, unsigned, Real>([](unsigned n, unsigned m, auto theta) { return std::sph_legendre(n, m, theta); }),
  .cpp = "std::sph_legendre({n}, {m}, {theta})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 150,
};

}  // namespace tlaloc::ir
