// SPDX-License-Identifier: Apache-2.0
//
// Eigen: decompositions and their solutions, references to parts, rows and columns at once,
// functions of coefficients.
#include <tlaloc/ad.hpp>

#include <eigen3/Eigen/Dense>

#include <stdexcept>

#include "differences.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-11;

MatrixXd matrix(double x, double y, int rows, int cols) {
  MatrixXd m(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      m(i, j) = std::sin(x * i + 2.0 * j) + y * (i == j) - 0.1 * i * j;
  return m;
}
VectorXd vector(double x, double y, int n) {
  VectorXd v(n);
  for (int i = 0; i < n; ++i)
    v(i) = x * i + y / (1 + i);
  return v;
}

double least_squares(double x, double y) {
  const MatrixXd a = matrix(x, y, 6, 3);
  const VectorXd b = vector(x, y, 6);
  const VectorXd p = a.colPivHouseholderQr().solve(b), q = a.householderQr().solve(b);
  return p.squaredNorm() + q(1) * x + (a * p - b).norm();
}
double wide(double x, double y) {
  const MatrixXd a = matrix(x, y, 2, 4);
  const Eigen::HouseholderQR<MatrixXd> qr(a);
  const Eigen::ColPivHouseholderQR<MatrixXd> pivots(a);
  const VectorXd u = qr.solve(vector(x, y, 2)), v = pivots.solve(vector(y, x, 2));
  return u.dot(v) + u.sum();
}
double square(double x, double y) {
  const MatrixXd a = matrix(x, y, 3, 3) + 4 * MatrixXd::Identity(3, 3);
  const Eigen::PartialPivLU<MatrixXd> lu(a);
  const MatrixXd s = a * a.transpose();
  const Eigen::LDLT<MatrixXd> ldlt(s);
  const VectorXd b = vector(x, y, 3);
  const VectorXd u = lu.solve(b), v = ldlt.solve(b), w = Eigen::FullPivLU<MatrixXd>(a).solve(b);
  const MatrixXd l = s.llt().matrixL();
  return u.dot(v) + w.sum() * lu.determinant() + 2 * l.diagonal().array().log().sum();
}

double energy(const Eigen::Ref<const VectorXd>& v, const Eigen::Ref<const MatrixXd>& m) {
  return v.dot(m * v);
}
void scale(Eigen::Ref<VectorXd> v, double by) { v *= by; }
double references(double x, double y) {
  MatrixXd m = matrix(x, y, 3, 3);
  VectorXd v = vector(x, y, 5);
  scale(v.segment(1, 3), x);
  scale(m.col(1), y);
  return energy(v.head(3), m) + energy(m.col(2) + v.tail(3), m.transpose()) +
         energy(m.row(0).transpose(), m);
}
double by_lines(double x, double y) {
  MatrixXd m = matrix(x, y, 4, 3);
  const VectorXd mean = m.colwise().mean();
  m.rowwise() -= mean.transpose();
  const MatrixXd n = m.array().colwise() * vector(x, y, 4).array();
  const VectorXd lengths = m.rowwise().norm();
  const MatrixXd shifted = n.colwise() + lengths;
  return shifted.colwise().sum().squaredNorm() + n.rowwise().maxCoeff().sum() + lengths.prod();
}
double coefficients(double x, double y) {
  const VectorXd a = vector(x, y, 4), c = vector(y, x, 4);
  const VectorXd u = a.unaryExpr([x](double t) { return std::tanh(t * x); });
  const VectorXd v = a.binaryExpr(c, [](double s, double t) { return s > t ? s * s : t; });
  const MatrixXd d = a.asDiagonal() * matrix(x, y, 4, 4);
  return u.dot(v) + d.sum() + a.reverse().dot(c) + a.lpNorm<1>() + c.lpNorm<Eigen::Infinity>() +
         a.stableNorm() + a.array().max(0.5).sum() + a.array().min(c.array()).sum();
}
double deficient(double x) {
  MatrixXd a(3, 2);
  a << x, 2 * x, 1, 2, 3, 6;
  const VectorXd v = a.colPivHouseholderQr().solve(VectorXd::Ones(3));
  return v.sum();
}

TEST(EigenSolvers, LeastSquares) {
  differentiates<least_squares>(rounding);
  differentiates<wide>(rounding);
}
TEST(EigenSolvers, Square) { differentiates<square>(rounding); }
TEST(EigenSolvers, WithoutFullRank) {
  bool thrown = false;
  try {
    tlaloc::grad(deficient)(1.5);
  } catch (const std::domain_error&) {
    thrown = true;
  }
  EXPECT_TRUE(thrown);
}
TEST(EigenSolvers, References) { differentiates<references>(rounding); }
TEST(EigenSolvers, RowsAndColumns) { differentiates<by_lines>(rounding); }
TEST(EigenSolvers, Coefficients) { differentiates<coefficients>(rounding); }

} // namespace

int main() { return check::run(); }
