// SPDX-License-Identifier: Apache-2.0
//
// A functional program (no buffers, no outputs) as a StableHLO module. The text depends on the program alone. Functions that
// it calls follow as private ones; `for` becomes a while, `if` stays.
// Symbolic extents are `?`, and what depends on them is computed from the extents of the parameters.
// Refused, by the name of the op: what StableHLO has no word for, and buffers.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// How a tensor lies on a mesh of devices: for each axis the axis of the mesh over which it is spread, or an empty name.
using Sharding = std::vector<std::string>;
struct StableHloOptions {
  std::string function = "main";                  // the name of the public function
  std::vector<std::pair<int, int>> donated = {};  // (parameter, result): the result may reuse the parameter's memory
  std::vector<std::pair<std::string, std::int64_t>> mesh = {};   // of devices: its axes and how many stand along each
  std::vector<Sharding> parameters = {}, results = {};           // on the mesh, in the Shardy dialect
};
std::string stablehlo(const Program&, const Function&, const StableHloOptions& = {});

/// tensor<3x?xf32>
std::string stablehlo_type(const Type&);

}  // namespace tlaloc::ir
