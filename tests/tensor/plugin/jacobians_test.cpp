// SPDX-License-Identifier: Apache-2.0
//
// Jacobians, Hessians and derivatives inside differentiated functions of tensors, against formulas
// by hand and differences.
#include "tensor/plugin/model.hpp"

#include <gtest/gtest.h>

using namespace model;

namespace {

struct In : axis<> {};
struct Out : axis<3> {};
using X = Tensor<double, In>;
using Y = Tensor<double, Out>;
using W = Tensor<double, Out, In>;

Y layer(const X& x, const W& w) { return tanh(matmul(w, x)); }
TEST(PluginJacobians, OfATensorByTensors) {
  const X x = filled<X>({4}, 3);
  const W w = filled<W>({3, 4}, 5);
  const Y y = layer(x, w);
  const Tensor<double, Out, In> by_x = jacfwd<0>(layer)(x, w);
  const auto [rows_x, rows_w] = jacrev<0, 1>(layer)(x, w);
  const auto [columns_x, columns_w] = jacfwd<0, 1>(layer)(x, w);
  static_assert(std::is_same_v<decltype(rows_w), const Tensor<double, Out, Out, In>>);
  for (int o = 0; o < 3; ++o)
    for (int i = 0; i < 4; ++i) {
      const double slope = 1 - y.at(o) * y.at(o);
      for (double v : {by_x.at(o, i), rows_x.at(o, i), columns_x.at(o, i)})
        EXPECT_NEAR(v, slope * w.at(o, i), 1e-15);
      for (int p = 0; p < 3; ++p)
        for (double v : {rows_w.at(o, p, i), columns_w.at(o, p, i)})
          EXPECT_NEAR(v, o == p ? slope * x.at(i) : 0, 1e-15);
    }
}
double energy(const Vector<double>& x, double scale) { return (sum(x * x * x) * scale).item(); }
Tensor<double, Hidden> iterated(const Tensor<double, Hidden>& x, double rate, int steps) {
  auto y = x;
  for (int i = 0; i < steps; ++i)
    y = rate > 0.5 ? y - rate * tanh(y) : y * y;
  return y;
}
TEST(PluginJacobians, ByNumbersAndThroughLoops) {
  const auto x = filled<Vector<double>>({5}, 3);
  const Vector<double> by_rows = jacrev<0>(energy)(x, 2.0);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(by_rows.at(i), 6 * x.at(i) * x.at(i), 1e-15);
  EXPECT_NEAR(jacfwd<1>(energy)(x, 2.0), energy(x, 1), 1e-15);
  const auto z = filled<Tensor<double, Hidden>>({5}, 7);
  for (double rate : {0.25, 0.75}) {
    const auto [by_z, by_rate] = jacfwd<0, 1>(iterated)(z, rate, 3);
    const auto rows = jacrev<0>(iterated)(z, rate, 3);
    for (int i = 0; i < 5; ++i) {
      const double h = 1e-6;
      EXPECT_NEAR(by_rate.at(i),
                  (iterated(z, rate + h, 3).at(i) - iterated(z, rate - h, 3).at(i)) / (2 * h),
                  1e-8);
      const auto up = iterated(z.set(z.at(i) + h, i), rate, 3),
                 down = iterated(z.set(z.at(i) - h, i), rate, 3);
      for (int o = 0; o < 5; ++o) {
        EXPECT_NEAR(by_z.at(o, i), (up.at(o) - down.at(o)) / (2 * h), 1e-8);
        EXPECT_NEAR(rows.at(o, i), by_z.at(o, i), 1e-14);
      }
    }
  }
}

Scalar<double> mixed(const X& x, const W& w) {
  return sum(exp(0.5 * matmul(w, x))) + sum(x) * sum(x * x);
}
TEST(PluginJacobians, Hessians) {
  const X x = filled<X>({4}, 3), v = filled<X>({4}, 9);
  const W w = filled<W>({3, 4}, 5);
  const Tensor<double, In, In> h = hessian<0>(mixed)(x, w);
  const X product = hvp<0>(mixed)(x, w, v);
  for (int i = 0; i < 4; ++i) {
    double by_hand = 0;
    for (int j = 0; j < 4; ++j) {
      double second = 2 * (x.at(i) + x.at(j)) + (i == j ? 2 * sum(x).item() : 0);
      for (int o = 0; o < 3; ++o)
        second += 0.25 * w.at(o, i) * w.at(o, j) * std::exp(0.5 * matmul(w, x).at(o));
      EXPECT_NEAR(h.at(i, j), second, 1e-13);
      by_hand += second * v.at(j);
    }
    EXPECT_NEAR(product.at(i), by_hand, 1e-13);
  }
}
template <class T> T like(const T& x, int seed) {
  typename T::shape_type shape;
  for (int k = 0; k < T::rank; ++k)
    shape[std::size_t(k)] = x.extent(k);
  return filled<T>(shape, seed);
}
TEST(PluginJacobians, ProductWithTheHessianOfAnAggregate) {
  const Mlp m = mlp();
  Mlp v = m;
  int seed = 50;
  zip_leaves(v, m, [&](auto& d, auto& x) { d = like(x, seed++); });
  const auto x = images(4);
  const auto y = labels(4);
  const Mlp product = hvp<0>(loss)(m, x, y, v);
  auto moved = [&](double h) {
    Mlp to = m;
    zip_leaves(to, v, [&](auto& a, auto& d) {
      if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(a)>::value_type, double>)
        a = a + h * d;
    });
    return grad<0>(loss)(to, x, y);
  };
  const Mlp up = moved(1e-6), down = moved(-1e-6);
  for (int i = 0; i < 5; ++i)
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(product.weight.at(i, c), (up.weight.at(i, c) - down.weight.at(i, c)) / 2e-6,
                  1e-8);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(product.first.bias.at(i), (up.first.bias.at(i) - down.first.bias.at(i)) / 2e-6,
                1e-8);
}

/// Derivatives inside what is differentiated: a loss after a step down its own gradient, and a sum
/// over a Jacobian.
Scalar<double> cubic(const Vector<double>& w, const Vector<double>& x) {
  return sum(tanh(w * x) * w);
}
Scalar<double> after_a_step(const X& w, const Vector<double>& x, double rate) {
  const auto [value, g] = value_and_grad<0>(cubic)(reshape<dim<>>(w, w.extent(0)), x);
  return cubic(reshape<dim<>>(w, w.extent(0)) - rate * g, x) + 0.5 * value;
}
Scalar<double> steepness(const X& x, const W& w) {
  const auto j = jacfwd<0>(layer)(x, w);
  return sum(j * j);
}
TEST(PluginJacobians, InsideDifferentiatedFunctions) {
  const X w = filled<X>({4}, 3);
  const auto x = filled<Vector<double>>({4}, 8);
  const auto [dw, d_rate] = grad<0, 2>(after_a_step)(w, x, 0.3);
  const double h = 1e-5;
  EXPECT_NEAR(d_rate, (after_a_step(w, x, 0.3 + h) - after_a_step(w, x, 0.3 - h)).item() / (2 * h),
              1e-8);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(
        dw.at(i),
        (after_a_step(w.set(w.at(i) + h, i), x, 0.3) - after_a_step(w.set(w.at(i) - h, i), x, 0.3))
                .item() /
            (2 * h),
        1e-8);
  const W m = filled<W>({3, 4}, 5);
  const X d = grad<0>(steepness)(w, m);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(d.at(i),
                (steepness(w.set(w.at(i) + h, i), m) - steepness(w.set(w.at(i) - h, i), m)).item() /
                    (2 * h),
                1e-8);
}

}  // namespace
