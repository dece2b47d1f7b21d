// SPDX-License-Identifier: Apache-2.0
//
// A31: Eigen: products, blocks, reductions, a Cholesky solution. The printed text has nothing of Eigen's.
#include "case.hpp"

#include <eigen3/Eigen/Dense>

double f(double x, double y) {
  Eigen::MatrixXd m(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = x * (i + 1) - y * j * j + 0.5 * i * j;
  Eigen::Vector3d v(x, y, x * y);
  const Eigen::MatrixXd s = m.transpose() * m + 2.0 * Eigen::MatrixXd::Identity(3, 3);
  Eigen::VectorXd u = s.llt().solve(v) + v / 3.0;
  u.head(2) += m.row(1).tail(2).transpose() * x;
  m.block(0, 0, 2, 2) *= y;
  return u.dot(v) + m.squaredNorm() * 0.1 + (m * u).norm() + u.array().exp().sum() + v.cross(Eigen::Vector3d(m.col(2))).sum();
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 10.181934777336853, .gradient = {3.780808257203392, 9.856671513282672}}, 0.7, 1.3);
  return run.done();
}
