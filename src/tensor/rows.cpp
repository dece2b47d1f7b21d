// SPDX-License-Identifier: Apache-2.0
//
// The tensors of an array or vector as one tensor, and back, for the code around derivatives.
#include "tlaloc/detail/tensor/glue.hpp"

#include "tensor/node.hpp"

#include <algorithm>

namespace tlaloc::detail {

using namespace dynamic;

AnyTensor rows_as_one(std::span<const AnyTensor> rows, const sig& of_each) {
  ir::Type each{ir_type(of_each.type)};
  if (rows.empty())
    for (int k = 0; k < of_each.rank; ++k)
      each.dims.push_back(std::max<extent_t>(0, of_each.a[k].extent));
  else
    each = type_of(rows[0]);
  if (each.rank() >= max_rank)
    dynamic::refuse("TENSOR_SHAPE_MISMATCH",
                    "an array of tensors with " + std::to_string(max_rank) + " axes");
  if (rows.empty())
    return wrap(ir::Array({each.dtype, ir::joined({{0}, each.dims})}));
  std::vector<AnyTensor> parts;
  for (auto& x : rows) {
    if (type_of(x) != each)
      dynamic::refuse("TENSOR_SHAPE_MISMATCH", "an array has tensors " + ir::text(each) + " and " +
                                                   ir::text(type_of(x)) +
                                                   "; in differentiated code all are of one shape");
    parts.push_back(reshaped(x, ir::joined({{1}, each.dims})));
  }
  return dispatch(ir::ops::concatenate, parts, {std::int64_t(0)});
}
AnyTensor row(const AnyTensor& rows, std::size_t k) {
  const auto i = std::int64_t(k);
  return reshaped(sliced(rows, 0, i, i + 1),
                  ir::Shape(dims_of(rows).begin() + 1, dims_of(rows).end()));
}

}  // namespace tlaloc::detail
