// SPDX-License-Identifier: Apache-2.0
//
// The signature R(A...) of a callable type; of a member function the object is the first parameter.
#pragma once

#include <type_traits>

namespace tlaloc {
template <auto F> struct Fn;

namespace detail {

struct NoSignature {};                            // overloaded, generic, or no callable at all

template <class T> struct function_type { using type = NoSignature; };
template <class R, class... A> struct function_type<R (*)(A...)> { using type = R(A...); };
template <class R, class... A> struct function_type<R (*)(A...) noexcept> { using type = R(A...); };

// A pointer to member: the type without the object (for call operators), and with it (for grad(&C::m)).
template <class T> struct member_type { using type = NoSignature; using with_object = NoSignature; };
#define TLALOC_MEMBER(qualifiers, object)                                                                              \
  template <class C, class R, class... A> struct member_type<R (C::*)(A...) qualifiers> {                              \
    using type = R(A...);                                                                                              \
    using with_object = R(object, A...);                                                                               \
  };
TLALOC_MEMBER(, C&)
TLALOC_MEMBER(&, C&)
TLALOC_MEMBER(noexcept, C&)
TLALOC_MEMBER(const, const C&)
TLALOC_MEMBER(const&, const C&)
TLALOC_MEMBER(const noexcept, const C&)
#undef TLALOC_MEMBER

template <class F> struct signature : function_type<F> {};
template <class F>
  requires requires { &F::operator(); }
struct signature<F> : member_type<decltype(&F::operator())> {};
template <class F>
  requires requires { typename F::signature; }
struct signature<F> { using type = typename F::signature; };      // another derivative
template <class F>
  requires std::is_member_function_pointer_v<F>
struct signature<F> { using type = typename member_type<F>::with_object; };
template <auto F> struct signature<Fn<F>> : signature<std::decay_t<decltype(F)>> {};

template <class F> using signature_t = typename signature<F>::type;

}  // namespace detail
}  // namespace tlaloc
