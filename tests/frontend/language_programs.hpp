// SPDX-License-Identifier: Apache-2.0
//
// The language: programs that the lowering test compiles natively and, from this very text, lowers and
// interprets. Each namespace has a function f; what it exercises is the name.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>
#include <cassert>

namespace programs {

namespace pointer_chosen {
double f(double x, double y) {
  double a = x, c = y;
  double* p = x > y ? &a : &c;
  *p *= 3;
  return a + 2 * c;
}
}  // namespace pointer_chosen

namespace pointers_swapped_in_loop {
double f(double x, double y) {
  double a[3] = {x, y, 1}, c[3] = {2, x, y};
  double* p = a;
  double* q = c;
  for (int i = 0; i < 3; ++i) {
    p[i] += q[i] * q[i];
    std::swap(p, q);
  }
  return a[0] + 2 * a[1] + 3 * a[2] + 5 * c[0] + 7 * c[1] + 11 * c[2];
}
}  // namespace pointers_swapped_in_loop

namespace pointer_walk {
double f(const double* x, int n) {
  double s = 0;
  for (const double* p = x; p < x + n; ++p)
    s += *p * (p - x);
  return s;
}
}  // namespace pointer_walk

namespace pointer_while {
double f(const double* x, int n) {
  double s = 0;
  const double* e = x + n;
  while (x != e)
    s = s * 2 + *x++;
  return s;
}
}  // namespace pointer_while

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

namespace array2d {
double f(double x, double y) {
  double m[2][3] = {{x, y, 1}, {2, 3}};
  double s = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      m[i][j] *= x;
      s += m[i][j] * (i + 2 * j);
    }
  double (*r)[3] = m;
  r++;
  return s + (*r)[1] + m[1][2];
}
}  // namespace array2d

namespace switches {
double f(double x, int k) {
  double r = 0;
  for (int i = 0; i < 6; ++i) {
    switch (i % 4) {
    case 0:
      if (k > 2)
        break;
      r += x;
      [[fallthrough]];
    case 1:
      r *= 2;
      continue;
    case 2:
    case 3:
      r += i;
      break;
    default:
      r = -1;
    }
    r += 0.5;
    if (i == k)
      return r;
  }
  return r * 10;
}
}  // namespace switches

namespace switch_enum {
enum class E { A, B, C };
double g(E e, double x) {
  switch (e) {
  case E::A:
    return x;
  case E::B:
    return x * x;
  case E::C:
    break;
  }
  return -x;
}
double f(double x) { return g(E::A, x) + 10 * g(E::B, x) + 100 * g(E::C, x); }
}  // namespace switch_enum

namespace returns_in_loops {
double g(double x, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x += 0.1 * i * j;
      if (x > 3)
        return x * i;
      if (x > 2.5)
        break;
      if (j == 2)
        continue;
      x += 0.01;
    }
    if (x > 2.9)
      return -x;
  }
  return x;
}
double f(double x) { return g(x, 2) + 10 * g(x, 5) + 100 * g(x, 9); }
}  // namespace returns_in_loops

namespace while_cond {
double f(double x) {
  int n = 5;
  double s = 0;
  while (int k = n--) {
    if (k == 2)
      continue;
    s += k * x;
  }
  do {
    s *= 1.1;
    if (s > 20)
      break;
  } while (s < 100);
  for (;;) {
    s += 1;
    if (s > 30)
      return s;
  }
}
}  // namespace while_cond

namespace integers {
int f(int a, unsigned u, long long l, unsigned char c, short s) {
  c += 250;
  s -= 7;
  u -= 10;
  int r = a / 3 + a % 3 + (a << 2) + (a >> 1) + (a & 6) + (a | 9) + (a ^ 5) + ~a;
  r += c + s;
  r += (int)(u >> 28);
  l = l * l - (a > 2 ? l : 1);
  r += (int)(l % 1000);
  r += -a / 2;
  r += c >> 1;
  unsigned w = u * 7u;
  r += (w > 100u);
  c <<= 1;
  r += c;
  r += (signed char)200;
  r += 7 / -2;
  r += (a > 0) + (u > 0);
  return r;
}
}  // namespace integers

namespace conversions {
double f(double x, float y) {
  float z = x;
  int k = x * 10;
  unsigned u = x;
  bool q = x;
  double r = z + k + u + q + (long)y + static_cast<char>(65.7) + (unsigned char)300;
  r += y / 3 + 1 / 3 + 1 / 3.0f;
  r += true + 2;
  k += 2.7;
  k *= 1.5;
  float w = 1;
  w += 0.1;
  r += w;
  r += 5u / 2 + -5 / 2;
  return r;
}
}  // namespace conversions

