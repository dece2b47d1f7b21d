// SPDX-License-Identifier: Apache-2.0
//
// Other programs: run and waited for, or taken the place of.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tlaloc::runtime {

using Command = std::vector<std::string>;

struct ProcessError : std::runtime_error { using runtime_error::runtime_error; };

/// How a program ended.
struct Ended {
  int code = 0, signal = 0;                       // of its exit, or what stopped it
  int status() const { return signal ? 128 + signal : code; }
};
/// Runs a command with our own streams, or with what it prints in the file `log`. Throws ProcessError when it cannot start.
Ended run(const Command&, const std::filesystem::path& log = {});
/// What a command writes to standard output. Throws ProcessError when it cannot start or fails.
std::string output_of(const Command&);
/// Replaces this program by the command. Returns only by ProcessError.
[[noreturn]] void become(const Command&);

}  // namespace tlaloc::runtime
