// SPDX-License-Identifier: Apache-2.0
//
// The number type of the fuzzer's first oracle: a value, its derivative along one direction, and a bound `size` of what
// was added up to get that derivative (the scale of its rounding errors). The value is computed exactly as the program
// itself computes it (V is float or double), so that both take the same branches; the derivative is always a double.
//
// Where a derivative is not well defined (a branch decided by two values that all but agree, a cast next to an integer,
// a number that is not finite) `trouble` is set, and the point is not compared.
#pragma once

#include "harness.hpp"

#include <cmath>
#include <type_traits>

namespace fuzz {

inline bool trouble = false;
inline constexpr double tie = 1e-7;

template <class V> struct Dual;
template <class A> struct value_of { using type = A; };
template <class V> struct value_of<Dual<V>> { using type = V; };
template <class A> inline constexpr bool is_dual = !std::is_same_v<typename value_of<A>::type, A>;
/// What V1 op V2 is for the values of two operands, one of them a dual number.
template <class A, class B> using common = decltype(typename value_of<A>::type() + typename value_of<B>::type());
template <class A, class B>
concept operands = (is_dual<A> || is_dual<B>) && (is_dual<A> || std::is_arithmetic_v<A>) && (is_dual<B> || std::is_arithmetic_v<B>);

inline void watch(double v, double d) {
  if (!std::isfinite(v) || !std::isfinite(d) || std::fabs(v) > 1e12 || std::fabs(d) > 1e12) trouble = true;
}
/// The next representable thing happens at `edge`: v must keep away from it if it moves.
inline void keep_away(double v, double edge, double size) {
  if (size != 0 && std::fabs(v - edge) <= tie * (1 + std::fabs(edge))) trouble = true;
}

template <class V> struct Dual {
  V v = 0;
  double d = 0, size = 0;

  Dual() = default;
  template <class A>
    requires std::is_arithmetic_v<A>
  Dual(A a) : v(static_cast<V>(a)) {}
  Dual(V value, double derivative, double total) : v(value), d(derivative), size(total) { watch(double(v), d); }
  template <class W>
    requires(!std::is_same_v<V, W>)
  Dual(const Dual<W>& o) : v(static_cast<V>(o.v)), d(o.d), size(o.size) {}

  /// Truncates, as C++ does.
  template <class I>
    requires std::is_integral_v<I>
  explicit operator I() const {
    if constexpr (std::is_same_v<I, bool>)
      keep_away(v, 0, size);
    else
      keep_away(v, std::round(v), size);
    return static_cast<I>(v);
  }

  template <class B> Dual& operator+=(const B& b) { return *this = *this + b; }
  template <class B> Dual& operator-=(const B& b) { return *this = *this - b; }
  template <class B> Dual& operator*=(const B& b) { return *this = *this * b; }
  template <class B> Dual& operator/=(const B& b) { return *this = *this / b; }
  Dual& operator++() { return *this += 1; }
  Dual& operator--() { return *this -= 1; }
  Dual operator++(int) { Dual old = *this; ++*this; return old; }
  Dual operator--(int) { Dual old = *this; --*this; return old; }
  Dual operator+() const { return *this; }
  Dual operator-() const { return {-v, -d, size}; }
};

template <class V> struct single_of<Dual<V>> { using type = Dual<float>; };

template <class A> Dual<typename value_of<A>::type> dual(const A& a) { return a; }

/// f(a) with derivative da, f(a, b) with da and db; the value as the program computes it.
template <class R, class V> Dual<R> chain(R value, const Dual<V>& a, double da) { return {value, da == 0 ? 0 : da * a.d, da == 0 ? 0 : std::fabs(da) * a.size}; }
template <class R, class V, class W> Dual<R> chain(R value, const Dual<V>& a, double da, const Dual<W>& b, double db) {
  const Dual<R> first = chain(value, a, da), second = chain(value, b, db);
  return {value, first.d + second.d, first.size + second.size};
}

template <class A, class B>
  requires operands<A, B>
auto operator+(const A& a, const B& b) { const auto x = dual(a); const auto y = dual(b); return chain(x.v + y.v, x, 1, y, 1); }
template <class A, class B>
  requires operands<A, B>
auto operator-(const A& a, const B& b) { const auto x = dual(a); const auto y = dual(b); return chain(x.v - y.v, x, 1, y, -1); }
template <class A, class B>
  requires operands<A, B>
auto operator*(const A& a, const B& b) { const auto x = dual(a); const auto y = dual(b); return chain(x.v * y.v, x, double(y.v), y, double(x.v)); }
template <class A, class B>
  requires operands<A, B>
auto operator/(const A& a, const B& b) {
  const auto x = dual(a);
  const auto y = dual(b);
  return chain(x.v / y.v, x, 1 / double(y.v), y, -double(x.v) / (double(y.v) * double(y.v)));
}

/// Both sides of a comparison; their order must not hang on rounding.
template <class A, class B> auto sides(const A& a, const B& b) {
  const auto x = dual(a);
  const auto y = dual(b);
  keep_away(double(x.v), double(y.v), x.size + y.size);
  struct { common<A, B> left, right; } both{common<A, B>(x.v), common<A, B>(y.v)};
  return both;
}
template <class A, class B>
  requires operands<A, B>
bool operator<(const A& a, const B& b) { const auto s = sides(a, b); return s.left < s.right; }
template <class A, class B>
  requires operands<A, B>
bool operator>(const A& a, const B& b) { const auto s = sides(a, b); return s.left > s.right; }
template <class A, class B>
  requires operands<A, B>
bool operator<=(const A& a, const B& b) { const auto s = sides(a, b); return s.left <= s.right; }
template <class A, class B>
  requires operands<A, B>
bool operator>=(const A& a, const B& b) { const auto s = sides(a, b); return s.left >= s.right; }
template <class A, class B>
  requires operands<A, B>
bool operator==(const A& a, const B& b) { const auto s = sides(a, b); return s.left == s.right; }
template <class A, class B>
  requires operands<A, B>
bool operator!=(const A& a, const B& b) { const auto s = sides(a, b); return s.left != s.right; }

/// A step function of x: `value`, constant but for a jump where x is `edge`.
template <class V> Dual<V> flat(V value, const Dual<V>& x, double edge) {
  keep_away(double(x.v), edge, x.size);
  return chain(value, x, 0);
}

/// The derivative of f at 0, by a difference of fourth order.
template <class F> double difference(F f, double h) { return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h); }

/// The logarithmic derivative of gamma, for x > 0: recurrence up to 10, then the asymptotic series.
inline double digamma(double x) {
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  const double i = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - i * (1. / 12 - i * (1. / 120 - i * (1. / 252 - i * (1. / 240 - i * (1. / 132)))));
}

}  // namespace fuzz

#include "dual_math.hpp"
#include "dual_special.hpp"
