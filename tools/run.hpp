// SPDX-License-Identifier: Apache-2.0
//
// tlaloc run: a program in StableHLO, with arrays from files, on a device.
#pragma once

#include <string>
#include <vector>

namespace tlaloc::tools {

struct RunOptions {
  std::string program;
  std::vector<std::string> inputs, outputs;
  std::string device;                             // the path of a PJRT plugin; empty: the interpreter
  std::string cache;                              // a folder for executables
};

/// The exit code. Throws UsageError, and ir::Error for what is wrong with the program or a file.
int run_program(const RunOptions&);

/// What a file holds: arrays, a program or a PJRT plugin.
int inspect(const std::string& file);

}  // namespace tlaloc::tools
