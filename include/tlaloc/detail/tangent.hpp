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
template <class T_> inline constexpr bool passive = false;

namespace detail {

/// What an argument's type allows. `value`: a derivative can be returned; the other two need a shadow or a view.
enum class slot : unsigned char { none, value, pointer, mutable_span };

template <class T_> struct span_traits { static constexpr bool is_span = false; };
template <class E_, std::size_t N_> struct span_traits<std::span<E_, N_>> {
  static constexpr bool is_span = true;
  static constexpr bool is_const = std::is_const_v<E_>;
  using element = std::remove_cv_t<E_>;
  using shadow = std::span<element, N_>;
  using tangent = std::conditional_t<N_ == std::dynamic_extent, std::vector<element>,
                                     std::array<element, N_ == std::dynamic_extent ? 0 : N_>>;
};

template <class T_> consteval slot slot_of() {
  using U_ = std::remove_cvref_t<T_>;
  if constexpr (std::is_void_v<U_> || std::is_function_v<U_>) {
    return slot::none;
  } else if constexpr (std::is_pointer_v<U_>) {
    return slot_of<std::remove_pointer_t<U_>>() == slot::none ? slot::none : slot::pointer;
  } else if constexpr (std::is_array_v<U_>) {
    return slot_of<std::remove_extent_t<U_>>();
  } else if constexpr (!requires { sizeof(U_); }) {
    return slot::none;                            // an incomplete class
  } else if constexpr (passive<U_>) {
    return slot::none;
  } else if constexpr (std::is_floating_point_v<U_>) {
    return slot::value;
  } else if constexpr (!std::is_class_v<U_> || std::is_empty_v<U_>) {
    return slot::none;
  } else if constexpr (span_traits<U_>::is_span) {
    if (slot_of<typename span_traits<U_>::element>() == slot::none) return slot::none;
    return span_traits<U_>::is_const ? slot::value : slot::mutable_span;
  } else if constexpr (requires { typename U_::value_type; }) {
    return slot_of<typename U_::value_type>() == slot::value ? slot::value : slot::none;
  } else {
    return std::is_copy_constructible_v<U_> && std::is_copy_assignable_v<U_> ? slot::value : slot::none;
  }
}

template <class T_> struct tangent { using type = T_; };
template <class E_, std::size_t N_> struct tangent<E_[N_]> { using type = std::array<typename tangent<E_>::type, N_>; };
template <class E_, std::size_t N_> struct tangent<std::span<E_, N_>> { using type = typename span_traits<std::span<E_, N_>>::tangent; };
template <class E_> struct tangent<E_*> { using type = std::vector<std::remove_cv_t<E_>>; };

}  // namespace detail

/// The type of a derivative: float for float; a struct, array or vector for itself, with integer members zero and the
/// same lengths; a vector for a span or a view, an array where the size is static.
template <class T_> using tangent_t = typename detail::tangent<std::remove_cvref_t<T_>>::type;

namespace detail {

// Pointers and spans are held by value, everything else by reference.
template <class T_, class U_ = std::decay_t<T_>>
using held_t = std::conditional_t<std::is_pointer_v<U_> || span_traits<U_>::is_span, U_, std::remove_reference_t<T_>&>;

template <class X_, class D_> struct Shadowed {     // made by tlaloc::shadow
  X_ x;
  D_ dx;
};
template <class T_> struct Viewed {                // made by tlaloc::view
  T_* x;
  std::size_t n;
};

/// What a shadow is seen as: for a parameter that is a pointer or a span the same without const, else the tangent itself.
template <class P_, class U_ = std::remove_cvref_t<P_>> struct shadow_of { using type = tangent_t<U_>&; };
template <class P_, class E_> struct shadow_of<P_, E_*> { using type = std::remove_cv_t<E_>*; };
template <class P_, class E_, std::size_t N_> struct shadow_of<P_, std::span<E_, N_>> { using type = typename span_traits<std::span<E_, N_>>::shadow; };
template <class P_, class E_, std::size_t N_> struct shadow_of<P_, E_[N_]> { using type = std::remove_cv_t<E_> (&)[N_]; };

}  // namespace detail
}  // namespace tlaloc
