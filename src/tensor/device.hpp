// SPDX-License-Identifier: Apache-2.0
//
// Programs on devices, by PJRT plugins.
#pragma once

#include "ir/array.hpp"

#include <string>

namespace tlaloc::dynamic {

/// What the module gives on the first device of the plugin at this path. A plugin is started once, a module compiled once
/// per process.
std::vector<ir::Array> run_on(const std::string& plugin, const std::string& stablehlo, std::span<const ir::Array>);

}  // namespace tlaloc::dynamic
