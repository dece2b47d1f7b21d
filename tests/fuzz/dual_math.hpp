// SPDX-License-Identifier: Apache-2.0
//
// <cmath> for dual numbers. Programs say std::sin(x), as people do, so the overloads stand in namespace std: not allowed
// by the standard, harmless in a test that no product includes.
#pragma once

#include "dual.hpp"

#include <cmath>

namespace std {

// --- one argument: the function's own value, and its derivative written down here ---
template <class V> fuzz::Dual<V> sin(const fuzz::Dual<V>& x) { return chain(std::sin(x.v), x, std::cos(double(x.v))); }
template <class V> fuzz::Dual<V> cos(const fuzz::Dual<V>& x) { return chain(std::cos(x.v), x, -std::sin(double(x.v))); }
template <class V> fuzz::Dual<V> tan(const fuzz::Dual<V>& x) { const double t = std::tan(double(x.v)); return chain(std::tan(x.v), x, 1 + t * t); }
template <class V> fuzz::Dual<V> asin(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::asin(x.v), x, 1 / std::sqrt((1 - v) * (1 + v))); }
template <class V> fuzz::Dual<V> acos(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::acos(x.v), x, -1 / std::sqrt((1 - v) * (1 + v))); }
template <class V> fuzz::Dual<V> atan(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::atan(x.v), x, 1 / (1 + v * v)); }
template <class V> fuzz::Dual<V> sinh(const fuzz::Dual<V>& x) { return chain(std::sinh(x.v), x, std::cosh(double(x.v))); }
template <class V> fuzz::Dual<V> cosh(const fuzz::Dual<V>& x) { return chain(std::cosh(x.v), x, std::sinh(double(x.v))); }
template <class V> fuzz::Dual<V> tanh(const fuzz::Dual<V>& x) { const double c = std::cosh(double(x.v)); return chain(std::tanh(x.v), x, 1 / (c * c)); }
template <class V> fuzz::Dual<V> asinh(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::asinh(x.v), x, 1 / std::sqrt(v * v + 1)); }
template <class V> fuzz::Dual<V> acosh(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::acosh(x.v), x, 1 / std::sqrt((v - 1) * (v + 1))); }
template <class V> fuzz::Dual<V> atanh(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::atanh(x.v), x, 1 / ((1 - v) * (1 + v))); }
template <class V> fuzz::Dual<V> exp(const fuzz::Dual<V>& x) { return chain(std::exp(x.v), x, std::exp(double(x.v))); }
template <class V> fuzz::Dual<V> exp2(const fuzz::Dual<V>& x) { return chain(std::exp2(x.v), x, std::exp2(double(x.v)) * std::log(2.0)); }
template <class V> fuzz::Dual<V> expm1(const fuzz::Dual<V>& x) { return chain(std::expm1(x.v), x, std::exp(double(x.v))); }
template <class V> fuzz::Dual<V> log(const fuzz::Dual<V>& x) { return chain(std::log(x.v), x, 1 / double(x.v)); }
template <class V> fuzz::Dual<V> log2(const fuzz::Dual<V>& x) { return chain(std::log2(x.v), x, 1 / (double(x.v) * std::log(2.0))); }
template <class V> fuzz::Dual<V> log10(const fuzz::Dual<V>& x) { return chain(std::log10(x.v), x, 1 / (double(x.v) * std::log(10.0))); }
template <class V> fuzz::Dual<V> log1p(const fuzz::Dual<V>& x) { return chain(std::log1p(x.v), x, 1 / (1 + double(x.v))); }
template <class V> fuzz::Dual<V> sqrt(const fuzz::Dual<V>& x) { return chain(std::sqrt(x.v), x, 0.5 / std::sqrt(double(x.v))); }
template <class V> fuzz::Dual<V> cbrt(const fuzz::Dual<V>& x) { const double r = std::cbrt(double(x.v)); return chain(std::cbrt(x.v), x, 1 / (3 * r * r)); }
template <class V> fuzz::Dual<V> erf(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::erf(x.v), x, 2 / std::sqrt(M_PI) * std::exp(-v * v)); }
template <class V> fuzz::Dual<V> erfc(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::erfc(x.v), x, -2 / std::sqrt(M_PI) * std::exp(-v * v)); }
template <class V> fuzz::Dual<V> tgamma(const fuzz::Dual<V>& x) { const double v = x.v; return chain(std::tgamma(x.v), x, std::tgamma(v) * fuzz::digamma(v)); }
template <class V> fuzz::Dual<V> lgamma(const fuzz::Dual<V>& x) { return chain(std::lgamma(x.v), x, fuzz::digamma(double(x.v))); }

