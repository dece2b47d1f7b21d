// SPDX-License-Identifier: Apache-2.0
//
// A gradient three ways: as the plugin compiled it, as another compiler without the plugin compiled the printed text, and
// by finite differences. The first two must agree to the last bit.
#include "swish.hpp"

#include <tlaloc/ad.hpp>

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

double softplus(double x) { return std::log(1 + std::exp(x)); }
double swish(double x) { return x / (1 + std::exp(-x)) / std::sqrt(1 + softplus(x)); }

auto d_swish = tlaloc::grad(swish);
double compiled_gradient(double x) { return d_swish(x); }

int main() {
  const std::string_view source = d_swish.source();
  std::printf("%.*s\n", static_cast<int>(source.size()), source.data());

  int failures = 0;
  double worst = 0;
  std::puts("     x  compiled in        printed text       difference quotient");
  for (double point : {-3.0, -1.0, -0.25, 0.0, 0.5, 1.75, 4.0}) {
    volatile double hidden = point;  // computed when the program runs, by both
    const double x = hidden, h = 1e-5;
    const double mine = compiled_gradient(x), printed = printed_gradient(x);
    const double quotient = (swish(x + h) - swish(x - h)) / (2 * h);
    std::printf("%6.2f  %016" PRIx64 "   %016" PRIx64 "   %.9f (%.9f)\n", x, std::bit_cast<std::uint64_t>(mine),
                std::bit_cast<std::uint64_t>(printed), quotient, mine);
    worst = std::fmax(worst, std::fabs(mine - quotient));
    if (std::bit_cast<std::uint64_t>(mine) != std::bit_cast<std::uint64_t>(printed)) ++failures;
  }
  std::printf("\nlargest distance to the difference quotient: %.3g\n", worst);
  const double at_zero = 0.5 / std::sqrt(1 + std::log(2.0));  // worked out by hand: 0.38425776
  if (!(worst < 1e-9) || std::fabs(compiled_gradient(0) - at_zero) > 1e-15 || source.empty()) ++failures;
  std::puts(failures == 0 ? "All points are bit-identical." : "WRONG");
  return failures == 0 ? 0 : 1;
}
