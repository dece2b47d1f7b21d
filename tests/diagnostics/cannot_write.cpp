// SPDX-License-Identifier: Apache-2.0
//
// CANNOT_WRITE: the folder for printed sources cannot be made.
#include "tlaloc/ad.hpp"

double f(double x) { return x; }
double use(double x) { return tlaloc::grad(f)(x); }

// flags: -fplugin-arg-tlaloc-print=/dev/null/folder
// expect-driver: CANNOT_WRITE ... /dev/null/folder
