// SPDX-License-Identifier: Apache-2.0
//
// Operations that cut tensors into pieces, join them along a new axis, add axes and take them away.
#pragma once

#include "tlaloc/detail/tensor/shape.hpp"

namespace tlaloc {

namespace op {
struct squeeze { static constexpr outcome apply(const sig* s) { return detail::rules::squeeze(s); } };
template <extent_t At> struct expand_dims { static constexpr outcome apply(const sig* s) { return detail::rules::expand_dims(s, At); } };
template <extent_t From> struct flatten { static constexpr outcome apply(const sig* s) { return detail::rules::flatten(s, From); } };
template <int N, extent_t At> struct stack_by_name { static constexpr outcome apply(const sig* s) { return detail::rules::stack(s, N, s[N].a[0], At); } };
template <int N, extent_t At> struct stack { static constexpr outcome apply(const sig* s) { return detail::rules::stack(s, N, {}, At); } };
template <extent_t N> struct split { static constexpr outcome apply(const sig* s) { return detail::rules::split(s, N); } };
template <extent_t N> struct slice_at { static constexpr outcome apply(const sig* s) { return detail::rules::slice_at(s, N); } };
struct update_slice { static constexpr outcome apply(const sig* s) { return detail::rules::update_slice(s); } };
}  // namespace op

namespace dynamic {
/// Without the axes listed, whose extent is 1.
AnyTensor squeeze(const AnyTensor&, const Axes&);
/// With a new axis of extent 1 at a position of the result.
AnyTensor expand_dims(const AnyTensor&, extent_t at);
/// The axes from this position on as one.
AnyTensor flatten(const AnyTensor&, extent_t from = 0);
/// Side by side along a new axis at a position of the result.
AnyTensor stack(std::initializer_list<AnyTensor>, extent_t at = 0);
AnyTensor stack(std::initializer_list<AnyTensor>, const Axis&, extent_t at);
/// The i-th of n equal parts.
AnyTensor part(const AnyTensor&, const Axis&, extent_t n, extent_t i);
/// n elements from a start that may be a tensor of one integer, moved inside the axis where they would leave it.
AnyTensor slice_at(const AnyTensor&, const Operand& start, extent_t n, const Axis&);
/// x with the update in the place of as many elements from the start on, moved likewise.
AnyTensor update_slice(const AnyTensor& x, const AnyTensor& update, const Operand& start, const Axis&);
/// n equal parts: split<3>(x, -1).
template <std::size_t N> std::array<AnyTensor, N> split(const AnyTensor& x, const Axis& k) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::array<AnyTensor, N>{part(x, k, N, extent_t(I))...}; }(std::make_index_sequence<N>());
}
}  // namespace dynamic
using dynamic::stack, dynamic::split;

namespace detail {
template <class R, std::size_t... I> std::array<R, sizeof...(I)> parts(const AnyTensor& x, const dynamic::Axis& k, std::index_sequence<I...>) {
  return {R::adopt(dynamic::part(x, k, sizeof...(I), extent_t(I)))...};
}
}  // namespace detail

TLALOC_BEGIN_OPS
TLALOC_OP(squeeze(const A& x), (dynamic::squeeze(x.any(), detail::axes_of<K, L...>)),
          class K, class... L, typed_tensor A, class R = detail::result<op::squeeze, A, detail::names<K, L...>>)
TLALOC_OP(squeeze(const A& x), (dynamic::squeeze(x.any(), detail::positions_of<P, Q...>)),
          int P, int... Q, typed_tensor A, class R = detail::result<op::squeeze, A, detail::at<P, Q...>>)
TLALOC_OP(expand_dims(const A& x), (dynamic::expand_dims(x.any(), At)),
          extent_t At, typed_tensor A, class R = detail::result<op::expand_dims<At>, A>)
TLALOC_OP(flatten(const A& x), (dynamic::flatten(x.any(), From)),
          extent_t From = 0, typed_tensor A, class R = detail::result<op::flatten<From>, A>)
/// stack<K>(a, b): along the new axis K, which stands in front or where the number says; stack<1>(a, b): along one without a name.
TLALOC_OP(stack(const A& a, const B&... b), (dynamic::stack({a.any(), b.any()...}, detail::axis_named<K>, At)),
          class K, extent_t At = 0, typed_tensor A, typed_tensor... B, class R = detail::result<op::stack_by_name<1 + sizeof...(B), At>, A, B..., detail::names<K>>)
TLALOC_OP(stack(const A& a, const B&... b), (dynamic::stack({a.any(), b.any()...}, At)),
          extent_t At, typed_tensor A, typed_tensor... B, class R = detail::result<op::stack<1 + sizeof...(B), At>, A, B...>)
/// auto [q, k, v] = split<Model, 3>(x): equal parts.
TLALOC_OP_GIVING((std::array<R, N>), split(const A& x), (detail::parts<R>(x.any(), detail::axis_named<K>, std::make_index_sequence<N>())),
                 class K, std::size_t N, typed_tensor A, class R = detail::result<op::split<N>, A, detail::names<K>>)
TLALOC_OP_GIVING((std::array<R, N>), split(const A& x), (detail::parts<R>(x.any(), detail::axis_number<P>, std::make_index_sequence<N>())),
                 int P, std::size_t N, typed_tensor A, class R = detail::result<op::split<N>, A, detail::at<P>>)
/// slice_at<K, 4>(x, i): 4 elements from the run-time position i on.
TLALOC_OP(slice_at(const A& x, const B& start), (dynamic::slice_at(x.any(), detail::lift(start), N, detail::axis_named<K>)),
          class K, extent_t N, typed_tensor A, detail::operand B, class R = detail::result<op::slice_at<N>, A, B, detail::names<K>>)
TLALOC_OP(update_slice(const A& x, const B& update, const C& start), (dynamic::update_slice(x.any(), update.any(), detail::lift(start), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, detail::operand C, class R = detail::result<op::update_slice, A, B, C, detail::names<K>>)
TLALOC_END_OPS

}  // namespace tlaloc
