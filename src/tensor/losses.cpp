// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/detail/tensor/losses.hpp"

#include "tlaloc/detail/tensor/activations.hpp"

#include "tensor/node.hpp"

namespace tlaloc::dynamic {

namespace ops = ir::ops;

namespace {
/// The mean of f over all elements, after the rule allowed the operands; 16-bit floats in f32.
template <class F> AnyTensor mean_of(const char* name, const AnyTensor& a, const AnyTensor& b, F f) {
  const detail::sig s[] = {sig_of(a), sig_of(b)};
  const detail::outcome o = allowed(name, op::loss::apply(s));
  return named(converted(mean(f(in_f32_of(a), in_f32_of(b))), ir_type(o.type)), o);
}
}  // namespace

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

AnyTensor kl_div(const AnyTensor& log_q, const AnyTensor& p, const Axis& classes) {
  const detail::sig s[] = {sig_of(log_q), sig_of(p), classes};
  const int from_end = log_q.rank() - allowed("kl_div", op::loss_along::apply(s)).axis;
  return mean_of("kl_div", log_q, p, [&](const AnyTensor& l, const AnyTensor& t) {
    // absent classes are replaced before the logarithm, so that neither it nor an infinite log_q reaches a derivative
    const AnyTensor present = compared(ir::Compare::gt, t, 0), q = chosen(present, t, 1);
    const AnyTensor y = chosen(present, zip(ops::mul, q, zip(ops::sub, dispatch(ops::log, {q}), chosen(present, l, 0))), 0);
    return zip(ops::mul, y, double(known("kl_div", dims_of(y).end()[-from_end])));
  });
}
AnyTensor huber_loss(const AnyTensor& x, const AnyTensor& target, double delta) {
  if (!(delta > 0)) refuse("TENSOR_SHAPE_MISMATCH", "huber_loss: a delta that is not above 0");
  return mean_of("huber_loss", x, target, [&](const AnyTensor& a, const AnyTensor& b) {
    const AnyTensor r = zip(ops::sub, a, b), size = dispatch(ops::abs, {r});
    return chosen(compared(ir::Compare::le, size, delta), zip(ops::mul, zip(ops::mul, r, r), 0.5), zip(ops::mul, zip(ops::sub, size, delta / 2), delta));
  });
}
AnyTensor binary_cross_entropy_with_logits(const AnyTensor& logits, const AnyTensor& targets) {
  return mean_of("binary_cross_entropy_with_logits", logits, targets,
                 [](const AnyTensor& x, const AnyTensor& t) { return zip(ops::sub, softplus(x), zip(ops::mul, x, t)); });
}

}  // namespace tlaloc::dynamic
