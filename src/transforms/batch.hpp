// SPDX-License-Identifier: Apache-2.0
//
// Vectorised map of a functional program over a new axis, by the batching rules of the op table. What does not depend on a
// batched argument is computed once. Control flow that a batched value decides: both branches of an `if` are computed and
// selected; a loop runs until the last example is done, the others keep what they have.
// Refused (VMAP_NO_BATCHING_RULE): buffers, effects, ops whose record says so.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

struct BatchOptions {
  std::vector<int> in_axes;                       // for each parameter where its new axis stands, or -1 for none
  std::vector<int> out_axes = {};                 // of the results; empty: in front
  std::int64_t extent = -1;                       // of the new axis: a number or a symbol (extent.hpp)
};
Function batch(Program&, const Function&, const BatchOptions&, std::string name);

}  // namespace tlaloc::ir
