// SPDX-License-Identifier: Apache-2.0
//
// Products of tensors that sum over shared axes.
#include "ir/ops/tensors.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

struct FreeAxes { Ints a, b; };
FreeAxes free_axes(const Op& op) {
  return {without(axes_up_to(rank(op, 0)), joined({op.at(key::batch_a), op.at(key::contract_a)})),
          without(axes_up_to(rank(op, 1)), joined({op.at(key::batch_b), op.at(key::contract_b)}))};
}
std::vector<Type> dot_type(const Op& op) {
  need_tensor(op, 0), need_tensor(op, 1);
  const Type &a = in(op, 0), &b = in(op, 1);
  auto &ba = op.at(key::batch_a), &bb = op.at(key::batch_b), &ca = op.at(key::contract_a), &cb = op.at(key::contract_b);
  if (a.dtype != b.dtype) refuse(op, "operands of " + text(a.dtype) + " and " + text(b.dtype));
  if (a.dtype == DType::boolean) refuse(op, "needs numbers");
  need_axes(op, joined({ba, ca}), a.rank());
  need_axes(op, joined({bb, cb}), b.rank());
  need_size(op, bb, ba.size(), "batch axes of b");
  need_size(op, cb, ca.size(), "contracted axes of b");
  if (picked(a.dims, ba) != picked(b.dims, bb)) refuse(op, "batch extents differ: " + text(a) + " and " + text(b));
  if (picked(a.dims, ca) != picked(b.dims, cb)) refuse(op, "contracted extents differ: " + text(a) + " and " + text(b));
  const auto f = free_axes(op);
  return {Type{a.dtype, joined({picked(a.dims, ba), picked(a.dims, f.a), picked(b.dims, f.b)})}};
}

// The cotangent has axes [batch, free of a, free of b]. Contracting it with the other operand over that one's free axes
// leaves [batch, my free, the other's contracted in its order]; the transposition puts them where they belong.
X dot_back(X d, X other, std::size_t batches, const Ints& d_other, const Ints& other_batch, const Ints& other_free, const Ints& other_contract,
           const Ints& my_batch, const Ints& my_free, const Ints& my_contract) {
  const X r = ops::dot_general(d, other, axes_up_to(int(batches)), other_batch, d_other, other_free);
  Ints ordered;
  for (auto axis : without(axes_up_to(other.type().rank()), joined({other_batch, other_free})))
    ordered.push_back(my_contract[std::size_t(std::find(other_contract.begin(), other_contract.end(), axis) - other_contract.begin())]);
  return transpose(r, inverse(joined({my_batch, my_free, ordered})));
}
std::vector<X> dot_transposed(const Op& op, std::span<const X> in, X d) {
  auto &ba = op.at(key::batch_a), &bb = op.at(key::batch_b), &ca = op.at(key::contract_a), &cb = op.at(key::contract_b);
  const auto f = free_axes(op);
  const Ints mine_a = shifted(axes_up_to(int(f.a.size())), std::int64_t(ba.size()));
  const Ints mine_b = shifted(axes_up_to(int(f.b.size())), std::int64_t(ba.size() + f.a.size()));
  return {dot_back(d, in[1], ba.size(), mine_b, bb, f.b, cb, ba, f.a, ca), dot_back(d, in[0], ba.size(), mine_a, ba, f.a, ca, bb, f.b, cb)};
}
// An operand without the batch axis is shared: the axis of the other one is free, and goes to the front afterwards.
X dot_batched(const Op& op, std::span<const X> in, const Batch& b) {
  auto ba = op.at(key::batch_a), bb = op.at(key::batch_b), ca = op.at(key::contract_a), cb = op.at(key::contract_b);
  if (b.marked[0]) ba = shifted(ba), ca = shifted(ca);
  if (b.marked[1]) bb = shifted(bb), cb = shifted(cb);
  if (b.marked[0] && b.marked[1]) return ops::dot_general(in[0], in[1], joined({{0}, ba}), joined({{0}, bb}), ca, cb);
  const X y = ops::dot_general(in[0], in[1], ba, bb, ca, cb);
  const std::size_t free_a = b.marked[0] ? 0 : std::size_t(in[0].type().rank()) - ba.size() - ca.size();
  return moved(y, std::int64_t(ba.size() + free_a), 0);
}

template <class T> void dot_kernel(const Op& op, const Array& a, const Array& b, Array& y) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
  const auto f = free_axes(op);
  const Ints sa = row_major(a.type.dims), sb = row_major(b.type.dims);
  auto steps = [](const Ints& from, const Ints& axes) { return picked(from, axes); };
  const Ints none_a(f.b.size(), 0), none_b(f.a.size(), 0);
  const Ints walk_a = joined({steps(sa, op.at(key::batch_a)), steps(sa, f.a), none_a});
  const Ints walk_b = joined({steps(sb, op.at(key::batch_b)), none_b, steps(sb, f.b)});
  const Ints inner = picked(a.type.dims, op.at(key::contract_a)), inner_a = steps(sa, op.at(key::contract_a)), inner_b = steps(sb, op.at(key::contract_b));
  const T *pa = a.data<T>(), *pb = b.data<T>();
  T* out = y.data<T>();
  each_offset<2>(y.type.dims, {walk_a, walk_b}, {0, 0}, [&](auto& at) {
    Sum sum = 0;
    if (inner.size() == 1) {
      const T *x = pa + at[0], *z = pb + at[1];
      for (std::int64_t k = 0; k < inner[0]; ++k, x += inner_a[0], z += inner_b[0]) sum += Sum(*x) * Sum(*z);
    } else {
      each_offset<2>(inner, {inner_a, inner_b}, at, [&](auto& k) { sum += Sum(pa[k[0]]) * Sum(pb[k[1]]); });
    }
    *out++ = T(sum);
  });
}

}  // namespace

FACTS(dot_general) {
  .name = "dot_general", .doc = "Sums of products over the contracted axes; the result's axes are the batch axes, the free ones of a, the free ones of b.",
  .operands = {"a", "b"}, .attrs = {key::batch_a, key::batch_b, key::contract_a, key::contract_b},
  .type = dot_type,
  .derivative = multilinear(dot_transposed),
  .batching = dot_batched,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { with_storage(x[0].type.dtype, [&]<class T>(T) { dot_kernel<T>(op, x[0], x[1], y); }); },
  .cpp = by_name,
  .stablehlo = "stablehlo.dot_general {a}, {b}, batching_dims = {batch_a} x {batch_b}, contracting_dims = {contract_a} x {contract_b}, precision = [HIGHEST, HIGHEST] : {signature}",
  .effect = Effect::pure, .cost = 2,
};

}  // namespace tlaloc::ir
