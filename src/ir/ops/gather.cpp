// SPDX-License-Identifier: Apache-2.0
//
// Parts of a tensor at many places (gather) and their reverse (scatter). The last axis of `indices` is the vector that says
// where a part begins; the others tell the parts apart.
#include "ir/ops/tensors.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

void need_indices(const Op& op, const Ints& index_map) {
  if (!in(op, 1).integer() || in(op, 1).buffer || in(op, 1).rank() < 1) refuse(op, "indices must be a tensor of integers");
  if (in(op, 1).dims.back() != std::int64_t(index_map.size())) refuse(op, "the last axis of the indices must have as many elements as index_map");
}
// Axes of the parts of x that remain in a part, in order.
Ints window_axes(int rank, const Ints& dropped, const Ints& batch) { return without(axes_up_to(rank), joined({dropped, batch})); }
Shape parts_of(const Type& indices) { return Ints(indices.dims.begin(), indices.dims.end() - 1); }

std::vector<Type> gather_type(const Op& op) {
  need_tensor(op, 0);
  auto &offset = op.at(key::offset_dims), &collapsed = op.at(key::collapsed), &bx = op.at(key::batch_x), &bi = op.at(key::batch_indices), &map = op.at(key::index_map);
  auto& sizes = op.at(key::sizes);
  need_indices(op, map);
  const Type& x = in(op, 0);
  need_axes(op, joined({collapsed, bx}), x.rank());
  need_axes(op, map, x.rank());
  need_axes(op, bi, in(op, 1).rank() - 1);
  need_size(op, bi, bx.size(), "batch axes of the indices");
  need_size(op, sizes, x.dims.size(), "sizes");
  for (auto a : joined({collapsed, bx})) if (sizes[std::size_t(a)] != 1) refuse(op, "the size along a collapsed or batch axis must be 1");
  for (std::size_t k = 0; k < sizes.size(); ++k) if (is_number(sizes[k]) && is_number(x.dims[k]) && sizes[k] > x.dims[k]) refuse(op, "a size exceeds its axis");
  const Ints window = window_axes(x.rank(), collapsed, bx);
  need_size(op, offset, window.size(), "offset dims");
  const Shape parts = parts_of(in(op, 1));
  need_axes(op, offset, int(parts.size() + window.size()));
  Type y{x.dtype, Shape(parts.size() + window.size(), 0)};
  std::size_t w = 0, p = 0;
  for (std::size_t k = 0; k < y.dims.size(); ++k) y.dims[k] = holds(offset, std::int64_t(k)) ? sizes[std::size_t(window[w++])] : parts[p++];
  return {y};
}
// Indices moved to where the parts lie inside.
X inside_of(X indices, const Shape& x, const Ints& map, const Shape& sizes) {
  if (map.empty()) return indices;
  Builder& b = *indices.b;
  std::vector<X> most;
  for (auto a : map) {
    const Extent room = minus(x[std::size_t(a)], sizes[std::size_t(a)]);
    const X n = is_number(room) ? index(b, room) : extent(b, Ints{room});
    most.push_back(broadcast(convert(n, indices.type().dtype), Ints{1}, {}));
  }
  const X limit = broadcast(most.size() == 1 ? most[0] : concatenate(most, 0), indices.type().dims, {indices.type().rank() - 1});
  const X none = like(indices, 0);
  return ops::select(indices < none, none, ops::select(indices > limit, limit, indices));
}
X gather_batched(const Op& op, std::span<const X> in, const Batch& b) {
  auto up = [&](Key<Ints> k) { return shifted(op.at(k)); };
  const Shape& sizes = op.at(key::sizes);
  const Ints offset = up(key::offset_dims);
  if (!b.marked[0]) return ops::gather(in[0], in[1], offset, op.at(key::collapsed), op.at(key::batch_x), up(key::batch_indices), op.at(key::index_map), sizes);
  if (!b.marked[1]) return ops::gather(in[0], in[1], joined({{0}, offset}), up(key::collapsed), up(key::batch_x), op.at(key::batch_indices), up(key::index_map), joined({{b.extent}, sizes}));
  return ops::gather(in[0], in[1], offset, up(key::collapsed), joined({{0}, up(key::batch_x)}), joined({{0}, up(key::batch_indices)}), up(key::index_map), joined({{1}, sizes}));
}

