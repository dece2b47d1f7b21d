// SPDX-License-Identifier: Apache-2.0
//
// Derivatives that the plugin makes of functions of tensors, against finite differences, and against the recordings of jit.
#include "tensor/plugin/model.hpp"

#include <tlaloc/random.hpp>

#include <gtest/gtest.h>

using namespace model;

namespace {

/// (f(x + h) - f(x - h)) / 2h by each element.
template <class X, class F> void expect_differences(const X& x, const X& dx, F f) {
  auto v = std::vector<double>(x.data().begin(), x.data().end());
  typename X::shape_type shape;
  for (int k = 0; k < X::rank; ++k) shape[std::size_t(k)] = x.extent(k);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double kept = v[i], h = 1e-6;
    v[i] = kept + h;
    const X above = X::from(v, shape);
    const double up = f(above);
    v[i] = kept - h;
    const X below = X::from(v, shape);
    const double down = f(below);
    v[i] = kept;
    EXPECT_NEAR(dx.data()[i], (up - down) / (2 * h), 1e-8) << i;
  }
}

TEST(Plugin, GradientOfAnAggregate) {
  const Mlp m = mlp();
  const auto x = images(4);
  const auto y = labels(4);
  const Mlp g = grad<0>(loss)(m, x, y);
  const Mlp by_recording = jit(grad<0>(loss))(m, x, y);
  auto made = g;
  zip_leaves(made, by_recording, [](auto& a, auto& b) {
    for (std::size_t i = 0; i < a.data().size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-15);
  });
  EXPECT_EQ(g.counts.at(1), 0);
  Mlp moved = m;
  expect_differences(m.weight, g.weight, [&](auto& w) { return moved.weight = w, loss(moved, x, y).item(); });
}
TEST(Plugin, LoopsBranchesAndNumbers) {
  const auto x = filled<Tensor<double, Hidden>>({5}, 7);
  for (double rate : {0.25, 0.75})
    for (int steps : {0, 1, 4}) {
      const auto [dx, d_rate] = grad<0, 1>(relaxed)(x, rate, steps);
      expect_differences(x, dx, [&](auto& z) { return relaxed(z, rate, steps).item(); });
      const double h = 1e-6;
      EXPECT_NEAR(d_rate, (relaxed(x, rate + h, steps).item() - relaxed(x, rate - h, steps).item()) / (2 * h), 1e-8);
    }
}

/// The number of turns depends on the tensor.
Scalar<double> until_small(const Vector<double>& x) {
  auto y = x;
  while (sum(y * y).item() > 0.5) y = 0.7 * sin(y);
  return sum(y * x);
}
TEST(Plugin, AWhileThatANumberOfTheTensorEnds) {
  const auto x = filled<Vector<double>>({6}, 3) * 3;
  expect_differences(x, grad(until_small)(x), [](auto& z) { return until_small(z).item(); });
}

TEST(Plugin, CapturedTensorsAndNumbers) {
  const auto w = filled<Matrix<double>>({4, 3}, 2);
  double scale = 1.5;
  auto f = [w, &scale](const Vector<double>& x) { return sum(tanh(matmul(x, w)) * scale); };
  const auto x = filled<Vector<double>>({4}, 9);
  expect_differences(x, grad(f)(x), [&](auto& z) { return f(z).item(); });
}

TEST(Plugin, VectorsAndArraysOfTensors) {
  const auto x = filled<Tensor<double, Hidden>>({5}, 7);
  for (int count : {0, 1, 3}) {
    const Deep d = deep(count);
    const auto [g, dx] = grad(through)(d, x);
    ASSERT_EQ(g.layers.size(), d.layers.size());
    expect_differences(x, dx, [&](auto& z) { return through(d, z).item(); });
    Deep moved = d;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
      expect_differences(d.layers[i].weight, g.layers[i].weight, [&](auto& w) {
        return moved.layers[i].weight = w, through(moved, x).item();
      });
      moved = d;
      expect_differences(d.layers[i].bias, g.layers[i].bias, [&](auto& w) {
        return moved.layers[i].bias = w, through(moved, x).item();
      });
      moved = d;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      expect_differences(d.scales[i], g.scales[i],
                         [&](auto& w) { return moved.scales[i] = w, through(moved, x).item(); });
      moved = d;
    }
  }
}
Scalar<double> chain(const std::vector<Matrix<double>>& ms, const Vector<double>& x) {
  auto y = x;
  for (auto& m : ms)
    y = matmul(m, y);
  return sum(y * y);
}
std::array<Vector<double>, 2> halves_and_squares(const Vector<double>& x) {
  return {x * 0.5, x * x};
}
TEST(Plugin, TensorsOfOneArrayHaveOneShape) {
  const std::vector ms{filled<Matrix<double>>({3, 3}, 1), filled<Matrix<double>>({3, 3}, 2)};
  const auto x = filled<Vector<double>>({3}, 4);
  expect_differences(x, grad<1>(chain)(ms, x), [&](auto& z) { return chain(ms, z).item(); });
  try {
    grad<1>(chain)(std::vector{ms[0], filled<Matrix<double>>({2, 3}, 2)}, x);
    FAIL();
  } catch (const tensor_error& e) {
    EXPECT_STREQ(e.what(), "TENSOR_SHAPE_MISMATCH: an array has tensors f64[3,3] and f64[2,3]; in "
                           "differentiated code all are of one shape");
  }
  const auto [half, square] = jvp(halves_and_squares)(x, x);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(half.at(i), x.at(i) / 2);
    EXPECT_EQ(square.at(i), 2 * x.at(i) * x.at(i));
  }
}
Scalar<double> by_split_keys(const Vector<double>& x, std::uint64_t seed) {
  const auto [first, second] = random::split(random::key(seed));
  return sum(x * random::normal<Vector<double>>(first, {x.extent(0)}) *
             random::uniform<Vector<double>>(second, {x.extent(0)}));
}
TEST(Plugin, SplitKeys) {
  const auto [first, second] = random::split(random::key(11));
  const Vector<double> expected =
      random::normal<Vector<double>>(first, {4}) * random::uniform<Vector<double>>(second, {4});
  const auto d = grad<0>(by_split_keys)(filled<Vector<double>>({4}, 1), 11);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(d.at(i), expected.at(i));
}

