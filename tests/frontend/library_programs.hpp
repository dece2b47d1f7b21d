// SPDX-License-Identifier: Apache-2.0
//
// The library: programs that the lowering test compiles natively and, from this very text, lowers
// and interprets. Each namespace has a function f; what it exercises is the name.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <numbers>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace programs {

namespace iterators {
double f(double x) {
  std::vector<double> v(4, x);
  double s = 0;
  for (auto it = v.begin(); it != v.end(); ++it)
    s += *it * *it;
  return s;
}
} // namespace iterators

namespace accumulate {
double f(double x) {
  std::vector<double> v{x, 2 * x, x * x};
  return std::accumulate(v.begin(), v.end(), 0.0);
}
} // namespace accumulate

namespace inner_product {
double f(double x) {
  std::array<double, 3> a{x, 2, 3}, c{1, x, x};
  return std::inner_product(a.begin(), a.end(), c.begin(), 0.0);
}
} // namespace inner_product

namespace minmax {
double f(double x, double y) {
  return std::min(x, y) * 2 + std::max(x, y) * 3 + std::clamp(x, 0.0, 1.0) +
         std::min({x, y, x * y});
}
} // namespace minmax

// A temporary in an arm of ?: lives to the end of the expression.
namespace temporaries_in_arms {
double f(double x, double y) {
  double s = 1;
  s += x > y ? std::min(-1.2, x) : s;
  s *= y > 0 ? (x > 2 ? std::max(x * y, 0.5) : std::min(x + y, 7.0)) : s;
  for (int i = 0; i < 3; ++i) s -= x < i ? std::max(y * i, 0.25) : x;
  return s;
}
} // namespace temporaries_in_arms

namespace swap {
double f(double x, double y) {
  std::swap(x, y);
  double a[2] = {x, y};
  std::swap(a[0], a[1]);
  return x - 3 * y + a[0] * 5;
}
} // namespace swap

namespace array_of_array {
double f(double x) {
  std::array<std::array<double, 2>, 3> a{};
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < 2; ++j)
      a[i][j] = x * (i + 1) + j;
  double s = 0;
  for (auto& r : a)
    for (auto v : r)
      s += v * v;
  return s + a.back().front() + a.at(1)[1];
}
} // namespace array_of_array

namespace vector_of_structs {
struct P {
  double x, y;
};
double f(double x, int n) {
  std::vector<P> v;
  for (int i = 0; i < n; ++i)
    v.push_back({x * i, x + i});
  v.push_back(v[0]);
  double s = 0;
  for (const auto& p : v)
    s += p.x * p.y;
  v.resize(2);
  return s + v.back().x + v.size();
}
} // namespace vector_of_structs

namespace vectors_returned {
std::vector<double> make(double x, int n) {
  std::vector<double> r(n);
  for (int i = 0; i < n; ++i)
    r[i] = x * i;
  return r;
}
std::vector<double> pick(double x, bool q) {
  if (q)
    return {x, x};
  std::vector<double> z{1.0, x * x};
  return z;
}
double f(double x) {
  auto v = make(x, 4);
  auto w = pick(x, true);
  w = pick(x, false);
  return v[3] + w[1];
}
} // namespace vectors_returned

namespace vectors_copied {
double f(double x) {
  std::vector<double> v{x, 2};
  auto w = v;
  w[0] *= 3;
  v = w;
  v.push_back(x);
  w.assign(3, x);
  w.pop_back();
  w.emplace_back(2 * x);
  return v[0] + w[1] + w.back() + v.front() + (v.empty() ? 1 : 2);
}
} // namespace vectors_copied

namespace algorithms {
double f(double x) {
  std::vector<double> v(5);
  std::iota(v.begin(), v.end(), x);
  std::transform(v.begin(), v.end(), v.begin(), [&](double t) { return t * x; });
  std::fill(v.begin(), v.begin() + 2, 7.0);
  std::vector<double> w(5);
  std::copy(v.begin(), v.end(), w.begin());
  std::reverse(w.begin(), w.end());
  return std::accumulate(w.begin(), w.end(), 0.0) + w[0] + *std::max_element(v.begin(), v.end());
}
} // namespace algorithms

