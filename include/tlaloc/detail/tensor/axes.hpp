// SPDX-License-Identifier: Apache-2.0
//
// Axes as types, and as the small records that the shape rules compute with.
#pragma once

#include "tlaloc/detail/tensor/dtype.hpp"

namespace tlaloc {

using extent_t = std::ptrdiff_t;
inline constexpr extent_t dyn = -1;
struct at_most { extent_t max; };

namespace detail {
constexpr bool extent_valid(extent_t n) { return n >= 0 || n == dyn; }
constexpr bool extent_valid(at_most b) { return b.max >= 1; }
}  // namespace detail
template <auto Extent> concept BOUNDED_DIM_INVALID_otherwise = detail::extent_valid(Extent);

/// Base of a named axis: `struct Batch : axis<> {}`, `struct Hidden : axis<512> {}`, `struct Seq : axis<at_most{4096}> {}`.
template <auto Extent = dyn> requires BOUNDED_DIM_INVALID_otherwise<Extent> struct axis {
  static constexpr extent_t extent = Extent, max = dyn;
};
template <at_most B> requires BOUNDED_DIM_INVALID_otherwise<B> struct axis<B> {
  static constexpr extent_t extent = dyn, max = B.max;
};

/// An axis without a name.
template <extent_t N = dyn> struct dim {};

template <class Name, extent_t N>
concept BOUNDED_DIM_EXCEEDED_otherwise = N == dyn || Name::max == dyn || N <= Name::max;

/// The axis Name at another length.
template <class Name, extent_t N = dyn> requires BOUNDED_DIM_EXCEEDED_otherwise<Name, N> struct sized {};

inline constexpr int max_rank = 8;

namespace detail {

template <class... A> struct names {};

/// A string as a template argument.
template <std::size_t N> struct text {
  char s[N];
  constexpr text(const char (&t)[N]) { for (std::size_t i = 0; i < N; ++i) s[i] = t[i]; }
};

/// What an axis is called. Two axes are one when their labels are one object.
struct axis_label {
  const char* text;
  int size;
};
template <class A> consteval axis_label spell() {
  const char* f = __PRETTY_FUNCTION__;
  int begin = 0, end = 0;
  while (!(f[begin] == 'A' && f[begin + 1] == ' ' && f[begin + 2] == '=')) ++begin;
  begin += 4;
  while (f[end]) ++end;
  while (f[end] != ']') --end;
  for (int i = begin, depth = 0; i < end; ++i) {  // the qualification goes; that of template arguments stays
    depth += (f[i] == '<' || f[i] == '(') - (f[i] == '>' || f[i] == ')');
    if (!depth && f[i] == ':') begin = i + 1;
    if (!depth && f[i] == ';') end = i;
  }
  return {f + begin, end - begin};
}
template <class A> inline constexpr axis_label label_of = spell<A>();

/// One axis of an operand; `src` and `pos` tell of which operand, and where there.
struct ax {
  const axis_label* id = nullptr;
  extent_t extent = dyn, max = dyn;
  signed char src = 0, pos = 0;
};
template <class A> inline constexpr ax ax_of{&label_of<A>, A::extent, A::max};
template <extent_t N> inline constexpr ax ax_of<dim<N>>{nullptr, N};
template <class A, extent_t N> inline constexpr ax ax_of<sized<A, N>>{&label_of<A>, N, A::max};
constexpr ax number_ax(extent_t n) { return {nullptr, n}; }

}  // namespace detail
}  // namespace tlaloc