double energy(const Vector<double>& x, const std::pair<Vector<double>, double>& p) {
  const Scalar<double> e = sum(p.first * x * x) / double(x.extent(0));
  return std::exp(-e.item()) + p.second * e.item();
}
TEST(Plugin, NumbersFromTensorsAndPairs) {
  const auto x = filled<Vector<double>>({4}, 1);
  const std::pair p(filled<Vector<double>>({4}, 5), 0.75);
  const auto [dx, dp] = grad(energy)(x, p);
  expect_differences(x, dx, [&](auto& z) { return energy(z, p); });
  expect_differences(p.first, dp.first, [&](auto& z) { return energy(x, {z, p.second}); });
  const double h = 1e-6;
  EXPECT_NEAR(dp.second, (energy(x, {p.first, p.second + h}) - energy(x, {p.first, p.second - h})) / (2 * h), 1e-8);
}

Vector<double> squares(const Vector<double>& x) { return x * x * x; }
Scalar<double> cubes(const Vector<double>& x) { return sum(squares(x)); }
TEST(Plugin, AllModesAndNested) {
  const auto x = filled<Vector<double>>({5}, 1), t = filled<Vector<double>>({5}, 9);
  EXPECT_NEAR(jvp(squares)(x, t).at(2), 3 * x.at(2) * x.at(2) * t.at(2), 1e-15);
  EXPECT_NEAR(vjp(squares)(x, t).at(4), 3 * x.at(4) * x.at(4) * t.at(4), 1e-15);
  EXPECT_NEAR(jvp(grad(cubes))(x, t).at(3), 6 * x.at(3) * t.at(3), 1e-14);
  const auto [value, tangent] = value_and_jvp(cubes)(x, t);
  EXPECT_EQ(value.item(), cubes(x).item());
  EXPECT_NEAR(tangent.item(), matmul(grad(cubes)(x), t).item(), 1e-14);
}

/// Two unnamed axes become one where they meet; a tensor of another length is refused.
Scalar<double> product(const Vector<double>& a, const Vector<double>& b) { return sum(a * b); }
TEST(Plugin, UnnamedAxesThatMeetAreOne) {
  const auto a = filled<Vector<double>>({5}, 1), b = filled<Vector<double>>({5}, 2);
  EXPECT_EQ(grad<0>(product)(a, b).at(3), b.at(3));
  try {
    grad<0>(product)(a, filled<Vector<double>>({4}, 2));
    FAIL();
  } catch (const tensor_error& e) {
    EXPECT_STREQ(e.what(), "TENSOR_SHAPE_MISMATCH: b is f64[4], not f64[5]");
  }
}

Tensor<float, Batch, Hidden> halves(const Tensor<f16, Batch, Hidden>& x, const Tensor<float, Hidden>& w) { return cast<float>(x) * w; }
TEST(Plugin, ShortFloatsAndCasts) {
  const auto x = cast<f16>(filled<Tensor<float, Batch, Hidden>>({2, 5}, 3));
  const auto w = filled<Tensor<float, Hidden>>({5}, 4);
  const auto d = vjp<1>(halves)(x, w, Tensor<float, Batch, Hidden>::full({2, 5}, 1));
  for (int k = 0; k < 5; ++k) EXPECT_EQ(d.at(k), float(x.at(0, k)) + float(x.at(1, k)));
}

}  // namespace
