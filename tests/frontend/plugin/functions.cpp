// SPDX-License-Identifier: Apache-2.0
//
// std::function where what it holds is known, and try blocks whose body cannot throw.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <exception>
#include <functional>

#include "check.hpp"
#include "differences.hpp"

namespace {

// --- std::function ---
double square(double x) { return x * x; }
double local(double x, double y) {
  std::function<double(double)> g = [y](double t) { return t * t * y; };
  return g(x) + g(y);
}
double applied(const std::function<double(double, int)>& g, double x) { return g(x, 3) * 2; }
double by_reference(double x, double y) {
  return applied([&](double t, int k) { return t * k * y; }, x);
}
double twice(std::function<double(double)> g, double x) { return g(g(x)); }
double by_value(double x, double y) {
  const std::function<double(double)> h = [=](double t) { return t * y + x; };
  return twice(h, x) + twice(square, y) + twice([](double t) { return std::sin(t); }, x);
}
double chosen(double x, double y) {
  std::function<double(double)> g;
  double s = g ? 100 : 0;
  if (x > 0) g = [&](double t) { return t * y; };
  else g = square;
  s += g(x);
  if (y > 1) g = [x](double t) { return std::exp(t * x); };
  if (g != nullptr) s += g(y);
  return s;
}
double copies_are_independent(double x, double y) {
  std::function<double(double)> before, now = [](double t) { return t; };
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    before = now;
    now = [i, y](double t) { return t * i + y; };
    s += before(x) * (i + 1) + now(y);
  }
  return s;
}
double with_state(double x, double y) {
  double n = x;
  std::function<double(double)> g = [n](double t) mutable {
    n *= t;
    return n;
  };
  const double a = g(y);
  auto h = g;
  const double b = g(y), c = h(2.0);
  return a + 2 * b + 3 * c;
}
double for_its_effect(double x, double y) {
  double s = 0;
  const std::function<void(double)> add = [&s, y](double t) { s += t * y; };
  for (int i = 0; i < 3; ++i) add(x * i);
  add(y);
  return s;
}
double returned(double x, double y) {
  const auto make = [&](double k) -> std::function<double(double)> {
    if (k > 0) return [k](double t) { return k * t; };
    return [y](double t) { return y + t; };
  };
  const auto g = make(x), h = make(y);
  return g(x) * h(y);
}
struct Scaled {
  std::function<double(double)> f;
  double k;
  double run(double t) const { return f(t) * k; }
};
double member(double x, double y) {
  const Scaled s{[y](double t) { return t * t * y; }, x};
  return s.run(x) + s.run(2 * y);
}
double newton(const std::function<double(double)>& f, const std::function<double(double)>& slope, double x) {
  for (int i = 0; i < 6; ++i) x -= f(x) / slope(x);
  return x;
}
double solved(double x, double y) {
  return newton([&](double t) { return t * t * t - (3 + x * y); }, [](double t) { return 3 * t * t; }, 1.5);
}
TEST(Functions, ThatAreKnown) {
  differentiates<local>();
  differentiates<by_reference>();
  differentiates<by_value>();
  differentiates<chosen>();
  differentiates<copies_are_independent>();
  differentiates<with_state>();
  differentiates<for_its_effect>();
  differentiates<returned>();
  differentiates<member>();
  differentiates<solved>();
}

// --- try around what cannot throw ---
double guarded(double x, double y) {
  double r = 1;
  try {
    r = x * y;
    if (x > 0) return r * r;
    r += y;
  } catch (...) {
    return 0;
  }
  return r * x;
}
double guarded_in_a_loop(double x, double y) {
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    try {
      if (i == 2) continue;
      s += x * i * y;
      if (s > 2) break;
    } catch (const std::exception&) {
      s = -1;
    }
    s *= 1.5;
  }
  return s;
}
TEST(Functions, TryAroundWhatCannotThrow) {
  differentiates<guarded>();
  differentiates<guarded_in_a_loop>();
}

// --- memory without a derivative ---
int calls = 0;
double counted(double x) {
  ++calls;
  return x * x;
}
double told(double x, int* n) {
  *n = 7;
  return x * x * *n;
}
TEST(Functions, WhatTheyWriteBesideNumbers) {
  int k = 0;
  const auto sets = [&k](double x) {
    k = 7;
    return x * x;
  };
  EXPECT_EQ(tlaloc::grad(sets)(3.0), 6);
  EXPECT_EQ(k, 7);
  k = 0;
  EXPECT_EQ(tlaloc::jvp(sets)(3.0, 1.0), 6);
  EXPECT_EQ(k, 7);
  const auto adds = [&k](double x) {
    k += 1;
    return x * k;
  };
  EXPECT_EQ(tlaloc::grad(adds)(3.0), 8);
  EXPECT_EQ(k, 8);
  EXPECT_EQ(tlaloc::grad(counted)(3.0), 6);
  EXPECT_EQ(tlaloc::jvp(counted)(3.0, 1.0), 6);
  EXPECT_EQ(calls, 2);
  int n = 0;
  EXPECT_EQ(tlaloc::grad(told)(3.0, &n), 42);
  EXPECT_EQ(n, 7);
}

}  // namespace

int main() { return check::run(); }
