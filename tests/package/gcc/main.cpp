// SPDX-License-Identifier: Apache-2.0
//
// Derivatives in a program that g++ compiles. The expected numbers are worked out by hand or are difference quotients.
#include "derivatives.hpp"

#include <algorithm>
#include <array>

// A macro that the generated text must not trip over.
#define d_x 5
#define value oops(

double f(double x, double y) {
  double s = 0;
  for (int i = 0; i < 10; ++i) s += std::sin(x * i) * y;
  return s;
}
template <class T> T square(T x) { return x * x; }
namespace {
double hidden(double x) { return x * x * x; }
}  // namespace
static double overloaded(double x) { return 2 * x; }
static float overloaded(float x) { return 3 * x; }
namespace shop {
struct Point { double x, y; };
double length(const Point& p) { return std::sqrt(p.x * p.x + p.y * p.y); }
class Spring {
 public:
  explicit Spring(double k) : k_(k) {}
  double energy(double x) const { return 0.5 * k_ * x * x; }

 private:
  double k_;
};
struct Scale {                                     // a functor with state
  double by;
  double operator()(double x) const { return by * std::exp(x); }
};
}  // namespace shop
inline constexpr auto cube = [](double x) { return x * x * x; };
double energy(const double* x, int n) {
  double e = 0;
  for (int i = 0; i < n; ++i) e += x[i] * x[i] * i;
  return e;
}
void twice(const double* in, double* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = 2 * in[i] * in[i];
}
double sum_of(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += std::sin(x);
  return s;
}
std::array<double, 2> polar(const std::array<double, 2>& p) { return {p[0] * std::cos(p[1]), p[0] * std::sin(p[1])}; }
double half_vjp(double x, double d_y);
TLALOC_VJP(half_vjp) double half(double x) { return x / 2; }
double half_vjp(double x, double d_y) { return 7 * x * d_y; }        // wrong on purpose
double slope_plus(double x) { return x + tlaloc::grad(tlaloc::fn<hidden>)(x); }  // 6 x + 1

auto at_file_scope = tlaloc::grad(tlaloc::fn<f>);

