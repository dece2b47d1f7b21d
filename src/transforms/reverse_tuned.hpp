// SPDX-License-Identifier: Apache-2.0
//
// Reverse mode with the choices made by the caller: for tests, which try every mode, and for measurements of what each
// means brings.
#pragma once

#include "transforms/reverse.hpp"

namespace tlaloc::ir {

struct ReverseTuning {
  std::function<bool(int)> replay;                // whether the n-th active loop, outer before inner, is replayed
  bool keep_expensive = true, expand = true, undo = true;
};
/// Throws Refusal REPLAY when the modes asked for do not fit the function.
Function reverse_tuned(Program&, const Function& f, const ReverseOptions&, const ReverseTuning&, std::string name);

}  // namespace tlaloc::ir
