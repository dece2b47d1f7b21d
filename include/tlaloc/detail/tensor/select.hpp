// SPDX-License-Identifier: Apache-2.0
//
// Comparisons, choices and casts: elementwise operations with an attribute or a rule of their own.
#pragma once

#include "tlaloc/detail/tensor/elementwise.hpp"

namespace tlaloc {

namespace op {
struct compare : elementwise<2, detail::numbers, dtype::boolean> {};
struct compare_equal : elementwise<2, detail::everything, dtype::boolean> {};
struct where { static constexpr outcome apply(const sig* s) { return detail::rules::where(s); } };
template <dtype To> struct cast { static constexpr outcome apply(const sig* s) { return detail::rules::elementwise(s, 1, detail::everything, To); } };
}  // namespace op

namespace dynamic {
inline AnyTensor operator<(const Operand& a, const Operand& b) { return compare("lt", a, b); }
inline AnyTensor operator<=(const Operand& a, const Operand& b) { return compare("le", a, b); }
inline AnyTensor operator>(const Operand& a, const Operand& b) { return compare("gt", a, b); }
inline AnyTensor operator>=(const Operand& a, const Operand& b) { return compare("ge", a, b); }
inline AnyTensor operator==(const Operand& a, const Operand& b) { return compare("eq", a, b); }
inline AnyTensor operator!=(const Operand& a, const Operand& b) { return compare("ne", a, b); }
}  // namespace dynamic

#define TLALOC_COMPARE(symbol, direction, rule)                                                          \
  TLALOC_OP(operator symbol(const A& a, const B& b), dynamic::compare(direction, detail::lift(a), detail::lift(b)), \
            class A, detail::operand_beside<A> B, class R = detail::result<op::rule, A, B>)

TLALOC_BEGIN_OPS
TLALOC_COMPARE(<, "lt", compare)
TLALOC_COMPARE(<=, "le", compare)
TLALOC_COMPARE(>, "gt", compare)
TLALOC_COMPARE(>=, "ge", compare)
TLALOC_COMPARE(==, "eq", compare_equal)
TLALOC_COMPARE(!=, "ne", compare_equal)
TLALOC_OP(where(const C& condition, const A& a, const B& b), dynamic::where(condition.any(), detail::lift(a), detail::lift(b)),
          typed_tensor C, class A, detail::operand_beside<A> B, class R = detail::result<op::where, C, A, B>)
TLALOC_OP(cast(const A& x), dynamic::cast(x.any(), dtype_of<U>),
          element U, typed_tensor A, class R = detail::result<op::cast<dtype_of<U>>, A>)
TLALOC_END_OPS

}  // namespace tlaloc
