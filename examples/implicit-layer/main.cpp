// SPDX-License-Identifier: Apache-2.0
//
// A network with one layer of infinite depth: its state z solves z = tanh(W z + U x + b). It learns to tell two interleaved
// spirals apart. The gradient is that of the solution; how the solution was found does not matter, nor is it remembered.
#include <tlaloc/root.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>

constexpr std::size_t width = 8, samples = 64;
using State = std::array<double, width>;

struct Network {
  std::array<State, width> w;
  std::array<std::array<double, 2>, width> u;
  State b, out;
};

double answer(const Network& n, double x, double y) {
  const State z = tlaloc::fixed_point([&](const State& at) {
    State next{};
    for (std::size_t i = 0; i < width; ++i) {
      double s = n.u[i][0] * x + n.u[i][1] * y + n.b[i];
      for (std::size_t j = 0; j < width; ++j) s += n.w[i][j] * at[j];
      next[i] = std::tanh(s);
    }
    return next;
  }, State{});
  double s = 0;
  for (std::size_t i = 0; i < width; ++i) s += n.out[i] * z[i];
  return s;
}

struct Data {
  std::array<double, samples> x, y, side;
};
double loss(const Network& n, const Data& d) {
  double s = 0;
  for (std::size_t k = 0; k < samples; ++k) s += std::log1p(std::exp(-d.side[k] * answer(n, d.x[k], d.y[k])));
  return s / samples;
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("WRONG: %s\n", what);
  ++failures;
}
template <class F> void each(Network& a, const Network& b, F f) {
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) f(a.w[i][j], b.w[i][j]);
    for (std::size_t j = 0; j < 2; ++j) f(a.u[i][j], b.u[i][j]);
    f(a.b[i], b.b[i]);
    f(a.out[i], b.out[i]);
  }
}

int main() try {
  Data data{};
  for (std::size_t k = 0; k < samples; ++k) {
    const std::size_t place = k / 2, places = samples / 2;
    const double t = 1 + 3.5 * double(place) / double(places), turn = k % 2 ? M_PI : 0;
    data.x[k] = 0.5 * t * std::cos(t + turn);
    data.y[k] = 0.5 * t * std::sin(t + turn);
    data.side[k] = k % 2 ? 1 : -1;
  }
  Network net{};
  unsigned state = 3;
  each(net, net, [&](double& p, double) { state = state * 1103515245u + 12345u; p = (double(state >> 8 & 0xffff) / 65536 - 0.5) * 0.8; });

  const auto gradient = tlaloc::value_and_grad<0>(loss);
  const auto [start, slope] = gradient(net, data);
  Network up = net, down = net;                   // one number against a central difference
  up.w[1][2] += 1e-5, down.w[1][2] -= 1e-5;
  const double difference = (loss(up, data) - loss(down, data)) / 2e-5;
  std::printf("by w[1][2]: %.10f, central difference %.10f\n", slope.w[1][2], difference);
  expect(std::fabs(slope.w[1][2] - difference) < 1e-8, "the gradient");

  Network speed{}, scale{};
  double last = start;
  for (int round = 1; round <= 600; ++round) {    // Adam
    const auto [value, g] = gradient(net, data);
    last = value;
    if (round % 100 == 1) std::printf("round %3d: loss %.4f\n", round, value);
    each(speed, g, [](double& v, double d) { v = 0.9 * v + 0.1 * d; });
    each(scale, g, [](double& v, double d) { v = 0.999 * v + 0.001 * d * d; });
    const double fast = 1 - std::pow(0.9, round), slow = 1 - std::pow(0.999, round);
    Network by = speed;
    each(by, scale, [&](double& v, double s) { v = 0.02 * (v / fast) / (std::sqrt(s / slow) + 1e-8); });
    each(net, by, [](double& p, double d) { p -= d; });
  }
  int right = 0;
  for (std::size_t k = 0; k < samples; ++k) right += answer(net, data.x[k], data.y[k]) * data.side[k] > 0;
  std::printf("round 600: loss %.4f, %d of %zu on the right side\n", last, right, samples);
  expect(last < 0.1 && right == int(samples), "what it learned");
  return failures == 0 ? 0 : 1;
} catch (const std::exception& e) {                // the layer has no solution
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
