// SPDX-License-Identifier: Apache-2.0
//
// Reverse mode without a tape: from a function to the function that computes its cotangents.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

struct ReverseOptions {
  std::vector<int> wanted;     // parameters to differentiate: a real scalar gives one more result, a real buffer gets a shadow
  bool value = false;          // also give f's own results, first, and leave its mutable buffers as f does
  bool seeds = false;          // each real result's cotangent is a parameter; else f has one real result, seeded with 1
};

/// Parameters: those of f, then the seeds `d_<result>`, then one shadow buffer `d_<param>` per wanted buffer, in order.
/// Results: f's (when `value`), then `d_<param>` of each wanted scalar, in order.
/// A shadow is added to, never cleared: for a buffer that f writes it holds the cotangent of the final contents at entry
/// and that of the initial contents at exit. Without `value` the final contents of buffers that f writes before it reads
/// them are unspecified. Throws Refusal NOT_DIFFERENTIABLE at the op that has no derivative, or that stores a
/// differentiated value into a parameter without a shadow. Functions that g calls are added to the program.
Function reverse(Program&, const Function& f, const ReverseOptions&, std::string name);

}  // namespace tlaloc::ir
