// SPDX-License-Identifier: Apache-2.0
//
// Reductions over axes, which disappear. A reduction over nothing gives the neutral element.
#include "ir/ops/tensors.hpp"

#include <algorithm>
#include <limits>

namespace tlaloc::ir {
namespace {

std::vector<Type> reduced_type(const Op& op) {
  need_tensor(op, 0);
  need_axes(op, op.at(key::axes), rank(op, 0));
  return {Type{in(op, 0).dtype, picked(in(op, 0).dims, without(axes_up_to(rank(op, 0)), op.at(key::axes)))}};
}
std::vector<Type> reduced_numbers(const Op& op) {
  if (in(op, 0).dtype == DType::boolean) refuse(op, "needs numbers; of bools use reduce_or or reduce_and");
  return reduced_type(op);
}
std::vector<Type> reduced_bools(const Op& op) {
  if (in(op, 0).dtype != DType::boolean) refuse(op, "needs bools");
  return reduced_type(op);
}
X spread(const Op& op, X x, X y) { return broadcast(y, x.type().dims, without(axes_up_to(x.type().rank()), op.at(key::axes))); }

// Partials of the result by each element; the derivative is their sum with the tangents. Equal winners share it.
Partials extreme_partials(const Op& op, X x, X y) {
  const X wins = ops::select(x == spread(op, x, y), like(x, 1), like(x, 0));
  return {wins / spread(op, x, reduced(ops::reduce_sum, wins, op.at(key::axes)))};
}
template <auto& kind> X batched(const Op& op, std::span<const X> in, const Batch&) { return build(kind, *in[0].b, in, {shifted(op.at(key::axes))}); }

/// Folds f over the reduced axes, from `start`, in row-major order; f32 in f64.
template <class T, class F> void reduce(const Op& op, const Array& x, Array& y, T start, F f) {
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
  Ints to(x.type.dims.size(), 0);
  const Ints kept = without(axes_up_to(x.type.rank()), op.at(key::axes)), steps = row_major(y.type.dims);
  for (std::size_t i = 0; i < kept.size(); ++i) to[std::size_t(kept[i])] = steps[i];
  std::vector<Sum> sums(y.size(), Sum(start));
  const T* from = x.data<T>();
  each_offset<1>(x.type.dims, {to}, {0}, [&](auto& at) { sums[std::size_t(at[0])] = Sum(f(sums[std::size_t(at[0])], Sum(*from++))); });
  T* out = y.data<T>();
  for (std::size_t i = 0; i < sums.size(); ++i) out[i] = T(sums[i]);
}
template <class T> T lowest() { return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest(); }
template <class T> T highest() { return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max(); }
// NaN wins.
constexpr auto greater = [](auto a, auto b) { return a != a || !(b != b || a < b) ? a : b; };
constexpr auto lesser = [](auto a, auto b) { return a != a || !(b != b || b < a) ? a : b; };

// The product of pairs, halving the axis until nothing is left: its derivative needs no division.
X product_over(X x, std::int64_t axis) {
  auto n = [&] { return x.type().dims[std::size_t(axis)]; };
  Shape kept = x.type().dims;
  kept.erase(kept.begin() + axis);
  if (!is_number(n())) { // the first of the products to the end; a 1 is there if nothing else is
    const Ints none(x.type().dims.size(), 0);
    Ints one = none;
    one[std::size_t(axis)] = 1;
    return reshape(sliced(ops::cumprod(padded(x, 1, none, one, none), axis, 1), axis, 0, 1), kept);
  }
  if (n() == 0)
    return splat(*x.b, Type{x.type().dtype, kept}, 1);
  while (n() > 1) {
    const auto half = n() / 2;
    const X pairs = sliced(x, axis, 0, half) * sliced(x, axis, half, 2 * half);
    const X rest[] = {pairs, sliced(x, axis, 2 * half, n())};
    x = n() % 2 ? concatenate(rest, axis) : pairs;
  }
  return reshape(x, kept);
}
std::vector<X> product(const Op& op, std::span<const X> in) {
  Ints axes = op.at(key::axes);
  std::sort(axes.begin(), axes.end(), std::greater<>());
  X x = in[0];
  for (auto a : axes) x = product_over(x, a);
  return {x};
}
std::string reduction(const char* what, const char* initial) {
  return std::string("{0} = stablehlo.constant dense<") + initial + "> : {element}\n{result} = stablehlo.reduce({x} init: {0}) applies stablehlo." + what +
         " across dimensions = {axes} : ({x:type}, {element}) -> {type}";
}

}  // namespace

FACTS(reduce_sum) {
  .name = "reduce_sum", .doc = "Sum of x over `axes`.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_numbers,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> { return {spread(op, in[0], d)}; }),
  .batching = batched<ops::reduce_sum>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    with_storage(y.type.dtype, [&]<class T>(T) { reduce<T>(op, x[0], y, T(0), [](auto a, auto b) { return a + b; }); });
  },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("add", "{zero}"); },
  .effect = Effect::pure, .cost = 1,
};

