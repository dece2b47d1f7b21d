// SPDX-License-Identifier: Apache-2.0
//
// Initial value problems y' = f(t, y), differentiable by the initial state, both times and all that f reads. A state is a
// floating-point number, std::array or std::vector; f(double t, const Y& y) returns its derivative as a Y.
//
// The derivative is that of the computed numbers: it goes through the very steps that were taken. What chooses a step size
// has no derivative: the steps' shares of the whole range are held.
#pragma once

#include "tlaloc/ad.hpp"
#include "tlaloc/detail/state.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace tlaloc::ode {

/// The state at t1 of the solution that is y at t0, by the classical method of Runge and Kutta in equal steps.
template <class F_, class Y_> Y_ rk4(const F_& f, Y_ y, double t0, double t1, int steps) {
  if (steps < 1) throw std::invalid_argument("tlaloc::ode::rk4: the number of steps must be positive");
  using detail::part;
  const std::size_t n = detail::count(y);
  const double h = (t1 - t0) / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = t0 + k * h;
    const Y_ k1 = f(t, y);
    Y_ z = y;
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h / 2 * part(k1, i);
    const Y_ k2 = f(t + h / 2, z);
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h / 2 * part(k2, i);
    const Y_ k3 = f(t + h / 2, z);
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h * part(k3, i);
    const Y_ k4 = f(t + h, z);
    for (std::size_t i = 0; i < n; ++i) part(y, i) += h / 6 * (part(k1, i) + 2 * part(k2, i) + 2 * part(k3, i) + part(k4, i));
  }
  return y;
}

/// A step is taken when the estimate of its error is at most absolute + relative * |y| (root of the mean square of the
/// parts). `first`: the first step's length, 0 for a guess. After `steps` attempts std::runtime_error is thrown.
struct step_options {
  double relative = 1e-8, absolute = 1e-10, first = 0;
  int steps = 1000000;
};

namespace detail {

using tlaloc::detail::count, tlaloc::detail::part;

/// The size of d, measured by what the tolerances allow at y.
template <class Y_> double scaled_norm(const Y_& d, const Y_& y, const step_options& o) {
  double sum = 0;
  const std::size_t n = count(y);
  for (std::size_t i = 0; i < n; ++i) {
    const double e = stop_gradient(part(d, i)) / (o.absolute + o.relative * std::fabs(stop_gradient(part(y, i))));
    sum += e * e;
  }
  return std::sqrt(sum / double(n));
}

}  // namespace detail

/// The same by the embedded pair of Dormand and Prince of orders 5 and 4, in steps of chosen size.
template <class F_, class Y_> Y_ dopri5(const F_& f, Y_ y, double t0, double t1, step_options options = {}) {
  using detail::part;
  const double range = t1 - t0, length = std::fabs(stop_gradient(range));
  if (length == 0) return y;
  const std::size_t n = detail::count(y);
  Y_ k1 = f(t0, y);
  double share = options.first / length, done = 0;
  if (options.first == 0) {
    const double size = detail::scaled_norm(y, y, options), slope = detail::scaled_norm(k1, y, options);
    share = (size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope) / length;
  }
  int attempts = 0;
  while (done < 1) {
    if (++attempts > options.steps || !(share * length > 1e-15 * (length + std::fabs(stop_gradient(t0))))) throw std::runtime_error("tlaloc::ode::dopri5: the tolerance cannot be met");
    const bool last = done + 1.0001 * share >= 1;
    if (last) share = 1 - done;
    const double h = share * range, t = t0 + done * range;
    Y_ z = y;
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h * (1. / 5 * part(k1, i));
    const Y_ k2 = f(t + 1. / 5 * h, z);
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h * (3. / 40 * part(k1, i) + 9. / 40 * part(k2, i));
    const Y_ k3 = f(t + 3. / 10 * h, z);
    for (std::size_t i = 0; i < n; ++i) part(z, i) = part(y, i) + h * (44. / 45 * part(k1, i) - 56. / 15 * part(k2, i) + 32. / 9 * part(k3, i));
    const Y_ k4 = f(t + 4. / 5 * h, z);
    for (std::size_t i = 0; i < n; ++i)
      part(z, i) = part(y, i) + h * (19372. / 6561 * part(k1, i) - 25360. / 2187 * part(k2, i) + 64448. / 6561 * part(k3, i) - 212. / 729 * part(k4, i));
    const Y_ k5 = f(t + 8. / 9 * h, z);
    for (std::size_t i = 0; i < n; ++i)
      part(z, i) = part(y, i) + h * (9017. / 3168 * part(k1, i) - 355. / 33 * part(k2, i) + 46732. / 5247 * part(k3, i) + 49. / 176 * part(k4, i) - 5103. / 18656 * part(k5, i));
    const Y_ k6 = f(t + h, z);
    for (std::size_t i = 0; i < n; ++i)
      part(z, i) = part(y, i) + h * (35. / 384 * part(k1, i) + 500. / 1113 * part(k3, i) + 125. / 192 * part(k4, i) - 2187. / 6784 * part(k5, i) + 11. / 84 * part(k6, i));
    const Y_ k7 = f(t + h, z);
    Y_ error = z;
    for (std::size_t i = 0; i < n; ++i)
      part(error, i) = stop_gradient(h * (71. / 57600 * part(k1, i) - 71. / 16695 * part(k3, i) + 71. / 1920 * part(k4, i) - 17253. / 339200 * part(k5, i) + 22. / 525 * part(k6, i) - 1. / 40 * part(k7, i)));
    const double norm = detail::scaled_norm(error, z, options);
    if (norm <= 1) {
      done = last ? 1 : done + share;
      y = z;
      k1 = k7;
    }
    share *= norm < 1e10 ? std::fmin(5.0, std::fmax(0.2, 0.9 * std::pow(norm + 1e-30, -0.2))) : 0.2;
  }
  return y;
}

}  // namespace tlaloc::ode
