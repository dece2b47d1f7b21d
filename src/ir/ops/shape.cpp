// SPDX-License-Identifier: Apache-2.0
//
// Tensors from nothing, and the same elements in another shape.
#include "ir/ops/tensors.hpp"

namespace tlaloc::ir {

FACTS(iota) {
  .name = "iota", .doc = "0, 1, 2, ... along `axis`, repeated along the others.",
  .operands = none, .attrs = {key::shape, key::dtype, key::axis},
  .type = [](const Op& op) -> std::vector<Type> {
    need_axes(op, {op.at(key::axis)}, int(op.at(key::shape).size()));
    if (op.at(key::dtype) == DType::boolean) refuse(op, "does not count in bool");
    return {Type{op.at(key::dtype), op.at(key::shape)}};
  },
  .derivative = zero("a constant"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Array>, Array& y) {
    const Ints steps = row_major(y.type.dims);
    const auto axis = std::size_t(op.at(key::axis));
    for (std::size_t i = 0, n = y.size(); i < n; ++i) y.set(i, Number::of(y.type.dtype, std::int64_t(i) / steps[axis] % y.type.dims[axis]));
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.iota dim = {axis} : {type}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(literal) {
  .name = "literal", .doc = "A tensor of the numbers given, in row-major order.",
  .operands = none, .attrs = {key::shape, key::dtype, key::values},
  .type = [](const Op& op) -> std::vector<Type> {
    if (elements(op.at(key::shape)) != std::int64_t(op.at(key::values).size())) refuse(op, "has " + std::to_string(op.at(key::values).size()) + " numbers");
    for (auto& n : op.at(key::values)) if (n.dtype != op.at(key::dtype)) refuse(op, "holds a number of another type");
    return {Type{op.at(key::dtype), op.at(key::shape)}};
  },
  .derivative = zero("a constant"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Array>, Array& y) { for (std::size_t i = 0; i < y.size(); ++i) y.set(i, op.at(key::values)[i]); },
  .cpp = by_name,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 0,
};

FACTS(extent) {
  .name = "extent", .doc = "How many elements a tensor of `shape` has, an i64.",
  .operands = none, .attrs = {key::shape},
  .type = [](const Op&) -> std::vector<Type> { return {Type{index_type}}; },
  .derivative = zero("an extent is an integer"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number>) -> Number {
    const Extent n = elements(op.at(key::shape));
    if (!is_number(n)) refuse(op, "the extent " + extent_text(n) + " is not bound");
    return Number::of(index_type, n);
  },
  .cpp = by_name,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 0,
};

FACTS(broadcast_in_dim) {
  .name = "broadcast_in_dim", .doc = "x repeated to `shape`: axis i of x becomes axis dims[i], and the others are new.",
  .operands = {"x"}, .attrs = {key::shape, key::dims},
  .type = [](const Op& op) -> std::vector<Type> {
    need_tensor(op, 0);
    auto& shape = op.at(key::shape);
    auto& dims = op.at(key::dims);
    need_size(op, dims, in(op, 0).dims.size(), "dims");
    need_axes(op, dims, int(shape.size()));
    for (std::size_t i = 1; i < dims.size(); ++i) if (dims[i] < dims[i - 1]) refuse(op, "dims must increase");
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (shape[std::size_t(dims[i])] != in(op, 0).dims[i]) refuse(op, "axis " + std::to_string(i) + " has another extent in the shape");
    return {Type{in(op, 0).dtype, shape}};
  },
  .derivative = linear([](const Op& op, std::span<const X>, X d) -> std::vector<X> {
    return {reduced(reduce_sum, d, without(axes_up_to(d.type().rank()), op.at(key::dims)))};
  }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X {
    return broadcast_in_dim(in[0], joined({{b.extent}, op.at(key::shape)}), joined({{0}, shifted(op.at(key::dims))}));
  },
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    Ints from(y.type.dims.size(), 0);
    const Ints steps = row_major(x[0].type.dims);
    for (std::size_t i = 0; i < steps.size(); ++i) from[std::size_t(op.at(key::dims)[i])] = steps[i];
    copy(y.type.dims, x[0], 0, from, y, 0, row_major(y.type.dims));
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.broadcast_in_dim {x}, dims = {dims} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(reshape) {
  .name = "reshape", .doc = "The elements of x, in row-major order, as a tensor of `shape`.",
  .operands = {"x"}, .attrs = {key::shape},
  .type = [](const Op& op) -> std::vector<Type> {
    need_tensor(op, 0);
    if (elements(in(op, 0).dims) != elements(op.at(key::shape))) refuse(op, "the number of elements differs");
    return {Type{in(op, 0).dtype, op.at(key::shape)}};
  },
  .derivative = linear([](const Op&, std::span<const X> in, X d) -> std::vector<X> { return {reshape(d, in[0].type().dims)}; }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X { return reshape(in[0], joined({{b.extent}, op.at(key::shape)})); },
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { std::memcpy(y.bytes.get(), x[0].bytes.get(), y.size() * byte_width(y.type.dtype)); },
  .cpp = by_name,
  .stablehlo = "stablehlo.reshape {x} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(transpose) {
  .name = "transpose", .doc = "Axis i of the result is axis dims[i] of x.",
  .operands = {"x"}, .attrs = {key::dims},
  .type = [](const Op& op) -> std::vector<Type> {
    need_tensor(op, 0);
    need_size(op, op.at(key::dims), in(op, 0).dims.size(), "dims");
    need_axes(op, op.at(key::dims), rank(op, 0));
    return {Type{in(op, 0).dtype, picked(in(op, 0).dims, op.at(key::dims))}};
  },
  .derivative = linear([](const Op& op, std::span<const X>, X d) -> std::vector<X> { return {transpose(d, inverse(op.at(key::dims)))}; }),
  .batching = [](const Op& op, std::span<const X> in, const Batch&) -> X { return transpose(in[0], joined({{0}, shifted(op.at(key::dims))})); },
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    copy(y.type.dims, x[0], 0, picked(row_major(x[0].type.dims), op.at(key::dims)), y, 0, row_major(y.type.dims));
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.transpose {x}, dims = {dims} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(reverse) {
  .name = "reverse", .doc = "x with the order along `axes` turned round.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = [](const Op& op) -> std::vector<Type> { need_tensor(op, 0); need_axes(op, op.at(key::axes), rank(op, 0)); return {in(op, 0)}; },
  .derivative = linear([](const Op& op, std::span<const X>, X d) -> std::vector<X> { return {reverse(d, op.at(key::axes))}; }),
  .batching = [](const Op& op, std::span<const X> in, const Batch&) -> X { return reverse(in[0], shifted(op.at(key::axes))); },
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    const Ints to = row_major(y.type.dims);
    Ints from = to;
    std::int64_t base = 0;
    for (auto a : op.at(key::axes)) {
      const auto k = std::size_t(a);
      base += from[k] * (y.type.dims[k] - 1);
      from[k] = -from[k];
    }
    copy(y.type.dims, x[0], base, from, y, 0, to);
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.reverse {x}, dims = {axes} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

FACTS(concatenate) {
  .name = "concatenate", .doc = "The operands one after the other along `axis`.",
  .operands = {"xs..."}, .attrs = {key::axis},
  .type = [](const Op& op) -> std::vector<Type> {
    if (op.operands.empty()) refuse(op, "needs an operand");
    Type t = in(op, 0);
    const auto axis = op.at(key::axis);
    need_axes(op, {axis}, t.rank());
    Extent n = 0;
    for (int i = 0; i < int(op.operands.size()); ++i) {
      Type other = in(op, i);
      if (other.buffer || other.rank() != t.rank()) refuse(op, "needs tensors of one rank");
      n = plus(n, std::exchange(other.dims[std::size_t(axis)], t.dims[std::size_t(axis)]));
      if (other != t) refuse(op, "operand " + std::to_string(i) + " differs in dtype or in an extent off the axis");
    }
    t.dims[std::size_t(axis)] = n;
    return {t};
  },
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> {
    std::vector<X> r;
    Extent from = 0;
    const auto axis = op.at(key::axis);
    for (X x : in) {
      const Extent to = plus(from, x.type().dims[std::size_t(axis)]);
      if (!is_number(from)) refuse(op, "the derivative needs the extents but the last to be numbers");
      r.push_back(sliced(d, axis, from, to));
      from = to;
    }
    return r;
  }),
  .batching = [](const Op& op, std::span<const X> in, const Batch& b) -> X {
    std::vector<X> xs;
    for (std::size_t i = 0; i < in.size(); ++i) xs.push_back(with_batch(in[i], b.marked[i], b.extent));
    return ir::concatenate(xs, op.at(key::axis) + 1);
  },
  .kernel = [](const Op& op, std::span<const Array> xs, Array& y) {
    const Ints to = row_major(y.type.dims);
    std::int64_t base = 0;
    for (auto& x : xs) {
      copy(x.type.dims, x, 0, row_major(x.type.dims), y, base, to);
      base += x.type.dims[std::size_t(op.at(key::axis))] * to[std::size_t(op.at(key::axis))];
    }
  },
  .cpp = by_name,
  .stablehlo = "stablehlo.concatenate {xs...}, dim = {axis} : {signature}",
  .effect = Effect::pure, .cost = 1,
};

}  // namespace tlaloc::ir