namespace short_circuit {
double f(double x, double y) {
  bool a = x > 1 && y < 1, c = !a || (x < y);
  int n = 0;
  if (a && ++n && c)
    n += 2;
  if ((x < 0 || ++n) && n > 0)
    x += n;
  return (a ? 1 : 2) * x + (c ? 10 : 20) * y + n;
}
}  // namespace short_circuit

namespace assignments {
double f(double x) {
  double a, c, d;
  a = c = d = x;
  a += c *= 2;
  (a, d) = 5;
  int i = 0;
  double v[3] = {0, 0, 0};
  v[i++] = x;
  v[i] = a;
  v[++i] = d;
  double& r = (i > 1 ? v[0] : v[1]);
  r *= 2;
  ++(r += 1);
  return a + c + d + v[0] + v[1] * 10 + v[2] * 100;
}
}  // namespace assignments

namespace constants {
constexpr double pi = 3.14159;
const int N = 4;
static const double tab[N] = {1, 2, 3, 4};
namespace q {
inline constexpr std::array<double, 2> ab{0.5, 0.25};
}
enum { K = 3 };
struct Z {
  static constexpr double g = 9.81;
  static const int m = 2;
};
constexpr int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); }
double f(double x) {
  double s = pi * x;
  for (int i = 0; i < N; ++i)
    s += tab[i] * i;
  return s + q::ab[1] + K * Z::g + Z::m + fac(5) + sizeof(double) +
         std::numeric_limits<double>::epsilon() + std::numeric_limits<int>::max() * 1e-9;
}
}  // namespace constants

namespace recursion_arr {
double sumr(const double* a, int n) { return n == 0 ? 0 : a[0] * n + sumr(a + 1, n - 1); }
void fill(double* a, int n, double x) {
  if (n == 0)
    return;
  a[n - 1] = x * n;
  fill(a, n - 1, x);
}
double f(double x) {
  double a[5];
  fill(a, 5, x);
  return sumr(a, 5);
}
}  // namespace recursion_arr

namespace recursion_ref {
void rec(double& acc, double x, int n) {
  if (n == 0)
    return;
  acc += x * n;
  rec(acc, x * 0.5, n - 1);
}
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
double f(double x) {
  double s = 0;
  rec(s, x, 4);
  return s + even(6) + 10 * odd(3);
}
}  // namespace recursion_ref

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

namespace if_init {
double f(double x) {
  if (double y = x * 2; y > 2)
    x += y;
  else
    x -= y;
  if (int k = (int)x)
    x += k;
  return x;
}
}  // namespace if_init

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

namespace loops {
double f(double x, int n) {
  double s = 0;
  for (int i = n; i > 0; i--)
    s += i * x;
  for (int i = n; i >= 0; i -= 2)
    s += i;
  for (unsigned i = 0; i <= 3u; ++i)
    s *= 1.1;
  for (std::size_t i = n; i-- > 0;)
    s += i;
  int j;
  for (j = 0; j < n; ++j)
    s += 1;
  s += j;
  for (int a = 0, c = n; a < c; ++a, --c)
    s += a * c;
  for (char k = 0; k < 5; ++k)
    s += k;
  for (long k = 1; k < n * 3; k *= 2)
    s += k;
  for (int i = 0; i != n; ++i) {
    if (i == 2)
      ++i;
    s += i;
  }
  for (int i = 0; i < n; ++i) {
    n -= (i == 1);
    s += x;
  }
  return s;
}
}  // namespace loops

namespace float_loop {
double f(double x) {
  double s = 0;
  for (double t = 0; t < 1; t += 0.125)
    s += t * x;
  return s;
}
}  // namespace float_loop

namespace bool_ret {
bool near(double a, double b) {
  if (std::fabs(a - b) < 0.1)
    return true;
  return false;
}
double f(double x) { return near(x, 1.35) ? x * 2 : x * 3; }
}  // namespace bool_ret

namespace blocks {
double f(double x) {
  {
    double x2 = x * x;
    x = x2;
  };
  ;
  x += 1;
  return x;
}
}  // namespace blocks

namespace sort_like {
double f(double x) {
  double a[5] = {x, 0.5, 3, 2, x * x};
  for (int i = 1; i < 5; ++i) {
    double k = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > k) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = k;
  }
  return a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3] + 5 * a[4];
}
}  // namespace sort_like

namespace null_pointers {
double g(double x, double* out = nullptr) {
  if (out)
    *out = x * 3;
  return x;
}
double f(double x) {
  double o = 1;
  double r = g(x) + g(x, &o);
  double* p = nullptr;
  if (x > 1)
    p = &o;
  if (p != nullptr)
    r += *p;
  return r + o;
}
}  // namespace null_pointers

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

}  // namespace programs
