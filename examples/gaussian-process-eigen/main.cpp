// SPDX-License-Identifier: Apache-2.0
//
// Fits a Gaussian process to noisy measurements: how far one measurement tells of another, how much the curve varies, and the
// noise. What is made least is the negative logarithm of the likelihood, written with Eigen; its gradient goes through the
// covariance matrix, its Cholesky factor and its determinant.
//
//   gaussian-process-eigen [fit.svg]      draws the measurements, the curve and where it lies to 95 %
#include <tlaloc/ad.hpp>

#include <Eigen/Dense>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// theta holds logarithms: of the length, of the curve's deviation, of the noise's. The covariance of the measurements is
/// noise^2 (1 + S), and 1 + S has no eigenvalue below one, so that its determinant cannot underflow.
double misfit(const Vector3d& theta, const VectorXd& x, const VectorXd& y) {
  const int n = int(x.size());
  const double length = std::exp(theta[0]), variance = std::exp(2 * theta[1]), noise = std::exp(2 * theta[2]);
  MatrixXd k = MatrixXd::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double apart = (x[i] - x[j]) / length;
      k(i, j) += variance / noise * std::exp(-0.5 * apart * apart);
    }
  const VectorXd weights = k.llt().solve(y);
  return 0.5 * (y.dot(weights) / noise + std::log(k.determinant()) + n * (2 * theta[2] + std::log(2 * std::numbers::pi)));
}

/// What the textbook has for the gradient: (tr(K^-1 dK) - a' dK a) / 2 for each of theta, where K a = y.
Vector3d by_hand(const Vector3d& theta, const VectorXd& x, const VectorXd& y) {
  const auto n = x.size();
  const double length = std::exp(theta[0]), variance = std::exp(2 * theta[1]), noise = std::exp(2 * theta[2]);
  std::array<MatrixXd, 3> d{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(2 * noise * MatrixXd::Identity(n, n))};
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double apart = (x[i] - x[j]) / length, s = variance * std::exp(-0.5 * apart * apart);
      d[0](i, j) = s * apart * apart;
      d[1](i, j) = 2 * s;
    }
  const MatrixXd inverse = (0.5 * d[1] + 0.5 * d[2]).inverse();
  const VectorXd a = inverse * y;
  Vector3d out;
  for (int k = 0; k < 3; ++k) out[k] = 0.5 * ((inverse * d[std::size_t(k)]).trace() - a.dot(d[std::size_t(k)] * a));
  return out;
}

/// The curve at a point, given the measurements: its expected value and its deviation.
std::pair<double, double> curve(double at, const Vector3d& theta, const VectorXd& x, const VectorXd& y) {
  const auto n = x.size();
  const double length = std::exp(theta[0]), variance = std::exp(2 * theta[1]), noise = std::exp(2 * theta[2]);
  MatrixXd k = noise * MatrixXd::Identity(n, n);
  VectorXd to(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    to[i] = variance * std::exp(-0.5 * std::pow((x[i] - at) / length, 2));
    for (Eigen::Index j = 0; j < n; ++j) k(i, j) += variance * std::exp(-0.5 * std::pow((x[i] - x[j]) / length, 2));
  }
  const Eigen::LLT<MatrixXd> factor(k);
  return {to.dot(factor.solve(y)), std::sqrt(variance - to.dot(factor.solve(to)))};
}

double truth(double x) { return std::sin(x) + 0.3 * x; }

bool draw(const char* file, const Vector3d& theta, const VectorXd& x, const VectorXd& y) {
  std::FILE* svg = std::fopen(file, "w");
  if (!svg) return false;
  const auto px = [](double at) { return 20 + 53 * at; };
  const auto py = [](double value) { return 240 - 55 * value; };
  std::fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"570\" height=\"330\">\n"
                    "<rect width=\"570\" height=\"330\" fill=\"white\"/>\n<polygon fill=\"#cde\" points=\"");
  constexpr int steps = 100;
  const auto at = [](int k) { return 0.1 * k; };
  for (int side : {1, -1})
    for (int k = 0; k <= steps; ++k) {
      const double where = at(side > 0 ? k : steps - k);
      const auto [value, deviation] = curve(where, theta, x, y);
      std::fprintf(svg, "%.1f,%.1f ", px(where), py(value + side * 1.96 * deviation));
    }
  std::fprintf(svg, "\"/>\n<polyline fill=\"none\" stroke=\"#06a\" stroke-width=\"2\" points=\"");
  for (int k = 0; k <= steps; ++k) std::fprintf(svg, "%.1f,%.1f ", px(at(k)), py(curve(at(k), theta, x, y).first));
  std::fprintf(svg, "\"/>\n<polyline fill=\"none\" stroke=\"#888\" stroke-dasharray=\"4\" points=\"");
  for (int k = 0; k <= steps; ++k) std::fprintf(svg, "%.1f,%.1f ", px(at(k)), py(truth(at(k))));
  std::fprintf(svg, "\"/>\n");
  for (Eigen::Index i = 0; i < x.size(); ++i) std::fprintf(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#b03\"/>\n", px(x[i]), py(y[i]));
  std::fprintf(svg, "</svg>\n");
  return std::fclose(svg) == 0;
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("WRONG: %s\n", what);
  ++failures;
}

