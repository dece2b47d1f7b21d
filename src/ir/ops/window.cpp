// SPDX-License-Identifier: Apache-2.0
//
// Reductions over windows that slide over a tensor (pooling). Padding is the neutral element.
#include "ir/ops/tensors.hpp"

#include <algorithm>
#include <limits>

namespace tlaloc::ir {
namespace {

std::int64_t width(const Op& op, std::size_t k) { return (op.at(key::window)[k] - 1) * op.at(key::dilations)[k] + 1; }

std::vector<Type> window_type(const Op& op) {
  need_tensor(op, 0);
  Type t = in(op, 0);
  if (t.dtype == DType::boolean) refuse(op, "needs numbers");
  for (auto* v : {&op.at(key::window), &op.at(key::strides), &op.at(key::dilations), &op.at(key::low), &op.at(key::high)}) need_size(op, *v, t.dims.size(), "numbers per attribute");
  for (std::size_t k = 0; k < t.dims.size(); ++k) {
    const auto stride = op.at(key::strides)[k];
    if (op.at(key::window)[k] < 1 || stride < 1 || op.at(key::dilations)[k] < 1) refuse(op, "a window, stride or dilation below 1");
    if (op.at(key::low)[k] < 0 || op.at(key::high)[k] < 0) refuse(op, "a negative padding");
    if (!is_number(t.dims[k])) {
      if (width(op, k) != 1 || stride != 1 || op.at(key::low)[k] || op.at(key::high)[k]) refuse_symbolic(op, "a window along an axis of symbolic extent");
      continue;
    }
    const auto room = op.at(key::low)[k] + t.dims[k] + op.at(key::high)[k] - width(op, k);
    t.dims[k] = room < 0 ? 0 : room / stride + 1;
  }
  return {t};
}
template <auto& kind> X window_batched(const Op& op, std::span<const X> in, const Batch&) {
  auto with = [&](Key<Ints> k, std::int64_t x) { return joined({{x}, op.at(k)}); };
  return kind(in[0], with(key::window, 1), with(key::strides, 1), with(key::dilations, 1), with(key::low, 0), with(key::high, 0));
}
// Each element of x gets the cotangents of the windows that hold it: a window sum over the cotangent spread by the strides.
X spread_back(const Op& op, X x, X d) {
  const std::size_t n = x.type().dims.size();
  Ints low, high, interior;
  for (std::size_t k = 0; k < n; ++k) {
    const auto stride = op.at(key::strides)[k], spread = d.type().dims[k] < 1 ? 0 : (d.type().dims[k] - 1) * stride + 1;
    const bool fixed = is_number(x.type().dims[k]);
    interior.push_back(stride - 1);
    low.push_back(fixed ? width(op, k) - 1 - op.at(key::low)[k] : 0);
    high.push_back(fixed ? x.type().dims[k] + width(op, k) - 1 - spread - low.back() : 0);
  }
  const Ints ones(n, 1), none(n, 0);
  return ops::reduce_window_sum(padded(d, 0, low, high, interior), op.at(key::window), ones, op.at(key::dilations), none, none);
}
double worst(DType d, bool greatest) {
  if (is_real(d)) return greatest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (!greatest) return std::ldexp(1.0, bit_width(d) - is_signed(d));
  return is_signed(d) ? -std::ldexp(1.0, bit_width(d) - 1) : 0;
}
// The first of the greatest wins, one strided slice after the other; a NaN wins over all.
std::vector<X> by_slices(const Op& op, X x, bool greatest) {
  const Ints &window = op.at(key::window), &strides = op.at(key::strides), &dilations = op.at(key::dilations);
  const std::size_t n = window.size();
  const X wide = padded(x, worst(x.type().dtype, greatest), op.at(key::low), op.at(key::high), Ints(n, 0));
  const Shape out = op.results[0]->type.dims;
  X best;
  each_index(window, [&](const Ints& at) {
    Ints start(n, 0);
    Shape limit = wide.type().dims;
    for (std::size_t k = 0; k < n; ++k) {
      if (!is_number(out[k])) continue;
      start[k] = at[k] * dilations[k];
      limit[k] = out[k] ? start[k] + (out[k] - 1) * strides[k] + 1 : start[k];
    }
    const X part = ops::slice(wide, start, limit, strides);
    if (!best) { best = part; return; }
    const X better = greatest ? part > best : part < best;
    best = ops::select(part.type().real() ? ops::bit_or(better, part != part) : better, part, best);
  });
  return {best};
}
template <class F> void reduce_windows(const Op& op, const Array& x, Array& y, double start, F f) {
  const Ints steps = row_major(x.type.dims);
  with_storage(y.type.dtype, [&]<class T>(T) {
    using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
    const Sum neutral = as<Sum>(Number::of(y.type.dtype == DType::f32 ? DType::f64 : y.type.dtype, start));
    T* out = y.data<T>();
    each_index(y.type.dims, [&](const Ints& at) {
      Sum sum = neutral;
      each_index(op.at(key::window), [&](const Ints& k) {
        std::int64_t from = 0;
        for (std::size_t s = 0; s < steps.size(); ++s) {
          const auto p = at[s] * op.at(key::strides)[s] + k[s] * op.at(key::dilations)[s] - op.at(key::low)[s];
          if (p < 0 || p >= x.type.dims[s]) return;
          from += p * steps[s];
        }
        sum = Sum(f(sum, Sum(x.data<T>()[from])));
      });
      *out++ = T(sum);
    });
  });
}
std::string windowed(const Op& op, const char* what, const char* initial) {
  auto array = [](const Ints& v) { std::string s; for (auto x : v) s += (s.empty() ? "" : ", ") + std::to_string(x); return v.empty() ? "array<i64>" : "array<i64: " + s + ">"; };
  std::string pads;
  for (std::size_t k = 0; k < op.at(key::low).size(); ++k) pads += (k ? ", [" : "[") + std::to_string(op.at(key::low)[k]) + ", " + std::to_string(op.at(key::high)[k]) + "]";
  return std::string("{0} = stablehlo.constant dense<") + initial + "> : {element}\n{result} = \"stablehlo.reduce_window\"({x}, {0}) <{{padding = dense<[" + pads + "]> : tensor<" +
         std::to_string(op.at(key::low).size()) + "x2xi64>, window_dilations = " + array(op.at(key::dilations)) + ", window_dimensions = " + array(op.at(key::window)) +
         ", window_strides = " + array(op.at(key::strides)) + "}}> ({{\n^bb0(%.a: {element}, %.b: {element}):\n%.y = stablehlo." + what +
         " %.a, %.b : {element}\nstablehlo.return %.y : {element}\n}}) : ({x:type}, {element}) -> {type}";
}

}  // namespace

FACTS(reduce_window_sum) {
  .name = "reduce_window_sum", .doc = "Sum over windows of x padded by `low` and `high`.",
  .operands = {"x"}, .attrs = {key::window, key::strides, key::dilations, key::low, key::high},
  .type = window_type,
  .derivative = linear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> { return {spread_back(op, in[0], d)}; }),
  .batching = window_batched<ops::reduce_window_sum>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { reduce_windows(op, x[0], y, 0, [](auto a, auto b) { return a + b; }); },
  .cpp = by_name,
  .stablehlo = [](const Op& op) { return windowed(op, "add", "{zero}"); },
  .effect = Effect::pure, .cost = 5,
};

