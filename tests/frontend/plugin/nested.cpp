// SPDX-License-Identifier: Apache-2.0
//
// Vectors of vectors as parameters: gradients and shadows are of the same type and lengths.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <complex>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

using Rows = std::vector<std::vector<double>>;

template <class F> double slope(F f, const Rows& at, std::size_t i, std::size_t j) {
  Rows more = at, less = at;
  more[i][j] += 1e-6, less[i][j] -= 1e-6;
  return (f(more) - f(less)) / 2e-6;
}
template <class F> void check_all(const Rows& got, F f, const Rows& at) {
  EXPECT_EQ(got.size(), at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(got[i].size(), at[i].size());
    for (std::size_t j = 0; j < at[i].size(); ++j) EXPECT_TRUE(near(got[i][j], slope(f, at, i, j)));
  }
}
const Rows ragged{{0.5, -1, 0.2}, {}, {0.7}, {0.1, 0.3}};
const Rows a{{1, 2, 3}, {0.1, 0.2, 0.3}}, b{{0.5, 1}, {-1, 2}, {0.3, 0.4}};

double squares(const Rows& m, double t) {
  double s = 0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    double p = t;
    for (double x : m[i]) p += x * x * double(i + 1);
    s += p * p;
  }
  return s;
}
double grown(Rows m) {                            // f's own copy may grow
  for (auto& row : m) {
    row.push_back(row.empty() ? 1.0 : row[0] * 2);
    for (auto& x : row) x *= x;
  }
  m.push_back({1.0, m[0][0]});
  double s = 0;
  for (auto& row : m)
    for (double x : row) s += std::sin(x);
  return s;
}
double product(const Rows& x, const Rows& y) {
  Rows z(x.size(), std::vector<double>(y[0].size(), 0.0));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y[0].size(); ++j)
      for (std::size_t k = 0; k < y.size(); ++k) z[i][j] += x[i][k] * y[k][j];
  double s = 0;
  for (auto& row : z)
    for (double v : row) s += v * v;
  return s;
}
TEST(Nested, Gradients) {
  const auto [dm, dt] = tlaloc::grad(squares)(ragged, 0.4);
  check_all(dm, [](const Rows& m) { return squares(m, 0.4); }, ragged);
  double along = 0.5 * dt;
  for (std::size_t i = 0; i < ragged.size(); ++i)
    for (std::size_t j = 0; j < ragged[i].size(); ++j) along += dm[i][j] * ragged[i][j];
  EXPECT_TRUE(near(tlaloc::jvp(squares)(ragged, 0.4, ragged, 0.5), along));
  check_all(tlaloc::grad(grown)(ragged), grown, ragged);
  const auto [da, db] = tlaloc::grad(product)(a, b);
  check_all(da, [](const Rows& m) { return product(m, b); }, a);
  check_all(db, [](const Rows& m) { return product(a, m); }, b);
}
TEST(Nested, Shadows) {
  const auto [dm, dt] = tlaloc::grad(squares)(ragged, 0.4);
  Rows m = ragged, shadow{{0, 0, 0}, {}, {1}, {0, 1}};
  EXPECT_EQ(tlaloc::grad(squares)(tlaloc::shadow(m, shadow), 0.4), dt);
  EXPECT_EQ(shadow[2][0], 1 + dm[2][0]);
  EXPECT_EQ(shadow[0][1], dm[0][1]);
}

void relax(Rows& m, double w) {
  for (std::size_t i = 1; i < m.size(); ++i)
    for (std::size_t j = 0; j < m[i].size(); ++j) m[i][j] = w * m[i][j] * m[i - 1][j % m[i - 1].size()];
}
TEST(Nested, InPlace) {
  Rows x = b, dx{{0, 0}, {0, 0}, {1, 0}}, after = b;
  const double dw = tlaloc::vjp(relax)(tlaloc::shadow(x, dx), 0.5);
  relax(after, 0.5);
  EXPECT_TRUE(x == after);
  const auto last = [](Rows m, double w) {
    relax(m, w);
    return m[2][0];
  };
  EXPECT_TRUE(near(dw, (last(b, 0.5 + 1e-6) - last(b, 0.5 - 1e-6)) / 2e-6));
  check_all(dx, [&](const Rows& m) { return last(m, 0.5); }, b);
}

struct P {
  double x, y;
};
double of_points(const std::vector<std::vector<P>>& all) {
  double s = 0;
  for (auto& row : all)
    for (auto& p : row) s += p.x * p.x * p.y;
  return s;
}
struct Net {
  Rows weights;
  std::vector<double> bias;
  int n;
  double run(double x) const {
    double s = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double h = bias[i];
      for (double w : weights[i]) h += w * x;
      s += std::tanh(h);
    }
    return s;
  }
};
double of_net(const Net& net, double x) { return net.run(x); }
TEST(Nested, ElementsAndMembers) {
  const std::vector<std::vector<P>> points{{{1, 2}}, {{3, 4}, {5, 6}}};
  const auto d = tlaloc::grad(of_points)(points);
  EXPECT_EQ(d[1][1].x, 60);
  EXPECT_EQ(d[1][0].y, 9);
  const Net net{{{1, 2}, {0.5}}, {0.1, 0.2}, 3};
  const auto [d_net, dx] = tlaloc::grad(of_net)(net, 0.3);
  check_all(d_net.weights, [&](const Rows& w) { return of_net({w, net.bias, 3}, 0.3); }, net.weights);
  EXPECT_TRUE(near(dx, (of_net(net, 0.3 + 1e-6) - of_net(net, 0.3 - 1e-6)) / 2e-6));
}
TEST(Nested, SecondDerivatives) {
  const auto h = tlaloc::hessian(product)(a, b);
  EXPECT_EQ(h.rows(), 12u);
  EXPECT_TRUE(near(h.at(0, 0), 2 * (b[0][0] * b[0][0] + b[0][1] * b[0][1])));
  const Rows first{{1, 0, 0}, {0, 0, 0}}, none{{0, 0}, {0, 0}, {0, 0}};
  const auto v = tlaloc::hvp(product)(a, b, first, none);
  EXPECT_TRUE(near(std::get<0>(v)[0][1], h.at(1, 0)));
  const auto w = tlaloc::jvp(tlaloc::grad(product))(a, b, first, none);
  EXPECT_TRUE(near(std::get<0>(w)[0][1], h.at(1, 0)));
}

}  // namespace

int main() { return check::run(); }
