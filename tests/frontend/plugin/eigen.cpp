// SPDX-License-Identifier: Apache-2.0
//
// Eigen: matrices inside functions and as parameters and results. Gradients are of Eigen's types.
#include <tlaloc/ad.hpp>

#include <eigen3/Eigen/Dense>

#include <cmath>
#include <vector>

#include "check.hpp"
#include "differences.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// --- inside a function ---
VectorXd filled(double x, double y) {
  VectorXd v(4);
  for (int i = 0; i < v.size(); ++i) v(i) = x * i + y / (1 + i);
  return v;
}
MatrixXd matrix(double x, double y) {
  MatrixXd m(4, 4);
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.cols(); ++j) m(i, j) = x * i - y * j + i * j * 0.3;
  return m;
}
double arithmetic(double x, double y) {
  const VectorXd a = filled(x, y), c = filled(y, x);
  VectorXd v = 2.0 * a + c * x - a / 3.0 - (-c);
  v += a;
  v -= x * c;
  v *= y;
  v /= 1 + x * x;
  v[1] += v(0) * a[2];
  return v.dot(a) + v.sum() + v.norm() + v.squaredNorm() * x + v.mean() + v.maxCoeff() - v.minCoeff() + v.prod();
}
double products(double x, double y) {
  const MatrixXd m = matrix(x, y);
  const VectorXd a = filled(x, y);
  const VectorXd u = m * a + m.transpose() * (a + VectorXd::Ones(4));
  MatrixXd s = m.transpose() * m;
  s = s * m;
  const double quadratic = a.transpose() * m * a;
  return u.sum() + s.trace() + quadratic + (a * u.transpose()).sum() + (m * a).norm();
}
double parts(double x, double y) {
  MatrixXd m = matrix(x, y);
  VectorXd v = filled(x, y);
  v.head(2) = v.tail(2) * x;
  v.segment(1, 2) += m.row(1).head(2).transpose();
  v.segment<2>(0) *= y;
  m.col(1) = v;
  m.row(2) *= x;
  m.block(0, 0, 2, 2) = m.block(2, 2, 2, 2) * y;
  m.diagonal() += v;
  m.topRows(1) *= 2.0;
  return m.sum() + m.col(1).dot(v) + m.leftCols(2).squaredNorm() * 0.1 + m.bottomRows<1>().sum();
}
double fixed_sizes(double x, double y) {
  Eigen::Vector3d a(x, y, x * y), c = Eigen::Vector3d::Ones() * y;
  Eigen::Matrix3d r;
  r << 1, x, y, x * y, 2, x, y, 0.5, 3;
  const Eigen::Vector3d d = a.cross(c) + r * a;
  const Eigen::Matrix2d q = r.block<2, 2>(0, 0) * x;
  return d.dot(c) + d.normalized().x() * a.y() + r.determinant() + q.inverse().sum() + (a - c).norm() + d.z();
}
double arrays(double x, double y) {
  const VectorXd v = filled(x, y), w = filled(y, x);
  Eigen::ArrayXd a = v.array() * w.array() + 1.5;
  a += (v.array() / 7.0).exp() - w.array().square();
  a = a * a.sin();
  return a.sum() + v.cwiseProduct(w).sum() + v.cwiseAbs().sum() + (a.abs() + 1.0).log().sum() + a.tanh().mean() + (1.0 / (2.0 + a.square())).sum();
}
double solved(double x, double y) {
  const MatrixXd m = matrix(x, y);
  MatrixXd s = m.transpose() * m + 3.0 * MatrixXd::Identity(4, 4);
  const VectorXd v = filled(x, y);
  const VectorXd p = s.llt().solve(v);
  const Eigen::LLT<MatrixXd> factor(s);
  MatrixXd k = s;
  k(0, 1) += 5;
  k(3, 0) -= x;
  return p.sum() + factor.solve(m.col(1)).squaredNorm() + k.partialPivLu().solve(v).norm() + k.lu().solve(m).sum() + std::log(s.determinant()) + s.inverse().trace();
}
double mapped(double x, double y) {
  double raw[6] = {x, y, x * y, 1, x + y, 2};
  std::vector<double> more = {y, x};
  Eigen::Map<Eigen::MatrixXd> m(raw, 2, 3);
  Eigen::Map<const Eigen::VectorXd> v(more.data(), 2);
  m.col(0) *= x;
  m.row(1) += m.row(0) * y;
  return (m.transpose() * v).squaredNorm() + raw[1] * raw[3];
}
template <class D> double generic(const Eigen::MatrixBase<D>& m) { return m.squaredNorm() * m(0); }
double in_templates(double x, double y) {
  const Eigen::Vector2d v(x, y);
  std::vector<VectorXd> all;
  for (int i = 0; i < 3; ++i) all.push_back(filled(x + i, y));
  double s = 0;
  for (const auto& w : all) s += w.sum() * w(1);
  return generic(v) + s;
}
TEST(EigenTypes, InsideAFunction) {
  differentiates<arithmetic>(1e-13);
  differentiates<products>(1e-13);
  differentiates<parts>(1e-13);
  differentiates<fixed_sizes>(1e-13);
  differentiates<arrays>(1e-13);
  differentiates<solved>(1e-13);
  differentiates<mapped>(1e-13);
  differentiates<in_templates>(1e-13);
}

