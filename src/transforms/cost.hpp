// SPDX-License-Identifier: Apache-2.0
//
// What code costs to run, guessed from its text: the op table's costs, 40 turns for a loop whose number of turns is unknown.
#pragma once

#include "ir/ops.hpp"

#include <set>

namespace tlaloc::ir {

/// `far`: buffers whose elements are read once, long after they were written: an access costs twice.
double cost(const Block&, const std::set<const Value*>& far = {});

}  // namespace tlaloc::ir
