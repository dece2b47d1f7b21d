// SPDX-License-Identifier: Apache-2.0
//
// NO_VJP_RULE, NO_JVP_RULE: a function with a rule of its own is differentiated in the other mode, at the call of it.
#include "tlaloc/ad.hpp"

const auto backward = tlaloc::custom_vjp([](double x) { return x; }, [](double, double d) { return d; });
const auto forward = tlaloc::custom_jvp([](double x) { return x; }, [](double, double d) { return d; });

double uses_backward(double x) { return backward(x) * x; }
double uses_forward(double x) { return forward(x) * x; }

double a(double x) { return tlaloc::jvp(uses_backward)(x, 1.0); }
double b(double x) { return tlaloc::grad(uses_forward)(x); }
double c(double x) { return tlaloc::grad(uses_backward)(x) + tlaloc::jvp(uses_forward)(x, 1.0); }  // fine

// expect: 9:34 NO_JVP_RULE ... 'custom' ... TLALOC_JVP
// expect: 10:33 NO_VJP_RULE ... 'custom' ... TLALOC_VJP
