// SPDX-License-Identifier: Apache-2.0
#include "ba.hpp"
#include "inputs.hpp"
#include "problem.hpp"
#include "tlaloc/ad.hpp"
#include "tlaloc/sparse_jacobian.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

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
  p.derivative.resize(std::size_t(block) * observations);
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
  p.other = [each, out](double* gradient) {
    each([&](int i, const double* camera, const double* point, const double* weight, const double* feature) {
      ba::residual_jacobian(camera, point, weight, feature, out->data() + ba::kResiduals * i, gradient + std::size_t(block) * i);
    });
  };
  return p;
}

// The sparse Jacobian of all residuals, by all cameras, points and weights; its pattern is known. The blocks by hand are the
// same numbers but for the weights' own residuals.
static Problem ba_sparse(const Problem& blocks, int cameras, int points, int observations) {
  auto in = std::make_shared<BaInput>(cameras, points, observations);
  std::vector<double> x(in->camera);
  x.insert(x.end(), in->point.begin(), in->point.end());
  x.insert(x.end(), in->weight.begin(), in->weight.end());
  const auto jacobian = tlaloc::sparse_jacobian([in = in.get()](std::span<const double> x, std::span<double> r) {
    const double *camera = x.data(), *point = camera + ba::kCamera * in->cameras, *weight = point + ba::kPoint * in->points;
    ba::all_residuals<double>(in->observations, camera, point, weight, in->pairs.data(), in->feature.data(), r.data());
  });
  std::vector<double> r(std::size_t(ba::kResiduals * observations));
  Problem p = blocks;
  p.name += "_sparse";
  p.gradient = false;
  p.ours = [in, x, jacobian, r, pattern = jacobian.pattern(x, r)](double* out) mutable {
    const auto a = jacobian(pattern, x, r);
    const std::size_t points = std::size_t(ba::kCamera * in->cameras), weights = points + std::size_t(ba::kPoint * in->points);
    std::fill_n(out, std::size_t(block * in->observations), 0.0);
    for (int i = 0; i < in->observations; ++i)
      for (int e = 0; e < 2; ++e, out += ba::kInputs) {
        const std::size_t row = std::size_t(ba::kResiduals * i + e);
        for (std::size_t k = a.pattern.starts[row]; k < a.pattern.starts[row + 1]; ++k) {
          const std::size_t j = a.pattern.column_of[k];
          out[j < points ? j % ba::kCamera : j < weights ? ba::kCamera + (j - points) % ba::kPoint : ba::kCamera + ba::kPoint] = a.values[k];
        }
      }
  };
  return p;
}

std::vector<Problem> ba_problems() {
  std::vector<Problem> all;
  auto both = [&](std::string name, bool measured, int cameras, int points, int observations) {
    all.push_back(ba_problem(std::move(name), measured, cameras, points, observations));
    all.push_back(ba_sparse(all.back(), cameras, points, observations));
  };
  both("ba_5", false, 3, 4, 5);
  both("ba_10000", true, 20, 1000, 10000);
  return all;
}

}  // namespace bench
