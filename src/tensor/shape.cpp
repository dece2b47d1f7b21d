// SPDX-License-Identifier: Apache-2.0
//
// Operations that move elements.
#include "tlaloc/detail/tensor/shape.hpp"

#include "tensor/node.hpp"

#include <algorithm>

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome, detail::sig;

namespace {
/// The axes of `to` with extents in place: those that types know, those of axes of the same name in x, then those given.
sig complete(const char* op, const AnyTensor& x, const Axes& to, std::span<const extent_t> given, bool may_infer) {
  const sig s = sig_of(x);
  sig y = to;
  std::size_t used = 0;
  int open = 0;
  for (int k = 0; k < y.rank; ++k) {
    if (y.a[k].extent != dyn) continue;
    if (const int i = detail::find(s, y.a[k]); i >= 0) y.a[k].extent = s.a[i].extent;
    else if (used < given.size()) y.a[k].extent = given[used++];
    else ++open;
    if (y.a[k].max != dyn && y.a[k].extent > y.a[k].max)
      refuse("BOUNDED_DIM_EXCEEDED", std::string(op) + ": " + text(y.a[k]) + " is at most " + std::to_string(y.a[k].max));
  }
  if (used < given.size()) refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": more extents are given than are unknown");
  if (open > int(may_infer)) refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": more extents are unknown than can be inferred; give them as arguments");
  return y;
}
AnyTensor reshape_to(const AnyTensor& x, const sig& to) {
  const ir::Extent all = ir::elements(dims_of(x));
  outcome o = detail::of(sig_of(x));
  if (ir::is_number(all) && std::none_of(to.a, to.a + to.rank, [](auto& a) { return a.extent < dyn; })) {
    const sig s[] = {sig_of(x), to};
    o = allowed("reshape", detail::rules::reshape(s));
  } else {
    for (int k = 0; k < to.rank; ++k) {
      if (to.a[k].extent == dyn) o.axis = (signed char)k;
      detail::push(o, to.a[k]);
    }
  }
  ir::Extent others = 1;
  for (int k = 0; k < o.rank; ++k)
    if (k != o.axis) others = ir::times(others, o.a[k].extent);
  if (o.axis >= 0) {
    if (!others) refuse("TENSOR_SHAPE_MISMATCH", "reshape: an extent cannot be inferred from no elements");
    const auto quotient = ir::divided(all, others);
    if (!quotient) refuse("TENSOR_SHAPE_MISMATCH", "reshape: " + ir::extent_text(all) + " elements are not divided by " + ir::extent_text(others));
    o.a[int(o.axis)].extent = *quotient;
  } else if (!detail::extents_fit(all, others)) {
    refuse("TENSOR_SHAPE_MISMATCH", "reshape: the numbers of elements differ: " + ir::extent_text(all) + " and " + ir::extent_text(others));
  }
  return named(reshaped(x, shape_of(allowed("reshape", o))), o);
}
}  // namespace

