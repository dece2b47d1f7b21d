// SPDX-License-Identifier: Apache-2.0
//
// Operations that move elements, and those that take or put them by index.
#pragma once

#include "tlaloc/detail/tensor/rules_shape.hpp"
#include "tlaloc/detail/tensor/reduce.hpp"

namespace tlaloc {

namespace op {
template <int Given = 0> struct reshape { static constexpr outcome apply(const sig* s) { return detail::rules::reshape(s, Given); } };
struct rename { static constexpr outcome apply(const sig* s) { return detail::rules::rename(s); } };
struct relabel { static constexpr outcome apply(const sig* s) { return detail::rules::relabel(s); } };
struct transpose { static constexpr outcome apply(const sig* s) { return detail::rules::transpose(s); } };
struct flip { static constexpr outcome apply(const sig* s) { return detail::rules::reverse_axes(s); } };
struct broadcast_to { static constexpr outcome apply(const sig* s) { return detail::rules::broadcast_to(s); } };
template <int N> struct concat { static constexpr outcome apply(const sig* s) { return detail::rules::concat(s, N, s[N].a[0]); } };
template <extent_t First = dyn, extent_t Last = dyn, extent_t Step = 1> struct slice {
  static constexpr outcome apply(const sig* s) { return detail::rules::slice(s, First, Last, Step); }
};
template <extent_t Low, extent_t High> struct pad { static constexpr outcome apply(const sig* s) { return detail::rules::pad(s, Low, High); } };
template <dtype To> struct one_hot { static constexpr outcome apply(const sig* s) { return detail::rules::one_hot(s, To); } };
struct embedding { static constexpr outcome apply(const sig* s) { return detail::rules::embedding(s); } };
struct gather { static constexpr outcome apply(const sig* s) { return detail::rules::gather(s); } };
struct take_along_axis { static constexpr outcome apply(const sig* s) { return detail::rules::take_along(s); } };
struct scatter { static constexpr outcome apply(const sig* s) { return detail::rules::scatter(s); } };
struct scatter_add { static constexpr outcome apply(const sig* s) { return detail::rules::scatter(s); } };
}  // namespace op

namespace dynamic {
TLALOC_BEGIN_ENTRIES
/// One extent may be -1: it is inferred. The axes of the result have no names.
AnyTensor reshape(const AnyTensor&, const Shape&);
/// The axes of `to`; extents that are not known there come from the axis of the same name, from `given` in order, or one from the count.
AnyTensor reshape(const AnyTensor&, const Axes& to, std::span<const extent_t> given);
AnyTensor rename(const AnyTensor&, const Axes& to);
AnyTensor relabel(const AnyTensor&, const Axis& from, const Axis& to);
AnyTensor transpose(const AnyTensor&, const Axes& order);
AnyTensor flip(const AnyTensor&, const Axes& = {});
AnyTensor broadcast_to(const AnyTensor&, const Shape&);
AnyTensor broadcast_to(const AnyTensor&, const Axes& to, std::span<const extent_t> given);
AnyTensor concat(std::initializer_list<AnyTensor>, const Axis&);
AnyTensor slice(const AnyTensor&, const Axis&, extent_t first, extent_t last, extent_t step = 1);
AnyTensor pad(const AnyTensor&, const Axis&, extent_t low, extent_t high, const Operand& value = 0);
AnyTensor one_hot(const AnyTensor& indices, extent_t classes, dtype = dtype::f32);
AnyTensor one_hot(const AnyTensor& indices, const Axis& classes, extent_t given, dtype);
// Indices count from 0; those outside the axis are refused where they are known, and clamped on a device.
/// Rows of the table; zeros, without a derivative, where the index is `padding`.
AnyTensor embedding(const AnyTensor& table, const AnyTensor& indices, extent_t padding = -1);
AnyTensor gather(const AnyTensor&, const AnyTensor& indices, const Axis&);
AnyTensor take_along_axis(const AnyTensor&, const AnyTensor& indices, const Axis&);
AnyTensor scatter(const AnyTensor&, const AnyTensor& indices, const AnyTensor& updates, const Axis&);
AnyTensor scatter_add(const AnyTensor&, const AnyTensor& indices, const AnyTensor& updates, const Axis&);
TLALOC_END_ENTRIES
}  // namespace dynamic
using dynamic::concat;                            // a list in braces brings no namespace along

TLALOC_BEGIN_OPS

/// reshape<Batch, dim<4>, dim<>>(x, n): dynamic extents come from the axis of that name in x, from the arguments in order, or, one, from the count.
TLALOC_OP(reshape(const A& x, I... given), (dynamic::reshape(x.any(), detail::axes_of<N...>, std::initializer_list<extent_t>{extent_t(given)...})),
          class... N, typed_tensor A, class... I, class R = detail::result<op::reshape<sizeof...(I)>, A, detail::names<N...>>)
TLALOC_OP(rename(const A& x), (dynamic::rename(x.any(), detail::axes_of<N...>)),
          class... N, typed_tensor A, class R = detail::result<op::rename, A, detail::names<N...>>)
TLALOC_OP(relabel(const A& x), (dynamic::relabel(x.any(), detail::axis_named<Old>, detail::axis_named<New>)),
          class Old, class New, typed_tensor A, class R = detail::result<op::relabel, A, detail::names<Old>, detail::names<New>>)
TLALOC_OP(transpose(const A& x), (dynamic::transpose(x.any(), detail::axes_of<N...>)),
          class... N, typed_tensor A, class R = detail::result<op::transpose, A, detail::names<N...>>)
TLALOC_OP(transpose(const A& x), (dynamic::transpose(x.any(), detail::positions_of<P, Q...>)),
          int P, int... Q, typed_tensor A, class R = detail::result<op::transpose, A, detail::at<P, Q...>>)
TLALOC_OP(flip(const A& x), (dynamic::flip(x.any(), detail::axes_of<N...>)),
          class... N, typed_tensor A, class R = detail::result<op::flip, A, detail::names<N...>>)
TLALOC_OP(flip(const A& x), (dynamic::flip(x.any(), detail::positions_of<P, Q...>)),
          int P, int... Q, typed_tensor A, class R = detail::result<op::flip, A, detail::at<P, Q...>>)
TLALOC_OP(broadcast_to(const A& x, I... given), (dynamic::broadcast_to(x.any(), detail::axes_of<N...>, std::initializer_list<extent_t>{extent_t(given)...})),
          class... N, typed_tensor A, class... I, class R = detail::result<op::broadcast_to, A, detail::names<N...>>)

TLALOC_OP(concat(const A& a, const B& b, const C&... c), (dynamic::concat({a.any(), b.any(), c.any()...}, detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, typed_tensor... C, class R = detail::result<op::concat<2 + sizeof...(C)>, A, B, C..., detail::names<K>>)
TLALOC_OP(concat(const A& a, const B& b, const C&... c), (dynamic::concat({a.any(), b.any(), c.any()...}, detail::axis_number<P>)),
          int P, typed_tensor A, typed_tensor B, typed_tensor... C, class R = detail::result<op::concat<2 + sizeof...(C)>, A, B, C..., detail::at<P>>)

/// Positions known while compiling give a static extent; others a dynamic one.
TLALOC_OP(slice(const A& x), (dynamic::slice(x.any(), detail::axis_named<K>, First, Last, Step)),
          class K, extent_t First, extent_t Last, extent_t Step = 1, typed_tensor A, class R = detail::result<op::slice<First, Last, Step>, A, detail::names<K>>)
TLALOC_OP(slice(const A& x, extent_t first, extent_t last, extent_t step = 1), (dynamic::slice(x.any(), detail::axis_named<K>, first, last, step)),
          class K, typed_tensor A, class R = detail::result<op::slice<>, A, detail::names<K>>)
TLALOC_OP(pad(const A& x, V value = 0), (dynamic::pad(x.any(), detail::axis_named<K>, Low, High, value)),
          class K, extent_t Low, extent_t High, typed_tensor A, class V = int, class R = detail::result<op::pad<Low, High>, A, detail::names<K>>)

/// Adds the axis K of classes; its extent is an argument where it is dynamic.
TLALOC_OP(one_hot(const A& indices, extent_t classes = detail::ax_of<K>.extent),
          (dynamic::one_hot(indices.any(), detail::axis_named<K>, classes, dtype_of<T>)),
          class K, element T = float, typed_tensor A, class R = detail::result<op::one_hot<dtype_of<T>>, A, detail::names<K>>)
TLALOC_OP(embedding(const A& table, const B& indices, extent_t padding = -1), (dynamic::embedding(table.any(), indices.any(), padding)),
          typed_tensor A, typed_tensor B, class R = detail::result<op::embedding, A, B>)
TLALOC_OP(gather(const A& x, const B& indices), (dynamic::gather(x.any(), indices.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::gather, A, B, detail::names<K>>)
TLALOC_OP(take_along_axis(const A& x, const B& indices), (dynamic::take_along_axis(x.any(), indices.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::take_along_axis, A, B, detail::names<K>>)
TLALOC_OP(scatter(const A& x, const B& indices, const C& updates), (dynamic::scatter(x.any(), indices.any(), updates.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::scatter, A, B, C, detail::names<K>>)
TLALOC_OP(scatter_add(const A& x, const B& indices, const C& updates), (dynamic::scatter_add(x.any(), indices.any(), updates.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::scatter_add, A, B, C, detail::names<K>>)

TLALOC_END_OPS

}  // namespace tlaloc
