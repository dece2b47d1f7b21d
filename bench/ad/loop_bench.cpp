// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "loop.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <memory>
#include <tuple>

namespace bench {

static Problem loop_problem(std::string name, bool measured, int n) {
  auto in = std::make_shared<LoopInput>(LoopInput{n});
  auto orbit = std::make_shared<std::vector<double>>(n);
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.derivative.resize(3);
  p.other_work = orbit->size();
  p.primal = [in] { return loop::mean_of_orbit<double>(in->n, in->a, in->b, in->start); };
  p.ours = [in](double* gradient) {
    auto df = tlaloc::grad<"a", "b", "start">(tlaloc::fn<loop::mean_of_orbit<double>>);
    const auto [d_a, d_b, d_start] = df(in->n, in->a, in->b, in->start);
    gradient[0] = d_a;
    gradient[1] = d_b;
    gradient[2] = d_start;
  };
  p.other = [in, orbit](double* gradient) {
    loop::mean_of_orbit_gradient(in->n, in->a, in->b, in->start, orbit->data(), gradient);
  };
  return p;
}

static Problem loop_hvp(const Problem& gradient, int n) {
  return hvp_of(gradient, [in = LoopInput{n}, v = direction(3)](double* out) {
    const auto hv = tlaloc::hvp<"a", "b", "start">(tlaloc::fn<loop::mean_of_orbit<double>>);
    std::tie(out[0], out[1], out[2]) = hv(in.n, in.a, in.b, in.start, v[0], v[1], v[2]);
  });
}

std::vector<Problem> loop_problems() {
  std::vector<Problem> all;
  auto both = [&](std::string name, bool measured, int n) {
    all.push_back(loop_problem(std::move(name), measured, n));
    all.push_back(loop_hvp(all.back(), n));
  };
  both("loop_50", false, 50);
  both("loop_1000000", true, 1000000);
  return all;
}

}  // namespace bench