namespace spans {
double sum(std::span<const double> s) {
  double r = 0;
  for (double v : s)
    r += v * v;
  return r + s.size();
}
double f(double x) {
  std::array<double, 3> a{x, 2, 3};
  std::vector<double> v{x, 1};
  double c[2] = {x, x};
  std::span<double> q(a);
  q[1] = 5 * x;
  return sum(a) + sum(v) + sum(c) + sum(std::span<const double>(a.data(), 2)) +
         q.subspan(1).front();
}
} // namespace spans

namespace structured {
struct P {
  double a, b;
};
P mk(double x) { return {x, x * x}; }
double f(double x) {
  auto [a, b] = mk(x);
  double m[2] = {x, 3};
  auto& [c, d] = m;
  c += 1;
  auto [e, g] = std::pair<double, double>(x, 2);
  return a + b * 2 + m[0] * d + e * g;
}
} // namespace structured

namespace pairs_and_tuples {
double f(double x) {
  std::pair<double, int> p{x, 2};
  p.first *= 3;
  auto q = std::make_pair(x, x * x);
  std::tuple<double, double, int> t{x, 2 * x, 3};
  std::get<1>(t) += 1;
  auto [a, b, c] = t;
  return p.first * p.second + q.second + a + b * c + std::get<0>(t);
}
} // namespace pairs_and_tuples

namespace mathematics {
double f(double x, double y) {
  int e;
  double ip;
  double r = std::frexp(x * 8, &e) + e;
  r += std::modf(x * 3, &ip) + ip;
  r += std::ldexp(x, 3) + std::abs(-3) + std::abs(-x) + std::fabs(y - x) + std::fmod(x * 7, y) +
       std::floor(x) + std::ceil(y) + std::round(x * 2) + std::trunc(-x) + std::copysign(x, -1.0) +
       std::exp2(x) + std::log2(x) + std::log10(x) + std::pow(x, 3) + std::pow(2, x) +
       std::hypot(x, y, 1.0) + std::hypot(x, y) + std::lround(x * 5) + std::isnan(x) +
       std::isfinite(y) + std::signbit(-x) + std::sqrt(2) + std::sin(1) + std::fma(x, y, 2.0) +
       std::fdim(x, y) + std::tgamma(x) + std::nearbyint(x) + std::remainder(x * 5, y);
  return r;
}
} // namespace mathematics

namespace mathematics_of_float {
float f(float x) {
  return sinf(x) + std::sin(x) + std::pow(x, 2.0f) + powf(x, 3) + std::sqrt(x) + fabsf(-x) +
         std::exp(x) + std::floor(x * 3) + std::max(x, 0.5f) + erff(x) + std::cbrt(x) +
         std::atan2(x, 2.0f);
}
} // namespace mathematics_of_float

namespace output {
double f(double x) {
  std::printf("a %d %g\n", 3, x);
  puts("hi");
  if (x < 0)
    abort();
  assert(x > 0);
  return x;
}
} // namespace output

namespace memcpy {
double f(double x) {
  double a[4] = {x, 2, 3, 4}, c[4];
  std::memcpy(c, a, sizeof a);
  std::memmove(a + 1, a, 3 * sizeof(double));
  std::memset(c, 0, 2 * sizeof(double));
  return a[1] + a[3] * 10 + c[2] + c[0];
}
} // namespace memcpy

namespace vector_parameters {
double total(const std::vector<double>& v) {
  double s = 0;
  for (auto e : v)
    s += e;
  return s;
}
void scale(std::vector<double>& v, double k) {
  for (auto& e : v)
    e *= k;
  v.push_back(k);
}
double f(double x) {
  std::vector<double> v{x, x};
  scale(v, 3);
  return total(v) + total({1.0, x});
}
} // namespace vector_parameters

namespace vector_member {
class Poly {
  std::vector<double> c_;

public:
  Poly(std::vector<double> c) : c_(std::move(c)) {}
  explicit Poly(int n) : c_(n, 1.0) {}
  double operator()(double x) const {
    double r = 0;
    for (std::size_t i = c_.size(); i-- > 0;)
      r = r * x + c_[i];
    return r;
  }
  void add(double v) { c_.push_back(v); }
  std::size_t size() const { return c_.size(); }
};
double f(double x) {
  Poly p({1.0, x, 2.0});
  p.add(x);
  Poly q(3);
  return p(x) + q(0.5) * p.size();
}
} // namespace vector_member

