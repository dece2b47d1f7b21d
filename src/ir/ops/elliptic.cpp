// SPDX-License-Identifier: Apache-2.0
//
// Legendre's elliptic integrals, with the arguments of the standard library: modulus k, characteristic nu, angle phi.
// Derivatives by k go through D = (F - E) / k^2, which the standard library lacks: as an op of its own, computed without that
// cancellation, it keeps all digits down to k = 0. By nu, and by k of the third kind, the closed forms divide by nu - k^2:
// they are NaN where nu == k * k and lose digits near it.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {
namespace {

X delta(X m, X sine) { return ops::sqrt(1 - m * (sine * sine)); }

// The two derivatives of the third kind, given the first (f) and second (e); `by_k_rest` and `by_nu_rest` vanish for the complete one.
X third_by_k(X k, X nu, X e, X pi, X rest) {
  const X m = k * k;
  X inner = e / (m - 1) + pi;
  if (rest) inner = inner - rest;
  return k / (nu - m) * inner;
}
X third_by_nu(X k, X nu, X f, X e, X d, X pi, X rest) {
  const X m = k * k;
  X inner = e + ((m - nu) * f + (nu * nu - m) * pi) / nu;
  if (rest) inner = inner - rest;
  return ops::select(nu == 0, d, inner / (2 * ((m - nu) * (nu - 1))));
}

}  // namespace

FACTS(comp_ellint_1) {
  .name = "comp_ellint_1", .doc = "The complete elliptic integral of the first kind, K(k).",
  .operands = {"k"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X y) -> Partials { return {k * (y - comp_ellint_d(k)) / ((1 - k) * (1 + k))}; }),
  .batching = elementwise,
  .kernel = checked<Real>([](auto k) { return std::comp_ellint_1(k); }),
  .cpp = "std::comp_ellint_1({k})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 100,
};

FACTS(comp_ellint_2) {
  .name = "comp_ellint_2", .doc = "The complete elliptic integral of the second kind, E(k).",
  .operands = {"k"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X) -> Partials { return {-(k * comp_ellint_d(k))}; }),
  .batching = elementwise,
  .kernel = checked<Real>([](auto k) { return std::comp_ellint_2(k); }),
  .cpp = "std::comp_ellint_2({k})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 150,
};

FACTS(comp_ellint_3) {
  .name = "comp_ellint_3", .doc = "The complete elliptic integral of the third kind.",
  .operands = {"k", "nu"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X nu, X y) -> Partials {
    const X e = comp_ellint_2(k);
    return {third_by_k(k, nu, e, y, {}), third_by_nu(k, nu, comp_ellint_1(k), e, comp_ellint_d(k), y, {})};
  }),
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto k, auto nu) { return std::comp_ellint_3(k, nu); }),
  .cpp = "std::comp_ellint_3({k}, {nu})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 250,
};

FACTS(ellint_1) {
  .name = "ellint_1", .doc = "The incomplete elliptic integral of the first kind, F(k, phi).",
  .operands = {"k", "phi"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X phi, X y) -> Partials {
    const X m = k * k, s = sin(phi), root = delta(m, s);
    return {k * (y - ellint_d(k, phi) - s * cos(phi) / root) / (1 - m), 1 / root};
  }),
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto k, auto phi) { return std::ellint_1(k, phi); }),
  .cpp = "std::ellint_1({k}, {phi})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 150,
};

FACTS(ellint_2) {
  .name = "ellint_2", .doc = "The incomplete elliptic integral of the second kind, E(k, phi).",
  .operands = {"k", "phi"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X phi, X) -> Partials { return {-(k * ellint_d(k, phi)), delta(k * k, sin(phi))}; }),
  .batching = elementwise,
  .kernel = checked<Real, Real>([](auto k, auto phi) { return std::ellint_2(k, phi); }),
  .cpp = "std::ellint_2({k}, {phi})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 200,
};

FACTS(ellint_3) {
  .name = "ellint_3", .doc = "The incomplete elliptic integral of the third kind.",
  .operands = {"k", "nu", "phi"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X nu, X phi, X y) -> Partials {
    const X m = k * k, s = sin(phi), sc = s * cos(phi), root = delta(m, s), e = ellint_2(k, phi), pole = 1 - nu * (s * s);
    return {third_by_k(k, nu, e, y, m * sc / ((m - 1) * root)),
            third_by_nu(k, nu, ellint_1(k, phi), e, ellint_d(k, phi), y, nu * root * sc / pole),
            1 / (pole * root)};
  }),
  .batching = elementwise,
  .kernel = checked<Real, Real, Real>([](auto k, auto nu, auto phi) { return std::ellint_3(k, nu, phi); }),
  .cpp = "std::ellint_3({k}, {nu}, {phi})",
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::guarded, .cost = 300,
};

