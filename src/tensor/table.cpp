// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/detail/tensor/table.hpp"

#include "tensor/node.hpp"

namespace tlaloc::ops {

namespace {
ir::Ints ints(detail::Extents l) { return ir::Ints(l.begin(), l.end()); }
}  // namespace

AnyTensor detail::of_table(const char* op, std::initializer_list<AnyTensor> operands, std::initializer_list<AnyTensor> more,
                           std::initializer_list<Attribute> attributes) {
  const ir::Kind& k = *ir::find_kind(op);
  std::vector<AnyTensor> in(operands);
  in.insert(in.end(), more.begin(), more.end());
  std::vector<ir::Attr> attrs;
  for (auto& a : attributes) {
    const bool shape = k.attrs[int(attrs.size())].type == ir::attr_index<ir::Shape>();
    if (a.kind == Attribute::list && shape) attrs.emplace_back(ir::Shape(ints(a.extents)));
    else if (a.kind == Attribute::list) attrs.emplace_back(ints(a.extents));
    else if (a.kind == Attribute::number) attrs.emplace_back(std::int64_t(a.value));
    else attrs.emplace_back(dynamic::ir_type(a.element));
  }
  return dynamic::dispatch(k, in, std::move(attrs));
}

void need(const char* name, const AnyTensor& x, dtype d, detail::Extents shape) {
  const ir::Type wanted{dynamic::ir_type(d), ir::Shape(ints(shape))};
  if (x.type() != d) dynamic::refuse("DTYPE_MISMATCH", std::string(name) + " is " + ir::text(dynamic::type_of(x)) + ", not " + ir::text(wanted));
  if (dynamic::dims_of(x) != wanted.dims) dynamic::refuse("TENSOR_SHAPE_MISMATCH", std::string(name) + " is " + ir::text(dynamic::type_of(x)) + ", not " + ir::text(wanted));
}

}  // namespace tlaloc::ops