int main(int argc, char** argv) {
  constexpr int n = 40;
  constexpr double noise = 0.2;
  VectorXd x(n), y(n);
  unsigned state = 7;
  const auto uniform = [&] { return state = state * 1103515245u + 12345u, double(state >> 8 & 0xffff) / 65536; };
  for (int i = 0; i < n; ++i) {
    x[i] = 10.0 * (i + 0.8 * uniform()) / n;
    double sum = 0;
    for (int k = 0; k < 12; ++k) sum += uniform() - 0.5;                 // nearly normal, of deviation 1
    y[i] = truth(x[i]) + noise * sum;
  }

  const auto gradient = tlaloc::grad<0>(misfit);
  Vector3d theta(std::log(0.5), std::log(0.5), std::log(0.5));
  double worst = 0;
  for (const Vector3d& at : {theta, Vector3d(0.3, -0.2, -1.5), Vector3d(0.8, 0.5, -1.0)}) {
    const Vector3d ours = gradient(at, x, y), book = by_hand(at, x, y);
    worst = std::fmax(worst, (ours - book).norm() / book.norm());
  }
  std::printf("gradient: at most %.1g from (tr(K^-1 dK) - a' dK a) / 2\n\n", worst);
  expect(worst < 1e-10, "the gradient");

  // The method of Broyden, Fletcher, Goldfarb and Shanno, with steps that are halved until they gain.
  Eigen::Matrix3d h = 0.01 * Eigen::Matrix3d::Identity();
  Vector3d slope = gradient(theta, x, y);
  double best = misfit(theta, x, y);
  const double first = best;
  bool gains = true;
  for (int round = 0; round < 100 && gains && slope.norm() > 1e-7; ++round) {
    Vector3d step = -h * slope;
    double there = misfit(theta + step, x, y);
    while (!(there <= best + 1e-4 * step.dot(slope)) && step.norm() > 1e-12) step *= 0.5, there = misfit(theta + step, x, y);
    gains = there < best;
    const Vector3d next = gradient(Vector3d(theta + step), x, y), change = next - slope;
    if (const double along = step.dot(change); along > 0) {
      const Eigen::Matrix3d left = Eigen::Matrix3d::Identity() - step * change.transpose() / along;
      h = left * h * left.transpose() + step * step.transpose() / along;
    }
    theta += step, slope = next, best = there;
    if (round % 5 == 0) std::printf("round %2d: misfit %9.4f, slope %.1e\n", round, best, slope.norm());
  }
  std::printf("\nfirst misfit %.4f, last %.4f, slope %.1g\nlength %.3f, deviation %.3f, noise %.3f (truth: %.1f)\n", first, best, slope.norm(), std::exp(theta[0]),
              std::exp(theta[1]), std::exp(theta[2]), noise);
  expect(slope.norm() < 1e-5, "the slope at the end");
  expect(std::fabs(std::exp(theta[2]) - noise) < 0.3 * noise, "the noise");
  int within = 0;
  for (int k = 5; k <= 95; ++k) {
    const auto [value, deviation] = curve(0.1 * k, theta, x, y);
    within += std::fabs(value - truth(0.1 * k)) < 1.96 * deviation;
  }
  std::printf("the true curve lies within 95 %% at %d of 91 points\n", within);
  expect(within > 72, "the curve");
  if (argc > 1) expect(draw(argv[1], theta, x, y), "cannot write the picture");
  return failures == 0 ? 0 : 1;
}
