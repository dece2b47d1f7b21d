// SPDX-License-Identifier: Apache-2.0
//
// From a call of a derivative to what it differentiates and returns: computed from types alone, so that every compiler
// agrees, and read by the plugin as it stands. Names of parameters are not in their types: the plan counts on one common
// tangent type, and the plugin looks them up and refuses what does not fit.
#pragma once

#include "tlaloc/detail/refusals.hpp"
#include "tlaloc/detail/signature.hpp"
#include "tlaloc/detail/tangent.hpp"
#include "tlaloc/matrix.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tlaloc {

/// Selects a parameter, by position or by name.
struct arg {
  int position = -1;
  char name[64] = {};                             // empty: by position
  consteval arg(int p) : position(p) {}
  template <std::size_t N> consteval arg(const char (&text)[N]) {
    static_assert(N > 1 && N <= sizeof name, "the name of a parameter has 1 to 63 characters");
    for (std::size_t i = 0; i < N; ++i) name[i] = text[i];
  }
};

namespace detail {

enum class mode : unsigned char { grad, value_and_grad, jvp, value_and_jvp, vjp, value_and_vjp, jacfwd, jacrev, hessian, hvp, dependence };
consteval bool with_value(mode m) { return m == mode::value_and_grad || m == mode::value_and_jvp || m == mode::value_and_vjp; }
consteval bool is_jvp(mode m) { return m == mode::jvp || m == mode::value_and_jvp || m == mode::dependence; }
consteval bool is_vjp(mode m) { return m == mode::vjp || m == mode::value_and_vjp; }
consteval bool is_jacobian(mode m) { return m == mode::jacfwd || m == mode::jacrev; }
consteval bool is_second(mode m) { return m == mode::hessian || m == mode::hvp; }
/// What f writes is an output or scratch memory, whose derivative the call keeps to itself: no shadows.
consteval bool is_closed(mode m) { return is_jacobian(m) || is_second(m); }
consteval bool takes_tangents(mode m) { return is_jvp(m) || m == mode::hvp; }

/// How a parameter takes part. `named`: it is one of those that a name may mean.
enum class role : unsigned char { none, returned, shadowed, named };

template <std::size_t N> struct Plan {
  refusal refused = refusal::none;
  int returned = 0;                               // how many tangents come back (or, in jvp, go in)
  role roles[N + 1] = {};
  int order[N + 1] = {};                          // their parameters, in the order of the selection; not for names
};

template <class B> struct given_as {
  static constexpr bool plain = true, shadow = false, view = false;
  using value = B;
};
template <class X, class D> struct given_as<Shadowed<X, D>> {
  static constexpr bool plain = false, shadow = true, view = false;
  using value = X;
  using derivative = D;
};
template <class T> struct given_as<Viewed<T>> {
  static constexpr bool plain = false, shadow = false, view = true;
  using value = T*;
};

template <class T> inline constexpr char type_id = 0;

/// May f write what it is given?
template <class P> consteval bool writable() {
  using U = std::remove_reference_t<P>;
  if constexpr (std::is_pointer_v<U>) return !std::is_const_v<std::remove_pointer_t<U>>;
  else if constexpr (span_traits<std::remove_cv_t<U>>::is_span) return !span_traits<std::remove_cv_t<U>>::is_const;
  else return std::is_lvalue_reference_v<P> && !std::is_const_v<U>;
}

/// The facts of one argument B for a parameter P.
struct Given {
  slot kind;
  bool plain, shadow, view, writable;
  refusal refused;
  const char* tangent;                            // tells types apart
};
template <class P, class B> consteval Given given() {
  using G = given_as<std::remove_cvref_t<B>>;
  Given g{slot_of<P>(), G::plain, G::shadow, G::view, writable<P>(), refusal::none, &type_id<tangent_t<P>>};
  using Value = std::conditional_t<G::plain, B, typename G::value>;
  if (!std::is_convertible_v<Value, P>) g.refused = refusal::argument;
  if constexpr (G::shadow) {
    if (g.kind == slot::none) g.refused = refusal::shadow_of_nothing;
    else if (!std::is_convertible_v<typename G::derivative, typename shadow_of<P>::type>) g.refused = refusal::shadow_type;
  }
  return g;
}

template <class...> struct types {};
template <std::size_t I, class List> struct element;
template <std::size_t I, class... T> struct element<I, types<T...>> : std::tuple_element<I, std::tuple<T...>> {};

/// The tangents of the selected arguments, in order, as a list of types.
template <auto P, class Sig, bool ByName> struct selected;
template <auto P, class R, class... A, bool ByName> struct selected<P, R(A...), ByName> {
  static consteval int parameter(int k) {
    if (!ByName) return P.order[k];
    for (int i = 0; i < int(sizeof...(A)); ++i)   // all that a name may mean have one type
      if (P.roles[i] == role::named) return i;
    return 0;
  }
  template <std::size_t... K>
  static types<tangent_t<std::tuple_element_t<parameter(K), std::tuple<A...>>>...> list(std::index_sequence<K...>);
  using type = decltype(list(std::make_index_sequence<P.returned>()));
};

template <auto> struct Constant {};               // a value that the plugin reads off a type

template <arg... W> inline constexpr bool by_name = ((W.position < 0) || ...);

/// make_plan<M, R(A...), W...>::of<B...>() is the plan of a call with arguments of types B.
template <mode M, class Sig, arg... W> struct make_plan {       // no signature: refused at the request
  template <class... B> static consteval Plan<0> of() { return {refusal::no_signature}; }
  static consteval Plan<0> plain() { return {refusal::no_signature}; }
};
template <mode M, class R, class... A, arg... W> struct make_plan<M, R(A...), W...> {
  static constexpr std::size_t n = sizeof...(A);
  using P = Plan<n>;

  template <class... B> static consteval P of() {
    if constexpr (sizeof...(B) < n) {
      return {refusal::argument_count};
    } else {
      constexpr P p = counted(std::make_index_sequence<n>(), static_cast<std::tuple<B...>*>(nullptr));
      if constexpr (p.refused == refusal::none && sizeof...(B) > n)
        if (!extras_convert<p, std::tuple<B...>>(std::make_index_sequence<sizeof...(B) - n>())) return {refusal::extra};
      return p;
    }
  }
  /// All arguments given as they are; tangents and cotangent not counted.
  static consteval P plain() {
    const Given args[n + 1] = {given<A, A>()...};
    return select(args);
  }

 private:
  template <std::size_t... I, class Tuple> static consteval P counted(std::index_sequence<I...>, Tuple*) {
    const Given args[n + 1] = {given<A, std::tuple_element_t<I, Tuple>>()...};
    P p = select(args);
    if (p.refused != refusal::none) return p;
    const std::size_t more = std::tuple_size_v<Tuple> - n;
    if (takes_tangents(M)) return more == std::size_t(p.returned) ? p : P{refusal::tangent_count};
    if (is_vjp(M)) return more == (std::is_void_v<R> ? 0u : 1u) ? p : P{refusal::cotangent_count};
    return more == 0 ? p : P{refusal::argument_count};
  }
  template <P p, class Tuple, std::size_t... K> static consteval bool extras_convert(std::index_sequence<K...>) {
    using Types = std::conditional_t<takes_tangents(M), typename selected<p, R(A...), by_name<W...>>::type, types<tangent_t<R>>>;
    return (std::is_convertible_v<std::tuple_element_t<n + K, Tuple>, typename element<K, Types>::type> && ...);
  }
  static consteval P select(const Given* args) {
    P p;
    int shadows = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (args[i].refused != refusal::none) return {args[i].refused};
      if (args[i].shadow && is_closed(M)) return {refusal::shadow_unused};
      if (args[i].shadow) p.roles[i] = role::shadowed, ++shadows;
    }
    if constexpr (by_name<W...>) {
      select_names(p, args, shadows);
    } else if constexpr (sizeof...(W) > 0) {
      for (int i : {W.position...})
        if (i < int(n)) take(p, args[i], i);
        else return {refusal::position};
    } else {
      for (std::size_t i = 0; i < n; ++i)
        if (is_closed(M) && args[i].writable) continue;
        else if (args[i].view || (args[i].kind != slot::none && args[i].kind != slot::mutable_span)) take(p, args[i], int(i));
    }
    if (is_closed(M) && p.refused == refusal::none && p.returned == 0) p.refused = refusal::only_outputs;
    return p;
  }
  /// Arguments with shadows are taken to be named first, then views, then all others; the plugin checks that.
  static consteval void select_names(P& p, const Given* args, int shadows) {
    const int names = int(sizeof...(W));
    p.returned = names > shadows ? names - shadows : 0;
    int views = 0;
    for (std::size_t i = 0; i < n; ++i) views += args[i].view;
    const bool only_views = views > 0 && p.returned <= views;
    const char* tangent = nullptr;
    for (std::size_t i = 0; i < n; ++i) {
      if (!args[i].view && (only_views || args[i].shadow || args[i].kind != slot::value)) continue;
      p.roles[i] = role::named;
      if (tangent && tangent != args[i].tangent && p.returned) p.refused = refusal::name_types;
      tangent = args[i].tangent;
    }
  }
  static consteval void take(P& p, const Given& a, int i) {
    if (a.shadow || p.refused != refusal::none) return;
    if (a.plain && a.kind == slot::pointer) p.refused = refusal::raw_pointer;
    else if (a.plain && a.kind == slot::mutable_span && !is_closed(M)) p.refused = refusal::mutable_span;
    else p.roles[i] = role::returned, p.order[p.returned++] = i;
  }
};

