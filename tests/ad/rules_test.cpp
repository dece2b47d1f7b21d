// SPDX-License-Identifier: Apache-2.0
//
// Custom rules. Most rules here are wrong on purpose, so that what a transform used shows in the numbers.
#include "tlaloc/ad.hpp"

#include <gtest/gtest.h>

#include <cmath>

// A function of the C library, which nobody here can see the body of. Its rule stands beside a declaration.
extern "C" double j1(double) noexcept;
extern "C" TLALOC_VJP(bessel_vjp) TLALOC_JVP(bessel_jvp) double j0(double) noexcept;
double bessel_vjp(double x, double d_y) { return -j1(x) * d_y; }
double bessel_jvp(double x, double d_x) { return -j1(x) * d_x; }

namespace geometry {
double area_vjp(double r, double d_area);
TLALOC_VJP(area_vjp) inline double area(double r) { return 3 * r * r; }
inline double area_vjp(double r, double d_area) { return 100 * r * d_area; }

struct Ball { double r; int sides; float weight; };
std::tuple<Ball, double> volume_vjp(const Ball& b, int n, double scale, double d_volume);
Ball volume_slope(const Ball& b);
TLALOC_VJP(geometry::volume_vjp) inline double volume(const Ball& b, int n, double scale) { return b.r * b.weight * scale * n; }
inline std::tuple<Ball, double> volume_vjp(const Ball& b, int n, double scale, double d) {
  return {Ball{10 * d, 0, float(20 * d)}, 30 * d * n + scale + b.r};
}
}  // namespace geometry

