// SPDX-License-Identifier: Apache-2.0
//
// Bessel functions. The derivative by x is a recurrence in the order; by a real order there is no closed form, so that the
// order must be passive.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {
namespace {

constexpr std::string_view by_order = "the derivative of a Bessel function by its order has no closed form";

// f' = (f[nu - 1] + sign f[nu + 1]) / 2 = nu / x f + sign f[nu + 1]: J with sign -1, I with 1. The standard library takes no
// negative order, so below 1 the second form serves; from 1 on the first, which holds at x = 0 too.
X regular(const Signature<X, X>& f, double sign, X nu, X x, X y) {
  if (auto* n = constant_of(nu.v)) {
    const double c = n->as_double();
    const X next = f(like(x, c + 1), x);
    if (c >= 1) return 0.5 * (f(like(x, c - 1), x) + sign * next);
    return c == 0 ? sign * next : nu / x * y + sign * next;
  }
  const X below_one = nu < 1, next = sign * f(nu + 1, x);
  const X at_least_one = 0.5 * (f(except(below_one, nu - 1, 0), x) + next);
  const X harmless = except(ops::bit_or(nu == 0, nu >= 1), x, 1);
  return ops::select(below_one, nu / harmless * y + next, at_least_one);
}
// f' = nu / x f - f[nu + 1] for the solutions that are infinite at 0.
X singular(const Signature<X, X>& f, X nu, X x, X y) {
  const X next = f(nu + 1, x);
  return is_constant(nu.v, 0) ? -next : nu / x * y - next;
}
// f' = (n f[n - 1] - (n + 1) f[n + 1]) / (2 n + 1); n is u32, and the first term vanishes for n = 0.
X spherical(const Signature<X, X>& f, X n, X x) {
  if (is_constant(n.v, 0)) return -f(n + 1, x);
  const DType d = x.type().dtype;
  if (auto* c = constant_of(n.v)) {
    const double k = c->as_double();
    return (k * f(n - 1, x) - (k + 1) * f(n + 1, x)) / (2 * k + 1);
  }
  const X k = convert(n, d);
  return (k * f(except(n == 0, n - 1, 0), x) - (k + 1) * f(n + 1, x)) / (2 * k + 1);
}

}  // namespace

FACTS(cyl_bessel_j) {
  .name = "cyl_bessel_j", .doc = "The Bessel function of the first kind of order nu.",
  .operands = {"nu", "x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X nu, X x, X y) -> Partials { return {{}, regular(cyl_bessel_j, -1, nu, x, y)}; }),
  .passive = {{"nu", by_order}},
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto nu, auto x) { return std::cyl_bessel_j(nu, x); }),
  .cpp = "std::cyl_bessel_j({nu}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

FACTS(cyl_bessel_i) {
  .name = "cyl_bessel_i", .doc = "The modified Bessel function of the first kind of order nu.",
  .operands = {"nu", "x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X nu, X x, X y) -> Partials { return {{}, regular(cyl_bessel_i, 1, nu, x, y)}; }),
  .passive = {{"nu", by_order}},
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto nu, auto x) { return std::cyl_bessel_i(nu, x); }),
  .cpp = "std::cyl_bessel_i({nu}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

FACTS(cyl_bessel_k) {
  .name = "cyl_bessel_k", .doc = "The modified Bessel function of the second kind of order nu.",
  .operands = {"nu", "x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X nu, X x, X y) -> Partials { return {{}, singular(cyl_bessel_k, nu, x, y)}; }),
  .passive = {{"nu", by_order}},
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto nu, auto x) { return std::cyl_bessel_k(nu, x); }),
  .cpp = "std::cyl_bessel_k({nu}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

FACTS(cyl_neumann) {
  .name = "cyl_neumann", .doc = "The Bessel function of the second kind of order nu.",
  .operands = {"nu", "x"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X nu, X x, X y) -> Partials { return {{}, singular(cyl_neumann, nu, x, y)}; }),
  .passive = {{"nu", by_order}},
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto nu, auto x) { return std::cyl_neumann(nu, x); }),
  .cpp = "std::cyl_neumann({nu}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

FACTS(sph_bessel) {
  .name = "sph_bessel", .doc = "The spherical Bessel function of order n.",
  .operands = {"n", "x"}, .integers = {{"n", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X x, X) -> Partials { return {{}, spherical(sph_bessel, n, x)}; }),
  .batching = elementwise,
  .kernel = checked<unsigned, Real>([](unsigned n, auto x) { return std::sph_bessel(n, x); }),
  .cpp = "std::sph_bessel({n}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

FACTS(sph_neumann) {
  .name = "sph_neumann", .doc = "The spherical Neumann function of order n.",
  .operands = {"n", "x"}, .integers = {{"n", DType::u32}},
  .type = same_real,
  .derivative = pointwise([](const Op&, X n, X x, X) -> Partials { return {{}, spherical(sph_neumann, n, x)}; }),
  .batching = elementwise,
  .kernel = checked<unsigned, Real>([](unsigned n, auto x) { return std::sph_neumann(n, x); }),
  .cpp = "std::sph_neumann({n}, {x})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 400,
};

}  // namespace tlaloc::ir
