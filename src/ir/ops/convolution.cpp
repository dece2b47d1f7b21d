// SPDX-License-Identifier: Apache-2.0
//
// Convolution (without turning the kernel round) over any number of spatial axes, in one layout: x[n, channel, spatial...],
// w[output channel, channel of the group, spatial...]. Other layouts are transposes around it, and a batch of groups is a
// reshape to groups of channels.
#include "ir/ops/tensors.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

std::int64_t dilated(std::int64_t n, std::int64_t by) { return n == 0 ? 0 : (n - 1) * by + 1; }
struct Sizes { std::size_t spatial; std::int64_t groups; };
Sizes sizes(const Op& op) { return {in(op, 0).dims.size() - 2, op.at(key::groups)}; }

std::vector<Type> convolution_type(const Op& op) {
  need_tensor(op, 0), need_tensor(op, 1);
  const Type &x = in(op, 0), &w = in(op, 1);
  if (x.dtype != w.dtype || x.rank() != w.rank() || x.rank() < 2) refuse(op, "x and w must have one dtype and one rank of at least 2, not " + text(x) + " and " + text(w));
  const auto [spatial, groups] = sizes(op);
  for (auto* v : {&op.at(key::strides), &op.at(key::low), &op.at(key::high), &op.at(key::dilate_x), &op.at(key::dilate_w)}) need_size(op, *v, spatial, "numbers per attribute");
  if (groups < 1 || w.dims[0] % groups) refuse(op, "the output channels " + extent_text(w.dims[0]) + " are no multiple of " + std::to_string(groups) + " groups");
  if (x.dims[1] != w.dims[1] * groups) refuse(op, "x has " + extent_text(x.dims[1]) + " channels, w " + extent_text(w.dims[1]) + " for each of " + std::to_string(groups) + " groups");
  Type y{x.dtype, {x.dims[0], w.dims[0]}};
  for (std::size_t k = 0; k < spatial; ++k) {
    const auto stride = op.at(key::strides)[k], dx = op.at(key::dilate_x)[k], dw = op.at(key::dilate_w)[k];
    if (stride < 1 || dx < 1 || dw < 1) refuse(op, "a stride or dilation below 1");
    if (!is_number(x.dims[k + 2]) || !is_number(w.dims[k + 2])) refuse(op, "spatial extents must be numbers");
    const auto room = op.at(key::low)[k] + dilated(x.dims[k + 2], dx) + op.at(key::high)[k] - dilated(w.dims[k + 2], dw);
    y.dims.push_back(room < 0 ? 0 : room / stride + 1);
  }
  return {y};
}

// The axis as two, of which the first has `n` elements.
X split(X x, std::int64_t axis, std::int64_t n) {
  Shape dims = x.type().dims;
  dims[std::size_t(axis)] /= n;
  dims.insert(dims.begin() + axis, n);
  return reshape(x, dims);
}
// The axis and the next one as one.
X merged(X x, std::int64_t axis) {
  Shape dims = x.type().dims;
  dims[std::size_t(axis)] = times(dims[std::size_t(axis)], dims[std::size_t(axis) + 1]);
  dims.erase(dims.begin() + axis + 1);
  return reshape(x, dims);
}
Ints spatial_axes(std::size_t n) { return shifted(axes_up_to(int(n)), 2); }

// Contracts the cotangent with the kernel turned round: strides dilate, dilations of x stride.
X by_x(const Op& op, X x, X w, X d) {
  const auto [n, groups] = sizes(op);
  const Shape w_dims = w.type().dims;
  X back = merged(moved(split(w, 0, groups), 1, 2), 0);             // [group, in, out] -> [group * in, out]
  back = reversed(back, spatial_axes(n));
  Ints low, high;
  for (std::size_t k = 0; k < n; ++k) {
    const auto kernel = dilated(w_dims[k + 2], op.at(key::dilate_w)[k]), out = dilated(d.type().dims[k + 2], op.at(key::strides)[k]);
    low.push_back(kernel - op.at(key::low)[k] - 1);
    high.push_back(dilated(x.type().dims[k + 2], op.at(key::dilate_x)[k]) + kernel - 1 - out - low.back());
  }
  return ops::convolution(d, back, op.at(key::dilate_x), low, high, op.at(key::strides), op.at(key::dilate_w), groups);
}
// Contracts x with the cotangent: batch and channels change places, and the groups go to the channels.
X by_w(const Op& op, X x, X w, X d) {
  const auto [n, groups] = sizes(op);
  Ints high;
  for (std::size_t k = 0; k < n; ++k)
    high.push_back(dilated(d.type().dims[k + 2], op.at(key::strides)[k]) - dilated(x.type().dims[k + 2], op.at(key::dilate_x)[k]) +
                   dilated(w.type().dims[k + 2], op.at(key::dilate_w)[k]) - op.at(key::low)[k] - 1);
  const X image = merged(moved(moved(split(x, 1, groups), 0, 2), 0, 1), 1);      // [batch, group, in] -> [in, group * batch]
  const X kernel = moved(d, 1, 0);
  return moved(ops::convolution(image, kernel, op.at(key::dilate_w), op.at(key::low), high, op.at(key::dilate_x), op.at(key::strides), groups), 1, 0);
}

