// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

static double hidden(double x) { return x * 10.0; }  // its namesake in the other file is another function
double first(double x) { return all(x) + tlaloc::grad(tlaloc::fn<hidden>)(x); }
double first_other(double x) {
  return tlaloc::grad([](double y) { return 100.0 * y; })(x);
}
