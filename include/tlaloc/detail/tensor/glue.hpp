// SPDX-License-Identifier: Apache-2.0
//
// What the code around a derivative of tensors calls, beside detail/glue.hpp. Not for users.
#pragma once

#include "tlaloc/detail/glue.hpp"
#include "tlaloc/detail/plan.hpp"
#include "tlaloc/detail/tensor/fields.hpp"
#include "tlaloc/ops.hpp"

namespace tlaloc::detail {

template <::tlaloc::element T> requires(is_floating(dtype_of<T>)) inline constexpr bool one_real_number<Tensor<T>> = true;

// A Jacobian has the axes of the result, then those of the argument.
template <class T, class... R, class U, class... X> struct block<Tensor<T, R...>, Tensor<U, X...>> {
  using type = Tensor<T, R..., X...>;
};
template <class T, class... R, std::floating_point U> struct block<Tensor<T, R...>, U> {
  using type = Tensor<T, R...>;
};
template <std::floating_point T, class U, class... X> struct block<T, Tensor<U, X...>> {
  using type = Tensor<T, X...>;
};
template <class U, class... X> struct block<void, Tensor<U, X...>> {
  using type = Tensor<U, X..., X...>;
};

template <class T, class... A> void put(Tensor<T, A...>& to, const AnyTensor& v) { to = typed<T, A...>(v); }
template <class T, class V> requires std::is_arithmetic_v<V> void put(Tensor<T>& to, V v) { to = Tensor<T>(static_cast<T>(v)); }
template <class T, class... A> void add(Tensor<T, A...>& to, const AnyTensor& v) { to = to + typed<T, A...>(v); }
template <class T, class V> requires std::is_arithmetic_v<V> void add(Tensor<T>& to, V v) { to = to + Tensor<T>(static_cast<T>(v)); }
/// Tensors as one, with one axis more in front: all have one shape.
AnyTensor rows_as_one(std::span<const AnyTensor>, const sig& of_each);
AnyTensor row(const AnyTensor& rows, std::size_t);
/// The same part of every element of an array or vector.
template <class C, class F> struct stacked {
  C& all;
  F part;
  stacked(C& all_, F part_) : all(all_), part(part_) {}
  operator AnyTensor() const {
    std::vector<AnyTensor> rows;
    for (auto& x : all)
      rows.push_back(part(x).any());
    return rows_as_one(rows, sig_of<std::remove_cvref_t<decltype(part(*std::begin(all)))>>);
  }
};
template <class C, class F> void put(const stacked<C, F>& to, const AnyTensor& v) {
  std::size_t k = 0;
  for (auto& x : to.all)
    put(to.part(x), row(v, k++));
}
template <class C, class F> void add(const stacked<C, F>& to, const AnyTensor& v) {
  std::size_t k = 0;
  for (auto& x : to.all)
    add(to.part(x), row(v, k++));
}
/// The number that a leaf is for a function of numbers.
template <class T, class X> T number(const X& x) {
  if constexpr (is_typed<X>) return static_cast<T>(x.item());
  else return static_cast<T>(x);
}
/// Zeros where x has no derivative; a real tensor is about to get one.
template <class T, class... A> void zero(Tensor<T, A...>& x) {
  if constexpr (!is_floating(dtype_of<T>)) x = Tensor<T, A...>::adopt(dynamic::full(dtype_of<T>, x.any().shape(), T()));
}

/// Something of the type to put results into; tensors have no default.
template <class T> T blank();
struct blank_field {
  template <class T> operator T() const { return blank<T>(); }
};
template <class T> T blank() {
  if constexpr (is_typed<T>) {
    return T::adopt(AnyTensor());
  } else if constexpr (std::is_default_constructible_v<T>) {
    return T{};
  } else if constexpr (tuple_like<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return T{blank<std::tuple_element_t<I, T>>()...}; }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return T{(void(I), blank_field{})...}; }(std::make_integer_sequence<int, field_count<T>()>());
  }
}

}  // namespace tlaloc::detail
