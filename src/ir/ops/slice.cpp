// SPDX-License-Identifier: Apache-2.0
//
// Parts of tensors, at places known when the program is built or when it runs, and padding.
#include "ir/ops/tensors.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

// Extents of slice: static, or symbolic where the stride is 1.
std::vector<Type> slice_type(const Op& op) {
  need_tensor(op, 0);
  Type t = in(op, 0);
  auto &start = op.at(key::start), &strides = op.at(key::strides);
  auto& limit = op.at(key::limit);
  for (auto* v : {&start, &strides, static_cast<const Ints*>(&limit)}) need_size(op, *v, t.dims.size(), "numbers per attribute");
  for (std::size_t k = 0; k < t.dims.size(); ++k) {
    if (start[k] < 0 || strides[k] < 1) refuse(op, "a start below 0 or a stride below 1");
    if (is_number(limit[k]) && (start[k] > limit[k] || (is_number(t.dims[k]) && limit[k] > t.dims[k]))) refuse(op, "[" + std::to_string(start[k]) + ", " + extent_text(limit[k]) + ") lies outside axis " + std::to_string(k) + " of " + extent_text(t.dims[k]));
    if (!is_number(limit[k]) && strides[k] != 1) refuse_symbolic(op, "a stride along an axis of symbolic extent");
    t.dims[k] = is_number(limit[k]) ? (limit[k] - start[k] + strides[k] - 1) / strides[k] : minus(limit[k], start[k]);
  }
  return {t};
}
// Zeros with d where the slice was.
X unsliced(const Op& op, X x, X d) {
  const Shape &dims = x.type().dims, &part = d.type().dims;
  auto &start = op.at(key::start), &strides = op.at(key::strides);
  bool known = true;                              // how much is missing at the ends
  for (std::size_t k = 0; k < dims.size(); ++k) known &= is_number(dims[k]) || (start[k] == 0 && part[k] == dims[k]);
  if (!known) {
    if (std::any_of(strides.begin(), strides.end(), [](auto s) { return s != 1; })) refuse_symbolic(op, "the derivative of a strided slice of an axis of symbolic extent");
    std::vector<X> at;
    for (auto s : start) at.push_back(index(*d.b, s));
    return dynamic_update_slice(zero(*d.b, x.type()), d, at);
  }
  Ints high, interior;
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const auto end = part[k] ? start[k] + (part[k] - 1) * strides[k] + 1 : start[k];
    high.push_back(dims[k] - end);
    interior.push_back(strides[k] - 1);
  }
  return padded(d, 0, start, high, interior);
}

}  // namespace

FACTS(slice) {
  .name = "slice", .doc = "The elements of x from `start` up to but without `limit`, every `strides`-th, along each axis.",
  .operands = {"x"}, .attrs = {key::start, key::limit, key::strides},
  .type = slice_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> { return {unsliced(op, in[0], d)}; }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X {
    return slice(in[0], joined({{0}, op.at(key::start)}), joined({{b.extent}, op.at(key::limit)}), joined({{1}, op.at(key::strides)}));
  },
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    Ints from = row_major(x[0].type.dims);
    std::int64_t base = 0;
    for (std::size_t k = 0; k < from.size(); ++k) {
      base += op.at(key::start)[k] * from[k];
      from[k] *= op.at(key::strides)[k];
    }
    copy(y.type.dims, x[0], base, from, y, 0, row_major(y.type.dims));
  },
  .cpp = by_name,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 1,
};

namespace {

std::vector<Type> pad_type(const Op& op) {
  need_tensor(op, 0);
  Type t = in(op, 0);
  if (in(op, 1) != Type{t.dtype}) refuse(op, "the value must be a scalar of x's dtype");
  auto &low = op.at(key::low), &high = op.at(key::high), &interior = op.at(key::interior);
  for (auto* v : {&low, &high, &interior}) need_size(op, *v, t.dims.size(), "numbers per attribute");
  for (std::size_t k = 0; k < t.dims.size(); ++k) {
    if (interior[k] < 0) refuse(op, "a negative interior padding");
    if (!is_number(t.dims[k])) {
      if (interior[k] || low[k] + high[k] < 0) refuse_symbolic(op, "an axis of symbolic extent is only made longer, at its ends");
      t.dims[k] = plus(t.dims[k], low[k] + high[k]);
      continue;
    }
    t.dims[k] += low[k] + high[k] + std::max<std::int64_t>(0, t.dims[k] - 1) * interior[k];
    if (t.dims[k] < 0) refuse(op, "axis " + std::to_string(k) + " becomes shorter than nothing");
  }
  return {t};
}
Ints negated(Ints v) { for (auto& x : v) x = -x; return v; }
// The elements of the padded d that stand where x does.
X unpadded(const Op& op, X x, X d) {
  const Shape& dims = x.type().dims;
  auto &low = op.at(key::low), &high = op.at(key::high), &interior = op.at(key::interior);
  const Ints none(dims.size(), 0);
  X inner = is_static(dims) ? padded(d, 0, negated(low), negated(high), none) : d;
  Shape limit = inner.type().dims;
  Ints start(dims.size(), 0), strides = shifted(interior);
  if (!is_static(dims)) {
    start = low;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      if (low[k] < 0) refuse_symbolic(op, "the derivative of a negative padding along an axis of symbolic extent");
      limit[k] = plus(dims[k], low[k]);
    }
  }
  return limit == inner.type().dims && start == none && strides == Ints(dims.size(), 1) ? inner : ops::slice(inner, start, limit, strides);
}
X truth(Builder& b, const Shape& dims, int value) { return splat(b, Type{DType::boolean, dims}, value); }
X inside_mask(const Op& op, X x) {                // true where the padded result has an element of x
  return ops::pad(truth(*x.b, x.type().dims, 1), truth(*x.b, {}, 0), op.at(key::low), op.at(key::high), op.at(key::interior));
}

}  // namespace

