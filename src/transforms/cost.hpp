// SPDX-License-Identifier: Apache-2.0
//
// What code costs to run, guessed from its text: the op table's costs, 40 turns for a loop whose number of turns is unknown.
#pragma once

#include "ir/ops.hpp"

namespace tlaloc::ir {

/// `far`: by how much an access costs more for buffers that are large and read long after they were written.
double cost(const Block&, const std::map<const Value*, double>& far = {});

/// About how many elements the function's local buffers hold.
double words(const Function&);

}  // namespace tlaloc::ir
