// SPDX-License-Identifier: Apache-2.0
//
// Eigen beyond what has a meaning here: variables of expression types, unknown members, references to parts as parameters.
#include "tlaloc/ad.hpp"

#include <eigen3/Eigen/Dense>

using Eigen::MatrixXd;
using Eigen::VectorXd;

double held(const VectorXd& v) {
  auto twice = v + v;
  return twice.sum();
}
double view(MatrixXd m) {
  auto column = m.col(0);
  return column.sum();
}
double full_pivots(const MatrixXd& m, const VectorXd& v) {
  const VectorXd x = m.fullPivHouseholderQr().solve(v);
  return x.sum();
}
double by_reference(Eigen::Ref<const VectorXd> v) { return v.sum(); }
double transformed(const MatrixXd& m) { return Eigen::MatrixXd(m.colwise().reverse()).sum(); }
double block_of(Eigen::Ref<MatrixXd> m) { return m.sum(); }
double by_block(MatrixXd m) { return block_of(m.block(0, 0, 2, 2)); }
MatrixXd of_any_size(const MatrixXd& m) { return m * m; }

void use(const MatrixXd& m, const VectorXd& v) {
  tlaloc::grad(held)(v);
  tlaloc::grad(view)(m);
  tlaloc::grad(full_pivots)(m, v);
  tlaloc::grad(by_reference)(v);
  tlaloc::grad(transformed)(m);
  tlaloc::grad(by_block)(m);
  tlaloc::jvp(of_any_size)(m, m);
}

// expect: 12:18 NOT_LOWERABLE ... an Eigen expression ('operator+') that is not assigned to a matrix ... name its type
// expect: 16:19 NOT_LOWERABLE ... an Eigen expression ('col') that is not assigned to a matrix
// expect: 20:47 NOT_LOWERABLE ... Solve<Eigen::FullPivHouseholderQR<
// expect: 23:48 NOT_LOWERABLE ... 'v' of Eigen's class 'Eigen::Ref<const Eigen::Matrix<double, -1, 1>>'
// expect: 24:76 NOT_LOWERABLE ... an expression of Eigen's class 'ConstReverseReturnType'
// expect: 26:47 NOT_LOWERABLE ... an Eigen::Ref to coefficients that do not lie side by side
// expect: 27:10 NOT_LOWERABLE ... 'of_any_size' returns a 'Eigen::Matrix<double, -1, -1>'
