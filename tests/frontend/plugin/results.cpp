// SPDX-License-Identifier: Apache-2.0
//
// Functions that return vectors: of numbers, of structs, of Eigen's. Their Jacobians and products
// with them, in closed form.
#include <tlaloc/ad.hpp>

#include <eigen3/Eigen/Dense>

#include <array>
#include <complex>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

std::vector<double> powers(const std::vector<double>& x, double y) {
  std::vector<double> r;
  for (std::size_t i = 0; i < x.size(); ++i) {
    r.push_back(x[i] * x[i] * y);
    if (i % 2 == 0)
      r.push_back(x[i] + y);
  }
  return r;
}
struct Point {
  double x, y;
};
std::vector<Point> orbit(double radius, double speed, int n) {
  std::vector<Point> path(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    path[static_cast<std::size_t>(i)] = {radius * std::cos(speed * i),
                                         radius * std::sin(speed * i)};
  return path;
}
std::vector<std::pair<double, std::array<double, 2>>> mixed(double a) {
  return {{a, {a * a, 1}}, {2 * a, {a * a * a, a}}};
}
std::vector<std::complex<double>> roots(double a) { return {{a, a * a}, {1, -a}}; }
Eigen::VectorXd stretched(const Eigen::VectorXd& v, double a) {
  return a * v.array().square().matrix();
}

template <class Jacobian> void of_powers(const Jacobian& jacobian) {
  const std::vector<double> x{2, 3, -1};
  const double y = 0.5;
  const auto [by_x, by_y] = jacobian(x, y);
  const double want_x[5][3] = {{2, 0, 0}, {1, 0, 0}, {0, 3, 0}, {0, 0, -1}, {0, 0, 1}},
               want_y[5] = {4, 1, 9, 1, 1};
  EXPECT_EQ(by_x.rows(), 5u);
  EXPECT_EQ(by_x.columns(), 3u);
  EXPECT_EQ(by_y.rows(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_DOUBLE_EQ(by_x.at(i, j), want_x[i][j]);
    EXPECT_DOUBLE_EQ(by_y.at(i, 0), want_y[i]);
  }
}
TEST(Results, JacobianOfVector) {
  of_powers(tlaloc::jacfwd(powers));
  of_powers(tlaloc::jacrev(powers));
}
template <class Jacobian> void of_orbit(const Jacobian& jacobian) {
  const auto [by_radius, by_speed] = jacobian(2.0, 0.3, 7);
  EXPECT_EQ(by_radius.rows(), 14u);
  EXPECT_EQ(by_speed.rows(), 14u);
  for (int i = 0; i < 7; ++i) {
    const auto k = static_cast<std::size_t>(2 * i);
    EXPECT_DOUBLE_EQ(by_radius.at(k, 0), std::cos(0.3 * i));
    EXPECT_DOUBLE_EQ(by_radius.at(k + 1, 0), std::sin(0.3 * i));
    EXPECT_DOUBLE_EQ(by_speed.at(k, 0), -2.0 * i * std::sin(0.3 * i));
    EXPECT_DOUBLE_EQ(by_speed.at(k + 1, 0), 2.0 * i * std::cos(0.3 * i));
  }
}
TEST(Results, VectorOfStructs) {
  of_orbit(tlaloc::jacfwd(orbit));
  of_orbit(tlaloc::jacrev(orbit));
  const auto [path, along] = tlaloc::value_and_jvp(orbit)(2.0, 0.3, 4, 1.0, 0.5);
  EXPECT_EQ(path.size(), 4u);
  EXPECT_EQ(along.size(), 4u);
  EXPECT_DOUBLE_EQ(path[3].y, 2 * std::sin(0.3 * 3));
  EXPECT_DOUBLE_EQ(along[3].y, std::sin(0.3 * 3) + 3 * std::cos(0.3 * 3));
  const std::vector<Point> weights{{1, 1}, {0, 2}, {0, 0}};
  const auto [by_radius, by_speed] = tlaloc::vjp(orbit)(2.0, 0.3, 3, weights);
  EXPECT_DOUBLE_EQ(by_radius, 1 + 2 * std::sin(0.3));
  EXPECT_DOUBLE_EQ(by_speed, 4 * std::cos(0.3));
}
TEST(Results, NestedElements) {
  const auto d = tlaloc::jvp(mixed)(3.0, 1.0);
  EXPECT_EQ(d.size(), 2u);
  EXPECT_DOUBLE_EQ(d[0].first, 1);
  EXPECT_DOUBLE_EQ(d[0].second[0], 6);
  EXPECT_EQ(d[0].second[1], 0);
  EXPECT_DOUBLE_EQ(d[1].second[0], 27);
  EXPECT_DOUBLE_EQ(d[1].second[1], 1);
  const auto c = tlaloc::jvp(roots)(3.0, 1.0);
  EXPECT_EQ(c[0], std::complex(1.0, 6.0));
  EXPECT_EQ(c[1], std::complex(0.0, -1.0));
}
template <class Jacobian> void of_stretched(const Jacobian& jacobian) {
  const Eigen::VectorXd v = Eigen::Vector3d(1, -2, 3);
  const auto [by_v, by_a] = jacobian(v, 0.5);
  EXPECT_EQ(by_v.rows(), 3u);
  EXPECT_EQ(by_v.columns(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(by_v.at(i, j), i == j ? v(Eigen::Index(i)) : 0);
    EXPECT_EQ(by_a.at(i, 0), v(Eigen::Index(i)) * v(Eigen::Index(i)));
  }
}
TEST(Results, VectorOfEigen) {
  of_stretched(tlaloc::jacfwd(stretched));
  of_stretched(tlaloc::jacrev(stretched));
}

} // namespace

int main() { return check::run(); }
