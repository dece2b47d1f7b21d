// SPDX-License-Identifier: Apache-2.0
//
// Convolution, pooling, normalisation.
#include "tlaloc/detail/tensor/window.hpp"

#include "tensor/node.hpp"

#include <algorithm>

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome, detail::sig;

namespace {
int spatial_axes(const char* op, const AnyTensor& x) {
  const int n = x.rank() - 2;
  if (n < 1 || n > 3) refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": one to three spatial axes, not " + std::to_string(n));
  for (int k = 1; k < x.rank(); ++k) known(op, dims_of(x)[std::size_t(k)]);
  return n;
}
ir::Ints list(const per_axis& p, int n) { return ir::Ints(p.v, p.v + n); }
/// Along the axis d of x.
AnyTensor along_axis(const AnyTensor& v, const AnyTensor& x, std::int64_t d) { return broadcast(v, dims_of(x), {d}); }
/// (x - mean) / sqrt(var + eps) over the axes; without the mean where it is not wanted.
AnyTensor standardised(const AnyTensor& x, const ir::Ints& axes, double eps, bool centred) {
  const ir::Extent n = count(dims_of(x), axes);
  const ir::Ints rest = ir::without(ir::axes_up_to(x.rank()), axes);
  auto back = [&](const AnyTensor& y) { return broadcast(y, dims_of(x), rest); };
  auto mean = [&](const AnyTensor& y) { return divided(reduced(ops::reduce_sum, y, axes), n); };
  const AnyTensor off = centred ? zip(ops::sub, x, back(mean(x))) : x;
  const AnyTensor scale = dispatch(ops::rsqrt, {zip(ops::add, mean(zip(ops::mul, off, off)), eps)});
  return zip(ops::mul, off, back(scale));
}
}  // namespace

AnyTensor conv(const AnyTensor& x, const AnyTensor& w, const conv_options& p) {
  const int n = spatial_axes("conv", x);
  const sig s[] = {sig_of(x), sig_of(w)};
  const outcome o = allowed("conv", detail::rules::conv(s, n, p, true));
  const ir::Ints ones(std::size_t(n), 1), pad = list(p.pad, n);
  return named(dispatch(ops::convolution, {x, w}, {list(p.stride, n), pad, pad, ones, list(p.dilation, n), std::int64_t(p.groups)}), o);
}

AnyTensor conv_transpose(const AnyTensor& x, const AnyTensor& w, const conv_transpose_options& p) {
  const int n = spatial_axes("conv_transpose", x);
  const sig s[] = {sig_of(x), sig_of(w)};
  const outcome o = allowed("conv_transpose", detail::rules::conv_transpose(s, n, p, true));
  // w[C, O / g, k...] -> [O, C / g, k...] with reversed windows: the convolution whose derivative this is, turned round
  for (auto e : dims_of(w)) known("conv_transpose", e);
  const std::int64_t g = p.groups, c = w.extent(0) / g, out = w.extent(1);
  const ir::Shape window = ir::Ints(dims_of(w).begin() + 2, dims_of(w).end());
  ir::Ints order{0, 2, 1}, spatial;
  for (int k = 0; k < n; ++k) order.push_back(k + 3), spatial.push_back(k + 2);
  AnyTensor v = permuted(reshaped(w, ir::joined({{g, c, out}, window})), order);
  v = dispatch(ops::reverse, {reshaped(v, ir::joined({{g * out, c}, window}))}, {spatial});
  ir::Ints low, high;
  for (int k = 0; k < n; ++k) {
    low.push_back(p.dilation[k] * (window[std::size_t(k)] - 1) - p.pad[k]);
    high.push_back(low.back() + p.output_pad[k]);
  }
  const ir::Ints ones(std::size_t(n), 1);
  return named(dispatch(ops::convolution, {x, v}, {ones, low, high, list(p.stride, n), list(p.dilation, n), g}), o);
}

