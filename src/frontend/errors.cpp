// SPDX-License-Identifier: Apache-2.0
#include "frontend/errors.hpp"

namespace tlaloc::frontend {

std::span<const ErrorCode> error_codes() {
  static constexpr ErrorCode table[] = {
#define ERROR(code, meaning, way_out) {#code, meaning, way_out},
#include "frontend/errors.def"
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
                    "Every error has a stable code, stands at your own statement, and is followed by the chain of calls and the "
                    "place of the request.\nThis page is made from `src/frontend/errors.def`.\n";
  for (auto& e : error_codes()) {
    out += "\n## " + std::string(e.code) + "\n" + std::string(e.meaning) + "\n";
    if (!e.way_out.empty()) out += "\nWay out: " + std::string(e.way_out) + ".\n";
  }
  return out;
}

}  // namespace tlaloc::frontend
