// SPDX-License-Identifier: Apache-2.0
//
// Factorisations of one small matrix at a time, in double, row by row; the records of ops/linalg.cpp run them over a batch.
#pragma once

#include <cstddef>
#include <vector>

namespace tlaloc::ir::dense {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> a;
  Matrix(std::size_t m, std::size_t n) : rows(m), columns(n), a(m * n) {}
  double& operator()(std::size_t i, std::size_t j) { return a[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return a[i * columns + j]; }
};

Matrix transposed(const Matrix&);
/// The lower factor of the symmetric matrix that the lower triangle stands for; NaN throughout where it is not positive definite.
Matrix cholesky(const Matrix&);
/// x with op(a) x = b, a read in one triangle, its diagonal as ones where `unit`.
void solve_triangular(const Matrix& a, bool lower, bool transpose, bool unit, Matrix& b);

/// Rows exchanged so that each pivot is the largest of its column, the first of equals. A zero pivot leaves its column as it is.
struct Lu {
  Matrix lu;
  std::vector<std::size_t> order;                 // which row of a stands where
  int sign = 1;
  explicit Lu(Matrix a);
  void solve(bool transpose, Matrix& b) const;
};
/// Orthonormal columns q of a = q r, rows >= columns, with the signs of LAPACK's Householder reflections.
Matrix orthonormal(Matrix a);
/// Of a symmetric matrix, by Jacobi's rotations: values ascending; vectors as columns, the largest entry of each positive.
struct Eigen { std::vector<double> values; Matrix vectors; };
Eigen eigen(Matrix a);
/// a = u diag(values) v^T, by one-sided rotations: values descending; the largest entry of each column of u positive.
struct Singular { std::vector<double> values; Matrix u, v; };
Singular singular(const Matrix& a);

}  // namespace tlaloc::ir::dense