FACTS(pad) {
  .name = "pad", .doc = "x with `low` and `high` elements of `value` at the ends of each axis (negative: taken away) and `interior` between neighbours.",
  .operands = {"x", "value"}, .attrs = {key::low, key::high, key::interior},
  .type = pad_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> {
    const X outside = select(inside_mask(op, in[0]), like(d, 0), d);
    return {unpadded(op, in[0], d), reduced(reduce_sum, outside, axes_up_to(d.type().rank()))};
  }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X {
    const X x = with_batch(in[0], b.marked[0], b.extent);
    auto around = [&](X v, X value) { return pad(v, value, joined({{0}, op.at(key::low)}), joined({{0}, op.at(key::high)}), joined({{0}, op.at(key::interior)})); };
    if (!b.marked[1]) return around(x, in[1]);
    const X y = around(x, zero(*x.b, Type{x.type().dtype}));
    return select(around(truth(*x.b, x.type().dims, 1), truth(*x.b, {}, 0)), y, broadcast(in[1], y.type().dims, {0}));
  },
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    ir::fill(y, x[1].at(0));
    // Only what stays inside is copied, axis by axis the range [first, last) of x.
    Ints dims = x[0].type.dims, to = row_major(y.type.dims);
    const Ints from = row_major(dims);
    std::int64_t from_base = 0, to_base = 0;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const auto step = op.at(key::interior)[k] + 1, low = op.at(key::low)[k];
      const auto first = low < 0 ? (-low + step - 1) / step : 0;
      auto last = dims[k];
      while (last > first && low + (last - 1) * step >= y.type.dims[k]) --last;
      dims[k] = std::max<std::int64_t>(0, last - first);
      from_base += first * from[k];
      to_base += (low + first * step) * to[k];
      to[k] *= step;
    }
    copy(dims, x[0], from_base, from, y, to_base, to);
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.pad {x}, {value}, low = {low}, high = {high}, interior = {interior} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

namespace {

void need_starts(const Op& op, int first) {
  need_tensor(op, 0);
  if (int(op.operands.size()) != first + rank(op, 0)) refuse(op, "needs one start for each axis");
  for (int i = first; i < int(op.operands.size()); ++i) if (!in(op, i).integer() || !in(op, i).scalar() || in(op, i) != in(op, first)) refuse(op, "starts must be integers of one type");
}
// Where the part begins: starts are moved so that it lies inside.
std::int64_t base_of(std::span<const Array> starts, const Ints& dims, const Ints& part) {
  std::int64_t base = 0;
  const Ints steps = row_major(dims);
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const Number n = starts[k].at(0);
    const auto at = is_signed(n.dtype) ? n.as_int() : std::int64_t(std::min<std::uint64_t>(n.bits, std::uint64_t(dims[k])));
    base += std::clamp<std::int64_t>(at, 0, dims[k] - part[k]) * steps[k];
  }
  return base;
}
bool any_from(const Batch& b, std::size_t first) { return std::any_of(b.marked.begin() + std::ptrdiff_t(first), b.marked.end(), [](bool m) { return m; }); }
// Starts of a batch as indices: one row of `rank` numbers each, for gather and scatter, moved inside first as a slice's are.
X index_rows(std::span<const X> starts, const Batch& b, std::size_t first, const Shape& dims, const Shape& part) {
  std::vector<X> columns;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    X s = with_batch(starts[k], b.marked[first + k], b.extent);
    if (!is_number(dims[k]) || !is_number(part[k])) throw Refusal("NOT_LOWERABLE", {}, "batched starts along an axis of symbolic extent; give it a number in the type");
    const X most = like(s, double(dims[k] - part[k])), none = like(s, 0);
    s = ops::select(s < none, none, ops::select(s > most, most, s));
    columns.push_back(reshape(s, {b.extent, 1}));
  }
  return concatenate(columns, 1);
}

}  // namespace

