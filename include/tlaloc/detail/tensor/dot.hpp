// SPDX-License-Identifier: Apache-2.0
//
// Products: matmul, contract by name, einsum.
#pragma once

#include "tlaloc/detail/tensor/rules_dot.hpp"
#include "tlaloc/detail/tensor/typed.hpp"

namespace tlaloc {

namespace op {
using detail::outcome, detail::sig;
struct matmul { static constexpr outcome apply(const sig* s) { return detail::rules::matmul(s); } };
struct contract { static constexpr outcome apply(const sig* s) { return detail::rules::contract(s); } };
template <detail::text Spec, int N> struct einsum { static constexpr outcome apply(const sig* s) { return detail::rules::einsum(s, N, Spec.s); } };
}  // namespace op

namespace dynamic {
TLALOC_BEGIN_ENTRIES
AnyTensor matmul(const AnyTensor&, const AnyTensor&);
/// Sums over the names listed; an empty list: the one that both have.
AnyTensor contract(const AnyTensor&, const AnyTensor&, const Axes& names = {});
AnyTensor einsum(const char* spec, std::initializer_list<AnyTensor>);
TLALOC_END_ENTRIES
}  // namespace dynamic
using dynamic::einsum;                            // a list in braces brings no namespace along

TLALOC_BEGIN_OPS
TLALOC_OP(matmul(const A& a, const B& b), dynamic::matmul(a.any(), b.any()),
          typed_tensor A, typed_tensor B, class R = detail::result<op::matmul, A, B>)
TLALOC_OP(contract(const A& a, const B& b), dynamic::contract(a.any(), b.any(), dynamic::Axes(detail::sig_of<detail::names<K...>>)),
          class... K, typed_tensor A, typed_tensor B, class R = detail::result<op::contract, A, B, detail::names<K...>>)
TLALOC_OP(einsum(const A& a), dynamic::einsum(Spec.s, {a.any()}),
          detail::text Spec, typed_tensor A, class R = detail::result<op::einsum<Spec, 1>, A>)
TLALOC_OP(einsum(const A& a, const B& b), dynamic::einsum(Spec.s, {a.any(), b.any()}),
          detail::text Spec, typed_tensor A, typed_tensor B, class R = detail::result<op::einsum<Spec, 2>, A, B>)
TLALOC_OP(einsum(const A& a, const B& b, const C& c), dynamic::einsum(Spec.s, {a.any(), b.any(), c.any()}),
          detail::text Spec, typed_tensor A, typed_tensor B, typed_tensor C, class R = detail::result<op::einsum<Spec, 3>, A, B, C>)
TLALOC_END_OPS

}  // namespace tlaloc
