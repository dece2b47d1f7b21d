// SPDX-License-Identifier: Apache-2.0
//
// What people write without thinking of derivatives: texts and output, assertions with a message,
// all that std::vector can do, constructors that are inherited, destructors, new and malloc,
// pointers to members, trees. Against central differences.
#include "differences.hpp"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

// --- texts ---
double asserted(double x, double y) {
  assert(x < 100 && "x is small");
  return x * x * y;
}
double by_letter(double x, double y) {
  const char program[] = "+*-";
  const char* p = program;
  double stack[4] = {x, y, x * y, 1}, top = stack[0];
  for (int i = 1; *p; ++i) {
    switch (*p++) {
    case '+':
      top += stack[i];
      break;
    case '*':
      top *= stack[i];
      break;
    default:
      top -= stack[i] * x;
    }
  }
  return top + (__func__[0] == 'b' ? y : 0);
}
double says_where(double x, double y) {
  static constexpr const char* name = "negative";
  if (x < 0 && y < 0) {
    std::printf("%s: %s %5s|%d%%\n", __func__, name, "ok", 3);
    std::fputs("100%\n", stderr);
    std::fflush(stdout);
  }
  return x * y;
}

// --- std::vector ---
double inserted(double x, double y) {
  std::vector<double> v{x, y}, w;
  v.insert(v.begin() + 1, 2, x * y);
  v.insert(v.end(), {y, 3.0, x});
  w.assign({x, 1.0});
  w.insert(w.begin(), v.begin() + 1, v.end());
  w.emplace(w.begin() + 2, x + y);
  w = {w[0] * w[2], w[7], w[1]};
  double s = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    s = s * x + w[i];
  for (double e : v)
    s += e * e;
  return s;
}
double backwards(double x, double y) {
  const std::vector<double> v{x, y, x * y};
  std::vector<double> w(v.rbegin(), v.rend());
  w.assign(v.rbegin() + 1, v.rend());
  w.insert(w.end(), v.rbegin(), v.rend());
  double s = 0;
  for (double e : w)
    s = s * y + e;
  return s;
}
double of_integers(double x, double y) {
  const std::vector<int> k{1, 2, 3};
  const std::vector<double> w(k.begin(), k.end());
  return w[1] * x + w[2] * y * y;
}
struct Particle {
  double mass = 2;
  int kind{};
};
double with_default_members(double x, double y) {
  std::vector<Particle> v(2);
  v.resize(3);
  v[0].mass *= x;
  v.emplace_back();
  return v[0].mass * y + v[1].mass * x + v[2].mass * y + v[3].mass * x * x;
}

// --- classes ---
struct Spring {
  double k, rest;
  explicit Spring(double stiffness, const double& length = 1)
      : k(stiffness), rest(length * stiffness) {}
};
struct Damped : Spring {
  double damping = 0.5;
  using Spring::Spring;
};
struct Tuned : Damped {
  using Damped::Damped;
};
double inherits(double x, double y) {
  const Tuned t(x * y, y), u{x};
  return t.k * t.rest * t.damping + u.rest * y;
}
double stateless(double x, double y) {
  static auto square = [](double v) { return v * v; };
  static const std::plus<> add;
  return square(add(x, y)) * x;
}
double polygon(const std::vector<std::pair<double, double>>& corners) {
  double a = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& [x0, y0] = corners[i];
    const auto [x1, y1] = corners[(i + 1) % corners.size()];
    a += x0 * y1 - x1 * y0;
  }
  return a / 2;
}
double area(double x, double y) { return polygon({{0, 0}, {x, 0.5}, {x * y, y}}); }

// --- recursion over what pointers hold together ---
struct Tree {
  double value;
  const Tree *left, *right;
};
double sum(const Tree* t) { return t ? t->value * t->value + sum(t->left) + 2 * sum(t->right) : 0; }
double tree(double x, double y) {
  const Tree a{x, nullptr, nullptr}, b{x * y, &a, nullptr}, c{y, nullptr, nullptr},
      root{2 * x, &b, &c};
  return sum(&root) * y;
}
double length(const Tree& t) { return t.left ? t.value * length(*t.left) : t.value; }
double chain(double x, double y) {
  const Tree a{x, nullptr, nullptr}, b{y, x > y ? &a : nullptr, nullptr}, c{x * x, &b, nullptr};
  return length(c);
}

