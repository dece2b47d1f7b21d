// SPDX-License-Identifier: Apache-2.0
//
// A function, its gradient, the gradient's source, and a check against finite differences.
#include <tlaloc/ad.hpp>

#include <cmath>
#include <cstdio>
#include <string_view>

// Squared distance, after `steps` steps with drag, between a ball thrown at speed (vx, vy) and the point (8, 1).
double miss(double vx, double vy, int steps) {
  const double dt = 0.05;
  double x = 0, y = 0;
  for (int i = 0; i < steps; ++i) {
    const double drag = 0.1 * std::sqrt(vx * vx + vy * vy);
    vx -= drag * vx * dt;
    vy -= (9.81 + drag * vy) * dt;
    x += vx * dt;
    y += vy * dt;
  }
  return (x - 8) * (x - 8) + (y - 1) * (y - 1);
}

int main() {
  auto d_miss = tlaloc::grad(miss);
  const double vx = 9, vy = 7;
  const int steps = 24;

  const auto [d_vx, d_vy] = d_miss(vx, vy, steps);
  std::printf("miss(%g, %g) = %.6f\n", vx, vy, miss(vx, vy, steps));
  std::printf("gradient     = (%.9f, %.9f)\n", d_vx, d_vy);

  const double h = 1e-5;
  const double by_vx = (miss(vx + h, vy, steps) - miss(vx - h, vy, steps)) / (2 * h);
  const double by_vy = (miss(vx, vy + h, steps) - miss(vx, vy - h, steps)) / (2 * h);
  std::printf("differences  = (%.9f, %.9f)\n", by_vx, by_vy);

  const std::string_view source = d_miss.source();
  std::printf("\nThe gradient is this code:\n\n%.*s\n", static_cast<int>(source.size()), source.data());

  const bool good = std::fabs(d_vx - by_vx) < 1e-6 && std::fabs(d_vy - by_vy) < 1e-6;
  std::puts(good ? "The gradient agrees with finite differences." : "MISMATCH with finite differences.");
  return good && !source.empty() ? 0 : 1;
}
