// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlaloc/ad.hpp>

#include <cmath>

#include "check.hpp"

/// A derivative against a difference.
inline bool near(double got, double want, double tolerance = 1e-7) { return std::fabs(got - want) <= tolerance * (1 + std::fabs(want)); }

/// Both modes of F(x, y) against central differences, at points on each side of what the programs branch on. The value is F's to
/// the last bit, or within a tolerance.
template <auto F> void differentiates(double tolerance = 0) {
  const auto with_gradient = tlaloc::value_and_grad(tlaloc::fn<F>);
  const auto forward = tlaloc::jvp(tlaloc::fn<F>);
  const double points[][2] = {{0.7, 1.3}, {1.9, 0.4}, {-0.6, 2.1}};
  for (auto& [x, y] : points) {
    const double e = 1e-6;
    const double dx = (F(x + e, y) - F(x - e, y)) / (2 * e), dy = (F(x, y + e) - F(x, y - e)) / (2 * e);
    const auto [value, gradient] = with_gradient(x, y);
    EXPECT_TRUE(std::fabs(value - F(x, y)) <= tolerance * std::fabs(value));
    EXPECT_TRUE(near(std::get<0>(gradient), dx));
    EXPECT_TRUE(near(std::get<1>(gradient), dy));
    EXPECT_TRUE(near(forward(x, y, 1.0, 0.0), dx));
    EXPECT_TRUE(near(forward(x, y, 0.0, 1.0), dy));
  }
}
