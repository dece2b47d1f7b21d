// SPDX-License-Identifier: Apache-2.0
//
// Random numbers as functions of a key: the same key gives the same numbers, here, compiled, and in JAX.
#pragma once

#include "tlaloc/detail/tensor/select.hpp"
#include "tlaloc/detail/tensor/shape.hpp"

namespace tlaloc {

namespace op {
struct random_gamma : elementwise<1, detail::floats> {};
struct random_beta : elementwise<2, detail::floats> {};
struct bernoulli : elementwise<1, detail::floats, dtype::boolean> {};
struct categorical : reduction_of_one<detail::floats, dtype::i32> {};
struct permutation : along_axis<detail::everything> {};
}  // namespace op

namespace random {

using dynamic::Axis, dynamic::Operand, dynamic::Shape;

/// How counters become bits: JAX's form since 0.5, in which each element's bits depend on its position alone, or the one before.
enum class stream : unsigned char { classic, partitionable };
/// How uniform numbers become normal ones: as in JAX, or by two uniform numbers each, computed in double.
enum class normal_form : unsigned char { inverse_erf, box_muller };
struct interval {
  double low = 0, high = 1;
};

using Key = Tensor<std::uint32_t, dim<2>>;

// --- untyped: a key is a tensor of two u32 ---
TLALOC_BEGIN_ENTRIES
AnyTensor key(const AnyTensor& seed); // a number of u64
AnyTensor split(const AnyTensor& key, const Shape&, stream = stream::partitionable);   // [shape..., 2]
AnyTensor fold_in(const AnyTensor& key, const AnyTensor& number);
AnyTensor bits(const AnyTensor& key, dtype, const Shape&, stream = stream::partitionable);
AnyTensor uniform(const AnyTensor& key, dtype, const Shape&, interval = {}, stream = stream::partitionable);
AnyTensor normal(const AnyTensor& key, dtype, const Shape&, normal_form = normal_form::inverse_erf, stream = stream::partitionable);
/// A normal number given that it lies in the open interval.
AnyTensor truncated_normal(const AnyTensor& key, dtype, const Shape&, interval, stream = stream::partitionable);
AnyTensor exponential(const AnyTensor& key, dtype, const Shape&, stream = stream::partitionable);
AnyTensor cauchy(const AnyTensor& key, dtype, const Shape&, stream = stream::partitionable);
AnyTensor gumbel(const AnyTensor& key, dtype, const Shape&, stream = stream::partitionable);
/// Of Gamma(alpha, 1), for each alpha; differentiable by alpha.
AnyTensor gamma(const AnyTensor& key, const AnyTensor& alpha, stream = stream::partitionable);
AnyTensor log_gamma(const AnyTensor& key, const AnyTensor& alpha, stream = stream::partitionable);
AnyTensor chi_square(const AnyTensor& key, const AnyTensor& freedom, stream = stream::partitionable);
AnyTensor beta(const AnyTensor& key, const Operand& a, const Operand& b, stream = stream::partitionable);
/// True with probability p.
AnyTensor bernoulli(const AnyTensor& key, const AnyTensor& p, stream = stream::partitionable);
/// An index along the axis, with probabilities proportional to exp(logits).
AnyTensor categorical(const AnyTensor& key, const AnyTensor& logits, const Axis& = -1, stream = stream::partitionable);
AnyTensor permutation(const AnyTensor& key, const AnyTensor& x, const Axis& = 0, stream = stream::partitionable);
TLALOC_END_ENTRIES

// --- typed ---
inline Key key(std::uint64_t seed) { return Key::adopt(key(Scalar<std::uint64_t>(seed).any())); }
/// A new key for a number, such as a step's.
inline Key fold_in(const Key& key, const Scalar<std::uint32_t>& number) {
  return Key::adopt(fold_in(key.any(), number.any()));
}
/// auto [a, b] = split(key);
template <std::size_t N = 2> std::array<Key, N> split(const Key& key, stream s = stream::partitionable) {
  const AnyTensor all = split(key.any(), {extent_t(N)}, s);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Key, N>{Key::adopt(dynamic::reshape(dynamic::slice(all, 0, extent_t(I), extent_t(I + 1)), Shape{2}))...};
  }(std::make_index_sequence<N>());
}
/// One key for each position of an axis.
template <class K> Tensor<std::uint32_t, K, dim<2>> split(const Key& key, extent_t n = detail::ax_of<K>.extent, stream s = stream::partitionable) {
  return typed<std::uint32_t, K, dim<2>>(split(key.any(), {n}, s));
}

#define TLALOC_DRAW(name, parameters, passed)                                                                            \
  template <typed_tensor X>                                                                                              \
  X name(const Key& key, const typename X::shape_type& shape = X::static_extents TLALOC_UNPACK parameters,               \
         stream s = stream::partitionable) {                                                                             \
    return X::adopt(dynamic::checked(name(key.any(), dtype_of<typename X::value_type>, Shape(shape.data(), X::rank) TLALOC_UNPACK passed, s), \
                                     detail::sig_of<X>));                                                                \
  }
TLALOC_DRAW(bits, (), ())
TLALOC_DRAW(uniform, (, interval between = {}), (, between))
TLALOC_DRAW(normal, (, normal_form form = normal_form::inverse_erf), (, form))
TLALOC_DRAW(exponential, (), ())
TLALOC_DRAW(cauchy, (), ())
TLALOC_DRAW(gumbel, (), ())
template <typed_tensor X>
X truncated_normal(const Key& key, interval between, const typename X::shape_type& shape = X::static_extents, stream s = stream::partitionable) {
  return X::adopt(dynamic::checked(truncated_normal(key.any(), dtype_of<typename X::value_type>, Shape(shape.data(), X::rank), between, s), detail::sig_of<X>));
}
#undef TLALOC_DRAW

TLALOC_BEGIN_OPS
TLALOC_OP(gamma(const Key& key, const A& alpha, stream s = stream::partitionable), random::gamma(key.any(), alpha.any(), s),
          typed_tensor A, class R = detail::result<op::random_gamma, A>)
TLALOC_OP(log_gamma(const Key& key, const A& alpha, stream s = stream::partitionable), random::log_gamma(key.any(), alpha.any(), s),
          typed_tensor A, class R = detail::result<op::random_gamma, A>)
TLALOC_OP(chi_square(const Key& key, const A& freedom, stream s = stream::partitionable), random::chi_square(key.any(), freedom.any(), s),
          typed_tensor A, class R = detail::result<op::random_gamma, A>)
TLALOC_OP(beta(const Key& key, const A& a, const B& b, stream s = stream::partitionable), random::beta(key.any(), detail::lift(a), detail::lift(b), s),
          class A, detail::operand_beside<A> B, class R = detail::result<op::random_beta, A, B>)
TLALOC_OP(bernoulli(const Key& key, const A& p, stream s = stream::partitionable), random::bernoulli(key.any(), p.any(), s),
          typed_tensor A, class R = detail::result<op::bernoulli, A>)
TLALOC_OP(categorical(const Key& key, const A& logits, stream s = stream::partitionable), (random::categorical(key.any(), logits.any(), detail::axis_named<K>, s)),
          class K, typed_tensor A, class R = detail::result<op::categorical, A, detail::names<K>>)
TLALOC_OP(permutation(const Key& key, const A& x, stream s = stream::partitionable), (random::permutation(key.any(), x.any(), detail::axis_named<K>, s)),
          class K, typed_tensor A, class R = detail::result<op::permutation, A, detail::names<K>>)
TLALOC_END_OPS

}  // namespace random
}  // namespace tlaloc
