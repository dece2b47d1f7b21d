// SPDX-License-Identifier: Apache-2.0
//
// Products and convolutions of f32 buffers by oneDNN. What it does not take (other dtypes, layouts, small sizes, where a loop is
// quicker than the call) is left to the table's kernel; both give the same up to rounding.
#pragma once

#include "ir/array.hpp"

#include <optional>

namespace tlaloc::dynamic {

std::optional<ir::Array> by_onednn(const ir::Kind&, std::span<const ir::Array>, const std::vector<ir::Attr>&);

}  // namespace tlaloc::dynamic
