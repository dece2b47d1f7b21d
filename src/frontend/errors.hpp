// SPDX-License-Identifier: Apache-2.0
//
// The table of error codes. Sees no Clang.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tlaloc::frontend {

struct ErrorCode { std::string_view code, meaning, way_out; };

std::span<const ErrorCode> error_codes();
const ErrorCode* find_error(std::string_view code);
std::string error_reference();                    // docs/errors.md

}  // namespace tlaloc::frontend
