// SPDX-License-Identifier: Apache-2.0
//
// Classical Runge-Kutta (order 4) with `steps` equal steps over 0 <= t <= 2 on
//   y_0' = x_0,   y_i' = x_i y_{i-1}  (i > 0),   y(0) = 0.
// The objective is the last component of y(2). Its exact value is
//   2^n x_0 x_1 ... x_{n-1} / n!,
// which the scheme reproduces exactly for n <= 4.
#pragma once

#include <math.h>

namespace bench::ode {

constexpr double kEnd = 2.0;

/// Length of the scratch array that final_component needs.
constexpr int scratch_size(int n) { return 6 * n; }

template <typename Real>
void slope(int n, const Real* x, const Real* y, Real* out) {
  out[0] = x[0];
  for (int i = 1; i < n; ++i) out[i] = x[i] * y[i - 1];
}

/// The objective; `scratch` holds scratch_size(n) numbers, contents ignored.
template <typename Real>
Real final_component(int n, int steps, const Real* x, Real* scratch) {
  Real* y = scratch;
  Real* k1 = y + n;
  Real* k2 = k1 + n;
  Real* k3 = k2 + n;
  Real* k4 = k3 + n;
  Real* at = k4 + n;
  const double h = kEnd / steps;
  for (int i = 0; i < n; ++i) y[i] = 0.0;
  for (int step = 0; step < steps; ++step) {
    slope(n, x, y, k1);
    for (int i = 0; i < n; ++i) at[i] = y[i] + 0.5 * h * k1[i];
    slope(n, x, at, k2);
    for (int i = 0; i < n; ++i) at[i] = y[i] + 0.5 * h * k2[i];
    slope(n, x, at, k3);
    for (int i = 0; i < n; ++i) at[i] = y[i] + h * k3[i];
    slope(n, x, at, k4);
    for (int i = 0; i < n; ++i)
      y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  return y[n - 1];
}

/// Adds the transpose of slope() at `y`: d_x += ..., d_y += ... .
inline void slope_transpose(int n, const double* x, const double* y,
                            const double* d_out, double* d_x, double* d_y) {
  d_x[0] += d_out[0];
  for (int i = 1; i < n; ++i) {
    d_x[i] += y[i - 1] * d_out[i];
    d_y[i - 1] += x[i] * d_out[i];
  }
}

/// Reverse mode by hand. `path` holds (steps) * n numbers, `scratch`
/// 10 n; `gradient` n.
inline double final_component_gradient(int n, int steps, const double* x,
                                       double* scratch, double* path,
                                       double* gradient) {
  double* k = scratch;         // one slope, rewritten
  double* p2 = k + n;          // stage points
  double* p3 = p2 + n;
  double* p4 = p3 + n;
  double* y = p4 + n;
  double* d_y = y + n;
  double* d_k = d_y + n;
  double* d_p = d_k + n;
  double* sum = d_p + n;
  const double h = kEnd / steps;
  for (int i = 0; i < n; ++i) y[i] = d_y[i] = gradient[i] = 0.0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) path[step * n + i] = y[i];
    slope(n, x, y, k);
    for (int i = 0; i < n; ++i) sum[i] = k[i], p2[i] = y[i] + 0.5 * h * k[i];
    slope(n, x, p2, k);
    for (int i = 0; i < n; ++i) sum[i] += 2 * k[i], p3[i] = y[i] + 0.5 * h * k[i];
    slope(n, x, p3, k);
    for (int i = 0; i < n; ++i) sum[i] += 2 * k[i], p4[i] = y[i] + h * k[i];
    slope(n, x, p4, k);
    for (int i = 0; i < n; ++i) y[i] += h / 6.0 * (sum[i] + k[i]);
  }
  d_y[n - 1] = 1.0;
  for (int step = steps - 1; step >= 0; --step) {
    const double* y0 = path + step * n;
    slope(n, x, y0, k);
    for (int i = 0; i < n; ++i) p2[i] = y0[i] + 0.5 * h * k[i];
    slope(n, x, p2, k);
    for (int i = 0; i < n; ++i) p3[i] = y0[i] + 0.5 * h * k[i];
    slope(n, x, p3, k);
    for (int i = 0; i < n; ++i) p4[i] = y0[i] + h * k[i];
    // k4, k3, k2, k1 in turn; `sum` gathers what flows into y0.
    for (int i = 0; i < n; ++i) {
      sum[i] = d_y[i];
      d_k[i] = h / 6.0 * d_y[i];
      d_p[i] = 0.0;
    }
    slope_transpose(n, x, p4, d_k, gradient, d_p);
    for (int i = 0; i < n; ++i) {
      sum[i] += d_p[i];
      d_k[i] = h / 3.0 * d_y[i] + h * d_p[i];
      d_p[i] = 0.0;
    }
    slope_transpose(n, x, p3, d_k, gradient, d_p);
    for (int i = 0; i < n; ++i) {
      sum[i] += d_p[i];
      d_k[i] = h / 3.0 * d_y[i] + 0.5 * h * d_p[i];
      d_p[i] = 0.0;
    }
    slope_transpose(n, x, p2, d_k, gradient, d_p);
    for (int i = 0; i < n; ++i) {
      sum[i] += d_p[i];
      d_k[i] = h / 6.0 * d_y[i] + 0.5 * h * d_p[i];
    }
    slope_transpose(n, x, y0, d_k, gradient, sum);
    for (int i = 0; i < n; ++i) d_y[i] = sum[i];
  }
  return y[n - 1];
}

}  // namespace bench::ode
