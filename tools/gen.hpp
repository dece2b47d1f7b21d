// SPDX-License-Identifier: Apache-2.0
//
// tlaloc gen: the derivatives of a source file as C++ for a compiler that the plugin does not run in. Clang reads the source
// with the plugin and writes a file that includes the source and adds its derivatives; that file is compiled in its place.
#pragma once

#include "runtime/process.hpp"
#include "usage.hpp"

namespace tlaloc::tools {

struct GenOptions {
  std::string output, depfile;                    // without `launch`
  std::string clang;                              // empty: that of the newest plugin
  std::string root, print;                        // as the plugin's options
  std::string source;
  std::vector<std::string> command;               // after --: the flags of the source's compiler
  bool launch = false;                            // ... its whole command, which is run too
};

/// The exit code. Throws UsageError.
int gen(const GenOptions&);

/// What of a compiler's flags tells how the source reads: definitions, folders, language. The others have names that differ
/// from compiler to compiler, and no meaning here. Throws UsageError for what cannot be followed.
std::vector<std::string> flags_for_reading(const std::vector<std::string>& flags);

}  // namespace tlaloc::tools