FACTS(dynamic_slice) {
  .name = "dynamic_slice", .doc = "The part of x of extents `sizes` that begins at the starts, moved inside x where it would leave it.",
  .operands = {"x", "starts..."}, .attrs = {key::sizes},
  .type = [](const Op& op) -> std::vector<Type> {
    need_starts(op, 1);
    auto& sizes = op.at(key::sizes);
    need_size(op, sizes, in(op, 0).dims.size(), "sizes");
    for (std::size_t k = 0; k < sizes.size(); ++k) if (is_number(sizes[k]) && is_number(in(op, 0).dims[k]) && sizes[k] > in(op, 0).dims[k]) refuse(op, "a size exceeds its axis");
    return {Type{in(op, 0).dtype, sizes}};
  },
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> {
    std::vector<X> r(in.size());
    r[0] = ir::dynamic_update_slice(zero(*d.b, in[0].type()), d, in.subspan(1));
    return r;
  }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X {
    const auto starts = in.subspan(1);
    const Ints axes = axes_up_to(int(starts.size()));
    if (!any_from(b, 1)) {
      std::vector<X> at{like(starts.empty() ? index(*in[0].b, 0) : starts[0], 0)};
      at.insert(at.end(), starts.begin(), starts.end());
      return ir::dynamic_slice(in[0], at, joined({{b.extent}, op.at(key::sizes)}));
    }
    const Shape dims = b.marked[0] ? Shape(Ints(in[0].type().dims.begin() + 1, in[0].type().dims.end())) : in[0].type().dims;
    const X rows = index_rows(starts, b, 1, dims, op.at(key::sizes));
    if (!b.marked[0]) return gather(in[0], rows, shifted(axes), {}, {}, {}, axes, op.at(key::sizes));
    return gather(in[0], rows, shifted(axes), {}, {0}, {0}, shifted(axes), joined({{1}, op.at(key::sizes)}));
  },
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    copy(y.type.dims, x[0], base_of(x.subspan(1), x[0].type.dims, y.type.dims), row_major(x[0].type.dims), y, 0, row_major(y.type.dims));
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.dynamic_slice {x}, {starts...}, sizes = {sizes} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(dynamic_update_slice) {
  .name = "dynamic_update_slice", .doc = "x with `update` in place of the part that begins at the starts, moved inside x where it would leave it.",
  .operands = {"x", "update", "starts..."},
  .type = [](const Op& op) -> std::vector<Type> {
    need_starts(op, 2);
    if (in(op, 1).dtype != in(op, 0).dtype || in(op, 1).rank() != rank(op, 0)) refuse(op, "the update must have x's dtype and rank");
    for (std::size_t k = 0; k < in(op, 0).dims.size(); ++k) if (is_number(in(op, 1).dims[k]) && is_number(in(op, 0).dims[k]) && in(op, 1).dims[k] > in(op, 0).dims[k]) refuse(op, "the update exceeds an axis");
    return {in(op, 0)};
  },
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> {
    std::vector<X> r(in.size());
    r[0] = ir::dynamic_update_slice(d, zero(*d.b, in[1].type()), in.subspan(2));
    r[1] = ir::dynamic_slice(d, in.subspan(2), in[1].type().dims);
    return r;
  }),
  .batching = [](const Op&, std::span<const X> in, const Batch& b) -> X {
    const X x = with_batch(in[0], b.marked[0], b.extent), update = with_batch(in[1], b.marked[1], b.extent);
    const auto starts = in.subspan(2);
    if (!any_from(b, 2)) {
      std::vector<X> at{like(starts.empty() ? index(*x.b, 0) : starts[0], 0)};
      at.insert(at.end(), starts.begin(), starts.end());
      return ir::dynamic_update_slice(x, update, at);
    }
    const Ints axes = axes_up_to(int(starts.size()));
    const Shape dims(Ints(x.type().dims.begin() + 1, x.type().dims.end())), part(Ints(update.type().dims.begin() + 1, update.type().dims.end()));
    return scatter(x, index_rows(starts, b, 2, dims, part), update, shifted(axes), {}, {0}, {0}, shifted(axes));
  },
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    const Ints steps = row_major(y.type.dims);
    copy(y.type.dims, x[0], 0, steps, y, 0, steps);
    copy(x[1].type.dims, x[1], 0, row_major(x[1].type.dims), y, base_of(x.subspan(2), y.type.dims, x[1].type.dims), steps);
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.dynamic_update_slice {x}, {update}, {starts...} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

}  // namespace tlaloc::ir
