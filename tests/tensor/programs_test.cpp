// SPDX-License-Identifier: Apache-2.0
//
// Typed programs as people write them: eager, traced, differentiated, mapped.
#include "tensor/refusal.hpp"

#include <tlaloc/jit.hpp>
#include <tlaloc/tensor.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace tlaloc;

struct Batch : axis<> {};
struct Sample : axis<> {};
struct Feature : axis<2> {};
struct Pixel : axis<6> {};
struct Hidden : axis<5> {};
struct Class : axis<3> {};
struct Seq : axis<at_most{16}> {};
struct Key : axis<> {};
struct Heads : axis<2> {};
struct Dim : axis<3> {};
struct Model : axis<4> {};
struct Channel : axis<3> {};
struct Filter : axis<4> {};
struct Row : axis<> {};
struct Col : axis<> {};

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

namespace {

/// Small numbers, no two alike.
template <class X> X filled(const typename X::shape_type& shape = X::static_extents, double seed = 1) {
  std::vector<typename X::value_type> v(X::zeros(shape).size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = typename X::value_type(std::sin(seed + 1.7 * double(i)));
  return X::from(v, shape);
}
Mlp model() {
  return {{filled<Tensor<double, Pixel, Hidden>>(), filled<Tensor<double, Hidden>>({5}, 2)}, filled<Tensor<double, Hidden, Class>>({5, 3}, 3),
          filled<Tensor<double, Class>>({3}, 4), Tensor<int, Class>::full(7)};
}
Tensor<double, Batch, Class> logits(const Mlp& m, const Tensor<double, Batch, Pixel>& x) {
  return matmul(tanh(matmul(x, m.first.weight) + m.first.bias), m.weight) + m.bias;
}
Scalar<double> loss(const Mlp& m, const Tensor<double, Batch, Pixel>& x, const Tensor<int, Batch>& y) {
  return -mean(sum<Class>(one_hot<Class, double>(y) * log_softmax<Class>(logits(m, x))));
}
const auto images = filled<Tensor<double, Batch, Pixel>>({4, 6}, 5);
const auto labels = Tensor<int, Batch>::from({0, 2, 1, 2}, {4});

TEST(Programs, LinearRegression) {
  const auto x = Tensor<float, Sample, Feature>::from({1, 2, 3, 4, 5, 6}, {3, 2});
  const auto w = Tensor<float, Feature>::from({1, -1});
  const auto r = contract<Feature>(x, w) + Scalar<float>(0.5f);
  EXPECT_EQ(mean(r * r).item(), 0.25f);
}
TEST(Programs, AttentionIsWhatLoopsGive) {
  const auto x = filled<Tensor<double, Batch, Seq, Model>>({2, 5, 4});
  const auto wq = filled<Tensor<double, Model, Heads, Dim>>({4, 2, 3}, 2), wk = filled<Tensor<double, Model, Heads, Dim>>({4, 2, 3}, 3);
  const auto q = contract<Model>(x, wq), k = contract<Model>(x, wk);
  const auto scores = contract<Dim>(q, relabel<Seq, Key>(k)) / std::sqrt(3.0);
  static_assert(std::is_same_v<decltype(scores), const Tensor<double, Batch, Heads, Seq, Key>>);
  const auto p = softmax<Key>(scores);
  for (int b = 0; b < 2; ++b) for (int h = 0; h < 2; ++h) for (int s = 0; s < 5; ++s) {
    double total = 0, mine[5];
    for (int t = 0; t < 5; ++t) {
      double dot = 0;
      for (int d = 0; d < 3; ++d) {
        double a = 0, c = 0;
        for (int m = 0; m < 4; ++m) a += x.at(b, s, m) * wq.at(m, h, d), c += x.at(b, t, m) * wk.at(m, h, d);
        dot += a * c;
      }
      total += mine[t] = std::exp(dot / std::sqrt(3.0));
    }
    for (int t = 0; t < 5; ++t) EXPECT_NEAR(p.at(b, h, s, t), mine[t] / total, 1e-13);
  }
}
TEST(Programs, GaussianProcessKernel) {
  const auto x = Tensor<double, Row, Feature>::from({0, 0, 1, 0, 0, 2}, {3, 2});
  const auto d = reshape<Row, dim<1>, Feature>(x) - relabel<Row, Col>(x);
  const auto k = 4 * exp(sum<Feature>(d * d) / -2);
  static_assert(std::is_same_v<decltype(k), const Tensor<double, Row, Col>>);
  EXPECT_NEAR(k.at(0, 1), 4 * std::exp(-.5), 1e-15);
  EXPECT_EQ(k.at(2, 2), 4);
}

TEST(Gradients, OfAnAggregateHaveItsTypeAndAreFiniteDifferences) {
  const Mlp m = model();
  const Mlp g = jit(grad<0>(loss))(m, images, labels);
  EXPECT_EQ(g.counts.at(1), 0);
  Mlp moved = m;
  auto difference = [&](auto& where, double analytic, auto... at) {
    const auto kept = where;
    const double h = 1e-5;
    where = kept.set(kept.at(at...) + h, at...);
    const double up = loss(moved, images, labels).item();
    where = kept.set(kept.at(at...) - h, at...);
    const double down = loss(moved, images, labels).item();
    where = kept;
    EXPECT_NEAR(analytic, (up - down) / (2 * h), 1e-9);
  };
  for (int i = 0; i < 6; ++i) difference(moved.first.weight, g.first.weight.at(i, i % 5), i, i % 5);
  for (int i = 0; i < 5; ++i) difference(moved.first.bias, g.first.bias.at(i), i);
  for (int i = 0; i < 5; ++i) difference(moved.weight, g.weight.at(i, i % 3), i, i % 3);
  for (int i = 0; i < 3; ++i) difference(moved.bias, g.bias.at(i), i);
}
TEST(Gradients, AnOptimiserIsOneWalkOverTheLeaves) {
  Mlp m = model();
  const double before = loss(m, images, labels).item();
  for (int step = 0; step < 20; ++step) {
    const auto [value, g] = jit(value_and_grad<0>(loss))(m, images, labels);
    zip_leaves(m, g, [](auto& p, const auto& d) {
      if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(p)>::value_type, double>) p = p - 0.5 * d;
    });
  }
  EXPECT_LT(loss(m, images, labels).item(), 0.2 * before);
  EXPECT_EQ(m.counts.at(0), 7);
}
TEST(Programs, AreRecordedOncePerShapesAndNumbers) {
  int recorded = 0;
  auto f = jit([&](const Vector<double>& x, double scale) { return ++recorded, sum(x * scale); });
  const auto two = filled<Vector<double>>({2}), three = filled<Vector<double>>({3});
  const double first = f(two, 2.0).item();
  EXPECT_EQ(f(two, 2.0).item(), first);
  EXPECT_EQ(recorded, 1);
  EXPECT_EQ(f(two, 4.0).item(), 2 * first);       // a number is a constant of the recording
  EXPECT_EQ(recorded, 2);
  f(three, 2.0);
  EXPECT_EQ(recorded, 3);
  const auto copy = f;
  copy(three, 2.0);
  EXPECT_EQ(recorded, 3);
  auto g = jit(grad<0>(as<Scalar<double>(const Vector<double>&)>([&](const Vector<double>& x) { return ++recorded, sum(x * x); })));
  EXPECT_EQ(g(two).at(1), 2 * two.at(1));
  EXPECT_EQ(g(three).at(1), 2 * three.at(1));
  EXPECT_EQ(g(two).at(0), 2 * two.at(0));
  EXPECT_EQ(recorded, 5);
}

using V = Tensor<double, Hidden>;
Scalar<double> cubes(const V& x) { return sum(x * x * x); }
TEST(Gradients, AllModesAndNested) {
  const V x = filled<V>({5}, 1), t = filled<V>({5}, 9);
  EXPECT_NEAR(jit(grad(cubes))(x).at(2), 3 * x.at(2) * x.at(2), 1e-15);
  EXPECT_NEAR(jit(jvp(cubes))(x, t).item(), sum(3.0 * x * x * t).item(), 1e-14);
  EXPECT_NEAR(jit(vjp(cubes))(x, Scalar<double>(2.0)).at(1), 6 * x.at(1) * x.at(1), 1e-15);
  const auto [y, dy] = jit(value_and_jvp(cubes))(x, t);
  EXPECT_NEAR(y.item(), cubes(x).item(), 1e-15);
  EXPECT_NEAR(dy.item(), sum(3.0 * x * x * t).item(), 1e-14);
  // forward over reverse: a Hessian-vector product
  EXPECT_NEAR(jit(jvp(grad(cubes)))(x, t).at(3), 6 * x.at(3) * t.at(3), 1e-14);
  // a gradient inside a traced function, with a value of the outer function captured
  auto inner_product = [](const V& a) {
    auto f = as<Scalar<double>(const V&)>([&](const V& b) { return sum(a * b * b); });
    return sum(jit(grad(f))(a));                  // sum(2 a a)
  };
  EXPECT_NEAR(jit(grad(as<Scalar<double>(const V&)>(inner_product)))(x).at(4), 4 * x.at(4), 1e-14);
}
TEST(Gradients, SeveralArgumentsGiveATuple) {
  auto f = as<Scalar<double>(const V&, const Scalar<double>&, const Tensor<int, Hidden>&)>(
      [](const V& x, const Scalar<double>& s, const Tensor<int, Hidden>& n) { return s * sum(x * cast<double>(n)); });
  const V x = filled<V>({5}, 1);
  const auto n = Tensor<int, Hidden>::from({1, 2, 3, 4, 5});
  const auto [dx, ds] = jit(grad(f))(x, Scalar<double>(3.0), n);
  EXPECT_EQ(dx.at(4), 15);
  EXPECT_EQ(ds.item(), sum(x * cast<double>(n)).item());
}

TEST(Maps, PerExampleGradients) {
  auto one = [](const Mlp& m, const Tensor<double, Pixel>& x) {
    const auto h = tanh(matmul(x, m.first.weight) + m.first.bias);
    return logsumexp<Class>(matmul(h, m.weight) + m.bias);
  };
  const Mlp m = model();
  const auto all = vmap<Batch, in<none, 0>>(one)(m, images);
  static_assert(std::is_same_v<decltype(all), const Tensor<double, Batch>>);
  auto slope = [&](const Mlp& p, const Tensor<double, Pixel>& x) {
    return jit(grad<0>(as<Scalar<double>(const Mlp&, const Tensor<double, Pixel>&)>(one)))(p, x).weight;
  };
  const auto slopes = vmap<Batch, in<none, 0>, out<1>>(slope)(m, images);
  static_assert(std::is_same_v<decltype(slopes), const Tensor<double, Hidden, Batch, Class>>);
  for (int b = 0; b < 4; ++b) {
    const auto row = reshape<Pixel>(slice<Batch>(images, b, b + 1));
    EXPECT_NEAR(all.at(b), one(m, row).item(), 1e-14);
    const auto s = slope(m, row);
    for (int h = 0; h < 5; ++h) EXPECT_NEAR(slopes.at(h, b, 1), s.at(h, 1), 1e-14);
  }
}

TEST(Traces, PrintRunAndRefuse) {
  const auto p = trace(logits, spec_of(model()), spec<Tensor<double, Batch, Pixel>>({4, 6}));
  EXPECT_NE(p.source().find("tanh"), std::string::npos) << p.source();
  EXPECT_NE(p.source().find("%x_first_weight: f64[6,5]"), std::string::npos) << p.source();
  const auto y = p(model(), images), want = logits(model(), images);
  for (int b = 0; b < 4; ++b) for (int c = 0; c < 3; ++c) EXPECT_EQ(y.at(b, c), want.at(b, c));
  EXPECT_EQ(refusal([&] { p(model(), filled<Tensor<double, Batch, Pixel>>({3, 6})); }), "TENSOR_SHAPE_MISMATCH: Batch has the extent 4, got 3");

  EXPECT_EQ(refusal([] { trace([](const Scalar<double>& s) { return s.item() > 0 ? s : -s; }, spec<Scalar<double>>()); }).substr(0, 38),
            "NOT_TRACEABLE: the number of a traced ");
  EXPECT_EQ(refusal([] { trace([](const V& x) { return sum(x) * x.at(0); }, spec<V>()); }).substr(0, 36), "NOT_TRACEABLE: the data of a traced ");
  Scalar<double> kept(0.0);
  trace([&](const Scalar<double>& s) { return kept = s * 2.0; }, spec<Scalar<double>>());
  EXPECT_EQ(refusal([&] { kept + 1.0; }), "NOT_TRACEABLE: a traced value is used after its program was recorded");
  EXPECT_EQ(refusal([&] { (void)kept.item(); }).substr(0, 15), "NOT_TRACEABLE: ");
  EXPECT_EQ(refusal([] { trace([](const V& x) { return x; }, spec<V>()).grad(); }).substr(0, 11), "NOT_SCALAR:");
}

}  // namespace
