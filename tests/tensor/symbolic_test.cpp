// SPDX-License-Identifier: Apache-2.0
//
// Programs whose extents only the run tells: one serves all sizes, here and on a device, with its derivatives.
#include "tensor/refusal.hpp"

#include <tlaloc/jit.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace tlaloc;

struct Batch : axis<> {};
struct Pixel : axis<6> {};
struct Class : axis<3> {};
struct Seq : axis<at_most{8}> {};
using Images = Tensor<double, Batch, Pixel>;
using Weights = Tensor<double, Pixel, Class>;
using Labels = Tensor<int, Batch>;

template <class X> X filled(const typename X::shape_type& shape, double seed) {
  std::vector<double> v(X::zeros(shape).size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(seed + 1.7 * double(i));
  return X::from(v, shape);
}
Scalar<double> loss(const Weights& w, const Images& x, const Labels& y) {
  return -mean(sum<Class>(one_hot<Class, double>(y) * log_softmax<Class>(matmul(x, w))));
}
Labels labels(extent_t n) {
  std::vector<int> v;
  for (extent_t i = 0; i < n; ++i) v.push_back(int(i * 2 % 3));
  return Labels::from(v, {n});
}

TEST(Symbolic, OneProgramServesAllSizes) {
  const auto p = trace(loss, spec<Weights>(), spec<Images>({symbolic("n"), 6}), spec<Labels>({symbolic("m")}));
  EXPECT_NE(p.source().find("%y: f64[m,6]"), std::string::npos) << p.source();
  EXPECT_NE(p.stablehlo().find("%y: tensor<?x6xf64>"), std::string::npos);
  EXPECT_EQ(p.stablehlo(), p.stablehlo());
  const Program g = p.value_and_grad({0, 1});
  const Weights w = filled<Weights>({6, 3}, 1);
  for (const extent_t n : {1, 2, 5}) {
    const Images x = filled<Images>({n, 6}, 2);
    const auto fixed = jit(value_and_grad<0, 1>(loss))(w, x, labels(n));     // recorded for this size alone
    EXPECT_EQ(p(w, x, labels(n)).item(), fixed.first.item());
    for (const char* device : {"", TLALOC_XLA_CPU}) {
      const auto out = g.run({w, x, labels(n)}, device);
      const double within = *device ? 1e-14 : 0;
      EXPECT_NEAR(out[0].item<double>(), fixed.first.item(), within);
      const auto dw = typed<double, Pixel, Class>(out[1]);
      const auto dx = typed<double, Batch, Pixel>(out[2]);
      for (int i = 0; i < 6; ++i) for (int c = 0; c < 3; ++c) EXPECT_NEAR(dw.at(i, c), std::get<0>(fixed.second).at(i, c), within);
      for (extent_t b = 0; b < n; ++b) for (int i = 0; i < 6; ++i) EXPECT_NEAR(dx.at(b, i), std::get<1>(fixed.second).at(b, i), within);
    }
  }
  // the sum of a loss over images and labels made one extent of two
  EXPECT_EQ(refusal([&] { p(w, filled<Images>({2, 6}, 2), labels(3)); }).substr(0, 22), "TENSOR_SHAPE_MISMATCH:");
}
TEST(Symbolic, WhatNeedsANumberIsRefused) {
  const auto images = spec<Images>({symbolic("n"), 6});
  EXPECT_EQ(refusal([&] { trace([](const Images& x) { return x / double(x.extent<Batch>()); }, images); }),
            "NOT_TRACEABLE: the extent n is known only when the program runs");
  EXPECT_EQ(refusal([&] { trace([](const Images& x) { return split<Batch, 2>(x)[0]; }, images); }).substr(0, 14), "NOT_TRACEABLE:");
  EXPECT_EQ(refusal([] { symbolic("2*n"); }), "INVALID_OPERATION: symbolic: '2*n' is no name");
  EXPECT_EQ(refusal([] { spec<Images>({-1, 6}); }), "TENSOR_SHAPE_MISMATCH: spec: an extent of -1; symbolic(\"n\") is one that only the run tells");
  EXPECT_EQ(refusal([] { spec<Images>({2, symbolic("n")}); }).substr(0, 22), "TENSOR_SHAPE_MISMATCH:");
  const auto p = trace([](const Tensor<double, Seq>& x) { return sum(x * x); }, spec<Tensor<double, Seq>>({symbolic("s")}));
  EXPECT_EQ(p(Tensor<double, Seq>::full({8}, 2)).item(), 32);
}

}  // namespace
