// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/check_grads.hpp"

#include <gtest/gtest.h>

namespace {

double f(double x, const std::vector<double>& w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (double e : w) s += std::sin(e * x) * std::exp(0.1 * i);
  return s;
}
std::array<double, 2> polar(std::array<double, 2> p) { return {p[0] * std::cos(p[1]), p[0] * std::sin(p[1])}; }
float single(float x) { return std::sqrt(x) * x; }
double dot(std::span<const double> a, std::span<const double> b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i] * b[i];
  return s;
}

void right(const tlaloc::gradient_report& r, std::size_t numbers) {
  EXPECT_TRUE(r.passed()) << r.text();
  EXPECT_EQ(r.count(tlaloc::gradient_report::right), numbers) << r.text();
  EXPECT_EQ(r.entries.size(), numbers);
}
const std::vector<double> w{0.3, -1.2, 2.0};

TEST(CheckGrads, Right) {
  right(tlaloc::check_grads(tlaloc::grad(f), 0.7, w, 3), 4);
  right(tlaloc::check_grads(tlaloc::value_and_grad<1>(f), 0.7, w, 3), 3);
  right(tlaloc::check_grads(tlaloc::jvp(f), 0.7, w, 3, 0.5, std::vector{1.0, 2.0, -1.0}), 1);
  right(tlaloc::check_grads(tlaloc::vjp(polar), std::array{2.0, 0.4}, std::array{1.5, -2.0}), 2);
  right(tlaloc::check_grads(tlaloc::jacfwd(polar), std::array{2.0, 0.4}), 4);
  right(tlaloc::check_grads(tlaloc::jacfwd(tlaloc::grad(f)), 0.7, w, 3), 16);
  right(tlaloc::check_grads(tlaloc::grad(single), 2.0f), 1);
  right(tlaloc::check_grads(tlaloc::grad(dot), std::span(w), std::span(w)), 6);
}
struct Spring { std::array<double, 2> at; int kind; double stiffness; };
double pull(const Spring& s, double by) { return s.stiffness * std::hypot(s.at[0] - by, s.at[1]) * s.kind; }
TEST(CheckGrads, Structs) {
  const Spring s{{0.3, 1.2}, 3, 0.8};
  right(tlaloc::check_grads(tlaloc::grad(pull), s, 0.4), 4);
  right(tlaloc::check_grads(tlaloc::jacrev(pull), s, 0.4), 4);
  right(tlaloc::check_grads(tlaloc::jvp(pull), s, 0.4, Spring{{1, -2}, 0, 0.5}, 0.25), 1);
  EXPECT_EQ(tlaloc::check_grads(tlaloc::grad(pull), s, 0.4).entries[2].place, "argument 0.2");
}
TEST(CheckGrads, SecondDerivatives) {
  const Spring s{{0.3, 1.2}, 3, 0.8};
  right(tlaloc::check_grads(tlaloc::hessian(f), 0.7, w, 3), 16);
  right(tlaloc::check_grads(tlaloc::hessian(pull), s, 0.4), 16);
  right(tlaloc::check_grads(tlaloc::hvp(f), 0.7, w, 3, 0.5, std::vector{1.0, 2.0, -1.0}), 4);
  right(tlaloc::check_grads(tlaloc::hessian<1>(f), 0.7, w, 3), 9);
  // The rule is right, its own derivative is not that of the second.
  const auto bad = tlaloc::custom_jvp(tlaloc::custom_vjp([](double x) { return x * x; }, [](double x, double d) { return (2 * x + tlaloc::stop_gradient(x * x) - x * x) * d; }), [](double x, double d) { return 2 * x * d; });
  const auto g = [bad](double x, double y) { return bad(x) * y; };
  right(tlaloc::check_grads(tlaloc::grad(g), 3.0, 1.5), 2);
  EXPECT_EQ(tlaloc::check_grads(tlaloc::hessian(g), 3.0, 1.5).count(tlaloc::gradient_report::wrong), 1u);
}
TEST(CheckGrads, Wrong) {
  const auto bad = tlaloc::custom_vjp([](double x) { return x * x; }, [](double x, double d) { return x * d; });
  const auto r = tlaloc::check_grads(tlaloc::grad([bad](double x, double y) { return bad(x) + y; }), 3.0, 1.0);
  EXPECT_FALSE(r.passed());
  EXPECT_EQ(r.count(tlaloc::gradient_report::wrong), 1u);
  EXPECT_NE(r.text().find("2 numbers against differences: 1 right, 1 wrong, 0 unsure\n  wrong:  argument 0: derivative 3, difference 6 +- "), std::string::npos) << r.text();
  // A relative error of a millionth is found.
  const auto nearly = tlaloc::custom_vjp([](double x) { return std::exp(x); }, [](double x, double d) { return std::exp(x) * d * (1 + 1e-6); });
  EXPECT_FALSE(tlaloc::check_grads(tlaloc::grad(nearly), 0.3).passed());
}
TEST(CheckGrads, Unsure) {
  const auto r = tlaloc::check_grads(tlaloc::grad([](double x, double y) { return std::fabs(x) * y + std::floor(y); }), 0.001, 1.0);
  EXPECT_EQ(r.entries[1].found, tlaloc::gradient_report::unsure) << r.text();     // a step of floor
  const auto nan = tlaloc::check_grads(tlaloc::grad([](double x) { return std::sqrt(x); }), -1.0);
  EXPECT_FALSE(nan.passed());
}

}  // namespace
