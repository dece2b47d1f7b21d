// SPDX-License-Identifier: Apache-2.0
//
// What is read of an object before the same statement changes it, and in which order.
#include <tlaloc/ad.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "differences.hpp"

namespace {

struct P {
  double x, y;
  P operator+(const P& o) const { return {x + o.x, y + o.y}; }
  P& operator+=(const P& o) { return x += o.x, y += o.y, *this; }
};

double appended(double x, double y) {               // elements made of the vector that they join
  std::vector<P> v;
  v.push_back({x, y});
  v.push_back(v.back());
  v.push_back({double(v.size()) * x, y});
  v.emplace_back(P{double(v.size()) * y, v.back().x});
  double s = 0;
  for (auto& p : v) s += p.x * p.y;
  return s;
}
double appended_rows(double x, double y) {
  std::vector<std::vector<double>> v;
  v.push_back({x, y});
  v.push_back(v.back());
  v.push_back(std::vector<double>(v.size(), x * double(v.size())));
  double s = 0;
  for (auto& row : v)
    for (double q : row) s += q * q * y;
  return s;
}
double appended_numbers(double x, double y) {
  std::vector<double> v{x, y};
  v.push_back(v[0] * double(v.size()));
  v.push_back(v.back() * double(v.size()));
  v.resize(6, v[1]);
  v.insert(v.begin(), v[2]);
  v.insert(v.begin() + 1, 2, v[0]);
  return std::accumulate(v.begin(), v.end(), 0.0, [&](double s, double e) { return s * 0.5 + e * x; });
}
double repeated(double x, double y) {               // n copies of an object
  std::vector<P> v(3, P{x, y}), w(2, v[1]), u;
  u.assign(2, P{y, x});
  v[0] += v[0];
  v[1] = v[0] + v[1];
  std::swap(v[1], v[2]);
  v.insert(v.begin(), v[1]);
  v.erase(v.begin() + 1);
  std::vector<std::array<double, 2>> a(2, std::array<double, 2>{x, x * y});
  double s = w[1].x * u[1].x + a[1][1];
  for (auto [p, q] : v) s = s * p + q;
  return s;
}
double exchanged(double x, double y) {
  double a = x, b = x * y;
  std::tie(a, b) = std::make_pair(b, a);
  const double first = a * a * b + std::exchange(a, b) * a;
  std::array<double, 3> p{x, y, 3 * x}, q = p;
  p = q = {q[2], q[0], q[1]};
  std::optional<double> o = x;
  o = *o * *o + y;
  return first + p[0] * q[1] * p[2] + *o;
}
double sequenced(double x, double y) {              // the right side of an assignment first
  double a[4] = {x, x * y, 3 * x, 4 * y};
  int i = 0;
  a[i] = a[i++] * 2 + a[3];
  a[i++] += a[2] * x;
  double* p = a;
  double* q = &a[3];
  *q += *p++;
  *p *= *q--;
  return a[0] * a[1] + a[2] * a[3] + double(i) * *q * *p;
}

struct Row {
  double scale;
  std::vector<double> items;
};
double moved(double x, double y) {                  // what is moved from is empty
  std::vector<double> z{x, y, x};
  std::vector<double> w = std::move(z);
  z.push_back(x * y);
  double s = z.size() * z[0] + w.size() * w[1];
  w = std::move(z);
  s += x * double(z.size()) + y * w.back();
  Row r{x, {y, x}};
  Row taken = std::move(r);
  r.items.push_back(x);
  std::vector<Row> rows;
  rows.push_back(std::move(taken));
  std::optional<std::vector<double>> o = std::move(rows[0].items);
  auto kept = [&] { auto inner = std::move(*o); return inner; }();
  return s + x * r.items.size() * r.items.back() + y * (1 + taken.items.size() + rows[0].items.size() + o->size()) + kept[0] * kept[1];
}
double sorted_rows(double x, double y) {
  std::vector<std::vector<double>> z{{-1.0, 1.5}, {x, y * x}, {y, x * x, 3 * y}};
  std::vector<Row> rows;
  for (const auto& row : z) rows.push_back({row[1], row});
  std::sort(z.begin(), z.end(), [](const auto& a, const auto& b) { return a[0] > b[0]; });
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.items.back() > b.items.back(); });
  return z[0][1] * z[1][1] + z[2][0] * rows[0].scale + rows[1].items.back() * double(rows[2].items.size()) * x;
}

TEST(Order, ElementsMadeOfTheVectorThatTheyJoin) {
  differentiates<appended>();
  differentiates<appended_rows>();
  differentiates<appended_numbers>(1e-15);
}
TEST(Order, WhatIsMovedFromIsEmpty) { differentiates<moved>(1e-15); }
TEST(Order, SortedElementsThatHoldVectors) { differentiates<sorted_rows>(1e-15); }
TEST(Order, CopiesOfAnObject) { differentiates<repeated>(1e-15); }
TEST(Order, Exchanges) { differentiates<exchanged>(1e-15); }
TEST(Order, Assignments) { differentiates<sequenced>(1e-15); }

// --- an iteration that runs again in the reverse sweep reads a copy of the vector, which is longer ---
double by_size(double x, double y) {
  int w = 0;
  do {
    ++w;
    for (int k = 5; k-- > 0;) x *= y;
  } while (w < 2);
  std::vector<double> z(3, x);
  for (int i = 1; i >= 0; --i) {
    std::vector<double> q{y, z.back()};
    z[z.size() / 2] -= q[std::size_t(i)] * x;
  }
  return z[z.size() / 2];
}
double shifted(double x, double y) {                // within one vector, to both sides
  std::vector<P> z{{x, y}, {2 * x, y}, {y, x}, {x * y, 3}};
  std::copy_backward(z.begin(), z.begin() + 2, z.begin() + 3);
  std::move(z.begin() + std::ptrdiff_t(z.size() / 2), z.end(), z.begin() + 1);
  double s = 0;
  for (auto& p : z) s = s * 0.5 + p.x * p.y;
  return s;
}
TEST(Order, ElementsMovedWithinAVector) { differentiates<shifted>(1e-15); }
TEST(Order, LengthOfWhatIsKept) { differentiates<by_size>(1e-15); }

}  // namespace

int main() { return check::run(); }
