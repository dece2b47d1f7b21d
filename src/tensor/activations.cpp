// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/detail/tensor/activations.hpp"

#include "tensor/node.hpp"

#include <cmath>
#include <numbers>

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome, detail::sig;

namespace {
/// f on x, after its rule allowed it, 16-bit floats in f32.
template <class Op, class F> AnyTensor mapped(const char* name, const AnyTensor& x, F f) {
  const sig s[] = {sig_of(x)};
  const outcome o = allowed(name, Op::apply(s));
  return named(in_f32(x, f), o);
}
AnyTensor map(const ir::Kind& k, const AnyTensor& x) { return dispatch(k, {x}); }
AnyTensor positive(const AnyTensor& x) { return compared(ir::Compare::gt, x, 0); }
}  // namespace

AnyTensor relu(const AnyTensor& x) {
  return mapped<op::relu>("relu", x, [](const AnyTensor& y) { return chosen(positive(y), y, 0); });
}
AnyTensor sigmoid(const AnyTensor& x) {
  return mapped<op::sigmoid>("sigmoid", x, [](const AnyTensor& y) { return map(ops::logistic, y); });
}
AnyTensor silu(const AnyTensor& x) {
  return mapped<op::silu>("silu", x, [](const AnyTensor& y) { return zip(ops::mul, y, map(ops::logistic, y)); });
}
AnyTensor gelu(const AnyTensor& x, gelu_form form) {
  return mapped<op::gelu>("gelu", x, [&](const AnyTensor& y) {
    const AnyTensor half = zip(ops::mul, y, 0.5);
    if (form == gelu_form::exact) return zip(ops::mul, half, zip(ops::add, map(ops::erf, zip(ops::mul, y, std::numbers::sqrt2 / 2)), 1));
    const AnyTensor cube = zip(ops::mul, zip(ops::mul, y, y), y);
    const AnyTensor inner = zip(ops::mul, zip(ops::add, y, zip(ops::mul, cube, 0.044715)), std::sqrt(2 / std::numbers::pi));
    return zip(ops::mul, half, zip(ops::add, map(ops::tanh, inner), 1));
  });
}
AnyTensor softplus(const AnyTensor& x) {
  return mapped<op::softplus>("softplus", x, [](const AnyTensor& y) { return logaddexp(y, 0); });
}
AnyTensor elu(const AnyTensor& x, double alpha) {
  return mapped<op::elu>("elu", x, [&](const AnyTensor& y) {
    const AnyTensor negative = chosen(positive(y), 0, y);   // the branch that is not taken must not overflow
    return chosen(positive(y), y, zip(ops::mul, map(ops::expm1, negative), alpha));
  });
}
AnyTensor leaky_relu(const AnyTensor& x, double slope) {
  return mapped<op::leaky_relu>("leaky_relu", x, [&](const AnyTensor& y) { return chosen(positive(y), y, zip(ops::mul, y, slope)); });
}
AnyTensor step(const AnyTensor& x) {
  return mapped<op::step>("step", x, [](const AnyTensor& y) { return converted(positive(y), element_of(y)); });
}
AnyTensor polygamma(int n, const AnyTensor& x) {
  if (n < 0 || n > 100) refuse("INVALID_OPERATION", "polygamma: an order of " + std::to_string(n) + ", which is not from 0 to 100");
  return mapped<op::polygamma>("polygamma", x, [&](const AnyTensor& y) { return n ? dispatch(ops::polygamma, {y}, {std::int64_t(n)}) : map(ops::digamma, y); });
}
AnyTensor logaddexp(const Operand& a, const Operand& b) {
  const sig s[] = {sig_of(a), sig_of(b)};
  const outcome o = allowed("logaddexp", op::logaddexp::apply(s));
  const ir::DType d = ir_type(o.type);
  const bool narrow = d == ir::DType::f16 || d == ir::DType::bf16;
  auto wide = [&](const Operand& x) {
    const AnyTensor t = spread(x, d, shape_of(o));
    return narrow ? converted(t, ir::DType::f32) : t;
  };
  // the greater one + log1p(exp(-|a - b|)); equal infinities give themselves
  const AnyTensor x = wide(a), y = wide(b), off = zip(ops::sub, x, y);
  const AnyTensor greater = chosen(compared(ir::Compare::ge, x, y), x, y);
  const AnyTensor magnitude = chosen(compared(ir::Compare::ge, off, 0), map(ops::neg, off), off);
  const AnyTensor sum = zip(ops::add, greater, map(ops::log1p, map(ops::exp, magnitude)));
  return named(converted(chosen(map(ops::isnan, off), zip(ops::add, x, y), sum), d), o);
}
AnyTensor clip(const Operand& x, const Operand& low, const Operand& high) {
  const sig s[] = {sig_of(x), sig_of(low), sig_of(high)};
  const outcome o = allowed("clip", op::clip::apply(s));
  const ir::DType d = ir_type(o.type);
  const AnyTensor y = spread(x, d, shape_of(o)), l = spread(low, d, shape_of(o)), h = spread(high, d, shape_of(o));
  return named(chosen(compared(ir::Compare::lt, y, l), l, chosen(compared(ir::Compare::gt, y, h), h, y)), o);
}

}  // namespace tlaloc::dynamic
