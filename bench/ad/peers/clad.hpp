// SPDX-License-Identifier: Apache-2.0
#include "clad/Differentiator/Differentiator.h"

namespace peer {

inline void loop(int n, double a, double b, double start, double* d_a, double* d_b, double* d_start) {
  clad::gradient(bench::loop::mean_of_orbit<double>, "a, b, start").execute(n, a, b, start, d_a, d_b, d_start);
}
inline void ode(int n, int steps, const double* x, double* scratch, double* d_x, double* d_scratch) {
  clad::gradient(bench::ode::final_component<double>, "x, scratch").execute(n, steps, x, scratch, d_x, d_scratch);
}
inline void lstm(int width, int layers, int length, const double* weights, const double* readout, const double* start,
                 const double* sequence, double* scratch, double* d_weights, double* d_readout, double* d_scratch) {
  clad::gradient(bench::lstm::loss<double>, "weights, readout, scratch")
      .execute(width, layers, length, weights, readout, start, sequence, scratch, d_weights, d_readout, d_scratch);
}
inline void gmm(int d, int k, int n, const double* alpha, const double* mu, const double* q, const double* l, const double* x,
                double gamma, int m, double* scratch, double* d_alpha, double* d_mu, double* d_q, double* d_l, double* d_scratch) {
  clad::gradient(bench::gmm::log_posterior<double>, "alpha, mu, q, l, scratch")
      .execute(d, k, n, alpha, mu, q, l, x, gamma, m, scratch, d_alpha, d_mu, d_q, d_l, d_scratch);
}
inline void ba(const double* camera, const double* point, const double* weight, const double* feature, const double* seed,
               double* d_camera, double* d_point, double* d_weight) {
  clad::gradient(bench::ba::weighted_residual<double>, "camera, point, weight")
      .execute(camera, point, weight, feature, seed, d_camera, d_point, d_weight);
}
inline void hand(const double* theta, const bench::hand::Model& model, int count, const int* matches, const double* points,
                 double* scratch, double* d_theta, double* d_scratch) {
  clad::gradient(bench::hand::half_squared_error<double>, "theta, scratch")
      .execute(theta, model, count, matches, points, scratch, d_theta, d_scratch);
}

}  // namespace peer
