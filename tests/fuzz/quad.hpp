// SPDX-License-Identifier: Apache-2.0
//
// The number type of the fuzzer's second oracle: 128-bit floats, for central differences whose error is below 1e-20.
// A class around __float128, so that programs meet the same overloads as with dual numbers. g++ with -lquadmath only.
#pragma once

#include "harness.hpp"

#include <cmath>
#include <quadmath.h>
#include <type_traits>

namespace fuzz {

struct Quad {
  __float128 v = 0;
  Quad() = default;
  Quad(__float128 x) : v(x) {}
  template <class A>
    requires std::is_arithmetic_v<A>
  Quad(A x) : v(static_cast<__float128>(x)) {}
  template <class I>
    requires std::is_integral_v<I>
  explicit operator I() const { return static_cast<I>(v); }
  Quad& operator+=(const Quad& o) { v += o.v; return *this; }
  Quad& operator-=(const Quad& o) { v -= o.v; return *this; }
  Quad& operator*=(const Quad& o) { v *= o.v; return *this; }
  Quad& operator/=(const Quad& o) { v /= o.v; return *this; }
  Quad& operator++() { v += 1; return *this; }
  Quad& operator--() { v -= 1; return *this; }
  Quad operator++(int) { Quad old = *this; v += 1; return old; }
  Quad operator--(int) { Quad old = *this; v -= 1; return old; }
  Quad operator+() const { return *this; }
  Quad operator-() const { return -v; }
  friend Quad operator+(const Quad& a, const Quad& b) { return a.v + b.v; }
  friend Quad operator-(const Quad& a, const Quad& b) { return a.v - b.v; }
  friend Quad operator*(const Quad& a, const Quad& b) { return a.v * b.v; }
  friend Quad operator/(const Quad& a, const Quad& b) { return a.v / b.v; }
  friend bool operator<(const Quad& a, const Quad& b) { return a.v < b.v; }
  friend bool operator>(const Quad& a, const Quad& b) { return a.v > b.v; }
  friend bool operator<=(const Quad& a, const Quad& b) { return a.v <= b.v; }
  friend bool operator>=(const Quad& a, const Quad& b) { return a.v >= b.v; }
  friend bool operator==(const Quad& a, const Quad& b) { return a.v == b.v; }
};
template <> struct single_of<Quad> { using type = Quad; };  // not rounded: see run.py on floats

}  // namespace fuzz