// --- parameters and results ---
template <class F, class T> void check_gradient(const T& got, F f, const T& at) {
  EXPECT_TRUE(got.rows() == at.rows() && got.cols() == at.cols());
  for (int i = 0; i < at.rows(); ++i)
    for (int j = 0; j < at.cols(); ++j) {
      T more = at, less = at;
      more(i, j) += 1e-6, less(i, j) -= 1e-6;
      EXPECT_TRUE(near(got(i, j), (f(more) - f(less)) / 2e-6, 1e-6));
    }
}
double likelihood(const MatrixXd& covariance, const VectorXd& r) {
  const Eigen::LLT<MatrixXd> factor(covariance);
  return -0.5 * r.dot(factor.solve(r)) - 0.5 * std::log(covariance.determinant());
}
double rotated(const Eigen::Matrix3d& m, Eigen::Vector3d v, double t) {
  v *= t;
  return (m * v).norm() + m(0, 1) * v.x();
}
VectorXd pushed(const MatrixXd& m, const VectorXd& v) { return m * v + v; }
Eigen::Vector2d polar(const Eigen::Vector2d& p) { return {p(0) * std::cos(p(1)), p(0) * std::sin(p(1))}; }
void doubled(VectorXd& v, double t) { v = v * t + v.cwiseProduct(v); }

TEST(EigenTypes, Gradients) {
  MatrixXd c(3, 3);
  c << 4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 5;
  VectorXd r(3);
  r << 0.3, -1, 2;
  const auto [dc, dr] = tlaloc::grad(likelihood)(c, r);
  check_gradient(dr, [&](const VectorXd& x) { return likelihood(c, x); }, r);
  check_gradient(dc, [&](const MatrixXd& x) { return likelihood(x, r); }, c);
  const Eigen::Matrix3d m = c;
  const Eigen::Vector3d v = r;
  const auto [dm, dv, dt] = tlaloc::grad(rotated)(m, v, 0.7);
  check_gradient(dm, [&](const Eigen::Matrix3d& x) { return rotated(x, v, 0.7); }, m);
  check_gradient(dv, [&](const Eigen::Vector3d& x) { return rotated(m, x, 0.7); }, v);
  EXPECT_TRUE(near(tlaloc::jvp(rotated)(m, v, 0.7, m, v, 1.0), dm.cwiseProduct(m).sum() + dv.dot(v) + dt, 1e-6));
}
TEST(EigenTypes, Results) {
  MatrixXd m(2, 2);
  m << 1, 2, 3, 4;
  const VectorXd v = Eigen::Vector2d(0.5, -1);
  const VectorXd along = tlaloc::jvp(pushed)(m, v, m, v);
  EXPECT_TRUE((along - (2 * (m * v) + v)).norm() < 1e-12);
  const auto [dm, dv] = tlaloc::vjp(pushed)(m, v, v);
  EXPECT_TRUE((dm - v * v.transpose()).norm() < 1e-12);
  EXPECT_TRUE((dv - (m.transpose() * v + v)).norm() < 1e-12);
  const Eigen::Vector2d p(2, 0.3), d = tlaloc::jvp(polar)(p, Eigen::Vector2d(0, 1));
  EXPECT_TRUE(near(d(0), -2 * std::sin(0.3)) && near(d(1), 2 * std::cos(0.3)));
  VectorXd x = v, dx = VectorXd::Ones(2);
  const double dt = tlaloc::vjp(doubled)(tlaloc::shadow(x, dx), 3.0);
  EXPECT_TRUE(near(dt, v.sum()) && near(dx(0), 3 + 2 * v(0)) && near(x(1), 3 * v(1) + v(1) * v(1)));
}
TEST(EigenTypes, SecondDerivatives) {
  const auto f = [](const VectorXd& v) { return v.squaredNorm() * v(0); };
  const auto h = tlaloc::hessian(f)(VectorXd(Eigen::Vector2d(1, 2)));
  EXPECT_TRUE(near(h.at(0, 0), 6) && near(h.at(0, 1), 4) && near(h.at(1, 1), 2));
}

}  // namespace

int main() { return check::run(); }
