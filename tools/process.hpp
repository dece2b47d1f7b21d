// SPDX-License-Identifier: Apache-2.0
//
// Other programs: run and waited for, or taken the place of.
#pragma once

#include <string>
#include <vector>

namespace tlaloc::tools {

using Command = std::vector<std::string>;

/// A mistake of the caller's or of the machine's set-up; main() prints it and exits with 2.
struct UsageError {
  std::string text;
};

/// Runs a command with our own streams. Its exit status; 128 + the signal that ended it. Throws UsageError when it cannot start.
int run(const Command&);
/// What a command writes to standard output. Throws UsageError when it cannot start or fails.
std::string output_of(const Command&);
/// Replaces this program by the command. Returns only by UsageError.
[[noreturn]] void become(const Command&);

}  // namespace tlaloc::tools
