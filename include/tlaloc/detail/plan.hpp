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
  template <std::size_t N_> consteval arg(const char (&text)[N_]) {
    static_assert(N_ > 1 && N_ <= sizeof name, "the name of a parameter has 1 to 63 characters");
    for (std::size_t i = 0; i < N_; ++i) name[i] = text[i];
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

template <std::size_t N_> struct Plan {
  refusal refused = refusal::none;
  int returned = 0;                               // how many tangents come back (or, in jvp, go in)
  role roles[N_ + 1] = {};
  int order[N_ + 1] = {};                          // their parameters, in the order of the selection; not for names
};

template <class B_> struct given_as {
  static constexpr bool plain = true, shadow = false, view = false;
  using value = B_;
};
template <class X_, class D_> struct given_as<Shadowed<X_, D_>> {
  static constexpr bool plain = false, shadow = true, view = false;
  using value = X_;
  using derivative = D_;
};
template <class T_> struct given_as<Viewed<T_>> {
  static constexpr bool plain = false, shadow = false, view = true;
  using value = T_*;
};

template <class T_> inline constexpr char type_id = 0;

/// May f write what it is given?
template <class P_> consteval bool writable() {
  using U_ = std::remove_reference_t<P_>;
  if constexpr (std::is_pointer_v<U_>) return !std::is_const_v<std::remove_pointer_t<U_>>;
  else if constexpr (span_traits<std::remove_cv_t<U_>>::is_span) return !span_traits<std::remove_cv_t<U_>>::is_const;
  else return std::is_lvalue_reference_v<P_> && !std::is_const_v<U_>;
}

/// The facts of one argument B for a parameter P.
struct Given {
  slot kind;
  bool plain, shadow, view, writable;
  refusal refused;
  const char* tangent;                            // tells types apart
};
template <class P_, class B_> consteval Given given() {
  using G_ = given_as<std::remove_cvref_t<B_>>;
  Given g{slot_of<P_>(), G_::plain, G_::shadow, G_::view, writable<P_>(), refusal::none, &type_id<tangent_t<P_>>};
  using Value = std::conditional_t<G_::plain, B_, typename G_::value>;
  if (!std::is_convertible_v<Value, P_>) g.refused = refusal::argument;
  if constexpr (G_::shadow) {
    if (g.kind == slot::none) g.refused = refusal::shadow_of_nothing;
    else if (!std::is_convertible_v<typename G_::derivative, typename shadow_of<P_>::type>) g.refused = refusal::shadow_type;
  }
  return g;
}

template <class...> struct types {};
template <std::size_t I_, class List> struct element;
template <std::size_t I_, class... T_> struct element<I_, types<T_...>> : std::tuple_element<I_, std::tuple<T_...>> {};

/// The tangents of the selected arguments, in order, as a list of types.
template <auto P_, class Sig, bool ByName> struct selected;
template <auto P_, class R_, class... A_, bool ByName> struct selected<P_, R_(A_...), ByName> {
  static consteval int parameter(int k) {
    if (!ByName) return P_.order[k];
    for (int i = 0; i < int(sizeof...(A_)); ++i)   // all that a name may mean have one type
      if (P_.roles[i] == role::named) return i;
    return 0;
  }
  template <std::size_t... K_>
  static types<tangent_t<std::tuple_element_t<parameter(K_), std::tuple<A_...>>>...> list(std::index_sequence<K_...>);
  using type = decltype(list(std::make_index_sequence<P_.returned>()));
};

template <auto> struct Constant {};               // a value that the plugin reads off a type

template <arg... W_> inline constexpr bool by_name = ((W_.position < 0) || ...);

/// make_plan<M, R(A...), W...>::call<B...> is the plan of a call with arguments of types B.
template <mode M_, class Sig, arg... W_> struct make_plan {       // no signature: refused at the request
  template <class... B_> static constexpr Plan<0> call = {refusal::no_signature};
  static consteval Plan<0> plain() { return {refusal::no_signature}; }
};
template <mode M_, class R_, class... A_, arg... W_> struct make_plan<M_, R_(A_...), W_...> {
  static constexpr std::size_t n = sizeof...(A_);
  using P_ = Plan<n>;

  /// All arguments given as they are; tangents and cotangent not counted.
  static consteval P_ plain() {
    const Given args[n + 1] = {given<A_, A_>()...};
    return select(args);
  }

 private:
  template <class... B_> static consteval P_ of() {
    if constexpr (sizeof...(B_) < n) {
      return {refusal::argument_count};
    } else {
      constexpr P_ p = counted(std::make_index_sequence<n>(), static_cast<std::tuple<B_...>*>(nullptr));
      if constexpr (p.refused == refusal::none && sizeof...(B_) > n)
        if (!extras_convert<p, std::tuple<B_...>>(std::make_index_sequence<sizeof...(B_) - n>())) return {refusal::extra};
      return p;
    }
  }
  template <std::size_t... I_, class Tuple> static consteval P_ counted(std::index_sequence<I_...>, Tuple*) {
    const Given args[n + 1] = {given<A_, std::tuple_element_t<I_, Tuple>>()...};
    P_ p = select(args);
    if (p.refused != refusal::none) return p;
    const std::size_t more = std::tuple_size_v<Tuple> - n;
    if (takes_tangents(M_)) return more == std::size_t(p.returned) ? p : P_{refusal::tangent_count};
    if (is_vjp(M_)) return more == (std::is_void_v<R_> ? 0u : 1u) ? p : P_{refusal::cotangent_count};
    return more == 0 ? p : P_{refusal::argument_count};
  }
  template <P_ p, class Tuple, std::size_t... K_> static consteval bool extras_convert(std::index_sequence<K_...>) {
    using Types = std::conditional_t<takes_tangents(M_), typename selected<p, R_(A_...), by_name<W_...>>::type, types<tangent_t<R_>>>;
    return (std::is_convertible_v<std::tuple_element_t<n + K_, Tuple>, typename element<K_, Types>::type> && ...);
  }
  static consteval P_ select(const Given* args) {
    P_ p;
    int shadows = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (args[i].refused != refusal::none) return {args[i].refused};
      if (args[i].shadow && is_closed(M_)) return {refusal::shadow_unused};
      if (args[i].shadow) p.roles[i] = role::shadowed, ++shadows;
    }
    if constexpr (by_name<W_...>) {
      select_names(p, args, shadows);
    } else if constexpr (sizeof...(W_) > 0) {
      for (int i : {W_.position...})
        if (i < int(n)) take(p, args[i], i);
        else return {refusal::position};
    } else {
      for (std::size_t i = 0; i < n; ++i)
        if (is_closed(M_) && args[i].writable) continue;
        else if (args[i].view || (args[i].kind != slot::none && args[i].kind != slot::mutable_span)) take(p, args[i], int(i));
    }
    if (is_closed(M_) && p.refused == refusal::none && p.returned == 0) p.refused = refusal::only_outputs;
    return p;
  }
  /// Arguments with shadows are taken to be named first, then views, then all others; the plugin checks that.
  static consteval void select_names(P_& p, const Given* args, int shadows) {
    const int names = int(sizeof...(W_));
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
  static consteval void take(P_& p, const Given& a, int i) {
    if (a.shadow || p.refused != refusal::none) return;
    if (a.plain && a.kind == slot::pointer) p.refused = refusal::raw_pointer;
    else if (a.plain && a.kind == slot::mutable_span && !is_closed(M_)) p.refused = refusal::mutable_span;
    else p.roles[i] = role::returned, p.order[p.returned++] = i;
  }

 public:
  template <class... B_> static constexpr P_ call = of<B_...>();
};

// --- the types that come back ---
template <class... T_> struct bundle { using type = std::tuple<T_...>; };
template <class T_> struct bundle<T_> { using type = T_; };
template <> struct bundle<> { using type = void; };
template <class A_, class B_> struct pair_of { using type = std::pair<A_, B_>; };
template <class A_> struct pair_of<A_, void> { using type = A_; };
template <class B_> struct pair_of<void, B_> { using type = B_; };
template <> struct pair_of<void, void> { using type = void; };

struct Anything {                                 // the result of a refused call: one mistake, one error
  template <class T_> operator T_() const;
};

/// The number type of a matrix of derivatives: that of the numbers in T; double where T is a struct.
template <class T_> struct number_of { using type = double; };
template <std::floating_point T_> struct number_of<T_> { using type = T_; };
template <class T_>
  requires requires { typename T_::value_type; }
struct number_of<T_> : number_of<typename T_::value_type> {};

/// The Jacobian of a result R by an argument with tangent T.
template <class R_, class T_> struct block { using type = DenseMatrix<typename number_of<R_>::type>; };
template <class T_> struct block<void, T_> { using type = DenseMatrix<typename number_of<T_>::type>; };
template <std::floating_point R_, std::floating_point T_> struct block<R_, T_> { using type = R_; };
template <std::floating_point R_, std::size_t M_, std::floating_point T_, std::size_t N_>
struct block<std::array<R_, M_>, std::array<T_, N_>> { using type = std::array<std::array<R_, N_>, M_>; };

template <mode M_, class R_, class... T_> struct derivative_of : bundle<T_...> {};
template <mode M_, class R_, class... T_>
  requires(is_jvp(M_))
struct derivative_of<M_, R_, T_...> { using type = tangent_t<R_>; };
template <mode M_, class R_, class... T_>
  requires(is_jacobian(M_))
struct derivative_of<M_, R_, T_...> : bundle<typename block<tangent_t<R_>, T_>::type...> {};
template <class R_, class T_, class... More> struct derivative_of<mode::hessian, R_, T_, More...> { using type = typename block<void, T_>::type; };

template <mode M_, class R_, class... T_> struct returns {
  using value = std::conditional_t<with_value(M_), std::remove_cvref_t<R_>, void>;
  using type = typename pair_of<value, typename derivative_of<M_, R_, T_...>::type>::type;
};

/// What a call gives.
template <mode M_, auto P_, class Sig, bool ByName> struct call_result { using type = Anything; };
template <mode M_, auto P_, class R_, class... A_, bool ByName>
  requires(P_.refused == refusal::none)
struct call_result<M_, P_, R_(A_...), ByName> {
  template <class... T_> static typename returns<M_, R_, T_...>::type of(types<T_...>);
  using type = decltype(of(typename selected<P_, R_(A_...), ByName>::type()));
};

/// The signature of a derivative, for a derivative of it.
template <mode M_, auto P_, class Sig, bool ByName> struct plain_signature { using type = NoSignature; };
template <mode M_, auto P_, class R_, class... A_, bool ByName>
  requires(P_.refused == refusal::none)
struct plain_signature<M_, P_, R_(A_...), ByName> {
  using result = typename call_result<M_, P_, R_(A_...), ByName>::type;
  template <class T_> using passed = std::conditional_t<std::is_arithmetic_v<T_>, T_, const T_&>;
  template <class... T_> static auto of(types<T_...>) {
    if constexpr (takes_tangents(M_)) return std::type_identity<result(A_..., passed<T_>...)>();
    else if constexpr (is_vjp(M_) && !std::is_void_v<R_>) return std::type_identity<result(A_..., passed<tangent_t<R_>>)>();
    else return std::type_identity<result(A_...)>();
  }
  using type = typename decltype(of(typename selected<P_, R_(A_...), ByName>::type()))::type;
};

/// What a derivative of a derivative differentiates: the call with every argument given as it is.
template <mode M_, class Sig, arg... W_> struct plain_call {
  static constexpr auto plan = make_plan<M_, Sig, W_...>::plain();
  using constant = Constant<plan>;
  using signature = typename plain_signature<M_, plan, Sig, by_name<W_...>>::type;
};

/// Results that have a gradient: one real number. Tensors of rank 0 are added by their header.
template <class R_> inline constexpr bool one_real_number = std::is_floating_point_v<R_>;

/// What is wrong with a request, whatever the arguments of its calls will be.
template <mode M_, class Sig, arg... W_> struct request { static constexpr refusal refused = refusal::no_signature; };
template <mode M_, class R_, class... A_, arg... W_> struct request<M_, R_(A_...), W_...> {
  static consteval refusal check() {
    constexpr int n = int(sizeof...(A_));
    constexpr slot slots[n + 1] = {slot_of<A_>()...};
    constexpr bool differentiable = ((slot_of<A_>() != slot::none) || ...);
    if ((M_ == mode::grad || M_ == mode::value_and_grad || is_second(M_)) && !one_real_number<std::remove_cvref_t<R_>>)
      return refusal::not_scalar;
    if (is_jacobian(M_) && std::is_void_v<R_> && !((writable<A_>() && slot_of<A_>() != slot::none) || ...)) return refusal::no_output;
    if (!std::is_void_v<R_> && slot_of<R_>() != slot::value) return refusal::passive_result;
    if (!differentiable) return refusal::nothing_selected;
    if (by_name<W_...> && !((W_.position < 0) && ...)) return refusal::mixed_selection;
    if (by_name<W_...>) return refusal::none;
    bool seen[n + 1] = {};
    const int positions[] = {W_.position..., 0};
    for (int k = 0; k < int(sizeof...(W_)); ++k) {
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
template <mode M_, class F_, arg... W_> inline constexpr refusal reason = request<M_, signature_t<F_>, W_...>::refused;

}  // namespace detail
}  // namespace tlaloc
