// SPDX-License-Identifier: Apache-2.0
#include "ir/errors.hpp"

namespace tlaloc::ir {

std::span<const ErrorCode> error_codes() {
  static constexpr ErrorCode table[] = {
#define ERROR(code, meaning, way_out) {#code, meaning, way_out},
#include "ir/errors.def"
#undef ERROR
  };
  return table;
}

const ErrorCode* find_error(std::string_view code) {
  for (auto& e : error_codes())
    if (e.code == code) return &e;
  return nullptr;
}

std::string error_reference() {
  std::string out = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Errors\n\n"
                    "Every error has a stable code. While a file is compiled it stands at your own statement, followed by the chain of calls "
                    "and the place of\nthe request; while a program runs, operations on tensors "
                    "throw it as the `code()` of a "
                    "`tlaloc::tensor_error`.\nThis page is made from `src/ir/errors.def`.\n";
  for (auto& e : error_codes()) {
    out += "\n## " + std::string(e.code) + "\n" + std::string(e.meaning) + "\n";
    if (!e.way_out.empty()) out += "\nWay out: " + std::string(e.way_out) + ".\n";
  }
  return out;
}

}  // namespace tlaloc::ir
