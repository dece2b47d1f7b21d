// SPDX-License-Identifier: Apache-2.0
//
// A33: std::variant in a vector, visited and changed through get_if, and a std::optional that keeps the largest.
#include "case.hpp"

#include <optional>
#include <variant>

struct Circle { double radius; };
struct Rectangle { double a, b; };
using Shape = std::variant<Circle, Rectangle>;

struct Area {
  double operator()(const Circle& c) const { return 3 * c.radius * c.radius; }
  double operator()(const Rectangle& r) const { return r.a * r.b; }
};

double f(double x, double y) {
  std::vector<Shape> shapes{Circle{x}, Rectangle{x * y, y}, Circle{y}};
  std::optional<double> largest;
  double sum = 0;
  for (auto& shape : shapes) {
    if (auto* circle = std::get_if<Circle>(&shape)) circle->radius *= 2;
    const double area = std::visit(Area{}, shape);
    if (!largest || area > *largest) largest = area;
    sum += area;
  }
  return sum + std::log(largest.value());
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 30.352635178722984, .gradient = {18.49, 34.558461538461536}}, 0.7, 1.3);
  return run.done();
}
