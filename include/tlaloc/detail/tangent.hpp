// SPDX-License-Identifier: Apache-2.0
//
// Which types have a derivative, of what type it is, and the two wrappers that say where an array's derivative lives.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace tlaloc {

/// Specialise as true for types whose values are never differentiated.
template <class T> inline constexpr bool passive = false;

namespace detail {

/// What an argument's type allows. `value`: a derivative can be returned; the other two need a shadow or a view.
enum class slot : unsigned char { none, value, pointer, mutable_span };

template <class T> struct span_traits { static constexpr bool is_span = false; };
template <class E, std::size_t N> struct span_traits<std::span<E, N>> {
  static constexpr bool is_span = true;
  static constexpr bool is_const = std::is_const_v<E>;
  using element = std::remove_cv_t<E>;
  using shadow = std::span<element, N>;
  using tangent = std::conditional_t<N == std::dynamic_extent, std::vector<element>,
                                     std::array<element, N == std::dynamic_extent ? 0 : N>>;
};

template <class T> consteval slot slot_of() {
  using U = std::remove_cvref_t<T>;
  if constexpr (std::is_void_v<U> || std::is_function_v<U>) {
    return slot::none;
  } else if constexpr (std::is_pointer_v<U>) {
    return slot_of<std::remove_pointer_t<U>>() == slot::none ? slot::none : slot::pointer;
  } else if constexpr (std::is_array_v<U>) {
    return slot_of<std::remove_extent_t<U>>();
  } else if constexpr (!requires { sizeof(U); }) {
    return slot::none;                            // an incomplete class
  } else if constexpr (passive<U>) {
    return slot::none;
  } else if constexpr (std::is_floating_point_v<U>) {
    return slot::value;
  } else if constexpr (!std::is_class_v<U> || std::is_empty_v<U>) {
    return slot::none;
  } else if constexpr (span_traits<U>::is_span) {
    if (slot_of<typename span_traits<U>::element>() == slot::none) return slot::none;
    return span_traits<U>::is_const ? slot::value : slot::mutable_span;
  } else if constexpr (requires { typename U::value_type; }) {
    return slot_of<typename U::value_type>() == slot::value ? slot::value : slot::none;
  } else {
    return std::is_copy_constructible_v<U> && std::is_copy_assignable_v<U> ? slot::value : slot::none;
  }
}

template <class T> struct tangent { using type = T; };
template <class E, std::size_t N> struct tangent<E[N]> { using type = std::array<typename tangent<E>::type, N>; };
template <class E, std::size_t N> struct tangent<std::span<E, N>> { using type = typename span_traits<std::span<E, N>>::tangent; };
template <class E> struct tangent<E*> { using type = std::vector<std::remove_cv_t<E>>; };

}  // namespace detail

/// The type of a derivative: float for float; a struct, array or vector for itself, with integer members zero and the
/// same lengths; a vector for a span or a view, an array where the size is static.
template <class T> using tangent_t = typename detail::tangent<std::remove_cvref_t<T>>::type;

namespace detail {

// Pointers and spans are held by value, everything else by reference.
template <class T, class U = std::decay_t<T>>
using held_t = std::conditional_t<std::is_pointer_v<U> || span_traits<U>::is_span, U, std::remove_reference_t<T>&>;

template <class X, class D> struct Shadowed {     // made by tlaloc::shadow
  X x;
  D dx;
};
template <class T> struct Viewed {                // made by tlaloc::view
  T* x;
  std::size_t n;
};

/// What a shadow is seen as: for a parameter that is a pointer or a span the same without const, else the tangent itself.
template <class P, class U = std::remove_cvref_t<P>> struct shadow_of { using type = tangent_t<U>&; };
template <class P, class E> struct shadow_of<P, E*> { using type = std::remove_cv_t<E>*; };
template <class P, class E, std::size_t N> struct shadow_of<P, std::span<E, N>> { using type = typename span_traits<std::span<E, N>>::shadow; };
template <class P, class E, std::size_t N> struct shadow_of<P, E[N]> { using type = std::remove_cv_t<E> (&)[N]; };

}  // namespace detail
}  // namespace tlaloc
