// SPDX-License-Identifier: Apache-2.0
//
// Sparse Jacobians and Hessians: the patterns are those that the problem has by construction, the numbers those of dense ones.
#include "tlaloc/sparse_jacobian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;
Pairs pairs(const tlaloc::SparsePattern& p) {
  Pairs r;
  for (std::size_t i = 0; i < p.rows(); ++i) {
    EXPECT_TRUE(std::is_sorted(p.row(i).begin(), p.row(i).end()));
    for (std::size_t j : p.row(i)) r.insert({i, j});
  }
  EXPECT_EQ(r.size(), p.entries());
  for (std::size_t i = 0; i < p.rows(); ++i) {
    std::set<std::size_t> seen;
    for (std::size_t j : p.row(i)) EXPECT_TRUE(p.colour_of[j] < p.colours && seen.insert(p.colour_of[j]).second) << "row " << i << " has a colour twice";
  }
  return r;
}

// --- bundle adjustment: cameras (rotation, position, focal length), points, and who sees whom ---
constexpr std::size_t camera = 7, point = 3;
struct Scene {
  std::size_t cameras, points;
  std::vector<int> seen_by, seen;                 // of each observation
  void operator()(std::span<const double> x, std::span<double> r) const {
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const double* c = &x[camera * std::size_t(seen_by[k])];
      const double* p = &x[camera * cameras + point * std::size_t(seen[k])];
      const double angle = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
      const double cs = std::cos(angle), sn = std::sin(angle) / angle, d = (c[0] * p[0] + c[1] * p[1] + c[2] * p[2]) * (1 - cs) / (angle * angle);
      double q[3];
      q[0] = p[0] * cs + (c[1] * p[2] - c[2] * p[1]) * sn + c[0] * d + c[3];
      q[1] = p[1] * cs + (c[2] * p[0] - c[0] * p[2]) * sn + c[1] * d + c[4];
      q[2] = p[2] * cs + (c[0] * p[1] - c[1] * p[0]) * sn + c[2] * d + c[5];
      r[2 * k] = c[6] * q[0] / q[2];
      r[2 * k + 1] = c[6] * q[1] / q[2];
    }
  }
};
struct Problem {
  Scene scene;
  std::vector<double> x, r;
  Pairs pattern = {};
  explicit Problem(std::size_t cameras, std::size_t points, std::size_t sights) : scene{cameras, points, {}, {}} {
    unsigned state = 7;
    auto random = [&](std::size_t n) { state = state * 1103515245u + 12345u; return std::size_t(state >> 16) % n; };
    for (std::size_t p = 0; p < points; ++p)
      for (std::size_t k = 0; k < sights; ++k) scene.seen.push_back(int(p)), scene.seen_by.push_back(int((p + k * (1 + random(3))) % cameras));
    x.resize(cameras * camera + points * point);
    r.resize(2 * scene.seen.size());
    for (double& e : x) e = 0.1 + double(random(1000)) / 1000;
    for (std::size_t c = 0; c < cameras; ++c) x[c * camera + 5] += 4;
    for (std::size_t k = 0; k < scene.seen.size(); ++k)
      for (std::size_t row : {2 * k, 2 * k + 1}) {
        for (std::size_t j = 0; j < camera; ++j)    // a coordinate of the picture does not see the other's shift
          if (j != (row == 2 * k ? 4u : 3u)) pattern.insert({row, camera * std::size_t(scene.seen_by[k]) + j});
        for (std::size_t j = 0; j < point; ++j) pattern.insert({row, cameras * camera + point * std::size_t(scene.seen[k]) + j});
      }
  }
};

