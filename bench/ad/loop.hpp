// SPDX-License-Identifier: Apache-2.0
//
// A scalar recurrence of runtime length: the mean of y_1 ... y_n with
//   y_{i+1} = sin(a y_i) + b exp(-y_i^2).
#pragma once

#include <math.h>

namespace bench::loop {

template <typename Real>
Real mean_of_orbit(int n, Real a, Real b, Real start) {
  Real y = start;
  Real sum = 0.0;
  for (int i = 0; i < n; ++i) {
    y = sin(a * y) + b * exp(-y * y);
    sum += y;
  }
  return sum / n;
}

/// Reverse mode by hand. `orbit` holds n numbers; gradient is {a, b, start}.
inline double mean_of_orbit_gradient(int n, double a, double b, double start,
                                     double* orbit, double* gradient) {
  double y = start, sum = 0.0;
  for (int i = 0; i < n; ++i) {
    orbit[i] = y;
    y = sin(a * y) + b * exp(-y * y);
    sum += y;
  }
  const double seed = 1.0 / n;
  double d_a = 0.0, d_b = 0.0, d_y = 0.0;
  for (int i = n - 1; i >= 0; --i) {
    d_y += seed;
    const double was = orbit[i], bell = exp(-was * was);
    const double wave = cos(a * was) * d_y;
    d_a += wave * was;
    d_b += bell * d_y;
    d_y = wave * a - 2.0 * was * b * bell * d_y;
  }
  gradient[0] = d_a;
  gradient[1] = d_b;
  gradient[2] = d_y;
  return sum / n;
}

}  // namespace bench::loop
