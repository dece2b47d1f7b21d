// SPDX-License-Identifier: Apache-2.0
//
// Functions of tensors, as people write them, that the plugin differentiates; shared by the program that Clang compiles with it
// and by the one that another compiler makes of what it printed.
#pragma once

#include <tlaloc/jit.hpp>

#include <tlaloc/linalg.hpp>
#include <tlaloc/random.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace model {

using namespace tlaloc;

struct Batch : axis<> {};
struct Pixel : axis<6> {};
struct Hidden : axis<5> {};
struct Class : axis<3> {};

struct Dense {
  Tensor<double, Pixel, Hidden> weight;
  Tensor<double, Hidden> bias;
};
struct Mlp {
  Dense first;
  Tensor<double, Hidden, Class> weight;
  Tensor<double, Class> bias;
  Tensor<int, Class> counts;                      // no derivative: zeros
};
using Images = Tensor<double, Batch, Pixel>;
using Labels = Tensor<int, Batch>;

/// Small numbers, no two alike, the same in every compiler.
template <class X> X filled(const typename X::shape_type& shape = X::static_extents, int seed = 1) {
  std::vector<typename X::value_type> v(X::zeros(shape).size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = typename X::value_type(int(i * 7919 + std::size_t(seed) * 1237) % 1021 - 510) / 512;
  return X::from(v, shape);
}
inline Mlp mlp() {
  return {{filled<Tensor<double, Pixel, Hidden>>(), filled<Tensor<double, Hidden>>({5}, 2)}, filled<Tensor<double, Hidden, Class>>({5, 3}, 3),
          filled<Tensor<double, Class>>({3}, 4), Tensor<int, Class>::full(7)};
}
inline Images images(extent_t n) { return filled<Images>({n, 6}, 5); }
inline Labels labels(extent_t n) {
  std::vector<int> v;
  for (extent_t i = 0; i < n; ++i) v.push_back(int(i * 2 % 3));
  return Labels::from(v, {n});
}

inline Scalar<double> loss(const Mlp& m, const Images& x, const Labels& y) {
  auto h = relu(matmul(x, m.first.weight) + m.first.bias);
  auto p = log_softmax<Class>(matmul(h, m.weight) + m.bias);
  return -mean(sum<Class>(one_hot<Class, double>(y) * p));
}
/// A tensor that a loop changes, a number that scales it, a branch that a number decides, and an ordinary function.
inline Tensor<double, Hidden> step(const Tensor<double, Hidden>& x, double rate) { return x - rate * tanh(x); }
inline Scalar<double> relaxed(const Tensor<double, Hidden>& x, double rate, int steps) {
  auto y = x;
  for (int i = 0; i < steps; ++i) {
    y = step(y, rate);
    if (i % 2) y = y * y;
  }
  if (rate > 0.5) return sum(y);
  return sum(y * x);
}

/// Layers in a vector, and tensors in an array, which loops walk over.
struct Layer {
  Tensor<double, Hidden, dim<5>> weight;
  Tensor<double, Hidden> bias;
};
struct Deep {
  std::vector<Layer> layers;
  std::array<Tensor<double, Hidden>, 3> scales;
};
inline Deep deep(int count) {
  Deep d{{},
         {filled<Tensor<double, Hidden>>({5}, 21), filled<Tensor<double, Hidden>>({5}, 22),
          filled<Tensor<double, Hidden>>({5}, 23)}};
  for (int i = 0; i < count; ++i)
    d.layers.push_back({filled<Tensor<double, Hidden, dim<5>>>({5, 5}, 30 + i),
                        filled<Tensor<double, Hidden>>({5}, 40 + i)});
  return d;
}
inline Scalar<double> through(const Deep& d, const Tensor<double, Hidden>& x) {
  auto h = x;
  for (const Layer& layer : d.layers)
    h = tanh(matmul(layer.weight, h) + layer.bias);
  std::array<Tensor<double, Hidden>, 3> kept{h, h * x, h};
  for (std::size_t i = 0; i < 3; ++i)
    kept[i] = kept[i] * d.scales[2 - i];
  if (d.layers.size() > 2)
    kept[1] = kept[1] + d.layers[1].bias;
  return sum(kept[0] + kept[1] * kept[2]);
}

/// Linear algebra, random numbers and a loss.
inline Scalar<double> likelihood(const Matrix<double>& m, const Vector<double>& y) {
  const auto a =
      matmul(m, transpose<1, 0>(m)) + linalg::diag(Vector<double>::full({y.extent(0)}, 2));
  const auto noise = random::normal<Vector<double>>(random::key(5), {y.extent(0)});
  const auto z = linalg::solve_triangular(linalg::cholesky(a), y + noise);
  return linalg::slogdet(a).log_abs + sum(z * z) +
         cross_entropy<Batch>(rename<Batch>(y), rename<Batch>(abs(noise)));
}

/// Prints every element to the bit.
template <class X> void show(const char* name, const X& x) {
  leaves(x, [&](const std::string& leaf, const auto& t) {
    std::printf("%s%s%s:", name, leaf.empty() ? "" : ".", leaf.c_str());
    const AnyTensor all = dynamic::cast(t, dtype::f64);
    for (double v : all.data<double>()) std::printf(" %a", v);
    std::printf("\n");
  });
}
inline void show(const char* name, double v) { std::printf("%s: %a\n", name, v); }

}  // namespace model
