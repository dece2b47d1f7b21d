// SPDX-License-Identifier: Apache-2.0
//
// From the outcome of a rule to a type: the result's, or that of the message. A refused operation returns `poison`, which every
// further operation accepts without a word, so that one mistake is one error.
#pragma once

#include "tlaloc/detail/tensor/any.hpp"

#include <type_traits>
#include <utility>

namespace tlaloc {

template <element T, class... Axes> class Tensor;

namespace detail {

struct poison {
  template <class T, class... A> operator Tensor<T, A...>() const;
  template <class T> static T adopt(const T&);
  const AnyTensor& any() const;
  double item() const;
  template <class... I> double at(I...) const;
  template <class... X> poison set(X...) const;
  template <class K> extent_t extent() const;
  extent_t extent(int) const;
  std::span<const double> data() const;
  static constexpr int rank = 0;
  using value_type = double;
};

}  // namespace detail

// What compilers print. Op: the operation; Left, Right: the axes that do not fit, with their extents.
template <class Op, because Why, class Left, class Right> struct NAMED_INDEX_MISMATCH : detail::poison {};
template <class Op, because Why, class Left, class Right> struct TENSOR_SHAPE_MISMATCH : detail::poison {};
template <class Op, because Why, class Left, class Right> struct BOUNDED_DIM_EXCEEDED : detail::poison {};
template <class Op, because Why, class... Operands> struct DTYPE_MISMATCH : detail::poison {};

namespace detail {

template <class X> inline constexpr bool is_typed = std::is_base_of_v<poison, X>;
template <class T, class... A> inline constexpr bool is_typed<Tensor<T, A...>> = true;
template <class X> inline constexpr bool is_number = std::is_arithmetic_v<X>;
template <class R> inline constexpr code error_of = code::ok;
template <class O, because W, class L, class R> inline constexpr code error_of<NAMED_INDEX_MISMATCH<O, W, L, R>> = code::names;
template <class O, because W, class L, class R> inline constexpr code error_of<TENSOR_SHAPE_MISMATCH<O, W, L, R>> = code::shapes;
template <class O, because W, class L, class R> inline constexpr code error_of<BOUNDED_DIM_EXCEEDED<O, W, L, R>> = code::bounds;
template <class O, because W, class... X> inline constexpr code error_of<DTYPE_MISMATCH<O, W, X...>> = code::dtypes;

template <class X> constexpr sig number_or_poison() {
  sig s;
  if constexpr (std::is_same_v<X, bool>) s.number = weak::boolean;
  else if constexpr (std::is_integral_v<X>) s.number = weak::integer;
  else if constexpr (std::is_floating_point_v<X>) s.number = weak::floating;
  else s.poisoned = true;
  return s;
}
template <class X> inline constexpr sig sig_of = number_or_poison<X>();
template <class T, class... A> inline constexpr sig sig_of<Tensor<T, A...>>{dtype_of<T>, sizeof...(A), weak::no, false, {ax_of<A>...}};
template <class... A> inline constexpr sig sig_of<names<A...>>{dtype::none, sizeof...(A), weak::no, false, {ax_of<A>...}};
template <int... P> inline constexpr sig sig_of<at<P...>>{dtype::none, sizeof...(P), weak::no, false, {position_ax(P)...}};

template <class Op, class... X> inline constexpr outcome outcome_of = call(&Op::apply, {sig_of<X>...});

#if defined(__clang__) || __GNUC__ >= 14
template <int I, class... T> using nth = __type_pack_element<I, T...>;
#else
template <int I, class T> struct numbered { using type = T; };
template <class S, class... T> struct all_numbered;
template <int... I, class... T> struct all_numbered<std::integer_sequence<int, I...>, T...> : numbered<I, T>... {};
template <int I, class T> numbered<I, T> at_number(const numbered<I, T>*);
template <int I, class... T> using nth = typename decltype(at_number<I>((all_numbered<std::make_integer_sequence<int, sizeof...(T)>, T...>*)nullptr))::type;
#endif

template <class L, int P> struct axis_at;
template <class T, class... A, int P> struct axis_at<Tensor<T, A...>, P> { using type = nth<P, A...>; };
template <class... A, int P> struct axis_at<names<A...>, P> { using type = nth<P, A...>; };

/// The axis A at the extent N: A itself where that is its own.
template <class A, extent_t N> struct at_extent { using type = std::conditional_t<ax_of<A>.extent == N, A, sized<A, N>>; };
template <extent_t M, extent_t N> struct at_extent<dim<M>, N> { using type = dim<N>; };
template <class A, extent_t M, extent_t N> struct at_extent<sized<A, M>, N> { using type = typename at_extent<A, N>::type; };

template <bool Named, extent_t N, int Src, int Pos, class... X> struct axis_from { using type = dim<N>; };
template <extent_t N, int Src, int Pos, class... X> struct axis_from<true, N, Src, Pos, X...> {
  using type = typename at_extent<typename axis_at<nth<Src, X...>, Pos>::type, N>::type;
};

// In messages a named axis always shows its extent.
template <class A> struct shown { using type = sized<A, ax_of<A>.extent>; };
template <extent_t N> struct shown<dim<N>> { using type = dim<N>; };
template <class A, extent_t N> struct shown<sized<A, N>> { using type = sized<A, N>; };
template <class O, class... X> struct refused_axes {
  static constexpr const outcome& o = outcome_of<O, X...>;
  using left = typename shown<typename axis_from<o.left.id != nullptr, o.left.extent, o.left.src, o.left.pos, X...>::type>::type;
  using right = typename shown<typename axis_from<o.right.id != nullptr, o.right.extent, o.right.src, o.right.pos, X...>::type>::type;
};

template <code C, class Op, class Seq, class... X> struct result_for { using type = poison; };
template <class Op, int... I, class... X> struct result_for<code::ok, Op, std::integer_sequence<int, I...>, X...> {
  static constexpr const outcome& o = outcome_of<Op, X...>;
  using type = Tensor<typename element_of<o.type>::type,
                      typename axis_from<o.a[I].id != nullptr, o.a[I].extent, o.a[I].src, o.a[I].pos, X...>::type...>;
};
template <class Op, class Seq, class... X> struct result_for<code::names, Op, Seq, X...> {
  using r = refused_axes<Op, X...>;
  using type = NAMED_INDEX_MISMATCH<Op, r::o.why, typename r::left, typename r::right>;
};
template <class Op, class Seq, class... X> struct result_for<code::shapes, Op, Seq, X...> {
  using r = refused_axes<Op, X...>;
  using type = TENSOR_SHAPE_MISMATCH<Op, r::o.why, typename r::left, typename r::right>;
};
template <class Op, class Seq, class... X> struct result_for<code::bounds, Op, Seq, X...> {
  using r = refused_axes<Op, X...>;
  using type = BOUNDED_DIM_EXCEEDED<Op, r::o.why, typename r::left, typename r::right>;
};
template <class Op, class Seq, class... X> struct result_for<code::dtypes, Op, Seq, X...> {
  using type = DTYPE_MISMATCH<Op, outcome_of<Op, X...>.why, X...>;
};
template <class Op, class... X>
using result = typename result_for<outcome_of<Op, X...>.c, Op, std::make_integer_sequence<int, outcome_of<Op, X...>.rank>, X...>::type;


template <class X> concept operand = is_typed<X> || is_number<X>;
/// At least one of the two is a tensor.
template <class A, class B> concept operand_beside = operand<A> && operand<B> && (is_typed<A> || is_typed<B>);
template <class A, class B, class C> concept operand_among = operand<C> && (is_typed<A> || is_typed<B> || is_typed<C>);
template <class R> concept refused = error_of<R> != code::ok;

template <class X> dynamic::Operand lift(const X& x) {
  if constexpr (is_number<X>) return x;
  else return x.any();
}

}  // namespace detail

/// A Tensor<T, Axes...>, or what a refused operation gave.
template <class X> concept typed_tensor = detail::is_typed<X>;

}  // namespace tlaloc

