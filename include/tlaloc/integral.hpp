// SPDX-License-Identifier: Apache-2.0
//
// Integrals of functions of one number, differentiable by the limits and by all that the function reads:
//
//   double area = tlaloc::integral(a, b, [&](double x) { return std::exp(-k * x * x); });       // by a, b and k
//
// By the double exponential formula: the trapezoidal rule after a change of variable under which the ends of the range move
// to infinity. It converges fast wherever the function is smooth between the limits, also where it is singular at a limit
// or the range is infinite. Each value of f that is computed is part of the result, at a place that moves with the limits,
// so that the derivative is that of the sum.
#pragma once

#include "tlaloc/ad.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tlaloc {

/// The step is halved until the sum moves by no more than tolerance times the integral of |f| (by then the error is about
/// the square of that), at most `levels` times; then std::runtime_error is thrown.
struct integral_options {
  double tolerance = 1e-8;
  int levels = 12;
};

namespace detail {

struct QuadratureNode {
  double x, weight;
};
/// Where the variable is at t, and how fast it moves. The nearer limit is what it starts from, so that a limit of zero can be
/// approached without bound.
inline QuadratureNode double_exponential(double low, double high, double t) {
  const double s = std::numbers::pi / 2 * std::sinh(t), ds = std::numbers::pi / 2 * std::cosh(t);
  const bool from = std::isfinite(low), to = std::isfinite(high);
  if (from && to) {
    const double e = std::exp(-2 * std::fabs(s)), near = e / (1 + e), range = high - low;
    return {s < 0 ? low + range * near : high - range * near, range * (2 * near / (1 + e) * ds)};
  }
  if (!from && !to) return {std::sinh(s), std::cosh(s) * ds};
  const double e = std::exp(s);
  return {from ? low + e : high - e, e * ds};
}

}  // namespace detail

/// The integral of f from a to b, either of which may be infinite. f maps double to double. Split the range where f has a
/// kink or a jump.
template <class F_> double integral(double a, double b, const F_& f, integral_options options = {}) {
  if (std::isnan(a) || std::isnan(b)) throw std::invalid_argument("tlaloc::integral: a limit is not a number");
  const double low = b < a ? b : a, high = b < a ? a : b;
  const double reach = 6.1;                       // farther out all weights vanish, or exp overflows
  double sum = 0, size = 0, value = 0, step = 1;
  bool converged = false;
  for (int level = 0; level < options.levels && !converged; ++level) {
    const int first = level ? 1 : 0, stride = level ? 2 : 1, nodes = int(reach / step);     // those between the last ones
    for (int k = first; k <= nodes; k += stride)
      for (int side = k ? -1 : 1; side <= 1; side += 2) {
        const auto [x, weight] = detail::double_exponential(low, high, side * k * step);
        if (low != high && !(x > low && x < high)) continue;                                // rounded to a limit
        const double y = weight * f(x);
        sum += y;
        size += std::fabs(stop_gradient(y));
      }
    const double next = step * sum;
    converged = level > 2 && std::fabs(stop_gradient(next - value)) <= options.tolerance * step * size;
    value = next;
    step /= 2;
  }
  if (!converged) throw std::runtime_error("tlaloc::integral: no convergence");
  return b < a ? -value : value;
}

}  // namespace tlaloc