namespace initializer_lists {
double sum(std::initializer_list<double> l) {
  double s = 0;
  for (double v : l)
    s += v;
  return s * l.size();
}
double f(double x) {
  double s = 0;
  for (double v : {x, 2.0, x * x})
    s += v;
  return s + sum({x, 1.0});
}
} // namespace initializer_lists

namespace minmax_pair {
double f(double x, double y) {
  double s = 0;
  const auto& [a, b] = std::minmax(x, y);
  s += a * 2 + b;
  return s;
}
} // namespace minmax_pair

namespace algorithms_with_lambdas {
double f(double x) {
  std::array<double, 3> a{x, 2, 3};
  double s = 0;
  std::for_each(a.begin(), a.end(), [&](double& v) {
    v *= 2;
    s += v;
  });
  return s + a[0] + std::transform_reduce(a.begin(), a.end(), 0.0, std::plus<>{}, [](double v) {
           return v * v;
         });
}
} // namespace algorithms_with_lambdas

namespace nested_types {
struct In {
  std::array<double, 3> a;
  int k;
};
struct Out {
  In in;
  std::vector<double> v;
  double z;
};
double g(const Out& o) {
  double s = o.z;
  for (double e : o.in.a)
    s += e;
  for (std::size_t i = 0; i < o.v.size(); ++i)
    s += o.v[i] * o.in.k;
  return s;
}
double f(double x) {
  Out o{{{x, 2, 3}, 4}, {x, x, 1}, 5};
  o.in.a[1] = x;
  o.v.push_back(2);
  Out p = o;
  p.v[0] = 100;
  return g(o) + p.v[0];
}
} // namespace nested_types

namespace vec_of_arrays {
double f(double x) {
  std::vector<std::array<double, 2>> v;
  v.push_back({x, 1});
  v.push_back({2, x});
  std::array<double, 2> q = v[0];
  v.push_back(q);
  double s = 0;
  for (auto& [a, b] : v) {
    s += a * b;
    a += 1;
  }
  for (const auto& e : v)
    s += e[0];
  return s + v.size();
}
} // namespace vec_of_arrays

namespace algos2 {
double f(double x) {
  std::array<double, 5> a;
  a.fill(x);
  std::vector<double> v(5, 2.0);
  std::partial_sum(v.begin(), v.end(), v.begin());
  std::fill_n(a.begin(), 2, 1.0);
  double s = std::count_if(v.begin(), v.end(), [](double t) { return t > 4; });
  s += std::any_of(a.begin(), a.end(), [&](double t) { return t == x; }) ? 1 : 0;
  auto it = std::lower_bound(v.begin(), v.end(), 5.0);
  s += *it;
  s += std::distance(v.begin(), it);
  s += *std::next(v.begin(), 2) + *std::prev(v.end());
  s += v.end()[-2] + *(v.begin() + 1);
  for (auto r = v.rbegin(); r != v.rend(); ++r)
    s = s * 0.5 + *r;
  std::vector<double> d(5);
  std::adjacent_difference(v.begin(), v.end(), d.begin());
  s += d[3];
  std::copy_n(v.begin(), 3, d.begin());
  s += d[2];
  s += std::max(*std::min_element(v.begin(), v.end()), x);
  return s + a[0] + a[4];
}
} // namespace algos2

