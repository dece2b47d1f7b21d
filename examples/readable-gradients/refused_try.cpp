// SPDX-License-Identifier: Apache-2.0
//
// Must not compile: a derivative cannot follow an exception.
#include <tlaloc/ad.hpp>

#include <cmath>

double guarded(double x) {
  try {
    if (x < 0) throw x;
    return std::sqrt(x);
  } catch (double) {
    return 0;
  }
}

double use(double x) { return tlaloc::grad(guarded)(x); }
