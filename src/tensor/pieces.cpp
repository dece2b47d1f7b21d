// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/detail/tensor/pieces.hpp"

#include "tensor/node.hpp"

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome, detail::sig;

namespace {
/// x with other axes, as the outcome of a rule has them.
AnyTensor with_axes(const char* op, const AnyTensor& x, const outcome& o) {
  const outcome checked = allowed(op, o);
  return named(reshaped(x, shape_of(checked)), checked);
}
AnyTensor stacked(std::span<const AnyTensor> list, const detail::ax& k, extent_t at) {
  if (!list.size()) refuse("TENSOR_SHAPE_MISMATCH", "stack: no tensor is given");
  std::vector<sig> s;
  for (auto& x : list) s.push_back(sig_of(x));
  outcome o = allowed("stack", detail::rules::stack(s.data(), int(s.size()), k, at));
  o.a[int(o.axis)].extent = extent_t(s.size());
  ir::Shape one = dims_of(list[0]);
  one.insert(one.begin() + o.axis, 1);
  std::vector<AnyTensor> widened;
  for (auto& x : list) widened.push_back(reshaped(x, one));
  return named(dispatch(ops::concatenate, widened, {std::int64_t(o.axis)}), o);
}
/// The starts of a slice that begins at 0 along all axes but one.
std::vector<AnyTensor> starts(const AnyTensor& x, const outcome& o, const Operand& start) {
  const ir::DType d = start.tensor ? element_of(*start.tensor) : ir::DType::i64;
  std::vector<AnyTensor> out(std::size_t(x.rank()), scalar(0, d));
  out[std::size_t(o.axis)] = start.tensor ? *start.tensor : scalar(start, d);
  return out;
}
}  // namespace

AnyTensor squeeze(const AnyTensor& x, const Axes& k) {
  const sig s[] = {sig_of(x), k};
  return with_axes("squeeze", x, detail::rules::squeeze(s));
}
AnyTensor expand_dims(const AnyTensor& x, extent_t at) {
  const sig s[] = {sig_of(x)};
  return with_axes("expand_dims", x, detail::rules::expand_dims(s, at));
}
AnyTensor flatten(const AnyTensor& x, extent_t from) {
  const sig s[] = {numbers_of(x)};
  outcome o = allowed("flatten", detail::rules::flatten(s, from));
  ir::Extent n = 1;                               // the rule counts no symbols
  for (int k = o.rank - 1; k < x.rank(); ++k) n = ir::times(n, dims_of(x)[std::size_t(k)]);
  for (int k = 0; k + 1 < o.rank; ++k) o.a[k].extent = dims_of(x)[std::size_t(k)];
  o.a[o.rank - 1].extent = n;
  return with_axes("flatten", x, o);
}
AnyTensor stack(std::initializer_list<AnyTensor> list, extent_t at) { return stacked(std::span(list.begin(), list.size()), {}, at); }
AnyTensor stack(std::initializer_list<AnyTensor> list, const Axis& k, extent_t at) { return stacked(std::span(list.begin(), list.size()), k.a[0], at); }
AnyTensor part(const AnyTensor& x, const Axis& k, extent_t n, extent_t i) {
  const sig s[] = {numbers_of(x), k};
  const outcome o = allowed("split", detail::rules::split(s, n));
  const extent_t size = known("split", dims_of(x)[std::size_t(o.axis)]) / n;
  return named(sliced(x, o.axis, i * size, (i + 1) * size), o);
}
AnyTensor slice_at(const AnyTensor& x, const Operand& start, extent_t n, const Axis& k) {
  const sig s[] = {numbers_of(x), sig_of(start), k};
  const outcome o = allowed("slice_at", detail::rules::slice_at(s, n));
  std::vector<AnyTensor> in = starts(x, o, start);
  in.insert(in.begin(), x);
  ir::Shape sizes = dims_of(x);
  sizes[std::size_t(o.axis)] = n;
  return named(dispatch(ops::dynamic_slice, in, {sizes}), o);
}
AnyTensor update_slice(const AnyTensor& x, const AnyTensor& update, const Operand& start, const Axis& k) {
  const sig s[] = {sig_of(x), sig_of(update), sig_of(start), k};
  const outcome o = allowed("update_slice", detail::rules::update_slice(s));
  std::vector<AnyTensor> in = starts(x, o, start);
  in.insert(in.begin(), {x, update});
  return named(dispatch(ops::dynamic_update_slice, in), o);
}

}  // namespace tlaloc::dynamic
