// SPDX-License-Identifier: Apache-2.0
//
// AnyTensor: dtype, shape and axis names at run time. It holds a buffer or a value of a program that is being traced; every
// operation on it, typed or not, goes through one entry that computes or records. Its operations live beside it and are found
// by their argument, so that a refused call on typed tensors never lists them.
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

#include <exception>
#include <span>
#include <type_traits>

// What the plugin takes for an operation on tensors, by annotation: the functions declared between the two, and members. Each
// stands in src/tensor/entries.cpp, which runs it for the plugin.
#if defined(__clang__)
#define TLALOC_MEANS(what) __attribute__((annotate("tlaloc::" what)))
#define TLALOC_BEGIN_ENTRIES _Pragma("clang attribute push(__attribute__((annotate(\"tlaloc::entry\"))), apply_to = function)")
#define TLALOC_END_ENTRIES _Pragma("clang attribute pop")
#else
#define TLALOC_MEANS(what)
#define TLALOC_BEGIN_ENTRIES
#define TLALOC_END_ENTRIES
#endif

namespace tlaloc {

/// A refusal while running: `code` is stable (NAMED_INDEX_MISMATCH, NOT_TRACEABLE, ...), `what` names operation, axes and extents.
class tensor_error : public std::exception {
 public:
  tensor_error(const char* code, const char* why);   // both are copied
  tensor_error(const tensor_error&) noexcept;
  tensor_error& operator=(const tensor_error&) = delete;
  ~tensor_error() override;
  const char* code() const noexcept;
  const char* what() const noexcept override;

 private:
  struct Text;
  Text* text_;
};

namespace dynamic {

using detail::ax;
using detail::axis_label;

/// Extents, at most max_rank of them.
struct TLALOC_MEANS("extents") Shape {
  int rank = 0;
  extent_t at[max_rank] = {};
  Shape() = default;
  Shape(std::initializer_list<extent_t> l) : Shape(l.begin(), int(l.size())) {}
  Shape(const extent_t* first, int n);
  const extent_t* begin() const { return at; }
  const extent_t* end() const { return at + rank; }
  extent_t operator[](int k) const { return at[k]; }
  bool operator==(const Shape&) const;
};

/// A list of axes by position or name.
struct Axes : detail::sig {
  constexpr Axes() = default;
  constexpr Axes(std::initializer_list<int> positions) {
    for (int p : positions) a[int(rank++)] = detail::position_ax(p);
  }
  constexpr explicit Axes(const detail::sig& s) : sig(s) {}
};
struct Axis : Axes {
  constexpr Axis(int position) : Axes{position} {}
  constexpr explicit Axis(const detail::sig& s) : Axes(s) {}
};

class TLALOC_MEANS("tensor") AnyTensor {
 public:
  AnyTensor();                   // the number 0, an f32
  AnyTensor(const AnyTensor&);   // out of line: user code holds calls, not reference counting
  AnyTensor(AnyTensor&&) noexcept;
  AnyTensor& operator=(const AnyTensor&);
  AnyTensor& operator=(AnyTensor&&) noexcept;
  ~AnyTensor();
  /// Copies `bytes` (row-major, as C++ stores T; bool as one byte).
  AnyTensor(dtype, const Shape&, const void* bytes);
  AnyTensor(float x) : AnyTensor(dtype::f32, {}, &x) {}
  AnyTensor(double x) : AnyTensor(dtype::f64, {}, &x) {}
  template <element T> explicit AnyTensor(T x) : AnyTensor(dtype_of<T>, {}, &x) {}

  dtype type() const;
  int rank() const;
  Shape shape() const;
  TLALOC_MEANS("extent") extent_t extent(int axis) const;
  /// Of an axis without a name: {"", 0}.
  axis_label name(int axis) const;
  TLALOC_MEANS("size") std::size_t size() const;
  bool traced() const;
  /// The elements, row-major, for as long as the tensor lives: those of a temporary are gone with
  /// it. NOT_TRACEABLE on a traced value.
  const void* data() const&;
  const void* data() const&& = delete;
  template <element T> std::span<const T> data() const& { return {static_cast<const T*>(data_as(dtype_of<T>)), size()}; }
  template <element T> std::span<const T> data() const&& = delete;
  /// The one element of a tensor of rank 0.
  template <element T> TLALOC_MEANS("item") T item() const { return *static_cast<const T*>(scalar_as(dtype_of<T>)); }
  /// A copy in which the element at a position is *element, of this dtype.
  AnyTensor set(std::span<const extent_t> position, const void* element) const;

  struct Node;
  explicit AnyTensor(const Node* n) : node_(n) {}   // takes over one reference
  const Node& node() const { return *node_; }

 private:
  const void* data_as(dtype) const;
  const void* scalar_as(dtype) const;
  const Node* node_;             // counted by hand: <memory> would be most of this header's cost
};

/// A tensor, or a C++ number that takes the dtype of the tensor it meets.
struct TLALOC_MEANS("operand") Operand {
  const AnyTensor* tensor = nullptr;
  detail::weak number = detail::weak::no;
  double real = 0;
  std::int64_t integer = 0;
  Operand(const AnyTensor& t) : tensor(&t) {}
  template <class X> requires requires(const X& x) { x.any(); } Operand(const X& x) : tensor(&x.any()) {}
  Operand(bool x) : number(detail::weak::boolean), real(x), integer(x) {}
  template <class T> requires std::is_integral_v<T> Operand(T x) : number(detail::weak::integer), real(double(x)), integer(std::int64_t(x)) {}
  Operand(float x) : Operand(double(x)) {}
  Operand(double x) : number(detail::weak::floating), real(x) {}
};

TLALOC_BEGIN_ENTRIES
/// An elementwise operation by its name in the table of operations, after its rule allowed the operands.
AnyTensor elementwise(const char* op, detail::outcome (*rule)(const detail::sig*), std::initializer_list<Operand>);
/// Direction: "eq", "ne", "lt", "le", "gt", "ge".
AnyTensor compare(const char* direction, const Operand&, const Operand&);
AnyTensor where(const AnyTensor& condition, const Operand&, const Operand&);
AnyTensor cast(const AnyTensor&, dtype);
TLALOC_END_ENTRIES
template <element U> AnyTensor cast(const AnyTensor& x) { return cast(x, dtype_of<U>); }

AnyTensor full(dtype, const Shape&, const Operand&);
TLALOC_BEGIN_ENTRIES
/// 0, 1, ... n - 1.
AnyTensor arange(dtype, extent_t n);
/// Dtype, extents and names checked against what a type says; axes without a name get theirs.
AnyTensor checked(AnyTensor, const detail::sig&);
TLALOC_END_ENTRIES

}  // namespace dynamic
using dynamic::AnyTensor;
}  // namespace tlaloc
