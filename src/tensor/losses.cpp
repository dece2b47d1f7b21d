// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/detail/tensor/losses.hpp"

#include "tensor/node.hpp"

namespace tlaloc::dynamic {

AnyTensor nll_loss(const AnyTensor& log_p, const AnyTensor& targets, const Axis& classes) {
  const detail::sig s[] = {sig_of(log_p), sig_of(targets), classes};
  const detail::outcome o = allowed("nll_loss", op::loss_along::apply(s));
  return named(zip(ir::ops::div, dispatch(ir::ops::neg, {sum(zip(ir::ops::mul, targets, log_p))}), sum(targets)), o);
}
AnyTensor cross_entropy(const AnyTensor& logits, const AnyTensor& targets, const Axis& classes) {
  const detail::sig s[] = {sig_of(logits), sig_of(targets), classes};
  allowed("cross_entropy", op::loss_along::apply(s));
  return nll_loss(log_softmax(logits, classes), targets, classes);
}

}  // namespace tlaloc::dynamic