// An operation: TLALOC_OP(name(parameters), what the untyped operation gives, template parameters..., class R = result<...>).
// A refusal is reported by an attribute of the operation itself in Clang (the code in the error, R in its note), and by one
// deleted twin in GCC, whose error prints R. TLALOC_OP_GIVING((type), ...) gives something made of R.
#define TLALOC_OP(declaration, expression, ...) TLALOC_OP_GIVING((R), declaration, R::adopt(expression), __VA_ARGS__)
#if defined(__clang__)
#define TLALOC_REFUSES(c, text) __attribute__((diagnose_if(::tlaloc::detail::error_of<R> == ::tlaloc::detail::code::c, text, "error")))
#define TLALOC_OP_GIVING(type, declaration, expression, ...)                                             \
  template <__VA_ARGS__>                                                                                 \
  TLALOC_REFUSES(names, "NAMED_INDEX_MISMATCH: axis names do not fit")                                    \
  TLALOC_REFUSES(shapes, "TENSOR_SHAPE_MISMATCH: extents do not fit")                                     \
  TLALOC_REFUSES(dtypes, "DTYPE_MISMATCH: element types are never promoted; use cast<U>(x)")              \
  TLALOC_REFUSES(bounds, "BOUNDED_DIM_EXCEEDED: a number is above the axis's at_most")                    \
  TLALOC_UNPACK type declaration { return expression; }
#else
#define TLALOC_OP_GIVING(type, declaration, expression, ...)                                             \
  template <__VA_ARGS__> TLALOC_UNPACK type declaration { return expression; }                           \
  template <__VA_ARGS__> requires ::tlaloc::detail::refused<R> TLALOC_UNPACK type declaration = delete;
#endif

// Further parameters of families of operations stand in parentheses: what is declared, and what is passed on.
#define TLALOC_UNPACK(...) __VA_ARGS__

#if defined(__clang__)
#define TLALOC_BEGIN_OPS _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")
#define TLALOC_END_OPS _Pragma("clang diagnostic pop")
#else
#define TLALOC_BEGIN_OPS
#define TLALOC_END_OPS
#endif
