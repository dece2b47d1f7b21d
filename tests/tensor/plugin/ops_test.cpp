// SPDX-License-Identifier: Apache-2.0
//
// Sixty of the operations that JAX judges, by way of the plugin: values, and the gradients of sum(op(x...) * c) by each operand. The axes of the operands are known only at run time.
#include "tensor/plugin/judged.hpp"

namespace {

using namespace judged;

using Image = Tensor<double, dim<>, dim<4>, dim<7>, dim<6>>;

const M y34 = typed<double, dim<>, dim<>>(numbers(2, {3, 4}));
const M w45 = typed<double, dim<>, dim<>>(numbers(9, {4, 5}));
const S34 s34 = typed<double, dim<3>, dim<4>>(numbers(1, {3, 4}));
const T3 x234 = typed<double, dim<>, dim<>, dim<>>(numbers(6, {2, 3, 4})), a234 = typed<double, dim<>, dim<>, dim<>>(numbers(7, {2, 3, 4})),
         b245 = typed<double, dim<>, dim<>, dim<>>(numbers(8, {2, 4, 5}));
const Image img = typed<double, dim<>, dim<4>, dim<7>, dim<6>>(numbers(18, {2, 4, 7, 6}));

TEST(PluginOps, Elementwise) {
  EXPECT_OP("add_row", ([](const M& x, const V& r) { return x + r; }), x34, r4);
  EXPECT_OP("mul_column", ([](const M& x, const V& v) { return x * reshape<dim<>, dim<1>>(v); }), x34, v3);
  EXPECT_OP("div", ([](const M& x, const M& p) { return x / p; }), x34, p34);
  EXPECT_OP("pow", ([](const M& p, const M& x) { return pow(p, x); }), p34, x34);
  EXPECT_OP("pow_number", ([](const M& x) { return pow(x, 3); }), x34);
  EXPECT_OP("number_minus", ([](const M& x) { return 2.5 - x; }), x34);
  EXPECT_OP("exp", ([](const M& x) { return exp(x); }), x34);
  EXPECT_OP("expm1", ([](const M& x) { return expm1(x); }), x34);
  EXPECT_OP("sin", ([](const M& x) { return sin(x); }), x34);
  EXPECT_OP("tanh", ([](const M& x) { return tanh(x); }), x34);
  EXPECT_OP("log", ([](const M& x) { return log(x); }), p34);
  EXPECT_OP("sqrt", ([](const M& x) { return sqrt(x); }), p34);
  EXPECT_OP("erf", ([](const M& x) { return erf(x); }), x34);
  EXPECT_OP("lgamma", ([](const M& x) { return lgamma(x); }), p34);
  EXPECT_OP("sigmoid", ([](const M& x) { return sigmoid(x); }), x34);
  EXPECT_OP("atan2", ([](const M& x, const M& p) { return atan2(x, p); }), x34, p34);
  EXPECT_OP("maximum", ([](const M& x, const M& y) { return maximum(x, y); }), x34, y34);
  EXPECT_OP("abs", ([](const M& x) { return abs(x); }), x34);
  EXPECT_OP("where", ([](const M& x, const M& y) { return where(x > y, x * 2, y); }), x34, y34);
  EXPECT_OP("relu", ([](const M& x) { return relu(x); }), x34);
  EXPECT_OP("silu", ([](const M& x) { return silu(x); }), x34);
  EXPECT_OP("gelu", ([](const M& x) { return gelu(x); }), x34);
  EXPECT_OP("gelu_tanh", ([](const M& x) { return gelu(x, gelu_form::tanh); }), x34);
  EXPECT_OP("softplus", ([](const M& x) { return softplus(x); }), x34);
  EXPECT_OP("elu", ([](const M& x) { return elu(x); }), x34);
  EXPECT_OP("leaky_relu", ([](const M& x) { return leaky_relu(x); }), x34);
  EXPECT_OP("logaddexp", ([](const M& x, const M& y) { return logaddexp(x, y); }), x34, y34);
  EXPECT_OP("clip", ([](const M& x) { return clip(x, -0.5, 1.25); }), x34);
}
TEST(PluginOps, Reductions) {
  EXPECT_OP("sum_all", ([](const M& x) { return sum(x); }), x34);
  EXPECT_OP("sum_02", ([](const T3& x) { return sum<0, -1>(x); }), x234);
  EXPECT_OP("mean_all", ([](const M& x) { return mean(x); }), x34);
  EXPECT_OP("mean_0", ([](const M& x) { return mean<0>(x); }), x34);
  EXPECT_OP("max_0", ([](const M& x) { return max<0>(x); }), x34);
  EXPECT_OP("min_02", ([](const T3& x) { return min<0, -1>(x); }), x234);
  EXPECT_OP("prod_0", ([](const M& x) { return prod<0>(x); }), x34);
  EXPECT_OP("prod_02", ([](const T3& x) { return prod<0, -1>(x); }), x234);
  EXPECT_OP("roll", ([](const M& x) { return roll<1>(x, 3); }), x34);
  EXPECT_OP("roll_back", ([](const M& x) { return roll<0>(x, -1); }), x34);
  EXPECT_OP("var_all", ([](const M& x) { return var(x); }), x34);
  EXPECT_OP("std_0", ([](const M& x) { return stddev<0>(x); }), x34);
  EXPECT_OP("norm_two", ([](const M& x) { return norm<1>(x); }), x34);
  EXPECT_OP("logsumexp", ([](const M& x) { return logsumexp<1>(x); }), x34);
  EXPECT_OP("softmax", ([](const M& x) { return softmax<1>(x); }), x34);
  EXPECT_OP("log_softmax", ([](const M& x) { return log_softmax<1>(x); }), x34);
  EXPECT_OP("cumsum", ([](const M& x) { return cumsum<1>(x); }), x34);
  EXPECT_OP("sort", ([](const S34& x) { return sort<1>(x); }), s34);
  EXPECT_OP("cumprod", ([](const M& x) { return cumprod<0>(x); }), x34);
}
TEST(PluginOps, Products) {
  EXPECT_OP("matmul_2d", ([](const M& x, const M& w) { return matmul(x, w); }), x34, w45);
  EXPECT_OP("matmul_batched", ([](const T3& a, const T3& b) { return matmul(a, b); }), a234, b245);
  EXPECT_OP("matmul_shared", ([](const T3& a, const M& w) { return matmul(a, w); }), a234, w45);
  EXPECT_OP("matmul_vector", ([](const M& x, const V& r) { return matmul(x, r); }), x34, r4);
  EXPECT_OP("einsum_sum", ([](const T3& x) { return einsum<"ijk->k">(x); }), x234);
  EXPECT_OP("einsum_outer", ([](const V& v, const V& r) { return einsum<"i,j->ji">(v, r); }), v3, r4);
}
TEST(PluginOps, Shapes) {
  EXPECT_OP("reshape", ([](const S34& x) { return reshape<dim<2>, dim<>>(x); }), s34);
  EXPECT_OP("transpose", ([](const T3& x) { return transpose<2, 0, 1>(x); }), x234);
  EXPECT_OP("broadcast_to", ([](const V& r) { return broadcast_to<dim<3>, dim<>>(r, r.extent(0)); }), r4);
  EXPECT_OP("flip", ([](const M& x) { return flip<0>(x); }), x34);
}
TEST(PluginOps, IndicesAndWindows) {
  const auto ids = Tensor<int, dim<>>::from({2, 0, 2, 1}, {4});
  EXPECT_OP("embedding", ([ids](const M& x) { return embedding(x, ids); }), x34);
  const auto ker = typed<double, dim<6>, dim<4>, dim<3>, dim<2>>(numbers(19, {6, 4, 3, 2}));
  EXPECT_OP("conv2d", ([](const Image& x, const Tensor<double, dim<6>, dim<4>, dim<3>, dim<2>>& w) { return conv2d(x, w); }), img, ker);
  EXPECT_OP("conv2d_options", ([](const Image& x, const Tensor<double, dim<6>, dim<4>, dim<3>, dim<2>>& w) {
              return conv2d<{.stride = {2, 1}, .pad = {1, 2}, .dilation = {2, 1}}>(x, w); }), img, ker);
  EXPECT_OP("max_pool2d", ([](const Image& x) { return max_pool2d<{}>(x); }), img);
  EXPECT_OP("avg_pool2d_pad", ([](const Image& x) { return avg_pool2d<{.window = 3, .stride = 2, .pad = 1}>(x); }), img);
  const V shift = typed<double, dim<>>(numbers(31, {4}));
  EXPECT_OP("layer_norm", ([](const T3& x, const V& s, const V& b) { return layer_norm(x, s, b); }), x234, r4, shift);
  EXPECT_OP("rms_norm", ([](const T3& x, const V& s) { return rms_norm(x, s); }), x234, r4);
}

/// Orders 2 and 3 along an axis of unknown extent, where a zero leaves no room for a division.
TEST(PluginOps, ProductsWithAZero) {
  const V x = V::from({2, 0, 3, 5}, {4}), t = V::from({1, 2, 3, 4}, {4}),
          u = V::from({5, 6, 7, 8}, {4});
  auto all = [](const V& y) { return prod<0>(y); };
  const auto g = grad(all)(x);
  const double first[] = {0, 30, 0, 0};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(g.at(i), first[i]);
  const auto second = jvp<0>(grad(all))(x, t); // sum over j of t_j * the product of all but i and j
  const double by_hand[] = {2 * 15, 1 * 15 + 3 * 10 + 4 * 6, 2 * 10, 2 * 6};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(second.at(i), by_hand[i], 1e-13);
  EXPECT_EQ(prod<0>(V::zeros({0})).item(), 1);
  EXPECT_EQ(grad(all)(V::zeros({0})).size(), 0u);
  EXPECT_NEAR(matmul(jvp<0>(grad(all))(x, t), u).item(), matmul(jvp<0>(grad(all))(x, u), t).item(),
              1e-12);
}

}  // namespace
