// SPDX-License-Identifier: Apache-2.0
//
// How arguments are selected and given: positions, names, shadows, views, ranges, structs, references.
#include <tlaloc/ad.hpp>

#include <array>
#include <span>
#include <vector>

#include "check.hpp"

namespace {

double area(double width, double height, double k) { return k * width * height * height; }

TEST(Arguments, PositionsComeInTheirOrder) {
  EXPECT_DOUBLE_EQ(tlaloc::grad<1>(area)(2.0, 3.0, 5.0), 60);
  const auto [k, width] = tlaloc::grad<2, 0>(area)(2.0, 3.0, 5.0);
  EXPECT_DOUBLE_EQ(k, 18);
  EXPECT_DOUBLE_EQ(width, 45);
}
TEST(Arguments, NamesComeInTheirOrder) {
  EXPECT_DOUBLE_EQ(tlaloc::grad<"height">(area)(2.0, 3.0, 5.0), 60);
  const auto [k, width] = tlaloc::grad<"k", "width">(area)(2.0, 3.0, 5.0);
  EXPECT_DOUBLE_EQ(k, 18);
  EXPECT_DOUBLE_EQ(width, 45);
  EXPECT_DOUBLE_EQ((tlaloc::jvp<"k", "width">(area)(2.0, 3.0, 5.0, 1.0, 100.0)), 18 + 4500);
}

double weighted(const double* x, int n, double w) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += w * x[i] * x[i];
  return sum;
}

TEST(Arguments, ShadowIsAddedTo) {
  const double x[3] = {1, 2, 3};
  double dx[3] = {100, 0, 0};
  EXPECT_DOUBLE_EQ(tlaloc::grad(weighted)(tlaloc::shadow(x, dx), 3, 0.5), 14);
  EXPECT_DOUBLE_EQ(dx[0], 101);
  EXPECT_DOUBLE_EQ(dx[2], 3);
  std::vector<double> v{1, 2, 3}, dv(3);
  const auto [value, dw] = tlaloc::value_and_grad(weighted)(tlaloc::shadow(v.data(), dv.data()), 3, 0.5);
  EXPECT_DOUBLE_EQ(value, 7);
  EXPECT_DOUBLE_EQ(dw, 14);
  EXPECT_DOUBLE_EQ(dv[1], 2);
}
TEST(Arguments, ShadowOfAnUnselectedArgumentIsKept) {
  double x[2] = {1, 2}, dx[2] = {};
  EXPECT_DOUBLE_EQ(tlaloc::grad<"w">(weighted)(x, 2, 0.5), 5);
  tlaloc::grad<"x">(weighted)(tlaloc::shadow(x, dx), 2, 0.5);
  EXPECT_DOUBLE_EQ(dx[1], 2);
}
TEST(Arguments, ViewReturnsAVector) {
  double x[3] = {1, 2, 3};
  const std::vector<double> d = tlaloc::grad<"x">(weighted)(tlaloc::view(x, 3), 3, 0.5);
  EXPECT_EQ(d, (std::vector<double>{1, 2, 3}));
  const auto [dx, dw] = tlaloc::grad(weighted)(tlaloc::view(x, 2), 2, 0.5);
  EXPECT_EQ(dx, (std::vector<double>{1, 2}));
  EXPECT_DOUBLE_EQ(dw, 5);
  EXPECT_DOUBLE_EQ(tlaloc::jvp<0>(weighted)(tlaloc::view(x, 3), 3, 0.5, std::vector<double>{1, 0, 2}), 7);
}

double of_vector(const std::vector<double>& v) {
  double p = 1;
  for (double x : v) p *= x;
  return p;
}
double of_span(std::span<const double> s, std::span<const float, 2> t) { return s[0] * s[1] * t[0] * t[1]; }
double of_array(std::array<double, 3> a, const double (&c)[2]) { return a[0] * a[1] * a[2] + c[0] * c[1]; }

TEST(Arguments, Vector) {
  const std::vector<double> v{2, 3, 5};
  EXPECT_EQ(tlaloc::grad(of_vector)(v), (std::vector<double>{15, 10, 6}));
  EXPECT_DOUBLE_EQ(tlaloc::jvp(of_vector)(v, std::vector<double>{1, 1, 1}), 31);
  std::vector<double> shadow(3, 1.0);
  tlaloc::grad(of_vector)(tlaloc::shadow(v, shadow));
  EXPECT_EQ(shadow, (std::vector<double>{16, 11, 7}));
}
TEST(Arguments, Span) {
  const std::vector<double> s{2, 3};
  const std::array<float, 2> t{5, 7};
  const auto [ds, dt] = tlaloc::grad(of_span)(s, t);
  static_assert(std::is_same_v<decltype(dt), const std::array<float, 2>>);
  EXPECT_EQ(ds, (std::vector<double>{105, 70}));
  EXPECT_EQ(dt, (std::array<float, 2>{42, 30}));
}
TEST(Arguments, Arrays) {
  const double c[2] = {7, 11};
  const auto [da, dc] = tlaloc::grad(of_array)(std::array<double, 3>{2, 3, 5}, c);
  EXPECT_EQ(da, (std::array<double, 3>{15, 10, 6}));
  EXPECT_EQ(dc, (std::array<double, 2>{11, 7}));
}

double own_vector(std::vector<double> y) {         // a copy, which a lambda and a reference see
  const double v = [&] {
    y[1] = y[0] * y[0];
    return y[0] * y[2];
  }();
  std::vector<double>& r = y;
  r.push_back(v);
  return y[1] + r[3] * 3;
}

TEST(Arguments, VectorByValueIsAnObjectOfItsOwn) {
  EXPECT_EQ(tlaloc::grad(own_vector)(std::vector<double>{2, 3, 5}), (std::vector<double>{19, 0, 6}));
}

struct Body {
  double mass;
  struct { double x, y; } speed;
  std::array<double, 2> place;
  int id;
};
double energy(const Body& b, double g) {
  return 0.5 * b.mass * (b.speed.x * b.speed.x + b.speed.y * b.speed.y) + b.mass * g * b.place[1];
}

TEST(Arguments, Struct) {
  const Body b{2, {3, 4}, {5, 6}, 42};
  const auto [d, g] = tlaloc::grad(energy)(b, 10.0);
  EXPECT_DOUBLE_EQ(d.mass, 72.5);
  EXPECT_DOUBLE_EQ(d.speed.x, 6);
  EXPECT_DOUBLE_EQ(d.speed.y, 8);
  EXPECT_DOUBLE_EQ(d.place[0], 0);
  EXPECT_DOUBLE_EQ(d.place[1], 20);
  EXPECT_EQ(d.id, 0);
  EXPECT_DOUBLE_EQ(g, 12);
}

double in_and_out(double& x, double y) {
  x = x * y;
  return x * x;
}

TEST(Arguments, ReferenceIsChangedAndDifferentiated) {
  double x = 3;
  const auto [value, d] = tlaloc::value_and_grad(in_and_out)(x, 2.0);
  EXPECT_DOUBLE_EQ(value, 36);
  EXPECT_DOUBLE_EQ(std::get<0>(d), 24);
  EXPECT_DOUBLE_EQ(std::get<1>(d), 36);
  EXPECT_DOUBLE_EQ(x, 6);
}

}  // namespace

int main() { return check::run(); }
