// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/array.hpp"

namespace tlaloc::data {

/// "[[1, 2.5], [3, nan]]": numbers as they read back to the same bits. Of an axis with more than 2 * edge extents only the
/// first and last `edge` are shown when the array has more than `limit` elements.
std::string to_text(const ir::Array&, std::size_t limit = 1000, std::int64_t edge = 3);

}  // namespace tlaloc::data
