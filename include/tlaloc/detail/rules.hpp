// SPDX-License-Identifier: Apache-2.0
//
// Callables that carry a rule for their derivative, and what their types must be.
#pragma once

#include "tlaloc/detail/plan.hpp"

#include <type_traits>
#include <utility>

namespace tlaloc::detail {

enum class rule : unsigned char { vjp, residuals, jvp };        // the plugin reads it
struct Nothing {};

/// F with a rule: one callable, or two that hand residuals on. Calling it is calling F.
template <rule K_, class Sig, class F_, class First, class Second> struct Ruled { F_ f_; First first_; Second second_; };
template <rule K_, class R_, class... A_, class F_, class First, class Second> struct Ruled<K_, R_(A_...), F_, First, Second> {
  F_ f_;
  First first_;
  Second second_;
  R_ operator()(A_... a) const { return f_(static_cast<A_&&>(a)...); }
};

template <class A_> inline constexpr bool has_slot = slot_of<A_>() != slot::none;
/// A list with T at its end where A has a derivative.
template <class List, class A_> struct with_tangent { using type = List; };
template <class... T_, class A_>
  requires has_slot<A_>
struct with_tangent<types<T_...>, A_> { using type = types<T_..., tangent_t<A_>>; };
template <class List, class... A_> struct tangents { using type = List; };
template <class List, class A_, class... More> struct tangents<List, A_, More...> : tangents<typename with_tangent<List, A_>::type, More...> {};

template <class List> struct bundle_of;
template <class... T_> struct bundle_of<types<T_...>> : bundle<T_...> {};
template <class Rule, class R_, class List> struct invocable;
template <class Rule, class R_, class... X_> struct invocable<Rule, R_, types<X_...>> : std::is_invocable_r<R_, const Rule&, X_...> {};

/// What is wrong with a rule of kind K for a function.
template <rule K_, class Sig, class First, class Second> struct rule_check { static constexpr refusal refused = refusal::no_signature; };
template <rule K_, class R_, class... A_, class First, class Second> struct rule_check<K_, R_(A_...), First, Second> {
  static consteval refusal check() {
    if (std::is_void_v<R_> || !has_slot<R_> || ((slot_of<A_>() == slot::pointer || slot_of<A_>() == slot::mutable_span || (has_slot<A_> && writable<A_>())) || ...))
      return refusal::rule_arguments;
    if constexpr (std::is_same_v<signature_t<First>, NoSignature> || (K_ == rule::residuals && std::is_same_v<signature_t<Second>, NoSignature>)) {
      return refusal::no_signature;
    } else {
      using G_ = typename bundle_of<typename tangents<types<>, A_...>::type>::type;
      if constexpr (std::is_void_v<G_>) return refusal::nothing_selected;
      else if constexpr (K_ == rule::vjp) return std::is_invocable_r_v<G_, const First&, A_..., tangent_t<R_>> ? refusal::none : refusal::rule_mismatch;
      else if constexpr (K_ == rule::jvp) return invocable<First, tangent_t<R_>, typename tangents<types<A_...>, A_...>::type>::value ? refusal::none : refusal::rule_mismatch;
      else if constexpr (!std::is_invocable_v<const First&, A_...>) return refusal::rule_mismatch;
      else {
        using Pair = std::invoke_result_t<const First&, A_...>;
        if constexpr (!requires { typename Pair::second_type; }) return refusal::rule_mismatch;
        else if (!std::is_same_v<typename Pair::first_type, std::remove_cvref_t<R_>>) return refusal::rule_mismatch;
        else return std::is_invocable_r_v<G_, const Second&, typename Pair::second_type, tangent_t<R_>> ? refusal::none : refusal::rule_mismatch;
      }
    }
  }
  static constexpr refusal refused = check();
};

}  // namespace tlaloc::detail
