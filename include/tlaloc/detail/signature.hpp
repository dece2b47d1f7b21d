// SPDX-License-Identifier: Apache-2.0
//
// The signature R(A...) of a callable type; of a member function the object is the first parameter.
#pragma once

#include <type_traits>

namespace tlaloc {
template <auto F_> struct Fn;

namespace detail {

struct NoSignature {};                            // overloaded, generic, or no callable at all

template <class T_> struct function_type { using type = NoSignature; };
template <class R_, class... A_> struct function_type<R_ (*)(A_...)> { using type = R_(A_...); };
template <class R_, class... A_> struct function_type<R_ (*)(A_...) noexcept> { using type = R_(A_...); };

// A pointer to member: the type without the object (for call operators), and with it (for grad(&C::m)).
template <class T_> struct member_type { using type = NoSignature; using with_object = NoSignature; };
#define TLALOC_MEMBER(qualifiers, object)                                                                              \
  template <class C_, class R_, class... A_> struct member_type<R_ (C_::*)(A_...) qualifiers> {                              \
    using type = R_(A_...);                                                                                              \
    using with_object = R_(object, A_...);                                                                               \
  };
TLALOC_MEMBER(, C_&)
TLALOC_MEMBER(&, C_&)
TLALOC_MEMBER(noexcept, C_&)
TLALOC_MEMBER(const, const C_&)
TLALOC_MEMBER(const&, const C_&)
TLALOC_MEMBER(const noexcept, const C_&)
#undef TLALOC_MEMBER

template <class F_> struct signature : function_type<F_> {};
template <class F_>
  requires requires { &F_::operator(); }
struct signature<F_> : member_type<decltype(&F_::operator())> {};
template <class F_>
  requires requires { typename F_::signature; }
struct signature<F_> { using type = typename F_::signature; };      // another derivative
template <class F_>
  requires std::is_member_function_pointer_v<F_>
struct signature<F_> { using type = typename member_type<F_>::with_object; };
template <auto F_> struct signature<Fn<F_>> : signature<std::decay_t<decltype(F_)>> {};

template <class F_> using signature_t = typename signature<F_>::type;

}  // namespace detail
}  // namespace tlaloc