AnyTensor reshape(const AnyTensor& x, const Shape& shape) {
  sig to;
  for (extent_t e : shape) to.a[int(to.rank++)] = detail::number_ax(e);
  return reshape_to(x, to);
}
AnyTensor reshape(const AnyTensor& x, const Axes& to, std::span<const extent_t> given) {
  return reshape_to(x, complete("reshape", x, to, given, true));
}
AnyTensor rename(const AnyTensor& x, const Axes& to) {
  const sig s[] = {sig_of(x), to};
  return named(x, allowed("rename", op::rename::apply(s)));
}
AnyTensor relabel(const AnyTensor& x, const Axis& from, const Axis& to) {
  const sig s[] = {sig_of(x), from, to};
  return named(x, allowed("relabel", op::relabel::apply(s)));
}
AnyTensor transpose(const AnyTensor& x, const Axes& order) {
  const sig s[] = {sig_of(x), order};
  const outcome o = allowed("transpose", op::transpose::apply(s));
  return named(permuted(x, ir::Ints(o.perm, o.perm + o.rank)), o);
}
AnyTensor flip(const AnyTensor& x, const Axes& k) {
  const sig s[] = {sig_of(x), k};
  const outcome o = allowed("flip", op::flip::apply(s));
  return named(dispatch(ops::reverse, {x}, {axes_in(o.mask, x.rank())}), o);
}
AnyTensor broadcast_to(const AnyTensor& x, const Shape& shape) {
  sig to;
  for (extent_t e : shape) to.a[int(to.rank++)] = detail::number_ax(e);
  const sig s[] = {sig_of(x), to};
  const outcome o = allowed("broadcast_to", op::broadcast_to::apply(s));
  return named(spread(x, element_of(x), shape_of(o)), o);
}
AnyTensor broadcast_to(const AnyTensor& x, const Axes& to, std::span<const extent_t> given) {
  const sig s[] = {sig_of(x), complete("broadcast_to", x, to, given, false)};
  const outcome o = allowed("broadcast_to", op::broadcast_to::apply(s));
  return named(spread(x, element_of(x), shape_of(o)), o);
}
AnyTensor concat(std::initializer_list<AnyTensor> list, const Axis& k) { return concat(std::span(list.begin(), list.size()), k); }
AnyTensor concat(std::span<const AnyTensor> list, const Axis& k) {
  if (!list.size()) refuse("TENSOR_SHAPE_MISMATCH", "concat: no tensor is given");
  std::vector<sig> s;
  for (auto& x : list) s.push_back(numbers_of(x));
  const outcome o = allowed("concat", detail::rules::concat(s.data(), int(s.size()), k.a[0]));
  return named(dispatch(ops::concatenate, list, {std::int64_t(o.axis)}), o);
}
AnyTensor slice(const AnyTensor& x, const Axis& k, extent_t first, extent_t last, extent_t step) {
  const sig s[] = {numbers_of(x), k};
  if (first < 0) refuse("TENSOR_SHAPE_MISMATCH", "slice: a position lies outside the axis: " + std::to_string(first));
  const outcome o = allowed("slice", detail::rules::slice(s, first, last, step));
  return named(sliced(x, o.axis, first, last, step), o);
}
AnyTensor pad(const AnyTensor& x, const Axis& k, extent_t low, extent_t high, const Operand& value) {
  const sig s[] = {numbers_of(x), k};
  const outcome o = allowed("pad", detail::rules::pad(s, low, high));
  const sig v = sig_of(value);
  if (!detail::dtypes_fit(v, s[0])) refuse("DTYPE_MISMATCH", "pad: the value does not fit " + ir::text(element_of(x)));
  ir::Ints lows(dims_of(x).size(), 0), highs = lows, interior = lows;
  lows[std::size_t(o.axis)] = low, highs[std::size_t(o.axis)] = high;
  return named(dispatch(ops::pad, {x, value.tensor ? *value.tensor : scalar(value, element_of(x))}, {lows, highs, interior}), o);
}

// --- by index ---
namespace {
/// Indices outside are refused where they are known; on a device they are clamped when taken, dropped when put.
void check_indices(const char* op, const AnyTensor& indices, extent_t n) {
  if (indices.traced()) return;
  const ir::Array& a = indices.node().array;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ir::Number x = a.at(i);
    if (ir::is_signed(x.dtype) ? x.as_int() < 0 || x.as_int() >= n : x.bits >= std::uint64_t(n))
      refuse("INDEX_OUT_OF_RANGE", std::string(op) + ": the index " + (ir::is_signed(x.dtype) ? std::to_string(x.as_int()) : std::to_string(x.bits)) + " on an axis of extent " + std::to_string(n));
  }
}
AnyTensor with_unit_axis(const AnyTensor& indices) { return reshaped(indices, ir::joined({dims_of(indices), {1}})); }
}  // namespace

