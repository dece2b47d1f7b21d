// SPDX-License-Identifier: Apache-2.0
//
// Two turns of a loop at once, where each turn is a loop that adds to the same elements: `y[i] += a[i, j] * x[j]` for all i, for
// all j. An element is then loaded and stored once for two additions, which come in the order that they had. In short
// triangular loops that is half of what vector code waits for: it loads elements that were just stored at another alignment.
// In: a function that reverse mode made, simplified. Out: the same, bit for bit. The outer loop must carry nothing and write
// nothing but these sums, and the inner one begin at most one turn later in each turn of the outer one.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// Whether there was such a loop.
bool jam_loops(const Program&, Function&);

}  // namespace tlaloc::ir
