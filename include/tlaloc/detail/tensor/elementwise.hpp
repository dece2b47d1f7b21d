// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations, written by the target `tensor_shells` from the table of operations. Not edited by hand.
#pragma once

#include "tlaloc/detail/tensor/rules_elementwise.hpp"
#include "tlaloc/detail/tensor/typed.hpp"

namespace tlaloc {

namespace op {
using detail::outcome, detail::sig, detail::floats, detail::integers, detail::numbers, detail::booleans, detail::everything;
template <int N, unsigned Domain, dtype To = dtype::none> struct elementwise {
  static constexpr outcome apply(const sig* s) { return detail::rules::elementwise(s, N, Domain, To); }
};
}  // namespace op

TLALOC_BEGIN_OPS

// -x.
namespace op { struct neg : elementwise<1, numbers> {}; }
namespace dynamic { inline AnyTensor operator-(const AnyTensor& a) { return elementwise("neg", &op::neg::apply, {a}); } }
TLALOC_OP(operator-(const A& a), dynamic::operator-(a.any()),
          typed_tensor A, class R = detail::result<op::neg, A>)

// a + b.
namespace op { struct add : elementwise<2, numbers> {}; }
namespace dynamic { inline AnyTensor operator+(const Operand& a, const Operand& b) { return elementwise("add", &op::add::apply, {a, b}); } }
TLALOC_OP(operator+(const A& a, const B& b), dynamic::operator+(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::add, A, B>)

// a - b.
namespace op { struct sub : elementwise<2, numbers> {}; }
namespace dynamic { inline AnyTensor operator-(const Operand& a, const Operand& b) { return elementwise("sub", &op::sub::apply, {a, b}); } }
TLALOC_OP(operator-(const A& a, const B& b), dynamic::operator-(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::sub, A, B>)

// a * b.
namespace op { struct mul : elementwise<2, numbers> {}; }
namespace dynamic { inline AnyTensor operator*(const Operand& a, const Operand& b) { return elementwise("mul", &op::mul::apply, {a, b}); } }
TLALOC_OP(operator*(const A& a, const B& b), dynamic::operator*(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::mul, A, B>)

// a / b; integers truncate towards zero.
namespace op { struct div : elementwise<2, numbers> {}; }
namespace dynamic { inline AnyTensor operator/(const Operand& a, const Operand& b) { return elementwise("div", &op::div::apply, {a, b}); } }
TLALOC_OP(operator/(const A& a, const B& b), dynamic::operator/(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::div, A, B>)

// a % b of integers, with the sign of a.
namespace op { struct rem : elementwise<2, integers> {}; }
namespace dynamic { inline AnyTensor operator%(const Operand& a, const Operand& b) { return elementwise("rem", &op::rem::apply, {a, b}); } }
TLALOC_OP(operator%(const A& a, const B& b), dynamic::operator%(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::rem, A, B>)

// Every bit inverted.
namespace op { struct bit_not : elementwise<1, integers> {}; }
namespace dynamic { inline AnyTensor operator~(const AnyTensor& a) { return elementwise("bit_not", &op::bit_not::apply, {a}); } }
TLALOC_OP(operator~(const A& a), dynamic::operator~(a.any()),
          typed_tensor A, class R = detail::result<op::bit_not, A>)

// Bits set in both; logical and of bools that are both known.
namespace op { struct bit_and : elementwise<2, integers | booleans> {}; }
namespace dynamic { inline AnyTensor operator&(const Operand& a, const Operand& b) { return elementwise("bit_and", &op::bit_and::apply, {a, b}); } }
TLALOC_OP(operator&(const A& a, const B& b), dynamic::operator&(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::bit_and, A, B>)

// Bits set in either; logical or of bools that are both known.
namespace op { struct bit_or : elementwise<2, integers | booleans> {}; }
namespace dynamic { inline AnyTensor operator|(const Operand& a, const Operand& b) { return elementwise("bit_or", &op::bit_or::apply, {a, b}); } }
TLALOC_OP(operator|(const A& a, const B& b), dynamic::operator|(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::bit_or, A, B>)

// Bits set in one of the two.
namespace op { struct bit_xor : elementwise<2, integers | booleans> {}; }
namespace dynamic { inline AnyTensor operator^(const Operand& a, const Operand& b) { return elementwise("bit_xor", &op::bit_xor::apply, {a, b}); } }
TLALOC_OP(operator^(const A& a, const B& b), dynamic::operator^(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::bit_xor, A, B>)

// a times two to the power b, wrapping.
namespace op { struct shift_left : elementwise<2, integers> {}; }
namespace dynamic { inline AnyTensor operator<<(const Operand& a, const Operand& b) { return elementwise("shift_left", &op::shift_left::apply, {a, b}); } }
TLALOC_OP(operator<<(const A& a, const B& b), dynamic::operator<<(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::shift_left, A, B>)

// a divided by two to the power b, rounded down; keeps the sign.
namespace op { struct shift_right : elementwise<2, integers> {}; }
namespace dynamic { inline AnyTensor operator>>(const Operand& a, const Operand& b) { return elementwise("shift_right", &op::shift_right::apply, {a, b}); } }
TLALOC_OP(operator>>(const A& a, const B& b), dynamic::operator>>(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::shift_right, A, B>)

// Not x, a bool.
namespace op { struct logical_not : elementwise<1, booleans> {}; }
namespace dynamic { inline AnyTensor operator!(const AnyTensor& a) { return elementwise("logical_not", &op::logical_not::apply, {a}); } }
TLALOC_OP(operator!(const A& a), dynamic::operator!(a.any()),
          typed_tensor A, class R = detail::result<op::logical_not, A>)

// e to the power x.
namespace op { struct exp : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor exp(const AnyTensor& a) { return elementwise("exp", &op::exp::apply, {a}); } }
TLALOC_OP(exp(const A& a), dynamic::exp(a.any()),
          typed_tensor A, class R = detail::result<op::exp, A>)

// 2 to the power x.
namespace op { struct exp2 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor exp2(const AnyTensor& a) { return elementwise("exp2", &op::exp2::apply, {a}); } }
TLALOC_OP(exp2(const A& a), dynamic::exp2(a.any()),
          typed_tensor A, class R = detail::result<op::exp2, A>)

// e to the power x, less 1, accurate near 0.
namespace op { struct expm1 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor expm1(const AnyTensor& a) { return elementwise("expm1", &op::expm1::apply, {a}); } }
TLALOC_OP(expm1(const A& a), dynamic::expm1(a.any()),
          typed_tensor A, class R = detail::result<op::expm1, A>)

// Natural logarithm of x.
namespace op { struct log : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor log(const AnyTensor& a) { return elementwise("log", &op::log::apply, {a}); } }
TLALOC_OP(log(const A& a), dynamic::log(a.any()),
          typed_tensor A, class R = detail::result<op::log, A>)

// Logarithm of x to the base 2.
namespace op { struct log2 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor log2(const AnyTensor& a) { return elementwise("log2", &op::log2::apply, {a}); } }
TLALOC_OP(log2(const A& a), dynamic::log2(a.any()),
          typed_tensor A, class R = detail::result<op::log2, A>)

// Logarithm of x to the base 10.
namespace op { struct log10 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor log10(const AnyTensor& a) { return elementwise("log10", &op::log10::apply, {a}); } }
TLALOC_OP(log10(const A& a), dynamic::log10(a.any()),
          typed_tensor A, class R = detail::result<op::log10, A>)

// Natural logarithm of 1 + x, accurate near 0.
namespace op { struct log1p : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor log1p(const AnyTensor& a) { return elementwise("log1p", &op::log1p::apply, {a}); } }
TLALOC_OP(log1p(const A& a), dynamic::log1p(a.any()),
          typed_tensor A, class R = detail::result<op::log1p, A>)

// Square root of x.
namespace op { struct sqrt : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor sqrt(const AnyTensor& a) { return elementwise("sqrt", &op::sqrt::apply, {a}); } }
TLALOC_OP(sqrt(const A& a), dynamic::sqrt(a.any()),
          typed_tensor A, class R = detail::result<op::sqrt, A>)

// Cube root of x.
namespace op { struct cbrt : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor cbrt(const AnyTensor& a) { return elementwise("cbrt", &op::cbrt::apply, {a}); } }
TLALOC_OP(cbrt(const A& a), dynamic::cbrt(a.any()),
          typed_tensor A, class R = detail::result<op::cbrt, A>)

// a to the power b.
namespace op { struct pow : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor pow(const Operand& a, const Operand& b) { return elementwise("pow", &op::pow::apply, {a, b}); } }
TLALOC_OP(pow(const A& a, const B& b), dynamic::pow(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::pow, A, B>)

// Square root of a * a + b * b without overflow.
namespace op { struct hypot : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor hypot(const Operand& a, const Operand& b) { return elementwise("hypot", &op::hypot::apply, {a, b}); } }
TLALOC_OP(hypot(const A& a, const B& b), dynamic::hypot(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::hypot, A, B>)

// Square root of a * a + b * b + c * c without overflow: std::hypot of three.
namespace op { struct hypot3 : elementwise<3, floats> {}; }
namespace dynamic { inline AnyTensor hypot3(const Operand& a, const Operand& b, const Operand& c) { return elementwise("hypot3", &op::hypot3::apply, {a, b, c}); } }
TLALOC_OP(hypot3(const A& a, const B& b, const C& c), dynamic::hypot3(detail::lift(a), detail::lift(b), detail::lift(c)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::hypot3, A, B, C>)

// a * b + c, rounded once.
namespace op { struct fma : elementwise<3, floats> {}; }
namespace dynamic { inline AnyTensor fma(const Operand& a, const Operand& b, const Operand& c) { return elementwise("fma", &op::fma::apply, {a, b, c}); } }
TLALOC_OP(fma(const A& a, const B& b, const C& c), dynamic::fma(detail::lift(a), detail::lift(b), detail::lift(c)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::fma, A, B, C>)

// a + t * (b - a), exact at both ends.
namespace op { struct lerp : elementwise<3, floats> {}; }
namespace dynamic { inline AnyTensor lerp(const Operand& a, const Operand& b, const Operand& c) { return elementwise("lerp", &op::lerp::apply, {a, b, c}); } }
TLALOC_OP(lerp(const A& a, const B& b, const C& c), dynamic::lerp(detail::lift(a), detail::lift(b), detail::lift(c)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::lerp, A, B, C>)

// Sine of x radians.
namespace op { struct sin : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor sin(const AnyTensor& a) { return elementwise("sin", &op::sin::apply, {a}); } }
TLALOC_OP(sin(const A& a), dynamic::sin(a.any()),
          typed_tensor A, class R = detail::result<op::sin, A>)

// Cosine of x radians.
namespace op { struct cos : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor cos(const AnyTensor& a) { return elementwise("cos", &op::cos::apply, {a}); } }
TLALOC_OP(cos(const A& a), dynamic::cos(a.any()),
          typed_tensor A, class R = detail::result<op::cos, A>)

// Tangent of x radians.
namespace op { struct tan : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor tan(const AnyTensor& a) { return elementwise("tan", &op::tan::apply, {a}); } }
TLALOC_OP(tan(const A& a), dynamic::tan(a.any()),
          typed_tensor A, class R = detail::result<op::tan, A>)

// Inverse sine of x.
namespace op { struct asin : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor asin(const AnyTensor& a) { return elementwise("asin", &op::asin::apply, {a}); } }
TLALOC_OP(asin(const A& a), dynamic::asin(a.any()),
          typed_tensor A, class R = detail::result<op::asin, A>)

// Inverse cosine of x.
namespace op { struct acos : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor acos(const AnyTensor& a) { return elementwise("acos", &op::acos::apply, {a}); } }
TLALOC_OP(acos(const A& a), dynamic::acos(a.any()),
          typed_tensor A, class R = detail::result<op::acos, A>)

// Inverse tangent of x.
namespace op { struct atan : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor atan(const AnyTensor& a) { return elementwise("atan", &op::atan::apply, {a}); } }
TLALOC_OP(atan(const A& a), dynamic::atan(a.any()),
          typed_tensor A, class R = detail::result<op::atan, A>)

// The angle of the point (a, b) from the b axis: the inverse tangent of a / b in the right quadrant.
namespace op { struct atan2 : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor atan2(const Operand& a, const Operand& b) { return elementwise("atan2", &op::atan2::apply, {a, b}); } }
TLALOC_OP(atan2(const A& a, const B& b), dynamic::atan2(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::atan2, A, B>)

// Hyperbolic sine of x.
namespace op { struct sinh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor sinh(const AnyTensor& a) { return elementwise("sinh", &op::sinh::apply, {a}); } }
TLALOC_OP(sinh(const A& a), dynamic::sinh(a.any()),
          typed_tensor A, class R = detail::result<op::sinh, A>)

// Hyperbolic cosine of x.
namespace op { struct cosh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor cosh(const AnyTensor& a) { return elementwise("cosh", &op::cosh::apply, {a}); } }
TLALOC_OP(cosh(const A& a), dynamic::cosh(a.any()),
          typed_tensor A, class R = detail::result<op::cosh, A>)

// Hyperbolic tangent of x.
namespace op { struct tanh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor tanh(const AnyTensor& a) { return elementwise("tanh", &op::tanh::apply, {a}); } }
TLALOC_OP(tanh(const A& a), dynamic::tanh(a.any()),
          typed_tensor A, class R = detail::result<op::tanh, A>)

// Inverse hyperbolic sine of x.
namespace op { struct asinh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor asinh(const AnyTensor& a) { return elementwise("asinh", &op::asinh::apply, {a}); } }
TLALOC_OP(asinh(const A& a), dynamic::asinh(a.any()),
          typed_tensor A, class R = detail::result<op::asinh, A>)

// Inverse hyperbolic cosine of x.
namespace op { struct acosh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor acosh(const AnyTensor& a) { return elementwise("acosh", &op::acosh::apply, {a}); } }
TLALOC_OP(acosh(const A& a), dynamic::acosh(a.any()),
          typed_tensor A, class R = detail::result<op::acosh, A>)

// Inverse hyperbolic tangent of x.
namespace op { struct atanh : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor atanh(const AnyTensor& a) { return elementwise("atanh", &op::atanh::apply, {a}); } }
TLALOC_OP(atanh(const A& a), dynamic::atanh(a.any()),
          typed_tensor A, class R = detail::result<op::atanh, A>)

// 1 over the square root of x.
namespace op { struct rsqrt : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor rsqrt(const AnyTensor& a) { return elementwise("rsqrt", &op::rsqrt::apply, {a}); } }
TLALOC_OP(rsqrt(const A& a), dynamic::rsqrt(a.any()),
          typed_tensor A, class R = detail::result<op::rsqrt, A>)

// 1 / (1 + exp(-x)).
namespace op { struct logistic : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor logistic(const AnyTensor& a) { return elementwise("logistic", &op::logistic::apply, {a}); } }
TLALOC_OP(logistic(const A& a), dynamic::logistic(a.any()),
          typed_tensor A, class R = detail::result<op::logistic, A>)

// The y with erf(y) = x.
namespace op { struct erf_inv : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor erf_inv(const AnyTensor& a) { return elementwise("erf_inv", &op::erf_inv::apply, {a}); } }
TLALOC_OP(erf_inv(const A& a), dynamic::erf_inv(a.any()),
          typed_tensor A, class R = detail::result<op::erf_inv, A>)

// -1, 0 or 1 as x is negative, zero or positive; NaN for NaN.
namespace op { struct sign : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor sign(const AnyTensor& a) { return elementwise("sign", &op::sign::apply, {a}); } }
TLALOC_OP(sign(const A& a), dynamic::sign(a.any()),
          typed_tensor A, class R = detail::result<op::sign, A>)

// The magnitude of x, a real or a signed integer: std::fabs, std::abs.
namespace op { struct abs : elementwise<1, 0x1e1e> {}; }
namespace dynamic { inline AnyTensor abs(const AnyTensor& a) { return elementwise("abs", &op::abs::apply, {a}); } }
TLALOC_OP(abs(const A& a), dynamic::abs(a.any()),
          typed_tensor A, class R = detail::result<op::abs, A>)

// The greater of a and b; NaN where either is. A tie shares the derivative.
namespace op { struct maximum : elementwise<2, everything> {}; }
namespace dynamic { inline AnyTensor maximum(const Operand& a, const Operand& b) { return elementwise("maximum", &op::maximum::apply, {a, b}); } }
TLALOC_OP(maximum(const A& a, const B& b), dynamic::maximum(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::maximum, A, B>)

// The lesser of a and b; NaN where either is. A tie shares the derivative.
namespace op { struct minimum : elementwise<2, everything> {}; }
namespace dynamic { inline AnyTensor minimum(const Operand& a, const Operand& b) { return elementwise("minimum", &op::minimum::apply, {a, b}); } }
TLALOC_OP(minimum(const A& a, const B& b), dynamic::minimum(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::minimum, A, B>)

// The greater of a and b; of a number and a NaN the number.
namespace op { struct fmax : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor fmax(const Operand& a, const Operand& b) { return elementwise("fmax", &op::fmax::apply, {a, b}); } }
TLALOC_OP(fmax(const A& a, const B& b), dynamic::fmax(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::fmax, A, B>)

// The lesser of a and b; of a number and a NaN the number.
namespace op { struct fmin : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor fmin(const Operand& a, const Operand& b) { return elementwise("fmin", &op::fmin::apply, {a, b}); } }
TLALOC_OP(fmin(const A& a, const B& b), dynamic::fmin(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::fmin, A, B>)

// a - b where that is positive, else 0.
namespace op { struct fdim : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor fdim(const Operand& a, const Operand& b) { return elementwise("fdim", &op::fdim::apply, {a, b}); } }
TLALOC_OP(fdim(const A& a, const B& b), dynamic::fdim(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::fdim, A, B>)

// The magnitude of a with the sign of b.
namespace op { struct copysign : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor copysign(const Operand& a, const Operand& b) { return elementwise("copysign", &op::copysign::apply, {a, b}); } }
TLALOC_OP(copysign(const A& a, const B& b), dynamic::copysign(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::copysign, A, B>)

// Whether x is not a number.
namespace op { struct isnan : elementwise<1, floats, dtype::boolean> {}; }
namespace dynamic { inline AnyTensor isnan(const AnyTensor& a) { return elementwise("isnan", &op::isnan::apply, {a}); } }
TLALOC_OP(isnan(const A& a), dynamic::isnan(a.any()),
          typed_tensor A, class R = detail::result<op::isnan, A>)

// Whether x is infinite.
namespace op { struct isinf : elementwise<1, floats, dtype::boolean> {}; }
namespace dynamic { inline AnyTensor isinf(const AnyTensor& a) { return elementwise("isinf", &op::isinf::apply, {a}); } }
TLALOC_OP(isinf(const A& a), dynamic::isinf(a.any()),
          typed_tensor A, class R = detail::result<op::isinf, A>)

// Whether x is neither infinite nor NaN.
namespace op { struct isfinite : elementwise<1, floats, dtype::boolean> {}; }
namespace dynamic { inline AnyTensor isfinite(const AnyTensor& a) { return elementwise("isfinite", &op::isfinite::apply, {a}); } }
TLALOC_OP(isfinite(const A& a), dynamic::isfinite(a.any()),
          typed_tensor A, class R = detail::result<op::isfinite, A>)

// Whether x is neither zero, subnormal, infinite nor NaN.
namespace op { struct isnormal : elementwise<1, floats, dtype::boolean> {}; }
namespace dynamic { inline AnyTensor isnormal(const AnyTensor& a) { return elementwise("isnormal", &op::isnormal::apply, {a}); } }
TLALOC_OP(isnormal(const A& a), dynamic::isnormal(a.any()),
          typed_tensor A, class R = detail::result<op::isnormal, A>)

// Whether x has a minus sign.
namespace op { struct signbit : elementwise<1, floats, dtype::boolean> {}; }
namespace dynamic { inline AnyTensor signbit(const AnyTensor& a) { return elementwise("signbit", &op::signbit::apply, {a}); } }
TLALOC_OP(signbit(const A& a), dynamic::signbit(a.any()),
          typed_tensor A, class R = detail::result<op::signbit, A>)

// x rounded down.
namespace op { struct floor : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor floor(const AnyTensor& a) { return elementwise("floor", &op::floor::apply, {a}); } }
TLALOC_OP(floor(const A& a), dynamic::floor(a.any()),
          typed_tensor A, class R = detail::result<op::floor, A>)

// x rounded up.
namespace op { struct ceil : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor ceil(const AnyTensor& a) { return elementwise("ceil", &op::ceil::apply, {a}); } }
TLALOC_OP(ceil(const A& a), dynamic::ceil(a.any()),
          typed_tensor A, class R = detail::result<op::ceil, A>)

// x rounded towards zero.
namespace op { struct trunc : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor trunc(const AnyTensor& a) { return elementwise("trunc", &op::trunc::apply, {a}); } }
TLALOC_OP(trunc(const A& a), dynamic::trunc(a.any()),
          typed_tensor A, class R = detail::result<op::trunc, A>)

// x rounded to the nearest integer, halves away from zero.
namespace op { struct round : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor round(const AnyTensor& a) { return elementwise("round", &op::round::apply, {a}); } }
TLALOC_OP(round(const A& a), dynamic::round(a.any()),
          typed_tensor A, class R = detail::result<op::round, A>)

// x rounded in the current direction (to nearest even by default).
namespace op { struct nearbyint : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor nearbyint(const AnyTensor& a) { return elementwise("nearbyint", &op::nearbyint::apply, {a}); } }
TLALOC_OP(nearbyint(const A& a), dynamic::nearbyint(a.any()),
          typed_tensor A, class R = detail::result<op::nearbyint, A>)

// Like nearbyint; may raise the inexact flag.
namespace op { struct rint : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor rint(const AnyTensor& a) { return elementwise("rint", &op::rint::apply, {a}); } }
TLALOC_OP(rint(const A& a), dynamic::rint(a.any()),
          typed_tensor A, class R = detail::result<op::rint, A>)

// The binary exponent of x, as a real.
namespace op { struct logb : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor logb(const AnyTensor& a) { return elementwise("logb", &op::logb::apply, {a}); } }
TLALOC_OP(logb(const A& a), dynamic::logb(a.any()),
          typed_tensor A, class R = detail::result<op::logb, A>)

// a - trunc(a / b) * b, exact.
namespace op { struct fmod : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor fmod(const Operand& a, const Operand& b) { return elementwise("fmod", &op::fmod::apply, {a, b}); } }
TLALOC_OP(fmod(const A& a, const B& b), dynamic::fmod(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::fmod, A, B>)

// a - q * b, exact, where q is a / b rounded to nearest even.
namespace op { struct remainder : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor remainder(const Operand& a, const Operand& b) { return elementwise("remainder", &op::remainder::apply, {a, b}); } }
TLALOC_OP(remainder(const A& a, const B& b), dynamic::remainder(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::remainder, A, B>)

// The number next to a in the direction of b.
namespace op { struct nextafter : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor nextafter(const Operand& a, const Operand& b) { return elementwise("nextafter", &op::nextafter::apply, {a, b}); } }
TLALOC_OP(nextafter(const A& a, const B& b), dynamic::nextafter(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::nextafter, A, B>)

// The error function of x.
namespace op { struct erf : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor erf(const AnyTensor& a) { return elementwise("erf", &op::erf::apply, {a}); } }
TLALOC_OP(erf(const A& a), dynamic::erf(a.any()),
          typed_tensor A, class R = detail::result<op::erf, A>)

// 1 - erf(x), accurate for large x.
namespace op { struct erfc : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor erfc(const AnyTensor& a) { return elementwise("erfc", &op::erfc::apply, {a}); } }
TLALOC_OP(erfc(const A& a), dynamic::erfc(a.any()),
          typed_tensor A, class R = detail::result<op::erfc, A>)

// The gamma function of x.
namespace op { struct tgamma : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor tgamma(const AnyTensor& a) { return elementwise("tgamma", &op::tgamma::apply, {a}); } }
TLALOC_OP(tgamma(const A& a), dynamic::tgamma(a.any()),
          typed_tensor A, class R = detail::result<op::tgamma, A>)

// The logarithm of the magnitude of the gamma function of x.
namespace op { struct lgamma : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor lgamma(const AnyTensor& a) { return elementwise("lgamma", &op::lgamma::apply, {a}); } }
TLALOC_OP(lgamma(const A& a), dynamic::lgamma(a.any()),
          typed_tensor A, class R = detail::result<op::lgamma, A>)

// The logarithmic derivative of the gamma function at x.
namespace op { struct digamma : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor digamma(const AnyTensor& a) { return elementwise("digamma", &op::digamma::apply, {a}); } }
TLALOC_OP(digamma(const A& a), dynamic::digamma(a.any()),
          typed_tensor A, class R = detail::result<op::digamma, A>)

// The beta function: gamma(a) gamma(b) / gamma(a + b).
namespace op { struct beta : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor beta(const Operand& a, const Operand& b) { return elementwise("beta", &op::beta::apply, {a, b}); } }
TLALOC_OP(beta(const A& a, const B& b), dynamic::beta(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::beta, A, B>)

// The exponential integral Ei(x).
namespace op { struct expint : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor expint(const AnyTensor& a) { return elementwise("expint", &op::expint::apply, {a}); } }
TLALOC_OP(expint(const A& a), dynamic::expint(a.any()),
          typed_tensor A, class R = detail::result<op::expint, A>)

// The Riemann zeta function of x.
namespace op { struct riemann_zeta : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor riemann_zeta(const AnyTensor& a) { return elementwise("riemann_zeta", &op::riemann_zeta::apply, {a}); } }
TLALOC_OP(riemann_zeta(const A& a), dynamic::riemann_zeta(a.any()),
          typed_tensor A, class R = detail::result<op::riemann_zeta, A>)

// The regularised lower incomplete gamma function P(a, x).
namespace op { struct igamma : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor igamma(const Operand& a, const Operand& b) { return elementwise("igamma", &op::igamma::apply, {a, b}); } }
TLALOC_OP(igamma(const A& a, const B& b), dynamic::igamma(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::igamma, A, B>)

// The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x).
namespace op { struct igammac : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor igammac(const Operand& a, const Operand& b) { return elementwise("igammac", &op::igammac::apply, {a, b}); } }
TLALOC_OP(igammac(const A& a, const B& b), dynamic::igammac(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::igammac, A, B>)

// The derivative of P(a, x) by a.
namespace op { struct igamma_grad_a : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor igamma_grad_a(const Operand& a, const Operand& b) { return elementwise("igamma_grad_a", &op::igamma_grad_a::apply, {a, b}); } }
TLALOC_OP(igamma_grad_a(const A& a, const B& b), dynamic::igamma_grad_a(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::igamma_grad_a, A, B>)

// How a sample x of Gamma(a, 1) moves with a when its quantile stays: -(dP/da) / (dP/dx).
namespace op { struct random_gamma_grad : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor random_gamma_grad(const Operand& a, const Operand& b) { return elementwise("random_gamma_grad", &op::random_gamma_grad::apply, {a, b}); } }
TLALOC_OP(random_gamma_grad(const A& a, const B& b), dynamic::random_gamma_grad(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::random_gamma_grad, A, B>)

// The regularised incomplete beta function I(x; a, b).
namespace op { struct betainc : elementwise<3, floats> {}; }
namespace dynamic { inline AnyTensor betainc(const Operand& a, const Operand& b, const Operand& c) { return elementwise("betainc", &op::betainc::apply, {a, b, c}); } }
TLALOC_OP(betainc(const A& a, const B& b, const C& c), dynamic::betainc(detail::lift(a), detail::lift(b), detail::lift(c)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::betainc, A, B, C>)

// The complete elliptic integral of the first kind, K(k).
namespace op { struct comp_ellint_1 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor comp_ellint_1(const AnyTensor& a) { return elementwise("comp_ellint_1", &op::comp_ellint_1::apply, {a}); } }
TLALOC_OP(comp_ellint_1(const A& a), dynamic::comp_ellint_1(a.any()),
          typed_tensor A, class R = detail::result<op::comp_ellint_1, A>)

// The complete elliptic integral of the second kind, E(k).
namespace op { struct comp_ellint_2 : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor comp_ellint_2(const AnyTensor& a) { return elementwise("comp_ellint_2", &op::comp_ellint_2::apply, {a}); } }
TLALOC_OP(comp_ellint_2(const A& a), dynamic::comp_ellint_2(a.any()),
          typed_tensor A, class R = detail::result<op::comp_ellint_2, A>)

// The complete elliptic integral of the third kind.
namespace op { struct comp_ellint_3 : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor comp_ellint_3(const Operand& a, const Operand& b) { return elementwise("comp_ellint_3", &op::comp_ellint_3::apply, {a, b}); } }
TLALOC_OP(comp_ellint_3(const A& a, const B& b), dynamic::comp_ellint_3(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::comp_ellint_3, A, B>)

// The incomplete elliptic integral of the first kind, F(k, phi).
namespace op { struct ellint_1 : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor ellint_1(const Operand& a, const Operand& b) { return elementwise("ellint_1", &op::ellint_1::apply, {a, b}); } }
TLALOC_OP(ellint_1(const A& a, const B& b), dynamic::ellint_1(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::ellint_1, A, B>)

// The incomplete elliptic integral of the second kind, E(k, phi).
namespace op { struct ellint_2 : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor ellint_2(const Operand& a, const Operand& b) { return elementwise("ellint_2", &op::ellint_2::apply, {a, b}); } }
TLALOC_OP(ellint_2(const A& a, const B& b), dynamic::ellint_2(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::ellint_2, A, B>)

// The incomplete elliptic integral of the third kind.
namespace op { struct ellint_3 : elementwise<3, floats> {}; }
namespace dynamic { inline AnyTensor ellint_3(const Operand& a, const Operand& b, const Operand& c) { return elementwise("ellint_3", &op::ellint_3::apply, {a, b, c}); } }
TLALOC_OP(ellint_3(const A& a, const B& b, const C& c), dynamic::ellint_3(detail::lift(a), detail::lift(b), detail::lift(c)),
          detail::operand A, detail::operand B, detail::operand_among<A, B> C, class R = detail::result<op::ellint_3, A, B, C>)

// (comp_ellint_1(k) - comp_ellint_2(k)) / k^2, regular at k = 0.
namespace op { struct comp_ellint_d : elementwise<1, floats> {}; }
namespace dynamic { inline AnyTensor comp_ellint_d(const AnyTensor& a) { return elementwise("comp_ellint_d", &op::comp_ellint_d::apply, {a}); } }
TLALOC_OP(comp_ellint_d(const A& a), dynamic::comp_ellint_d(a.any()),
          typed_tensor A, class R = detail::result<op::comp_ellint_d, A>)

// (ellint_1(k, phi) - ellint_2(k, phi)) / k^2, regular at k = 0.
namespace op { struct ellint_d : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor ellint_d(const Operand& a, const Operand& b) { return elementwise("ellint_d", &op::ellint_d::apply, {a, b}); } }
TLALOC_OP(ellint_d(const A& a, const B& b), dynamic::ellint_d(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::ellint_d, A, B>)

// The Bessel function of the first kind of order nu.
namespace op { struct cyl_bessel_j : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor cyl_bessel_j(const Operand& a, const Operand& b) { return elementwise("cyl_bessel_j", &op::cyl_bessel_j::apply, {a, b}); } }
TLALOC_OP(cyl_bessel_j(const A& a, const B& b), dynamic::cyl_bessel_j(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::cyl_bessel_j, A, B>)

// The modified Bessel function of the first kind of order nu.
namespace op { struct cyl_bessel_i : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor cyl_bessel_i(const Operand& a, const Operand& b) { return elementwise("cyl_bessel_i", &op::cyl_bessel_i::apply, {a, b}); } }
TLALOC_OP(cyl_bessel_i(const A& a, const B& b), dynamic::cyl_bessel_i(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::cyl_bessel_i, A, B>)

// The modified Bessel function of the second kind of order nu.
namespace op { struct cyl_bessel_k : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor cyl_bessel_k(const Operand& a, const Operand& b) { return elementwise("cyl_bessel_k", &op::cyl_bessel_k::apply, {a, b}); } }
TLALOC_OP(cyl_bessel_k(const A& a, const B& b), dynamic::cyl_bessel_k(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::cyl_bessel_k, A, B>)

// The Bessel function of the second kind of order nu.
namespace op { struct cyl_neumann : elementwise<2, floats> {}; }
namespace dynamic { inline AnyTensor cyl_neumann(const Operand& a, const Operand& b) { return elementwise("cyl_neumann", &op::cyl_neumann::apply, {a, b}); } }
TLALOC_OP(cyl_neumann(const A& a, const B& b), dynamic::cyl_neumann(detail::lift(a), detail::lift(b)),
          class A, detail::operand_beside<A> B, class R = detail::result<op::cyl_neumann, A, B>)

TLALOC_END_OPS

}  // namespace tlaloc
