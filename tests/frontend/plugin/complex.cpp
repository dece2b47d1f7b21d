// SPDX-License-Identifier: Apache-2.0
//
// std::complex: arithmetic and functions, as parameters, results, members and elements. A gradient holds the derivatives by
// the real and the imaginary part.
#include <tlaloc/ad.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

using C = std::complex<double>;
using namespace std::complex_literals;

// --- inside a function ---
double arithmetic(double x, double y) {
  C z(x, y), w{y, 2 * x};
  C r = z * w + z / w - 2.0 * z + w / 3.0 - 1.0 / z + (1.0 + 2i) * w;
  r *= z;
  r += x;
  r -= w;
  r /= C(2, 1);
  return std::norm(r) + r.real() * r.imag();
}
double functions(double x, double y) {
  C z(x, y);
  return std::abs(z) + 2 * std::arg(z) + std::norm(std::exp(z)) + std::real(std::log(z)) * std::imag(std::sqrt(z)) + std::conj(z).imag();
}
double trigonometric(double x, double y) {
  C z(x, y);
  return std::real(std::sin(z) * std::cos(z)) + std::imag(std::tan(z)) + std::real(std::tanh(z)) + std::norm(std::sinh(z)) + std::imag(std::cosh(z));
}
double powers(double x, double y) {
  C z(x, y);
  return std::real(std::pow(z, 3)) + std::imag(std::pow(z, 1.5)) + std::real(std::pow(z, C(y, x))) + std::norm(std::pow(2.0, z)) + std::abs(std::polar(1 + x * x, y));
}
double real_axis(double x, double y) {           // a positive number to a real power, seen along the imaginary axis too
  return std::imag(std::pow(C(1 + x * x, 0.0 * y), 1.5) * y) + std::imag(std::sqrt(C(x - 5, y))) + std::real(std::sqrt(C(x - 5, -y)));
}
double iterated(double x, double y) {
  C z = 0, c(x, y);
  for (int i = 0; i < 5; ++i) {
    z = z * z + c;
    if (std::abs(z) > 4) break;
  }
  return std::norm(z);
}
double in_containers(double x, double y) {
  std::vector<C> v(4);
  for (int i = 0; i < 4; ++i) v[std::size_t(i)] = C(x * i, y + i);
  C s;
  for (auto& z : v) {
    z = std::conj(z) * C(0, 1);
    s += z * z;
  }
  std::array<C, 2> a{v[1], v[2]};
  return std::norm(s) + std::real(std::accumulate(v.begin(), v.end(), C(0))) + a[1].imag() * a[0].real();
}
double transformed(double x, double y) {
  constexpr int n = 8;
  C a[n];
  for (int i = 0; i < n; ++i) a[i] = {x * i, y * y};
  for (int length = 2; length <= n; length *= 2) {
    const C turn = std::polar(1.0, 2 * 3.14159265358979323846 / length);
    for (int i = 0; i < n; i += length) {
      C w(1);
      for (int j = 0; j < length / 2; ++j) {
        const C u = a[i + j], v = a[i + j + length / 2] * w;
        a[i + j] = u + v;
        a[i + j + length / 2] = u - v;
        w *= turn;
      }
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i) s += std::abs(a[i]) * i;
  return s;
}
double constants_and_pointers(double x, double y) {
  C p(x, y), q(y, x * x);
  if (p == q) p = 0;
  const C k[2] = {C(1, 2), C(3, 4)};
  static const C shift(1, -1);
  C* r = x > 0 ? &p : &q;
  *r *= k[x > 0] * shift;
  C& s = y > 1 ? p : q;
  s = -s + std::exp(1i * y);
  s.real(s.imag() * 2);
  auto f = [p](C w) { return p * w; };
  return std::norm(f(C(y, 1))) + 2 * q.real();
}
TEST(Complex, InsideAFunction) {
  differentiates<arithmetic>(1e-13);
  differentiates<functions>(1e-13);
  differentiates<trigonometric>(1e-13);
  differentiates<powers>(1e-13);
  differentiates<real_axis>(1e-13);
  differentiates<iterated>(1e-13);
  differentiates<in_containers>(1e-13);
  differentiates<transformed>(1e-13);
  differentiates<constants_and_pointers>(1e-13);
}
TEST(Complex, ARealPowerDependsOnTheImaginaryPart) {
  const auto f = [](double y) { return std::imag(std::pow(C(2, y), 3.0)); };
  EXPECT_DOUBLE_EQ(tlaloc::grad(f)(0.0), 12);    // 3 * 2 * 2
}

// --- parameters and results ---
const C z0(0.4, -0.7), w0(1.2, 0.3);
constexpr double e = 1e-6;
template <class F> double slope(F f) { return (f(e) - f(-e)) / (2 * e); }
/// The gradient of f(z) as it should be.
template <class F> bool is_gradient(const C& got, F f, C at) {
  return near(got.real(), slope([&](double s) { return f(at + s); })) && near(got.imag(), slope([&](double s) { return f(at + C(0, s)); }));
}

double by_value(C z, double t) {
  z *= t;
  return std::norm(std::exp(z)) + z.imag();
}
double by_const_reference(const C& z, const C& w) { return std::real(z * w * w) + std::abs(z); }
C exponential(C z, double t) { return std::exp(z * t); }
void in_place(C& z, double t) { z = z * z * t; }
struct S {
  C z;
  double k;
  C w[2];
};
double of_struct(const S& s) { return std::norm(s.z * s.w[0] + s.k * s.w[1]); }
S gives_struct(const C& z, double k) { return {z * z, k * k, {z * k, z + k}}; }
double of_vector(const std::vector<C>& v) {
  C s = 0;
  for (auto z : v) s += z * z * z;
  return std::real(s) + 2 * std::imag(s);
}
C of_the_program(1.0, 2.0);
double with_global(double t) { return std::norm(of_the_program * t); }

TEST(Complex, Gradients) {
  const auto [dz, dt] = tlaloc::grad(by_value)(z0, 0.8);
  EXPECT_TRUE(is_gradient(dz, [](C z) { return by_value(z, 0.8); }, z0));
  EXPECT_TRUE(near(dt, slope([](double s) { return by_value(z0, 0.8 + s); })));
  EXPECT_TRUE(near(tlaloc::jvp(by_value)(z0, 0.8, C(1, 2), 3.0), dz.real() + 2 * dz.imag() + 3 * dt));
  const auto [value, both] = tlaloc::value_and_grad(by_const_reference)(z0, w0);
  EXPECT_DOUBLE_EQ(value, by_const_reference(z0, w0));
  EXPECT_TRUE(is_gradient(std::get<0>(both), [](C z) { return by_const_reference(z, w0); }, z0));
  EXPECT_TRUE(is_gradient(std::get<1>(both), [](C w) { return by_const_reference(z0, w); }, w0));
  EXPECT_TRUE(near(tlaloc::grad(with_global)(0.4), 4));
  const C k(0.3, 0.9), l(0.1, 2.0);
  const auto captures = [k, &l](double t) { return std::norm(k * t + l); };
  EXPECT_TRUE(near(tlaloc::grad(captures)(0.4), slope([&](double s) { return captures(0.4 + s); })));
}
TEST(Complex, Results) {
  const C along = tlaloc::jvp(exponential)(z0, 0.8, C(0, 1), 0.0);
  EXPECT_TRUE(near(along.real(), slope([](double s) { return exponential(z0 + C(0, s), 0.8).real(); })));
  EXPECT_TRUE(near(along.imag(), slope([](double s) { return exponential(z0 + C(0, s), 0.8).imag(); })));
  const auto weighed = [](C c) { return 2 * c.real() - c.imag(); };
  const auto [dz, dt] = tlaloc::vjp(exponential)(z0, 0.8, C(2, -1));
  EXPECT_TRUE(is_gradient(dz, [&](C z) { return weighed(exponential(z, 0.8)); }, z0));
  EXPECT_TRUE(near(dt, slope([&](double s) { return weighed(exponential(z0, 0.8 + s)); })));
  C z = z0, dx(1, 0);
  EXPECT_TRUE(near(tlaloc::vjp(in_place)(tlaloc::shadow(z, dx), 2.0), (z0 * z0).real()));
  EXPECT_TRUE(near(z.imag(), (z0 * z0 * 2.0).imag()));
  EXPECT_TRUE(near(dx.real(), 4 * z0.real()) && near(dx.imag(), -4 * z0.imag()));
}
TEST(Complex, InsideOtherTypes) {
  const S s{z0, 0.5, {w0, C(1, -1)}}, ds = tlaloc::grad(of_struct)(s);
  EXPECT_TRUE(is_gradient(ds.z, [&](C z) { return of_struct({z, s.k, {s.w[0], s.w[1]}}); }, s.z));
  EXPECT_TRUE(is_gradient(ds.w[1], [&](C w) { return of_struct({s.z, s.k, {s.w[0], w}}); }, s.w[1]));
  const S along = tlaloc::jvp(gives_struct)(z0, 0.5, C(1, 0), 0.0);
  EXPECT_TRUE(near(along.w[0].real(), 0.5) && near(along.w[1].real(), 1) && near(along.z.imag(), 2 * z0.imag()));
  std::vector<C> v{z0, w0, C(1, 1)};
  const auto dv = tlaloc::grad(of_vector)(v);
  EXPECT_TRUE(is_gradient(dv[1], [&](C z) { auto u = v; u[1] = z; return of_vector(u); }, w0));
}
TEST(Complex, SecondDerivatives) {
  const auto cube = [](const C& z) { return std::real(z * z * z); };
  const auto h = tlaloc::hessian(cube)(z0);
  EXPECT_TRUE(near(h.at(0, 1), -6 * z0.imag()) && near(h.at(1, 1), -6 * z0.real()));
  const auto jacobian = tlaloc::jacfwd(exponential)(z0, 0.8);
  EXPECT_TRUE(near(std::get<0>(jacobian).at(1, 0), slope([](double s) { return exponential(z0 + s, 0.8).imag(); })));
}

}  // namespace

int main() { return check::run(); }
