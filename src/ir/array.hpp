// SPDX-License-Identifier: Apache-2.0
//
// A tensor on the host: dense, row-major, extents known. Copies share the bytes, which nobody writes once the array is
// handed on. f16 and bf16 take two bytes, bool one (0 or 1), everything else is what C++ has.
#pragma once

#include "ir/ir.hpp"

#include <cstddef>

namespace tlaloc::ir {

class Array {
 public:
  Array() = default;
  explicit Array(Type);                           // zeros
  Array(Type t, std::shared_ptr<std::byte> b) : type(std::move(t)), bytes(std::move(b)) {}
  Type type;
  std::shared_ptr<std::byte> bytes;
  std::size_t size() const;
  Number at(std::size_t) const;
  void set(std::size_t, const Number&);
  template <class T> T* data() const { return reinterpret_cast<T*>(bytes.get()); }
};
std::size_t byte_width(DType);

}  // namespace tlaloc::ir
