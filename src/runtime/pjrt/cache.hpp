// SPDX-License-Identifier: Apache-2.0
//
// Executables on disk, so that a program is compiled once per machine. An entry is found by the SHA-256 of all that it
// depends on: the program, the options, the plugin's file and version, the processor. It holds machine code, so the
// folder must belong to the user and be writable by nobody else (UNSAFE_CACHE). A damaged entry counts as absent.
#pragma once

#include "runtime/pjrt/client.hpp"

#include <optional>

namespace tlaloc::runtime::pjrt {

class Cache {
 public:
  explicit Cache(std::filesystem::path folder, Where = Where::current());
  /// From disk, or compiled and stored. Throws the plugin's error if it cannot serialize.
  Executable compile(const Client&, std::string_view module, const CompileOptions& = {}, Where = Where::current());
  int hits = 0, misses = 0;

 private:
  std::optional<std::string> read(const std::filesystem::path&) const;
  void write(const std::filesystem::path&, const std::string& bytes, Where) const;
  std::filesystem::path folder_;
};

}  // namespace tlaloc::runtime::pjrt
