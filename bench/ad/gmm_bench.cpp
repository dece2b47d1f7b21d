// SPDX-License-Identifier: Apache-2.0
#include "gmm.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

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
  p.derivative.resize(gmm::parameter_count(d, k));
  p.ours_work = w->d_scratch.size();
  p.other_work = w->products.size() + w->centred.size();
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
  p.other = [w](double* gradient) {
    const GmmInput& in = w->in;
    double *d_alpha = gradient, *d_mu = d_alpha + in.k, *d_q = d_mu + in.k * in.d, *d_l = d_q + in.k * in.d;
    gmm::log_posterior_gradient(in.d, in.k, in.n, in.alpha.data(), in.mu.data(), in.q.data(),
                                in.l.data(), in.x.data(), in.gamma, in.m, w->scratch.data(), d_alpha,
                                d_mu, d_q, d_l, w->products.data(), w->centred.data());
  };
  return p;
}

// Calls a second derivative, which returns what it computes: the selected arguments and the work array are views.
template <class D> auto of_views(const D& derivative, GmmWork& w, const auto&... more) {
  const GmmInput& in = w.in;
  auto view = [](auto& v) { return tlaloc::view(v.data(), v.size()); };
  return derivative(in.d, in.k, in.n, view(in.alpha), view(in.mu), view(in.q), view(in.l), in.x.data(), in.gamma, in.m, view(w.scratch), more...);
}

static Problem gmm_hvp(const Problem& gradient, int d, int k, int n) {
  auto w = std::make_shared<GmmWork>(GmmWork{.in = GmmInput(d, k, n)});
  const std::vector<double> v = direction(std::size_t(gmm::parameter_count(d, k)));
  auto at = v.begin();
  auto part = [&](const std::vector<double>& like) { return std::vector<double>(at, at += std::ptrdiff_t(like.size())); };
  const auto v_alpha = part(w->in.alpha), v_mu = part(w->in.mu), v_q = part(w->in.q), v_l = part(w->in.l);
  return hvp_of(gradient, [w, v_alpha, v_mu, v_q, v_l](double* out) {
    const auto product = of_views(tlaloc::hvp<"alpha", "mu", "q", "l">(tlaloc::fn<gmm::log_posterior<double>>), *w, v_alpha, v_mu, v_q, v_l);
    std::apply([&](const auto&... parts) { ((out = std::copy(parts.begin(), parts.end(), out)), ...); }, product);
  });
}

// Against its columns one after the other, which are Hessian-vector products.
static Problem gmm_hessian(std::string name, bool measured, int d, int k, int n) {
  auto w = std::make_shared<GmmWork>(GmmWork{.in = GmmInput(d, k, n)});
  const std::size_t size = std::size_t(gmm::parameter_count(d, k));
  Problem p = gmm_problem(std::move(name), measured, d, k, n);
  p.derivative.resize(size * size);
  p.gradient = false;
  p.ours_work = p.other_work = 0;
  p.ours = [w](double* out) {
    const auto m = of_views(tlaloc::hessian<"alpha", "mu", "q", "l">(tlaloc::fn<gmm::log_posterior<double>>), *w);
    std::copy(m.data().begin(), m.data().end(), out);
  };
  p.against = "columns";
  p.other = [w, size](double* out) {
    const GmmInput& in = w->in;
    std::vector<double> alpha(in.alpha.size()), mu(in.mu.size()), q(in.q.size()), l(in.l.size());
    std::size_t column = 0;
    for (auto* v : {&alpha, &mu, &q, &l})
      for (double& one : *v) {
        one = 1;
        const auto product = of_views(tlaloc::hvp<"alpha", "mu", "q", "l">(tlaloc::fn<gmm::log_posterior<double>>), *w, alpha, mu, q, l);
        one = 0;
        double* to = out + column++;
        auto write = [&](const std::vector<double>& part) {
          for (double x : part) *to = x, to += size;
        };
        std::apply([&](const auto&... parts) { (write(parts), ...); }, product);
      }
  };
  return p;
}

std::vector<Problem> gmm_problems() {
  std::vector<Problem> all;
  auto both = [&](std::string name, bool measured, int d, int k, int n) {
    all.push_back(gmm_problem(std::move(name), measured, d, k, n));
    all.push_back(gmm_hvp(all.back(), d, k, n));
  };
  both("gmm_2_3_10", false, 2, 3, 10);
  both("gmm_10_25_1000", true, 10, 25, 1000);
  both("gmm_32_50_1000", true, 32, 50, 1000);
  all.push_back(gmm_hessian("gmm_2_3_10_hessian", false, 2, 3, 10));
  all.push_back(gmm_hessian("gmm_5_5_100_hessian", true, 5, 5, 100));
  return all;
}

}  // namespace bench
