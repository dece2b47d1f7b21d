// SPDX-License-Identifier: Apache-2.0
//
// Finds the rates of a predator-prey model from noisy counts. The model is an ordinary function that calls an adaptive ODE
// solver; its Jacobian goes through the solver's steps and serves the method of Levenberg and Marquardt.
//
//   fitted-ode [fit.svg]      draws the counts, the first guess and the fit
#include <tlaloc/ode.hpp>

#include <array>
#include <cmath>
#include <cstdio>

constexpr std::size_t days = 20, unknowns = 6;
constexpr double day = 0.75;
using State = std::array<double, 2>;              // prey, predators
using Rates = std::array<double, unknowns>;       // birth, death by predators, growth by prey, starvation; both at the start
using Counts = std::array<double, 2 * days>;

State field(const Rates& r, const State& s) { return {r[0] * s[0] - r[1] * s[0] * s[1], r[2] * s[0] * s[1] - r[3] * s[1]}; }

/// What the model expects to count each day.
Counts expected(const Rates& r) {
  Counts out{};
  State s{r[4], r[5]};
  for (std::size_t k = 0; k < days; ++k) {
    s = tlaloc::ode::dopri5([&](double, const State& at) { return field(r, at); }, s, 0.0, day);
    out[2 * k] = s[0];
    out[2 * k + 1] = s[1];
  }
  return out;
}

double misfit(const Rates& r, const Counts& counts) {
  const Counts e = expected(r);
  double s = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) s += (e[i] - counts[i]) * (e[i] - counts[i]);
  return s;
}

/// Solves (A + damping diag A) x = b; A is symmetric and positive.
Rates solve(std::array<Rates, unknowns> a, Rates b, double damping) {
  for (std::size_t i = 0; i < unknowns; ++i) a[i][i] *= 1 + damping;
  for (std::size_t k = 0; k < unknowns; ++k)
    for (std::size_t i = k + 1; i < unknowns; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < unknowns; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  for (std::size_t i = unknowns; i-- > 0;) {
    for (std::size_t j = i + 1; j < unknowns; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

bool draw(const char* file, const Counts& counts, const Rates& first, const Rates& last) {
  std::FILE* svg = std::fopen(file, "w");
  if (!svg) return false;
  const auto px = [](double t) { return 30 + 34 * t; };
  const auto py = [](double n) { return 310 - 8 * n; };
  std::fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"570\" height=\"330\">\n"
                    "<rect width=\"570\" height=\"330\" fill=\"white\"/>\n"
                    "<line x1=\"30\" y1=\"%g\" x2=\"560\" y2=\"%g\" stroke=\"#888\"/>\n", py(0), py(0));
  const auto curve = [&](const Rates& r, std::size_t which, const char* style) {
    std::fprintf(svg, "<polyline fill=\"none\" %s points=\"", style);
    State s{r[4], r[5]};
    for (int k = 0; k <= 150; ++k) {
      std::fprintf(svg, "%.1f,%.1f ", px(0.1 * k), py(s[which]));
      s = tlaloc::ode::dopri5([&](double, const State& at) { return field(r, at); }, s, 0.0, 0.1);
    }
    std::fprintf(svg, "\"/>\n");
  };
  curve(first, 0, "stroke=\"#9bd\" stroke-dasharray=\"4\"");
  curve(first, 1, "stroke=\"#e9a\" stroke-dasharray=\"4\"");
  curve(last, 0, "stroke=\"#06a\" stroke-width=\"2\"");
  curve(last, 1, "stroke=\"#b03\" stroke-width=\"2\"");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t days = i / 2 + 1;
    std::fprintf(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px(day * double(days)), py(counts[i]), i % 2 ? "#b03" : "#06a");
  }
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
  const Rates truth{1.0, 0.1, 0.06, 1.2, 18, 8}, first{0.8, 0.07, 0.05, 1.0, 15, 10};
  Counts counts = expected(truth);
  unsigned state = 1;                             // noise of about 0.3 animals, the same everywhere
  for (double& c : counts) {
    double noise = 0;
    for (int i = 0; i < 4; ++i) state = state * 1103515245u + 12345u, noise += double(state >> 8 & 0xffff) / 65536 - 0.5;
    c += 0.5 * noise;
  }

  const auto jacobian = tlaloc::jacfwd(expected);
  const auto slopes = jacobian(first);
  double worst = 0, largest = 0;
  for (std::size_t j = 0; j < unknowns; ++j) {    // against central differences
    Rates up = first, down = first;
    up[j] += 1e-5, down[j] -= 1e-5;
    const Counts above = expected(up), below = expected(down);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      worst = std::fmax(worst, std::fabs(slopes[i][j] - (above[i] - below[i]) / 2e-5));
      largest = std::fmax(largest, std::fabs(slopes[i][j]));
    }
  }
  std::printf("Jacobian: 40 by 6, numbers up to %.0f, at most %.1g from central differences\n\n", largest, worst);
  expect(worst < 1e-4 * largest, "the Jacobian");

  Rates r = first;
  double best = misfit(r, counts), damping = 1e-2;
  bool settled = false;
  for (int round = 0; round < 40 && damping < 1e6 && !settled; ++round) {
    const Counts e = expected(r);
    const auto d = jacobian(r);
    std::array<Rates, unknowns> normal{};
    Rates right{};
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t j = 0; j < unknowns; ++j) {
        right[j] += d[i][j] * (counts[i] - e[i]);
        for (std::size_t k = 0; k < unknowns; ++k) normal[j][k] += d[i][j] * d[i][k];
      }
    const Rates by = solve(normal, right, damping);
    Rates next = r;
    for (std::size_t j = 0; j < unknowns; ++j) next[j] += by[j];
    const double there = misfit(next, counts);
    if (there < best) {
      settled = best - there < 1e-10 * best;
      std::printf("round %2d: misfit %.4f\n", round, there);
      r = next, best = there, damping /= 10;
    } else {
      damping *= 10;
    }
  }
  const char* names[unknowns] = {"birth", "death", "growth", "starvation", "prey at the start", "predators at the start"};
  std::printf("\n%-24s %8s %8s %8s\n", "", "guess", "fit", "truth");
  for (std::size_t j = 0; j < unknowns; ++j) std::printf("%-24s %8.3f %8.3f %8.3f\n", names[j], first[j], r[j], truth[j]);
  expect(best < misfit(truth, counts), "the fit must be better than the truth, which knows nothing of the noise");
  for (std::size_t j = 0; j < unknowns; ++j) expect(std::fabs(r[j] - truth[j]) < 0.1 * truth[j], names[j]);
  if (argc > 1) expect(draw(argv[1], counts, first, r), "cannot write the picture");
  return failures == 0 ? 0 : 1;
}
