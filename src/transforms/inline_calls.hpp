// SPDX-License-Identifier: Apache-2.0
//
// Calls replaced by what they call.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// The function without calls: each is the body of its callee. Refused: recursion, functions with
/// derivatives of their own or defined elsewhere, and a callee that the program lacks.
Function inlined(const Program&, const Function&);

}  // namespace tlaloc::ir