namespace {

const auto square = tlaloc::custom_vjp([](double x) { return x * x; }, [](double x, double d_y) { return 5 * x * d_y; });

TEST(Rules, VjpReplacesTheDerivative) {
  EXPECT_EQ(square(3), 9);
  EXPECT_EQ(tlaloc::grad(square)(3.0), 15);
  EXPECT_EQ(tlaloc::value_and_grad(square)(3.0), (std::pair{9.0, 15.0}));
  EXPECT_EQ(tlaloc::vjp(square)(3.0, 2.0), 30);
  EXPECT_EQ(tlaloc::jacrev(square)(3.0), 15);
  const auto twice = square;
  EXPECT_EQ(tlaloc::grad([twice](double x) { return twice(twice(x)) * x; })(2.0), 16 + 2 * 5 * 4.0 * 5 * 2.0);
  EXPECT_EQ(tlaloc::grad(geometry::area)(2.0), 200);
  EXPECT_EQ(tlaloc::grad([](double r) { return geometry::area(r) + r; })(2.0), 201);
}
TEST(Rules, JvpAndBoth) {
  const auto forward = tlaloc::custom_jvp([](double x, int n) { return x * n; }, [](double x, int n, double d_x) { return 7 * x * n * d_x; });
  EXPECT_EQ(tlaloc::jvp(forward)(3.0, 2, 0.5), 21);
  EXPECT_EQ(tlaloc::jacfwd(forward)(3.0, 2), 42);
  const auto both = tlaloc::custom_jvp(square, [](double x, double d_x) { return 11 * x * d_x; });
  EXPECT_EQ(both(3), 9);
  EXPECT_EQ(tlaloc::jvp(both)(3.0, 1.0), 33);
  EXPECT_EQ(tlaloc::grad(both)(3.0), 15);
  // Forward over reverse: the rule's own body (5 x d_y) is differentiated.
  EXPECT_EQ(tlaloc::jvp(tlaloc::grad(both))(3.0, 1.0), 5);
  EXPECT_EQ(tlaloc::hessian(both)(3.0).at(0, 0), 5);
  EXPECT_EQ(tlaloc::grad(tlaloc::grad(both))(3.0), 5);
  EXPECT_EQ(tlaloc::grad(tlaloc::jvp<0>(both))(3.0, 1.0), (std::tuple{11.0, 33.0}));
}
TEST(Rules, Residuals) {
  // fwd's first is the value; what bwd knows of x is what fwd kept.
  struct Kept { double root; int n; };
  const auto root = tlaloc::custom_vjp([](double x, int n) { return std::sqrt(x) * n; },
                                       [](double x, int n) { const double r = std::sqrt(x); return std::pair{r * n, Kept{r, n}}; },
                                       [](const Kept& k, double d_y) { return 100 * k.root * k.n * d_y; });
  EXPECT_EQ(root(4.0, 3), 6);
  EXPECT_EQ(tlaloc::grad(root)(4.0, 3), 600);
  EXPECT_EQ(tlaloc::value_and_grad([root](double x) { double s = 0; for (int i = 1; i < 4; ++i) s += root(x * i * i, i); return s; })(1.0),
            (std::pair{1 + 4 + 9.0, 100.0 * (1 + 2 * 2 * 4 + 3 * 3 * 9)}));
}
TEST(Rules, WhatTheyHoldHasNoDerivative) {
  double scale = 4;
  auto scaled = tlaloc::custom_vjp([scale](double x) { return scale * x; }, [scale, bias = 0.5](double, double d) { return (scale + bias) * d; });
  EXPECT_EQ(tlaloc::grad(scaled)(3.0), 4.5);
  EXPECT_EQ(tlaloc::grad([scaled](double x) { return scaled(x) * 2; })(3.0), 9);
}
TEST(Rules, ArraysAndStructs) {
  using Pair = std::array<double, 2>;
  const auto turn = tlaloc::custom_vjp([](const Pair& x, double k) { return Pair{x[1] * k, -x[0] * k}; },
                                       [](const Pair& x, double k, const Pair& d) { return std::tuple{Pair{d[0] * 2, d[1] * 3}, x[0] * k}; });
  const auto [by_x, by_k] = tlaloc::grad([turn](const Pair& x, double k) { const Pair y = turn(x, k); return y[0] + 10 * y[1]; })(Pair{1.0, 2.0}, 3.0);
  EXPECT_EQ(by_x, (Pair{2, 30}));
  EXPECT_EQ(by_k, 3);
  const auto [by_ball, by_scale] = tlaloc::grad(geometry::volume)(geometry::Ball{2, 5, 3}, 4, 0.5);
  EXPECT_EQ(by_ball.r, 10);
  EXPECT_EQ(by_ball.sides, 0);
  EXPECT_EQ(by_ball.weight, 20);
  EXPECT_EQ(by_scale, 30 * 4 + 0.5 + 2);
}
TEST(Rules, FunctionsWithoutABody) {
  auto near = [](double got, double want) { EXPECT_NEAR(got, want, 1e-14); };
  near(tlaloc::grad(j0)(1.5), -std::cyl_bessel_j(1, 1.5));
  near(tlaloc::jvp([](double x) { return j0(x * x) * x; })(1.2, 1.0), std::cyl_bessel_j(0, 1.44) - 2 * 1.44 * std::cyl_bessel_j(1, 1.44));
  near(tlaloc::grad([](double x) { return j0(x * x) * x; })(1.2), std::cyl_bessel_j(0, 1.44) - 2 * 1.44 * std::cyl_bessel_j(1, 1.44));
  const auto j = tlaloc::grad(j0);
  j(1.0);
  EXPECT_NE(j.source().find("extern \"C\" double j1(double)"), std::string_view::npos) << j.source();
}
TEST(Rules, StopGradient) {
  EXPECT_EQ(tlaloc::stop_gradient(3.0), 3);
  EXPECT_EQ(tlaloc::grad([](double x) { return tlaloc::stop_gradient(x * x) * x; })(3.0), 9);
  EXPECT_EQ(tlaloc::jvp([](double x) { return tlaloc::stop_gradient(x) * x; })(3.0, 1.0), 3);
  EXPECT_EQ(tlaloc::grad([](std::array<double, 2> x) { return tlaloc::stop_gradient(x)[1] * x[0]; })(std::array{3.0, 4.0}), (std::array{4.0, 0.0}));
  EXPECT_EQ(tlaloc::hessian([](double x) { return tlaloc::stop_gradient(x) * x * x; })(3.0).at(0, 0), 6);
}
// A straight-through estimator: rounds, and lets the gradient pass as if it did not.
TEST(Rules, StraightThrough) {
  const auto rounded = tlaloc::custom_vjp([](double x) { return std::round(x); }, [](double, double d) { return d; });
  EXPECT_EQ(tlaloc::grad([rounded](double x) { return rounded(3 * x) * x; })(1.4), 4 + 3 * 1.4);
  const auto the_same = [](double x) { return (x + tlaloc::stop_gradient(std::round(x) - x)) * x; };
  EXPECT_EQ(tlaloc::grad(the_same)(1.4), 1 + 1.4);
}
// A rule that tests what it is given cannot have lanes; the Jacobian is right all the same.
TEST(Rules, ClippedCotangents) {
  const auto clip = tlaloc::custom_vjp([](double x) { return x; }, [](double, double d) { return d > 1 ? 1 : d < -1 ? -1 : d; });
  const auto f = [clip](const std::array<double, 2>& x) { return std::array{clip(x[0]) * 5, clip(x[1]) * 0.5, x[0] * x[1]}; };
  const auto j = tlaloc::jacrev(f)(std::array{2.0, 3.0});
  EXPECT_EQ(j, (std::array<std::array<double, 2>, 3>{{{1, 0}, {0, 0.5}, {3, 2}}}));
}

}  // namespace
