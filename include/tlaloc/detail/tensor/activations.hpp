// SPDX-License-Identifier: Apache-2.0
//
// Elementwise functions that are made of others, with the derivative that the field gives them at kinks: that of relu at 0 is 0.
#pragma once

#include "tlaloc/detail/tensor/select.hpp"

namespace tlaloc {

namespace op {
struct relu : elementwise<1, detail::numbers> {};
struct sigmoid : elementwise<1, detail::floats> {};
struct silu : elementwise<1, detail::floats> {};
struct gelu : elementwise<1, detail::floats> {};
struct softplus : elementwise<1, detail::floats> {};
struct elu : elementwise<1, detail::floats> {};
struct leaky_relu : elementwise<1, detail::floats> {};
struct logaddexp : elementwise<2, detail::floats> {};
struct step : elementwise<1, detail::numbers> {};
struct polygamma : elementwise<1, detail::floats> {};
struct clip : elementwise<3, detail::numbers> {};
}  // namespace op

enum class gelu_form : unsigned char { exact, tanh };   // tanh: the approximation with 0.044715

namespace dynamic {
TLALOC_BEGIN_ENTRIES
AnyTensor relu(const AnyTensor&);
AnyTensor sigmoid(const AnyTensor&);
AnyTensor silu(const AnyTensor&);                 // x * sigmoid(x)
AnyTensor gelu(const AnyTensor&, gelu_form = gelu_form::exact);
AnyTensor softplus(const AnyTensor&);             // log(1 + exp(x))
AnyTensor elu(const AnyTensor&, double alpha = 1);
AnyTensor leaky_relu(const AnyTensor&, double slope = 0.01);
AnyTensor logaddexp(const Operand&, const Operand&);   // log(exp(a) + exp(b))
AnyTensor step(const AnyTensor&);                 // 1 where x > 0, else 0; no derivative
/// The n-th derivative of digamma, n up to 100.
AnyTensor polygamma(int n, const AnyTensor&);
AnyTensor clip(const Operand&, const Operand& low, const Operand& high);
TLALOC_END_ENTRIES
}  // namespace dynamic

#define TLALOC_ACTIVATION(name, parameters, passed)                                                      \
  TLALOC_OP(name(const A& x TLALOC_UNPACK parameters), dynamic::name(x.any() TLALOC_UNPACK passed),      \
            typed_tensor A, class R = detail::result<op::name, A>)

TLALOC_BEGIN_OPS
TLALOC_ACTIVATION(relu, (), ())
TLALOC_ACTIVATION(sigmoid, (), ())
TLALOC_ACTIVATION(silu, (), ())
TLALOC_ACTIVATION(gelu, (, gelu_form form = gelu_form::exact), (, form))
TLALOC_ACTIVATION(softplus, (), ())
TLALOC_ACTIVATION(elu, (, double alpha = 1), (, alpha))
TLALOC_ACTIVATION(leaky_relu, (, double slope = 0.01), (, slope))
TLALOC_ACTIVATION(step, (), ())
TLALOC_OP(polygamma(int n, const A& x), dynamic::polygamma(n, x.any()), typed_tensor A, class R = detail::result<op::polygamma, A>)
TLALOC_OP(logaddexp(const A& a, const B& b), dynamic::logaddexp(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::logaddexp, A, B>)
TLALOC_OP(clip(const A& x, const B& low, const C& high), dynamic::clip(detail::lift(x), detail::lift(low), detail::lift(high)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::clip, A, B, C>)
TLALOC_END_OPS

}  // namespace tlaloc
