// SPDX-License-Identifier: Apache-2.0
//
// StableHLO text as a program: what JAX exports and what backend/stablehlo prints. Reductions, windows and sorts may have any
// body that is made of elementwise operations. Refused by name and line (ir::Refusal): MALFORMED_PROGRAM for text that is
// none or does not fit together, NOT_LOWERABLE for operations, types and extents that programs here do not have.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc {

/// The functions keep their names; the public one is `main` in most modules. `file` stands in messages.
ir::Program read_stablehlo(std::string_view text, std::string_view file = "program.mlir");

}  // namespace tlaloc
