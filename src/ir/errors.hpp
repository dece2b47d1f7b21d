// SPDX-License-Identifier: Apache-2.0
//
// The table of error codes: what the plugin reports while compiling, and what operations on tensors
// throw while running.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tlaloc::ir {

struct ErrorCode { std::string_view code, meaning, way_out; };

std::span<const ErrorCode> error_codes();
const ErrorCode* find_error(std::string_view code);
std::string error_reference();                    // docs/errors.md

/// A code of the table: another text does not compile.
struct Code {
  const char* text;
  consteval Code(const char* code) : text(code) {
    constexpr std::string_view known[] = {
#define ERROR(code, meaning, way_out) #code,
#include "ir/errors.def"
#undef ERROR
    };
    bool found = false;
    for (auto k : known)
      found |= k == code;
    if (!found)
      throw "the table of errors has no such code";
  }
};

} // namespace tlaloc::ir
