// SPDX-License-Identifier: Apache-2.0
//
// The six transforms on functions with known derivatives: what each takes and returns.
#include <tlaloc/ad.hpp>

#include <cmath>

#include "check.hpp"

namespace {

double product(double x, double y, int n) { return n * x * std::sin(y); }
struct Point { double x, y; int tag; };
Point polar(double r, double phi) { return {r * std::cos(phi), r * std::sin(phi), 7}; }
void scale(const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 3 * x[i] * x[i];
}
float single(float x) { return x * x * x; }

const double x = 1.5, y = 0.25;
const int n = 4;
const double by_x = n * std::sin(y), by_y = n * x * std::cos(y), value = n * x * std::sin(y);

TEST(Modes, Grad) {
  const auto [dx, dy] = tlaloc::grad(product)(x, y, n);
  EXPECT_DOUBLE_EQ(dx, by_x);
  EXPECT_DOUBLE_EQ(dy, by_y);
}
TEST(Modes, ValueAndGrad) {
  const auto [v, g] = tlaloc::value_and_grad(product)(x, y, n);
  EXPECT_DOUBLE_EQ(v, value);
  EXPECT_DOUBLE_EQ(std::get<0>(g), by_x);
  EXPECT_DOUBLE_EQ(std::get<1>(g), by_y);
}
TEST(Modes, Jvp) {
  EXPECT_DOUBLE_EQ(tlaloc::jvp(product)(x, y, n, 2.0, -1.0), 2 * by_x - by_y);
}
TEST(Modes, ValueAndJvp) {
  const auto [v, d] = tlaloc::value_and_jvp(product)(x, y, n, 2.0, -1.0);
  EXPECT_DOUBLE_EQ(v, value);
  EXPECT_DOUBLE_EQ(d, 2 * by_x - by_y);
}
TEST(Modes, Vjp) {
  const auto [dx, dy] = tlaloc::vjp(product)(x, y, n, 10.0);
  EXPECT_DOUBLE_EQ(dx, 10 * by_x);
  EXPECT_DOUBLE_EQ(dy, 10 * by_y);
}
TEST(Modes, ValueAndVjp) {
  const auto [v, g] = tlaloc::value_and_vjp(product)(x, y, n, 10.0);
  EXPECT_DOUBLE_EQ(v, value);
  EXPECT_DOUBLE_EQ(std::get<0>(g), 10 * by_x);
  EXPECT_DOUBLE_EQ(std::get<1>(g), 10 * by_y);
}

TEST(Modes, StructResultForward) {
  const auto [p, d] = tlaloc::value_and_jvp(polar)(2.0, 0.5, 0.0, 1.0);
  EXPECT_DOUBLE_EQ(p.x, 2 * std::cos(0.5));
  EXPECT_EQ(p.tag, 7);
  EXPECT_DOUBLE_EQ(d.x, -2 * std::sin(0.5));
  EXPECT_DOUBLE_EQ(d.y, 2 * std::cos(0.5));
  EXPECT_EQ(d.tag, 0);  // no derivative of an integer
}
TEST(Modes, StructResultReverse) {
  const auto [r, phi] = tlaloc::vjp(polar)(2.0, 0.5, Point{1, 10, 3});
  EXPECT_DOUBLE_EQ(r, std::cos(0.5) + 10 * std::sin(0.5));
  EXPECT_DOUBLE_EQ(phi, -2 * std::sin(0.5) + 20 * std::cos(0.5));
}

TEST(Modes, VoidFunction) {  // the shadow of an output holds the cotangent, and in jvp receives the tangent
  const double in[3] = {1, 2, 3};
  double out[3] = {}, d_in[3] = {}, d_out[3] = {1, 10, 100};
  tlaloc::vjp(scale)(tlaloc::shadow(in, d_in), tlaloc::shadow(out, d_out), 3);
  EXPECT_DOUBLE_EQ(d_in[0], 6);
  EXPECT_DOUBLE_EQ(d_in[1], 120);
  EXPECT_DOUBLE_EQ(d_in[2], 1800);
  double t_in[3] = {1, -1, 0.5}, t_out[3] = {};
  tlaloc::jvp(scale)(tlaloc::shadow(in, t_in), tlaloc::shadow(out, t_out), 3);
  EXPECT_DOUBLE_EQ(t_out[0], 6);
  EXPECT_DOUBLE_EQ(t_out[1], -12);
  EXPECT_DOUBLE_EQ(t_out[2], 9);
  EXPECT_DOUBLE_EQ(out[2], 27);
}

TEST(Modes, Float) {
  const auto d = tlaloc::grad(single)(2.0f);
  static_assert(std::is_same_v<decltype(d), const float>);
  EXPECT_FLOAT_EQ(d, 12.0f);
}

}  // namespace

int main() { return check::run(); }
