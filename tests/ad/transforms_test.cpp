// SPDX-License-Identifier: Apache-2.0
//
// Jacobians, Hessians and their nestings against JAX (tests/golden/nestings.py has the same functions in Python).
#include "tlaloc/ad.hpp"

#include "golden.hpp"

#include <cmath>
#include <map>
#include <string>

namespace {

const golden::Rows expect{{
#include "golden/nestings.inc"
}};

double wave(double x) { return x * std::sin(x) + std::exp(-x) / (1 + x * x); }
std::array<double, 2> pair(const std::array<double, 3>& x) { return {x[0] * x[1] + std::exp(x[2]), x[0] / x[2] + std::sin(x[1])}; }
double chain(const std::array<double, 4>& x) {
  double s = 1;
  for (double e : x) {
    s = s * std::sin(e) + e * e;
    if (s > 1) s = std::log(s) + e;
  }
  return s;
}
double power(double x, double y) { return std::pow(x, 3) * y + std::exp(x * y); }
double springs(const std::vector<double>& x) {
  double s = 0;
  for (std::size_t i = 1; i < x.size(); ++i) s += std::sin(x[i - 1] * x[i]);
  return s;
}

const std::array x3{0.7, -0.4, 1.3};
const std::array x4{0.3, -0.8, 1.1, 0.6}, v4{1.0, -0.5, 0.25, 2.0};
const std::vector x6{0.3, -0.4, 0.9, 1.3, -1.1, 0.2}, v6{0.5, 1.0, -0.75, 0.2, 0.1, -2.0};

TEST(Transforms, OfOneNumber) {
  expect("wave_1", tlaloc::jacfwd(wave)(0.7));
  expect("wave_1", tlaloc::jacrev(wave)(0.7));
  using tlaloc::grad, tlaloc::jacfwd, tlaloc::jacrev;
  expect("wave_4", jacfwd(jacfwd(jacfwd(jacfwd(wave))))(0.7));
  expect("wave_4", grad(jacfwd(grad(jacrev(wave))))(0.7));
  expect("wave_4", grad(grad(grad(grad(wave))))(0.7));
  expect("wave_4", tlaloc::hessian(jacrev(jacfwd(wave)))(0.7));
}
TEST(Transforms, Jacobians) {
  expect("pair_jacobian", tlaloc::jacfwd(pair)(x3));
  expect("pair_jacobian", tlaloc::jacrev(pair)(x3));
  expect("pair_second", tlaloc::jacfwd(tlaloc::jacrev(pair))(x3));
  expect("pair_second", tlaloc::jacrev(tlaloc::jacfwd(pair))(x3));
  expect("pair_third", tlaloc::jacfwd(tlaloc::jacrev(tlaloc::jacfwd(pair)))(x3));
  expect("power_blocks", tlaloc::jacfwd(power)(0.9, 0.4));
  expect("power_blocks", tlaloc::jacrev<"x", "y">(power)(0.9, 0.4));
}
TEST(Transforms, Hessians) {
  expect("chain_hessian", tlaloc::hessian(chain)(x4));
  expect("chain_hessian", tlaloc::jacfwd(tlaloc::grad(chain))(x4));
  expect("chain_hessian", tlaloc::jacrev(tlaloc::grad(chain))(x4));
  expect("chain_hessian_along", tlaloc::jvp(tlaloc::hessian(chain))(x4, v4));
  expect("chain_hvp", tlaloc::hvp(chain)(x4, v4));
  expect("power_hessian", tlaloc::hessian(power)(0.9, 0.4));
  expect("springs_hessian", tlaloc::hessian(springs)(x6));
  expect("springs_hvp", tlaloc::hvp(springs)(x6, v6));
}
TEST(Transforms, InsideDifferentiatedCode) {
  expect("entry", tlaloc::grad([](double t) {
           const auto j = tlaloc::jacfwd(pair)(std::array{t, 2 * t, t * t + 1});
           return j[0][1] * j[1][2];
         })(0.7));
  expect("trace", tlaloc::grad([](const std::vector<double>& x) {
           const auto h = tlaloc::hessian(springs)(x);
           double s = 0;
           for (std::size_t i = 0; i < x.size(); ++i) s += h.at(i, i) * h.at(i, 0);
           return s;
         })(x6));
  expect("chain_hvp_gradient", tlaloc::grad([](const std::array<double, 4>& x) {
           const auto p = tlaloc::hvp(chain)(x, v4);
           double s = 0;
           for (std::size_t i = 0; i < 4; ++i) s += p[i] * v4[i];
           return s;
         })(x4));
  expect("power_xxyy", tlaloc::jvp<1>(tlaloc::jvp<1>(tlaloc::jacfwd<0>(tlaloc::jacrev<0>(power))))(0.9, 0.4, 1.0, 1.0));
}

// What types say about results.
static_assert(std::is_same_v<decltype(tlaloc::jacfwd(wave)(0.7)), double>);
static_assert(std::is_same_v<decltype(tlaloc::jacrev(pair)(x3)), std::array<std::array<double, 3>, 2>>);
static_assert(std::is_same_v<decltype(tlaloc::jacfwd(power)(0.9, 0.4)), std::tuple<double, double>>);
static_assert(std::is_same_v<decltype(tlaloc::hvp(power)(0.9, 0.4, 1.0, 0.0)), std::tuple<double, double>>);
static_assert(std::is_same_v<decltype(tlaloc::hessian(power)(0.9, 0.4)), tlaloc::DenseMatrix<double>>);

// --- what a function may write ---
struct State { double position; double speed[2]; float mass; };
void step(State& s, double dt, double* work) {
  work[0] = s.speed[0] * dt;
  s.position = s.position + work[0] * s.mass;
  s.speed[1] = s.speed[0] * s.position;
}
void stretch(std::span<const double> x, double k, std::span<double> out) {
  for (std::size_t i = 0; i + 1 < x.size(); ++i) out[i] = std::sin(x[i + 1] - x[i]) * k;
}
TEST(Transforms, OutputsAreWhatIsWritten) {
  for (std::size_t n : {3u, 12u}) {
    std::vector<double> x(n), out(n - 1);
    for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(3.0 * double(i));
    auto check = [&](const auto& blocks) {
      const auto& [by_x, by_k] = blocks;
      ASSERT_EQ(by_x.rows(), n - 1);
      ASSERT_EQ(by_x.columns(), n);
      ASSERT_EQ(by_k.columns(), 1u);
      for (std::size_t r = 0; r + 1 < n; ++r) {
        const double c = 1.7 * std::cos(x[r + 1] - x[r]);
        for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(by_x.at(r, j), j == r ? -c : j == r + 1 ? c : 0, 1e-15);
        EXPECT_NEAR(by_k.at(r, 0), std::sin(x[r + 1] - x[r]), 1e-15);
        EXPECT_EQ(out[r], std::sin(x[r + 1] - x[r]) * 1.7);
      }
    };
    check(tlaloc::jacfwd(stretch)(std::span<const double>(x), 1.7, std::span(out)));
    std::fill(out.begin(), out.end(), 0.0);
    check(tlaloc::jacrev(stretch)(std::span<const double>(x), 1.7, std::span(out)));
  }
}
TEST(Transforms, AnOutputThatIsSelectedIsAnInputToo) {
  // Rows: position, speed[0], speed[1], mass, work[0]; columns: the state's four numbers.
  const double position = 0.5, speed = 2.0, dt = 0.25, mass = 3;
  const double moved = position + speed * dt * mass;
  const double want[5][4] = {{1, dt * mass, 0, speed * dt}, {0, 1, 0, 0}, {speed, moved + speed * dt * mass, 0, speed * speed * dt}, {0, 0, 0, 1}, {0, dt, 0, 0}};
  auto check = [&](const auto& j, const State& s, double work) {
    ASSERT_EQ(j.rows(), 5u);
    ASSERT_EQ(j.columns(), 4u);
    for (std::size_t r = 0; r < 5; ++r) for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(j.at(r, c), want[r][c], 1e-15) << r << " " << c;
    EXPECT_EQ(s.position, moved);
    EXPECT_EQ(work, speed * dt);
  };
  State s{position, {speed, 7}, float(mass)};
  double work = 0;
  check(tlaloc::jacfwd<0>(step)(s, dt, tlaloc::view(&work, 1)), s, work);
  s = {position, {speed, 7}, float(mass)}, work = 0;
  check(tlaloc::jacrev<0>(step)(s, dt, tlaloc::view(&work, 1)), s, work);
}

TEST(Transforms, SourceShowsLanes) {
  const auto j = tlaloc::jacfwd(pair);
  j(x3);
  const std::string text(j.source());
  EXPECT_NE(text.find("for (std::int64_t lane = 0; lane < 3; ++lane)"), std::string::npos) << text;
  EXPECT_EQ(text.find("std::exp("), text.rfind("std::exp(")) << "the function's own work is shared by the lanes\n" << text;
}

}  // namespace
