// SPDX-License-Identifier: Apache-2.0
//
// The standard library in differentiated code: algorithms, containers, optional, tuples, exceptions. Each program is a
// function of two numbers; both modes are compared with central differences.
#include <tlaloc/ad.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

template <class Range> double weighted(const Range& r) {
  double sum = 0;
  int k = 0;
  for (const double v : r) sum += ++k * v;
  return sum;
}

template <class E, class F> bool throws(F f, std::string_view text = {}) {
  try {
    f();
  } catch (const E& e) {
    return text.empty() || e.what() == text;
  }
  return false;
}
// --- order ---
double sorted_array(double x, double y) {
  double a[4] = {x, y, x * y, x - y};
  std::sort(a, a + 4);
  return weighted(a);
}
double sorted_down(double x, double y) {
  std::array<double, 4> a = {x, y, x * y, x - y};
  std::sort(a.begin(), a.end(), std::greater<>());
  return weighted(a);
}
double sorted_positions(double x, double y) {
  const double a[4] = {x, y, x * y, x - y};
  std::vector<int> order = {0, 1, 2, 3};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return a[i] < a[j]; });
  return a[order[0]] + 2 * a[order[1]] + 3 * a[order[2]] + 4 * a[order[3]];
}
struct Item {
  double key;
  int id;
};
double sorted_objects(double x, double y) {
  std::vector<Item> items = {{x, 1}, {y, 2}, {x * y, 3}};
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  double sum = 0;
  for (const Item& i : items) sum = 0.5 * sum + i.key * i.id;
  return sum;
}
bool less(double a, double b) { return a < b; }
double sorted_many(double x, double y) {
  std::vector<double> v;
  for (int i = 0; i < 50; ++i) v.push_back(std::sin(i * x) * y + 0.01 * x * i);
  std::sort(v.begin(), v.end(), less);
  return weighted(v);
}
double median(double x, double y) {
  std::vector<double> v = {x, y, x * y, x - y, 3 * y};
  std::nth_element(v.begin(), v.begin() + 2, v.end());
  return v[2] * v[2];
}
double sorted_range(double x, double y) {
  std::vector<double> v = {x, y, x * y, x - y};
  std::ranges::sort(v);
  return weighted(v);
}
TEST(Library, Sorting) {
  differentiates<sorted_array>();
  differentiates<sorted_down>();
  differentiates<sorted_positions>();
  differentiates<sorted_objects>();
  differentiates<sorted_many>();
  differentiates<median>();
  differentiates<sorted_range>();
}

// --- std::vector ---
struct Segment {
  double from, to;
  Segment(double a, double b) : from(a), to(b) {}
};
double emplaced(double x, double y) {
  std::vector<Segment> s;
  s.emplace_back(x, y);
  s.emplace_back(y, x * x);
  double sum = 0;
  for (const auto& part : s) sum += part.from * part.to;
  return sum;
}
double erased_and_inserted(double x, double y) {
  std::vector<double> v = {x, y, x * y};
  v.erase(v.begin() + 1);
  v.insert(v.begin(), y * y);
  v.insert(v.end(), v[0]);
  v.erase(std::remove_if(v.begin(), v.end(), [](double t) { return t > 100; }), v.end());
  return weighted(v);
}
TEST(Library, VectorsChange) {
  differentiates<emplaced>();
  differentiates<erased_and_inserted>();
}

