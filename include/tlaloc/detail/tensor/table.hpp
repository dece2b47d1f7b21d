// SPDX-License-Identifier: Apache-2.0
//
// What the functions of ops.hpp call.
#pragma once

#include "tlaloc/detail/tensor/select.hpp"

namespace tlaloc::ops {

namespace detail {

using Extents = std::initializer_list<extent_t>;

/// An attribute of an operation: a list of numbers, a number, or a dtype.
struct Attribute {
  enum Kind : unsigned char { list, number, type } kind;
  Extents extents = {};
  extent_t value = 0;
  dtype element = dtype::none;
  Attribute(Extents l) : kind(list), extents(l) {}
  Attribute(extent_t n) : kind(number), value(n) {}
  Attribute(dtype d) : kind(type), element(d) {}
};
AnyTensor of_table(const char* op, std::initializer_list<AnyTensor> operands, std::initializer_list<AnyTensor> more, std::initializer_list<Attribute>);

}  // namespace detail

/// A tensor of the numbers given, in row-major order.
template <element T> AnyTensor literal(detail::Extents shape, std::initializer_list<T> numbers) {
  return AnyTensor(dtype_of<T>, {shape.begin(), int(shape.size())}, numbers.begin());
}
/// Throws unless the tensor, an argument called `name`, is of this dtype and shape.
void need(const char* name, const AnyTensor&, dtype, detail::Extents shape);

}  // namespace tlaloc::ops
