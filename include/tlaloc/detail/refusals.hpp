// SPDX-License-Identifier: Apache-2.0
//
// What types alone prove wrong, each with the text that the compiler prints. Clang reports it at the user's own call, by
// diagnose_if; other compilers by a static_assert.
#pragma once

// A line of this list: a condition that the user of the list brings, a name, the message.
#define TLALOC_REFUSALS(_, e)                                                                                          \
  _(e, no_signature, "NO_SIGNATURE: this callable has no single signature; choose one with tlaloc::as<R(A...)>(f), and " \
                  "wrap a derivative that takes raw pointers in a lambda")                                             \
  _(e, no_function, "NO_SIGNATURE: a transform takes one function and nothing else; choose an overload or an instance of a " \
                 "template with tlaloc::as<R(A...)>(f), and give the arguments to the result: grad(f)(x)")              \
  _(e, not_scalar, "NOT_SCALAR: grad, hessian and hvp need a function whose result is one floating-point number; use " \
                "vjp, jvp or a Jacobian")                                                                              \
  _(e, no_output, "NOT_DIFFERENTIABLE: the function returns nothing and can write to none of its parameters")         \
  _(e, passive_result, "NOT_DIFFERENTIABLE: the function's result has no derivative")                                  \
  _(e, position, "UNKNOWN_ARGUMENT: a position selects a parameter that the function does not have; the first is 0")   \
  _(e, position_twice, "UNKNOWN_ARGUMENT: a parameter is selected twice")                                              \
  _(e, position_passive, "NOT_DIFFERENTIABLE: a position selects a parameter whose type has no derivative")            \
  _(e, mixed_selection, "UNKNOWN_ARGUMENT: select the parameters all by position or all by name")                      \
  _(e, nothing_selected, "NOT_DIFFERENTIABLE: the function has no parameter whose type has a derivative")              \
  _(e, argument_count, "ARGUMENT_MISMATCH: a derivative takes the function's own arguments, one for each parameter")   \
  _(e, argument, "ARGUMENT_MISMATCH: an argument does not convert to the type of its parameter")                       \
  _(e, tangent_count, "ARGUMENT_MISMATCH: jvp takes the function's arguments, then one tangent for each selected "     \
                   "argument that has no shadow")                                                                      \
  _(e, cotangent_count, "ARGUMENT_MISMATCH: vjp takes the function's arguments, then the cotangent of its result "     \
                     "(none if that is void)")                                                                         \
  _(e, extra, "ARGUMENT_MISMATCH: a tangent or cotangent does not convert to the type of what it belongs to")          \
  _(e, raw_pointer, "NEEDS_SHADOW: a raw pointer has no length; give it as tlaloc::shadow(p, dp), where dp takes the " \
                 "derivative, or as tlaloc::view(p, n) to have it returned as a vector")                               \
  _(e, mutable_span, "NEEDS_SHADOW: a mutable span is differentiated through tlaloc::shadow(s, ds) only")              \
  _(e, shadow_unused, "ARGUMENT_MISMATCH: Jacobians, hessian and hvp return what they compute and take no shadow; give " \
                   "an array as tlaloc::view(p, n)")                                                                   \
  _(e, only_outputs, "UNKNOWN_ARGUMENT: every parameter that has a derivative is one that the function may write, "    \
                  "which makes it an output; select by position those that are inputs too")                            \
  _(e, rule_arguments, "RULE_MISMATCH: a function with a rule of its own takes and returns numbers, arrays of fixed size " \
                    "and structs of them, by value or const reference")                                                \
  _(e, rule_mismatch, "RULE_MISMATCH: a rule has the signature of the derivative that it replaces: vjp rule(A..., "     \
                   "cotangent of R) -> the tangents of A that have one; jvp rule(A..., those tangents) -> tangent of R; " \
                   "with residuals fwd(A...) -> pair<R, Res> and bwd(Res, cotangent of R)")                            \
  _(e, shadow_of_nothing, "NOT_DIFFERENTIABLE: tlaloc::shadow is given for a parameter whose type has no derivative")  \
  _(e, shadow_type, "ARGUMENT_MISMATCH: a shadow has another type than what it is the derivative of (or is const)")    \
  _(e, name_types, "UNKNOWN_ARGUMENT: names need parameters whose derivatives are all of one type; select by position")

namespace tlaloc::detail {

#define TLALOC_ENUMERATOR(e, name, text) name,
enum class refusal : unsigned char { none, TLALOC_REFUSALS(TLALOC_ENUMERATOR, 0) };
#undef TLALOC_ENUMERATOR

}  // namespace tlaloc::detail

// TLALOC_REFUSE(r) behind a function's declarator, TLALOC_ASSERT(r) first in its body.
#if defined(__clang__)
#define TLALOC_DIAGNOSE(e, name, text) __attribute__((diagnose_if((e) == ::tlaloc::detail::refusal::name, text, "error")))
#define TLALOC_REFUSE(r) TLALOC_REFUSALS(TLALOC_DIAGNOSE, r)
#define TLALOC_ASSERT(r)
#else
#define TLALOC_REFUSE(r)
#define TLALOC_STATIC_ASSERT(e, name, text) static_assert((e) != ::tlaloc::detail::refusal::name, text);
#define TLALOC_ASSERT(r) TLALOC_REFUSALS(TLALOC_STATIC_ASSERT, r)
#endif
