// SPDX-License-Identifier: Apache-2.0
//
// The cases of golden.py once more, in our own operations: values, traced programs and gradients are all compared with JAX.
#pragma once

#include <tlaloc/linalg.hpp>
#include <tlaloc/tensor.hpp>
#include <tlaloc/trace.hpp>

#include "tensor/models.hpp"

#include "golden.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace cases {

using namespace tlaloc;
using Shape = dynamic::Shape;
using List = std::vector<AnyTensor>;

inline const std::map<std::string, GoldenArray>& golden() {
  static const auto all = [] {
    const GoldenArray rows[] = {
#include "golden/tensors.inc"
    };
    return by_name(rows);
  }();
  return all;
}

/// As in golden.py.
inline AnyTensor numbers(int seed, const Shape& shape) {
  std::size_t n = 1;
  for (auto e : shape) n *= std::size_t(e);
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = double((i * 7919 + std::size_t(seed) * 1237 + 101) % 1021) / 256 - 510. / 256;
  return AnyTensor(dtype::f64, shape, v.data());
}
inline AnyTensor positive(int seed, const Shape& shape) { return abs(numbers(seed, shape)) + 0.25; }
using models::integers;

inline std::vector<double> doubles(const AnyTensor& x) {
  const AnyTensor y = cast(x, dtype::f64);
  auto d = y.data<double>();
  return {d.begin(), d.end()};
}
/// Compares with the golden row of this name; returns how far off the worst element is, relative to its magnitude or 1.
inline double distance(const std::string& name, const AnyTensor& y) {
  auto row = golden().find(name);
  if (row == golden().end()) throw std::runtime_error("no golden row " + name);
  const GoldenArray& want = row->second;
  const Shape shape = y.shape();
  if (std::vector<extent_t>(shape.begin(), shape.end()) != want.shape) return INFINITY;
  const auto got = doubles(y);
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double w = want.values[i], off = std::fabs(got[i] - w) / std::max(1.0, std::fabs(w));
    if (std::isnan(got[i]) && std::isnan(w)) continue;
    if (std::isinf(w) ? got[i] == w : off <= worst) continue;
    worst = std::isnan(off) ? INFINITY : off;
  }
  return worst;
}

