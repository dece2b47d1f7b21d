// SPDX-License-Identifier: Apache-2.0
//
// The sums of adjoint code, where and in the order that a machine forms them fast. In: a function that reverse mode made,
// simplified. Out: the same, but for roundings of its adjoints.
// - `d[i] = 0; d[i] += x` is `d[i] = x`.
// - A loop of at most four turns within a loop is written out where it adds to elements that are the same in each turn of the
//   outer one, which then are the outer loop's sums.
// - What every turn of a loop adds to one element is summed in a value and added once after the loop, when the loop touches
//   that element in no other way.
// - A nested loop that only sums does so in four lanes, which are added at the end; they are written out, so that every
//   compiler rounds alike. Values that are no adjoints keep their bits.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

void place_sums(const Program&, Function&);

}  // namespace tlaloc::ir
