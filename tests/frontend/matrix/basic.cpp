// SPDX-License-Identifier: Apache-2.0
//
// One program that uses every kind of callable; it must come out right however it is compiled.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <cstdio>

double wave(double x, double y) {
  double s = 0;
  for (int i = 0; i < 10; ++i) s += std::sin(x * i) * y;
  return s;
}
template <class T> T square(T x) { return x * x; }
double cube(double x) { return x * square(x); }
template <class T> T in_template(T k, T at) {  // instantiated at the end of the unit
  auto d = tlaloc::grad([k](T x) { return k * x * x * x; });
  return d(at);
}
auto global = tlaloc::grad(wave);

int failures = 0;
void near(const char* what, double got, double want) {
  if (std::fabs(got - want) <= 1e-5 * (1 + std::fabs(want))) return;
  std::printf("%s: got %.9g, expected %.9g\n", what, got, want);
  ++failures;
}

int main() {
  const double e = 1e-6;
  const double dx = (wave(.3 + e, 2) - wave(.3 - e, 2)) / 2 / e, dy = (wave(.3, 2 + e) - wave(.3, 2 - e)) / 2 / e;
  auto local = tlaloc::grad(wave);
  near("local", std::get<0>(local(0.3, 2.0)), dx);
  near("global", std::get<1>(global(0.3, 2.0)), dy);
  near("fn", std::get<0>(tlaloc::grad(tlaloc::fn<wave>)(0.3, 2.0)), dx);
  double c = 5;
  auto by_value = tlaloc::grad([c](double x) { return c * x * x; });
  auto by_reference = tlaloc::grad([&c](double x) { return c * x * x; });
  auto nested = tlaloc::grad(tlaloc::grad([c](double x) { return c * x * x * x; }));
  c = 7;
  near("by value", by_value(3.0), 30);
  near("by reference", by_reference(3.0), 42);
  near("nested", nested(2.0), 60);
  near("instance", tlaloc::grad(square<double>)(3.0), 6);
  near("cube", tlaloc::grad(cube)(2.0), 12);
  near("in a template", in_template(2.0, 2.0), 24);
  if (!failures) std::puts("right");
  return failures != 0;
}
