// SPDX-License-Identifier: Apache-2.0
#include "hand.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>

namespace bench {

static Problem hand_problem(std::string name, bool measured, int vertices, int count) {
  auto in = std::make_shared<HandInput>(vertices, count);
  const std::size_t room = std::size_t(hand::scratch_size(vertices) + 3 * count);
  auto scratch = std::make_shared<std::vector<double>>(room), d_scratch = std::make_shared<std::vector<double>>(room, 0.0);
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.gradient.resize(hand::kTheta);
  p.ours_work = room;
  p.primal = [in, scratch] {
    return hand::half_squared_error<double>(in->theta.data(), in->model, in->count, in->matches.data(), in->points.data(),
                                            scratch->data());
  };
  p.ours = [in, scratch, d_scratch](double* gradient) {
    const double* theta = in->theta.data();
    std::fill_n(gradient, hand::kTheta, 0.0);
    auto df = tlaloc::grad<"theta">(tlaloc::fn<hand::half_squared_error<double>>);
    df(tlaloc::shadow(theta, gradient), in->model, in->count, in->matches.data(), in->points.data(),
       tlaloc::shadow(scratch->data(), d_scratch->data()));
  };
  auto work = std::make_shared<std::vector<double>>(std::size_t(hand::gradient_work_size(vertices)));
  p.by_hand_work = work->size();
  p.by_hand = [in, scratch, work](double* gradient) {
    hand::half_squared_error_gradient(in->theta.data(), in->model, in->count, in->matches.data(), in->points.data(),
                                      scratch->data(), work->data(), gradient);
  };
  return p;
}

std::vector<Problem> hand_problems() {
  return {hand_problem("hand_50_10", false, 50, 10), hand_problem("hand_500_200", true, 500, 200)};
}

}  // namespace bench