// --- kinks and steps ---
template <class V> fuzz::Dual<V> abs(const fuzz::Dual<V>& x) { fuzz::keep_away(x.v, 0, x.size); return chain(std::abs(x.v), x, x.v < 0 ? -1 : 1); }
template <class V> fuzz::Dual<V> fabs(const fuzz::Dual<V>& x) { return std::abs(x); }
template <class V> fuzz::Dual<V> floor(const fuzz::Dual<V>& x) { return flat(std::floor(x.v), x, std::round(x.v)); }
template <class V> fuzz::Dual<V> ceil(const fuzz::Dual<V>& x) { return flat(std::ceil(x.v), x, std::round(x.v)); }
template <class V> fuzz::Dual<V> trunc(const fuzz::Dual<V>& x) { return flat(std::trunc(x.v), x, std::round(x.v)); }
template <class V> fuzz::Dual<V> round(const fuzz::Dual<V>& x) { return flat(std::round(x.v), x, std::floor(x.v) + 0.5); }
template <class V> fuzz::Dual<V> rint(const fuzz::Dual<V>& x) { return flat(std::rint(x.v), x, std::floor(x.v) + 0.5); }
template <class V> fuzz::Dual<V> nearbyint(const fuzz::Dual<V>& x) { return flat(std::nearbyint(x.v), x, std::floor(x.v) + 0.5); }
template <class V> long lround(const fuzz::Dual<V>& x) { return std::lround(std::round(x).v); }
template <class V> bool signbit(const fuzz::Dual<V>& x) { fuzz::keep_away(x.v, 0, x.size); return std::signbit(x.v); }
template <class V> bool isfinite(const fuzz::Dual<V>& x) { return std::isfinite(x.v); }
template <class V> bool isnan(const fuzz::Dual<V>& x) { return std::isnan(x.v); }

// --- two and three arguments, of any mix ---
template <class A, class B>
  requires fuzz::operands<A, B>