FACTS(reduce_max) {
  .name = "reduce_max", .doc = "The greatest of x over `axes`; NaN where there is one. Its derivative is shared by equal winners.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_numbers,
  .derivative = pointwise_then(ops::reduce_sum, extreme_partials),
  .batching = batched<ops::reduce_max>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    with_storage(y.type.dtype, [&]<class T>(T) { reduce<T>(op, x[0], y, lowest<T>(), greater); });
  },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("maximum", "{lowest}"); },
  .effect = Effect::pure, .cost = 1,
};

FACTS(reduce_min) {
  .name = "reduce_min", .doc = "The least of x over `axes`; NaN where there is one. Its derivative is shared by equal winners.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_numbers,
  .derivative = pointwise_then(ops::reduce_sum, extreme_partials),
  .batching = batched<ops::reduce_min>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    with_storage(y.type.dtype, [&]<class T>(T) { reduce<T>(op, x[0], y, highest<T>(), lesser); });
  },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("minimum", "{highest}"); },
  .effect = Effect::pure, .cost = 1,
};

FACTS(reduce_prod) {
  .name = "reduce_prod", .doc = "Product of x over `axes`. Its derivative is exact where elements are zero.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_numbers,
  .expansion = {product},
  .derivative = by_expansion,
  .batching = batched<ops::reduce_prod>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    with_storage(y.type.dtype, [&]<class T>(T) { reduce<T>(op, x[0], y, T(1), [](auto a, auto b) { return a * b; }); });
  },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("multiply", "{one}"); },
  .effect = Effect::pure, .cost = 1,
};

FACTS(reduce_and) {
  .name = "reduce_and", .doc = "Whether all of x over `axes` are true.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_bools,
  .derivative = zero("a truth value"),
  .batching = batched<ops::reduce_and>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { reduce<std::uint8_t>(op, x[0], y, 1, [](auto a, auto b) { return a & b; }); },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("and", "true"); },
  .effect = Effect::pure, .cost = 1,
};

FACTS(reduce_or) {
  .name = "reduce_or", .doc = "Whether any of x over `axes` is true.",
  .operands = {"x"}, .attrs = {key::axes},
  .type = reduced_bools,
  .derivative = zero("a truth value"),
  .batching = batched<ops::reduce_or>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { reduce<std::uint8_t>(op, x[0], y, 0, [](auto a, auto b) { return a | b; }); },
  .cpp = by_name,
  .stablehlo = [](const Op&) { return reduction("or", "false"); },
  .effect = Effect::pure, .cost = 1,
};

namespace {

std::vector<Type> arg_type(const Op& op) {
  need_tensor(op, 0);
  need_axes(op, {op.at(key::axis)}, rank(op, 0));
  if (!is_integer(op.at(key::dtype))) refuse(op, "gives integers");
  Shape dims = in(op, 0).dims;
  if (dims[std::size_t(op.at(key::axis))] == 0) refuse(op, "an axis without elements");
  dims.erase(dims.begin() + op.at(key::axis));
  return {Type{op.at(key::dtype), dims}};
}
// The least index of those that are the extreme; the first NaN, where there is one.
std::vector<X> first_extreme(const Op& op, X x, const Kind& kind) {
  const auto axis = op.at(key::axis);
  const DType d = op.at(key::dtype);
  const Shape dims = x.type().dims;
  const X best = broadcast(reduced(kind, x, {axis}), dims, without(axes_up_to(x.type().rank()), {axis}));
  const X is = ops::bit_or(x == best, x != x), at = iota(*x.b, dims, d, axis);
  const X beyond = ops::cast(broadcast(extent(*x.b, {dims[std::size_t(axis)]}), dims, {}), d);
  return {reduced(ops::reduce_min, ops::select(is, at, beyond), {axis})};
}

}  // namespace

#define ARG_EXTREME(NAME, DOC, REDUCTION)                                                                      \
  FACTS(NAME) {                                                                                                \
    .name = #NAME, .doc = DOC, .operands = {"x"}, .attrs = {key::axis, key::dtype}, .type = arg_type,          \
    .expansion = {[](const Op& op, std::span<const X> x) { return first_extreme(op, x[0], ops::REDUCTION); }}, \
    .derivative = zero("an index"), .batching = by_expansion, .kernel = by_expansion, .cpp = by_name,    \
    .stablehlo = by_expansion, .effect = Effect::pure, .cost = 3,                                              \
  }
ARG_EXTREME(argmax, "The index along `axis` of the greatest of x, the first of equals; a NaN counts as greatest.", reduce_max);
ARG_EXTREME(argmin, "The index along `axis` of the least of x, the first of equals; a NaN counts as least.", reduce_min);
#undef ARG_EXTREME

}  // namespace tlaloc::ir