double rows(double x, double y) {
  std::vector<std::vector<double>> m;
  m.push_back({x, y});
  m.push_back({y});
  m[1].push_back(x * y);
  m[0].push_back(x);
  std::swap(m[0], m[1]);
  m.pop_back();
  m.push_back({x, x});
  m[1].resize(4, y);
  m.insert(m.begin(), {y, y * y});
  m.erase(m.begin() + 1);
  double sum = 0;
  int k = 0;
  for (const auto& row : m)
    for (const double v : row) sum += ++k * v * v;
  return sum;
}
double product_of_matrices(double x, double y) {
  const int n = 3;
  std::vector<std::vector<double>> a(n, std::vector<double>(n)), b = a, c(n, std::vector<double>(n, 0.0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i][j] = x * i + y * j, b[i][j] = x * y + i - j;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) c[i][j] += a[i][k] * b[k][j];
  double sum = 0;
  for (const auto& row : c) sum += std::accumulate(row.begin(), row.end(), 0.0);
  return sum;
}
double cube_of_rows(double x, double y) {
  std::vector<std::vector<std::vector<double>>> t(2, std::vector<std::vector<double>>(2, std::vector<double>(2, x)));
  t[1][0][1] = y;
  t[0].push_back(std::vector<double>{y, y, x});
  double sum = 0;
  for (const auto& plane : t)
    for (const auto& row : plane)
      for (const double v : row) sum += v * v * v;
  return sum;
}
struct Layer {
  std::vector<double> weights;
  double bias;
  double operator()(const std::vector<double>& in) const {
    return std::tanh(std::inner_product(in.begin(), in.end(), weights.begin(), bias));
  }
};
double layers(double x, double y) {
  std::vector<Layer> all;
  all.push_back({{x, y}, 0.1});
  all.push_back({{y, x * y}, x});
  const std::vector<double> in = {x, 1.0};
  double sum = 0;
  for (const Layer& layer : all) sum += layer(in);
  return sum;
}
double two_rows(double x, double y) {
  std::array<std::vector<double>, 2> m;
  m[0].push_back(x);
  m[1].push_back(y);
  m[1].push_back(x);
  return m[0][0] * m[1][0] * m[1][1];
}
TEST(Library, VectorsOfVectors) {
  differentiates<rows>();
  differentiates<product_of_matrices>();
  differentiates<cube_of_rows>();
  differentiates<layers>();
  differentiates<two_rows>();
}

std::vector<double> squares(const std::vector<double>& x, double k) {
  std::vector<double> r;
  for (const double v : x)
    if (v > 0) r.push_back(k * v * v);
  return r;
}
std::vector<double> repeated(double x, int count) {
  if (count < 0) throw std::invalid_argument("a negative count");
  return std::vector<double>(static_cast<std::size_t>(count), x * x);
}
TEST(Library, AVectorAsResult) {
  const std::vector<double> x = {1, -5, 2, 3};
  const auto [dx, dk] = tlaloc::vjp(squares)(x, 2.0, std::vector<double>{1, 10, 100});
  const double want[] = {4, 0, 80, 1200};
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(dx[i] == want[i]);
  EXPECT_DOUBLE_EQ(dk, 1 + 40 + 900);
  const auto [value, tangent] = tlaloc::value_and_jvp(squares)(x, 2.0, std::vector<double>{1, 1, 1, 0}, 1.0);
  EXPECT_TRUE(value == squares(x, 2.0));
  EXPECT_TRUE((tangent == std::vector<double>{4 + 1, 8 + 4, 9}));
  const auto d_repeated = tlaloc::jvp(repeated);
  EXPECT_TRUE((d_repeated(3.0, 2, 1.0) == std::vector<double>{6, 6}));
  EXPECT_TRUE(throws<std::invalid_argument>([&] { d_repeated(3.0, -1, 1.0); }, "a negative count"));
  EXPECT_TRUE(tlaloc::jvp(squares)(std::vector<double>{-1.0}, 2.0, std::vector<double>{1.0}, 0.0).empty());
}

// --- tuples ---
double of_tuple(const std::tuple<double, int, double>& t) { return std::get<0>(t) * std::get<1>(t) * std::get<2>(t); }
std::tuple<double, double> powers(double x) { return {x * x, x * x * x}; }
std::pair<double, double> product_and_difference(double a, double b) { return {a * b, a - b}; }
double taken_apart(double x, double y) {
  auto [u, v] = product_and_difference(x, y);
  double a, b;
  std::tie(a, b) = product_and_difference(u, v);
  const auto t = std::make_tuple(a, 2, b);
  return std::get<0>(t) * std::get<1>(t) + std::get<2>(t) * u;
}
TEST(Library, Tuples) {
  differentiates<taken_apart>();
  const auto d = tlaloc::grad(of_tuple)(std::tuple<double, int, double>{2, 3, 5});
  EXPECT_DOUBLE_EQ(std::get<0>(d), 15);
  EXPECT_EQ(std::get<1>(d), 0);
  EXPECT_DOUBLE_EQ(std::get<2>(d), 6);
  EXPECT_TRUE((tlaloc::jvp(powers)(2.0, 1.0) == std::tuple<double, double>{4, 12}));
  EXPECT_DOUBLE_EQ(tlaloc::vjp(powers)(2.0, std::tuple<double, double>{1, 10}), 124);
}

