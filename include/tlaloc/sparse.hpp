// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices in compressed rows (CSR): docs/tensors.md#sparse-matrices. The structure is data of the program, the stored
// values are a tensor, by which everything here is differentiable, in both modes and to any order.
#pragma once

#include "tlaloc/tensor.hpp"

#include <memory>
#include <vector>

namespace tlaloc::sparse {

/// Where values are stored: row i has those from row_start[i] on, at ascending columns.
class TLALOC_MEANS("sparse") Pattern {
 public:
  Pattern(extent_t rows, extent_t columns, std::vector<std::int64_t> row_start, std::vector<std::int64_t> column);
  extent_t rows() const { return data_->rows; }
  extent_t columns() const { return data_->columns; }
  extent_t nonzeros() const { return extent_t(data_->column.size()); }
  const std::vector<std::int64_t>& row_start() const { return data_->row_start; }
  const std::vector<std::int64_t>& column() const { return data_->column; }
  bool operator==(const Pattern&) const;

 private:
  struct Data {
    extent_t rows, columns;
    std::vector<std::int64_t> row_start, column;
  };
  std::shared_ptr<const Data> data_;
};

/// Untyped: structures beside their stored values.
struct Stored {
  Pattern pattern;
  AnyTensor values;
};
Stored from_coo(extent_t rows, extent_t columns, std::span<const std::int64_t> i, std::span<const std::int64_t> j, const AnyTensor& values);
AnyTensor to_dense(const Stored&);
AnyTensor product(const Stored&, const AnyTensor& dense);      // of a vector or a matrix
Stored product(const Stored&, const Stored&);     // keeps what becomes zero
Stored sum(const Stored&, const Stored&);         // where either has a value
Stored difference(const Stored&, const Stored&);
Stored elementwise_product(const Stored&, const Stored&);      // where both have one
Stored elementwise_product(const Stored&, const AnyTensor& dense);
Stored transposed(const Stored&);
AnyTensor solve(const Stored&, const AnyTensor& b);   // NaN where the matrix is singular

template <class T> requires std::is_same_v<T, float> || std::is_same_v<T, double> class TLALOC_MEANS("sparse") Csr {
 public:
  /// The structure is checked, and that it fits the values.
  Csr(Pattern pattern, const Vector<T>& values);
  /// From places in any order; values at one place are added.
  static Csr from_coo(extent_t rows, extent_t columns, std::span<const std::int64_t> i, std::span<const std::int64_t> j, const Vector<T>& values) {
    return adopt(sparse::from_coo(rows, columns, i, j, values.any()));
  }
  const Pattern& pattern() const { return stored_.pattern; }
  Vector<T> values() const { return Vector<T>::adopt(stored_.values); }
  extent_t rows() const { return pattern().rows(); }
  extent_t columns() const { return pattern().columns(); }
  const Stored& stored() const { return stored_; }
  static Csr adopt(Stored s) { return Csr(std::move(s), 0); }

 private:
  Csr(Stored s, int) : stored_(std::move(s)) {}
  Stored stored_;
};
void need_fit(const Stored&);
template <class T> requires std::is_same_v<T, float> || std::is_same_v<T, double>
Csr<T>::Csr(Pattern pattern, const Vector<T>& values) : stored_{std::move(pattern), values.any()} { need_fit(stored_); }

template <class T> Matrix<T> to_dense(const Csr<T>& a) { return Matrix<T>::adopt(to_dense(a.stored())); }
template <class T, class K> Vector<T> matmul(const Csr<T>& a, const Tensor<T, K>& x) { return Vector<T>::adopt(product(a.stored(), x.any())); }
template <class T, class K, class N> Tensor<T, dim<>, N> matmul(const Csr<T>& a, const Tensor<T, K, N>& x) {
  return Tensor<T, dim<>, N>::adopt(product(a.stored(), x.any()));
}
template <class T> Csr<T> matmul(const Csr<T>& a, const Csr<T>& b) { return Csr<T>::adopt(product(a.stored(), b.stored())); }
template <class T> Csr<T> operator+(const Csr<T>& a, const Csr<T>& b) { return Csr<T>::adopt(sum(a.stored(), b.stored())); }
template <class T> Csr<T> operator-(const Csr<T>& a, const Csr<T>& b) { return Csr<T>::adopt(difference(a.stored(), b.stored())); }
/// Elementwise, as for dense tensors.
template <class T> Csr<T> operator*(const Csr<T>& a, const Csr<T>& b) { return Csr<T>::adopt(elementwise_product(a.stored(), b.stored())); }
template <class T, class M, class N> Csr<T> operator*(const Csr<T>& a, const Tensor<T, M, N>& dense) {
  return Csr<T>::adopt(elementwise_product(a.stored(), dense.any()));
}
template <class T> Csr<T> transpose(const Csr<T>& a) { return Csr<T>::adopt(transposed(a.stored())); }
template <class T, class K> Vector<T> solve(const Csr<T>& a, const Tensor<T, K>& b) { return Vector<T>::adopt(solve(a.stored(), b.any())); }
template <class T, class K, class N> Tensor<T, dim<>, N> solve(const Csr<T>& a, const Tensor<T, K, N>& b) {
  return Tensor<T, dim<>, N>::adopt(solve(a.stored(), b.any()));
}

}  // namespace tlaloc::sparse
