// SPDX-License-Identifier: Apache-2.0
//
// What a Jacobian or Hessian is returned as when its size is not part of a type.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace tlaloc {

/// A dense matrix, row-major. It has the part of Matrix (tensor.hpp) that a result needs.
template <class T_> class DenseMatrix {
 public:
  using value_type = T_;
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), data_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  T_& at(std::size_t i, std::size_t j) { assert(i < rows_ && j < columns_); return data_[i * columns_ + j]; }
  const T_& at(std::size_t i, std::size_t j) const { assert(i < rows_ && j < columns_); return data_[i * columns_ + j]; }
  std::span<T_> row(std::size_t i) { assert(i < rows_); return {data_.data() + i * columns_, columns_}; }
  std::span<const T_> row(std::size_t i) const { assert(i < rows_); return {data_.data() + i * columns_, columns_}; }
  /// All numbers, row after row.
  std::span<T_> data() { return data_; }
  std::span<const T_> data() const { return data_; }
  bool operator==(const DenseMatrix&) const = default;

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<T_> data_;
};

}  // namespace tlaloc
