// SPDX-License-Identifier: Apache-2.0
//
// What operations give, against JAX; 16-bit floats, integers and refusals that only the run knows.
#include "tensor/cases.hpp"
#include "tensor/refusal.hpp"

#include <set>

namespace {

using namespace cases;

TEST(Values, EqualThoseOfJax) {
  for (auto& c : all()) EXPECT_LE(distance(c.name, c.f(c.operands)), 1e-12) << c.name;
}
TEST(Values, EveryGoldenRowIsUsed) {
  std::set<std::string> known;
  for (auto& c : all()) {
    known.insert(c.name);
    for (std::size_t k = 0; k < c.operands.size(); ++k) known.insert(c.name + ".grad" + std::to_string(k));
  }
  for (auto& [name, row] : golden()) EXPECT_TRUE(known.contains(name)) << name;
}

struct Batch : axis<> {};
struct Hidden : axis<3> {};
struct Seq : axis<at_most{5}> {};

TEST(Refusals, SayCodeOperationNamesAndExtents) {
  using Rows = Tensor<float, Batch, Hidden>;
  const auto two = Rows::zeros({2, 3}), three = Rows::zeros({3, 3}), one = Rows::zeros({1, 3});
  EXPECT_EQ(refusal([&] { two + three; }), "TENSOR_SHAPE_MISMATCH: add: the extents differ: Batch (2) and Batch (3)");
  EXPECT_EQ(refusal([&] { one + three; }), "TENSOR_SHAPE_MISMATCH: add: the extents differ: Batch (1) and Batch (3)");
  EXPECT_EQ(refusal([&] { Rows::zeros({2, 4}); }), "TENSOR_SHAPE_MISMATCH: Hidden has the extent 3, got 4");
  EXPECT_EQ(refusal([&] { Tensor<float, Seq>::zeros({6}); }), "BOUNDED_DIM_EXCEEDED: Seq is at most 5, got 6");
  EXPECT_EQ(refusal([&] { typed<double, Batch, Hidden>(two.any()); }), "DTYPE_MISMATCH: expected f64, got f32");
  EXPECT_EQ(refusal([&] { typed<float, Hidden, Hidden>(three.any()); }), "NAMED_INDEX_MISMATCH: expected Hidden, got Batch (3)");
  EXPECT_EQ(refusal([&] { two.any() + transpose<1, 0>(three).any(); }), "NAMED_INDEX_MISMATCH: add: the axis names differ: Batch (2) and Hidden (3)");
  EXPECT_EQ(refusal([&] { two.any() + cast<double>(two).any(); }), "DTYPE_MISMATCH: add: the dtypes differ and are never promoted; use cast");
  EXPECT_EQ(refusal([&] { sum(two.any(), {2}); }), "TENSOR_SHAPE_MISMATCH: sum: a position lies outside the axis: 2 and 2");
  EXPECT_EQ(refusal([&] { two.at(0, 3); }), "INDEX_OUT_OF_RANGE: 3 on an axis of extent 3");
  EXPECT_EQ(refusal([&] { gather(two.any(), integers({0, 3}, {2}), 1); }), "INDEX_OUT_OF_RANGE: gather: the index 3 on an axis of extent 3");
  EXPECT_EQ(refusal([&] { embedding(two.any(), integers({-1}, {1})); }), "INDEX_OUT_OF_RANGE: gather: the index -1 on an axis of extent 2");
  EXPECT_EQ(refusal([&] { Rows::from({1, 2, 3}, {2, 3}); }), "TENSOR_SHAPE_MISMATCH: from: 3 elements for a shape of 6");
  EXPECT_EQ(refusal([&] { reshape<dim<>, Hidden>(slice<Hidden>(two, 0, 2)); }), "TENSOR_SHAPE_MISMATCH: reshape: the numbers of elements differ: 4 and 3");
  EXPECT_EQ(refusal([&] { slice<Hidden>(two, 1, 4); }), "TENSOR_SHAPE_MISMATCH: slice: a position lies outside the axis: 4 and Hidden (3)");
  EXPECT_EQ(refusal([&] { conv(numbers(1, {1, 1, 5}), numbers(1, {1, 1, 3}), {.stride = 0}); }),
            "TENSOR_SHAPE_MISMATCH: conv: an option has a value that makes no sense: 0 and 0");
  EXPECT_EQ(refusal([&] { max(numbers(1, {0, 2}), {0}); }), "TENSOR_SHAPE_MISMATCH: max: there is no element to choose from");
  EXPECT_EQ(refusal([&] { two.any().item<float>(); }), "TENSOR_SHAPE_MISMATCH: item() of a tensor of rank 2");
}

TEST(Dtypes, SixteenBitFloatsAreRoundedOnce) {
  const float third = 1.0f / 3;
  const auto h = Tensor<f16>(f16(third)), one = Tensor<f16>(f16(1.0f));
  EXPECT_EQ((one / (h * 3 - 1)).item().bits, f16(1 / float(f16(float(f16(float(f16(third)) * 3)) - 1))).bits);
  // a sum of 4096 sixteenths would stop at 128 if it were kept in bf16
  EXPECT_EQ(float(sum(Tensor<bf16, dim<4096>>::full(bf16(0.0625f))).item()), 256.0f);
  // the sum does not fit f16, the mean does
  EXPECT_EQ(float(mean(Tensor<f16, dim<4096>>::full(f16(1000.0f))).item()), 1000.0f);
  EXPECT_EQ(float(norm(Tensor<f16, dim<4>>::full(f16(300.0f))).item()), 600.0f);
}
TEST(Dtypes, IntegersAndBools) {
  const auto i = Tensor<std::int8_t, dim<3>>::from({100, 27, -128});
  EXPECT_EQ((i + i).at(0), std::int8_t(-56));     // wraps
  EXPECT_EQ(sum(Tensor<std::uint64_t, dim<2>>::from({~0ull, 2})).item(), 1u);
  EXPECT_EQ((Tensor<std::int64_t>(std::int64_t(1) << 60) + 1).item(), (std::int64_t(1) << 60) + 1);
  EXPECT_EQ((Tensor<int, dim<2>>::from({-7, 7}) / 2).at(0), -3);
  const auto m = Tensor<bool, dim<2>>::from({true, false});
  EXPECT_EQ((m & true).at(0), true);
  EXPECT_EQ((!m).at(0), false);
  EXPECT_EQ((m | !m).at(1), true);
  EXPECT_EQ(cast<int>(m).at(0), 1);
  EXPECT_EQ(cast<int>(Tensor<float>(-2.75f)).item(), -2);
  EXPECT_EQ(matmul(Tensor<int, dim<1>, dim<2>>::from({3, 4}), Tensor<int, dim<2>>::from({5, 6})).at(0), 39);
}
TEST(Edges, EmptyTensorsAndInfinities) {
  const AnyTensor none = numbers(1, {0, 3});
  EXPECT_EQ(doubles(sum(none, {0}))[2], 0);
  EXPECT_EQ(prod(none).item<double>(), 1);
  EXPECT_EQ(concat({none, numbers(1, {2, 3})}, 0).extent(0), 2);
  EXPECT_EQ(doubles(matmul(numbers(1, {2, 0}), none))[5], 0);
  const double inf = INFINITY, pair[] = {inf, -inf};
  const AnyTensor x(dtype::f64, {2}, pair);
  EXPECT_EQ(logsumexp(x).item<double>(), inf);
  EXPECT_EQ(logsumexp(slice(x, 0, 1, 2)).item<double>(), -inf);
  EXPECT_EQ(doubles(logaddexp(slice(x, 0, 0, 1), inf))[0], inf);
  EXPECT_EQ(doubles(logaddexp(slice(x, 0, 1, 2), -inf))[0], -inf);
  EXPECT_TRUE(std::isnan(doubles(maximum(x, AnyTensor(double(NAN))))[0]));
}

}  // namespace
