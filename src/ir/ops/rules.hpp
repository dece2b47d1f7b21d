// SPDX-License-Identifier: Apache-2.0
//
// What the family files share: FACTS, type rules, and kernels made from a generic lambda.
#pragma once

#include "ir/ops.hpp"
#include "ir/run.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

// The qualified name must have been declared in ops.def, and unqualified names in the record's lambdas are ops first.
#define FACTS(name) constinit const decltype(ops::name) ops::name = Kind

// An expansion into one value, in the operands x[0], x[1], ...
#define EXPANDS(...) {[](const Op&, std::span<const X> x) -> std::vector<X> { return {__VA_ARGS__}; }}

// HELPER(digamma, "doc", inline double digamma(double x) { ... }): code that kernels call as math::digamma and its text,
// `digamma_helper`, that generated files carry, so that both compute the same bits. No comments survive within.
#define HELPER(name, doc, ...) \
  namespace math { __VA_ARGS__ } \
  static constexpr Helper name##_helper = {#name, doc, #__VA_ARGS__}

namespace tlaloc::ir {

inline const Type& in(const Op& op, int i) { return op.operands[i]->type; }

// --- type rules ---
std::vector<Type> same_number(const Op&);         // scalars or tensors of one number type
std::vector<Type> same_real(const Op&);           // but for the operands listed as integers
std::vector<Type> same_integer(const Op&);        // bool too
template <DType D> std::vector<Type> real_to(const Op& op) { Type t = same_real(op)[0]; t.dtype = D; return {t}; }   // isnan, lround

// --- what derivative rules share ---
/// x, or the constant c where the condition holds. A rule that is singular somewhere computes with a harmless x there and so
/// stays free of NaN in derivatives of any order, where a select of the singular result would multiply 0 by infinity.
X except(X condition, X x, double c);
/// The derivative of a to the power b by a, exact for constant exponents and at a == 0.
X pow_by_base(X a, X b);

// --- kernels ---
/// Calls visit with a value of the C++ type that stands for the dtype (f16 and bf16 compute in float).
template <class F> auto with_type(DType d, F visit) {
  switch (d) {
    case DType::boolean: return visit(bool{});
    case DType::i8: return visit(std::int8_t{});
    case DType::i16: return visit(std::int16_t{});
    case DType::i32: return visit(std::int32_t{});
    case DType::i64: return visit(std::int64_t{});
    case DType::u8: return visit(std::uint8_t{});
    case DType::u16: return visit(std::uint16_t{});
    case DType::u32: return visit(std::uint32_t{});
    case DType::u64: return visit(std::uint64_t{});
    case DType::f16: case DType::bf16: case DType::f32: return visit(float{});
    case DType::f64: break;
  }
  return visit(double{});
}
template <class T> T as(const Number& n) {
  if constexpr (std::is_same_v<T, bool>) return n.bits != 0;
  else if constexpr (std::is_floating_point_v<T>) return T(n.real);
  else return T(n.bits);
}
template <class T> Number number(DType d, T x) {
  if constexpr (std::is_floating_point_v<T>) return Number::of(d, double(x));
  else if constexpr (std::is_signed_v<T>) return Number::of(d, std::int64_t(x));
  else return Number::of(d, std::uint64_t(x));
}
template <class F, class T, std::size_t... I> auto apply_to(std::span<const Number> x, std::index_sequence<I...>) { return F{}(as<T>(x[I])...); }

/// The loop over whole arrays that all hold T, the result R; arrays of other types are left to the numbers.
template <class F, class R, class T, std::size_t... I> void loop_over(std::span<const Array> x, Array& out, std::index_sequence<I...>) {
  R* y = out.data<R>();
  const T* in[] = {x[I].template data<T>()...};
  for (std::size_t k = 0, n = out.size(); k < n; ++k) y[k] = R(F{}(in[I][k]...));
}
/// f32 and f64 to the same type or to bool.
template <class F, std::size_t N> bool real_loop(const Op&, std::span<const Array> x, Array& out) {
  const DType d = x[0].type.dtype, to = out.type.dtype;
  auto go = [&]<class T>(T) {
    if (to == d) return loop_over<F, T, T>(x, out, std::make_index_sequence<N>{}), true;
    using Result = decltype(apply_to<F, T>(std::span<const Number>{}, std::make_index_sequence<N>{}));
    if constexpr (std::is_same_v<Result, bool>) return loop_over<F, bool, T>(x, out, std::make_index_sequence<N>{}), true;
    return false;
  };
  return d == DType::f64 ? go(double{}) : d == DType::f32 ? go(float{}) : false;
}

struct Real {};                                   // below: a real operand, taken in the op's own real type
/// mixed<Real, int>([](auto x, int n) { return std::ldexp(x, n); }): computes in the real type of the operands, f16 and bf16
/// in float. F must be captureless.
template <class... A, class F> constexpr auto mixed(F) {
  return +[](const Op& op, std::span<const Number> x) -> Number {
    const DType to = op.results[0]->type.dtype, in_type = is_real(to) ? to : x[0].dtype;
    auto call = [&]<class T, std::size_t... I>(T, std::index_sequence<I...>) {
      return number(to, F{}(as<std::conditional_t<std::is_same_v<A, Real>, T, A>>(x[I])...));
    };
    return in_type == DType::f64 ? call(double{}, std::index_sequence_for<A...>{}) : call(float{}, std::index_sequence_for<A...>{});
  };
}
/// real<1>([](auto x) { return std::exp(x); }): all operands are real; the result may be a bool or an integer.
template <int N, class F> constexpr Loops real(F f) {
  static_assert(N >= 1 && N <= 3);
  if constexpr (N == 1) return {mixed<Real>(f), real_loop<F, N>};
  else if constexpr (N == 2) return {mixed<Real, Real>(f), real_loop<F, N>};
  else return {mixed<Real, Real, Real>(f), real_loop<F, N>};
}
/// Like mixed, for functions of the standard library that throw std::domain_error for arguments outside their domain.
template <class... A, class F> constexpr auto checked(F) {
  return +[](const Op& op, std::span<const Number> x) -> Number {
    try { return mixed<A...>(F{})(op, x); }
    catch (const std::domain_error&) { refuse(op, "an argument outside the function's domain"); }
  };
}
/// any<2>([](auto a, auto b) { return a + b; }): likewise for every number type; signed integers wrap instead of overflowing.
template <int N, class F> constexpr Loops any(F) {
  return {+[](const Op& op, std::span<const Number> x) -> Number {
    const DType d = op.results[0]->type.dtype;
    return with_type(x[N - 1].dtype, [&]<class T>(T) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;     // unsigned short would become int
        return number(d, T(apply_to<F, Wide>(x, std::make_index_sequence<N>{})));
      } else {
        return number(d, T(apply_to<F, T>(x, std::make_index_sequence<N>{})));
      }
    });
  }, real_loop<F, N>};
}
/// integer<2>(...): integers and bool only, in their own signedness (division, shifts, bit operations).
template <int N, class F> constexpr auto integer(F) {
  return +[](const Op& op, std::span<const Number> x) -> Number {
    const DType d = op.results[0]->type.dtype;
    return with_type(x[0].dtype, [&]<class T>(T) -> Number {
      if constexpr (std::is_integral_v<T>) return number(d, T(apply_to<F, T>(x, std::make_index_sequence<N>{})));
      else refuse(op, "needs integers");
    });
  };
}

}  // namespace tlaloc::ir
