// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "ode.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>

namespace bench {

namespace {
struct OdeWork {
  OdeInput in;
  std::vector<double> scratch = std::vector<double>(10 * in.n);  // by hand needs more than the primal
  std::vector<double> d_scratch = std::vector<double>(ode::scratch_size(in.n), 0.0);
  std::vector<double> path = std::vector<double>(in.n * in.steps);
};
}  // namespace

static Problem ode_problem(std::string name, bool measured, int n, int steps) {
  auto w = std::make_shared<OdeWork>(OdeWork{.in = OdeInput(n, steps)});
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.derivative.resize(n);
  p.ours_work = w->d_scratch.size();
  p.other_work = w->path.size() + w->scratch.size() - ode::scratch_size(n);
  p.primal = [w] {
    return ode::final_component<double>(w->in.n, w->in.steps, w->in.x.data(), w->scratch.data());
  };
  p.ours = [w](double* gradient) {
    const double* x = w->in.x.data();
    double* scratch = w->scratch.data();
    double* d_scratch = w->d_scratch.data();
    std::fill_n(gradient, w->in.n, 0.0);
    auto df = tlaloc::grad<"x">(tlaloc::fn<ode::final_component<double>>);
    df(w->in.n, w->in.steps, tlaloc::shadow(x, gradient), tlaloc::shadow(scratch, d_scratch));
  };
  p.other = [w](double* gradient) {
    ode::final_component_gradient(w->in.n, w->in.steps, w->in.x.data(), w->scratch.data(),
                                  w->path.data(), gradient);
  };
  return p;
}

static Problem ode_hvp(const Problem& gradient, int n, int steps) {
  auto w = std::make_shared<OdeWork>(OdeWork{.in = OdeInput(n, steps)});
  return hvp_of(gradient, [w, v = direction(std::size_t(n))](double* out) {
    const auto product = tlaloc::hvp<"x">(tlaloc::fn<ode::final_component<double>>)(
        w->in.n, w->in.steps, tlaloc::view(w->in.x.data(), w->in.x.size()),
        tlaloc::view(w->scratch.data(), std::size_t(ode::scratch_size(w->in.n))), v);
    std::copy(product.begin(), product.end(), out);
  });
}

std::vector<Problem> ode_problems() {
  std::vector<Problem> all;
  auto both = [&](std::string name, bool measured, int n, int steps) {
    all.push_back(ode_problem(std::move(name), measured, n, steps));
    all.push_back(ode_hvp(all.back(), n, steps));
  };
  both("ode_3_7", false, 3, 7);
  both("ode_20_2500", true, 20, 2500);
  return all;
}

}  // namespace bench