AnyTensor one_hot(const AnyTensor& indices, const Axis& classes, extent_t given, dtype d) {
  sig list = classes;
  if (list.a[0].extent == dyn) list.a[0].extent = given;
  if (list.a[0].extent == dyn || (list.a[0].extent < dyn && !Trace::innermost())) refuse("TENSOR_SHAPE_MISMATCH", "one_hot: the number of classes is not given");
  if (list.a[0].extent != given) refuse("TENSOR_SHAPE_MISMATCH", "one_hot: " + text(list.a[0]) + ", but " + std::to_string(given) + " classes are asked for");
  const sig s[] = {sig_of(indices), list};
  const outcome o = allowed("one_hot", detail::rules::one_hot(s, d));
  const ir::Shape shape = shape_of(o);
  const AnyTensor counted = dispatch(ops::iota, std::span<const AnyTensor>(), {shape, element_of(indices), std::int64_t(o.rank - 1)});
  const AnyTensor same = dispatch(ops::compare, {broadcast(indices, shape, ir::axes_up_to(indices.rank())), counted}, {ir::Compare::eq});
  return named(converted(same, ir_type(d)), o);
}
AnyTensor one_hot(const AnyTensor& indices, extent_t classes, dtype d) {
  sig list;
  list.rank = 1, list.a[0] = detail::number_ax(classes);
  return one_hot(indices, Axis(list), classes, d);
}
AnyTensor gather(const AnyTensor& x, const AnyTensor& indices, const Axis& k) {
  const sig s[] = {sig_of(x), sig_of(indices), k};
  const outcome o = allowed("gather", op::gather::apply(s));
  check_indices("gather", indices, extent_of(x, o.axis));
  ir::Ints offset;
  for (int d = 0; d < o.rank; ++d)
    if (d < o.axis || d >= o.axis + indices.rank()) offset.push_back(d);
  ir::Shape sizes = dims_of(x);
  sizes[std::size_t(o.axis)] = 1;
  const ir::Ints axis{o.axis};
  return named(dispatch(ops::gather, {x, with_unit_axis(indices)}, {offset, axis, ir::Ints{}, ir::Ints{}, axis, sizes}), o);
}
AnyTensor embedding(const AnyTensor& table, const AnyTensor& indices, extent_t padding) {
  const sig s[] = {sig_of(table), sig_of(indices)};
  allowed("embedding", op::embedding::apply(s));
  const AnyTensor rows = gather(table, indices, 0);
  if (padding < 0) return rows;
  const AnyTensor padded = broadcast(compared(ir::Compare::eq, indices, padding), dims_of(rows), ir::axes_up_to(indices.rank()));
  return named(chosen(padded, 0, rows), sig_of(rows));
}
AnyTensor take_along_axis(const AnyTensor& x, const AnyTensor& indices, const Axis& k) {
  const sig s[] = {sig_of(x), sig_of(indices), k};
  const outcome o = allowed("take_along_axis", op::take_along_axis::apply(s));
  check_indices("take_along_axis", indices, extent_of(x, o.axis));
  const ir::Ints axis{o.axis}, others = ir::without(ir::axes_up_to(x.rank()), axis);
  const ir::Shape sizes(dims_of(x).size(), 1);
  return named(dispatch(ops::gather, {x, with_unit_axis(indices)}, {ir::Ints{}, axis, others, others, axis, sizes}), o);
}
namespace {
AnyTensor put(const ir::Kind& kind, const char* name, const AnyTensor& x, const AnyTensor& indices, const AnyTensor& updates, const Axis& k) {
  const sig s[] = {sig_of(x), sig_of(indices), sig_of(updates), k};
  const outcome o = allowed(name, op::scatter::apply(s));
  check_indices(name, indices, extent_of(x, o.axis));
  ir::Ints window;
  for (int d = 0; d < updates.rank(); ++d)
    if (d < o.axis || d >= o.axis + indices.rank()) window.push_back(d);
  const ir::Ints axis{o.axis};
  return named(dispatch(kind, {x, with_unit_axis(indices), updates}, {window, axis, ir::Ints{}, ir::Ints{}, axis}), o);
}
}  // namespace
AnyTensor scatter(const AnyTensor& x, const AnyTensor& indices, const AnyTensor& updates, const Axis& k) {
  return put(ops::scatter, "scatter", x, indices, updates, k);
}
AnyTensor scatter_add(const AnyTensor& x, const AnyTensor& indices, const AnyTensor& updates, const Axis& k) {
  return put(ops::scatter_add, "scatter_add", x, indices, updates, k);
}

}  // namespace tlaloc::dynamic