FACTS(reduce_window_max) {
  .name = "reduce_window_max", .doc = "The greatest of each window of x padded by `low` and `high`; NaN where there is one. The first of equal winners has the derivative.",
  .operands = {"x"}, .attrs = {key::window, key::strides, key::dilations, key::low, key::high},
  .type = window_type,
  .expansion = {[](const Op& op, std::span<const X> x) { return by_slices(op, x[0], true); }},
  .derivative = by_expansion,
  .batching = window_batched<ops::reduce_window_max>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    reduce_windows(op, x[0], y, worst(y.type.dtype, true), [](auto a, auto b) { return a != a || !(b != b || a < b) ? a : b; });
  },
  .cpp = by_name,
  .stablehlo = [](const Op& op) { return windowed(op, "maximum", "{lowest}"); },
  .effect = Effect::pure, .cost = 5,
};

FACTS(reduce_window_min) {
  .name = "reduce_window_min", .doc = "The least of each window of x padded by `low` and `high`; NaN where there is one. The first of equal winners has the derivative.",
  .operands = {"x"}, .attrs = {key::window, key::strides, key::dilations, key::low, key::high},
  .type = window_type,
  .expansion = {[](const Op& op, std::span<const X> x) { return by_slices(op, x[0], false); }},
  .derivative = by_expansion,
  .batching = window_batched<ops::reduce_window_min>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    reduce_windows(op, x[0], y, worst(y.type.dtype, false), [](auto a, auto b) { return a != a || !(b != b || b < a) ? a : b; });
  },
  .cpp = by_name,
  .stablehlo = [](const Op& op) { return windowed(op, "minimum", "{highest}"); },
  .effect = Effect::pure, .cost = 5,
};

}  // namespace tlaloc::ir
