// SPDX-License-Identifier: Apache-2.0
//
// Factorisations of one matrix at a time, in double, row by row; the records of ops/linalg.cpp run them over a batch.
#pragma once

#include <cstddef>
#include <vector>

namespace tlaloc::ir::dense {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> a;
  Matrix(std::size_t m, std::size_t n) : rows(m), columns(n), a(m * n) {}
};

/// The lower factor of the symmetric matrix that the lower triangle stands for; NaN throughout where it is not positive definite.
Matrix cholesky(const Matrix&);
/// x with op(a) x = b in b's place, a read in one triangle, its diagonal as ones where `unit`.
void solve_triangular(const Matrix& a, bool lower, bool transpose, bool unit, Matrix& b);

/// The diagonal of LU with rows exchanged so that each pivot is the largest of its column, and the sign of the exchanges.
struct Pivots { std::vector<double> values; double sign; };
Pivots pivots(const Matrix& a);
/// x with op(a) x = b in b's place, by LU.
void solve(const Matrix& a, bool transpose, Matrix& b);

/// Orthonormal columns q of a = q r, rows >= columns, with the signs of LAPACK's Householder reflections.
Matrix orthonormal(const Matrix& a);
/// Of the symmetric part: values ascending; vectors as columns, the largest entry of each positive. NaN where a is not finite.
struct Eigen { std::vector<double> values; Matrix vectors; };
Eigen eigen(const Matrix& a);
/// a = u diag(values) v^T: values descending; the largest entry of each column of u positive. NaN where a is not finite.
struct Singular { std::vector<double> values; Matrix u, v; };
Singular singular(const Matrix& a);

}  // namespace tlaloc::ir::dense