namespace pointers_into_vectors {
double sum(const double* p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
double f(double x) {
  std::vector<double> v{1, x, 3, 4};
  double* p = v.data() + 1;
  p[0] *= 2;
  *(&v[2]) += x;
  return sum(v.data(), v.size()) + sum(&v[1], 2) + sum(p, 3);
}
} // namespace pointers_into_vectors

namespace constant_objects {
struct Cfg {
  double a;
  int n;
  double t[2];
};
constexpr Cfg cfg{2.5, 3, {1, 2}};
const Cfg cfg2 = {1, 2, {3, 4}};
template <class T> constexpr T half = T(0.5);
struct K {
  static constexpr double w[3] = {1, 2, 3};
  static inline const int q = 7;
  enum { E = 4 };
};
constexpr double operator""_deg(long double d) { return d * 0.01; }
double f(double x) {
  double s = 0;
  for (double w : K::w)
    s += w * x;
  return s + cfg.a * cfg.n + cfg.t[1] + cfg2.t[0] + half<double> + K::q + K::E + 30.0_deg +
         std::numbers::pi + M_PI;
}
} // namespace constant_objects

namespace tuple_fn {
std::tuple<double, double> pol(double x, double y) { return {x * y, x + y}; }
double f(double x, double y) {
  double a, b;
  std::tie(a, b) = pol(x, y);
  auto [c, d] = pol(a, b);
  auto p = std::make_tuple(x, 2, y);
  return a + b * c + d + std::get<0>(p) + std::get<2>(p);
}
} // namespace tuple_fn

namespace functions_of_functions {
template <class F> double newton(F fn, double x0, int n) {
  for (int i = 0; i < n; ++i) {
    auto [v, d] = fn(x0);
    x0 -= v / d;
  }
  return x0;
}
template <class F, class G> auto compose(F a, G b) {
  return [=](auto x) { return a(b(x)); };
}
double f(double a) {
  auto h = compose([](double t) { return t * 2; }, [a](double t) { return t + a; });
  return newton([&](double x) { return std::pair(x * x - a, 2 * x); }, 1.0, 5) + h(3.0) +
         std::invoke(h, a);
}
} // namespace functions_of_functions

namespace array_ops {
double f(double x) {
  std::array<double, 3> a{1, x, 3}, b = a;
  bool eq = (a == b);
  b[2] = x;
  std::array<std::array<double, 2>, 2> m{{{x, 1}, {2, 3}}};
  auto r = m;
  r[0].swap(m[1]);
  return (eq ? 1 : 0) + (a < b ? 2 : 0) + b[2] + r[0][0] * 10 + m[1][0] * 100 + std::get<1>(a) +
         a.front() + *a.rbegin() + a.size() + (a.empty() ? 1 : 0);
}
} // namespace array_ops

namespace span2 {
double dot(std::span<const double> a, std::span<const double> b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
void ax(double k, std::span<double> y) {
  for (auto& v : y)
    v *= k;
}
double f(double x) {
  std::vector<double> v{x, 2, 3, 4};
  double w[4] = {1, x, 1, 2};
  ax(2, v);
  ax(x, std::span(w).first(2));
  std::span<double, 2> fx(w + 1, 2);
  auto l = std::span(v).last(2);
  return dot(v, w) + fx[1] + fx.size() + l[0] + *l.begin() + (l.empty() ? 1 : 0) + l.back();
}
} // namespace span2

namespace default_args {
double g(double x, double k = 2.5, int n = 3, std::array<double, 2> a = {1, 2}) {
  return x * k + n + a[1];
}
double f(double x) { return g(x) + g(x, 1) + g(x, x, 2) + g(x, 1, 1, {x, x}); }
} // namespace default_args

namespace early_vec {
std::vector<double> g(double x) {
  std::vector<double> r;
  if (x < 0)
    return r;
  for (int i = 0; i < 3; ++i) {
    r.push_back(x + i);
    if (x > 1 && i == 1)
      return r;
  }
  r.push_back(9);
  return r;
}
double f(double x) {
  auto a = g(x), b = g(0.5), c = g(-1);
  double s = 0;
  for (auto v : a)
    s += v;
  for (auto v : b)
    s += v * 2;
  return s + a.size() * 10 + b.size() * 100 + c.size();
}
} // namespace early_vec

namespace special_functions {
double f(double x, double y) {
  return std::beta(x, y) + std::legendre(3, 0.5) + std::cyl_bessel_j(0.5, x) +
         std::riemann_zeta(x + 1) + std::expint(x) + std::comp_ellint_1(0.3) + std::hermite(2u, x) +
         std::assoc_laguerre(1, 2, x) + std::lerp(x, y, 0.25) + std::midpoint(x, y) +
         std::sph_bessel(1, x) + std::ilogb(x * 9) + std::scalbn(x, 2) + std::logb(x) +
         std::nextafter(x, 2.0) + std::fmod(x, y) + std::rint(x) + std::lrint(y) +
         std::isgreater(x, y) + std::asinh(x) + std::atan(y) + std::sinh(x) + std::acos(y) +
         std::erfc(x);
}
} // namespace special_functions

} // namespace programs
