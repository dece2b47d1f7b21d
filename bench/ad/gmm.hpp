// SPDX-License-Identifier: Apache-2.0
//
// Gaussian mixture model: log posterior of n points in d dimensions under k
// components with a Wishart prior on the precision matrices.
//
// Layouts, all row-major:
//   alpha [k]            unnormalised log weights
//   mu    [k][d]         means
//   q     [k][d]         logarithms of the diagonal of the factor Q
//   l     [k][d(d-1)/2]  strict lower triangle of Q, column by column
//   x     [n][d]         data (passive)
#pragma once

#include <math.h>

namespace bench::gmm {

constexpr int triangle_size(int d) { return d * (d - 1) / 2; }

constexpr int parameter_count(int d, int k) {
  return k * (1 + 2 * d + triangle_size(d));
}

/// Length of the scratch array that log_posterior needs.
constexpr int scratch_size(int d, int k) { return 2 * k + 2 * d + k * d; }

/// log(sum_i exp(v[i])), shifted by the maximum so that nothing overflows.
template <typename Real>
Real log_sum_exp(int count, const Real* v) {
  Real peak = v[0];
  for (int i = 1; i < count; ++i)
    if (v[i] > peak) peak = v[i];
  Real sum = 0.0;
  for (int i = 0; i < count; ++i) sum += exp(v[i] - peak);
  return peak + log(sum);
}

/// log of the multivariate gamma function of order p at a.
inline double log_multigamma(double a, int p) {
  double value = 0.25 * p * (p - 1) * log(3.14159265358979323846);
  for (int j = 1; j <= p; ++j) value += lgamma(a + 0.5 * (1 - j));
  return value;
}

/// The part of the objective that depends on sizes and hyperparameters only.
inline double constant_term(int d, int k, int n, double gamma, int m) {
  const double nu = d + m + 1;
  const double log_two_pi = 1.83787706640934548356;
  return k * (nu * d * log(gamma / sqrt(2.0)) - log_multigamma(0.5 * nu, d)) -
         0.5 * n * d * log_two_pi;
}

/// y = Q c for the lower-triangular Q with diagonal `diag` and strict lower
/// triangle `lower`; returns |y|^2.
template <typename Real>
Real squared_norm_of_product(int d, const Real* diag, const Real* lower,
                             const Real* c, Real* y) {
  for (int i = 0; i < d; ++i) y[i] = diag[i] * c[i];
  int at = 0;
  for (int j = 0; j < d; ++j)
    for (int i = j + 1; i < d; ++i) {
      y[i] += lower[at] * c[j];
      ++at;
    }
  Real norm = 0.0;
  for (int i = 0; i < d; ++i) norm += y[i] * y[i];
  return norm;
}

/// The objective. `scratch` holds scratch_size(d, k) numbers, contents ignored.
template <typename Real>
Real log_posterior(int d, int k, int n, const Real* alpha, const Real* mu,
                   const Real* q, const Real* l, const double* x, double gamma,
                   int m, Real* scratch) {
  Real* beta = scratch;
  Real* log_det = beta + k;
  Real* diag = log_det + k;
  Real* centred = diag + k * d;
  Real* product = centred + d;
  const int lower = triangle_size(d);

  Real frobenius = 0.0;
  Real log_det_sum = 0.0;
  for (int c = 0; c < k; ++c) {
    Real sum = 0.0;
    for (int j = 0; j < d; ++j) {
      sum += q[c * d + j];
      diag[c * d + j] = exp(q[c * d + j]);
      frobenius += diag[c * d + j] * diag[c * d + j];
    }
    for (int j = 0; j < lower; ++j)
      frobenius += l[c * lower + j] * l[c * lower + j];
    log_det[c] = sum;
    log_det_sum += sum;
  }

  Real likelihood = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < k; ++c) {
      for (int j = 0; j < d; ++j) centred[j] = x[i * d + j] - mu[c * d + j];
      Real norm = squared_norm_of_product(d, diag + c * d, l + c * lower,
                                          centred, product);
      beta[c] = alpha[c] + log_det[c] - 0.5 * norm;
    }
    likelihood += gmm::log_sum_exp(k, beta);
  }

  return constant_term(d, k, n, gamma, m) + likelihood -
         n * gmm::log_sum_exp(k, alpha) - 0.5 * gamma * gamma * frobenius +
         m * log_det_sum;
}

/// Gradient written by hand; adds nothing, overwrites all four outputs.
inline double log_posterior_gradient(int d, int k, int n, const double* alpha,
                                     const double* mu, const double* q,
                                     const double* l, const double* x,
                                     double gamma, int m, double* scratch,
                                     double* d_alpha, double* d_mu,
                                     double* d_q, double* d_l,
                                     double* all_products /* [k][d] */,
                                     double* all_centred /* [k][d] */) {
  double* beta = scratch;
  double* log_det = beta + k;
  double* diag = log_det + k;
  const int lower = triangle_size(d);
  const double precision = gamma * gamma;

  double frobenius = 0.0, log_det_sum = 0.0;
  for (int c = 0; c < k; ++c) {
    d_alpha[c] = 0.0;
    log_det[c] = 0.0;
    for (int j = 0; j < d; ++j) {
      const int at = c * d + j;
      log_det[c] += q[at];
      diag[at] = exp(q[at]);
      frobenius += diag[at] * diag[at];
      d_mu[at] = 0.0;
      d_q[at] = m - precision * diag[at] * diag[at];
    }
    for (int j = 0; j < lower; ++j) {
      const int at = c * lower + j;
      frobenius += l[at] * l[at];
      d_l[at] = -precision * l[at];
    }
    log_det_sum += log_det[c];
  }

  double likelihood = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < k; ++c) {
      double* centred = all_centred + c * d;
      for (int j = 0; j < d; ++j) centred[j] = x[i * d + j] - mu[c * d + j];
      beta[c] = alpha[c] + log_det[c] -
                0.5 * squared_norm_of_product(d, diag + c * d, l + c * lower,
                                              centred, all_products + c * d);
    }
    const double total = log_sum_exp(k, beta);
    likelihood += total;
    for (int c = 0; c < k; ++c) {
      const double share = exp(beta[c] - total);
      const double* centred = all_centred + c * d;
      const double* product = all_products + c * d;
      d_alpha[c] += share;
      int at = c * lower;
      for (int j = 0; j < d; ++j) {
        const double direct = share * diag[c * d + j] * product[j];
        double through = direct;
        const double scaled = share * centred[j];
        for (int r = j + 1; r < d; ++r, ++at) {
          through += share * l[at] * product[r];
          d_l[at] -= scaled * product[r];
        }
        d_mu[c * d + j] += through;
        d_q[c * d + j] += share - direct * centred[j];
      }
    }
  }

  const double alpha_total = log_sum_exp(k, alpha);
  for (int c = 0; c < k; ++c) d_alpha[c] -= n * exp(alpha[c] - alpha_total);
  return constant_term(d, k, n, gamma, m) + likelihood - n * alpha_total -
         0.5 * precision * frobenius + m * log_det_sum;
}

}  // namespace bench::gmm
