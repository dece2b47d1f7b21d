// SPDX-License-Identifier: Apache-2.0
//
// What the programs here differentiate, and what they must get; names that two files share.
#pragma once

#include <tlaloc/ad.hpp>

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

inline int failures = 0;

/// A number of the run: its bits are printed, so that two builds can be compared.
inline void show(const char* what, double is, double should, double within = 1e-12) {
  std::printf("%-28s %016" PRIx64 " %.12g\n", what, std::bit_cast<std::uint64_t>(is), is);
  if (!(std::fabs(is - should) <= within * (1 + std::fabs(should)))) {
    std::printf("WRONG %s: is %.17g, should be %.17g\n", what, is, should);
    ++failures;
  }
}
void second_file();
