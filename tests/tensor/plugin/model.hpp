// SPDX-License-Identifier: Apache-2.0
//
// Functions of tensors, as people write them, that the plugin differentiates; shared by the program that Clang compiles with it
// and by the one that another compiler makes of what it printed.
#pragma once

#include <tlaloc/jit.hpp>

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
