// SPDX-License-Identifier: Apache-2.0
#include "tensor/entries.hpp"

#include "tlaloc/linalg.hpp"
#include "tlaloc/random.hpp"

#include <cstring>

namespace tlaloc::dynamic {
namespace {

template <class P> struct Parameter {
  static_assert(std::is_trivially_copyable_v<P>);
  static constexpr Takes takes = Takes::bytes;
  static P from(const Argument& a) {
    P out;
    if (a.bytes.size() != sizeof out) refuse("INVALID_OPERATION", "an argument of " + std::to_string(a.bytes.size()) + " bytes where " + std::to_string(sizeof out) + " are meant");
    std::memcpy(static_cast<void*>(&out), a.bytes.data(), sizeof out);
    return out;
  }
};
template <class T, Takes What, auto Member> struct Single {
  static constexpr Takes takes = What;
  static const T& from(const Argument& a) { return (a.*Member).at(0); }
};
template <class T, Takes What, auto Member> struct List {
  static constexpr Takes takes = What;
  static std::span<const T> from(const Argument& a) { return a.*Member; }
};
template <> struct Parameter<AnyTensor> : Single<AnyTensor, Takes::tensor, &Argument::tensors> {};
template <> struct Parameter<Operand> : Single<Operand, Takes::operand, &Argument::operands> {};
template <> struct Parameter<std::span<const AnyTensor>> : List<AnyTensor, Takes::tensors, &Argument::tensors> {};
template <> struct Parameter<std::span<const Operand>> : List<Operand, Takes::operands, &Argument::operands> {};
template <> struct Parameter<std::span<const extent_t>> : List<extent_t, Takes::extents, &Argument::extents> {};
template <> struct Parameter<Shape> {
  static constexpr Takes takes = Takes::extents;
  static Shape from(const Argument& a) { return Shape(a.extents.data(), int(a.extents.size())); }
};
template <> struct Parameter<const char*> {
  static constexpr Takes takes = Takes::text;
  static const char* from(const Argument& a) { return a.text.c_str(); }
};
template <> struct Parameter<Rule> {
  static constexpr Takes takes = Takes::rule;
  static Rule from(const Argument&) { return nullptr; }
};
// Axis and the like have no default constructor.
template <class P> requires std::is_base_of_v<Axes, P> struct Parameter<P> {
  static constexpr Takes takes = Takes::bytes;
  static P from(const Argument& a) { return P(Parameter<detail::sig>::from(a)); }
};

std::vector<AnyTensor> parts(AnyTensor x) { return {std::move(x)}; }
template <class S> std::vector<AnyTensor> parts(const S& of_two) {
  auto& [a, b] = of_two;
  return {a, b};
}
template <> std::vector<AnyTensor> parts(const linalg::Svd<AnyTensor, AnyTensor, AnyTensor>& f) {
  return {f.u, f.s, f.vt};
}

template <auto F, class R, class... P>
std::vector<AnyTensor> call(std::span<const Argument> a, std::type_identity<R (*)(P...)>) {
  if (a.size() != sizeof...(P)) refuse("INVALID_OPERATION", "a call with " + std::to_string(a.size()) + " arguments");
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return parts(F(Parameter<std::remove_cvref_t<P>>::from(a[I])...)); }(std::index_sequence_for<P...>());
}
template <class R, class... P> std::string letters(std::type_identity<R (*)(P...)>) {
  return {char(Parameter<std::remove_cvref_t<P>>::takes)...};
}
template <class... P> std::string letters(std::type_identity<AnyTensor (*)(P...)>) { return {char(Parameter<std::remove_cvref_t<P>>::takes)...}; }
template <auto F> Entry entry(std::string_view name) {
  using Type = std::type_identity<decltype(F)>;
  return {name, letters(Type()), [](std::span<const Argument> a) { return call<F>(a, Type()); }};
}
template <class... P> constexpr auto pick(AnyTensor (*f)(P...)) { return f; }

template <int N> detail::outcome any_dtype(const detail::sig* s) { return detail::rules::elementwise(s, N, detail::everything, dtype::none); }
AnyTensor checked_elementwise(const char* op, Rule, std::span<const Operand> in) {
  constexpr Rule rules[] = {any_dtype<1>, any_dtype<2>, any_dtype<3>};
  return elementwise(op, rules[in.size() - 1], in);
}
AnyTensor full_of(const detail::sig& s, std::span<const extent_t> shape, const Operand& value) {
  const Shape dims(shape.data(), int(shape.size()));
  return checked(value.tensor ? spread(value, ir_type(s.type), shape_of(dims))
                              : full(s.type, dims, value), s); // a number of the run is a tensor here
}

#define ENTRY(f) entry<&f>(#f)
#define OVERLOAD(f, ...) entry<pick<__VA_ARGS__>(&f)>(#f)
#define SEVERAL(f, ...) entry<static_cast<__VA_ARGS__ (*)(A)>(&f)>(#f)
using A = const AnyTensor&;
using linalg::triangular, random::interval, random::normal_form, random::stream;

std::vector<Entry> all() {
  return {
      entry<&checked_elementwise>("elementwise"), entry<&full_of>("full"),
      // select.hpp, any.hpp
      ENTRY(compare), ENTRY(where), OVERLOAD(cast, A, dtype), ENTRY(arange), ENTRY(checked),
      // activations.hpp
      ENTRY(relu), ENTRY(sigmoid), ENTRY(silu), ENTRY(gelu), ENTRY(softplus), ENTRY(elu), ENTRY(leaky_relu), ENTRY(logaddexp), ENTRY(clip),
      // dot.hpp
      ENTRY(matmul), ENTRY(contract), OVERLOAD(einsum, const char*, std::span<const AnyTensor>),
      // reduce.hpp
      ENTRY(sum), ENTRY(prod), ENTRY(max), ENTRY(min), ENTRY(mean), ENTRY(var), ENTRY(stddev), ENTRY(norm), ENTRY(logsumexp), ENTRY(any),
      entry<pick<A, const Axes&, bool>(&dynamic::all)>("all"), ENTRY(argmax), ENTRY(argmin), ENTRY(softmax), ENTRY(log_softmax), ENTRY(cumsum), ENTRY(cumprod),
      ENTRY(sort), ENTRY(argsort), ENTRY(top_k), ENTRY(top_k_indices), ENTRY(roll),
      // shape.hpp
      OVERLOAD(reshape, A, const Axes&, std::span<const extent_t>),
      OVERLOAD(reshape, A, const Shape&),
      ENTRY(rename), ENTRY(relabel), ENTRY(transpose), ENTRY(flip),
      OVERLOAD(broadcast_to, A, const Axes&, std::span<const extent_t>), OVERLOAD(concat, std::span<const AnyTensor>, const Axis&), ENTRY(slice), ENTRY(pad),
      OVERLOAD(one_hot, A, const Axis&, extent_t, dtype), ENTRY(embedding), ENTRY(gather), ENTRY(take_along_axis), ENTRY(scatter), ENTRY(scatter_add),
      // window.hpp
      ENTRY(conv), ENTRY(conv_transpose), ENTRY(max_pool), ENTRY(avg_pool), ENTRY(layer_norm), ENTRY(rms_norm), ENTRY(group_norm),
      OVERLOAD(batch_norm, A, A, A, double),
      OVERLOAD(batch_norm, A, A, A, A, A, double),
      // losses.hpp
      OVERLOAD(cross_entropy, A, A, const Axis&),
      OVERLOAD(nll_loss, A, A, const Axis&), ENTRY(kl_div), ENTRY(huber_loss), ENTRY(binary_cross_entropy_with_logits),
      // linalg.hpp
      OVERLOAD(linalg::cholesky, A),
      OVERLOAD(linalg::solve_triangular, A, A, triangular),
      OVERLOAD(linalg::solve, A, A),
      OVERLOAD(linalg::solve_spd, A, A),
      OVERLOAD(linalg::inv, A),
      OVERLOAD(linalg::inv_spd, A),
      OVERLOAD(linalg::det, A),
      OVERLOAD(linalg::log_det_spd, A),
      SEVERAL(linalg::slogdet, linalg::Slogdet<AnyTensor>),
      SEVERAL(linalg::qr, linalg::Qr<AnyTensor, AnyTensor>),
      SEVERAL(linalg::eigh, linalg::Eigh<AnyTensor, AnyTensor>),
      SEVERAL(linalg::svd, linalg::Svd<AnyTensor, AnyTensor, AnyTensor>),
      OVERLOAD(linalg::eigvalsh, A),
      OVERLOAD(linalg::svdvals, A),
      OVERLOAD(linalg::lstsq, A, A),
      OVERLOAD(linalg::pinv, A),
      OVERLOAD(linalg::norm, A, linalg::matrix_norm),
      OVERLOAD(linalg::trace, A),
      OVERLOAD(linalg::diagonal, A),
      OVERLOAD(linalg::diag, A),
      OVERLOAD(linalg::tril, A, extent_t),
      OVERLOAD(linalg::triu, A, extent_t),
      OVERLOAD(linalg::scale_triangles, A, double, double, double),
      OVERLOAD(linalg::outer, A, A),
      OVERLOAD(linalg::kron, A, A),
      // random.hpp
      OVERLOAD(random::key, A),
      OVERLOAD(random::split, A, const Shape&, stream),
      OVERLOAD(random::fold_in, A, A),
      OVERLOAD(random::bits, A, dtype, const Shape&, stream),
      OVERLOAD(random::uniform, A, dtype, const Shape&, interval, stream),
      OVERLOAD(random::normal, A, dtype, const Shape&, normal_form, stream),
      OVERLOAD(random::truncated_normal, A, dtype, const Shape&, interval, stream),
      OVERLOAD(random::exponential, A, dtype, const Shape&, stream),
      OVERLOAD(random::cauchy, A, dtype, const Shape&, stream),
      OVERLOAD(random::gumbel, A, dtype, const Shape&, stream),
      OVERLOAD(random::gamma, A, A, stream),
      OVERLOAD(random::log_gamma, A, A, stream),
      OVERLOAD(random::chi_square, A, A, stream),
      OVERLOAD(random::beta, A, const Operand&, const Operand&, stream),
      OVERLOAD(random::bernoulli, A, A, stream),
      OVERLOAD(random::categorical, A, A, const Axis&, stream),
      OVERLOAD(random::permutation, A, A, const Axis&, stream),
  };
}

}  // namespace

std::span<const Entry> entries() {
  static const std::vector<Entry> list = all();
  return list;
}
const Entry* find_entry(std::string_view name, std::string_view takes) {
  for (auto& e : entries())
    if (e.name == name && e.takes == takes) return &e;
  return nullptr;
}

}  // namespace tlaloc::dynamic
