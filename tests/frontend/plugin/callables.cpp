// SPDX-License-Identifier: Apache-2.0
//
// What can be differentiated: functions, template instances, overloads, lambdas, functors, members, other derivatives.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <string_view>

#include "check.hpp"

namespace {

double cube(double x) { return x * x * x; }
template <class T> T square(T x) { return x * x; }
double over(double x) { return 3 * x; }
double over(double x, double y) { return x * y; }
double quiet(double x) noexcept { return 5 * x; }

TEST(Callables, Functions) {
  EXPECT_DOUBLE_EQ(tlaloc::grad(cube)(2.0), 12);
  EXPECT_DOUBLE_EQ(tlaloc::grad(&cube)(2.0), 12);
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::fn<cube>)(2.0), 12);
  EXPECT_DOUBLE_EQ(tlaloc::grad(square<double>)(3.0), 6);
  EXPECT_FLOAT_EQ(tlaloc::grad(tlaloc::fn<square<float>>)(3.0f), 6);
  EXPECT_DOUBLE_EQ(tlaloc::grad(quiet)(1.0), 5);
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::as<double(double)>(over))(1.0), 3);
  EXPECT_DOUBLE_EQ((tlaloc::grad<1>(tlaloc::as<double(double, double)>(over))(7.0, 2.0)), 7);
}

TEST(Callables, LambdaCapturesByValueAndReference) {
  double k = 2;
  auto by_value = tlaloc::grad([k](double x) { return k * x * x; });
  auto by_reference = tlaloc::grad([&k](double x) { return k * x * x; });
  auto renamed = tlaloc::grad([twice = 2 * k](double x) { return twice * x; });
  k = 10;
  EXPECT_DOUBLE_EQ(by_value(3.0), 12);
  EXPECT_DOUBLE_EQ(by_reference(3.0), 60);
  EXPECT_DOUBLE_EQ(renamed(1.0), 4);
}
TEST(Callables, GenericLambda) {
  auto any = [](auto x) { return x * x; };
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::as<double(double)>(any))(3.0), 6);
}

class Spring {
 public:
  Spring(double k, double rest) : k_(k), rest_(rest) {}
  double operator()(double x) const { return 0.5 * k_ * (x - rest_) * (x - rest_); }
  double energy(double x) const { return (*this)(x); }
  auto slope() const {
    return tlaloc::grad([this](double x) { return energy(x); });
  }
  double k() const { return k_; }
  double rest() const { return rest_; }

 private:
  double k_, rest_;
};

TEST(Callables, FunctorAndItsCapture) {
  const Spring s(4, 1);
  EXPECT_DOUBLE_EQ(tlaloc::grad(s)(3.0), 8);
  EXPECT_DOUBLE_EQ(s.slope()(3.0), 8);
}
TEST(Callables, MemberFunctionTakesTheObjectFirst) {
  const auto [d, x] = tlaloc::grad(&Spring::energy)(Spring(4, 1), 3.0);
  EXPECT_DOUBLE_EQ(d.k(), 2);
  EXPECT_DOUBLE_EQ(d.rest(), -8);
  EXPECT_DOUBLE_EQ(x, 8);
}

template <int N> double power_slope(double at) {
  return tlaloc::grad([](double x) { return std::pow(x, N); })(at);
}
TEST(Callables, SameLambdaInTwoInstances) {
  EXPECT_DOUBLE_EQ(power_slope<2>(3), 6);
  EXPECT_DOUBLE_EQ(power_slope<3>(3), 27);
}

TEST(Callables, Nested) {
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::grad(cube))(2.0), 12);
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::grad(tlaloc::grad(cube)))(2.0), 6);
  EXPECT_DOUBLE_EQ(tlaloc::jvp(tlaloc::grad(cube))(2.0, 10.0), 120);
  double k = 3;
  EXPECT_DOUBLE_EQ(tlaloc::grad(tlaloc::grad([&k](double x) { return k * cube(x); }))(2.0), 36);
}
double mixed(double x, double y) { return x * x * x * y * y; }
TEST(Callables, NestedOverSeveralArguments) {
  const auto [hx, hy] = tlaloc::jvp(tlaloc::grad(mixed))(2.0, 3.0, 1.0, 0.0);  // a column of the Hessian
  EXPECT_DOUBLE_EQ(hx, 6 * 2 * 9);
  EXPECT_DOUBLE_EQ(hy, 6 * 4 * 3);
  const auto [v, d] = tlaloc::value_and_jvp(tlaloc::grad<0>(mixed))(2.0, 3.0, 0.0, 1.0);
  EXPECT_DOUBLE_EQ(v, 108);
  EXPECT_DOUBLE_EQ(d, 72);
}
double sum_of_cubes(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x * x * x;
  return s;
}
TEST(Callables, NestedOverAVector) {
  const auto column = tlaloc::jvp(tlaloc::grad(sum_of_cubes))(std::vector<double>{1, 2, 3}, std::vector<double>{1, 10, 100});
  EXPECT_EQ(column, (std::vector<double>{6, 120, 1800}));
}

TEST(Callables, SourceIsTheTextThatWasCompiled) {
  auto d = tlaloc::grad(cube);
  const std::string_view text = d.source();
  EXPECT_TRUE(text.find("cube_grad") != text.npos);
  EXPECT_DOUBLE_EQ(d(1.0), 3);
}

}  // namespace

int main() { return check::run(); }
