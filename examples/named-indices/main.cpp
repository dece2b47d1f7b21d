// SPDX-License-Identifier: Apache-2.0
//
// Attention with named axes: no transpose, no axis number; the compiler knows which products make sense. refused.cpp is the
// same with one mistake. The result is checked against plain loops, its gradient against finite differences.
#include <tlaloc/jit.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace tlaloc;

struct Batch : axis<> {};
struct Seq : axis<at_most{64}> {};
struct Key : axis<> {};                            // Seq once more, as the axis that is attended to
struct Heads : axis<2> {};
struct Dim : axis<4> {};
struct Model : axis<8> {};

struct Attention {
  Tensor<double, Model, Heads, Dim> q, k, v;
  Tensor<double, Heads, Dim, Model> out;
};
using Tokens = Tensor<double, Batch, Seq, Model>;

Tokens attend(const Attention& m, const Tokens& x) {
  auto q = contract<Model>(x, m.q);                           // [Batch, Seq, Heads, Dim]
  auto k = relabel<Seq, Key>(contract<Model>(x, m.k));        // [Batch, Key, Heads, Dim]
  auto v = relabel<Seq, Key>(contract<Model>(x, m.v));
  auto p = softmax<Key>(contract<Dim>(q, k) / std::sqrt(4.0));   // [Batch, Heads, Seq, Key]
  return contract<Heads, Dim>(contract<Key>(p, v), m.out);
}
Scalar<double> energy(const Attention& m, const Tokens& x) {
  auto y = attend(m, x);
  return sum(y * y);
}

template <class X> X filled(const typename X::shape_type& shape, double seed) {
  X x = X::zeros(shape);
  std::vector<double> v(x.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(seed + 1.3 * double(i));
  return X::from(v, shape);
}

int main() {
  const Attention m{filled<Tensor<double, Model, Heads, Dim>>({8, 2, 4}, 1), filled<Tensor<double, Model, Heads, Dim>>({8, 2, 4}, 2),
                    filled<Tensor<double, Model, Heads, Dim>>({8, 2, 4}, 3), filled<Tensor<double, Heads, Dim, Model>>({2, 4, 8}, 4)};
  const Tokens x = filled<Tokens>({3, 5, 8}, 5);
  const Tokens y = attend(m, x);
  std::printf("attend: %td x %td x %td\n", y.extent<Batch>(), y.extent<Seq>(), y.extent<Model>());

  double loops = 0;                                           // y[1, 2, 3]
  auto project = [&]<class Weight>(const Weight& w, int s, int h, int d) {
    double a = 0;
    for (int i = 0; i < 8; ++i) a += x.at(1, s, i) * w.at(i, h, d);
    return a;
  };
  for (int h = 0; h < 2; ++h) {
    double weight[5], total = 0;
    for (int t = 0; t < 5; ++t) {
      double dot = 0;
      for (int d = 0; d < 4; ++d) dot += project(m.q, 2, h, d) * project(m.k, t, h, d);
      total += weight[t] = std::exp(dot / 2);
    }
    for (int t = 0; t < 5; ++t)
      for (int d = 0; d < 4; ++d) loops += weight[t] / total * project(m.v, t, h, d) * m.out.at(h, d, 3);
  }
  std::printf("y[1, 2, 3] = %.6f, by loops %.6f\n", y.at(1, 2, 3), loops);

  const Attention g = jit(grad<0>(energy))(m, x);             // of m's own type: no field can be mixed up with another
  leaves(g, []<class X>(const std::string& name, const X& t) { std::printf("d_%s: rank %d\n", name.c_str(), t.rank); });
  Attention moved = m;
  const double h = 1e-6;
  moved.k = m.k.set(m.k.at(3, 1, 2) + h, 3, 1, 2);
  const double up = energy(moved, x).item();
  moved.k = m.k.set(m.k.at(3, 1, 2) - h, 3, 1, 2);
  const double difference = (up - energy(moved, x).item()) / (2 * h);
  std::printf("d_k[3, 1, 2] = %.6f, by differences %.6f\n", g.k.at(3, 1, 2), difference);
  return std::fabs(y.at(1, 2, 3) - loops) < 1e-12 && std::fabs(g.k.at(3, 1, 2) - difference) < 1e-7 ? 0 : 1;
}
