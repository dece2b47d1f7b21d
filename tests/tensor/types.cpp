// SPDX-License-Identifier: Apache-2.0
//
// The types that operations give; compiled, never run, by every compiler that users have.
#include <tlaloc/tensor.hpp>

using namespace tlaloc;

namespace {

struct Batch : axis<> {};
struct Class : axis<10> {};
struct Hidden : axis<128> {};
struct Pixel : axis<784> {};
struct Seq : axis<at_most{4096}> {};
struct Key : axis<> {};
struct Heads : axis<4> {};
struct Dim : axis<16> {};
struct Model : axis<64> {};
struct Channel : axis<3> {};
struct Filter : axis<8> {};
struct Row : axis<> {};
struct Col : axis<> {};
struct Height : axis<28> {};

template <class T> const T& make();
template <class T, class... A> const Tensor<T, A...>& x();
#define GIVES(expression, ...) static_assert(std::is_same_v<decltype(expression), __VA_ARGS__>)
template <class... A> using F = Tensor<float, A...>;

// numbers take the tensor's dtype; broadcasting is positional from the right, names win over numbers
GIVES(2.0 * make<Matrix<float>>() + 1, Matrix<float>);
GIVES(1 - make<Vector<int>>(), Vector<int>);
GIVES((x<float, dim<4>, dim<1>>() + x<float, dim<5>>()), F<dim<4>, dim<5>>);
GIVES((x<float, Batch, dim<>>() + x<float, Class>()), F<Batch, Class>);
GIVES((x<float, Batch>() + x<float, dim<5>>()), F<Batch>);
GIVES((x<float, sized<Seq, 3>>() + x<float, Seq>()), F<sized<Seq, 3>>);
GIVES((x<float, dim<1>>() * x<float, Seq>()), F<Seq>);
GIVES((x<bf16, Batch>() / x<bf16>()), Tensor<bf16, Batch>);
GIVES((x<f16, Batch>() * 0.5), Tensor<f16, Batch>);
GIVES(exp(make<F<Batch, Class>>()), F<Batch, Class>);
GIVES(pow(make<F<Batch>>(), 2), F<Batch>);
GIVES((x<float, Batch, Class>() > 0.5), Tensor<bool, Batch, Class>);
GIVES((!x<bool, Batch>() & true), Tensor<bool, Batch>);
GIVES((where(x<bool, Batch, Class>(), x<float, Class>(), 0)), F<Batch, Class>);
GIVES((cast<double>(x<float, Batch>())), Tensor<double, Batch>);
GIVES(isnan(make<F<Batch>>()), Tensor<bool, Batch>);

// reductions and operations along an axis
GIVES((sum<Class>(x<float, Batch, Class>())), F<Batch>);
GIVES((sum<0, -1>(x<float, Batch, Hidden, Class>())), F<Hidden>);
GIVES(sum(make<F<Batch, Class>>()), F<>);
GIVES((mean<Batch>(x<double, Batch, Class>())), Tensor<double, Class>);
GIVES((var<Batch>(x<double, Batch, Class>(), 1)), Tensor<double, Class>);
GIVES((norm<Class>(x<float, Batch, Class>(), norm_order::one)), F<Batch>);
GIVES((any<Class>(x<float, Batch, Class>() > 0)), Tensor<bool, Batch>);
GIVES((argmax<Class>(x<float, Batch, Class>())), Tensor<int, Batch>);
GIVES((argmin<-1>(x<float, Batch, Class>())), Tensor<int, Batch>);
GIVES((softmax<Class>(x<float, Batch, Class>())), F<Batch, Class>);
GIVES((logsumexp<Class>(x<float, Batch, Class>())), F<Batch>);
GIVES((cumsum<Batch>(x<int, Batch, Class>())), Tensor<int, Batch, Class>);
GIVES((sort<Class>(x<float, Batch, Class>(), true)), F<Batch, Class>);
GIVES((argsort<Class>(x<float, Batch, Class>())), Tensor<int, Batch, Class>);
GIVES((top_k<Class, 3>(x<float, Batch, Class>())), F<Batch, sized<Class, 3>>);
GIVES((top_k_indices<Class, 3>(x<float, Batch, Class>())), Tensor<int, Batch, sized<Class, 3>>);
GIVES((roll<Class>(x<float, Batch, Class>(), 1)), F<Batch, Class>);

// products
GIVES((matmul(x<float, Batch, Pixel>(), x<float, Pixel, Hidden>())), F<Batch, Hidden>);
GIVES((matmul(x<float, Batch, dim<2>, dim<3>>(), x<float, dim<3>, dim<7>>())), F<Batch, dim<2>, dim<7>>);
GIVES((matmul(x<float, dim<2>, dim<3>>(), x<float, Batch, dim<3>, dim<7>>())), F<Batch, dim<2>, dim<7>>);
GIVES((matmul(x<float, dim<3>>(), x<float, dim<3>>())), F<>);
GIVES((contract(x<float, Batch, Model>(), x<float, Model, Heads, Dim>())), F<Batch, Heads, Dim>);
GIVES((contract<Dim>(x<float, Batch, Seq, Heads, Dim>(), x<float, Batch, Key, Heads, Dim>())), F<Batch, Heads, Seq, Key>);
GIVES((einsum<"bij,bjk->bik">(x<float, Batch, dim<2>, dim<3>>(), x<float, Batch, dim<3>, dim<7>>())), F<Batch, dim<2>, dim<7>>);
GIVES((einsum<"ii->i">(x<float, dim<3>, dim<3>>())), F<dim<3>>);
GIVES((einsum<"ij,jk,kl">(x<float, dim<2>, dim<3>>(), x<float, dim<3>, dim<4>>(), x<float, dim<4>, dim<5>>())), F<dim<2>, dim<5>>);

// shape
GIVES((reshape<Row, dim<1>, Model>(x<float, Row, Model>())), F<Row, dim<1>, Model>);
GIVES((reshape<Batch, dim<>>(x<float, Batch, Heads, Dim>())), F<Batch, dim<64>>);
GIVES((reshape<dim<5>, dim<>>(x<float, Class>())), F<dim<5>, dim<2>>);
GIVES((reshape<Batch, Key, Dim>(x<float, Batch, Model>(), 4)), F<Batch, Key, Dim>);
GIVES((rename<Batch, Key>(x<float, Batch, dim<>>())), F<Batch, Key>);
GIVES((relabel<Seq, Key>(x<float, Batch, Seq, Model>())), F<Batch, Key, Model>);
GIVES((relabel<Height, Key>(x<float, Batch, Height>())), F<Batch, sized<Key, 28>>);
GIVES((transpose<Model, Seq>(x<float, Seq, Model>())), F<Model, Seq>);
GIVES((transpose<1, 0>(x<float, Model, sized<Seq, 8>>())), F<sized<Seq, 8>, Model>);
GIVES((concat<Seq>(x<float, sized<Seq, 3>, Model>(), x<float, sized<Seq, 4>, Model>(), x<float, sized<Seq, 1>, Model>())), F<sized<Seq, 8>, Model>);
GIVES((concat<0>(x<float, Seq, Model>(), x<float, sized<Seq, 4>, Model>())), F<Seq, Model>);
GIVES((slice<Seq, 2, 5>(x<float, Seq, Model>())), F<sized<Seq, 3>, Model>);
GIVES((slice<Class, 0, 10>(x<float, Class>())), F<Class>);
GIVES((slice<Class, 1, 10, 4>(x<float, Class>())), F<sized<Class, 3>>);
GIVES((slice<Seq>(x<float, Seq, Model>(), 2, 5)), F<Seq, Model>);
GIVES((pad<Class, 1, 2>(x<float, Class>(), -1)), F<sized<Class, 13>>);
GIVES((flip<Class>(x<float, Batch, Class>())), F<Batch, Class>);
GIVES((broadcast_to<Batch, Class>(x<float, Class>(), 3)), F<Batch, Class>);

// pieces
GIVES((squeeze<1>(x<float, Row, dim<1>, Model>())), F<Row, Model>);
GIVES((squeeze<Seq>(x<float, Batch, sized<Seq, 1>>())), F<Batch>);
GIVES((expand_dims<-1>(x<float, Row>())), F<Row, dim<1>>);
GIVES((flatten<1>(x<float, Batch, Heads, Dim>())), F<Batch, dim<64>>);
GIVES(flatten(make<F<Batch, Heads>>()), F<dim<>>);
GIVES((stack<Key>(x<float, Model>(), x<float, Model>())), F<Key, Model>);
GIVES((stack<Row, 1>(x<float, Model>(), x<float, dim<64>>())), F<Model, Row>);
GIVES((stack<-1>(x<float, Model>(), x<float, Model>(), x<float, Model>())), F<Model, dim<3>>);
GIVES((split<Model, 4>(x<float, Batch, Model>())), std::array<F<Batch, sized<Model, 16>>, 4>);
GIVES((split<0, 2>(x<float, Batch, Model>())), std::array<F<Batch, Model>, 2>);
GIVES((slice_at<Seq, 5>(x<float, Batch, Seq>(), 3)), F<Batch, sized<Seq, 5>>);
GIVES((slice_at<Model, 1>(x<float, Batch, Model>(), x<int>())), F<Batch, sized<Model, 1>>);
GIVES((update_slice<Seq>(x<float, Seq, Model>(), x<float, sized<Seq, 1>, Model>(), x<int>())), F<Seq, Model>);
GIVES((kl_div<Class>(x<float, Batch, Class>(), x<float, Batch, Class>())), F<>);
GIVES(huber_loss(make<F<Batch>>(), make<F<Batch>>()), F<>);
GIVES((max_pool2d<{.window = 3, .stride = 2, .ceil = true}>(x<float, Batch, Channel, Height, dim<27>>())), F<Batch, Channel, sized<Height, 14>, dim<13>>);
GIVES((adaptive_avg_pool<7, 7>(x<float, Batch, Channel, Height, Col>())), F<Batch, Channel, sized<Height, 7>, sized<Col, 7>>);

// indices
GIVES((one_hot<Class>(x<int, Batch>())), F<Batch, Class>);
GIVES((one_hot<Class, double>(x<int, Batch>())), Tensor<double, Batch, Class>);
GIVES((embedding(x<float, Class, Model>(), x<int, Batch, Seq>())), F<Batch, Seq, Model>);
GIVES((gather<Class>(x<float, Batch, Class, Model>(), x<int, dim<3>>())), F<Batch, dim<3>, Model>);
GIVES((take_along_axis<Class>(x<float, Batch, Class>(), x<int, Batch, dim<2>>())), F<Batch, dim<2>>);
GIVES((scatter_add<Class>(x<float, Class, Model>(), x<int, Batch>(), x<float, Batch, Model>())), F<Class, Model>);

// windows
GIVES((conv2d<{.stride = 2, .pad = 1}>(x<float, Batch, Channel, Height, dim<28>>(), x<float, Filter, Channel, dim<3>, dim<3>>())), F<Batch, Filter, sized<Height, 14>, dim<14>>);
GIVES((conv2d(x<float, Batch, Channel, Row, Col>(), x<float, Filter, Channel, dim<3>, dim<3>>(), {.stride = 2})), F<Batch, Filter, Row, Col>);
GIVES((conv1d(x<float, Batch, Channel, dim<10>>(), x<float, Filter, Channel, dim<3>>())), F<Batch, Filter, dim<8>>);
GIVES((conv3d<{.stride = {1, 2, 3}, .dilation = 2}>(x<float, Batch, Channel, dim<9>, dim<9>, dim<9>>(), x<float, Filter, Channel, dim<3>, dim<3>, dim<3>>())), F<Batch, Filter, dim<5>, dim<3>, dim<2>>);
GIVES((conv_transpose2d<{.stride = 2}>(x<float, Batch, Channel, dim<5>, dim<5>>(), x<float, Channel, Filter, dim<3>, dim<3>>())), F<Batch, Filter, dim<11>, dim<11>>);
GIVES((max_pool2d<{.window = 2}>(x<float, Batch, Channel, Height, dim<28>>())), F<Batch, Channel, sized<Height, 14>, dim<14>>);
GIVES((avg_pool2d(x<float, Batch, Channel, Row, Col>(), {.window = 3})), F<Batch, Channel, Row, Col>);
GIVES((layer_norm(x<float, Batch, Model>(), x<float, Model>(), x<float, Model>())), F<Batch, Model>);
GIVES((group_norm<4>(x<float, Batch, Filter, dim<5>>(), x<float, Filter>(), x<float, Filter>())), F<Batch, Filter, dim<5>>);

// a refused operation is no hard error where one asks
template <class A, class B> concept addable = requires(A a, B b) { a + b; };
static_assert(addable<F<Batch, Hidden>, F<Hidden>>);
static_assert(!addable<F<Batch, Hidden>, F<Class>>);
static_assert(!addable<F<Batch, Hidden>, const char*>);

// names: what is qualified goes, what is in template arguments stays
template <class T> struct Of : axis<> {};
namespace inner { struct Deep : axis<> {}; }
constexpr bool called(detail::axis_label l, const char* text) {
  for (int i = 0; i < l.size; ++i)
    if (l.text[i] != text[i]) return false;
  return !text[l.size];
}
static_assert(called(detail::label_of<Batch>, "Batch"));
static_assert(called(detail::label_of<inner::Deep>, "Deep"));
static_assert(called(detail::label_of<Of<int>>, "Of<int>"));

// 16-bit floats round to nearest, ties to even
static_assert(bf16(1.00390625f).bits == 0x3f80 && bf16(1.01171875f).bits == 0x3f82 && float(bf16(-2.5f)) == -2.5f);
static_assert(f16(65504.f).bits == 0x7bff && f16(65520.f).bits == 0x7c00 && f16(65519.f).bits == 0x7bff && f16(1.f).bits == 0x3c00);
static_assert(f16(0x1p-24f).bits == 1 && f16(0x1p-25f).bits == 0 && f16(0x1.8p-25f).bits == 1 && float(f16(-0x1.8p-15f)) == -0x1.8p-15f);

}  // namespace