X batched(const Op& op, std::span<const X> in, const Batch& b) {
  auto conv = [&](X x, X w, std::int64_t groups) {
    return ops::convolution(x, w, op.at(key::strides), op.at(key::low), op.at(key::high), op.at(key::dilate_x), op.at(key::dilate_w), groups);
  };
  const auto groups = op.at(key::groups);
  if (!b.marked[1]) {                             // more images
    const X y = conv(merged(in[0], 0), in[1], groups);
    Shape dims = y.type().dims;
    dims[0] = in[0].type().dims[1];
    dims.insert(dims.begin(), b.extent);
    return reshape(y, dims);
  }
  if (!is_number(b.extent)) refuse_symbolic(op, "a batch of kernels of symbolic extent");
  if (!b.marked[0]) {                             // more output channels in each group
    const X w = merged(merged(moved(split(in[1], 1, groups), 0, 1), 0), 0);      // [group, batch, out]
    const X y = split(split(conv(in[0], w, groups), 1, groups), 2, b.extent);     // [n, group, batch, out]
    return moved(merged(moved(y, 2, 1), 2), 1, 0);
  }
  const X y = conv(merged(moved(in[0], 0, 1), 1), merged(in[1], 0), b.extent * groups);     // a group for each of the batch
  return moved(split(y, 1, b.extent), 1, 0);
}

template <class T> void convolve(const Op& op, const Array& x, const Array& w, Array& y) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
  const auto [n, groups] = sizes(op);
  const Ints sx = row_major(x.type.dims), sw = row_major(w.type.dims);
  const Ints window(w.type.dims.begin() + 2, w.type.dims.end());
  const auto in_group = w.type.dims[1], out_group = w.type.dims[0] / groups;
  T* out = y.data<T>();
  each_index(y.type.dims, [&, spatial = n](const Ints& at) {
    Sum sum = 0;
    const std::int64_t x_base = at[0] * sx[0] + at[1] / out_group * in_group * sx[1], w_base = at[1] * sw[0];
    each_index(window, [&](const Ints& k) {
      std::int64_t from_x = x_base, from_w = w_base;
      for (std::size_t s = 0; s < spatial; ++s) {
        const auto p = at[s + 2] * op.at(key::strides)[s] + k[s] * op.at(key::dilate_w)[s] - op.at(key::low)[s], dx = op.at(key::dilate_x)[s];
        if (p < 0 || p % dx || p / dx >= x.type.dims[s + 2]) return;
        from_x += p / dx * sx[s + 2];
        from_w += k[s] * sw[s + 2];
      }
      for (std::int64_t c = 0; c < in_group; ++c) sum += Sum(x.data<T>()[from_x + c * sx[1]]) * Sum(w.data<T>()[from_w + c * sw[1]]);
    });
    *out++ = T(sum);
  });
}
std::string spelled(const Op& op) {
  const std::size_t n = sizes(op).spatial;
  std::string axes, pads, none;
  for (std::size_t k = 0; k < n; ++k) {
    axes += ", " + std::to_string(k);
    pads += (k ? ", [" : "[") + std::to_string(op.at(key::low)[k]) + ", " + std::to_string(op.at(key::high)[k]) + "]";
  }
  return "stablehlo.convolution({x}, {w}) dim_numbers = [b, f" + axes + "]x[o, i" + axes + "]->[b, f" + axes + "], window = {{stride = {strides}, pad = [" + pads +
         "], lhs_dilate = {dilate_x}, rhs_dilate = {dilate_w}}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64, "
         "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}} : {signature}";
}

}  // namespace

FACTS(convolution) {
  .name = "convolution", .doc = "Convolution of x[n, channel, spatial...] with w[output channel, channel of the group, spatial...], padded by `low` and `high` after dilation.",
  .operands = {"x", "w"}, .attrs = {key::strides, key::low, key::high, key::dilate_x, key::dilate_w, key::groups},
  .type = convolution_type,
  .derivative = multilinear([](const Op& op, std::span<const X> in, X d) -> std::vector<X> { return {by_x(op, in[0], in[1], d), by_w(op, in[0], in[1], d)}; }),
  .batching = batched,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { with_storage(y.type.dtype, [&]<class T>(T) { convolve<T>(op, x[0], x[1], y); }); },
  .cpp = by_name,
  .stablehlo = spelled,
  .effect = Effect::pure, .cost = 10,
};

}  // namespace tlaloc::ir