// Carlson's R_D by duplication, then a series in the deviations of x, y and z from their mean.
HELPER(ellint_d, "The elliptic integral D = (F - E) / k^2, incomplete and complete.",
inline double carlson_rd(double x, double y, double z) {
  if (x + y == 0) return std::numeric_limits<double>::infinity();
  double sum = 0;
  double scale = 1;
  for (;;) {
    const double mean = (x + y + 3 * z) / 5;
    const double dx = 1 - x / mean;
    const double dy = 1 - y / mean;
    const double dz = -(dx + dy) / 3;
    if (!(std::fabs(dx) > 0.001 || std::fabs(dy) > 0.001 || std::fabs(dz) > 0.001)) {
      const double xy = dx * dy;
      const double zz = dz * dz;
      const double e2 = xy - 6 * zz;
      const double e3 = (3 * xy - 8 * zz) * dz;
      const double e4 = 3 * (xy - zz) * zz;
      const double series = 1 - 3.0 / 14 * e2 + e3 / 6 + 9.0 / 88 * e2 * e2 - 3.0 / 22 * e4 - 9.0 / 52 * e2 * e3 + 3.0 / 26 * xy * zz * dz;
      return 3 * sum + scale * series / (mean * std::sqrt(mean));
    }
    const double lambda = std::sqrt(x) * std::sqrt(y) + std::sqrt(x) * std::sqrt(z) + std::sqrt(y) * std::sqrt(z);
    sum += scale / (std::sqrt(z) * (z + lambda));
    scale /= 4;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
}
inline double comp_ellint_d(double k) { return carlson_rd(0, (1 - k) * (1 + k), 1) / 3; }
inline double ellint_d(double k, double phi) {
  const double turns = std::round(phi / 3.141592653589793);
  const double rest = phi - turns * 3.141592653589793;
  const double s = std::sin(rest);
  const double c = std::cos(rest);
  const double within = s * s * s / 3 * carlson_rd(c * c, (1 - k * s) * (1 + k * s), 1);
  if (turns == 0) return within;
  return within + 2 * turns * comp_ellint_d(k);
}
inline float comp_ellint_d(float k) { return static_cast<float>(comp_ellint_d(static_cast<double>(k))); }
inline float ellint_d(float k, float phi) { return static_cast<float>(ellint_d(static_cast<double>(k), static_cast<double>(phi))); }
);

FACTS(comp_ellint_d) {
  .name = "comp_ellint_d", .doc = "(comp_ellint_1(k) - comp_ellint_2(k)) / k^2, regular at k = 0.",
  .operands = {"k"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X y) -> Partials {
    return {((comp_ellint_1(k) - y) / ((1 - k) * (1 + k)) - y) / except(k == 0, k, 1)};         // 0 at k == 0
  }),
  .batching = elementwise,
  .kernel = real<1>([](auto k) { return math::comp_ellint_d(k); }),
  .cpp = "math::comp_ellint_d({k})", .helper = &ellint_d_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 100,
};

FACTS(ellint_d) {
  .name = "ellint_d", .doc = "(ellint_1(k, phi) - ellint_2(k, phi)) / k^2, regular at k = 0.",
  .operands = {"k", "phi"},
  .type = same_real,
  .derivative = pointwise([](const Op&, X k, X phi, X y) -> Partials {
    const X m = k * k, s = sin(phi), root = delta(m, s);
    return {((ellint_1(k, phi) - y - s * cos(phi) / root) / (1 - m) - y) / except(k == 0, k, 1), s * s / root};
  }),
  .batching = elementwise,
  .kernel = real<2>([](auto k, auto phi) { return math::ellint_d(k, phi); }),
  .cpp = "math::ellint_d({k}, {phi})", .helper = &ellint_d_helper,
  .stablehlo = refused("StableHLO has no such function"),
  .effect = Effect::pure, .cost = 120,
};

}  // namespace tlaloc::ir
