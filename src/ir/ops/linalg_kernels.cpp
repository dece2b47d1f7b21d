// SPDX-License-Identifier: Apache-2.0
#include "ir/ops/linalg_kernels.hpp"

#include <limits>

#define EIGEN_MPL2_ONLY
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace tlaloc::ir::dense {
namespace {

using Rows = ::Eigen::Matrix<double, ::Eigen::Dynamic, ::Eigen::Dynamic, ::Eigen::RowMajor>;
using Columns = ::Eigen::MatrixXd;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

::Eigen::Map<Rows> map(Matrix& m) { return {m.a.data(), ::Eigen::Index(m.rows), ::Eigen::Index(m.columns)}; }
::Eigen::Map<const Rows> map(const Matrix& m) { return {m.a.data(), ::Eigen::Index(m.rows), ::Eigen::Index(m.columns)}; }
Matrix matrix(const Columns& m) {
  Matrix r(std::size_t(m.rows()), std::size_t(m.cols()));
  map(r) = m;
  return r;
}
std::vector<double> numbers(const ::Eigen::VectorXd& v) { return {v.begin(), v.end()}; }
Columns undefined(::Eigen::Index m, ::Eigen::Index n) { return Columns::Constant(m, n, nan); }

/// 1 or -1 for each column, with which its largest entry becomes positive.
::Eigen::VectorXd orientation(const Columns& m) {
  ::Eigen::VectorXd signs = ::Eigen::VectorXd::Ones(m.cols());
  for (::Eigen::Index j = 0, most = 0; m.rows() && j < m.cols(); ++j) {
    m.col(j).cwiseAbs().maxCoeff(&most);
    if (m(most, j) < 0) signs[j] = -1;
  }
  return signs;
}

}  // namespace

Matrix cholesky(const Matrix& a) {
  const ::Eigen::LLT<Columns> f(map(a));
  const bool defined = f.info() == ::Eigen::Success && f.matrixLLT().diagonal().array().isFinite().all();
  return matrix(defined ? Columns(f.matrixL()) : undefined(map(a).rows(), map(a).cols()));
}

void solve_triangular(const Matrix& a, bool lower, bool transpose, bool unit, Matrix& b) {
  auto run = [&](const auto& m, bool below) {
    if (below) unit ? m.template triangularView<::Eigen::UnitLower>().solveInPlace(map(b)) : m.template triangularView<::Eigen::Lower>().solveInPlace(map(b));
    else unit ? m.template triangularView<::Eigen::UnitUpper>().solveInPlace(map(b)) : m.template triangularView<::Eigen::Upper>().solveInPlace(map(b));
  };
  transpose ? run(map(a).transpose(), !lower) : run(map(a), lower);
}

Pivots pivots(const Matrix& a) {
  const ::Eigen::PartialPivLU<Columns> f(map(a));
  return {numbers(f.matrixLU().diagonal()), double(f.permutationP().determinant())};
}
void solve(const Matrix& a, bool transpose, Matrix& b) {
  const ::Eigen::PartialPivLU<Columns> f(map(a));
  const Columns side = map(b);
  map(b) = transpose ? Columns(f.transpose().solve(side)) : Columns(f.solve(side));
}

Matrix orthonormal(const Matrix& a) {
  const ::Eigen::HouseholderQR<Columns> f(map(a));
  return matrix(f.householderQ() * Columns::Identity(f.rows(), f.cols()));
}

Eigen eigen(const Matrix& a) {
  const auto m = map(a);
  if (!m.size()) return {{}, a};
  ::Eigen::SelfAdjointEigenSolver<Columns> f;
  if (!m.allFinite() || f.compute((m + m.transpose()) / 2).info() != ::Eigen::Success)
    return {std::vector<double>(a.rows, nan), matrix(undefined(m.rows(), m.cols()))};
  return {numbers(f.eigenvalues()), matrix(f.eigenvectors() * orientation(f.eigenvectors()).asDiagonal())};
}

Singular singular(const Matrix& a) {
  const auto m = map(a);
  const ::Eigen::Index n = std::min(m.rows(), m.cols());
  if (!m.allFinite()) return {std::vector<double>(std::size_t(n), nan), matrix(undefined(m.rows(), n)), matrix(undefined(m.cols(), n))};
  if (!n) return {{}, matrix(Columns(m.rows(), 0)), matrix(Columns(m.cols(), 0))};
  const ::Eigen::JacobiSVD<Columns> f(m, ::Eigen::ComputeThinU | ::Eigen::ComputeThinV);
  const auto signs = orientation(f.matrixU());
  return {numbers(f.singularValues()), matrix(f.matrixU() * signs.asDiagonal()), matrix(f.matrixV() * signs.asDiagonal())};
}

}  // namespace tlaloc::ir::dense
