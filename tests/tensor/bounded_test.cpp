// SPDX-License-Identifier: Apache-2.0
//
// Axes with a bound: padded to a few lengths, run and written, equal to what loops give.
#include <tlaloc/bounded.hpp>

#include "tensor/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace tlaloc;

struct Seq : axis<at_most{40}> {};
struct Batch : axis<at_most{16}> {};
struct Dim : axis<3> {};
using Tokens = Tensor<double, Seq, Dim>;

template <class X> X filled(const typename X::shape_type& shape, double seed) {
  std::vector<double> v(X::zeros(shape).size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(seed + 1.7 * double(i));
  return X::from(v, shape);
}
/// Attention of each token to those that are there.
Tokens attend(const Valid<Seq>& there, const Tokens& x) {
  struct Key : axis<> {};
  const auto keys = relabel<Seq, Key>(x);
  const auto scores = contract<Dim>(x, keys);
  return contract<Key>(softmax<Key>(where(relabel<Seq, Key>(there.mask), scores, -1e30)), keys);
}

TEST(Bounded, PaddedRunsGiveWhatLoopsGive) {
  int recorded = 0;
  const auto f = bounded<Seq>([&](const Valid<Seq>& v, const Tokens& x) { return ++recorded, attend(v, x); });
  for (const extent_t n : {3, 7, 16, 17, 31, 40}) {
    const Tokens x = filled<Tokens>({n, 3}, double(n)), y = f(x);
    ASSERT_EQ(y.extent<Seq>(), n);
    for (extent_t i = 0; i < n; ++i) {
      double total = 0, want[3] = {};
      for (extent_t j = 0; j < n; ++j) {
        double dot = 0;
        for (int d = 0; d < 3; ++d) dot += x.at(i, d) * x.at(j, d);
        total += std::exp(dot);
        for (int d = 0; d < 3; ++d) want[d] += std::exp(dot) * x.at(j, d);
      }
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(y.at(i, d), want[d] / total, 1e-13);
    }
    EXPECT_NEAR(f.exact(x).at(0, 0), y.at(0, 0), 1e-14);
  }
  EXPECT_EQ(recorded, 3 + 4);                     // padded to 16, 32, 40; without at 3, 7, 17, 31
}

TEST(Bounded, PaddingThatMattersIsFound) {
  const auto wrong = bounded<Seq>([](const Valid<Seq>&, const Tokens& x) { return mean<Seq>(x); });
  EXPECT_EQ(refusal([&] { wrong.check(1e-5, filled<Tokens>({5, 3}, 1)); }).substr(0, 56), "INVALID_OPERATION: bounded: padding changes result 0 by ");
  bounded<Seq>(attend).check(1e-12, filled<Tokens>({5, 3}, 1));
  const auto two = bounded<Seq>([](const Valid<Seq>&, const Tokens& x, const Tokens& y) { return x + y; });
  EXPECT_EQ(refusal([&] { two(filled<Tokens>({5, 3}, 1), filled<Tokens>({4, 3}, 1)); }), "TENSOR_SHAPE_MISMATCH: bounded: the axis Seq has the extents 5 and 4");
}

std::string text_of(const std::filesystem::path& p) {
  std::ifstream file(p);
  return {std::istreambuf_iterator<char>(file), {}};
}
TEST(Bounded, AModuleForEachCombinationOfLengths) {
  using Rows = Tensor<double, Batch, Seq>;
  const auto f = bounded<Batch, Seq>([](const Valid<Batch>&, const Valid<Seq>& s, const Rows& x) { return sum<Seq>(where(s.mask, x * x, 0)); });
  const Rows x = filled<Rows>({3, 5}, 1);
  EXPECT_EQ(f(x).extent(0), 3);
  const auto folder = std::filesystem::temp_directory_path() / ("tlaloc_bounded_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()));
  f.write(folder.string(), "squares", x);
  EXPECT_EQ(text_of(folder / "squares.json"),
            "{\n  \"format\": \"tlaloc-bounded-v1\",\n  \"axes\": [\"Batch\", \"Seq\"],\n  \"modules\": [\n"
            "    {\"extents\": [16, 16], \"file\": \"squares.16.16.mlir\"},\n    {\"extents\": [16, 32], \"file\": \"squares.16.32.mlir\"},\n"
            "    {\"extents\": [16, 40], \"file\": \"squares.16.40.mlir\"}\n  ]\n}\n");
  EXPECT_NE(text_of(folder / "squares.16.32.mlir").find("tensor<16x32xf64>"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
