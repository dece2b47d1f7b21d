// SPDX-License-Identifier: Apache-2.0
//
// Memory that is written must overlap nothing: a debug build says what does, where lengths are known.
#undef NDEBUG
#include <tlaloc/ad.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

namespace {

double dot(std::span<const double> x, std::span<const double> y) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i] * y[i] * y[i];
  return s;
}
double scale(const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  return y[0];
}
double first(const double* x, double& y) { return y * x[0] * x[0]; }

TEST(Overlap, ReadTwiceIsFine) {
  std::vector<double> x{1, 2}, dx(2), dy(2);
  tlaloc::grad(dot)(tlaloc::shadow(std::span<const double>(x), std::span(dx)), tlaloc::shadow(std::span<const double>(x), std::span(dy)));
  EXPECT_EQ(dx, (std::vector<double>{1, 4}));
  EXPECT_EQ(dy, (std::vector<double>{2, 8}));
}
TEST(OverlapDeathTest, OneShadowForTwo) {
  std::vector<double> x{1, 2}, y{3, 4}, d(2);
  EXPECT_DEATH(tlaloc::grad(dot)(tlaloc::shadow(std::span<const double>(x), std::span(d)), tlaloc::shadow(std::span<const double>(y), std::span(d))),
               "tlaloc: 'd_x' and 'd_y' overlap, and 'd_y' is written");
}
TEST(OverlapDeathTest, PartsOfOneArray) {
  std::array<double, 5> x{1, 2, 3, 4, 5};
  std::vector<double> y{3, 4, 5}, dy(3);
  const auto all = std::span(x);
  EXPECT_DEATH(tlaloc::grad(dot)(tlaloc::shadow(std::span<const double>(all.first(3)), all.last(3)), tlaloc::shadow(std::span<const double>(y), std::span(dy))),
               "tlaloc: 'x' and 'd_x' overlap, and 'd_x' is written");
  tlaloc::grad(dot)(tlaloc::shadow(std::span<const double>(all.first(2)), all.last(2)), tlaloc::shadow(std::span<const double>(y).first(2), std::span(dy).first(2)));
  EXPECT_EQ(x[3], 4 + 9);
}
TEST(OverlapDeathTest, OutputThatIsAnInput) {
  std::vector<double> x{1, 2}, dx(2), dy(2);
  EXPECT_DEATH(tlaloc::grad(scale)(tlaloc::shadow(x, dx), tlaloc::shadow(x, dy)), "tlaloc: 'x' and 'y' overlap, and 'y' is written");
}
TEST(OverlapDeathTest, ViewedPointer) {
  double x[2] = {1, 2}, dy = 0;
  EXPECT_DEATH(tlaloc::grad(first)(tlaloc::view(x, 2), tlaloc::shadow(dy, x[1])), "tlaloc: 'x' and 'd_y' overlap, and 'd_y' is written");
}

}  // namespace
