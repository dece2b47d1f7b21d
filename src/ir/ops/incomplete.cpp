// SPDX-License-Identifier: Apache-2.0
//
// Regularised incomplete gamma and beta functions, and what their derivatives by the shape need. Each is a loop in other ops,
// which every back end runs: the power series where x is small, else the continued fraction (DiDonato and Morris, 1986), with
// derivatives carried along term by term (Moore, 1982).
#include "ir/ops/rules.hpp"
#include "ir/tensor.hpp"

namespace tlaloc::ir {
namespace {

enum class Wanted { value, by_a, of_sample };     // P or Q; dP/da; dx/da at fixed P

double epsilon(DType d) { return d == DType::f64 ? 0x1p-52 : 0x1p-23; }
double log_of_largest(DType d) { return d == DType::f64 ? 709.782712893384 : 88.72283905206835; }
X all(X a, X b) { return ops::bit_and(a, b); }
X either(X a, X b) { return ops::bit_or(a, b); }
X no(X a) { return ops::logical_not(a); }

/// Turns of `next` for each element while its first value, a bool, is true.
std::vector<X> each_while(std::vector<X> init, const std::function<std::vector<X>(std::span<const X>)>& next) {
  return loop_while(*init[0].b, init, [](Builder&, std::span<const X> xs) { return std::vector<X>{reduced(ops::reduce_or, xs[0], axes_up_to(xs[0].type().rank()))}; },
                    [&](Builder&, std::span<const X> xs) {
                      auto ys = next(xs);
                      for (std::size_t k = 1; k < ys.size(); ++k) ys[k] = ops::select(xs[0], ys[k], xs[k]);
                      ys[0] = all(ys[0], xs[0]);
                      return ys;
                    });
}

/// x^a e^-x / gamma(a)
X prefactor(X a, X x) { return ops::exp(a * ops::log(x) - x - ops::lgamma(a)); }

// P(a, x) = prefactor / a * (1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ...)
X series(X a, X x, X wanted, Wanted mode) {
  const double eps = epsilon(a.type().dtype);
  const X one = like(a, 1), none = like(a, 0);
  const auto end = each_while({wanted, a, one, one, none, none}, [&](std::span<const X> now) -> std::vector<X> {
    const X xs{now[0].b, x.v}, r = now[1] + 1, ratio = xs / r;
    const X slope = now[4] * ratio - (now[2] * xs) / (r * r), slopes = now[5] + slope;
    const X term = now[2] * ratio, sum = now[3] + term;
    const X more = mode == Wanted::value ? term / sum > eps : ops::abs(slope / slopes) > eps;
    return {more, r, term, sum, slope, slopes};
  });
  const X sum = end[3], slopes = end[5];
  if (mode == Wanted::value) return sum * prefactor(a, x) / a;
  const X growth = ops::log(x) - ops::digamma(a + 1);
  if (mode == Wanted::by_a) return prefactor(a, x) * (sum * growth + slopes) / a;
  return -(slopes + sum * growth) * x / a;
}

// Q(a, x) = prefactor * a continued fraction, by the recurrence of its numerators p and denominators q.
X fraction(X a, X x, X wanted, Wanted mode) {
  const double eps = epsilon(a.type().dtype);
  const X one = like(a, 1), none = like(a, 0), y = 1 - a, z = x + y + 1, p = x + 1, q = z * x, value = p / q;
  // wanted, value, its slope; y, z, turn; p, q, and those before; the slopes of these four
  const auto end = each_while({wanted, value, value * x / q, y, z, none, p, q, one, x, none, -x, none, none}, [&](std::span<const X> now) -> std::vector<X> {
    const X turn = now[5] + 1, y = now[3] + 1, z = now[4] + 2, yc = y * turn;
    const X p0 = now[8], q0 = now[9], p1 = now[6], q1 = now[7], dp0 = now[12], dq0 = now[13], dp1 = now[10], dq1 = now[11];
    const X p = p1 * z - p0 * yc, q = q1 * z - q0 * yc, usable = q != like(q, 0);
    const X r = ops::select(usable, p / q, now[1]);
    const X dp = dp1 * z - p1 - dp0 * yc + p0 * turn, dq = dq1 * z - q1 - dq0 * yc + q0 * turn;
    const X slope = ops::select(usable, (dp - r * dq) / q, now[2]);
    const X moved = mode == Wanted::value ? ops::abs((r - now[1]) / r) : ops::abs(slope - now[2]);
    const X more = all(either(no(usable), moved > eps), turn < like(turn, 2000));
    const X large = ops::abs(p) > 1 / eps;
    auto scaled = [&](X v) { return ops::select(large, v * eps, v); };
    return {more, r, slope, y, z, turn, scaled(p), scaled(q), scaled(p1), scaled(q1), scaled(dp), scaled(dq), scaled(dp1), scaled(dq1)};
  });
  if (mode == Wanted::value) return end[1] * prefactor(a, x);
  const X growth = ops::log(x) - ops::digamma(a), by_a = end[2] + end[1] * growth;
  return mode == Wanted::by_a ? prefactor(a, x) * by_a : -by_a * x;
}

/// 16-bit floats are computed in f32 and rounded once.
template <class F> X in_f32(std::span<const X> in, F f) {
  const DType d = in[0].type().dtype;
  if (d == DType::f64 || d == DType::f32) return f(in);
  std::vector<X> wide;
  for (X x : in) wide.push_back(convert(x, DType::f32));
  return convert(f(std::span<const X>(wide)), d);
}
X select_else(X condition, double value, X x) { return ops::select(condition, like(x, value), x); }
constexpr double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// P or Q: the one that is small is computed, the other is 1 less it.
X incomplete_gamma(X a, X x, bool upper) {
  const X none = like(a, 0), invalid = either(either(x < none, a < none), either(all(a == none, x == none), either(a != a, x != x)));
  const X at_zero = x == none, at_infinity = x == like(x, infinite);
  const X by_fraction = all(x >= 1, x > a);
  const X usable = all(no(either(either(at_zero, invalid), either(at_infinity, a == none))), a * ops::log(x) - x - ops::lgamma(a) >= -log_of_largest(a.type().dtype));
  const X q = fraction(a, x, all(usable, by_fraction), Wanted::value), p = series(a, x, all(usable, no(by_fraction)), Wanted::value);
  X y = upper ? ops::select(by_fraction, q, 1 - p) : ops::select(by_fraction, 1 - q, p);
  // beyond the exponent's range the tail is nothing
  y = ops::select(usable, y, ops::select(by_fraction, like(y, upper ? 0 : 1), like(y, upper ? 1 : 0)));
  y = select_else(at_zero, upper, y);
  y = select_else(either(at_infinity, a == none), !upper, y);
  return select_else(invalid, nan, y);
}
X incomplete_gamma_slope(X a, X x, Wanted mode) {
  const X none = like(a, 0), at_zero = x == none;
  const X invalid = either(either(x < none, a <= none), either(a != a, x != x));
  const X by_fraction = all(x > 1, x > a);
  const X usable = all(no(either(at_zero, invalid)), a * ops::log(x) - x - ops::lgamma(a) >= -log_of_largest(a.type().dtype));
  const X y = ops::select(by_fraction, -fraction(a, x, all(usable, by_fraction), mode), series(a, x, all(usable, no(by_fraction)), mode));
  return select_else(invalid, nan, select_else(at_zero, 0, y));
}

X log_density(X a, X x) { return (a - 1) * ops::log(x) - x - ops::lgamma(a); }

// The continued fraction of the beta function by the method of Lentz; quick where x is below the mean.
X beta_fraction(X a, X b, X x, X wanted) {
  const double eps = epsilon(a.type().dtype), tiny = a.type().dtype == DType::f64 ? 1e-300 : 1e-35;
  auto safe = [&](X v) { return ops::select(ops::abs(v) < tiny, like(v, tiny), v); };
  const X one = like(a, 1), sum = a + b, d0 = 1 / safe(1 - sum * x / (a + 1));
  const auto end = each_while({wanted, like(a, 1), one, d0, d0}, [&](std::span<const X> now) -> std::vector<X> {
    auto in = [&](X v) { return X{now[0].b, v.v}; };
    const X m = now[1], a_ = in(a), b_ = in(b), x_ = in(x), twice = m * 2, at = a_ + twice;
    const X even = m * (b_ - m) * x_ / ((at - 1) * at);
    X d = 1 / safe(1 + even * now[3]), c = safe(1 + even / now[2]);
    const X half = now[4] * (d * c);
    const X odd = -((a_ + m) * (in(sum) + m)) * x_ / (at * (at + 1));
    d = 1 / safe(1 + odd * d), c = safe(1 + odd / c);
    const X step = d * c;
    return {all(ops::abs(step - 1) > eps, m < like(m, 2000)), m + 1, c, d, half * step};
  });
  return end[4];
}
X incomplete_beta(X a, X b, X x) {
  const X none = like(a, 0), one = like(a, 1);
  const X invalid = either(either(either(a <= none, b <= none), either(x < none, x > one)), either(either(a != a, b != b), x != x));
  const X at_zero = x == none, at_one = x == one, turned = x > (a + 1) / (a + b + 2);
  const X p = ops::select(turned, b, a), q = ops::select(turned, a, b), u = ops::select(turned, 1 - x, x);
  const X weight = ops::exp(ops::lgamma(p + q) - ops::lgamma(p) - ops::lgamma(q) + p * ops::log(u) + q * ops::log1p(-u));
  const X part = weight * beta_fraction(p, q, u, no(either(invalid, either(at_zero, at_one)))) / p;
  const X y = ops::select(turned, 1 - part, part);
  return select_else(invalid, nan, select_else(at_one, 1, select_else(at_zero, 0, y)));
}

}  // namespace

FACTS(igamma) {
  .name = "igamma", .doc = "The regularised lower incomplete gamma function P(a, x).",
  .operands = {"a", "x"},
  .type = same_real,
  .expansion = EXPANDS(in_f32(x, [](std::span<const X> v) { return incomplete_gamma(v[0], v[1], false); })),
  .derivative = pointwise([](const Op&, X a, X x, X) -> Partials { return {igamma_grad_a(a, x), exp(log_density(a, x))}; }),
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = refused("C++ has no incomplete gamma function"),
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(igammac) {
  .name = "igammac", .doc = "The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x).",
  .operands = {"a", "x"},
  .type = same_real,
  .expansion = EXPANDS(in_f32(x, [](std::span<const X> v) { return incomplete_gamma(v[0], v[1], true); })),
  .derivative = pointwise([](const Op&, X a, X x, X) -> Partials { return {-igamma_grad_a(a, x), -exp(log_density(a, x))}; }),
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = refused("C++ has no incomplete gamma function"),
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(igamma_grad_a) {
  .name = "igamma_grad_a", .doc = "The derivative of P(a, x) by a.",
  .operands = {"a", "x"},
  .type = same_real,
  .expansion = EXPANDS(in_f32(x, [](std::span<const X> v) { return incomplete_gamma_slope(v[0], v[1], Wanted::by_a); })),
  .derivative = pointwise([](const Op&, X a, X x, X) -> Partials { return {X{}, exp(log_density(a, x)) * (log(x) - digamma(a))}; }),
  .passive = {{"a", "the second derivative by the shape has no closed form"}},
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = refused("C++ has no incomplete gamma function"),
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(random_gamma_grad) {
  .name = "random_gamma_grad", .doc = "How a sample x of Gamma(a, 1) moves with a when its quantile stays: -(dP/da) / (dP/dx).",
  .operands = {"a", "x"},
  .type = same_real,
  .expansion = EXPANDS(in_f32(x, [](std::span<const X> v) { return incomplete_gamma_slope(v[0], v[1], Wanted::of_sample); })),
  .derivative = pointwise([](const Op&, X a, X x, X y) -> Partials { return {X{}, digamma(a) - log(x) - y * ((a - 1) / x - 1)}; }),
  .passive = {{"a", "the second derivative by the shape has no closed form"}},
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = refused("C++ has no incomplete gamma function"),
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(betainc) {
  .name = "betainc", .doc = "The regularised incomplete beta function I(x; a, b).",
  .operands = {"a", "b", "x"},
  .type = same_real,
  .expansion = EXPANDS(in_f32(x, [](std::span<const X> v) { return incomplete_beta(v[0], v[1], v[2]); })),
  .derivative = pointwise([](const Op&, X a, X b, X x, X) -> Partials {
    return {X{}, X{}, exp((a - 1) * log(x) + (b - 1) * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b))};
  }),
  .passive = {{"a", "the derivative by a shape has no closed form"}, {"b", "the derivative by a shape has no closed form"}},
  .batching = elementwise,
  .kernel = by_expansion,
  .cpp = refused("C++ has no incomplete beta function"),
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

}  // namespace tlaloc::ir
