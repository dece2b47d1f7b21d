// SPDX-License-Identifier: Apache-2.0
//
// Reverse mode of functional programs: tensors and scalars, no buffers. The adjoint is a functional program again, which runs
// wherever the primal does. Values that the adjoint reads are those of the forward code where both stand in one block; inside
// a region they are computed again from what went into it. A loop with a constant trip count keeps what it carries, stacked
// along a new axis; of a loop whose trips only the run tells, the carried values of a turn are found by running it again.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

struct ReverseRequest;
/// True when the function, or one that it calls, has a tensor in it.
bool has_tensors(const Program&, const Function&);
/// As reverse() in reverse.hpp. Refused: buffers beside tensors, recursion.
Function reverse_functional(Program&, const Function&, const ReverseRequest&, std::string name);

}  // namespace tlaloc::ir
