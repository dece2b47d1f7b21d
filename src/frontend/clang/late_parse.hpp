// SPDX-License-Identifier: Apache-2.0
//
// Parses text as if it stood at the end of the translation unit, with the unit's own parser.
#pragma once

#include "frontend/clang/pch.hpp"

namespace tlaloc::frontend {

/// False when the text does not compile; Clang has then reported why. `access_control` false lets it name private members.
/// Macros of the user's own code, FP pragmas, packing and warning options that are in force there do not touch the text.
bool late_parse(clang::Sema&, const std::string& text, bool access_control = true);

/// The text, wrapped so that no macro of the user's rewrites a word of it.
std::string guard_macros(clang::Preprocessor&, const std::string& text);

}  // namespace tlaloc::frontend
