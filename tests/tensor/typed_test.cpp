// SPDX-License-Identifier: Apache-2.0
//
// Each typed operation is the untyped one, which is compared with JAX elsewhere: what stands in template arguments arrives.
#include "tensor/cases.hpp"

namespace {

using namespace cases;

struct Batch : axis<> {};
struct Row : axis<3> {};
struct Col : axis<4> {};
struct Other : axis<> {};
struct Channel : axis<4> {};
struct Filter : axis<6> {};

using Matrix34 = Tensor<double, Row, Col>;
const Matrix34 x = typed<double, Row, Col>(numbers(1, {3, 4}));
const Tensor<double, Batch, Row, Col> x234 = typed<double, Batch, Row, Col>(numbers(6, {2, 3, 4}));
const Tensor<double, Col> r4 = typed<double, Col>(numbers(3, {4}));
const AnyTensor u = numbers(1, {3, 4}), u234 = numbers(6, {2, 3, 4}), u4 = numbers(3, {4});

void expect_same(const AnyTensor& typed, const AnyTensor& untyped, int line) {
  ASSERT_EQ(int(typed.type()), int(untyped.type())) << "line " << line;
  ASSERT_TRUE(typed.shape() == untyped.shape()) << "line " << line;
  EXPECT_EQ(doubles(typed), doubles(untyped)) << "line " << line;
}
#define SAME(typed, untyped) expect_same(typed, untyped, __LINE__)

TEST(Typed, Elementwise) {
  SAME(x + r4, u + u4);
  SAME(2.5 - x, 2.5 - u);
  SAME(pow(x, 2), pow(u, 2));
  SAME(x < r4, u < u4);
  SAME(x >= 0.5, u >= 0.5);
  SAME(x != r4, u != u4);
  SAME(x == x, u == u);
  SAME(where(x > 0, x, 0), where(u > 0, u, 0));
  SAME(cast<int>(x), cast(u, dtype::i32));
  SAME(clip(x, -0.5, 1.25), clip(u, -0.5, 1.25));
  SAME(gelu(x, gelu_form::tanh), gelu(u, gelu_form::tanh));
  SAME(elu(x, 0.5), elu(u, 0.5));
  SAME(leaky_relu(x, 0.2), leaky_relu(u, 0.2));
  SAME(fma(x, 2.0, r4), fma(u, 2.0, u4));
}
TEST(Typed, ReductionsAndAlongAnAxis) {
  SAME((sum<Batch, Col>(x234)), sum(u234, {0, 2}));
  SAME((sum<0, -1>(x234)), sum(u234, {0, 2}));
  SAME(sum(x234), sum(u234));
  SAME(mean<Row>(x), mean(u, {0}));
  SAME(prod<1>(x), prod(u, {1}));
  SAME(max<Col>(x), max(u, {1}));
  SAME(min<0>(x), min(u, {0}));
  SAME(var<Col>(x, 1), var(u, {1}, 1));
  SAME(stddev<-1>(x), stddev(u, {1}));
  SAME(norm<Col>(x, norm_order::one), norm(u, {1}, norm_order::one));
  SAME(logsumexp<Col>(x), logsumexp(u, {1}));
  SAME(any<Row>(x > 1), any(u > 1, {0}));
  SAME(all<1>(x > -1), all(u > -1, {1}));
  SAME(argmax<Row>(x), argmax(u, 0));
  SAME(argmin<-1>(x), argmin(u, 1));
  SAME(softmax<Row>(x), softmax(u, 0));
  SAME(log_softmax<1>(x), log_softmax(u, 1));
  SAME(cumsum<Col>(x), cumsum(u, 1));
  SAME(cumprod<0>(x), cumprod(u, 0));
  SAME(sort<Col>(x, true), sort(u, 1, true));
  SAME(argsort<Row>(x), argsort(u, 0));
  SAME((top_k<Row, 2>(x)), top_k(u, 2, 0));
  SAME((top_k_indices<Col, 3>(x)), top_k_indices(u, 3, 1));
  SAME(roll<Row>(x, 1), roll(u, 1, 0));
  SAME(roll<1>(x, -1), roll(u, -1, 1));
}
TEST(Typed, Products) {
  const auto w = typed<double, Col, dim<5>>(numbers(9, {4, 5}));
  const AnyTensor uw = numbers(9, {4, 5});
  SAME(matmul(x, w), matmul(u, uw));
  SAME(contract(x, w), matmul(u, uw));
  SAME(contract<Col>(x234, x), einsum("brc,rc->rb", {u234, u}));
  SAME((contract<Row, Col>(x234, x)), einsum("brc,rc->b", {u234, u}));
  SAME((einsum<"brc,rc->bc">(x234, x)), einsum("brc,rc->bc", {u234, u}));
  SAME((einsum<"brc->c">(x234)), sum(u234, {0, 1}));
  SAME((einsum<"brc,cd,c->brd">(x234, w, r4)), einsum("brc,cd,c->brd", {u234, uw, u4}));
}
TEST(Typed, Shape) {
  SAME((reshape<dim<2>, dim<>>(x)), reshape(u, {2, 6}));
  SAME((reshape<Batch, dim<>, dim<2>>(x234)), reshape(u234, {2, 6, 2}));
  SAME((reshape<Other, dim<>>(x, 6)), reshape(u, {6, 2}));
  SAME((rename<Other, Col>(x)), u);
  SAME((transpose<Col, Batch, Row>(x234)), transpose(u234, {2, 0, 1}));
  SAME((transpose<1, 0>(x)), transpose(u, {1, 0}));
  SAME((flip<Row>(x)), flip(u, {0}));
  SAME((flip<0, 1>(x)), flip(u));
  SAME((broadcast_to<Batch, Row, Col>(x, 2)), broadcast_to(u, {2, 3, 4}));
  SAME(concat<Row>(x, x, slice<Row>(x, 0, 1)), concat({u, u, slice(u, 0, 0, 1)}, 0));
  SAME(concat<1>(x, x), concat({u, u}, 1));
  SAME((slice<Col, 1, 4, 2>(x)), slice(u, 1, 1, 4, 2));
  SAME(slice<Row>(x, 1, 3), slice(u, 0, 1, 3));
  SAME((pad<Col, 1, 2>(x, 0.5)), pad(u, 1, 1, 2, 0.5));
}
TEST(Typed, Indices) {
  const auto ids = typed<int, Other>(integers({2, 0, 2, 1}, {4}));
  const AnyTensor uids = integers({2, 0, 2, 1}, {4});
  SAME((one_hot<Row, double>(ids)), one_hot(uids, 3, dtype::f64));
  SAME(one_hot<Batch>(ids, 5), one_hot(uids, 5));
  SAME(embedding(x, ids), embedding(u, uids));
  SAME(gather<Col>(x, ids), gather(u, uids, 1));
  const auto along = typed<int, Row, dim<2>>(integers({3, 0, 1, 1, 2, 3}, {3, 2}));
  SAME(take_along_axis<Col>(x, along), take_along_axis(u, integers({3, 0, 1, 1, 2, 3}, {3, 2}), 1));
  const auto rows = typed<double, Other, Col>(numbers(17, {4, 4}));
  SAME(scatter_add<Row>(x, ids, rows), scatter_add(u, uids, numbers(17, {4, 4}), 0));
  const auto two = typed<int, dim<2>>(integers({2, 0}, {2}));
  SAME(scatter<Row>(x, two, slice<Row>(x, 0, 2)), scatter(u, integers({2, 0}, {2}), slice(u, 0, 0, 2), 0));
}
TEST(Typed, Windows) {
  const auto img = typed<double, Batch, Channel, dim<7>, dim<6>>(numbers(18, {2, 4, 7, 6}));
  const auto ker = typed<double, Filter, Channel, dim<3>, dim<2>>(numbers(19, {6, 4, 3, 2}));
  const AnyTensor ui = numbers(18, {2, 4, 7, 6}), uk = numbers(19, {6, 4, 3, 2});
  SAME((conv2d<{.stride = {2, 1}, .pad = 1}>(img, ker)), conv(ui, uk, {.stride = {2, 1}, .pad = 1}));
  SAME(conv2d(img, ker, {.stride = 2}), conv(ui, uk, {.stride = 2}));
  const auto back = typed<double, Channel, dim<3>, dim<3>, dim<3>>(numbers(27, {4, 3, 3, 3}));
  SAME((conv_transpose2d<{.stride = 2, .output_pad = 1}>(img, back)), conv_transpose(ui, numbers(27, {4, 3, 3, 3}), {.stride = 2, .output_pad = 1}));
  SAME((max_pool2d<{.window = {3, 2}, .stride = 1}>(img)), max_pool(ui, {.window = {3, 2}, .stride = 1}));
  SAME(avg_pool2d(img, {.window = 3, .pad = 1, .count_pad = false}), avg_pool(ui, {.window = 3, .pad = 1, .count_pad = false}));
  const auto scale = typed<double, Channel>(numbers(3, {4})), shift = typed<double, Channel>(numbers(31, {4}));
  SAME(group_norm<2>(img, scale, shift), group_norm(ui, 2, u4, numbers(31, {4})));
  SAME(layer_norm(x234, r4, r4, 1e-3), layer_norm(u234, u4, u4, 1e-3));
  SAME(rms_norm(x, r4), rms_norm(u, u4));
}
TEST(Typed, UntypedTensorsKeepTheNames) {
  const AnyTensor y = sum(transpose(x234.any(), {2, 1, 0}), {1});
  EXPECT_EQ(std::string(y.name(0).text, std::size_t(y.name(0).size)), "Col");
  EXPECT_EQ(std::string(y.name(1).text, std::size_t(y.name(1).size)), "Batch");
  EXPECT_EQ(reshape(y, {8}).name(0).size, 0);
  const AnyTensor mixed = x + u;                  // typed with untyped gives untyped
  EXPECT_EQ(mixed.name(1).size, 3);
}

}  // namespace