// --- the types that come back ---
template <class... T> struct bundle { using type = std::tuple<T...>; };
template <class T> struct bundle<T> { using type = T; };
template <> struct bundle<> { using type = void; };
template <class A, class B> struct pair_of { using type = std::pair<A, B>; };
template <class A> struct pair_of<A, void> { using type = A; };
template <class B> struct pair_of<void, B> { using type = B; };
template <> struct pair_of<void, void> { using type = void; };

struct Anything {                                 // the result of a refused call: one mistake, one error
  template <class T> operator T() const;
};

/// The number type of a matrix of derivatives: that of the numbers in T; double where T is a struct.
template <class T> struct number_of { using type = double; };
template <std::floating_point T> struct number_of<T> { using type = T; };
template <class T>
  requires requires { typename T::value_type; }
struct number_of<T> : number_of<typename T::value_type> {};

/// The Jacobian of a result R by an argument with tangent T.
template <class R, class T> struct block { using type = DenseMatrix<typename number_of<R>::type>; };
template <class T> struct block<void, T> { using type = DenseMatrix<typename number_of<T>::type>; };
template <std::floating_point R, std::floating_point T> struct block<R, T> { using type = R; };
template <std::floating_point R, std::size_t M, std::floating_point T, std::size_t N>
struct block<std::array<R, M>, std::array<T, N>> { using type = std::array<std::array<R, N>, M>; };