// What gather and scatter walk over: for each part its base in x (or -1 where it lies outside and must not) and its index.
struct Parts {
  const Op& op;
  const Array &x, &indices;
  const Ints &batch_x, &batch_indices, &map;
  Ints window;                                    // axes of x
  Shape size;                                     // of a part, for all axes of x
  template <class F> void each(bool clamp, F visit) const {
    const Ints steps = row_major(x.type.dims);
    const Shape parts = parts_of(indices.type);
    std::size_t row = 0;
    each_index(parts, [&](const Ints& at) {
      Ints begin(steps.size(), 0);
      for (std::size_t i = 0; i < map.size(); ++i) begin[std::size_t(map[i])] = indices.at(row * map.size() + i).as_int();
      for (std::size_t i = 0; i < batch_x.size(); ++i) begin[std::size_t(batch_x[i])] = at[std::size_t(batch_indices[i])];
      ++row;
      std::int64_t base = 0;
      for (std::size_t k = 0; k < begin.size(); ++k) {
        const auto room = x.type.dims[k] - size[k];
        if (clamp) begin[k] = std::clamp<std::int64_t>(begin[k], 0, std::max<std::int64_t>(0, room));
        else if (begin[k] < 0 || begin[k] > room) return;
        base += begin[k] * steps[k];
      }
      visit(at, base);
    });
  }
};
// Steps along the axes of the result (or the updates) that hold a part, and along those that number the parts.
struct Layout { Ints window, part; };
Layout layout(const Ints& dims, const Ints& window_dims) {
  const Ints steps = row_major(dims);
  return {picked(steps, window_dims), picked(steps, without(axes_up_to(int(dims.size())), window_dims))};
}
std::int64_t dot(const Ints& a, const Ints& b) { std::int64_t s = 0; for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i]; return s; }

void gather_kernel(const Op& op, std::span<const Array> in, Array& y) {
  const Ints window = window_axes(in[0].type.rank(), op.at(key::collapsed), op.at(key::batch_x));
  const Parts parts{op, in[0], in[1], op.at(key::batch_x), op.at(key::batch_indices), op.at(key::index_map), window, op.at(key::sizes)};
  const Layout to = layout(y.type.dims, op.at(key::offset_dims));
  const Ints from = picked(row_major(in[0].type.dims), window), dims = picked(op.at(key::sizes), window);
  parts.each(true, [&](const Ints& at, std::int64_t base) { copy(dims, in[0], base, from, y, dot(at, to.part), to.window); });
}
std::string list(const Ints& v) {
  std::string s;
  for (auto x : v) s += (s.empty() ? "" : ", ") + std::to_string(x);
  return "[" + s + "]";
}
std::string array(const Ints& v) { const std::string s = list(v); return v.empty() ? "array<i64>" : "array<i64: " + s.substr(1, s.size() - 2) + ">"; }

}  // namespace

