// SPDX-License-Identifier: Apache-2.0
//
// The library: programs that the lowering test compiles natively and, from this very text, lowers and
// interprets. Each namespace has a function f; what it exercises is the name.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <span>
#include <tuple>
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
}  // namespace iterators

namespace accumulate {
double f(double x) {
  std::vector<double> v{x, 2 * x, x * x};
  return std::accumulate(v.begin(), v.end(), 0.0);
}
}  // namespace accumulate

namespace inner_product {
double f(double x) {
  std::array<double, 3> a{x, 2, 3}, c{1, x, x};
  return std::inner_product(a.begin(), a.end(), c.begin(), 0.0);
}
}  // namespace inner_product

namespace minmax {
double f(double x, double y) {
  return std::min(x, y) * 2 + std::max(x, y) * 3 + std::clamp(x, 0.0, 1.0) +
         std::min({x, y, x * y});
}
}  // namespace minmax

namespace swap {
double f(double x, double y) {
  std::swap(x, y);
  double a[2] = {x, y};
  std::swap(a[0], a[1]);
  return x - 3 * y + a[0] * 5;
}
}  // namespace swap

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
}  // namespace array_of_array

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
}  // namespace vector_of_structs

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
}  // namespace vectors_returned

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
}  // namespace vectors_copied

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
}  // namespace algorithms

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
}  // namespace spans

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
}  // namespace structured

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
}  // namespace pairs_and_tuples

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
}  // namespace mathematics

namespace mathematics_of_float {
float f(float x) {
  return sinf(x) + std::sin(x) + std::pow(x, 2.0f) + powf(x, 3) + std::sqrt(x) + fabsf(-x) +
         std::exp(x) + std::floor(x * 3) + std::max(x, 0.5f) + erff(x) + std::cbrt(x) +
         std::atan2(x, 2.0f);
}
}  // namespace mathematics_of_float

namespace output {
double f(double x) {
  std::printf("a %d %g\n", 3, x);
  puts("hi");
  if (x < 0)
    abort();
  assert(x > 0);
  return x;
}
}  // namespace output

namespace memcpy {
double f(double x) {
  double a[4] = {x, 2, 3, 4}, c[4];
  std::memcpy(c, a, sizeof a);
  std::memmove(a + 1, a, 3 * sizeof(double));
  std::memset(c, 0, 2 * sizeof(double));
  return a[1] + a[3] * 10 + c[2] + c[0];
}
}  // namespace memcpy

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
}  // namespace vector_parameters

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
}  // namespace vector_member

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
}  // namespace initializer_lists

namespace minmax_pair {
double f(double x, double y) {
  double s = 0;
  const auto& [a, b] = std::minmax(x, y);
  s += a * 2 + b;
  return s;
}
}  // namespace minmax_pair

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
}  // namespace algorithms_with_lambdas

}  // namespace programs
