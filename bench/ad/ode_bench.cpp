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
  p.gradient.resize(n);
  p.ours_work = w->d_scratch.size();
  p.by_hand_work = w->path.size() + w->scratch.size() - ode::scratch_size(n);
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
  p.by_hand = [w](double* gradient) {
    ode::final_component_gradient(w->in.n, w->in.steps, w->in.x.data(), w->scratch.data(),
                                  w->path.data(), gradient);
  };
  return p;
}

std::vector<Problem> ode_problems() {
  return {ode_problem("ode_3_7", false, 3, 7), ode_problem("ode_20_2500", true, 20, 2500)};
}

}  // namespace bench
