// SPDX-License-Identifier: Apache-2.0
//
// Classes and lambdas: programs that the lowering test compiles natively and, from this very text,
// lowers and interprets. Each namespace has a function f; what it exercises is the name.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace programs {

namespace records {
struct P {
  double x, y;
  int n;
  double w[3];
};
double g(P p) {
  p.x *= 2;
  p.w[1] += p.y;
  return p.x + p.w[1] * p.n;
}
double f(double x, double y) {
  P p{x, y, 3, {1, x * y}};
  double r = g(p);
  return r + p.x + p.w[1] + p.w[2];
}
}  // namespace records

namespace struct_array {
struct P {
  double x, y;
};
double f(double x, double y) {
  P p[4];
  for (int i = 0; i < 4; ++i) {
    p[i].x = x * i;
    p[i].y = y + i;
  }
  double s = 0;
  for (auto& q : p) {
    q.x += q.y;
    s += q.x * q.y;
  }
  P* r = p + 1;
  r++;
  return s + r->x + (*r).y + p[3].x;
}
}  // namespace struct_array

namespace curiously_recurring {
template <class D> struct B {
  double twice(double x) const { return 2 * static_cast<const D*>(this)->val(x); }
};
struct D : B<D> {
  double k;
  D(double k) : k(k) {}
  double val(double x) const { return k * x; }
};
double f(double x, double y) {
  D d(y);
  return d.twice(x);
}
}  // namespace curiously_recurring

namespace inherit {
struct A {
  double a;
  A(double a) : a(a) {}
  double sq() const { return a * a; }
};
struct C : A {
  double c;
  C(double a, double c) : A(a + 1), c(c) {}
  double all() { return sq() * c; }
};
double f(double x, double y) {
  C c(x, y);
  A& a = c;
  a.a += 1;
  return c.all();
}
}  // namespace inherit

namespace default_init {
struct S {
  double a = 2;
  double b = a * 3;
  S() = default;
  S(double x) : a(x) {}
};
double f(double x) {
  S s;
  S u(x);
  S w{};
  return s.b + u.b * u.a + w.a;
}
}  // namespace default_init

namespace operators {
struct V {
  double x, y;
  V& operator+=(const V& o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  friend V operator+(V a, const V& b) {
    a += b;
    return a;
  }
  double operator[](int i) const { return i == 0 ? x : y; }
  V operator-() const { return {-x, -y}; }
};
double f(double x, double y) {
  V a{x, y};
  V c = a + V{1, 2} + a;
  c += c;
  V d = -c;
  return c[0] * c[1] + d[1];
}
}  // namespace operators

namespace lambda_mut {
double f(double x) {
  int n = 0;
  auto acc = [&, k = x * 2](double t) mutable {
    k += t;
    ++n;
    return k * n;
  };
  double r = acc(1);
  r += acc(x);
  return r + n;
}
}  // namespace lambda_mut

namespace lambda_generic {
double f(double x, double y) {
  auto h = [](auto a, auto c) { return a * c + a; };
  auto twice = [](auto g, double z) { return g(g(z, z), z); };
  return twice(h, x) + h(2, y);
}
}  // namespace lambda_generic

namespace lambda_as_function_pointer {
double app(double (*g)(double), double x) { return g(x) * g(2 * x); }
double f(double x) {
  double (*h)(double) = [](double t) { return t * t + 1; };
  return app(h, x) + app([](double t) { return t - 1; }, x);
}
}  // namespace lambda_as_function_pointer

namespace function_pointer {
double sq(double x) { return x * x; }
double app(double (*g)(double), double x) { return g(x); }
double f(double x) { return app(sq, x) + app(&sq, 2 * x); }
}  // namespace function_pointer

namespace functor {
struct F {
  double k;
  double operator()(double x) const { return k * x * x; }
};
template <class G> double integrate(G g, double a, double c, int n) {
  double h = (c - a) / n, s = 0;
  for (int i = 0; i < n; ++i)
    s += g(a + (i + 0.5) * h);
  return s * h;
}
double f(double x, double y) { return integrate(F{x}, 0, y, 5); }
}  // namespace functor

namespace recursion_struct {
struct C {
  double re, im;
};
C powc(C z, int n) {
  if (n == 0)
    return {1, 0};
  C h = powc(z, n - 1);
  return {h.re * z.re - h.im * z.im, h.re * z.im + h.im * z.re};
}
double f(double x, double y) {
  C c = powc({x, y}, 4);
  return c.re + 2 * c.im;
}
}  // namespace recursion_struct

namespace template_ops {
template <class T, int N> struct Vec {
  T v[N];
  T& operator[](int i) { return v[i]; }
  const T& operator[](int i) const { return v[i]; }
  template <class U> Vec& operator*=(U k) {
    for (auto& e : v)
      e *= k;
    return *this;
  }
};
template <class T, int N> T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T s{};
  for (int i = 0; i < N; ++i)
    s += a[i] * b[i];
  return s;
}
template <class... A> double sum(A... a) { return (a + ... + 0.0); }
double f(double x) {
  Vec<double, 3> a{{x, 2, x}};
  auto c = a;
  c *= 2;
  return dot(a, c) + sum(x, 1, 2.5f) + sum();
}
}  // namespace template_ops

