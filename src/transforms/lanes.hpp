// SPDX-License-Identifier: Apache-2.0
//
// Several tangents (or cotangents) at a time.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

struct NotLinear : Error { using Error::Error; };

/// f with `lanes` numbers in place of each one that depends on the parameters `wide` (real scalars and buffers), which must
/// enter linearly, as tangents and cotangents do: no test may depend on them.
/// Parameters: those of f, where a wide scalar becomes a buffer of `lanes` numbers and a wide buffer holds element i's at
/// i * lanes and on; then for each real result a buffer of `lanes` numbers to write it to. Results: none but integers.
/// Throws NotLinear where one does, as only the rules that users write can make it.
/// What does not depend on `wide` is computed once, and the rest in loops over the lanes, which compilers vectorise.
Function widen(Program&, const Function& f, const std::vector<int>& wide, int lanes, std::string name);

}  // namespace tlaloc::ir
