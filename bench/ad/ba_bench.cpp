// SPDX-License-Identifier: Apache-2.0
#include "ba.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"

#include <algorithm>
#include <memory>

namespace bench {

namespace {
constexpr int block = 2 * ba::kInputs;  // the Jacobian of the two reprojection errors of one observation

// One row of an observation's block: the cotangent picks the residual.
void row(const double* camera, const double* point, const double* weight, const double* feature, int which, double* out) {
  double residual[ba::kResiduals], seed[ba::kResiduals] = {};
  seed[which] = 1.0;
  auto pullback = tlaloc::vjp<"camera", "point", "weight">(tlaloc::fn<ba::residuals<double>>);
  pullback(tlaloc::shadow(camera, out), tlaloc::shadow(point, out + ba::kCamera),
           tlaloc::shadow(weight, out + ba::kCamera + ba::kPoint), feature,
           tlaloc::shadow(static_cast<double*>(residual), static_cast<double*>(seed)));
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
      double* jacobian = gradient + std::size_t(block) * i;
      std::fill_n(jacobian, block, 0.0);
      row(camera, point, weight, feature, 0, jacobian);
      row(camera, point, weight, feature, 1, jacobian + ba::kInputs);
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
