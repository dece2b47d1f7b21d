// SPDX-License-Identifier: Apache-2.0
//
// Regression by a Gaussian process: the evidence of its hyperparameters by a Cholesky factor and
// triangular solves, fitted by its gradient, then used to predict. The gradient is made twice, by
// the compiler and by recording (jit), and checked against the closed form in plain loops; the
// numbers of reference.py are those of JAX and SciPy.
#include <tlaloc/jit.hpp>
#include <tlaloc/linalg.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

using namespace tlaloc;

struct Train : axis<> {};
struct Test : axis<> {};

struct Hyper {
  Scalar<double> log_length, log_scale, log_noise;
};
using Xs = Tensor<double, Train>;

/// scale^2 exp(-((a - b) / length)^2 / 2) for each pair.
template <class A, class B>
Tensor<double, A, B> kernel(const Hyper& h, const Tensor<double, A>& a,
                            const Tensor<double, B>& b) {
  const Tensor<double, A, B> d = (reshape<A, dim<1>>(a) - b) / exp(h.log_length);
  return exp(2 * h.log_scale - 0.5 * d * d);
}
Tensor<double, Train, Train> factor(const Hyper& h, const Xs& x) {
  const auto noise = linalg::diag(Xs::full({x.extent<Train>()}, 1)) * exp(2 * h.log_noise);
  return linalg::cholesky(kernel(h, x, x) + noise);
}
/// log p(y | x, h)
Scalar<double> evidence(const Hyper& h, const Xs& x, const Xs& y) {
  const auto l = factor(h, x);
  const auto z = linalg::solve_triangular(l, y);
  return -0.5 * sum(z * z) - sum(log(linalg::diagonal(l))) -
         0.5 * double(x.extent<Train>()) * std::log(2 * std::numbers::pi);
}

struct Prediction {
  Tensor<double, Test> mean, variance;
};
Prediction predict(const Hyper& h, const Xs& x, const Xs& y, const Tensor<double, Test>& at) {
  const auto l = factor(h, x);
  const auto v = linalg::solve_triangular(l, kernel(h, x, at));
  return {matmul(linalg::solve_triangular(l, y), v), exp(2 * h.log_scale) - sum<Train>(v * v)};
}

/// tr((a a^T - K^-1) dK/dh) / 2 with a = K^-1 y, by elimination.
std::array<double, 3> closed_form(const Hyper& h, const Xs& x, const Xs& y) {
  const auto n = std::size_t(x.extent<Train>());
  const double length = std::exp(h.log_length.item()), scale = std::exp(2 * h.log_scale.item()),
               noise = std::exp(2 * h.log_noise.item());
  auto part = [&](std::size_t i, std::size_t j) {
    const double d = (x.at(i) - x.at(j)) / length;
    return scale * std::exp(-0.5 * d * d);
  };
  std::vector<std::vector<double>> k(
      n, std::vector<double>(2 * n)); // K, and the unit matrix beside it
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      k[i][j] = part(i, j) + (i == j) * noise;
    k[i][n + i] = 1;
  }
  for (std::size_t p = 0; p < n; ++p) {
    const double pivot = k[p][p];
    for (double& v : k[p])
      v /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double times = k[i][p];
      for (std::size_t j = 0; i != p && j < 2 * n; ++j)
        k[i][j] -= times * k[p][j];
    }
  }
  std::vector<double> a(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      a[i] += k[i][n + j] * y.at(j);
  std::array<double, 3> g{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double w = 0.5 * (a[i] * a[j] - k[i][n + j]), d = (x.at(i) - x.at(j)) / length;
      g[0] += w * part(i, j) * d * d, g[1] += w * 2 * part(i, j), g[2] += w * 2 * (i == j) * noise;
    }
  return g;
}

std::array<double, 3> numbers(const Hyper& h) {
  return {h.log_length.item(), h.log_scale.item(), h.log_noise.item()};
}
double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    worst = std::max(worst, std::fabs(a[i] - b[i]) / std::max(1.0, std::fabs(b[i])));
  return worst;
}

int main() {
  std::vector<double> at, seen;
  for (int i = 0; i < 20; ++i)
    at.push_back(0.35 * i), seen.push_back(std::sin(0.35 * i) + ((37 * i) % 11 - 5) / 50.0);
  const Xs x = Xs::from(at, {20}), y = Xs::from(seen, {20});
  Hyper h{0.25, -0.5, -1.5};

  const auto [value, g] = value_and_grad<0>(evidence)(h, x, y);
  const auto [recorded_value, recorded] = jit(value_and_grad<0>(evidence))(h, x, y);
  const std::array<double, 3> by_jax{0.5603864866073631, 1.9031330977141039, -11.670309971581737};
  const double against[] = {
      distance(numbers(g), closed_form(h, x, y)), distance(numbers(recorded), closed_form(h, x, y)),
      distance(numbers(g), by_jax), std::fabs(value.item() - -1.9118118988715196),
      std::fabs(recorded_value.item() - -1.9118118988715196)};
  std::printf("gradient (%.6f, %.6f, %.6f): compiled and recorded against the closed form %.0e and "
              "%.0e, against JAX %.0e\n",
              numbers(g)[0], numbers(g)[1], numbers(g)[2], against[0], against[1], against[2]);

  // Adam, with steps that become smaller
  const auto gradient = grad<0>(evidence);
  std::array<double, 3> now = numbers(h), first{}, second{};
  for (int round = 1; round <= 1500; ++round) {
    const auto up = numbers(gradient(h, x, y));
    for (std::size_t i = 0; i < 3; ++i) {
      first[i] = 0.9 * first[i] + 0.1 * up[i], second[i] = 0.99 * second[i] + 0.01 * up[i] * up[i];
      now[i] += 0.05 * std::pow(0.995, round) * first[i] / (1 - std::pow(0.9, round)) /
                (std::sqrt(second[i] / (1 - std::pow(0.99, round))) + 1e-12);
    }
    h = {now[0], now[1], now[2]};
  }
  const double fit = distance(now, {0.8147532651635874, 0.4386835828970621, -2.675788769897462});
  std::printf("fitted: length %.4f, scale %.4f, noise %.4f; against SciPy %.0e\n", std::exp(now[0]),
              std::exp(now[1]), std::exp(now[2]), fit);

  const Hyper best{0.8147532651635874, 0.4386835828970621, -2.675788769897462};
  const auto there = Tensor<double, Test>::from({1.0, 3.3, 8.0}, {3});
  const double means[] = {0.8352812247691923, -0.1577367503278541, 1.463776908994918},
               variances[] = {0.001308051793170506, 0.0010403384722663667, 0.17576691567474745};
  double off = 0;
  for (const Prediction& p : {predict(best, x, y, there), jit(predict)(best, x, y, there)})
    for (int i = 0; i < 3; ++i) {
      std::printf("at %.1f: %.4f +- %.4f\n", there.at(i), p.mean.at(i),
                  std::sqrt(p.variance.at(i)));
      off = std::max(
          {off, std::fabs(p.mean.at(i) - means[i]), std::fabs(p.variance.at(i) - variances[i])});
    }
  std::printf("predictions against JAX: %.0e\n", off);
  return *std::max_element(std::begin(against), std::end(against)) < 1e-10 && fit < 1e-3 &&
                 off < 1e-9
             ? 0
             : 1;
}