namespace ref_member {
struct R {
  double& r;
  const double& c;
  void add(double t) { r += t * c; }
};
double f(double x, double y) {
  double s = x;
  R q{s, y};
  q.add(2);
  q.add(x);
  return s;
}
}  // namespace ref_member

namespace ptr_member {
struct M {
  const double* d;
  int n;
  double at(int i) const { return d[i]; }
};
double f(const double* x, int n) {
  M m{x, n};
  M k = m;
  k.d += 1;
  double s = 0;
  for (int i = 0; i < k.n - 1; ++i)
    s += k.at(i) * m.at(i);
  return s;
}
}  // namespace ptr_member

namespace this_lambda {
struct S {
  double a;
  double run(double x) {
    auto g = [this, x](double t) {
      a += t;
      return a * x;
    };
    return g(1) + g(2);
  }
  double cp(double x) const {
    auto g = [*this](double t) { return a * t; };
    return g(x);
  }
};
double f(double x, double y) {
  S s{x};
  double r = s.run(y);
  return r + s.a + s.cp(2);
}
}  // namespace this_lambda

namespace static_member_fn {
struct S {
  static double sq(double x) { return x * x; }
  template <class T> static T id(T x) { return x; }
  operator double() const { return v; }
  explicit operator bool() const { return v > 0; }
  double v;
};
double f(double x) {
  S s{x};
  double d = s;
  return S::sq(x) + S::id(x) + d + (s ? 1 : 2) + s * 2;
}
}  // namespace static_member_fn

namespace early_struct {
struct P {
  double a, b;
};
P g(double x) {
  if (x > 1)
    return {x, 1};
  P p;
  p.a = x;
  p.b = 2 * x;
  if (x < 0)
    return p;
  p.b += 1;
  return p;
}
double f(double x) {
  P a = g(x), b = g(x - 1), c = g(x - 2);
  return a.a + 2 * a.b + 3 * b.a + 5 * b.b + 7 * c.a + 11 * c.b;
}
}  // namespace early_struct

namespace ternary_struct {
struct P {
  double a, b;
};
double f(double x, double y) {
  P p{x, 1}, q{y, 2};
  P r = x > y ? p : q;
  P& s = x < y ? p : q;
  s.b += 5;
  P t = x > 0 ? P{x, x} : q;
  return r.a + r.b + p.b * 10 + q.b * 100 + t.b;
}
}  // namespace ternary_struct

namespace linked_list {
struct N {
  double v;
  N* next;
};
double f(double x) {
  N c{x * 3, nullptr}, b{x * 2, &c}, a{x, &b};
  double s = 0;
  for (N* p = &a; p; p = p->next)
    s = s * 2 + p->v;
  return s;
}
}  // namespace linked_list

namespace init_in_ctor {
struct A {
  double k = 3;
  double m = k * 2;
};
struct B {
  double k = 10;
  double r;
  B(double x) {
    A a{x};
    A c{};
    r = a.m + c.m + k;
  }
};
double f(double x) {
  B b(x);
  return b.r;
}
}  // namespace init_in_ctor

namespace lambda_rec {
double f(double x) {
  auto rec = [](auto self, double y, int n) -> double {
    return n == 0 ? y : self(self, y * 1.1 + n, n - 1);
  };
  return rec(rec, x, 4);
}
}  // namespace lambda_rec

namespace devirtualised {
struct S {
  virtual ~S() = default;
  virtual double area() const = 0;
  double twice() const { return 2; }
};
struct Sq final : S {
  double a;
  Sq(double a) : a(a) {}
  double area() const override { return a * a; }
};
double f(double x) {
  Sq s(x);
  return s.area() * s.twice();
}
}  // namespace devirtualised

namespace ref_return {
struct M {
  double d[4];
  double& at(int i) { return d[i]; }
  const double& at(int i) const { return d[i]; }
  M& self() { return *this; }
};
double& pick(double& a, double& b, bool q) { return q ? a : b; }
double& pick2(double& a, double& b, bool q) {
  if (q)
    return a;
  return b;
}
double f(double x, double y) {
  M m{{x, 1, 2, 3}};
  m.at(1) += x;
  m.self().at(2) *= y;
  pick(x, y, x > y) *= 2;
  pick2(x, y, x < y) += 1;
  return m.at(0) + m.at(1) * m.at(2) + x * 3 + y * 5;
}
}  // namespace ref_return

namespace traits {
template <class T> T g(T x) {
  if constexpr (std::is_same_v<T, float>)
    return x * 2;
  else if constexpr (requires { x.size(); })
    return x;
  else
    return x * 3;
}
template <class... A> auto prod(A... a) { return (a * ...); }
template <class T>
  requires std::is_floating_point_v<T>
T only(T x) {
  return x + 1;
}
double f(double x) { return g(x) + g(2.0f) + g(3) + prod(x, 2, 3.5f) + only(x); }
}  // namespace traits

