// SPDX-License-Identifier: Apache-2.0
//
// The few ops of the table that the others are made of, and elementwise operations with their broadcasting.
#include "tensor/node.hpp"

#include "tlaloc/detail/tensor/select.hpp"

#include <algorithm>
#include <array>

namespace tlaloc::dynamic {

ir::Shape shape_of(const Shape& s) { return ir::Ints(s.begin(), s.end()); }
ir::Shape shape_of(const detail::outcome& o) {
  ir::Shape s;
  for (int k = 0; k < o.rank; ++k) s.push_back(o.a[k].extent);
  return s;
}
ir::Ints axes_in(unsigned mask, int rank) {
  ir::Ints out;
  for (int k = 0; k < rank; ++k)
    if (mask >> k & 1) out.push_back(k);
  return out;
}
ir::Extent count(const ir::Shape& s, const ir::Ints& axes) { return ir::elements(ir::picked(s, axes)); }
AnyTensor divided(const AnyTensor& y, ir::Extent n, double less) {
  if (ir::is_number(n)) return zip(ir::ops::div, y, double(n) - less);
  const AnyTensor all = converted(dispatch(ir::ops::extent, std::span<const AnyTensor>(), {ir::Shape{n}}), element_of(y));
  return zip(ir::ops::div, y, less != 0 ? zip(ir::ops::sub, all, less) : all);
}

AnyTensor scalar(const Operand& x, ir::DType d) {
  return wrap(ir::Array::of(x.number == detail::weak::floating ? ir::Number::of(d, x.real) : ir::Number::of(d, x.integer)));
}
AnyTensor broadcast(const AnyTensor& x, const ir::Shape& shape, const ir::Ints& dims) {
  if (dims_of(x) == shape) return x;
  return dispatch(ir::ops::broadcast_in_dim, {x}, {shape, dims});
}
AnyTensor spread(const Operand& x, ir::DType d, const ir::Shape& shape) {
  const AnyTensor t = x.tensor ? *x.tensor : scalar(x, d);
  ir::Ints dims;
  ir::Shape kept;                                 // a stretched axis goes: IR has no extent of 1 that meets another
  const std::size_t skip = shape.size() - std::size_t(t.rank());
  for (std::size_t k = 0; k < dims_of(t).size(); ++k)
    if (dims_of(t)[k] == shape[k + skip]) dims.push_back(std::int64_t(k + skip)), kept.push_back(dims_of(t)[k]);
  return broadcast(reshaped(t, kept), shape, dims);
}
AnyTensor reshaped(const AnyTensor& x, const ir::Shape& shape) {
  return dims_of(x) == shape ? x : dispatch(ir::ops::reshape, {x}, {shape});
}
AnyTensor permuted(const AnyTensor& x, const ir::Ints& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : dispatch(ir::ops::transpose, {x}, {order});
}
AnyTensor sliced(const AnyTensor& x, std::int64_t axis, std::int64_t first, std::int64_t last, std::int64_t step) {
  const std::size_t n = dims_of(x).size();
  ir::Ints start(n, 0), strides(n, 1);
  ir::Shape limit = dims_of(x);
  start[std::size_t(axis)] = first, limit[std::size_t(axis)] = last, strides[std::size_t(axis)] = step;
  return dispatch(ir::ops::slice, {x}, {start, limit, strides});
}
AnyTensor converted(const AnyTensor& x, ir::DType d) { return element_of(x) == d ? x : dispatch(ir::ops::cast, {x}, {d}); }
AnyTensor reduced(const ir::Kind& k, const AnyTensor& x, const ir::Ints& axes) { return axes.empty() ? x : dispatch(k, {x}, {axes}); }

namespace {
ir::DType common_dtype(const Operand& a, const Operand& b) { return element_of(a.tensor ? *a.tensor : *b.tensor); }
ir::Shape common_shape(const Operand& a, const Operand& b) {
  const detail::sig s[] = {sig_of(a), sig_of(b)};
  return shape_of(allowed("broadcast", detail::spread({}, s[0], s[1])));
}
}  // namespace

AnyTensor zip(const ir::Kind& k, const Operand& a, const Operand& b) {
  const ir::DType d = common_dtype(a, b);
  const ir::Shape s = common_shape(a, b);
  return dispatch(k, {spread(a, d, s), spread(b, d, s)});
}
AnyTensor compared(ir::Compare c, const Operand& a, const Operand& b) {
  const ir::DType d = common_dtype(a, b);
  const ir::Shape s = common_shape(a, b);
  return dispatch(ir::ops::compare, {spread(a, d, s), spread(b, d, s)}, {c});
}
AnyTensor chosen(const AnyTensor& condition, const Operand& a, const Operand& b) {
  const ir::DType d = common_dtype(a, b);
  const detail::sig s[] = {sig_of(condition), sig_of(a), sig_of(b)};
  const ir::Shape shape = shape_of(allowed("where", detail::spread({}, s[0], detail::sig_from(detail::spread({}, s[1], s[2])))));
  return dispatch(ir::ops::select, {spread(condition, ir::DType::boolean, shape), spread(a, d, shape), spread(b, d, shape)});
}

// --- what users call ---
AnyTensor elementwise(const char* op, Rule rule, std::initializer_list<Operand> in) { return elementwise(op, rule, std::span(in.begin(), in.size())); }
AnyTensor elementwise(const char* op, Rule rule, std::span<const Operand> in) {
  detail::sig s[3];
  int n = 0;
  ir::DType d{};
  for (auto& x : in) {
    s[n++] = sig_of(x);
    if (x.tensor) d = element_of(*x.tensor);
  }
  const detail::outcome o = allowed(op, rule(s));
  std::vector<AnyTensor> operands;
  for (auto& x : in) operands.push_back(spread(x, d, shape_of(o)));
  return named(dispatch(*ir::find_kind(op), operands), o);
}
AnyTensor compare(const char* direction, const Operand& a, const Operand& b) {
  using ir::Compare;
  constexpr std::pair<std::string_view, Compare> all[] = {{"eq", Compare::eq}, {"ne", Compare::ne}, {"lt", Compare::lt},
                                                          {"le", Compare::le}, {"gt", Compare::gt}, {"ge", Compare::ge}};
  const auto* c = std::find_if(std::begin(all), std::end(all), [&](auto& x) { return x.first == direction; });
  if (c == std::end(all)) refuse("INVALID_OPERATION", std::string("compare: no direction is called ") + direction);
  const detail::sig s[] = {sig_of(a), sig_of(b)};
  const bool equality = c->second == Compare::eq || c->second == Compare::ne;
  const detail::outcome o = allowed("compare", equality ? op::compare_equal::apply(s) : op::compare::apply(s));
  return named(compared(c->second, a, b), o);
}
AnyTensor where(const AnyTensor& condition, const Operand& a, const Operand& b) {
  const detail::sig s[] = {sig_of(condition), sig_of(a), sig_of(b)};
  const detail::outcome o = allowed("where", op::where::apply(s));
  return named(chosen(condition, a, b), o);
}
AnyTensor cast(const AnyTensor& x, dtype to) {
  return named(converted(x, ir_type(to)), detail::same(sig_of(x)));
}
AnyTensor full(dtype d, const Shape& shape, const Operand& value) {
  if (value.tensor) refuse("INVALID_OPERATION", "full: the value is a number, not a tensor");
  if (!detail::number_fits(value.number, d)) refuse("DTYPE_MISMATCH", "full: the number does not fit " + ir::text(ir_type(d)));
  need_extents("full", shape_of(shape));
  return spread(value, ir_type(d), shape_of(shape));
}
AnyTensor arange(dtype d, extent_t n) {
  need_extents("arange", {n});
  return dispatch(ir::ops::iota, std::span<const AnyTensor>(), {ir::Shape{n}, ir_type(d), std::int64_t(0)});
}

}  // namespace tlaloc::dynamic
