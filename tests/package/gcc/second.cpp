// SPDX-License-Identifier: Apache-2.0
//
// The same expressions as in main.cpp with other meanings: each file has its own derivatives.
#include "derivatives.hpp"

namespace {
double hidden(double x) { return 7 * x * x; }
}  // namespace

void second_file() {
  volatile double hide = 0.3;
  const double x = hide;
  show("second file", tlaloc::grad(tlaloc::fn<hidden>)(x), 14 * x);
  show("second file, plain function", tlaloc::grad(hidden)(x), 14 * x);
}
