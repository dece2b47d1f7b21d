// SPDX-License-Identifier: Apache-2.0
#include "gmm.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>

namespace bench {

namespace {
struct GmmWork {
  GmmInput in;
  std::vector<double> scratch = std::vector<double>(gmm::scratch_size(in.d, in.k));
  std::vector<double> d_scratch = std::vector<double>(gmm::scratch_size(in.d, in.k), 0.0);
  std::vector<double> products = std::vector<double>(in.k * in.d);
  std::vector<double> centred = std::vector<double>(in.k * in.d);
};
}  // namespace

static Problem gmm_problem(std::string name, bool measured, int d, int k, int n) {
  auto w = std::make_shared<GmmWork>(GmmWork{.in = GmmInput(d, k, n)});
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.gradient.resize(gmm::parameter_count(d, k));
  p.ours_work = w->d_scratch.size();
  p.by_hand_work = w->products.size() + w->centred.size();
  p.primal = [w] {
    const GmmInput& in = w->in;
    return gmm::log_posterior<double>(in.d, in.k, in.n, in.alpha.data(), in.mu.data(), in.q.data(),
                                      in.l.data(), in.x.data(), in.gamma, in.m, w->scratch.data());
  };
  p.ours = [w](double* gradient) {
    const GmmInput& in = w->in;
    const double *alpha = in.alpha.data(), *mu = in.mu.data(), *q = in.q.data(), *l = in.l.data();
    double *scratch = w->scratch.data(), *d_scratch = w->d_scratch.data();
    double *d_alpha = gradient, *d_mu = d_alpha + in.k, *d_q = d_mu + in.k * in.d, *d_l = d_q + in.k * in.d;
    std::fill_n(gradient, gmm::parameter_count(in.d, in.k), 0.0);
    auto df = tlaloc::grad<"alpha", "mu", "q", "l">(tlaloc::fn<gmm::log_posterior<double>>);
    df(in.d, in.k, in.n, tlaloc::shadow(alpha, d_alpha), tlaloc::shadow(mu, d_mu), tlaloc::shadow(q, d_q),
       tlaloc::shadow(l, d_l), in.x.data(), in.gamma, in.m, tlaloc::shadow(scratch, d_scratch));
  };
  p.by_hand = [w](double* gradient) {
    const GmmInput& in = w->in;
    double *d_alpha = gradient, *d_mu = d_alpha + in.k, *d_q = d_mu + in.k * in.d, *d_l = d_q + in.k * in.d;
    gmm::log_posterior_gradient(in.d, in.k, in.n, in.alpha.data(), in.mu.data(), in.q.data(),
                                in.l.data(), in.x.data(), in.gamma, in.m, w->scratch.data(), d_alpha,
                                d_mu, d_q, d_l, w->products.data(), w->centred.data());
  };
  return p;
}

std::vector<Problem> gmm_problems() {
  return {gmm_problem("gmm_2_3_10", false, 2, 3, 10), gmm_problem("gmm_10_25_1000", true, 10, 25, 1000),
          gmm_problem("gmm_32_50_1000", true, 32, 50, 1000)};
}

}  // namespace bench
