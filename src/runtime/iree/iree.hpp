// SPDX-License-Identifier: Apache-2.0
//
// IREE by its programs iree-compile and iree-run-module: modules of StableHLO are compiled to a file and their functions
// run by a child process, which is given arrays as files. For checking programs and for places where IREE is at home;
// a call costs a process.
#pragma once

#include "ir/array.hpp"

#include <filesystem>
#include <span>

namespace tlaloc::runtime::iree {

/// Code: TOOL_FAILED. The text ends with what the program said.
struct Error : ir::Error {
  explicit Error(const std::string& why) : ir::Error("TOOL_FAILED: " + why) {}
  static constexpr const char* code = "TOOL_FAILED";
};

struct Tools {
  std::filesystem::path compiler = "iree-compile", runner = "iree-run-module";   // as a shell finds them
  std::vector<std::string> compile_flags = {};    // after those that choose this machine's processor
};

/// A compiled module. Its file goes with the last copy.
class Module {
 public:
  Module(const Tools&, std::string_view stablehlo);
  /// Runs one function. The results' types are the caller's to know: the files of results hold only bytes.
  std::vector<ir::Array> run(std::string_view function, std::span<const ir::Array> arguments, const ir::Types& results) const;

 private:
  Tools tools_;
  std::shared_ptr<const std::filesystem::path> folder_;
};

}  // namespace tlaloc::runtime::iree
