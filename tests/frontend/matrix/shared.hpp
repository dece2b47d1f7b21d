// SPDX-License-Identifier: Apache-2.0
//
// Derivatives in a header that two translation units share.
#pragma once
#include <tlaloc/ad.hpp>

inline double poly(double x) { return 3.0 * x * x + x; }
template <class T> T cubic(T x) { return x * x * x; }
#ifdef FN_ONLY  // a precompiled header cannot hold call sites of plain functions
inline double plain(double at) { return tlaloc::grad(tlaloc::fn<poly>)(at); }
template <class T> double instance(T at) { return tlaloc::grad(tlaloc::fn<cubic<T>>)(at); }
#else
inline double plain(double at) { return tlaloc::grad(poly)(at); }
template <class T> double instance(T at) { return tlaloc::grad(cubic<T>)(at); }
#endif
inline double named(double at) { return tlaloc::grad(tlaloc::fn<poly>)(at); }
inline double closure(double k, double at) {
  return tlaloc::grad([k](double x) { return k * x * x; })(at);
}
template <class T> double in_template(T k, T at) {
  return tlaloc::grad([k](T x) { return k * x * x * x; })(at);
}
inline auto global_closure = tlaloc::grad([](double x) { return 0.5 * x * x; });
inline double all(double x) {
  return plain(x) + named(x) + closure(2, x) + in_template(1.0, x) + instance(x) + global_closure(x);
}
