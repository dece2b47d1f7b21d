// SPDX-License-Identifier: Apache-2.0
//
// std::variant and std::optional, against central differences.
#include "differences.hpp"

#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

struct Sphere {
  double radius;
};
struct Box {
  double a, b, c;
};
struct Cylinder {
  double radius, height;
  Cylinder(double r, double h) : radius(r), height(h) {}
};
using Shape = std::variant<Sphere, Box, Cylinder>;
template <class... F> struct Overloaded : F... {
  using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

double volume(const Shape& shape) {
  return std::visit(
      Overloaded{
          [](const Sphere& s) {
            return 4.0 / 3 * std::numbers::pi * s.radius * s.radius * s.radius;
          },
          [](const Box& s) { return s.a * s.b * s.c; },
          [](const Cylinder& s) { return std::numbers::pi * s.radius * s.radius * s.height; },
      },
      shape);
}
double shapes(double x, double y) {
  Shape s = Sphere{x};
  double r = volume(s);
  s = Box{x, y, 2};
  r += volume(s);
  if (x > 1)
    s = Cylinder{y, x};
  Shape other(std::in_place_type<Cylinder>, x, 2.0);
  s.swap(other);
  return r * volume(s) + volume(other);
}
double in_vector(double x, double y) {
  std::vector<Shape> all{Sphere{x}, Box{1, x, y}};
  all.emplace_back(Cylinder{y, 2});
  double s = 0;
  for (auto& shape : all) {
    if (auto* box = std::get_if<Box>(&shape))
      box->a *= x;
    std::visit([&](auto& alternative) { s += sizeof(alternative) * y; }, shape);
    s += volume(shape) + static_cast<double>(shape.index());
  }
  return s;
}
double by_type(double x, double y) {
  std::variant<double, int> v =
      x > 0 ? std::variant<double, int>(x * y) : std::variant<double, int>(3);
  if (std::holds_alternative<double>(v))
    return std::get<double>(v) * x;
  return std::get<1>(v) * y;
}
double emplaced(double x, double y) {
  std::variant<std::monostate, double, std::vector<double>> v;
  if (x > y)
    v.emplace<double>(x * x);
  else if (x > 0)
    v = std::vector{x, y, x * y};
  auto copy = v;
  if (auto* numbers = std::get_if<2>(&copy)) {
    numbers->push_back(y);
    return (*numbers)[2] * (*numbers)[3];
  }
  return copy.index() == 1 ? std::get<1>(copy) * y : y * y * x;
}
struct Overlap {
  double operator()(const Sphere& a, const Sphere& b) const { return a.radius * b.radius; }
  double operator()(const Sphere& a, const Box& b) const { return a.radius + b.c; }
  double operator()(const Box& a, const Sphere& b) const { return a.a * b.radius * b.radius; }
  double operator()(const Box& a, const Box& b) const { return a.b * b.b; }
};
double pairs(double x, double y) {
  using Two = std::variant<Sphere, Box>;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    const Two a = i & 1 ? Two(Sphere{x}) : Two(Box{x, y, 1}),
              b = i & 2 ? Two(Sphere{y}) : Two(Box{y, x, x});
    s = s * x + std::visit(Overlap{}, a, b);
  }
  const auto doubled = std::visit<Two>(
      Overloaded{[](Sphere v) { return Two(Box{v.radius, 2, 3}); }, [](Box v) { return Two(v); }},
      Two(Sphere{s}));
  return std::get<Box>(doubled).a;
}

std::optional<double> safe_root(double x) {
  if (x < 0)
    return std::nullopt;
  return std::sqrt(x);
}
double optionals(double x, double y) {
  auto a = safe_root(x);
  std::optional<double> b;
  if (y > 1)
    b.emplace(y * y);
  double r = a.value_or(y) + b.value_or(x * y);
  if (a) {
    *a *= 2;
    r += *a;
  }
  if (b.has_value() && a == b)
    r += 1;
  auto c = std::make_optional<Box>(Box{x, y, 1});
  r += c->a * c->b;
  c.reset();
  r += c.value_or(Box{y, x, x}).a;
  std::swap(a, b);
  std::optional<Cylinder> d(std::in_place, x, y);
  r += d->height * d->radius;
  d.emplace(y, x * x);
  if (a && *a < 3)
    r *= 2;
  if (a != std::nullopt)
    r += a.value() * d->height;
  return r;
}
#if __cplusplus > 202100
double chained(double x, double y) {
  const auto r = safe_root(x)
                     .transform([&](double v) { return v * y; })
                     .or_else([&]() -> std::optional<double> { return y; })
                     .and_then([&](double v) -> std::optional<double> {
                       if (v > 100)
                         return std::nullopt;
                       return v * v * x;
                     });
  return r.value() +
         safe_root(x).transform([](double v) { return Sphere{v}; }).value_or(Sphere{y}).radius;
}
#endif

double wrong_alternative(double x) {
  std::variant<double, int> v = x;
  if (x > 1)
    v = 2;
  return std::get<double>(v) * x;
}

TEST(Choices, Visit) {
  differentiates<shapes>();
  differentiates<in_vector>();
  differentiates<pairs>();
}
TEST(Choices, Alternatives) {
  differentiates<by_type>();
  differentiates<emplaced>();
}
TEST(Choices, WrongAlternative) {
  EXPECT_DOUBLE_EQ(tlaloc::grad(wrong_alternative)(0.5), 1.0);
  bool thrown = false;
  try {
    tlaloc::grad(wrong_alternative)(2.0);
  } catch (const std::bad_variant_access&) {
    thrown = true;
  }
  EXPECT_TRUE(thrown);
}
TEST(Choices, Optional) {
  differentiates<optionals>();
#if __cplusplus > 202100
  differentiates<chained>();
#endif
}

} // namespace

int main() { return check::run(); }
