// SPDX-License-Identifier: Apache-2.0
//
// Objects, calls and constants of the language: virtual functions on known objects, recursion with objects, static
// constants, derivatives inside differentiated code that read globals, members without a name.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <span>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

// --- virtual functions ---
struct Shape {
  virtual double area(double x) const = 0;
  virtual double twice(double x) const { return 2 * area(x); }
  virtual ~Shape() = default;
};
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area(double x) const override { return side * side * x; }
};
struct Disc : Shape {
  double area(double x) const override { return 3.14 * x * x; }
  double twice(double x) const override { return Shape::twice(x) + x; }
};
double total(const Shape& shape, double x) { return shape.area(x) + shape.twice(x); }
double known_shapes(double x, double y) { return total(Square(x), y) + total(Disc(), x * y); }
struct Series {
  virtual double term(double x, int n) const = 0;
  virtual ~Series() = default;
};
struct Powers : Series {
  double term(double x, int n) const override { return n == 0 ? x : x * term(x, n - 1); }
};
double recursive_shapes(double x, double y) {
  const Powers powers;
  const Series& series = powers;
  return series.term(x, 3) * y;
}
double chosen_shape(double x, double y) {
  const Square square(y);
  const Disc disc;
  const Shape* shape = &square;
  double sum = shape->area(x);
  if (x > 1) shape = &disc;
  sum += shape->twice(y);
  return sum;
}
TEST(Objects, VirtualFunctions) {
  differentiates<known_shapes>();
  differentiates<chosen_shape>();
  differentiates<recursive_shapes>();
}

// --- recursion ---
double of_span(std::span<const double> v) { return v.empty() ? 0 : v.front() * v.back() + of_span(v.subspan(1)); }
double of_vector(const std::vector<double>& v, std::size_t i) { return i == v.size() ? 0 : v[i] * v[i] * double(i + 1) + of_vector(v, i + 1); }
double spans(double x, double y) {
  const std::vector<double> v = {x, y, x * y};
  return of_span(v) + of_vector(v, 0);
}
double closures(double x, double y) {
  const auto nested = [&](auto self, int n) -> double { return n == 0 ? x : y * self(self, n - 1) + 1; };
  return nested(nested, 3);
}
TEST(Objects, Recursion) {
  differentiates<spans>();
  differentiates<closures>();
}

// --- static constants ---
double weight(int i) { return std::sqrt(i + 2.0); }
double constants(double x, double y) {
  static const double w = weight(1);
  static const double factors[] = {0.5, weight(2)};
  static const auto table = [] {
    std::vector<double> t;
    for (int i = 0; i < 4; ++i) t.push_back(weight(i));
    return t;
  }();
  double sum = w * x;
  for (const double t : table) sum += t * x * y;
  return sum + factors[0] * x * x + factors[1] * y;
}
TEST(Objects, StaticConstants) { differentiates<constants>(); }

// --- an inner derivative reads a global ---
double stiffness = 3;
double energy(double x) { return stiffness * x * x * x; }
double with_slope(double x, double y) { return tlaloc::grad(energy)(x) * y; }
TEST(Objects, InnerDerivativeReadsAGlobal) {
  differentiates<with_slope>();
  stiffness = 5;
  differentiates<with_slope>();
}

// --- members without a name ---
struct Parts {
  struct {
    double a, b;
  };
  double c;
};
double of_parts(Parts p) { return p.a * p.b * p.c; }
TEST(Objects, AnonymousStruct) {
  Parts p;
  p.a = 2, p.b = 3, p.c = 5;
  const Parts d = tlaloc::grad(of_parts)(p);
  EXPECT_DOUBLE_EQ(d.a, 15);
  EXPECT_DOUBLE_EQ(d.b, 10);
  EXPECT_DOUBLE_EQ(d.c, 6);
}

}  // namespace

int main() { return check::run(); }
