// SPDX-License-Identifier: Apache-2.0
extern int enzyme_const, enzyme_dup, enzyme_out;
template <class R, class... A> R __enzyme_autodiff(void*, A...);

namespace peer {

inline void loop(int n, double a, double b, double start, double* d_a, double* d_b, double* d_start) {
  struct Gradient { double a, b, start; };
  const Gradient g = __enzyme_autodiff<Gradient>((void*)bench::loop::mean_of_orbit<double>, enzyme_const, n, enzyme_out, a,
                                                 enzyme_out, b, enzyme_out, start);
  *d_a += g.a, *d_b += g.b, *d_start += g.start;
}
inline void ode(int n, int steps, const double* x, double* scratch, double* d_x, double* d_scratch) {
  __enzyme_autodiff<void>((void*)bench::ode::final_component<double>, enzyme_const, n, enzyme_const, steps, enzyme_dup, x, d_x,
                          enzyme_dup, scratch, d_scratch);
}
inline void lstm(int width, int layers, int length, const double* weights, const double* readout, const double* start,
                 const double* sequence, double* scratch, double* d_weights, double* d_readout, double* d_scratch) {
  __enzyme_autodiff<void>((void*)bench::lstm::loss<double>, enzyme_const, width, enzyme_const, layers, enzyme_const, length,
                          enzyme_dup, weights, d_weights, enzyme_dup, readout, d_readout, enzyme_const, start, enzyme_const,
                          sequence, enzyme_dup, scratch, d_scratch);
}
inline void gmm(int d, int k, int n, const double* alpha, const double* mu, const double* q, const double* l, const double* x,
                double gamma, int m, double* scratch, double* d_alpha, double* d_mu, double* d_q, double* d_l, double* d_scratch) {
  __enzyme_autodiff<void>((void*)bench::gmm::log_posterior<double>, enzyme_const, d, enzyme_const, k, enzyme_const, n,
                          enzyme_dup, alpha, d_alpha, enzyme_dup, mu, d_mu, enzyme_dup, q, d_q, enzyme_dup, l, d_l,
                          enzyme_const, x, enzyme_const, gamma, enzyme_const, m, enzyme_dup, scratch, d_scratch);
}
inline void ba(const double* camera, const double* point, const double* weight, const double* feature, const double* seed,
               double* d_camera, double* d_point, double* d_weight) {
  __enzyme_autodiff<void>((void*)bench::ba::weighted_residual<double>, enzyme_dup, camera, d_camera, enzyme_dup, point, d_point,
                          enzyme_dup, weight, d_weight, enzyme_const, feature, enzyme_const, seed);
}
inline void hand(const double* theta, const bench::hand::Model& model, int count, const int* matches, const double* points,
                 double* scratch, double* d_theta, double* d_scratch) {
  __enzyme_autodiff<void>((void*)bench::hand::half_squared_error<double>, enzyme_dup, theta, d_theta, enzyme_const, &model,
                          enzyme_const, count, enzyme_const, matches, enzyme_const, points, enzyme_dup, scratch, d_scratch);
}

}  // namespace peer
