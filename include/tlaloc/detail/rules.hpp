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
template <rule K, class Sig, class F, class First, class Second> struct Ruled { F f_; First first_; Second second_; };
template <rule K, class R, class... A, class F, class First, class Second> struct Ruled<K, R(A...), F, First, Second> {
  F f_;
  First first_;
  Second second_;
  R operator()(A... a) const { return f_(static_cast<A&&>(a)...); }
};

template <class A> inline constexpr bool has_slot = slot_of<A>() != slot::none;
/// A list with T at its end where A has a derivative.
template <class List, class A> struct with_tangent { using type = List; };
template <class... T, class A>
  requires has_slot<A>
struct with_tangent<types<T...>, A> { using type = types<T..., tangent_t<A>>; };
template <class List, class... A> struct tangents { using type = List; };
template <class List, class A, class... More> struct tangents<List, A, More...> : tangents<typename with_tangent<List, A>::type, More...> {};

template <class List> struct bundle_of;
template <class... T> struct bundle_of<types<T...>> : bundle<T...> {};
template <class Rule, class R, class List> struct invocable;
template <class Rule, class R, class... X> struct invocable<Rule, R, types<X...>> : std::is_invocable_r<R, const Rule&, X...> {};

/// What is wrong with a rule of kind K for a function.
template <rule K, class Sig, class First, class Second> struct rule_check { static constexpr refusal refused = refusal::no_signature; };
template <rule K, class R, class... A, class First, class Second> struct rule_check<K, R(A...), First, Second> {
  static consteval refusal check() {
    if (std::is_void_v<R> || !has_slot<R> || ((slot_of<A>() == slot::pointer || slot_of<A>() == slot::mutable_span || (has_slot<A> && writable<A>())) || ...))
      return refusal::rule_arguments;
    if constexpr (std::is_same_v<signature_t<First>, NoSignature> || (K == rule::residuals && std::is_same_v<signature_t<Second>, NoSignature>)) {
      return refusal::no_signature;
    } else {
      using G = typename bundle_of<typename tangents<types<>, A...>::type>::type;
      if constexpr (std::is_void_v<G>) return refusal::nothing_selected;
      else if constexpr (K == rule::vjp) return std::is_invocable_r_v<G, const First&, A..., tangent_t<R>> ? refusal::none : refusal::rule_mismatch;
      else if constexpr (K == rule::jvp) return invocable<First, tangent_t<R>, typename tangents<types<A...>, A...>::type>::value ? refusal::none : refusal::rule_mismatch;
      else if constexpr (!std::is_invocable_v<const First&, A...>) return refusal::rule_mismatch;
      else {
        using Pair = std::invoke_result_t<const First&, A...>;
        if constexpr (!requires { typename Pair::second_type; }) return refusal::rule_mismatch;
        else if (!std::is_same_v<typename Pair::first_type, std::remove_cvref_t<R>>) return refusal::rule_mismatch;
        else return std::is_invocable_r_v<G, const Second&, typename Pair::second_type, tangent_t<R>> ? refusal::none : refusal::rule_mismatch;
      }
    }
  }
  static constexpr refusal refused = check();
};

}  // namespace tlaloc::detail
