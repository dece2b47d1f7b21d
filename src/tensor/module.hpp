// SPDX-License-Identifier: Apache-2.0
//
// From what a user says of a module, by axis names and positions, to what its printer takes. Refused: an input that cannot be
// donated, a name that the mesh lacks, an axis of the mesh used twice, an extent that it does not divide.
#pragma once

#include "backend/stablehlo/print.hpp"
#include "tensor/program.hpp"

namespace tlaloc {

ir::StableHloOptions module_options(const Program::Recorded&, const stablehlo_options&);

}  // namespace tlaloc