// --- std::optional ---
std::optional<double> square_of_positive(double x) {
  if (x > 0) return x * x;
  return std::nullopt;
}
double perhaps(double x, double y) {
  const auto o = square_of_positive(x);
  double sum = 0;
  if (o) sum += *o * y;
  if (o.has_value()) sum += o.value();
  return sum + square_of_positive(y).value_or(x);
}
double best_of(double x, double y) {
  std::optional<double> best;
  for (const double v : {x, y, x * y})
    if (!best || v > *best) best = v;
  return *best;
}
TEST(Library, Optional) {
  differentiates<perhaps>();
  differentiates<best_of>();
}

// --- exceptions leave a derivative as they leave the function ---
double third(double x, int i) {
  std::vector<double> v = {x, x * x, x * x * x};
  return v.at(static_cast<std::size_t>(i));
}
double root(double x) {
  if (x < 0) throw std::invalid_argument("a negative number");
  return x == 0 ? throw std::domain_error("zero") : std::sqrt(x);
}
TEST(Library, Exceptions) {
  const auto d_third = tlaloc::grad(third);
  EXPECT_DOUBLE_EQ(d_third(2.0, 2), 12);
  EXPECT_TRUE(throws<std::out_of_range>([&] { d_third(2.0, 3); }));
  EXPECT_DOUBLE_EQ(d_third(2.0, 1), 4);  // the memory of the call that threw is free again
  const auto d_root = tlaloc::grad(root);
  EXPECT_DOUBLE_EQ(d_root(4.0), 0.25);
  EXPECT_TRUE(throws<std::invalid_argument>([&] { d_root(-1.0); }, "a negative number"));
  EXPECT_TRUE(throws<std::domain_error>([&] { d_root(0.0); }, "zero"));
}

// --- what a call writes into a closure or functor is the call's own ---
struct Counting {
  double scale = 2;
  int calls = 0;
  double operator()(double x) {
    ++calls;
    scale *= x;
    return calls * scale * x;
  }
};
TEST(Library, StateOfACallable) {
  double c = 2;
  const auto d = tlaloc::grad([c](double x) mutable {
    c *= x;
    return c * x;
  });
  EXPECT_DOUBLE_EQ(d(3.0), 12);
  EXPECT_DOUBLE_EQ(d(3.0), 12);
  const auto d_counting = tlaloc::grad(Counting{});
  EXPECT_DOUBLE_EQ(d_counting(3.0), 12);
  EXPECT_DOUBLE_EQ(tlaloc::jvp(Counting{})(3.0, 1.0), 12);
}

// --- bits ---
double visits(double x) {
  std::vector<bool> seen(5), even{true, false, true};
  const std::vector<bool> all(3, true);
  double s = 0;
  for (int i = 0; i < 12; ++i) {
    const std::size_t k = std::size_t(i * i) % 5;
    if (!seen[k]) {
      seen[k] = true;
      s += x * double(k + 1);
    } else {
      s *= 1.01;
    }
  }
  even.push_back(seen.back());
  auto last = even.back();
  last = even[0] = even[1];
  even.resize(6, true);
  seen = even;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen.at(i) && all[i % 3]) s += x * x * double(i);
  return s;
}
TEST(Library, VectorOfBool) {
  const auto [value, slope] = tlaloc::value_and_grad(visits)(1.25);
  EXPECT_DOUBLE_EQ(value, visits(1.25));
  EXPECT_TRUE(std::fabs(slope - (visits(1.25 + 1e-5) - visits(1.25 - 1e-5)) / 2e-5) < 1e-8);
}

}  // namespace

int main() { return check::run(); }
