// SPDX-License-Identifier: Apache-2.0
//
// Differentiation of C++ functions at compile time:
//
//   auto df = tlaloc::grad(f);                 // every differentiable parameter
//   auto [dx, dy] = df(1.5, 0.3);
//
// The header parses in every C++20 compiler. The bodies of derivatives come from the Tlaloc plugin for Clang; without it
// the link fails by a name that says so. docs/ad.md is a tour.
#pragma once

#include "tlaloc/detail/glue.hpp"
#include "tlaloc/detail/plan.hpp"
#include "tlaloc/detail/refusals.hpp"
#include "tlaloc/detail/rules.hpp"
#include "tlaloc/detail/signature.hpp"
#include "tlaloc/detail/tangent.hpp"

#include <string_view>

// Never defined: what the linker names when a derivative is called in a file that was compiled without the plugin.
extern "C" void tlaloc_error_this_file_was_compiled_without_the_tlaloc_plugin();

// A derivative belongs to one translation unit: the type of a lambda or of a call site is not unique across them. Clang has
// an attribute; elsewhere a template argument of a type that is the unit's own does it.
#if defined(__clang__)
#define TLALOC_TU_LOCAL __attribute__((internal_linkage))
#define TLALOC_TU_ARGUMENT
#define TLALOC_TU_TEMPLATE
#else
#define TLALOC_TU_LOCAL
#define TLALOC_TU_ARGUMENT , class = detail::this_unit
#define TLALOC_TU_TEMPLATE template <class = detail::this_unit>
#endif

// On a declaration: the name of the function that is its rule. It goes where the declaration goes, and serves functions whose
// bodies are elsewhere: TLALOC_VJP(area_vjp) double area(double r);   double area_vjp(double r, double d_area);
#if defined(__clang__)
#define TLALOC_VJP(name) __attribute__((annotate("tlaloc::vjp " #name)))
#define TLALOC_JVP(name) __attribute__((annotate("tlaloc::jvp " #name)))
#else
#define TLALOC_VJP(name)
#define TLALOC_JVP(name)
#endif

// The body of a derivative's call. The plugin, which replaces it, says that it is there: what follows from types need not be found.
#if defined(TLALOC_PLUGIN)
#define TLALOC_CALL(arguments)                                            \
  tlaloc_error_this_file_was_compiled_without_the_tlaloc_plugin();        \
  __builtin_unreachable();
#else
#define TLALOC_CALL(arguments)                                                                                                   \
  using Result = typename detail::call_result<M_, Plan, Sig, detail::by_name<W_...>>::type;                                       \
  return derivative_call(detail::Call<Derivative, B_...>(), std::type_identity<Result>(), *this, arguments);
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#endif