template <mode M, class R, class... T> struct derivative_of : bundle<T...> {};
template <mode M, class R, class... T>
  requires(is_jvp(M))
struct derivative_of<M, R, T...> { using type = tangent_t<R>; };
template <mode M, class R, class... T>
  requires(is_jacobian(M))
struct derivative_of<M, R, T...> : bundle<typename block<tangent_t<R>, T>::type...> {};
template <class R, class T, class... More> struct derivative_of<mode::hessian, R, T, More...> { using type = typename block<void, T>::type; };

template <mode M, class R, class... T> struct returns {
  using value = std::conditional_t<with_value(M), std::remove_cvref_t<R>, void>;
  using type = typename pair_of<value, typename derivative_of<M, R, T...>::type>::type;
};

/// What a call gives.
template <mode M, auto P, class Sig, bool ByName> struct call_result { using type = Anything; };
template <mode M, auto P, class R, class... A, bool ByName>
  requires(P.refused == refusal::none)
struct call_result<M, P, R(A...), ByName> {
  template <class... T> static typename returns<M, R, T...>::type of(types<T...>);
  using type = decltype(of(typename selected<P, R(A...), ByName>::type()));
};

/// The signature of a derivative, for a derivative of it.
template <mode M, auto P, class Sig, bool ByName> struct plain_signature { using type = NoSignature; };
template <mode M, auto P, class R, class... A, bool ByName>
  requires(P.refused == refusal::none)
struct plain_signature<M, P, R(A...), ByName> {
  using result = typename call_result<M, P, R(A...), ByName>::type;
  template <class T> using passed = std::conditional_t<std::is_arithmetic_v<T>, T, const T&>;
  template <class... T> static auto of(types<T...>) {
    if constexpr (takes_tangents(M)) return std::type_identity<result(A..., passed<T>...)>();
    else if constexpr (is_vjp(M) && !std::is_void_v<R>) return std::type_identity<result(A..., passed<tangent_t<R>>)>();
    else return std::type_identity<result(A...)>();
  }
  using type = typename decltype(of(typename selected<P, R(A...), ByName>::type()))::type;
};

/// Results that have a gradient: one real number. Tensors of rank 0 are added by their header.
template <class R> inline constexpr bool one_real_number = std::is_floating_point_v<R>;

/// What is wrong with a request, whatever the arguments of its calls will be.
template <mode M, class Sig, arg... W> struct request { static constexpr refusal refused = refusal::no_signature; };
template <mode M, class R, class... A, arg... W> struct request<M, R(A...), W...> {
  static consteval refusal check() {
    constexpr int n = int(sizeof...(A));
    constexpr slot slots[n + 1] = {slot_of<A>()...};
    constexpr bool differentiable = ((slot_of<A>() != slot::none) || ...);
    if ((M == mode::grad || M == mode::value_and_grad || is_second(M)) && !one_real_number<std::remove_cvref_t<R>>)
      return refusal::not_scalar;
    if (is_jacobian(M) && std::is_void_v<R> && !((writable<A>() && slot_of<A>() != slot::none) || ...)) return refusal::no_output;
    if (!std::is_void_v<R> && slot_of<R>() != slot::value) return refusal::passive_result;
    if (!differentiable) return refusal::nothing_selected;
    if (by_name<W...> && !((W.position < 0) && ...)) return refusal::mixed_selection;
    if (by_name<W...>) return refusal::none;
    bool seen[n + 1] = {};
    const int positions[] = {W.position..., 0};
    for (int k = 0; k < int(sizeof...(W)); ++k) {
      const int i = positions[k];
      if (i >= n) return refusal::position;
      if (slots[i] == slot::none) return refusal::position_passive;
      if (seen[i]) return refusal::position_twice;
      seen[i] = true;
    }
    return refusal::none;
  }
  static constexpr refusal refused = check();
};

}  // namespace detail
}  // namespace tlaloc
