// SPDX-License-Identifier: Apache-2.0
#include <tlaloc/detail/tensor/elementwise.hpp>
#include <tlaloc/detail/tensor/fields.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace tlaloc;

struct In : axis<2> {};
struct Out : axis<3> {};
struct Dense {
  Tensor<float, In, Out> weight;
  Tensor<float, Out> bias;
};
struct Params {
  Dense first, second;
  Scalar<float> temperature{1.0f};
  int depth = 2;
  std::vector<Dense> layers;
  std::array<Tensor<int, Out>, 2> tables;
  std::pair<Scalar<double>, double> both;
};

namespace {

Dense dense(float w) { return {Tensor<float, In, Out>::full(w), Tensor<float, Out>::full(w + 1)}; }
Params params() {
  return {dense(1), dense(3), 5.0f, 7, {dense(6)}, {Tensor<int, Out>::full(8), Tensor<int, Out>::full(9)}, {10.0, 11.0}};
}

TEST(Fields, NamesNeedNoRegistration) {
  std::string all;
  const Params p = params();
  leaves(p, [&](const std::string& name, auto& t) { all += name + ":" + std::to_string(t.rank) + " "; });
  EXPECT_EQ(all, "first.weight:2 first.bias:1 second.weight:2 second.bias:1 temperature:0 layers.0.weight:2 layers.0.bias:1 "
                 "tables.0:1 tables.1:1 both.0:0 ");
}
TEST(Fields, OneTensorHasTheEmptyName) {
  int n = 0;
  auto bias = params().first.bias;
  leaves(bias, [&](const std::string& name, auto&) { n += name.empty(); });
  EXPECT_EQ(n, 1);
}
TEST(Fields, TwoAggregatesAreWalkedTogether) {
  Params p = params();
  const Params g = p;
  zip_leaves(p, g, [](auto& x, const auto& dx) { x = x - dx - dx; });
  EXPECT_EQ(p.first.weight.at(1, 2), -1);
  EXPECT_EQ(p.layers[0].bias.at(0), -7);
  EXPECT_EQ(p.tables[1].at(2), -9);
  EXPECT_EQ(p.both.first.item(), -10);
}
TEST(Fields, LocalTypesToo) {
  struct Local {
    Scalar<float> a_1{2.0f};
    Scalar<float> b{3.0f};
  };
  std::string all;
  Local l;
  leaves(l, [&](const std::string& name, auto& t) { all += name + std::to_string(int(t.item())); });
  EXPECT_EQ(all, "a_12b3");
}

}  // namespace