// --- the end of an object's life ---
struct Doubles {
  double& value;
  double by;
  Doubles(double& v, double factor) : value(v), by(factor) {}
  ~Doubles() { value *= by; }
};
struct Both {
  Doubles first, second;
  double& sum;
  ~Both() { sum += first.value; }
};
double ends_of_scopes(double x, double y) {
  double a = x, s = 0;
  for (int i = 0; i < 4; ++i) {
    Doubles grows(a, y);
    if (i == 1)
      continue;
    Doubles shrinks(s, 0.5);
    s += a * a;
    if (a > 8)
      break;
  }
  {
    Both both{{a, x}, {s, 3}, s};
    a += 1;
  }
  return a * s;
}
double early(double& v, double x) {
  Doubles at_the_end(v, x);
  if (x > 1)
    return v;
  Doubles also[2] = {{v, 2}, {v, x}};
  return v * x;
}
double before_the_end(double x, double y) {
  double v = y;
  const double r = early(v, x);
  return r + v * v;
}

// --- memory ---
double of_new(double x, double y) {
  const int n = x > 1 ? 4 : 3;
  double* a = new double[n];
  for (int i = 0; i < n; ++i)
    a[i] = x * i + y;
  for (int t = 0; t < 3; ++t) {
    double* next = new double[n]();
    for (int i = 0; i < n; ++i)
      next[i] = a[i] * y + a[(i + 1) % n] * x;
    delete[] a;
    a = next;
  }
  Particle* p = new Particle{a[0], 1};
  const double r = p->mass * a[n - 1];
  delete p;
  delete[] a;
  return r;
}
double of_malloc(double x, double y) {
  auto* a = static_cast<double*>(std::malloc(3 * sizeof(double)));
  auto* c = static_cast<double*>(std::calloc(2, sizeof(double)));
  for (int i = 0; i < 3; ++i)
    a[i] = x + i * y;
  c[1] += a[2] * a[1];
  const double r = c[0] + c[1] * a[0];
  std::free(a);
  std::free(c);
  return r;
}
double owned(double x, double y) {
  const auto a = std::make_unique<double[]>(3);
  auto p = std::make_unique<Particle>(Particle{x, 2});
  for (int i = 0; i < 3; ++i)
    a[i] = x * y + i;
  p->mass *= a[1];
  return p->mass * a[2];
}

// --- pointers to members ---
struct State {
  double position, speed;
  double energy(double mass) const { return mass * speed * speed / 2 + position; }
  double& pick(bool first) { return first ? position : speed; }
};
template <double State::* Member> double get(const State& s) { return s.*Member * s.*Member; }
double members(double x, double y) {
  State s{x, y};
  double State::* where = &State::speed;
  double (State::*what)(double) const = &State::energy;
  s.*where *= x;
  std::invoke(&State::pick, s, true) += y;
  const State* p = &s;
  return get<&State::position>(s) + (p->*what)(y)*std::invoke(&State::speed, s) +
         std::mem_fn(&State::energy)(s, x);
}

TEST(Ordinary, TextsAndOutput) {
  differentiates<asserted>();
  differentiates<by_letter>();
  differentiates<says_where>();
}
TEST(Ordinary, Vectors) {
  differentiates<inserted>();
  differentiates<backwards>();
  differentiates<of_integers>();
  differentiates<with_default_members>();
}
TEST(Ordinary, Classes) {
  differentiates<inherits>();
  differentiates<stateless>();
  differentiates<area>();
  const std::vector<std::pair<double, double>> corners{{0, 0}, {2, 0.5}, {1, 3}};
  const auto d = tlaloc::grad(tlaloc::fn<polygon>)(corners);
  EXPECT_EQ(d.size(), 3u);
  EXPECT_TRUE(d[0] == std::pair(-1.25, -0.5) && d[1] == std::pair(1.5, -0.5) &&
              d[2] == std::pair(-0.25, 1.0));
}
TEST(Ordinary, Trees) {
  differentiates<tree>();
  differentiates<chain>();
}
TEST(Ordinary, Destructors) {
  differentiates<ends_of_scopes>();
  differentiates<before_the_end>();
}
TEST(Ordinary, Memory) {
  differentiates<of_new>();
  differentiates<of_malloc>();
  differentiates<owned>();
}
TEST(Ordinary, PointersToMembers) { differentiates<members>(); }
TEST(Ordinary, FunctionsOfTheLibrary) {
  EXPECT_DOUBLE_EQ(tlaloc::grad(::sin)(0.3), std::cos(0.3));
  const auto [by_base, by_exponent] =
      tlaloc::grad(tlaloc::as<double(double, double)>(std::pow))(2.0, 3.0);
  EXPECT_DOUBLE_EQ(by_base, 12);
  EXPECT_DOUBLE_EQ(by_exponent, 8 * std::log(2.0));
}

} // namespace

int main() { return check::run(); }