struct Case {
  std::string name;
  List operands;
  std::function<AnyTensor(const List&)> f;
};
inline std::vector<Case> all() {
  std::vector<Case> out;
  auto add = [&](const std::string& name, List operands, std::function<AnyTensor(const List&)> f) { out.push_back({name, std::move(operands), std::move(f)}); };
  using F = const List&;
  const AnyTensor x34 = numbers(1, {3, 4}), y34 = numbers(2, {3, 4}), r4 = numbers(3, {4}), v3 = numbers(4, {3}), p34 = positive(5, {3, 4}), x234 = numbers(6, {2, 3, 4});

  // elementwise
  add("add_row", {x34, r4}, [](F x) { return x[0] + x[1]; });
  add("mul_column", {x34, v3}, [](F x) { return x[0] * reshape(x[1], {3, 1}); });
  add("sub_outer", {v3, r4}, [](F x) { return reshape(x[0], {3, 1}) - x[1]; });
  add("div", {x34, p34}, [](F x) { return x[0] / x[1]; });
  add("pow", {p34, x34}, [](F x) { return pow(x[0], x[1]); });
  add("pow_number", {x34}, [](F x) { return pow(x[0], 3); });
  add("number_minus", {x34}, [](F x) { return 2.5 - x[0]; });
  add("exp", {x34}, [](F x) { return exp(x[0]); });
  add("expm1", {x34}, [](F x) { return expm1(x[0]); });
  add("sin", {x34}, [](F x) { return sin(x[0]); });
  add("cos", {x34}, [](F x) { return cos(x[0]); });
  add("tan", {x34}, [](F x) { return tan(x[0]); });
  add("tanh", {x34}, [](F x) { return tanh(x[0]); });
  add("sinh", {x34}, [](F x) { return sinh(x[0]); });
  add("cosh", {x34}, [](F x) { return cosh(x[0]); });
  add("arctan", {x34}, [](F x) { return atan(x[0]); });
  add("arcsinh", {x34}, [](F x) { return asinh(x[0]); });
  add("log", {p34}, [](F x) { return log(x[0]); });
  add("log1p", {p34}, [](F x) { return log1p(x[0]); });
  add("sqrt", {p34}, [](F x) { return sqrt(x[0]); });
  add("cbrt", {p34}, [](F x) { return cbrt(x[0]); });
  add("log2", {p34}, [](F x) { return log2(x[0]); });
  add("erf", {x34}, [](F x) { return erf(x[0]); });
  add("lgamma", {p34}, [](F x) { return lgamma(x[0]); });
  add("digamma", {p34}, [](F x) { return digamma(x[0]); });
  add("sigmoid", {x34}, [](F x) { return sigmoid(x[0]); });
  add("atan2", {x34, p34}, [](F x) { return atan2(x[0], x[1]); });
  add("hypot", {x34, p34}, [](F x) { return hypot(x[0], x[1]); });
  add("maximum", {x34, y34}, [](F x) { return maximum(x[0], x[1]); });
  add("minimum", {x34, y34}, [](F x) { return minimum(x[0], x[1]); });
  add("abs", {x34}, [](F x) { return abs(x[0]); });
  add("floor", {x34}, [](F x) { return floor(x[0]); });
  add("where", {x34, y34}, [](F x) { return where(x[0] > x[1], x[0] * 2, x[1]); });
  add("less", {x34, y34}, [](F x) { return x[0] < x[1]; });
  add("relu", {x34}, [](F x) { return relu(x[0]); });
  add("silu", {x34}, [](F x) { return silu(x[0]); });
  add("gelu", {x34}, [](F x) { return gelu(x[0]); });
  add("gelu_tanh", {x34}, [](F x) { return gelu(x[0], gelu_form::tanh); });
  add("softplus", {x34}, [](F x) { return softplus(x[0]); });
  add("elu", {x34}, [](F x) { return elu(x[0]); });
  add("leaky_relu", {x34}, [](F x) { return leaky_relu(x[0]); });
  add("logaddexp", {x34, y34}, [](F x) { return logaddexp(x[0], x[1]); });
  add("clip", {x34}, [](F x) { return clip(x[0], -0.5, 1.25); });

  // reductions and along an axis
  using Reduction = AnyTensor (*)(const AnyTensor&, const dynamic::Axes&, bool);
  const std::pair<const char*, Reduction> reductions[] = {
      {"sum", dynamic::sum}, {"mean", dynamic::mean}, {"max", dynamic::max}, {"min", dynamic::min}, {"prod", dynamic::prod},
      {"var", [](const AnyTensor& x, const dynamic::Axes& k, bool) { return var(x, k); }},
      {"std", [](const AnyTensor& x, const dynamic::Axes& k, bool) { return stddev(x, k); }}};
  for (auto& [name, reduction] : reductions) {
    const std::string n = name;
    const Reduction r = reduction;
    add(n + "_all", {x34}, [r](F x) { return r(x[0], {}, false); });
    add(n + "_0", {x34}, [r](F x) { return r(x[0], {0}, false); });
    add(n + "_02", {x234}, [r](F x) { return r(x[0], {0, -1}, false); });
  }
  add("sum_keep", {x34}, [](F x) { return sum(x[0], {1}, true); });
  add("var_ddof", {x34}, [](F x) { return var(x[0], {1}, 1); });
  add("norm_two", {x34}, [](F x) { return norm(x[0], {1}); });
  add("norm_one", {x34}, [](F x) { return norm(x[0], {1}, norm_order::one); });
  add("norm_inf", {x34}, [](F x) { return norm(x[0], {1}, norm_order::infinity); });
  add("logsumexp", {x34}, [](F x) { return logsumexp(x[0], {1}); });
  add("softmax", {x34}, [](F x) { return softmax(x[0], 1); });
  add("softmax_0", {x34}, [](F x) { return softmax(x[0], 0); });
  add("log_softmax", {x34}, [](F x) { return log_softmax(x[0]); });
  add("argmax", {x34}, [](F x) { return argmax(x[0], 1); });
  add("argmin", {x34}, [](F x) { return argmin(x[0], 0); });
  add("any", {x34}, [](F x) { return any(x[0] > 1.5, {1}); });
  add("all", {x34}, [](F x) { return all(x[0] > -1.5, {0}); });
  add("cumsum", {x34}, [](F x) { return cumsum(x[0], 1); });
  add("cumprod", {x34}, [](F x) { return cumprod(x[0], 0); });
  add("sort", {x34}, [](F x) { return sort(x[0], 1); });
  add("sort_descending", {x34}, [](F x) { return sort(x[0], 0, true); });
  add("argsort", {x34}, [](F x) { return argsort(x[0], 1); });
  add("top_k", {x34}, [](F x) { return top_k(x[0], 2); });
  add("top_k_indices", {x34}, [](F x) { return top_k_indices(x[0], 2); });
  add("roll", {x34}, [](F x) { return roll(x[0], 3, 1); });
  add("roll_back", {x34}, [](F x) { return roll(x[0], -1, 0); });

  // products
  const AnyTensor a234 = numbers(7, {2, 3, 4}), b245 = numbers(8, {2, 4, 5}), w45 = numbers(9, {4, 5});
  add("matmul_2d", {x34, w45}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_batched", {a234, b245}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_shared", {a234, w45}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_left_shared", {x34, b245}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_vector", {x34, r4}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_row", {v3, x34}, [](F x) { return matmul(x[0], x[1]); });
  add("dot", {r4, flip(r4)}, [](F x) { return matmul(x[0], x[1]); });
  add("matmul_stretched", {numbers(10, {1, 3, 4}), b245}, [](F x) { return matmul(x[0], x[1]); });
  add("einsum_diagonal", {numbers(11, {3, 3})}, [](F x) { return einsum("ii->i", {x[0]}); });
  add("einsum_trace", {numbers(11, {3, 3})}, [](F x) { return einsum("ii", {x[0]}); });
  add("einsum_sum", {x234}, [](F x) { return einsum("ijk->k", {x[0]}); });
  add("einsum_outer", {v3, r4}, [](F x) { return einsum("i,j->ji", {x[0], x[1]}); });
  add("einsum_attention", {numbers(12, {2, 3, 2, 4}), numbers(13, {2, 5, 2, 4})}, [](F x) { return einsum("bshd,bkhd->bhsk", {x[0], x[1]}); });
  add("einsum_three", {x34, w45, numbers(14, {5, 2})}, [](F x) { return einsum("ij,jk,kl->il", {x[0], x[1], x[2]}); });
  add("einsum_batch_diagonal", {numbers(15, {2, 4, 4}), r4}, [](F x) { return einsum("bii,i->b", {x[0], x[1]}); });

  // shape
  add("reshape", {x34}, [](F x) { return reshape(x[0], {2, -1}); });
  add("transpose", {x234}, [](F x) { return transpose(x[0], {2, 0, 1}); });
  add("broadcast_to", {r4}, [](F x) { return broadcast_to(x[0], {3, 4}); });
  add("slice", {x34}, [](F x) { return slice(x[0], 1, 1, 3); });
  add("slice_strided", {x34}, [](F x) { return slice(x[0], 1, 0, 4, 3); });
  add("concat", {x34, y34}, [](F x) { return concat({x[0], slice(x[1], 0, 0, 1)}, 0); });
  add("pad", {x34}, [](F x) { return pad(x[0], 1, 1, 2, 0.5); });
  add("flip", {x34}, [](F x) { return flip(x[0], {0}); });

  // indices
  const AnyTensor ids = integers({2, 0, 2, 1}, {4});
  add("one_hot", {}, [=](F) { return one_hot(ids, 3, dtype::f64); });
  add("embedding", {x34}, [=](F x) { return embedding(x[0], ids); });
  add("embedding_2d", {x34}, [=](F x) { return embedding(x[0], reshape(ids, {2, 2})); });
  add("gather_1", {x234}, [=](F x) { return gather(x[0], ids, 1); });
  add("take_along", {x34}, [](F x) { return take_along_axis(x[0], integers({3, 0, 1, 1, 2, 3}, {3, 2}), 1); });
  add("scatter", {x34, numbers(16, {3, 2})}, [](F x) { return scatter(x[0], integers({3, 0}, {2}), x[1], 1); });
  add("scatter_add", {x34, numbers(17, {4, 4})}, [=](F x) { return scatter_add(x[0], ids, x[1], 0); });

  // windows
  const AnyTensor img = numbers(18, {2, 4, 7, 6}), ker = numbers(19, {6, 4, 3, 2});
  add("conv2d", {img, ker}, [](F x) { return conv(x[0], x[1]); });
  add("conv2d_options", {img, ker}, [](F x) { return conv(x[0], x[1], {.stride = {2, 1}, .pad = {1, 2}, .dilation = {2, 1}}); });
  add("conv2d_groups", {img, numbers(20, {6, 2, 3, 3})}, [](F x) { return conv(x[0], x[1], {.groups = 2}); });
  add("conv2d_depthwise", {img, numbers(21, {4, 1, 3, 3})}, [](F x) { return conv(x[0], x[1], {.pad = 1, .groups = 4}); });
  add("conv1d", {numbers(22, {2, 3, 9}), numbers(23, {4, 3, 3})}, [](F x) { return conv(x[0], x[1], {.stride = 2, .pad = 1}); });
  add("conv3d", {numbers(24, {1, 2, 4, 3, 5}), numbers(25, {3, 2, 2, 3, 2})}, [](F x) { return conv(x[0], x[1], {.pad = 1}); });
  add("conv_transpose2d", {numbers(26, {2, 4, 3, 4}), numbers(27, {4, 3, 3, 3})},
      [](F x) { return conv_transpose(x[0], x[1], {.stride = 2, .pad = 1, .output_pad = 1}); });
  add("conv_transpose2d_groups", {numbers(26, {2, 4, 3, 4}), numbers(28, {4, 3, 2, 3})},
      [](F x) { return conv_transpose(x[0], x[1], {.stride = 3, .dilation = 2, .groups = 2}); });
  add("conv_transpose1d", {numbers(29, {2, 3, 5}), numbers(30, {3, 2, 4})}, [](F x) { return conv_transpose(x[0], x[1], {.stride = 2}); });
  add("max_pool2d", {img}, [](F x) { return max_pool(x[0]); });
  add("max_pool2d_overlap", {img}, [](F x) { return max_pool(x[0], {.window = 3, .stride = 2, .pad = 1}); });
  add("avg_pool2d", {img}, [](F x) { return avg_pool(x[0]); });
  add("avg_pool2d_pad", {img}, [](F x) { return avg_pool(x[0], {.window = 3, .stride = 2, .pad = 1}); });
  add("avg_pool2d_inside", {img}, [](F x) { return avg_pool(x[0], {.window = 3, .stride = 2, .pad = 1, .count_pad = false}); });
  add("max_pool1d", {numbers(22, {2, 3, 9})}, [](F x) { return max_pool(x[0], {.window = 3, .stride = 1}); });
  add("layer_norm", {x234, r4, numbers(31, {4})}, [](F x) { return layer_norm(x[0], x[1], x[2]); });
  add("rms_norm", {x234, r4}, [](F x) { return rms_norm(x[0], x[1]); });
  add("group_norm", {img, r4, numbers(31, {4})}, [](F x) { return group_norm(x[0], 2, x[1], x[2]); });

  // incomplete integrals; their shapes are constants here, because second derivatives by them are refused
  const AnyTensor q34 = positive(53, {3, 4});
  add("igamma", {q34}, [=](F x) { return igamma(cast(p34, x[0].type()), x[0]); });
  add("igammac", {q34}, [=](F x) { return igammac(cast(p34, x[0].type()), x[0]); });
  add("betainc", {q34 / 3}, [=](F x) { return betainc(cast(p34, x[0].type()), 1.5, x[0]); });

  add("step", {x34}, [](F x) { return step(x[0]); });
  add("polygamma_0", {p34}, [](F x) { return polygamma(0, x[0]); });
  add("polygamma_2", {p34}, [](F x) { return polygamma(2, x[0]); });
  add("embedding_padding", {x34}, [=](F x) { return embedding(x[0], ids, 2); });
  add("batch_norm", {img, r4, numbers(31, {4})}, [](F x) { return batch_norm(x[0], x[1], x[2]); });
  add("batch_norm_inference", {img, r4, numbers(31, {4}), numbers(32, {4}), positive(33, {4})}, [](F x) { return batch_norm(x[0], x[1], x[2], x[3], x[4]); });
  add("cross_entropy", {x34, p34}, [](F x) { return cross_entropy(x[0], x[1]); });
  add("nll_loss", {x34, p34}, [](F x) { return nll_loss(x[0], x[1], 0); });

  // pieces
  add("squeeze", {x34}, [](F x) { return squeeze(reshape(x[0], {3, 1, 4, 1}), {1, -1}); });
  add("expand_dims", {x34}, [](F x) { return expand_dims(x[0], -1); });
  add("flatten", {x234}, [](F x) { return flatten(x[0], 1); });
  add("stack", {x34, y34}, [](F x) { return stack({x[0], x[1], x[0] * 2}); });
  add("stack_last", {x34, y34}, [](F x) { return stack({x[0], x[1]}, -1); });
  add("split", {x34}, [](F x) {
    auto [a, b] = split<2>(x[0], 1);
    return a * b;
  });
  add("slice_at", {x34}, [](F x) { return slice_at(x[0], 3, 2, 1); });   // moved inside
  add("slice_at_tensor", {x234}, [](F x) { return slice_at(x[0], integers({1}, {}), 1, 0); });
  add("update_slice", {x34, numbers(16, {3, 2})}, [](F x) { return update_slice(x[0], x[1], integers({1}, {}), 1); });
  add("max_pool2d_ceil", {img}, [](F x) { return max_pool(x[0], {.ceil = true}); });
  add("max_pool2d_ceil_pad", {img}, [](F x) { return max_pool(x[0], {.window = 3, .stride = 2, .pad = 1, .ceil = true}); });
  add("avg_pool2d_ceil_inside", {img}, [](F x) { return avg_pool(x[0], {.window = 3, .stride = 2, .pad = 1, .count_pad = false, .ceil = true}); });
  add("avg_pool2d_ceil", {img}, [](F x) { return avg_pool(x[0], {.window = 3, .stride = 2, .pad = 1, .ceil = true}); });
  add("adaptive_max_pool", {img}, [](F x) { return adaptive_max_pool(x[0], {3, 4}); });
  add("adaptive_avg_pool", {img}, [](F x) { return adaptive_avg_pool(x[0], {3, 2}); });
  add("adaptive_avg_pool_more", {img}, [](F x) { return adaptive_avg_pool(x[0], {9, 1}); });
  add("kl_div", {x34, softmax(p34, 1)}, [](F x) { return kl_div(x[0], x[1]); });
  add("huber_loss", {x34, y34}, [](F x) { return huber_loss(x[0], x[1], 0.75); });
  add("binary_cross_entropy_with_logits", {x34, sigmoid(y34)}, [](F x) { return binary_cross_entropy_with_logits(x[0], x[1]); });

  // linear algebra
  const AnyTensor m33 = numbers(60, {3, 3}), tall = numbers(61, {4, 3}), wide = numbers(62, {3, 4}), b32 = numbers(63, {3, 2});
  auto eye = [](const AnyTensor& x, double c) { return dynamic::full(x.type(), {3, 3}, 0) + linalg::diag(broadcast_to(cast(AnyTensor(c), x.type()), {3})); };
  auto spd = [=](const AnyTensor& x) { return matmul(x, transpose(x, {1, 0})) + eye(x, 3); };
  auto regular = [=](const AnyTensor& x) { return x + eye(x, 4); };
  const double distances[] = {1, 5, 12};
  auto apart = [steps = AnyTensor(dtype::f64, {3}, distances)](const AnyTensor& x) { return x + linalg::diag(cast(steps, x.type())); };
  add("cholesky", {m33}, [=](F x) { return linalg::cholesky(spd(x[0])); });
  add("solve_triangular", {m33, b32}, [=](F x) { return linalg::solve_triangular(regular(x[0]), x[1]); });
  add("solve_triangular_up", {m33, b32}, [=](F x) { return linalg::solve_triangular(regular(x[0]), x[1], {.lower = false, .transpose = true, .unit_diagonal = true}); });
  add("solve_spd", {m33, v3}, [=](F x) { return linalg::solve_spd(spd(x[0]), x[1]); });
  add("inv_spd", {m33}, [=](F x) { return linalg::inv_spd(spd(x[0])); });
  add("log_det_spd", {m33}, [=](F x) { return linalg::log_det_spd(spd(x[0])); });
  add("trace", {m33}, [](F x) { return linalg::trace(x[0]); });
  add("diagonal", {tall}, [](F x) { return linalg::diagonal(x[0]); });
  add("diag", {v3}, [](F x) { return linalg::diag(x[0]); });
  add("tril", {tall}, [](F x) { return linalg::tril(x[0], -1); });
  add("triu", {tall}, [](F x) { return linalg::triu(x[0], 1); });
  add("scale_triangles", {m33}, [](F x) { return linalg::scale_triangles(x[0], 0, 0.5, -2); });
  add("outer", {v3, r4}, [](F x) { return linalg::outer(x[0], x[1]); });
  add("kron", {m33, b32}, [](F x) { return linalg::kron(x[0], x[1]); });
  add("norm_frobenius", {tall}, [](F x) { return linalg::norm(x[0]); });
  add("solve", {m33, b32}, [=](F x) { return linalg::solve(regular(x[0]), x[1]); });
  add("solve_vector", {m33, v3}, [=](F x) { return linalg::solve(regular(x[0]), x[1]); });
  add("inv", {m33}, [=](F x) { return linalg::inv(regular(x[0])); });
  add("det", {m33}, [=](F x) { return linalg::det(x[0]); });
  add("slogdet", {m33}, [=](F x) { return linalg::slogdet(x[0]).log_abs; });
  add("slogdet_sign", {m33}, [=](F x) { return linalg::slogdet(x[0]).sign; });
  add("qr_q", {tall}, [](F x) { return linalg::qr(x[0]).q; });
  add("qr_r", {tall}, [](F x) { return linalg::qr(x[0]).r; });
  add("eigvalsh", {m33}, [=](F x) { return linalg::eigvalsh(apart(x[0])); });
  add("eigh_vectors", {m33}, [=](F x) { return linalg::eigh(apart(x[0])).vectors; });
  add("svdvals", {wide}, [](F x) { return linalg::svdvals(x[0]); });
  add("svd_u", {tall}, [](F x) { return linalg::svd(x[0]).u; });
  add("svd_vt", {tall}, [](F x) { return linalg::svd(x[0]).vt; });
  add("svd_vt_wide", {wide}, [](F x) { return linalg::svd(x[0]).vt; });
  add("lstsq", {tall, r4}, [](F x) { return linalg::lstsq(x[0], x[1]); });
  add("lstsq_wide", {wide, b32}, [](F x) { return linalg::lstsq(x[0], x[1]); });
  add("pinv", {tall}, [](F x) { return linalg::pinv(x[0]); });
  add("norm_spectral", {tall}, [](F x) { return linalg::norm(x[0], linalg::matrix_norm::spectral); });
  add("norm_nuclear", {tall}, [](F x) { return linalg::norm(x[0], linalg::matrix_norm::nuclear); });

  // models
  auto weights = [](int seed, const Shape& s) { return numbers(seed, s) / 2; };
  const AnyTensor x54 = numbers(70, {5, 4}), x43 = numbers(71, {4, 3});
  add("masked_attention", {x54, weights(72, {4, 4}), weights(73, {4, 4}), weights(74, {4, 4})}, models::masked_attention);
  add("conv_net", {numbers(75, {2, 1, 8, 8}), weights(76, {3, 1, 3, 3}), weights(77, {48, 3})}, models::conv_net);
  add("mixture", {numbers(78, {6, 2}), numbers(79, {3, 2}), weights(80, {3, 2}), numbers(81, {3})}, models::mixture);
  add("kalman", {numbers(82, {2, 2}), numbers(83, {4, 1}), numbers(84, {2})}, models::kalman);
  add("recurrent", {numbers(85, {5, 3}), weights(86, {3, 4}), weights(87, {4, 4}), weights(88, {4})}, models::recurrent);
  add("principal_components", {numbers(89, {6, 3})}, models::principal_components);
  add("gaussian_process", {numbers(90, {5, 1}), numbers(91, {5}), numbers(92, {2})}, models::gaussian_process);
  add("policy", {numbers(93, {4, 3})}, models::policy);
  add("embedding_bag", {numbers(94, {5, 3})}, models::embedding_bag);
  add("page_rank", {numbers(95, {6})}, models::page_rank);
  add("transformer_block", {x54, weights(96, {4, 8}), weights(97, {8, 4}), r4, numbers(31, {4})}, models::transformer_block);
  add("learned_step", {weights(98, {3}), x43, numbers(99, {4})}, models::learned_step);
  add("margin", {x34}, models::margin);
  add("newton", {numbers(100, {3}), x43}, models::newton);
  add("hidden_markov", {numbers(101, {3, 3}), numbers(102, {3, 4})}, models::hidden_markov);
  add("autoencoder", {x43, weights(103, {3, 4}), weights(104, {2, 3})}, models::autoencoder);
  return out;
}

inline bool has_gradient(const Case& c) { return golden().contains(c.name + ".grad0"); }
inline Program recorded(const Case& c) {
  return trace([&](const List& x) { return c.f(x); }, spec<List>(c.operands));
}
/// sum(f(x...) * c), as in golden.py.
inline Program weighted(const Case& c) {
  return trace([&](const List& x) {
    const AnyTensor y = c.f(x);
    return sum(y * numbers(40, y.shape()));
  }, spec<List>(c.operands));
}

}  // namespace cases
