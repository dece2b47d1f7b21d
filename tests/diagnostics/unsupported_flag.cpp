// SPDX-License-Identifier: Apache-2.0
//
// UNSUPPORTED_FLAG: a way to compile in which no code can be added.
#include "tlaloc/ad.hpp"

double f(double x) { return x; }
double use(double x) { return tlaloc::grad(f)(x); }

// flags: -fdelayed-template-parsing -Wno-delayed-template-parsing-in-cxx20
// expect: 7:31 UNSUPPORTED_FLAG ... -fdelayed-template-parsing
