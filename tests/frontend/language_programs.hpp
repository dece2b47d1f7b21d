// SPDX-License-Identifier: Apache-2.0
//
// The language: programs that the lowering test compiles natively and, from this very text,
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

namespace rows_of_arrays {
double g(const double (*m)[3], int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j)
      s += m[i][j] * (i - j);
  return s;
}
double h(double m[][2]) { return m[1][0]; }
double f(double x) {
  double a[2][3] = {{x, 1, 2}, {3, x, 5}};
  double c[2][2] = {{1, 2}, {x, 4}};
  return g(a, 2) + g(a + 1, 1) + h(c);
}
}  // namespace rows_of_arrays

namespace control2 {
double f(double x, int n) {
  double s = 0;
  do {
    if (n % 2)
      continue;
    s += n * x;
  } while (--n > 0);
  for (int i = 0; i < 5; ++i) {
    switch (i) {
    case 1:
      continue;
    case 3: {
      double q = i * x;
      s += q;
    } break;
    case 4:
      return s;
    default:
      s += 1;
    }
    s *= 1.5;
  }
  return -1;
}
}  // namespace control2

namespace void_ret {
void g(double& r, double x) {
  if (x < 1) {
    r = 1;
    return;
  }
  for (int i = 0; i < 4; ++i) {
    r += x;
    if (r > 4)
      return;
  }
  r = -r;
}
double f(double x) {
  double a = 0, b = 0, c = 0;
  g(a, x);
  g(b, 0.5);
  g(c, 1.01 * 0.9 + 0.1);
  return a + 10 * b + 100 * c;
}
}  // namespace void_ret

namespace unsigned_integers {
unsigned long f(unsigned char a, unsigned short b, signed char c, unsigned d, unsigned long e) {
  unsigned char w = a * b;
  signed char v = c * 3;
  ++w;
  v--;
  w += 300;
  d = d - 1 - d * 2;
  e ^= (e << 13);
  e >>= 3;
  unsigned long r = w + v + d + e;
  r += (d > c);
  r += -1 % 3;
  r += (b << 20) >> 4;
  r |= ~0u;
  bool q = b;
  q |= c > 5;
  r += q;
  r += 'a';
  r += a / 7 * 7 + a % 7;
  r += c >> 1;
  r += (unsigned char)(a - 200);
  return r % 1000000007ul;
}
}  // namespace unsigned_integers

namespace shadow {
double f(double x) {
  double r = x;
  {
    double x = r * 2;
    r += x;
    for (int x = 0; x < 3; ++x)
      r += x;
  }
  {
    double x = 5;
    r += x;
  }
  auto g = [](double x) {
    double r = x + 1;
    return r;
  };
  return r + g(x) + g(2);
}
}  // namespace shadow

namespace float_mix {
float f(float a, double b) {
  float s = a;
  s += b;
  s *= 0.1;
  s -= a * b;
  int k = 3;
  k *= 1.9;
  s /= k;
  s += a < b ? a : b;
  float t = 1e10;
  t += 1;
  double u = a;
  u += s;
  return float(u) + t * 1e-10f + static_cast<float>(b) / 3;
}
}  // namespace float_mix

namespace wide_integers {
double f(double x, long n) {
  long s = 0;
  for (long i = n; i > -n; i -= 3)
    s += i * i % 7;
  unsigned u = 1;
  while (u < 1000u)
    u *= 3;
  short h = 30000;
  h += 10000;
  return x * s + u + h;
}
}  // namespace wide_integers

namespace many_ptr {
double f(double x, int n) {
  double a[2] = {x, 1}, b[2] = {2, x}, c[2] = {3, 4};
  double* t[3] = {a, b, c};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += t[i][1];
    t[i][0] += i;
  }
  double* p = t[n % 3];
  *p *= 10;
  double** q = t;
  q++;
  s += (*q)[0];
  return s + a[0] + b[0] + c[0];
}
}  // namespace many_ptr

namespace if_chains {
double f(double x) {
  double r;
  if (x < 0)
    r = 1;
  else if (x < 1)
    r = 2;
  else if (x < 2) {
    r = 3;
    if (x > 1.2)
      r += x;
    else
      r -= x;
  } else
    r = 4;
  return r;
}
}  // namespace if_chains

}  // namespace programs