auto pow(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const double base = x.v, exponent = y.v;
  const double db = base > 0 ? std::pow(base, exponent) * std::log(base) : 0;
  if (!(base > 0) && y.size != 0) fuzz::trouble = true;
  return chain(std::pow(x.v, y.v), x, exponent == 0 ? 0 : exponent * std::pow(base, exponent - 1), y, db);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto atan2(const A& a, const B& b) {
  const auto y = fuzz::dual(a);
  const auto x = fuzz::dual(b);
  const double r = double(x.v) * double(x.v) + double(y.v) * double(y.v);
  if (x.v < 0) fuzz::keep_away(y.v, 0, y.size);
  return chain(std::atan2(y.v, x.v), y, double(x.v) / r, x, -double(y.v) / r);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto hypot(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const double r = std::hypot(double(x.v), double(y.v));
  return chain(std::hypot(x.v, y.v), x, double(x.v) / r, y, double(y.v) / r);
}
template <class V> fuzz::Dual<V> hypot(const fuzz::Dual<V>& x, const fuzz::Dual<V>& y, const fuzz::Dual<V>& z) {
  const V value = std::hypot(x.v, y.v, z.v);
  const double r = std::sqrt(double(x.v) * x.v + double(y.v) * y.v + double(z.v) * z.v);
  fuzz::Dual<V> sum = chain(value, x, double(x.v) / r, y, double(y.v) / r);
  const fuzz::Dual<V> last = chain(value, z, double(z.v) / r);
  return {value, sum.d + last.d, sum.size + last.size};
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto fmax(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const bool first = a >= b;
  return chain(std::fmax(x.v, y.v), x, first, y, !first);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto fmin(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const bool first = a <= b;
  return chain(std::fmin(x.v, y.v), x, first, y, !first);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto fdim(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const bool more = a > b;
  return chain(std::fdim(x.v, y.v), x, more, y, more ? -1 : 0);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto copysign(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  fuzz::keep_away(x.v, 0, x.size);
  fuzz::keep_away(y.v, 0, y.size);
  return chain(std::copysign(x.v, y.v), x, std::signbit(x.v) == std::signbit(y.v) ? 1 : -1);
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto fmod(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const double quotient = double(x.v) / double(y.v);
  fuzz::keep_away(quotient, std::round(quotient), x.size + y.size);
  return chain(std::fmod(x.v, y.v), x, 1, y, -std::trunc(quotient));
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto remainder(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  const double quotient = double(x.v) / double(y.v);
  fuzz::keep_away(quotient, std::floor(quotient) + 0.5, x.size + y.size);
  return chain(std::remainder(x.v, y.v), x, 1, y, -std::nearbyint(quotient));
}
template <class V> fuzz::Dual<V> fma(const fuzz::Dual<V>& x, const fuzz::Dual<V>& y, const fuzz::Dual<V>& z) {
  const V value = std::fma(x.v, y.v, z.v);
  const fuzz::Dual<V> product = chain(value, x, double(y.v), y, double(x.v));
  return {value, product.d + z.d, product.size + z.size};
}
template <class V> fuzz::Dual<V> lerp(const fuzz::Dual<V>& x, const fuzz::Dual<V>& y, const fuzz::Dual<V>& t) {
  const V value = std::lerp(x.v, y.v, t.v);
  const fuzz::Dual<V> ends = chain(value, x, 1 - double(t.v), y, double(t.v));
  const fuzz::Dual<V> along = chain(value, t, double(y.v) - double(x.v));
  return {value, ends.d + along.d, ends.size + along.size};
}
template <class V> fuzz::Dual<V> ldexp(const fuzz::Dual<V>& x, int e) { return chain(std::ldexp(x.v, e), x, std::ldexp(1.0, e)); }
template <class V> fuzz::Dual<V> scalbn(const fuzz::Dual<V>& x, int e) { return chain(std::scalbn(x.v, e), x, std::ldexp(1.0, e)); }
template <class V> fuzz::Dual<V> scalbln(const fuzz::Dual<V>& x, long e) { return chain(std::scalbln(x.v, e), x, std::ldexp(1.0, int(e))); }
template <class V> int ilogb(const fuzz::Dual<V>& x) {
  fuzz::keep_away(x.v, std::copysign(std::exp2(std::round(std::log2(std::fabs(x.v)))), x.v), x.size);
  return std::ilogb(x.v);
}
template <class V> fuzz::Dual<V> frexp(const fuzz::Dual<V>& x, int* e) {
  std::ilogb(x);  // for the edges
  const V part = std::frexp(x.v, e);
  return chain(part, x, std::ldexp(1.0, -*e));
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto remquo(const A& a, const B& b, int* quotient) {
  const auto rest = std::remainder(a, b);
  std::remquo(fuzz::dual(a).v, fuzz::dual(b).v, quotient);
  return rest;
}
template <class A, class B>
  requires fuzz::operands<A, B>
auto nextafter(const A& a, const B& b) {
  const auto x = fuzz::dual(a);
  const auto y = fuzz::dual(b);
  return chain(std::nextafter(x.v, y.v), x, 1);
}
template <class V> fuzz::Dual<V> modf(const fuzz::Dual<V>& x, fuzz::Dual<V>* whole) {
  V part;
  const V rest = std::modf(x.v, &part);
  *whole = flat(part, x, std::round(x.v));
  return chain(rest, x, 1);
}

}  // namespace std