int main() {
  volatile double hide = 0.3;                      // computed when the program runs, in every build
  const double x = hide, y = 2;
  const double h = 1e-6;
  {
    auto [dx, dy] = tlaloc::grad(tlaloc::fn<f>)(x, y);
    show("grad, by x", dx, (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-7);
    show("grad, by y", dy, f(x, 1));
    auto [v, g] = tlaloc::value_and_grad(tlaloc::fn<f>)(x, y);
    show("value_and_grad, value", v, f(x, y));
    show("value_and_grad, by x", std::get<0>(g), dx, 0);
    show("selected by name", tlaloc::grad<"y">(tlaloc::fn<f>)(x, y), dy);
    show("selected by position", tlaloc::grad<1>(tlaloc::fn<f>)(x, y), dy);
    show("an int argument", std::get<1>(at_file_scope(x, 2)), dy);
  }
  {
    auto [dx, dy] = tlaloc::vjp(tlaloc::fn<f>)(x, y, 3.0);
    auto [one, two] = tlaloc::grad(tlaloc::fn<f>)(x, y);
    show("vjp", dx, 3 * one);
    show("jvp", tlaloc::jvp(tlaloc::fn<f>)(x, y, 1.0, 2.0), one + 2 * two);
    auto [v, d] = tlaloc::value_and_jvp(tlaloc::fn<f>)(x, y, 1.0, 2.0);
    show("value_and_jvp", v + d, f(x, y) + one + 2 * two);
    show("value_and_vjp", tlaloc::value_and_vjp(tlaloc::fn<f>)(x, y, 3.0).first, f(x, y));
    show("vjp, second", dy, 3 * two);
  }
  show("template instance", tlaloc::grad(tlaloc::fn<square<double>>)(x), 2 * x);
  show("template instance, float", tlaloc::grad(tlaloc::fn<square<float>>)(1.5f), 3);
  show("nested", tlaloc::grad(tlaloc::grad(tlaloc::fn<hidden>))(x), 6 * x);
  show("nested, forwards", tlaloc::jvp(tlaloc::grad(tlaloc::fn<hidden>))(x, 1.0), 6 * x);
  show("inside a function", tlaloc::grad(tlaloc::fn<slope_plus>)(x), 6 * x + 1);
  show("unnamed namespace", tlaloc::grad(tlaloc::fn<hidden>)(x), 3 * x * x);
  show("lambda, fn", tlaloc::grad(tlaloc::fn<cube>)(x), 3 * x * x);
  show("lambda, itself", tlaloc::grad(cube)(x), 3 * x * x);
  show("overload", tlaloc::grad(tlaloc::as<double(double)>(overloaded))(x), 2);
  show("overload, fn", tlaloc::grad(tlaloc::fn<static_cast<float (*)(float)>(overloaded)>)(1.0f), 3);
  show("plain function", tlaloc::grad(hidden)(x), 3 * x * x);
  show("another of its type", tlaloc::grad(slope_plus)(x), 6 * x + 1);
  show("nested, plain function", tlaloc::grad(tlaloc::grad(hidden))(x), 6 * x);
  show("functor", tlaloc::grad(shop::Scale{3})(x), 3 * std::exp(x));
  {
    const shop::Point p{3, x};
    const shop::Point d = tlaloc::grad(tlaloc::fn<shop::length>)(p);
    show("struct", d.y, x / shop::length(p));
    const shop::Spring s(4);
    auto [ds, dx] = tlaloc::grad(tlaloc::fn<&shop::Spring::energy>)(s, x);
    show("private member", ds.energy(1), 0.25 * x * x);
    show("member function", dx, 4 * x);
    show("member function, plain", std::get<1>(tlaloc::grad(&shop::Spring::energy)(s, x)), 4 * x);
  }
  {
    const std::vector<double> v{x, 1, 2};
    std::vector<double> dv(3, 0.0);
    tlaloc::grad(tlaloc::fn<energy>)(tlaloc::shadow(v.data(), dv.data()), 3);
    show("shadow", dv[2], 8);
    show("view", tlaloc::grad(tlaloc::fn<energy>)(tlaloc::view(v.data(), 3), 3)[1], 2);
    show("vector", tlaloc::grad(tlaloc::fn<sum_of>)(v)[0], std::cos(x));
    std::vector<double> out(3), d_out{1, 1, 1}, d_in(3, 0.0);
    tlaloc::vjp(tlaloc::fn<twice>)(tlaloc::shadow(v.data(), d_in.data()), tlaloc::shadow(out.data(), d_out.data()), 3);
    show("output through a pointer", d_in[0], 4 * x);
  }
  {
    const std::array p{2.0, x};
    show("jacfwd", tlaloc::jacfwd(tlaloc::fn<polar>)(p)[1][0], std::sin(x));
    show("jacrev", tlaloc::jacrev(tlaloc::fn<polar>)(p)[0][1], -2 * std::sin(x));
    show("jacfwd of a number", tlaloc::jacfwd(tlaloc::fn<hidden>)(x), 3 * x * x);
    const std::vector<double> v{x, 1, 2};
    std::vector<double> out(3);
    show("jacfwd, views", tlaloc::jacfwd(tlaloc::fn<twice>)(tlaloc::view(v.data(), 3), tlaloc::view(out.data(), 3), 3).at(2, 2), 8);
    show("hessian", tlaloc::hessian(tlaloc::fn<sum_of>)(v).at(1, 1), -std::sin(1.0));
    show("jvp of a Hessian", tlaloc::jvp(tlaloc::hessian(tlaloc::fn<sum_of>))(v, out).at(0, 0), -std::cos(x) * out[0]);
    const double l = std::hypot(3, x);
    show("hvp", tlaloc::hvp(tlaloc::fn<shop::length>)(shop::Point{3, x}, shop::Point{1, 0}).y, -3 * x / (l * l * l));
    show("rule", tlaloc::grad(tlaloc::fn<half>)(x), 7 * x);
  }
  if (tlaloc::grad(tlaloc::fn<cube>).source().find("lambda_grad") == std::string_view::npos) ++failures, std::puts("WRONG: source()");
  second_file();
  std::puts(failures == 0 ? "right" : "WRONG");
  return failures == 0 ? 0 : 1;
}
