// SPDX-License-Identifier: Apache-2.0
//
// A recorded program. Its function takes the inputs, then what f captured of an outer trace.
#pragma once

#include "tlaloc/trace.hpp"

#include "tensor/node.hpp"

namespace tlaloc {

struct Program::Recorded {
  ir::Program program;
  ir::Function* function = nullptr;               // in `program`
  std::vector<detail::sig> inputs, outputs;       // with all extents: what arguments are checked against, and the names of results
  std::vector<AnyTensor> captured;
};

}  // namespace tlaloc
