// SPDX-License-Identifier: Apache-2.0
//
// All errors of a file in one run: the compiler's own, those of a call's arguments, and those of what is differentiated.
#include "tlaloc/ad.hpp"

double opaque(double);
double calls_opaque(double x) { return opaque(x); }
double times(double x, int n) { return x * n; }
double wrong(double x) { return x * unknown; }
double calls_wrong(double x) { return wrong(x); }
template <class T> double templated(T x) { return opaque(x); }

auto a = tlaloc::grad(calls_opaque)(1.0);
auto b = tlaloc::grad<1>(times)(1.0, 2);
auto c = tlaloc::grad<"time">(times)(1.0, 2);
auto d = tlaloc::grad(wrong)(1.0);
auto e = tlaloc::grad(calls_wrong)(1.0);
auto f = tlaloc::grad(templated<double>)(1.0);
auto g = tlaloc::grad(times)(1.0, 2);

// expect: 9:37 use of undeclared identifier 'unknown'
// expect: 14:18 NOT_DIFFERENTIABLE ... a position selects a parameter whose type has no derivative
// expect: 7:40 NOT_DIFFERENTIABLE ... 'opaque'
// expect: 15:10 UNKNOWN_ARGUMENT ... 'time'
// expect: 11:51 NOT_DIFFERENTIABLE ... 'opaque'
