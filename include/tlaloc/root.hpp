// SPDX-License-Identifier: Apache-2.0
//
// Solutions of equations, with the derivatives of the solution rather than those of the iteration that found it:
//
//   double x = tlaloc::root([&](double x) { return x * std::exp(x) - a; }, 1.0);       // differentiable by a
//
// The iteration is run for its value only. Then the solution takes a few steps x -= J^-1 f(x) with J, the Jacobian at the
// solution, held: they leave the value where it is, and each makes one more order of derivative that of the implicit
// function. They are ordinary code, so that f may read anything, in both modes.
#pragma once

#include "tlaloc/ad.hpp"
#include "tlaloc/detail/state.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tlaloc {

/// A step of at most tolerance * (|x| + floor) in each part is the last one; after `steps` of them std::runtime_error is
/// thrown.
struct solve_options {
  double tolerance = 1e-10, floor = 1e-6;
  int steps = 1000;
};

namespace detail {

/// x, as if it depended on nothing: right if what it is used for restores the derivatives up to that order. Each derivative
/// taken uses one order up; another one is refused.
template <int Orders, class T_> constexpr T_ settled(T_ x) { return x; }

/// The Jacobian, row after row.
template <class F_, class T_, std::size_t N_> std::array<T_, N_ * N_> slopes(const F_& f, const std::array<T_, N_>& x) {
  const auto d = jacfwd(f)(x);
  std::array<T_, N_ * N_> m{};
  for (std::size_t i = 0; i < N_; ++i)
    for (std::size_t j = 0; j < N_; ++j) m[i * N_ + j] = d[i][j];
  return m;
}
template <class F_, class T_> std::vector<T_> slopes(const F_& f, const std::vector<T_>& x) {
  const std::size_t n = x.size();
  std::vector<T_> y(n), m(n * n);
  const auto into = [&f](const std::vector<T_>& at, std::span<T_> out) {
    const std::vector<T_> r = f(at);
    for (std::size_t i = 0; i < at.size(); ++i) out[i] = r[i];
  };
  const auto d = jacfwd(into)(x, std::span<T_>(y));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) m[i * n + j] = d.at(i, j);
  return m;
}

/// Gauss-Jordan with row pivots: m becomes its inverse.
template <class M_> void invert(M_& m, std::size_t n) {
  M_ r = m;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) r[i * n + j] = i == j ? 1 : 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(m[i * n + k]) > std::fabs(m[pivot * n + k])) pivot = i;
    if (!(std::fabs(m[pivot * n + k]) > 0)) throw std::runtime_error("tlaloc: the Jacobian of the equations is singular");
    if (pivot != k)
      for (std::size_t j = 0; j < n; ++j) {
        std::swap(m[k * n + j], m[pivot * n + j]);
        std::swap(r[k * n + j], r[pivot * n + j]);
      }
    const auto scale = 1 / m[k * n + k];
    for (std::size_t j = 0; j < n; ++j) m[k * n + j] *= scale, r[k * n + j] *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      const auto factor = m[i * n + k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) m[i * n + j] -= factor * m[k * n + j], r[i * n + j] -= factor * r[k * n + j];
    }
  }
  m = r;
}

/// The inverse of the Jacobian at x: of f, or (Fixed) of x - f(x).
template <bool Fixed, class F_, std::floating_point T_> std::array<T_, 1> inverse(const F_& f, T_ x) {
  const T_ slope = Fixed ? 1 - jacfwd(f)(x) : jacfwd(f)(x);
  if (!(std::fabs(slope) > 0)) throw std::runtime_error("tlaloc: the derivative of the equation is zero");
  return {1 / slope};
}
template <bool Fixed, class F_, class X_>
  requires(!std::floating_point<X_>)
auto inverse(const F_& f, const X_& x) {
  auto m = slopes(f, x);
  const std::size_t n = x.size();
  if (Fixed)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) m[i * n + j] = (i == j ? 1 : 0) - m[i * n + j];
  invert(m, n);
  return m;
}

template <class T_> bool moved(T_ x, T_ by, const solve_options& o) { return !(std::fabs(by) <= o.tolerance * (std::fabs(x) + o.floor)); }

/// x -= m f(x), or (Fixed) m (x - f(x)); whether that was more than rounding.
template <bool Fixed, class F_, class X_, class M_> bool step(const F_& f, X_& x, const M_& m, const solve_options& o) {
  const X_ y = f(x), before = x;
  const std::size_t n = count(x);
  bool far = false;
  for (std::size_t i = 0; i < n; ++i) {
    auto by = m[i * n] * 0;
    for (std::size_t j = 0; j < n; ++j) by += m[i * n + j] * (Fixed ? part(before, j) - part(y, j) : part(y, j));
    part(x, i) -= by;
    if (moved(part(x, i), by, o)) far = true;
  }
  return far;
}
/// x = f(x); whether that was more than rounding.
template <class F_, class X_> bool repeat(const F_& f, X_& x, const solve_options& o) {
  const X_ y = f(x);
  bool far = false;
  for (std::size_t i = 0; i < count(x); ++i)
    if (moved(part(y, i), part(y, i) - part(x, i), o)) far = true;
  x = y;
  return far;
}

/// The value x with the derivatives of the implicit function.
template <bool Fixed, int Orders, class F_, class X_> X_ implicit(const F_& f, X_ x, const solve_options& o) {
  static_assert(Orders >= 1, "at least one order of derivatives");
  auto m = inverse<Fixed>(f, x);
  for (std::size_t i = 0; i < count(x); ++i) part(x, i) = settled<Orders>(part(x, i));
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = settled<Orders>(m[i]);
  for (int k = 0; k < Orders; ++k) step<Fixed>(f, x, m, o);
  return x;
}

}  // namespace detail

/// x with f(x) = 0, from a guess, by Newton's method. X is a floating-point number, std::array or std::vector, and f maps X
/// to X. Derivatives up to the given order are those of the solution, and more are refused; the guess has none.
template <int Orders = 2, class F_, class X_> X_ root(F_ f, X_ guess, solve_options options = {}) {
  X_ x = guess;
  int k = 0;
  while (detail::step<false>(f, x, detail::inverse<false>(f, x), options))
    if (++k >= options.steps) throw std::runtime_error("tlaloc::root: no convergence");
  return detail::implicit<false, Orders>(f, x, options);
}

/// x with x = f(x), from a guess, by repeating that. The rest is as for root().
template <int Orders = 2, class F_, class X_> X_ fixed_point(F_ f, X_ guess, solve_options options = {}) {
  X_ x = guess;
  int k = 0;
  while (detail::repeat(f, x, options))
    if (++k >= options.steps) throw std::runtime_error("tlaloc::fixed_point: no convergence");
  return detail::implicit<true, Orders>(f, x, options);
}

}  // namespace tlaloc
