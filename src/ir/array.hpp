// SPDX-License-Identifier: Apache-2.0
//
// A tensor on the host: dense, row-major, extents known. Copies share the bytes, which nobody writes once the array is
// handed on. f16 and bf16 take two bytes, bool one (0 or 1), everything else is what C++ has.
#pragma once

#include "ir/extent.hpp"

#include <cstddef>

namespace tlaloc::ir {

class Array {
 public:
  Array() = default;
  explicit Array(Type);                           // zeros
  Array(Type t, std::shared_ptr<std::byte> b) : type(std::move(t)), bytes(std::move(b)) {}
  static Array of(const Number&);                 // rank 0
  Type type;
  std::shared_ptr<std::byte> bytes;
  std::size_t size() const { return std::size_t(elements(type.dims)); }
  Number at(std::size_t) const;
  void set(std::size_t, const Number&);
  template <class T> T* data() const { return reinterpret_cast<T*>(bytes.get()); }
};
std::size_t byte_width(DType);
/// f16 and bf16 as f32, and back.
Array widened(const Array&);
Array narrowed(const Array&, DType);

/// What an op gives for these operands: checked by its record, then its kernel, or those of its expansion.
Array evaluate(const Kind&, std::span<const Array>, std::vector<Attr> = {});
/// The same for an op that stands in a function; it is checked already and its kernel is not an expansion.
Array evaluate(const Op&, std::span<const Array>);

}  // namespace tlaloc::ir