namespace {
struct Window {
  ir::Ints size{1, 1}, strides{1, 1}, dilations, low{0, 0}, high{0, 0};
  bool beyond = false;                            // some window reaches beyond the padding
  Window(const pool_options& p, const AnyTensor& x, int n) : dilations(std::size_t(n) + 2, 1) {
    for (int k = 0; k < n; ++k) {
      size.push_back(p.window[k]);
      strides.push_back(p.stride[k] ? p.stride[k] : p.window[k]);
      low.push_back(p.pad[k]);
      const std::int64_t e = x.extent(k + 2), reach = (detail::rules::windows_along(p, k, e) - 1) * strides.back() + p.window[k];
      high.push_back(std::max<std::int64_t>(reach - e - p.pad[k], p.pad[k]));
      beyond |= high.back() > p.pad[k];
    }
  }
  AnyTensor over(const ir::Kind& k, const AnyTensor& x) const { return dispatch(k, {x}, {size, strides, dilations, low, high}); }
  /// How many elements of x, or of x with its padding, each window has.
  AnyTensor counts(const AnyTensor& x, bool padding) const {
    ir::Shape dims = dims_of(x);
    Window w = *this;
    for (std::size_t k = 2; padding && k < dims.size(); ++k) dims[k] += 2 * low[k], w.high[k] -= low[k], w.low[k] = 0;
    return w.over(ops::reduce_window_sum, spread(1.0, element_of(x), dims));
  }
};
/// Along one axis after the other, the last first, so that the first of equal winners is that of rows.
AnyTensor adaptive(const char* op, const ir::Kind& kind, const AnyTensor& x, const Shape& to, bool mean) {
  const int n = spatial_axes(op, x);
  const sig s[] = {sig_of(x)};
  if (to.rank != n) refuse("TENSOR_SHAPE_MISMATCH", std::string(op) + ": " + std::to_string(to.rank) + " extents for " + std::to_string(n) + " spatial axes");
  const outcome o = allowed(op, detail::rules::adaptive_pool(s, to.at, n));
  return named(in_f32(x, [&](const AnyTensor& all) {
    AnyTensor y = all;
    for (int k = n + 1; k >= 2; --k) {
      const std::int64_t e = y.extent(k), m = to[k - 2];
      auto pooled = [&](const AnyTensor& part, std::int64_t size) {
        ir::Ints ones(std::size_t(n) + 2, 1), zeros(ones.size(), 0), window = ones;
        window[std::size_t(k)] = size;
        const AnyTensor z = dispatch(kind, {part}, {window, window, ones, zeros, zeros});
        return mean ? zip(ops::div, z, double(size)) : z;
      };
      if (e % m == 0) {
        y = pooled(y, e / m);
        continue;
      }
      std::vector<AnyTensor> parts;
      for (std::int64_t i = 0; i < m; ++i) {
        const std::int64_t first = i * e / m, last = ((i + 1) * e + m - 1) / m;
        parts.push_back(pooled(sliced(y, k, first, last), last - first));
      }
      y = dispatch(ops::concatenate, parts, {std::int64_t(k)});
    }
    return y;
  }), o);
}
}  // namespace
AnyTensor max_pool(const AnyTensor& x, const pool_options& p) {
  const int n = spatial_axes("max_pool", x);
  const sig s[] = {sig_of(x)};
  const outcome o = allowed("max_pool", detail::rules::pool(s, n, p, true));
  return named(Window(p, x, n).over(ops::reduce_window_max, x), o);
}
AnyTensor avg_pool(const AnyTensor& x, const pool_options& p) {
  const int n = spatial_axes("avg_pool", x);
  const sig s[] = {sig_of(x)};
  const outcome o = allowed("avg_pool", detail::rules::pool(s, n, p, true));
  const Window w(p, x, n);
  return named(in_f32(x, [&](const AnyTensor& y) {
    const AnyTensor sum = w.over(ops::reduce_window_sum, y);
    if (p.count_pad && !w.beyond) return zip(ops::div, sum, double(count(ir::Shape(w.size), ir::axes_up_to(n + 2))));
    return zip(ops::div, sum, w.counts(y, p.count_pad));
  }), o);
}
AnyTensor adaptive_max_pool(const AnyTensor& x, const Shape& to) { return adaptive("adaptive_max_pool", ops::reduce_window_max, x, to, false); }
AnyTensor adaptive_avg_pool(const AnyTensor& x, const Shape& to) { return adaptive("adaptive_avg_pool", ops::reduce_window_sum, x, to, true); }
AnyTensor layer_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, double eps) {
  const sig s[] = {sig_of(x), sig_of(scale), sig_of(shift)};
  const outcome o = allowed("layer_norm", op::layer_norm::apply(s));
  return named(in_f32(x, [&](const AnyTensor& y) {
    const std::int64_t last = y.rank() - 1;
    const AnyTensor z = standardised(y, {last}, eps, true);
    return zip(ops::add, zip(ops::mul, z, along_axis(in_f32_of(scale), y, last)), along_axis(in_f32_of(shift), y, last));
  }), o);
}
AnyTensor rms_norm(const AnyTensor& x, const AnyTensor& scale, double eps) {
  const sig s[] = {sig_of(x), sig_of(scale)};
  const outcome o = allowed("rms_norm", op::rms_norm::apply(s));
  return named(in_f32(x, [&](const AnyTensor& y) {
    const std::int64_t last = y.rank() - 1;
    return zip(ops::mul, standardised(y, {last}, eps, false), along_axis(in_f32_of(scale), y, last));
  }), o);
}
AnyTensor group_norm(const AnyTensor& x, extent_t groups, const AnyTensor& scale, const AnyTensor& shift, double eps) {
  const sig s[] = {sig_of(x), sig_of(scale), sig_of(shift)};
  const outcome o = allowed("group_norm", detail::rules::group_norm(s, groups));
  return named(in_f32(x, [&](const AnyTensor& y) {
    const ir::Shape& dims = dims_of(y);
    const std::int64_t channels = known("group_norm", dims[1]);
    ir::Shape split{dims[0], groups, channels / groups};
    split.insert(split.end(), dims.begin() + 2, dims.end());
    ir::Ints axes;
    for (std::int64_t k = 2; k < std::int64_t(split.size()); ++k) axes.push_back(k);
    const AnyTensor z = reshaped(standardised(reshaped(y, split), axes, eps, true), dims);
    return zip(ops::add, zip(ops::mul, z, along_axis(in_f32_of(scale), y, 1)), along_axis(in_f32_of(shift), y, 1));
  }), o);
}
AnyTensor batch_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, double eps) {
  const sig s[] = {sig_of(x), sig_of(scale), sig_of(shift)};
  const outcome o = allowed("batch_norm", op::batch_norm::apply(s));
  return named(in_f32(x, [&](const AnyTensor& y) {
    const AnyTensor z = standardised(y, ir::without(ir::axes_up_to(y.rank()), {1}), eps, true);
    return zip(ops::add, zip(ops::mul, z, along_axis(in_f32_of(scale), y, 1)), along_axis(in_f32_of(shift), y, 1));
  }), o);
}
AnyTensor batch_norm(const AnyTensor& x, const AnyTensor& scale, const AnyTensor& shift, const AnyTensor& mean, const AnyTensor& variance, double eps) {
  const sig s[] = {sig_of(x), sig_of(scale), sig_of(shift), sig_of(mean), sig_of(variance)};
  const outcome o = allowed("batch_norm", op::batch_norm_inference::apply(s));
  return named(in_f32(x, [&](const AnyTensor& y) {
    const AnyTensor factor = zip(ops::mul, in_f32_of(scale), dispatch(ops::rsqrt, {zip(ops::add, in_f32_of(variance), eps)}));
    const AnyTensor off = zip(ops::sub, y, along_axis(in_f32_of(mean), y, 1));
    return zip(ops::add, zip(ops::mul, off, along_axis(factor, y, 1)), along_axis(in_f32_of(shift), y, 1));
  }), o);
}

}  // namespace tlaloc::dynamic
