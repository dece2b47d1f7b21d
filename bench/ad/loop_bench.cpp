// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "loop.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <memory>

namespace bench {

static Problem loop_problem(std::string name, bool measured, int n) {
  auto in = std::make_shared<LoopInput>(LoopInput{n});
  auto orbit = std::make_shared<std::vector<double>>(n);
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.gradient.resize(3);
  p.by_hand_work = orbit->size();
  p.primal = [in] { return loop::mean_of_orbit<double>(in->n, in->a, in->b, in->start); };
  p.ours = [in](double* gradient) {
    auto df = tlaloc::grad<"a", "b", "start">(tlaloc::fn<loop::mean_of_orbit<double>>);
    const auto [d_a, d_b, d_start] = df(in->n, in->a, in->b, in->start);
    gradient[0] = d_a;
    gradient[1] = d_b;
    gradient[2] = d_start;
  };
  p.by_hand = [in, orbit](double* gradient) {
    loop::mean_of_orbit_gradient(in->n, in->a, in->b, in->start, orbit->data(), gradient);
  };
  return p;
}

std::vector<Problem> loop_problems() {
  return {loop_problem("loop_50", false, 50), loop_problem("loop_1000000", true, 1000000)};
}

}  // namespace bench
