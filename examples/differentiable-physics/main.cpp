// SPDX-License-Identifier: Apache-2.0
//
// Learns to throw a ball through a hoop. The simulator is 38 steps of ordinary C++ with a loop and a helper that changes
// its arguments; gradient descent goes through it. The derivative keeps the loop: its size does not grow with the steps.
//
//   differentiable-physics [shots.svg]      draws the first and the last shot
#include <tlaloc/ad.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

constexpr int steps = 38;
constexpr double dt = 0.025, gravity = 9.81, drag = 0.24;
constexpr double hand_x = 0, hand_y = 2, hoop_x = 4.6, hoop_y = 3.05;

void step(double& x, double& y, double& vx, double& vy) {
  vx -= drag * vx * dt;
  vy -= (gravity + drag * vy) * dt;
  x += vx * dt;
  y += vy * dt;
}

/// Squared distance to the hoop at the end of the flight.
double miss(double angle, double speed) {
  double x = hand_x, y = hand_y;
  double vx = speed * std::cos(angle), vy = speed * std::sin(angle);
  for (int i = 0; i < steps; ++i) step(x, y, vx, vy);
  return (x - hoop_x) * (x - hoop_x) + (y - hoop_y) * (y - hoop_y);
}

struct Shot {
  double angle, speed;
};

using Flight = std::array<std::array<double, 2>, steps + 1>;
Flight fly(Shot shot) {
  double x = hand_x, y = hand_y;
  double vx = shot.speed * std::cos(shot.angle), vy = shot.speed * std::sin(shot.angle);
  Flight path{{{x, y}}};
  for (int i = 0; i < steps; ++i) {
    step(x, y, vx, vy);
    path[static_cast<std::size_t>(i) + 1] = {x, y};
  }
  return path;
}

bool draw(const char* file, Shot first, Shot last) {
  std::FILE* svg = std::fopen(file, "w");
  if (!svg) return false;
  const auto px = [](double x) { return 40 + 100 * x; };
  const auto py = [](double y) { return 420 - 100 * y; };
  std::fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"440\">\n"
                    "<rect width=\"560\" height=\"440\" fill=\"white\"/>\n"
                    "<line x1=\"0\" y1=\"%g\" x2=\"560\" y2=\"%g\" stroke=\"#888\"/>\n", py(0), py(0));
  const auto path = [&](Shot shot, const char* colour) {
    std::fprintf(svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"3\" points=\"", colour);
    for (const auto& [x, y] : fly(shot)) std::fprintf(svg, "%.1f,%.1f ", px(x), py(y));
    std::fprintf(svg, "\"/>\n");
  };
  path(first, "#c66");
  path(last, "#393");
  std::fprintf(svg, "<ellipse cx=\"%g\" cy=\"%g\" rx=\"23\" ry=\"5\" fill=\"none\" stroke=\"#e70\" stroke-width=\"4\"/>\n</svg>\n", px(hoop_x), py(hoop_y));
  return std::fclose(svg) == 0;
}

int failures = 0;
void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("WRONG: %s\n", what);
    ++failures;
  }
}

void report(const char* name, Shot shot) {
  std::printf("%-10s %.2f degrees, %.3f m/s, misses by %.4f m\n", name, shot.angle * 180 / M_PI, shot.speed, std::sqrt(miss(shot.angle, shot.speed)));
}

int main(int argc, char** argv) {
  auto d_miss = tlaloc::grad(miss);

  // The gradient against central differences.
  const Shot first{0.62, 6.4};
  const auto [by_angle, by_speed] = d_miss(first.angle, first.speed);
  const double h = 1e-5;
  const double angle_difference = (miss(first.angle + h, first.speed) - miss(first.angle - h, first.speed)) / (2 * h);
  const double speed_difference = (miss(first.angle, first.speed + h) - miss(first.angle, first.speed - h)) / (2 * h);
  std::printf("gradient    %.9f by angle, %.9f by speed\n", by_angle, by_speed);
  std::printf("differences %.9f by angle, %.9f by speed\n\n", angle_difference, speed_difference);
  expect(std::fabs(by_angle - angle_difference) < 1e-7 && std::fabs(by_speed - speed_difference) < 1e-7, "the gradient");

  // Practice.
  Shot shot = first;
  for (int attempt = 0; attempt < 240; ++attempt) {
    const auto [d_angle, d_speed] = d_miss(shot.angle, shot.speed);
    shot.angle -= 0.01 * d_angle;
    shot.speed -= 0.1 * d_speed;
  }
  report("first shot", first);
  report("last shot", shot);
  expect(std::fabs(std::sqrt(miss(first.angle, first.speed)) - 2.1346) < 1e-4, "the first shot");
  expect(miss(shot.angle, shot.speed) < 1e-12, "the last shot must hit");
  expect(std::fabs(shot.angle * 180 / M_PI - 48.91) < 0.01 && std::fabs(shot.speed - 8.266) < 0.001, "where the practice ends");

  // What the compiler made of it.
  const std::string_view source = d_miss.source();
  long lines = 0;
  for (char c : source) lines += c == '\n';
  std::printf("\nThe derivative has %ld lines for %d steps:\n\n%.*s\n", lines, steps, static_cast<int>(source.size()), source.data());
  expect(source.find("for (") != source.npos || source.find("while (") != source.npos, "the derivative keeps the loop");
  expect(lines > 5 && lines < 150, "the size of the derivative");

  if (argc > 1) expect(draw(argv[1], first, shot), "cannot write the picture");
  return failures == 0 ? 0 : 1;
}
