// SPDX-License-Identifier: Apache-2.0
//
// Losses of a classification, whose targets are weights of the classes: ones and zeros for labels, see one_hot.
#pragma once

#include "tlaloc/detail/tensor/reduce.hpp"

namespace tlaloc {

namespace op {
struct loss_along {
  static constexpr outcome apply(const sig* s) {
    outcome o = detail::rules::elementwise(s, 2, detail::floats, dtype::none);
    if (!detail::ok(o) || detail::the_axis(o, s[0], s[2].a[0]) < 0) return o;
    o.rank = 0;
    return o;
  }
};
}  // namespace op

namespace dynamic {
/// -sum(targets * log_softmax(logits)) / sum(targets)
AnyTensor cross_entropy(const AnyTensor& logits, const AnyTensor& targets, const Axis& classes = -1);
/// -sum(targets * log_p) / sum(targets)
AnyTensor nll_loss(const AnyTensor& log_p, const AnyTensor& targets, const Axis& classes = -1);
}  // namespace dynamic

TLALOC_BEGIN_OPS
TLALOC_OP(cross_entropy(const A& logits, const B& targets), (dynamic::cross_entropy(logits.any(), targets.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::loss_along, A, B, detail::names<K>>)
TLALOC_OP(nll_loss(const A& log_p, const B& targets), (dynamic::nll_loss(log_p.any(), targets.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::loss_along, A, B, detail::names<K>>)
TLALOC_END_OPS

}  // namespace tlaloc
