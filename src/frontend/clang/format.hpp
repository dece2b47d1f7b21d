// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tlaloc::frontend {

/// Generated C++ as clang-format's library lays it out: LLVM style, 100 columns, order of includes kept.
std::string formatted(std::string text);

}  // namespace tlaloc::frontend