FACTS(gather) {
  .name = "gather", .doc = "Parts of x of extents `sizes`, one for each vector of `indices`, moved inside x where they would leave it. Element i of a vector is the place along axis index_map[i].",
  .operands = {"x", "indices"}, .attrs = {key::offset_dims, key::collapsed, key::batch_x, key::batch_indices, key::index_map, key::sizes},
  .type = gather_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> {
    const Type& x = in[0].type();
    const X at = inside_of(in[1], x.dims, op.at(key::index_map), op.at(key::sizes));
    return {scatter_add(zero(*d.b, x), at, d, op.at(key::offset_dims), op.at(key::collapsed), op.at(key::batch_x), op.at(key::batch_indices), op.at(key::index_map)), {}};
  }),
  .batching = gather_batched,
  .kernel = gather_kernel,
  .cpp = by_name,
  .stablehlo = [](const Op& op) {
    return "\"stablehlo.gather\"({x}, {indices}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset_dims}, collapsed_slice_dims = {collapsed}, "
           "operand_batching_dims = {batch_x}, start_indices_batching_dims = {batch_indices}, start_index_map = {index_map}, index_vector_dim = " +
           std::to_string(rank(op, 1) - 1) + ">, indices_are_sorted = false, slice_sizes = " + array(op.at(key::sizes)) + "}}> : {signature}";
  },
  .effect = Effect::pure, .cost = 2,
};

namespace {

// The extents of a part, for all axes of x.
Shape part_sizes(const Op& op, const Type& x, const Type& updates) {
  Shape size(x.dims.size(), 1);
  const Ints window = window_axes(x.rank(), op.at(key::inserted), op.at(key::batch_x));
  for (std::size_t i = 0; i < window.size(); ++i) size[std::size_t(window[i])] = updates.dims[std::size_t(op.at(key::window_dims)[i])];
  return size;
}
std::vector<Type> scatter_type(const Op& op) {
  need_tensor(op, 0);
  auto &window_dims = op.at(key::window_dims), &inserted = op.at(key::inserted), &bx = op.at(key::batch_x), &bi = op.at(key::batch_indices), &map = op.at(key::index_map);
  need_indices(op, map);
  const Type &x = in(op, 0), &u = in(op, 2);
  if (u.dtype != x.dtype || u.buffer) refuse(op, "updates must have x's dtype");
  need_axes(op, joined({inserted, bx}), x.rank());
  need_axes(op, map, x.rank());
  need_axes(op, bi, in(op, 1).rank() - 1);
  need_size(op, bi, bx.size(), "batch axes of the indices");
  const Ints window = window_axes(x.rank(), inserted, bx);
  need_size(op, window_dims, window.size(), "window dims");
  need_axes(op, window_dims, u.rank());
  const Shape parts = parts_of(in(op, 1));
  if (picked(u.dims, without(axes_up_to(u.rank()), window_dims)) != parts) refuse(op, "updates of " + text(u) + " for indices of " + text(in(op, 1)));
  const Shape size = part_sizes(op, x, u);
  for (std::size_t k = 0; k < size.size(); ++k) if (is_number(size[k]) && is_number(x.dims[k]) && size[k] > x.dims[k]) refuse(op, "an update exceeds an axis of x");
  return {x};
}
X scatter_of(const Kind& kind, const Op& op, X x, X indices, X updates) {
  const X in[] = {x, indices, updates};
  return build(kind, *x.b, in, op.attrs);
}
// Updates where they lie inside x, else zero: those outside were dropped.
X gathered(const Op& op, X x, X indices, X updates, X d) {
  const Shape size = part_sizes(op, x.type(), updates.type());
  const X parts = ops::gather(d, indices, op.at(key::window_dims), op.at(key::inserted), op.at(key::batch_x), op.at(key::batch_indices), op.at(key::index_map), size);
  const X inside = reduced(ops::reduce_and, indices == inside_of(indices, x.type().dims, op.at(key::index_map), size), {indices.type().rank() - 1});
  return ops::select(broadcast(inside, parts.type().dims, without(axes_up_to(parts.type().rank()), op.at(key::window_dims))), parts, like(parts, 0));
}
template <auto& kind> X scatter_batched(const Op& op, std::span<const X> in, const Batch& b) {
  auto up = [&](Key<Ints> k) { return shifted(op.at(k)); };
  const X x = with_batch(in[0], b.marked[0], b.extent), u = with_batch(in[2], b.marked[2], b.extent);
  if (!b.marked[1]) return kind(x, in[1], u, joined({{0}, up(key::window_dims)}), up(key::inserted), up(key::batch_x), op.at(key::batch_indices), up(key::index_map));
  return kind(x, in[1], u, up(key::window_dims), up(key::inserted), joined({{0}, up(key::batch_x)}), joined({{0}, up(key::batch_indices)}), up(key::index_map));
}
template <bool adds> void scatter_kernel(const Op& op, std::span<const Array> in, Array& y) {
  const Ints window = window_axes(in[0].type.rank(), op.at(key::inserted), op.at(key::batch_x)), steps = row_major(y.type.dims);
  copy(y.type.dims, in[0], 0, steps, y, 0, steps);
  const Shape size = part_sizes(op, in[0].type, in[2].type);
  const Parts parts{op, in[0], in[1], op.at(key::batch_x), op.at(key::batch_indices), op.at(key::index_map), window, size};
  const Layout from = layout(in[2].type.dims, op.at(key::window_dims));
  const Ints to = picked(steps, window), dims = picked(size, window);
  parts.each(false, [&](const Ints& at, std::int64_t base) {
    if (!adds) return copy(dims, in[2], dot(at, from.part), from.window, y, base, to);
    with_storage(y.type.dtype, [&]<class T>(T) {
      const T* u = in[2].data<T>();
      T* out = y.data<T>();
      each_offset<2>(dims, {from.window, to}, {dot(at, from.part), base}, [&](auto& k) { out[k[1]] = T(out[k[1]] + u[k[0]]); });
    });
  });
}
std::string scatter_spelled(const Op& op, const char* body) {
  return "{result} = \"stablehlo.scatter\"({x}, {indices}, {updates}) <{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
         "{window_dims}, inserted_window_dims = {inserted}, input_batching_dims = {batch_x}, scatter_indices_batching_dims = {batch_indices}, "
         "scatter_dims_to_operand_dims = {index_map}, index_vector_dim = " + std::to_string(rank(op, 1) - 1) + ">, unique_indices = false}}> ({{\n"
         "^bb0(%.old: {element}, %.new: {element}):\n" + body + "}}) : {signature}";
}

}  // namespace

