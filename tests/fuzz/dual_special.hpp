// SPDX-License-Identifier: Apache-2.0
//
// The special functions of <cmath> for dual numbers. Their derivatives are differences of sixth order of the standard
// library's own long double functions: exact to some 13 digits, and nobody's formula.
#pragma once

#include "dual.hpp"

#include <cmath>

namespace fuzz {

template <class F> double slope(F f, long double x) {
  constexpr long double h = 1e-3L;
  const auto pair = [&](int k) { return f(x + k * h) - f(x - k * h); };
  return double((45 * pair(1) - 9 * pair(2) + pair(3)) / (60 * h));
}
template <class V, class F> Dual<V> by_differences(F f, const Dual<V>& x) { return chain(V(f(x.v)), x, slope(f, x.v)); }
template <class V, class F> Dual<V> by_differences(F f, const Dual<V>& x, const Dual<V>& y) {
  const long double a = x.v, b = y.v;
  return chain(V(f(x.v, y.v)), x, slope([&](long double v) { return f(v, b); }, a), y, slope([&](long double v) { return f(a, v); }, b));
}
template <class V, class F> Dual<V> by_differences(F f, const Dual<V>& x, const Dual<V>& y, const Dual<V>& z) {
  const long double a = x.v, b = y.v, c = z.v;
  const V value = f(x.v, y.v, z.v);
  const Dual<V> two = chain(value, x, slope([&](long double v) { return f(v, b, c); }, a), y, slope([&](long double v) { return f(a, v, c); }, b));
  const Dual<V> one = chain(value, z, slope([&](long double v) { return f(a, b, v); }, c));
  return {value, two.d + one.d, two.size + one.size};
}

}  // namespace fuzz

namespace std {  // see dual_math.hpp

#define FUZZ_ONE(name) \
  template <class V> fuzz::Dual<V> name(const fuzz::Dual<V>& x) { return fuzz::by_differences([](auto v) { return std::name(v); }, x); }
#define FUZZ_TWO(name) \
  template <class V> fuzz::Dual<V> name(const fuzz::Dual<V>& x, const fuzz::Dual<V>& y) { \
    return fuzz::by_differences([](auto v, auto w) { return std::name(v, w); }, x, y); \
  }
#define FUZZ_THREE(name) \
  template <class V> fuzz::Dual<V> name(const fuzz::Dual<V>& x, const fuzz::Dual<V>& y, const fuzz::Dual<V>& z) { \
    return fuzz::by_differences([](auto v, auto w, auto u) { return std::name(v, w, u); }, x, y, z); \
  }
// An order or degree first, which is a plain number.
#define FUZZ_ORDER(name) \
  template <class N, class V> fuzz::Dual<V> name(N n, const fuzz::Dual<V>& x) { return fuzz::by_differences([n](auto v) { return std::name(n, v); }, x); }
#define FUZZ_ORDERS(name) \
  template <class N, class M, class V> fuzz::Dual<V> name(N n, M m, const fuzz::Dual<V>& x) { \
    return fuzz::by_differences([n, m](auto v) { return std::name(n, m, v); }, x); \
  }
FUZZ_ONE(expint)
FUZZ_ONE(comp_ellint_1)
FUZZ_ONE(comp_ellint_2)
FUZZ_TWO(beta)
FUZZ_TWO(comp_ellint_3)
FUZZ_TWO(ellint_1)
FUZZ_TWO(ellint_2)
FUZZ_THREE(ellint_3)
FUZZ_ORDER(cyl_bessel_j)
FUZZ_ORDER(cyl_bessel_i)
FUZZ_ORDER(cyl_bessel_k)
FUZZ_ORDER(cyl_neumann)
FUZZ_ORDER(sph_bessel)
FUZZ_ORDER(sph_neumann)
FUZZ_ORDER(hermite)
FUZZ_ORDER(laguerre)
FUZZ_ORDER(legendre)
FUZZ_ORDERS(assoc_laguerre)
FUZZ_ORDERS(assoc_legendre)
FUZZ_ORDERS(sph_legendre)
#undef FUZZ_ONE
#undef FUZZ_TWO
#undef FUZZ_THREE
#undef FUZZ_ORDER
#undef FUZZ_ORDERS

}  // namespace std
