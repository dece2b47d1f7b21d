// SPDX-License-Identifier: Apache-2.0
//
// What docs/conventions.md says about tensors: ties, kinks, NaN, order. The numbers are those of JAX 0.10 unless said otherwise.
#include "tensor/cases.hpp"

#include <tlaloc/trace.hpp>

namespace {

using namespace cases;
using Doubles = std::vector<double>;

AnyTensor row(Doubles v) { return AnyTensor(dtype::f64, {extent_t(v.size())}, v.data()); }
template <class F> Doubles gradient(F f, const AnyTensor& x, std::size_t of = 0) {
  const auto p = trace([&](const List& l) { return sum(f(l[0])); }, spec<List>({x}));
  return doubles(p.grad().run({x})[of]);
}

TEST(Conventions, TiesShareInReductionsAndBinaryExtremes) {
  EXPECT_EQ(gradient([](auto& x) { return max(x); }, row({2, 2, 1})), (Doubles{0.5, 0.5, 0}));
  EXPECT_EQ(gradient([](auto& x) { return min(x); }, row({2, 2, 3, 2})), (Doubles{1. / 3, 1. / 3, 0, 1. / 3}));
  EXPECT_EQ(gradient([](auto& x) { return maximum(x, 2.0) * 4; }, row({2, 3})), (Doubles{2, 4}));
  EXPECT_EQ(gradient([](auto& x) { return logaddexp(x, 2.0) * 4; }, row({2})), (Doubles{2}));
}
TEST(Conventions, TheFirstWinsInPoolingSortingAndChoosing) {
  EXPECT_EQ(gradient([](auto& x) { return max_pool(reshape(x, {1, 1, 4}), {.window = 4}); }, row({1, 3, 3, 0})), (Doubles{0, 1, 0, 0}));
  EXPECT_EQ(doubles(argmax(row({1, 3, 3}), 0)), (Doubles{1}));
  EXPECT_EQ(doubles(argmin(row({1, 0, 0}), 0)), (Doubles{1}));
  EXPECT_EQ(doubles(argsort(row({1, 0, 1, 0}))), (Doubles{1, 3, 0, 2}));
  EXPECT_EQ(doubles(argsort(row({1, 0, 1, 0}), -1, true)), (Doubles{0, 2, 1, 3}));
  EXPECT_EQ(doubles(top_k_indices(row({1, 2, 2}), 2)), (Doubles{1, 2}));
}
TEST(Conventions, Kinks) {
  EXPECT_EQ(gradient([](auto& x) { return relu(x); }, row({-1, 0, 1})), (Doubles{0, 0, 1}));
  EXPECT_EQ(gradient([](auto& x) { return abs(x); }, row({-1, 0, 1})), (Doubles{-1, 0, 1}));
  EXPECT_EQ(gradient([](auto& x) { return clip(x, 0.0, 2.0); }, row({-1, 0, 1, 2, 3})), (Doubles{0, 1, 1, 1, 0}));   // PyTorch's
  EXPECT_EQ(gradient([](auto& x) { return norm(x, {}, norm_order::one); }, row({-2, 0})), (Doubles{-1, 0}));
  EXPECT_TRUE(std::isnan(gradient([](auto& x) { return norm(x); }, row({0, 0}))[0]));
  EXPECT_EQ(gradient([](auto& x) { return prod(x); }, row({0, 2, 3})), (Doubles{6, 0, 0}));
  EXPECT_EQ(gradient([](auto& x) { return elu(x); }, row({-1000, 1000})), (Doubles{0, 1}));
}
TEST(Conventions, NaNIsSeen) {
  const AnyTensor x = row({1, NAN, 2});
  EXPECT_TRUE(std::isnan(doubles(max(x))[0]));
  EXPECT_TRUE(std::isnan(doubles(maximum(x, 5.0))[1]));
  EXPECT_EQ(doubles(argmax(x, 0)), (Doubles{1}));
  EXPECT_TRUE(std::isnan(doubles(sort(x))[2]));
}
TEST(Conventions, PaddingOfPools) {
  const AnyTensor x = reshape(row({3, 6}), {1, 1, 2});
  EXPECT_EQ(doubles(avg_pool(x, {.window = 3, .stride = 1, .pad = 1})), (Doubles{3, 3}));
  EXPECT_EQ(doubles(avg_pool(x, {.window = 3, .stride = 1, .pad = 1, .count_pad = false})), (Doubles{4.5, 4.5}));
  EXPECT_EQ(doubles(max_pool(-x, {.window = 3, .stride = 1, .pad = 1})), (Doubles{-3, -3}));
}

}  // namespace