namespace tlaloc {

namespace detail {

#if !defined(__clang__)
namespace {
struct this_unit;
}
#endif

// What a derivative calls, found by its arguments when it is instantiated at the end of the unit. The plugin replaces the
// calls; `tlaloc gen` writes overloads that fit better; else these are taken, and the linker tells what is missing.
template <class D_, class... B_> struct Call {};
template <class C_, class R_, class... X_> R_ derivative_call(C_, std::type_identity<R_>, X_&&...) {
  tlaloc_error_this_file_was_compiled_without_the_tlaloc_plugin();
  __builtin_unreachable();
}
template <class C_> std::string_view derivative_source(C_) {
  tlaloc_error_this_file_was_compiled_without_the_tlaloc_plugin();
  __builtin_unreachable();
}

}  // namespace detail

/// A derivative of the callable F, itself a callable. Calls take f's own arguments, some of them as shadow() or view(),
/// then tangents (jvp) or the result's cotangent (vjp).
template <detail::mode M_, class F_, class Site, arg... W_> class Derivative {
  using Sig = detail::signature_t<F_>;
  using Make = detail::make_plan<M_, Sig, W_...>;
  using Plain = detail::plain_call<M_, Sig, W_...>;
  F_ f_;
  friend struct detail::Inside;

 public:
  /// The call with every argument given as it is: what a derivative of this derivative differentiates.
  using plain = typename Plain::constant;
  using signature = typename Plain::signature;

  [[gnu::always_inline]] explicit Derivative(F_ f) : f_(static_cast<F_&&>(f)) {}
  const F_& function() const { return f_; }

  template <class... B_, auto Plan = Make::template call<B_...> TLALOC_TU_ARGUMENT>
    requires(Plan.refused == detail::refusal::none)
  TLALOC_TU_LOCAL typename detail::call_result<M_, Plan, Sig, detail::by_name<W_...>>::type operator()([[maybe_unused]] B_&&... b) const {
    TLALOC_CALL(b...)
  }
  template <class... B_, auto Plan = Make::template call<B_...>>
    requires(Plan.refused != detail::refusal::none)
  detail::Anything operator()(B_&&...) const TLALOC_REFUSE(Plan.refused) {
    TLALOC_ASSERT(Plan.refused)
    return {};
  }

  /// The C++ text of the derivative as it was compiled, for the kinds of calls that this translation unit makes. Helpers
  /// (the arena, say) stand only in the printed file.
  TLALOC_TU_TEMPLATE TLALOC_TU_LOCAL static std::string_view source() { return derivative_source(detail::Call<Derivative>()); }
};

/// A function as a type. Use it in headers that several files share, and for template instances: grad(fn<norm<double>>).
template <auto F_> struct Fn {
  template <class... A_> decltype(auto) operator()(A_&&... a) const { return F_(static_cast<A_&&>(a)...); }
};
template <auto F_> inline constexpr Fn<F_> fn{};

/// A callable with one signature chosen: what as() makes of a generic lambda.
template <class Sig, class F_> struct As;
template <class R_, class... A_, class F_> struct As<R_(A_...), F_> {
  F_ f_;
  R_ operator()(A_... a) const { return f_(static_cast<A_&&>(a)...); }
};
/// Picks one overload: grad(as<double(double)>(g)) ...
template <class Sig> constexpr Sig* as(Sig* f) { return f; }
/// ... or one signature of a generic lambda.
template <class Sig, class F_>
  requires std::is_class_v<F_>
As<Sig, F_> as(F_ f) { return {static_cast<F_&&>(f)}; }

/// The argument x, whose derivative is dx: nothing is returned for it. Reverse mode adds to dx (zero it first); jvp reads
/// it, and writes it for what f writes. Pointers and spans are taken by value, anything else must outlive the call.
template <class X_, class D_> auto shadow(X_&& x, D_&& dx) {
  return detail::Shadowed<detail::held_t<X_>, detail::held_t<D_>>{static_cast<X_&&>(x), static_cast<D_&&>(dx)};
}
/// The array of n elements at p: its derivative is a vector.
template <class T_> detail::Viewed<T_> view(T_* p, std::size_t n) { return {p, n}; }

// What only hands f on is inlined before the optimiser's long passes: a unit may have many.
// Refused requests and calls have overloads of their own: the reasons, two dozen, would else be weighed at each call.
// A function pointer's type does not say which function: each call of grad(f) has a type of its own, by the lambda in a
// default template argument, and the plugin looks at the call. What is overloaded fits neither, only the dots.
#define TLALOC_TRANSFORM(name)                                                                                           \
  template <arg... W_, class F_>                                                                                         \
    requires(std::is_class_v<F_> && detail::reason<detail::mode::name, F_, W_...> == detail::refusal::none)              \
  [[gnu::always_inline]] inline Derivative<detail::mode::name, F_, void, W_...> name(F_ f) {                             \
    return Derivative<detail::mode::name, F_, void, W_...>(static_cast<F_&&>(f));                                        \
  }                                                                                                                      \
  template <arg... W_, class F_, auto Site = [] {}>                                                                      \
    requires(!std::is_class_v<F_> && detail::reason<detail::mode::name, F_, W_...> == detail::refusal::none)             \
  [[gnu::always_inline]] inline Derivative<detail::mode::name, F_, decltype(Site), W_...> name(F_ f) {                   \
    return Derivative<detail::mode::name, F_, decltype(Site), W_...>(f);                                                 \
  }                                                                                                                      \
  template <arg... W_, class F_>                                                                                         \
    requires(detail::reason<detail::mode::name, F_, W_...> != detail::refusal::none)                                     \
  Derivative<detail::mode::name, F_, void, W_...> name(F_ f)                                                             \
      TLALOC_REFUSE((detail::reason<detail::mode::name, F_, W_...>)) {                                                   \
    TLALOC_ASSERT((detail::reason<detail::mode::name, F_, W_...>))                                                       \
    return Derivative<detail::mode::name, F_, void, W_...>(static_cast<F_&&>(f));                                        \
  }                                                                                                                      \
  template <arg... W_> void name(...) TLALOC_REFUSE(detail::refusal::no_function);

/// (A...) -> G: the gradient of a function with one floating-point result. G holds the selected tangents: bare if one, a
/// tuple if several, void if all have shadows. Without W every parameter that has a derivative is selected.
TLALOC_TRANSFORM(grad)
/// (A...) -> pair<R, G>
TLALOC_TRANSFORM(value_and_grad)
/// (A..., tangents of W) -> dR
TLALOC_TRANSFORM(jvp)
/// (A..., tangents of W) -> pair<R, dR>
TLALOC_TRANSFORM(value_and_jvp)
/// (A..., cotangent of R) -> G. Of a void function the shadows of its outputs hold the cotangent.
TLALOC_TRANSFORM(vjp)
/// (A..., cotangent of R) -> pair<R, G>
TLALOC_TRANSFORM(value_and_vjp)

// Of the next four: an argument that f may write (a reference, a mutable span, a view of a mutable pointer) is an output or
// scratch memory, and an input only where W selects it. f's own numbers are left in it. They take no shadows.

/// (A...) -> the Jacobian, a pass for each input: a number for a number of a number; array<array<R, N>, M> for an
/// array<R, M> of an array<T, N>; else a DenseMatrix of all outputs (rows, in the order of R's members and elements) by all
/// inputs (columns). Several W: a tuple with one such block each. The outputs of a void f are what it may write.
TLALOC_TRANSFORM(jacfwd)
/// The same with a pass for each output: for few outputs of many inputs.
TLALOC_TRANSFORM(jacrev)
/// (A...) -> DenseMatrix: the second derivatives of a scalar f by the numbers of all W, one after the other.
TLALOC_TRANSFORM(hessian)
/// (A..., v of W) -> G: the Hessian times v, at the cost of a few gradients.
TLALOC_TRANSFORM(hvp)

/// (A..., sets of W) -> set of R: what depends on what, on the way that f takes. A set of numbers from 0 to 52 is a double,
/// whole, with those bits; it is given and comes back where jvp has a tangent.
TLALOC_TRANSFORM(dependence)

// Rules of the user's. F and its rules are lambdas or function objects (a function f: tlaloc::fn<f>) whose arguments and
// results are numbers, arrays of fixed size and structs of them. What they capture has no derivative. Outside transforms the
// result is f. Where a mode has no rule it is refused: NO_VJP_RULE, NO_JVP_RULE.

/// f with rule(A..., cotangent of R) -> the cotangents of A (a tuple if several) as its reverse mode.
template <class F_, class Vjp, detail::refusal R_ = detail::rule_check<detail::rule::vjp, detail::signature_t<F_>, Vjp, detail::Nothing>::refused>
detail::Ruled<detail::rule::vjp, detail::signature_t<F_>, F_, Vjp, detail::Nothing> custom_vjp(F_ f, Vjp rule) TLALOC_REFUSE(R_) {
  TLALOC_ASSERT(R_)
  return {static_cast<F_&&>(f), static_cast<Vjp&&>(rule), {}};
}
/// The same in two steps: fwd(A...) -> pair<R, Res> in place of f, bwd(Res, cotangent of R) -> the cotangents of A.
template <class F_, class Fwd, class Bwd, detail::refusal R_ = detail::rule_check<detail::rule::residuals, detail::signature_t<F_>, Fwd, Bwd>::refused>
detail::Ruled<detail::rule::residuals, detail::signature_t<F_>, F_, Fwd, Bwd> custom_vjp(F_ f, Fwd fwd, Bwd bwd) TLALOC_REFUSE(R_) {
  TLALOC_ASSERT(R_)
  return {static_cast<F_&&>(f), static_cast<Fwd&&>(fwd), static_cast<Bwd&&>(bwd)};
}
/// f with rule(A..., tangents of A) -> tangent of R as its forward mode; linear in the tangents.
template <class F_, class Jvp, detail::refusal R_ = detail::rule_check<detail::rule::jvp, detail::signature_t<F_>, Jvp, detail::Nothing>::refused>
detail::Ruled<detail::rule::jvp, detail::signature_t<F_>, F_, Jvp, detail::Nothing> custom_jvp(F_ f, Jvp rule) TLALOC_REFUSE(R_) {
  TLALOC_ASSERT(R_)
  return {static_cast<F_&&>(f), static_cast<Jvp&&>(rule), {}};
}
/// x, as if it did not depend on anything.
template <class T_> constexpr T_ stop_gradient(T_ x) { return x; }

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#undef TLALOC_TRANSFORM
#undef TLALOC_CALL
#undef TLALOC_REFUSE
#undef TLALOC_ASSERT
#undef TLALOC_REFUSALS
#undef TLALOC_DIAGNOSE
#undef TLALOC_STATIC_ASSERT
#undef TLALOC_TU_LOCAL
#undef TLALOC_TU_ARGUMENT
#undef TLALOC_TU_TEMPLATE

}  // namespace tlaloc
