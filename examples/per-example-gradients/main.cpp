// SPDX-License-Identifier: Apache-2.0
//
// The gradient of each example of a batch by itself, as private training needs it (each is clipped before they are averaged): the
// gradient is a function like any other, and vmap maps it over the batch. Checked against backpropagation by hand in double, and
// against the gradient of the mean.
#include <tlaloc/jit.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tlaloc;

struct Batch : axis<> {};
struct In : axis<4> {};
struct Hidden : axis<8> {};
struct Out : axis<3> {};

struct Net {
  Tensor<float, In, Hidden> w1;
  Tensor<float, Hidden> b1;
  Tensor<float, Hidden, Out> w2;
  Tensor<float, Out> b2;
};
using X = Tensor<float, In>;
using Y = Tensor<float, Out>;
using Xs = Tensor<float, Batch, In>;
using Ys = Tensor<float, Batch, Out>;

Scalar<float> loss(const Net& m, const X& x, const Y& y) {                       // of one example: no axis Batch
  auto e = matmul(tanh(matmul(x, m.w1) + m.b1), m.w2) + m.b2 - y;
  return mean(e * e);
}
Scalar<float> mean_loss(const Net& m, const Xs& x, const Ys& y) {
  auto e = matmul(tanh(matmul(x, m.w1) + m.b1), m.w2) + m.b2 - y;
  return mean(e * e);
}

template <class T> T filled(const typename T::shape_type& shape, double seed) {
  std::vector<float> v(T::zeros(shape).size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float(std::sin(seed + 1.3 * double(i)));
  return T::from(v, shape);
}

int main() {
  constexpr int n = 16;
  const Net m{filled<Tensor<float, In, Hidden>>({4, 8}, 1), filled<Tensor<float, Hidden>>({8}, 2), filled<Tensor<float, Hidden, Out>>({8, 3}, 3),
              filled<Tensor<float, Out>>({3}, 4)};
  const auto xs = filled<Xs>({n, 4}, 5);
  const auto ys = filled<Ys>({n, 3}, 6);

  // m is shared by all examples, x and y have the new axis in front.
  const auto each = vmap<Batch, in<none, 0, 0>>([](const Net& p, const X& x, const Y& y) { return jit(grad<0>(loss))(p, x, y).w1; });
  const Tensor<float, Batch, In, Hidden> g = each(m, xs, ys);

  double worst = 0;
  std::vector<double> norms(n);
  for (int k = 0; k < n; ++k) {
    double h[8], d_h[8] = {};
    for (int j = 0; j < 8; ++j) {
      double a = m.b1.at(j);
      for (int i = 0; i < 4; ++i) a += double(xs.at(k, i)) * m.w1.at(i, j);
      h[j] = std::tanh(a);
    }
    for (int o = 0; o < 3; ++o) {
      double e = double(m.b2.at(o)) - ys.at(k, o);
      for (int j = 0; j < 8; ++j) e += h[j] * m.w2.at(j, o);
      for (int j = 0; j < 8; ++j) d_h[j] += 2 * e / 3 * m.w2.at(j, o);
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 8; ++j) {
        const double d = d_h[j] * (1 - h[j] * h[j]) * xs.at(k, i);
        worst = std::max(worst, std::fabs(g.at(k, i, j) - d));
        norms[std::size_t(k)] += d * d;
      }
  }
  std::printf("16 gradients by w1: norms %.3f to %.3f\n", std::sqrt(*std::min_element(norms.begin(), norms.end())), std::sqrt(*std::max_element(norms.begin(), norms.end())));
  std::printf("against backpropagation in double: %.1e\n", worst);

  const auto of_mean = jit(grad<0>(mean_loss))(m, xs, ys).w1;
  const auto off = abs(mean<Batch>(g) - of_mean);
  const float difference = max(off).item();
  std::printf("mean of gradients against gradient of the mean: %.1e\n", double(difference));
  return worst < 1e-6 && difference < 1e-7f ? 0 : 1;
}
