// SPDX-License-Identifier: Apache-2.0
//
// Tensor<T, Axes...>: an immutable value whose type says what its elements and axes are.
#pragma once

#include "tlaloc/detail/tensor/refuse.hpp"

#include <array>

namespace tlaloc {

namespace detail {

template <class X> inline constexpr bool all_static = false;
template <class T, class... A> inline constexpr bool all_static<Tensor<T, A...>> = ((ax_of<A>.extent != dyn) && ...);

// Behind the members of Tensor; each checks the shape against the type and refuses by name.
TLALOC_BEGIN_ENTRIES
AnyTensor full(const sig&, const extent_t* shape, dynamic::Operand);
TLALOC_END_ENTRIES
AnyTensor from(const sig&, const extent_t* shape, const void* elements, std::size_t count);
const void* element_at(const AnyTensor&, const extent_t* at, int rank);

}  // namespace detail

template <element T, class... Axes> class TLALOC_MEANS("typed") Tensor {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(Axes);
  static_assert(rank <= max_rank, "a tensor has at most 8 axes");
  using shape_type = std::array<extent_t, sizeof...(Axes)>;
  static constexpr shape_type static_extents{detail::ax_of<Axes>.extent...};
  static constexpr const detail::sig& signature = detail::sig_of<Tensor>;

  static Tensor full(const shape_type& shape, T value) { return adopt(detail::full(detail::sig_of<Tensor>, shape.data(), number(value))); }
  static Tensor full(T value) requires detail::all_static<Tensor> { return full(static_extents, value); }
  static Tensor zeros(const shape_type& shape) { return full(shape, T()); }
  static Tensor zeros() requires detail::all_static<Tensor> { return full(static_extents, T()); }
  static Tensor from(std::span<const T> elements, const shape_type& shape = static_extents) {
    return adopt(detail::from(detail::sig_of<Tensor>, shape.data(), elements.data(), elements.size()));
  }
  static Tensor from(std::initializer_list<T> elements, const shape_type& shape = static_extents) {
    return from(std::span<const T>(elements.begin(), elements.size()), shape);
  }
  Tensor(T value) requires(rank == 0) : any_(detail::full(detail::sig_of<Tensor>, nullptr, number(value))) {}

  /// Extent of the axis K, which must be there once.
  template <class K> extent_t extent() const {
    constexpr int at = detail::find(detail::sig_of<Tensor>, detail::ax_of<K>);
    static_assert(at >= 0, "the tensor has no axis of this name");
    static_assert(detail::find(detail::sig_of<Tensor>, detail::ax_of<K>, at + 1) < 0, "the name is repeated: ask by position");
    return any_.extent(at);
  }
  extent_t extent(int axis) const { return any_.extent(axis); }
  std::size_t size() const { return any_.size(); }

  /// The element, on the host: waits. There is no implicit way back to a number.
  T item() const requires(rank == 0) { return any_.template item<T>(); }
  template <class... I> requires(sizeof...(I) == sizeof...(Axes)) TLALOC_MEANS("elements") T at(I... i) const {
    const extent_t position[] = {extent_t(i)..., 0};
    return *static_cast<const T*>(detail::element_at(any_, position, rank));
  }
  /// A copy in which one element is another.
  template <class... I> requires(sizeof...(I) == sizeof...(Axes)) TLALOC_MEANS("elements") Tensor set(T value, I... i) const {
    const extent_t position[] = {extent_t(i)..., 0};
    return adopt(any_.set({position, std::size_t(rank)}, &value));
  }
  TLALOC_MEANS("elements") std::span<const T> data() const& { return any_.template data<T>(); }
  std::span<const T> data() const&& = delete; // gone with the temporary: give the tensor a name

  const AnyTensor& any() const { return any_; }
  operator const AnyTensor&() const { return any_; }
  /// For operations, which know that the type is right; users have typed<T, Axes...>(any), which checks.
  static Tensor adopt(AnyTensor any) { return Tensor(static_cast<AnyTensor&&>(any), 0); }

 private:
  static auto number(T value) {
    if constexpr (std::is_arithmetic_v<T>) return value;
    else return float(value);
  }
  Tensor(AnyTensor&& any, int) : any_(static_cast<AnyTensor&&>(any)) {}
  AnyTensor any_;
};

template <class T> using Scalar = Tensor<T>;
template <class T> using Vector = Tensor<T, dim<>>;
template <class T> using Matrix = Tensor<T, dim<>, dim<>>;

/// An untyped tensor as a typed one; throws when dtype, rank, extents or names say something else.
template <element T, class... A> Tensor<T, A...> typed(AnyTensor x) {
  return Tensor<T, A...>::adopt(dynamic::checked(static_cast<AnyTensor&&>(x), detail::sig_of<Tensor<T, A...>>));
}

}  // namespace tlaloc
