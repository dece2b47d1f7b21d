// SPDX-License-Identifier: Apache-2.0
#include "hand.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

namespace bench {

static Problem hand_problem(std::string name, bool measured, int vertices, int count) {
  auto in = std::make_shared<HandInput>(vertices, count);
  const std::size_t room = std::size_t(hand::scratch_size(vertices) + 3 * count);
  auto scratch = std::make_shared<std::vector<double>>(room), d_scratch = std::make_shared<std::vector<double>>(room, 0.0);
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.derivative.resize(hand::kTheta);
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
  p.other_work = work->size();
  p.other = [in, scratch, work](double* gradient) {
    hand::half_squared_error_gradient(in->theta.data(), in->model, in->count, in->matches.data(), in->points.data(),
                                      scratch->data(), work->data(), gradient);
  };
  return p;
}

static Problem hand_hvp(const Problem& gradient, int vertices, int count) {
  auto in = std::make_shared<HandInput>(vertices, count);
  auto scratch = std::make_shared<std::vector<double>>(std::size_t(hand::scratch_size(vertices) + 3 * count));
  return hvp_of(gradient, [in, scratch, v = direction(hand::kTheta)](double* out) {
    const auto product = tlaloc::hvp<"theta">(tlaloc::fn<hand::half_squared_error<double>>)(
        tlaloc::view(in->theta.data(), in->theta.size()), in->model, in->count, in->matches.data(), in->points.data(),
        tlaloc::view(scratch->data(), scratch->size()), v);
    std::copy(product.begin(), product.end(), out);
  });
}

namespace {
using Theta = std::array<double, hand::kTheta>;
void residuals(const Theta& theta, const hand::Model& model, int count, const int* matches, const double* points, std::span<double> out) {
  std::vector<double> scratch(std::size_t(hand::scratch_size(model.vertices)));
  hand::residuals(theta.data(), model, count, matches, points, scratch.data(), out.data());
}
}  // namespace

// All residuals by theta; nobody wrote it by hand.
static Problem hand_jacobian(std::string name, bool measured, int vertices, int count) {
  auto in = std::make_shared<HandInput>(vertices, count);
  auto theta = std::make_shared<Theta>();
  std::copy(in->theta.begin(), in->theta.end(), theta->begin());
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.derivative.resize(std::size_t(3 * count * hand::kTheta));
  p.gradient = false;
  p.primal = [in, theta, r = std::vector<double>(std::size_t(3 * count))]() mutable {
    residuals(*theta, in->model, in->count, in->matches.data(), in->points.data(), r);
    double sum = 0;
    for (double x : r) sum += x;
    return sum;
  };
  p.ours = [in, theta, r = std::vector<double>(std::size_t(3 * count))](double* out) mutable {
    const auto m = tlaloc::jacfwd<0>(tlaloc::fn<residuals>)(*theta, in->model, in->count, in->matches.data(), in->points.data(), std::span(r));
    std::copy(m.data().begin(), m.data().end(), out);
  };
  return p;
}

std::vector<Problem> hand_problems() {
  std::vector<Problem> all;
  auto three = [&](std::string name, bool measured, int vertices, int count) {
    all.push_back(hand_problem(name, measured, vertices, count));
    all.push_back(hand_hvp(all.back(), vertices, count));
    all.push_back(hand_jacobian(name + "_jacobian", measured, vertices, count));
  };
  three("hand_50_10", false, 50, 10);
  three("hand_500_200", true, 500, 200);
  return all;
}

}  // namespace bench
