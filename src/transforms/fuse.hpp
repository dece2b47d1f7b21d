// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring loops of adjoint code over the same range become one, so that what one turn leaves in memory the next reads from
// a register. In: a function that reverse mode made, simplified. Out: the same, bit for bit. Two loops are joined when they
// count alike, the second reads no result of the first, what stands between them has nothing to do with the first, and no
// turn of the second touches an element that a later turn of the first touches, one of them writing.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

void fuse_loops(const Program&, Function&);

}  // namespace tlaloc::ir
