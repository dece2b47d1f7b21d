// SPDX-License-Identifier: Apache-2.0
//
// OpenMP loops against central differences. This file is compiled twice: with -fopenmp, and
// without, where the directives mean nothing. Sums of a team of threads are rounded in another
// order than ours.
#include "differences.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace {

constexpr double rounding = 1e-13;

double summed(double x, double y) {
  std::vector<double> a(50);
  double s = 0.5, most = y, product = 1;
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 0; i < 50; ++i)
    a[i] = std::sin(x * i) * y;
#pragma omp parallel for reduction(+ : s) reduction(max : most) reduction(* : product)
  for (int i = 0; i < 50; ++i) {
    s += a[i] * a[i] * x;
    most = std::max(most, a[i]);
    product *= 1 + 0.01 * a[i];
  }
  return s * most + product;
}
double with_scratch(double x, double y) {
  double t = 3, shift = x * y, last = 0;
  double work[2] = {};
  std::vector<double> out(8);
#pragma omp parallel for private(t, work) firstprivate(shift) lastprivate(last) schedule(static, 2)
  for (int i = 0; i < 8; ++i) {
    t = x * i;
    work[0] = t * t, work[1] = y * t;
    shift = shift * 1.0;
    out[i] = work[0] + work[1] * shift;
    last = out[i] * x;
  }
  double s = t + work[0];
  for (const double v : out)
    s += v;
  return s * last;
}
double region(double x, double y) {
  double total = 0;
  std::array<double, 4> bins{};
#pragma omp parallel default(shared)
  {
    std::array<double, 4> own{};
#pragma omp for nowait
    for (int i = 0; i < 20; ++i)
      own[i % 4] += std::exp(-x * i) * y;
#pragma omp critical
    for (int k = 0; k < 4; ++k)
      bins[k] += own[k];
#pragma omp barrier
#pragma omp single
    bins[0] *= x;
  }
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double v = bins[i] * bins[j] * (i + 1);
#pragma omp atomic
      total += v;
    }
#pragma omp simd reduction(+ : total)
  for (int i = 0; i < 4; ++i)
    total += bins[i] * y;
  return total;
}
double histogram(double x, double y) {
  double bins[3] = {};
#pragma omp parallel for reduction(+ : bins[ : 3])
  for (int i = 0; i < 12; ++i)
    bins[i % 3] += x * i + y * y;
  return bins[0] * bins[1] + bins[2];
}
double sections(double x, double y) {
  double a = 0, b = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = std::cos(x) * y;
#pragma omp section
    b = x * x + y;
  }
  return a * b;
}

TEST(OpenMP, Reductions) {
  differentiates<summed>(rounding);
  differentiates<histogram>(rounding);
}
TEST(OpenMP, DataOfEachThread) { differentiates<with_scratch>(rounding); }
TEST(OpenMP, Regions) {
  differentiates<region>(rounding);
  differentiates<sections>(rounding);
}

} // namespace

int main() { return check::run(); }