FACTS(scatter) {
  .name = "scatter", .doc = "x with the parts of `updates` put where the vectors of `indices` say; those that would leave x are dropped. Places must not repeat: which update stays is not defined.",
  .operands = {"x", "indices", "updates"}, .attrs = {key::window_dims, key::inserted, key::batch_x, key::batch_indices, key::index_map},
  .type = scatter_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> {
    return {scatter_of(ops::scatter, op, d, in[1], like(in[2], 0)), {}, gathered(op, in[0], in[1], in[2], d)};
  }),
  .batching = scatter_batched<ops::scatter>,
  .kernel = scatter_kernel<false>,
  .cpp = by_name,
  .stablehlo = [](const Op& op) { return scatter_spelled(op, "stablehlo.return %.new : {element}\n"); },
  .effect = Effect::pure, .cost = 2,
};

FACTS(scatter_add) {
  .name = "scatter_add", .doc = "x with the parts of `updates` added where the vectors of `indices` say; those that would leave x are dropped.",
  .operands = {"x", "indices", "updates"}, .attrs = {key::window_dims, key::inserted, key::batch_x, key::batch_indices, key::index_map},
  .type = scatter_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> { return {d, {}, gathered(op, in[0], in[1], in[2], d)}; }),
  .batching = scatter_batched<ops::scatter_add>,
  .kernel = scatter_kernel<true>,
  .cpp = by_name,
  .stablehlo = [](const Op& op) { return scatter_spelled(op, "%.sum = stablehlo.add %.old, %.new : {element}\nstablehlo.return %.sum : {element}\n"); },
  .effect = Effect::pure, .cost = 3,
};

}  // namespace tlaloc::ir
