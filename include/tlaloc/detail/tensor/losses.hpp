// SPDX-License-Identifier: Apache-2.0
//
// Losses: one number. Those of a classification take weights of the classes as targets: ones and zeros for labels, see one_hot.
#pragma once

#include "tlaloc/detail/tensor/reduce.hpp"

namespace tlaloc {

namespace op {
struct loss {
  static constexpr outcome apply(const sig* s) {
    outcome o = detail::rules::elementwise(s, 2, detail::floats, dtype::none);
    if (detail::ok(o)) o.rank = 0;
    return o;
  }
};
struct loss_along {
  static constexpr outcome apply(const sig* s) {
    outcome o = detail::rules::elementwise(s, 2, detail::floats, dtype::none);
    const int k = detail::ok(o) ? detail::the_axis(o, s[0], s[2].a[0]) : -1;
    if (k >= 0) o.rank = 0, o.axis = (signed char)k;
    return o;
  }
};
}  // namespace op

namespace dynamic {
TLALOC_BEGIN_ENTRIES
/// -sum(targets * log_softmax(logits)) / sum(targets)
AnyTensor cross_entropy(const AnyTensor& logits, const AnyTensor& targets, const Axis& classes = -1);
/// -sum(targets * log_p) / sum(targets)
AnyTensor nll_loss(const AnyTensor& log_p, const AnyTensor& targets, const Axis& classes = -1);
/// sum(p * (log(p) - log_q)), by the mean over all axes but that of the classes; a p of 0 adds nothing.
AnyTensor kl_div(const AnyTensor& log_q, const AnyTensor& p, const Axis& classes = -1);
/// The mean of r * r / 2 where |r| <= delta, else of delta * (|r| - delta / 2), for r = x - target.
AnyTensor huber_loss(const AnyTensor& x, const AnyTensor& target, double delta = 1);
/// The mean of -t * log(p) - (1 - t) * log(1 - p) for p = sigmoid(logits).
AnyTensor binary_cross_entropy_with_logits(const AnyTensor& logits, const AnyTensor& targets);
TLALOC_END_ENTRIES
}  // namespace dynamic

TLALOC_BEGIN_OPS
TLALOC_OP(cross_entropy(const A& logits, const B& targets), (dynamic::cross_entropy(logits.any(), targets.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::loss_along, A, B, detail::names<K>>)
TLALOC_OP(nll_loss(const A& log_p, const B& targets), (dynamic::nll_loss(log_p.any(), targets.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::loss_along, A, B, detail::names<K>>)
TLALOC_OP(kl_div(const A& log_q, const B& p), (dynamic::kl_div(log_q.any(), p.any(), detail::axis_named<K>)),
          class K, typed_tensor A, typed_tensor B, class R = detail::result<op::loss_along, A, B, detail::names<K>>)
TLALOC_OP(huber_loss(const A& x, const B& target, double delta = 1), dynamic::huber_loss(x.any(), target.any(), delta),
          typed_tensor A, typed_tensor B, class R = detail::result<op::loss, A, B>)
TLALOC_OP(binary_cross_entropy_with_logits(const A& logits, const B& targets), dynamic::binary_cross_entropy_with_logits(logits.any(), targets.any()),
          typed_tensor A, typed_tensor B, class R = detail::result<op::loss, A, B>)
TLALOC_END_OPS

}  // namespace tlaloc
