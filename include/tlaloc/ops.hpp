// SPDX-License-Identifier: Apache-2.0
//
// The operations of the table that neither an operator nor <cmath> names: what every other is made of, and what printed
// programs call. Attributes are those of docs/ops.md. Written by the target `tensor_shells`; not edited by hand.
#pragma once

#include "tlaloc/detail/tensor/table.hpp"

namespace tlaloc::ops {

using detail::Extents;

/// The bits of x as a number of another type of the same width.
inline AnyTensor bitcast(const AnyTensor& x, dtype type) { return detail::of_table("bitcast", {x}, {}, {type}); }
/// 0, 1, 2, ... along `axis`, repeated along the others.
inline AnyTensor iota(Extents shape, dtype type, extent_t axis) { return detail::of_table("iota", {}, {}, {shape, type, axis}); }
/// x repeated to `shape`: axis i of x becomes axis dims[i], and the others are new.
inline AnyTensor broadcast_in_dim(const AnyTensor& x, Extents shape, Extents dims) { return detail::of_table("broadcast_in_dim", {x}, {}, {shape, dims}); }
/// The elements of x, in row-major order, as a tensor of `shape`.
inline AnyTensor reshape(const AnyTensor& x, Extents shape) { return detail::of_table("reshape", {x}, {}, {shape}); }
/// Axis i of the result is axis dims[i] of x.
inline AnyTensor transpose(const AnyTensor& x, Extents dims) { return detail::of_table("transpose", {x}, {}, {dims}); }
/// x with the order along `axes` turned round.
inline AnyTensor reverse(const AnyTensor& x, Extents axes) { return detail::of_table("reverse", {x}, {}, {axes}); }
/// The operands one after the other along `axis`.
inline AnyTensor concatenate(std::initializer_list<AnyTensor> xs, extent_t axis) { return detail::of_table("concatenate", {}, xs, {axis}); }
/// The elements of x from `start` up to but without `limit`, every `strides`-th, along each axis.
inline AnyTensor slice(const AnyTensor& x, Extents start, Extents limit, Extents strides) { return detail::of_table("slice", {x}, {}, {start, limit, strides}); }
/// x with `low` and `high` elements of `value` at the ends of each axis (negative: taken away) and `interior` between neighbours.
inline AnyTensor pad(const AnyTensor& x, const AnyTensor& value, Extents low, Extents high, Extents interior) { return detail::of_table("pad", {x, value}, {}, {low, high, interior}); }
/// The part of x of extents `sizes` that begins at the starts, moved inside x where it would leave it.
inline AnyTensor dynamic_slice(const AnyTensor& x, std::initializer_list<AnyTensor> starts, Extents sizes) { return detail::of_table("dynamic_slice", {x}, starts, {sizes}); }
/// x with `update` in place of the part that begins at the starts, moved inside x where it would leave it.
inline AnyTensor dynamic_update_slice(const AnyTensor& x, const AnyTensor& update, std::initializer_list<AnyTensor> starts) { return detail::of_table("dynamic_update_slice", {x, update}, starts, {}); }
/// Sum of x over `axes`.
inline AnyTensor reduce_sum(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_sum", {x}, {}, {axes}); }
/// The greatest of x over `axes`; NaN where there is one. Its derivative is shared by equal winners.
inline AnyTensor reduce_max(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_max", {x}, {}, {axes}); }
/// The least of x over `axes`; NaN where there is one. Its derivative is shared by equal winners.
inline AnyTensor reduce_min(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_min", {x}, {}, {axes}); }
/// Product of x over `axes`. Its derivative is exact where elements are zero.
inline AnyTensor reduce_prod(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_prod", {x}, {}, {axes}); }
/// Whether all of x over `axes` are true.
inline AnyTensor reduce_and(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_and", {x}, {}, {axes}); }
/// Whether any of x over `axes` is true.
inline AnyTensor reduce_or(const AnyTensor& x, Extents axes) { return detail::of_table("reduce_or", {x}, {}, {axes}); }
/// The index along `axis` of the greatest of x, the first of equals; a NaN counts as greatest.
inline AnyTensor argmax(const AnyTensor& x, extent_t axis, dtype type) { return detail::of_table("argmax", {x}, {}, {axis, type}); }
/// The index along `axis` of the least of x, the first of equals; a NaN counts as least.
inline AnyTensor argmin(const AnyTensor& x, extent_t axis, dtype type) { return detail::of_table("argmin", {x}, {}, {axis, type}); }
/// Sum over windows of x padded by `low` and `high`.
inline AnyTensor reduce_window_sum(const AnyTensor& x, Extents window, Extents strides, Extents dilations, Extents low, Extents high) { return detail::of_table("reduce_window_sum", {x}, {}, {window, strides, dilations, low, high}); }
/// The greatest of each window of x padded by `low` and `high`; NaN where there is one. The first of equal winners has the derivative.
inline AnyTensor reduce_window_max(const AnyTensor& x, Extents window, Extents strides, Extents dilations, Extents low, Extents high) { return detail::of_table("reduce_window_max", {x}, {}, {window, strides, dilations, low, high}); }
/// The least of each window of x padded by `low` and `high`; NaN where there is one. The first of equal winners has the derivative.
inline AnyTensor reduce_window_min(const AnyTensor& x, Extents window, Extents strides, Extents dilations, Extents low, Extents high) { return detail::of_table("reduce_window_min", {x}, {}, {window, strides, dilations, low, high}); }
/// Running sum of x along `axis`, from its end where `reverse` is 1.
inline AnyTensor cumsum(const AnyTensor& x, extent_t axis, extent_t reverse) { return detail::of_table("cumsum", {x}, {}, {axis, reverse}); }
/// Running product of x along `axis`, from its end where `reverse` is 1.
inline AnyTensor cumprod(const AnyTensor& x, extent_t axis, extent_t reverse) { return detail::of_table("cumprod", {x}, {}, {axis, reverse}); }
/// Running maximum of x along `axis`, from its end where `reverse` is 1.
inline AnyTensor cummax(const AnyTensor& x, extent_t axis, extent_t reverse) { return detail::of_table("cummax", {x}, {}, {axis, reverse}); }
/// Running minimum of x along `axis`, from its end where `reverse` is 1.
inline AnyTensor cummin(const AnyTensor& x, extent_t axis, extent_t reverse) { return detail::of_table("cummin", {x}, {}, {axis, reverse}); }
/// Sums of products over the contracted axes; the result's axes are the batch axes, the free ones of a, the free ones of b.
inline AnyTensor dot_general(const AnyTensor& a, const AnyTensor& b, Extents batch_a, Extents batch_b, Extents contract_a, Extents contract_b) { return detail::of_table("dot_general", {a, b}, {}, {batch_a, batch_b, contract_a, contract_b}); }
/// Convolution of x[n, channel, spatial...] with w[output channel, channel of the group, spatial...], padded by `low` and `high` after dilation.
inline AnyTensor convolution(const AnyTensor& x, const AnyTensor& w, Extents strides, Extents low, Extents high, Extents dilate_x, Extents dilate_w, extent_t groups) { return detail::of_table("convolution", {x, w}, {}, {strides, low, high, dilate_x, dilate_w, groups}); }
/// The lower factor l with l l^T = x, read below the diagonal; NaN throughout where x is not positive definite.
inline AnyTensor cholesky(const AnyTensor& x) { return detail::of_table("cholesky", {x}, {}, {}); }
/// y with a y = b, or a^T y = b where `transpose_a` is 1; a is read below the diagonal where `lower` is 1, else above, its diagonal as ones where `unit` is 1.
inline AnyTensor triangular_solve(const AnyTensor& a, const AnyTensor& b, extent_t lower, extent_t transpose_a, extent_t unit) { return detail::of_table("triangular_solve", {a, b}, {}, {lower, transpose_a, unit}); }
/// y with a y = b, or a^T y = b where `transpose_a` is 1, by LU with exchanged rows.
inline AnyTensor solve(const AnyTensor& a, const AnyTensor& b, extent_t transpose_a) { return detail::of_table("solve", {a, b}, {}, {transpose_a}); }
/// The determinant; exactly 0 where elimination meets a zero pivot, and then its derivative is NaN.
inline AnyTensor det(const AnyTensor& x) { return detail::of_table("det", {x}, {}, {}); }
/// The logarithm of the determinant's magnitude.
inline AnyTensor log_abs_det(const AnyTensor& x) { return detail::of_table("log_abs_det", {x}, {}, {}); }
/// The sign of the determinant: -1, 0 or 1.
inline AnyTensor sign_det(const AnyTensor& x) { return detail::of_table("sign_det", {x}, {}, {}); }
/// The orthonormal columns q of x = q r, for at least as many rows as columns, with the signs of LAPACK; r is q^T x.
inline AnyTensor qr_q(const AnyTensor& x) { return detail::of_table("qr_q", {x}, {}, {}); }
/// The eigenvalues of (x + x^T) / 2, ascending.
inline AnyTensor eigh_values(const AnyTensor& x) { return detail::of_table("eigh_values", {x}, {}, {}); }
/// The eigenvectors of (x + x^T) / 2 as columns, in the order of their values, the largest entry of each positive.
inline AnyTensor eigh_vectors(const AnyTensor& x) { return detail::of_table("eigh_vectors", {x}, {}, {}); }
/// The singular values of x, descending.
inline AnyTensor svd_values(const AnyTensor& x) { return detail::of_table("svd_values", {x}, {}, {}); }
/// u above v, of x = u diag(s) v^T, columns in the order of the singular values, the largest entry of each column of u positive.
inline AnyTensor svd_vectors(const AnyTensor& x) { return detail::of_table("svd_vectors", {x}, {}, {}); }
/// y with a y = b, or a^T y = b where `transpose_a` is 1, for a square sparse matrix: its values row by row along the last axis, row i from `row_start`[i], at `columns`.
inline AnyTensor sparse_solve(const AnyTensor& values, const AnyTensor& b, Extents row_start, Extents columns, extent_t transpose_a) { return detail::of_table("sparse_solve", {values, b}, {}, {row_start, columns, transpose_a}); }
/// Parts of x of extents `sizes`, one for each vector of `indices`, moved inside x where they would leave it. Element i of a vector is the place along axis index_map[i].
inline AnyTensor gather(const AnyTensor& x, const AnyTensor& indices, Extents offset_dims, Extents collapsed, Extents batch_x, Extents batch_indices, Extents index_map, Extents sizes) { return detail::of_table("gather", {x, indices}, {}, {offset_dims, collapsed, batch_x, batch_indices, index_map, sizes}); }
/// x with the parts of `updates` put where the vectors of `indices` say; those that would leave x are dropped. Places must not repeat: which update stays is not defined.
inline AnyTensor scatter(const AnyTensor& x, const AnyTensor& indices, const AnyTensor& updates, Extents window_dims, Extents inserted, Extents batch_x, Extents batch_indices, Extents index_map) { return detail::of_table("scatter", {x, indices, updates}, {}, {window_dims, inserted, batch_x, batch_indices, index_map}); }
/// x with the parts of `updates` added where the vectors of `indices` say; those that would leave x are dropped.
inline AnyTensor scatter_add(const AnyTensor& x, const AnyTensor& indices, const AnyTensor& updates, Extents window_dims, Extents inserted, Extents batch_x, Extents batch_indices, Extents index_map) { return detail::of_table("scatter_add", {x, indices, updates}, {}, {window_dims, inserted, batch_x, batch_indices, index_map}); }
/// Indices along `axis` that put x in order, `descending` unless that is 0; equals keep their order, NaN counts as greatest.
inline AnyTensor sort_indices(const AnyTensor& x, extent_t axis, extent_t descending) { return detail::of_table("sort_indices", {x}, {}, {axis, descending}); }
/// x in order along `axis`, `descending` unless that is 0.
inline AnyTensor sort(const AnyTensor& x, extent_t axis, extent_t descending) { return detail::of_table("sort", {x}, {}, {axis, descending}); }
/// The two words of a Threefry-2x32 block, along a new first axis, for the words of key and counter, all u32.
inline AnyTensor threefry2x32(const AnyTensor& key_0, const AnyTensor& key_1, const AnyTensor& counter_0, const AnyTensor& counter_1) { return detail::of_table("threefry2x32", {key_0, key_1, counter_0, counter_1}, {}, {}); }
/// A draw from Gamma(alpha, 1) for each key, two u32 along the last axis; its logarithm where `log_space` is 1.
inline AnyTensor random_gamma(const AnyTensor& keys, const AnyTensor& alpha, extent_t log_space, extent_t partitionable) { return detail::of_table("random_gamma", {keys, alpha}, {}, {log_space, partitionable}); }

}  // namespace tlaloc::ops
