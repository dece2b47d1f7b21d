// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tlaloc::data {

/// SHA-256 in 64 hexadecimal digits.
std::string sha256(std::string_view);

}  // namespace tlaloc::data