namespace std {  // see dual_math.hpp

inline fuzz::Quad sin(const fuzz::Quad& x) { return sinq(x.v); }
inline fuzz::Quad cos(const fuzz::Quad& x) { return cosq(x.v); }
inline fuzz::Quad tan(const fuzz::Quad& x) { return tanq(x.v); }
inline fuzz::Quad asin(const fuzz::Quad& x) { return asinq(x.v); }
inline fuzz::Quad acos(const fuzz::Quad& x) { return acosq(x.v); }
inline fuzz::Quad atan(const fuzz::Quad& x) { return atanq(x.v); }
inline fuzz::Quad sinh(const fuzz::Quad& x) { return sinhq(x.v); }
inline fuzz::Quad cosh(const fuzz::Quad& x) { return coshq(x.v); }
inline fuzz::Quad tanh(const fuzz::Quad& x) { return tanhq(x.v); }
inline fuzz::Quad asinh(const fuzz::Quad& x) { return asinhq(x.v); }
inline fuzz::Quad acosh(const fuzz::Quad& x) { return acoshq(x.v); }
inline fuzz::Quad atanh(const fuzz::Quad& x) { return atanhq(x.v); }
inline fuzz::Quad exp(const fuzz::Quad& x) { return expq(x.v); }
inline fuzz::Quad exp2(const fuzz::Quad& x) { return exp2q(x.v); }
inline fuzz::Quad expm1(const fuzz::Quad& x) { return expm1q(x.v); }
inline fuzz::Quad log(const fuzz::Quad& x) { return logq(x.v); }
inline fuzz::Quad log2(const fuzz::Quad& x) { return log2q(x.v); }
inline fuzz::Quad log10(const fuzz::Quad& x) { return log10q(x.v); }
inline fuzz::Quad log1p(const fuzz::Quad& x) { return log1pq(x.v); }
inline fuzz::Quad sqrt(const fuzz::Quad& x) { return sqrtq(x.v); }
inline fuzz::Quad cbrt(const fuzz::Quad& x) { return cbrtq(x.v); }
inline fuzz::Quad erf(const fuzz::Quad& x) { return erfq(x.v); }
inline fuzz::Quad erfc(const fuzz::Quad& x) { return erfcq(x.v); }
inline fuzz::Quad tgamma(const fuzz::Quad& x) { return tgammaq(x.v); }
inline fuzz::Quad lgamma(const fuzz::Quad& x) { return lgammaq(x.v); }
inline fuzz::Quad abs(const fuzz::Quad& x) { return fabsq(x.v); }
inline fuzz::Quad fabs(const fuzz::Quad& x) { return fabsq(x.v); }
inline fuzz::Quad floor(const fuzz::Quad& x) { return floorq(x.v); }
inline fuzz::Quad ceil(const fuzz::Quad& x) { return ceilq(x.v); }
inline fuzz::Quad trunc(const fuzz::Quad& x) { return truncq(x.v); }
inline fuzz::Quad round(const fuzz::Quad& x) { return roundq(x.v); }
inline fuzz::Quad rint(const fuzz::Quad& x) { return rintq(x.v); }
inline fuzz::Quad nearbyint(const fuzz::Quad& x) { return nearbyintq(x.v); }
inline long lround(const fuzz::Quad& x) { return lroundq(x.v); }
inline bool signbit(const fuzz::Quad& x) { return signbitq(x.v) != 0; }
inline bool isfinite(const fuzz::Quad& x) { return finiteq(x.v) != 0; }
inline bool isnan(const fuzz::Quad& x) { return isnanq(x.v) != 0; }
inline fuzz::Quad pow(const fuzz::Quad& x, const fuzz::Quad& y) { return powq(x.v, y.v); }
inline fuzz::Quad atan2(const fuzz::Quad& y, const fuzz::Quad& x) { return atan2q(y.v, x.v); }
inline fuzz::Quad hypot(const fuzz::Quad& x, const fuzz::Quad& y) { return hypotq(x.v, y.v); }
inline fuzz::Quad hypot(const fuzz::Quad& x, const fuzz::Quad& y, const fuzz::Quad& z) { return sqrtq(x.v * x.v + y.v * y.v + z.v * z.v); }
inline fuzz::Quad fmax(const fuzz::Quad& x, const fuzz::Quad& y) { return fmaxq(x.v, y.v); }
inline fuzz::Quad fmin(const fuzz::Quad& x, const fuzz::Quad& y) { return fminq(x.v, y.v); }
inline fuzz::Quad fdim(const fuzz::Quad& x, const fuzz::Quad& y) { return fdimq(x.v, y.v); }
inline fuzz::Quad copysign(const fuzz::Quad& x, const fuzz::Quad& y) { return copysignq(x.v, y.v); }
inline fuzz::Quad fmod(const fuzz::Quad& x, const fuzz::Quad& y) { return fmodq(x.v, y.v); }
inline fuzz::Quad remainder(const fuzz::Quad& x, const fuzz::Quad& y) { return remainderq(x.v, y.v); }
inline fuzz::Quad fma(const fuzz::Quad& x, const fuzz::Quad& y, const fuzz::Quad& z) { return fmaq(x.v, y.v, z.v); }
inline fuzz::Quad lerp(const fuzz::Quad& x, const fuzz::Quad& y, const fuzz::Quad& t) { return x.v + t.v * (y.v - x.v); }
inline fuzz::Quad ldexp(const fuzz::Quad& x, int e) { return ldexpq(x.v, e); }
inline fuzz::Quad scalbn(const fuzz::Quad& x, int e) { return scalbnq(x.v, e); }
inline fuzz::Quad scalbln(const fuzz::Quad& x, long e) { return ldexpq(x.v, int(e)); }
inline int ilogb(const fuzz::Quad& x) { return ilogbq(x.v); }
inline fuzz::Quad frexp(const fuzz::Quad& x, int* e) { return frexpq(x.v, e); }
inline fuzz::Quad remquo(const fuzz::Quad& x, const fuzz::Quad& y, int* e) { return remquoq(x.v, y.v, e); }
inline fuzz::Quad nextafter(const fuzz::Quad& x, const fuzz::Quad&) { return x; }  // the next double is not the next quad
inline fuzz::Quad modf(const fuzz::Quad& x, fuzz::Quad* whole) { return modfq(x.v, &whole->v); }

// The special functions are not in libquadmath: programs with them compile, and are not compared.
#define FUZZ_UNKNOWN(name) template <class... A> fuzz::Quad name(const A&... a) requires(std::is_same_v<A, fuzz::Quad> || ...) { return (fuzz::Quad(a) + ...); }
FUZZ_UNKNOWN(expint)
FUZZ_UNKNOWN(comp_ellint_1)
FUZZ_UNKNOWN(comp_ellint_2)
FUZZ_UNKNOWN(beta)
FUZZ_UNKNOWN(comp_ellint_3)
FUZZ_UNKNOWN(ellint_1)
FUZZ_UNKNOWN(ellint_2)
FUZZ_UNKNOWN(ellint_3)
FUZZ_UNKNOWN(cyl_bessel_j)
FUZZ_UNKNOWN(cyl_bessel_i)
FUZZ_UNKNOWN(cyl_bessel_k)
FUZZ_UNKNOWN(cyl_neumann)
FUZZ_UNKNOWN(sph_bessel)
FUZZ_UNKNOWN(sph_neumann)
FUZZ_UNKNOWN(hermite)
FUZZ_UNKNOWN(laguerre)
FUZZ_UNKNOWN(legendre)
FUZZ_UNKNOWN(assoc_laguerre)
FUZZ_UNKNOWN(assoc_legendre)
FUZZ_UNKNOWN(sph_legendre)
#undef FUZZ_UNKNOWN

}  // namespace std