namespace structs2 {
struct V {
  double x = 0, y = 0;
  bool operator==(const V&) const = default;
  auto operator<=>(const V&) const = default;
};
double f(double x, double y) {
  V a{x, y}, b{y, x};
  std::swap(a, b);
  V c[3] = {a, b};
  c[2] = c[0];
  c[1].x = 7;
  for (int i = 0; i < 2; ++i)
    c[i] = c[i + 1];
  V d = c[0];
  const V& e = c[2];
  return a.x + 10 * b.x + d.x + e.y + (a == c[2] ? 100 : 0) + (a < b ? 1000 : 0) + (a != b);
}
}  // namespace structs2

namespace pointers_to_structs {
struct P {
  double x;
  int n;
};
void upd(P* p, double k) {
  p->x *= k;
  p->n++;
  (*p).x += p->n;
}
double f(double x) {
  P a{x, 1}, b{2, 3};
  P* q = &a;
  upd(q, 3);
  q = &b;
  upd(q, x);
  P arr[3] = {a, b, a};
  P* r = arr;
  for (int i = 0; i < 3; ++i, ++r)
    upd(r, i + x);
  const P* e = &arr[3];
  double s = 0;
  for (const P* z = arr; z != e; z++)
    s += z->x * z->n;
  return s + (e - arr);
}
}  // namespace pointers_to_structs

namespace chained_members {
struct Counter {
  int n = 0;
  double total = 0;
  Counter& add(double v) {
    total += v;
    n++;
    return *this;
  }
  double mean() const { return n ? total / n : 0; }
};
double f(double x) {
  Counter c;
  c.add(x).add(2 * x).add(3);
  return c.mean() + Counter{}.add(x).mean();
}
}  // namespace chained_members

namespace converting_constructors {
struct A {
  double v;
  A(double v) : v(v) {}
  A(int) : v(100) {}
};
double g(A a) { return a.v; }
struct W {
  double v;
  operator A() const { return A(v * 2); }
};
double f(double x) {
  W w{x};
  A b = w;
  return g(x) + g(1) + g(w) + b.v + A(x).v;
}
}  // namespace converting_constructors

namespace inherit2 {
struct B {
  double b = 1;
  double get() const { return b; }
  void set(double v) { b = v; }
};
struct M1 : B {
  double m = 2;
};
struct D : M1 {
  double d;
  using M1::set;
  D(double x) : d(x) {
    set(x * 2);
    m += b;
  }
  double all() const { return get() + m + d + B::b; }
};
double sum(const B& b) { return b.get(); }
double f(double x) {
  D d(x);
  B& r = d;
  r.set(5);
  M1 s = d;
  return d.all() + sum(d) + s.m;
}
}  // namespace inherit2

namespace capture_many {
double f(double x, double y) {
  struct L {
    double a, b;
  } l{x, y};
  std::array<double, 2> arr{x, 3};
  double buf[2] = {1, x};
  auto g = [=](double t) { return l.a * t + l.b + arr[1] + buf[1]; };
  auto h = [&] {
    l.a += 1;
    arr[0] *= 2;
    buf[0] = y;
    return l.a + arr[0] + buf[0];
  };
  auto k = [z = g(1), &w = l.b] {
    w += z;
    return w;
  };
  double r = g(2) + h();
  r += k();
  return r + l.b + arr[0] + buf[0] + g(3);
}
}  // namespace capture_many

namespace class_tmpl {
template <class T, std::size_t R, std::size_t C> class Mat {
  std::array<T, R * C> d_{};

public:
  T& operator()(std::size_t i, std::size_t j) { return d_[i * C + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return d_[i * C + j]; }
  template <std::size_t K> Mat<T, R, K> operator*(const Mat<T, C, K>& o) const {
    Mat<T, R, K> r;
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t j = 0; j < K; ++j)
        for (std::size_t k = 0; k < C; ++k)
          r(i, j) += (*this)(i, k) * o(k, j);
    return r;
  }
  T trace() const {
    T t{};
    for (std::size_t i = 0; i < R; ++i)
      t += (*this)(i, i);
    return t;
  }
};
double f(double x) {
  Mat<double, 2, 3> a;
  Mat<double, 3, 2> b;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      a(i, j) = x * i + j;
      b(j, i) = x - j;
    }
  return (a * b).trace();
}
}  // namespace class_tmpl

namespace runge_kutta {
struct State {
  double p, v;
  State operator+(const State& o) const { return {p + o.p, v + o.v}; }
  friend State operator*(double k, const State& s) { return {k * s.p, k * s.v}; }
};
template <class F> State rk4(F rhs, State s, double h) {
  State k1 = rhs(s), k2 = rhs(s + 0.5 * h * k1), k3 = rhs(s + 0.5 * h * k2), k4 = rhs(s + h * k3);
  return s + h / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}
double f(double w, double c) {
  State s{1, 0};
  auto rhs = [&](const State& y) { return State{y.v, -w * w * y.p - c * y.v}; };
  for (int i = 0; i < 10; ++i)
    s = rk4(rhs, s, 0.1);
  return s.p;
}
}  // namespace runge_kutta

}  // namespace programs
