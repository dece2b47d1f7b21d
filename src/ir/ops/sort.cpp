// SPDX-License-Identifier: Apache-2.0
//
// Order along an axis. The order is an index tensor, without a derivative; sorting follows it by a gather, which has one.
#include "ir/ops/tensors.hpp"

#include <algorithm>
#include <numeric>

namespace tlaloc::ir {
namespace {

std::vector<Type> along_axis(const Op& op) {
  need_tensor(op, 0);
  need_axes(op, {op.at(key::axis)}, rank(op, 0));
  return {in(op, 0)};
}
template <auto& kind> X same_batched(const Op& op, std::span<const X> in, const Batch&) { return kind(in[0], op.at(key::axis) + 1, op.at(key::descending)); }

template <class T> void order(const Op& op, const Array& x, Array& y) {
  const auto axis = std::size_t(op.at(key::axis));
  const bool descending = op.at(key::descending);
  const std::int64_t n = x.type.dims[axis], step = row_major(x.type.dims)[axis];
  Ints others = x.type.dims;
  others[axis] = 1;
  std::vector<std::int32_t> at(static_cast<std::size_t>(n));
  each_offset<1>(others, {row_major(x.type.dims)}, {0}, [&](auto& base) {
    const T* v = x.data<T>() + base[0];
    auto before = [&](T a, T b) { return descending ? a > b || (a != a && b == b) : a < b || (b != b && a == a); };
    std::iota(at.begin(), at.end(), 0);
    std::sort(at.begin(), at.end(), [&](auto i, auto j) {
      const T a = v[i * step], b = v[j * step];
      return before(a, b) || (!before(b, a) && i < j);
    });
    for (std::int64_t i = 0; i < n; ++i) y.data<std::int32_t>()[base[0] + i * step] = at[std::size_t(i)];
  });
}
// The comparator puts NaN where the greatest would be.
std::string comparator(const Op& op) {
  const bool down = op.at(key::descending), real = in(op, 0).real();
  const std::string scalar = "{x:element}", pair = " : (" + scalar + ", " + scalar + ") -> tensor<i1>\n";
  std::string body = std::string("%.less = stablehlo.compare ") + (down ? "GT" : "LT") + ", %.a, %.b" + pair;
  if (real)
    body += std::string("%.odd = stablehlo.compare NE, ") + (down ? "%.a, %.a" : "%.b, %.b") + pair + "%.plain = stablehlo.compare EQ, " + (down ? "%.b, %.b" : "%.a, %.a") + pair +
            "%.last = stablehlo.and %.odd, %.plain : tensor<i1>\n%.before = stablehlo.or %.less, %.last : tensor<i1>\n";
  return "{0} = stablehlo.iota dim = {axis} : {type}\n{1}:2 = \"stablehlo.sort\"({x}, {0}) <{{dimension = {axis} : i64, is_stable = true}}> ({{\n^bb0(%.a: " + scalar +
         ", %.b: " + scalar + ", %.i: tensor<i32>, %.j: tensor<i32>):\n" + body + "stablehlo.return " + (real ? "%.before" : "%.less") +
         " : tensor<i1>\n}}) : ({x:type}, {type}) -> ({x:type}, {type})\n{result} = stablehlo.convert {1}#1 : ({type}) -> {type}";
}

}  // namespace

FACTS(sort_indices) {
  .name = "sort_indices", .doc = "Indices along `axis` that put x in order, `descending` unless that is 0; equals keep their order, NaN counts as greatest.",
  .operands = {"x"}, .attrs = {key::axis, key::descending},
  .type = [](const Op& op) -> std::vector<Type> { return {Type{DType::i32, along_axis(op)[0].dims}}; },
  .derivative = zero("an index"),
  .batching = same_batched<ops::sort_indices>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { with_storage(x[0].type.dtype, [&]<class T>(T) { order<T>(op, x[0], y); }); },
  .cpp = by_name,
  .stablehlo = comparator,
  .effect = Effect::pure, .cost = 20,
};

FACTS(sort) {
  .name = "sort", .doc = "x in order along `axis`, `descending` unless that is 0.",
  .operands = {"x"}, .attrs = {key::axis, key::descending},
  .type = along_axis,
  .expansion = {[](const Op& op, std::span<const X> x) -> std::vector<X> {
    return {take_along_axis(x[0], sort_indices(x[0], op.at(key::axis), op.at(key::descending)), op.at(key::axis))};
  }},
  .derivative = by_expansion,
  .batching = same_batched<ops::sort>,
  .kernel = by_expansion,
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 22,
};

}  // namespace tlaloc::ir