TEST(Sparse, BundleAdjustmentHasThePatternOfItsSights) {
  for (auto [cameras, points] : {std::pair{3u, 5u}, {12u, 60u}, {60u, 1000u}}) {     // up to 3420 unknowns: three levels of groups
    Problem p(cameras, points, 2);
    const auto J = tlaloc::sparse_jacobian(p.scene);
    const auto m = J(p.x, p.r);
    EXPECT_EQ(pairs(m.pattern), p.pattern);
    EXPECT_LE(m.pattern.colours, 40u);
    if (p.x.size() > 500) continue;
    const std::vector<double> r = p.r;
    const auto dense = tlaloc::jacrev<0>(p.scene)(p.x, std::span(p.r));
    EXPECT_EQ(r, p.r);
    for (std::size_t i = 0; i < p.r.size(); ++i)
      for (std::size_t j = 0; j < p.x.size(); ++j) EXPECT_NEAR(m.at(i, j), dense.at(i, j), 1e-13 * std::max(1.0, std::fabs(dense.at(i, j)))) << i << " " << j;
    // The pattern again, at another place.
    for (double& e : p.x) e += 0.01;
    const auto again = J(m.pattern, p.x, p.r);
    const auto there = tlaloc::jacrev<0>(p.scene)(p.x, std::span(p.r));
    for (std::size_t i = 0; i < p.r.size(); ++i)
      for (std::size_t k = m.pattern.starts[i]; k < m.pattern.starts[i + 1]; ++k) EXPECT_NEAR(again.values[k], there.at(i, m.pattern.column_of[k]), 1e-12);
  }
}
// What has no derivative, what is overwritten and what is in the other branch is no entry; memory and calls are followed.
double twice(double a, int depth) { return depth ? twice(a * 0.5, depth - 1) : a; }
TEST(Sparse, DependenceIsThatOfTheProgram) {
  const auto f = [](std::span<const double> x, std::span<double> r) {
    std::vector<double> kept;
    for (double e : x) kept.push_back(e * e);
    double last = x[0];
    last = x[1];
    r[0] = last + std::floor(x[2]);
    r[1] = x[3] > 0 ? x[4] : x[5];
    if (x[3] < 0) r[2] = x[6]; else r[2] = twice(x[7], 3) * kept.back();
    r[3] = 0;
    for (std::size_t i = 0; i < 3; ++i) r[3] += kept[i + 4];
    r[4] = double(int(x[5])) + tlaloc::stop_gradient(x[6]);
    r[5] = kept[std::size_t(x[0])];
  };
  const std::vector<double> x{2, 1, 1, 1, 1, 1, 1, 1, 5};
  std::vector<double> r(6);
  EXPECT_EQ(pairs(tlaloc::sparse_jacobian(f).pattern(x, r)), (Pairs{{0, 1}, {1, 4}, {2, 7}, {2, 8}, {3, 4}, {3, 5}, {3, 6}, {5, 2}}));
}
TEST(Sparse, NothingAndOne) {
  std::vector<double> none, one{3}, r(2);
  const auto f = [](std::span<const double> x, std::span<double> y) { y[1] = x.empty() ? 1 : x[0] * x[0]; };
  EXPECT_EQ(tlaloc::sparse_jacobian(f)(none, r).pattern.rows(), 2u);
  const auto m = tlaloc::sparse_jacobian(f)(one, r);
  EXPECT_EQ(pairs(m.pattern), (Pairs{{1, 0}}));
  EXPECT_EQ(m.at(1, 0), 6);
  EXPECT_EQ(m.at(0, 0), 0);
}
TEST(Sparse, HessianOfAChain) {
  const auto energy = [](std::span<const double> x) {
    double s = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) s += std::sin(x[i] * x[i + 1]) + x[i];
    return s;
  };
  for (std::size_t n : {1u, 2u, 9u, 120u}) {
    std::vector<double> x(n);
    Pairs want;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::cos(double(i));
      for (std::size_t j = i ? i - 1 : 0; j < std::min(n, i + 2) && n > 1; ++j) want.insert({i, j});
    }
    const auto m = tlaloc::sparse_hessian(energy)(x);
    EXPECT_EQ(pairs(m.pattern), want);
    EXPECT_LE(m.pattern.colours, 3u);
    const auto dense = tlaloc::hessian(energy)(std::span<const double>(x));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(m.at(i, j), dense.at(i, j), 1e-14);
  }
}

}  // namespace
