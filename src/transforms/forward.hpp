// SPDX-License-Identifier: Apache-2.0
//
// Forward mode: tangents beside values.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

struct ForwardOptions {
  std::vector<int> wanted;     // parameters that have a tangent: a real scalar one more parameter, a real buffer a shadow
  bool value = false;          // also give f's own results, first
  bool sets = false;           // a tangent is a set of numbers, as the bits of a whole f64 below 2^53: that of a value is the union of
                               // those that it depends on
};

/// Parameters: those of f, then `d_<param>` of each wanted one in order (a scalar, or a shadow buffer).
/// Results: f's (when `value`), then the tangent `d_<result>` of each real result.
/// The shadow of a buffer that f writes is written along with it. Refusals as in reverse.hpp.
Function forward(Program&, const Function& f, const ForwardOptions&, std::string name);

}  // namespace tlaloc::ir
