// SPDX-License-Identifier: Apache-2.0
//
// Equations whose matrix is sparse: stored values along the last axis, rows one after the other, at columns that are known.
#include "ir/ops/tensors.hpp"
#include "ir/sparse.hpp"

#include <algorithm>

#define EIGEN_MPL2_ONLY
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace tlaloc::ir {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void fill_nan(Eigen::Map<Columns> x) { x.setConstant(std::numeric_limits<double>::quiet_NaN()); }
// By LDL^T where the matrix is symmetric and that succeeds, else by LU; NaN where it is singular.
void solve_one(const Matrix& a, Eigen::Map<Columns> b) {
  const Eigen::MatrixXd side = b;
  const Matrix t = a.transpose();
  if ((a - t).norm() == 0) {
    const Eigen::SimplicialLDLT<Matrix> f(a);
    if (f.info() == Eigen::Success && (f.vectorD().array() > 0).all()) {
      const Eigen::MatrixXd x = f.solve(side);
      b = x;
      return;
    }
  }
  Eigen::SparseLU<Matrix> f;
  f.compute(a);
  if (f.info() != Eigen::Success) return fill_nan(b);
  const Eigen::MatrixXd x = f.solve(side);
  b = x;
}
void kernel(const Op& op, std::span<const Array> in, Array& y) {
  const Ints &start = op.at(key::row_start), &columns = op.at(key::columns), rows = rows_of(start);
  const std::int64_t n = std::int64_t(start.size()) - 1, k = y.type.dims.back(), nnz = std::int64_t(columns.size());
  const bool transpose = op.at(key::transpose_a);
  with_storage(y.type.dtype, [&]<class T>(T) {
    std::vector<double> x(std::size_t(n * k));
    for (std::int64_t m = 0, count = n * k ? std::int64_t(y.size()) / (n * k) : 0; m < count; ++m) {
      std::vector<Eigen::Triplet<double>> entries;
      for (std::int64_t e = 0; e < nnz; ++e) {
        const auto i = int(rows[std::size_t(e)]), j = int(columns[std::size_t(e)]);
        entries.emplace_back(transpose ? j : i, transpose ? i : j, double(in[0].data<T>()[m * nnz + e]));
      }
      Matrix a(n, n);
      a.setFromTriplets(entries.begin(), entries.end());
      std::copy_n(in[1].data<T>() + m * n * k, n * k, x.begin());
      solve_one(a, {x.data(), n, k});
      for (std::int64_t i = 0; i < n * k; ++i) y.data<T>()[m * n * k + i] = T(x[std::size_t(i)]);
    }
  });
}

// dx = a^-1 (db - da x)
X tangent(const Op& op, std::span<const X> in, X x, std::span<const X> d) {
  const Ints &start = op.at(key::row_start), &columns = op.at(key::columns), rows = rows_of(start);
  const bool transpose = op.at(key::transpose_a);
  X side = d[1];
  if (d[0]) {
    const int r = x.type().rank();
    const X at = taken(x, transpose ? rows : columns, r - 2);
    const X moved = gathered_sums(broadcast(d[0], at.type().dims, axes_up_to(r - 1)) * at, transpose ? columns : rows, r - 2, std::int64_t(start.size()) - 1);
    side = side ? side - moved : -moved;
  }
  return ops::sparse_solve(in[0], side, start, columns, transpose);
}

}  // namespace

FACTS(sparse_solve) {
  .name = "sparse_solve",
  .doc = "y with a y = b, or a^T y = b where `transpose_a` is 1, for a square sparse matrix: its values row by row along the last axis, row i from `row_start`[i], at `columns`.",
  .operands = {"values", "b"}, .attrs = {key::row_start, key::columns, key::transpose_a},
  .type = [](const Op& op) -> std::vector<Type> {
    need_tensor(op, 0), need_tensor(op, 1);
    const Type &v = in(op, 0), &b = in(op, 1);
    const Ints &start = op.at(key::row_start), &columns = op.at(key::columns);
    const std::int64_t n = std::int64_t(start.size()) - 1;
    if ((v.dtype != DType::f32 && v.dtype != DType::f64) || b.dtype != v.dtype) refuse(op, "needs f32 or f64, not " + text(v) + " and " + text(b));
    if (n < 0 || start.front() != 0 || start.back() != std::int64_t(columns.size())) refuse(op, "the rows do not cover the columns");
    if (!std::is_sorted(start.begin(), start.end())) refuse(op, "the rows do not follow each other");
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t e = start[std::size_t(i)]; e < start[std::size_t(i) + 1]; ++e) {
        const std::int64_t c = columns[std::size_t(e)];
        if (c < 0 || c >= n || (e > start[std::size_t(i)] && c <= columns[std::size_t(e) - 1])) refuse(op, "the columns of a row do not ascend within the matrix");
      }
    if (v.rank() < 1 || b.rank() != v.rank() + 1 || v.dims.back() != std::int64_t(columns.size()) || b.dims.end()[-2] != n ||
        Ints(v.dims.begin(), v.dims.end() - 1) != Ints(b.dims.begin(), b.dims.end() - 2))
      refuse(op, "extents differ: " + text(v) + " and " + text(b));
    return {b};
  },
  .expansion = {[](const Op& op, std::span<const X> in) -> std::vector<X> {   // as a dense matrix
    const Ints &start = op.at(key::row_start), &columns = op.at(key::columns);
    const std::int64_t n = std::int64_t(start.size()) - 1, r = in[0].type().rank();
    Ints places = rows_of(start);
    for (std::size_t e = 0; e < places.size(); ++e) places[e] = places[e] * n + columns[e];
    Shape square = in[1].type().dims;
    square.back() = n;
    return {solve(reshape(gathered_sums(in[0], places, r - 1, n * n), square), in[1], op.at(key::transpose_a))};
  }},
  .derivative = differential(tangent, [](const Op& op, std::span<const X> in, X d) -> std::vector<X> {
    return {X{}, sparse_solve(in[0], d, op.at(key::row_start), op.at(key::columns), 1 - op.at(key::transpose_a))};
  }),
  .batching = elementwise,
  .kernel = kernel,
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

}  // namespace tlaloc::ir
