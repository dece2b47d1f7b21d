// SPDX-License-Identifier: Apache-2.0
#include "ba.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace bench {

namespace {
constexpr int block = 2 * ba::kInputs;  // the Jacobian of the two reprojection errors of one observation

// The two reprojection errors, by all inputs of the observation: camera, point, weight.
std::array<double, 2> errors(const std::array<double, ba::kInputs>& inputs, const double* feature) {
  const double* camera = inputs.data();
  double residual[ba::kResiduals];
  ba::residuals(camera, camera + ba::kCamera, camera + ba::kCamera + ba::kPoint, feature, residual);
  return {residual[0], residual[1]};
}
}  // namespace

static Problem ba_problem(std::string name, bool measured, int cameras, int points, int observations) {
  auto in = std::make_shared<BaInput>(cameras, points, observations);
  auto out = std::make_shared<std::vector<double>>(ba::kResiduals * observations);
  auto each = [in](auto visit) {
    for (int i = 0; i < in->observations; ++i)
      visit(i, in->camera.data() + ba::kCamera * in->pairs[2 * i], in->point.data() + ba::kPoint * in->pairs[2 * i + 1],
            in->weight.data() + i, in->feature.data() + 2 * i);
  };
  Problem p;
  p.name = std::move(name);
  p.measured = measured;
  p.gradient.resize(std::size_t(block) * observations);
  p.primal = [in, out] {
    ba::all_residuals<double>(in->observations, in->camera.data(), in->point.data(), in->weight.data(), in->pairs.data(),
                              in->feature.data(), out->data());
    double sum = 0;
    for (double x : *out) sum += x;
    return sum;
  };
  p.ours = [each](double* gradient) {
    each([&](int i, const double* camera, const double* point, const double* weight, const double* feature) {
      std::array<double, ba::kInputs> inputs;
      std::copy_n(camera, ba::kCamera, inputs.begin());
      std::copy_n(point, ba::kPoint, inputs.begin() + ba::kCamera);
      inputs.back() = *weight;
      const auto jacobian = tlaloc::jacrev<"inputs">(tlaloc::fn<errors>)(inputs, feature);
      double* to = gradient + std::size_t(block) * i;
      for (auto& row : jacobian) to = std::copy(row.begin(), row.end(), to);
    });
  };
  p.by_hand = [each, out](double* gradient) {
    each([&](int i, const double* camera, const double* point, const double* weight, const double* feature) {
      ba::residual_jacobian(camera, point, weight, feature, out->data() + ba::kResiduals * i, gradient + std::size_t(block) * i);
    });
  };
  return p;
}

std::vector<Problem> ba_problems() { return {ba_problem("ba_5", false, 3, 4, 5), ba_problem("ba_10000", true, 20, 1000, 10000)}; }

}  // namespace bench
