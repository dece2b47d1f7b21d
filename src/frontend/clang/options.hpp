// SPDX-License-Identifier: Apache-2.0
//
// The plugin's options: -fplugin-arg-tlaloc-<option>.
#pragma once

#include <string>

namespace tlaloc::frontend {

struct Options {
  std::string print;                              // print=DIR: write the derivatives to DIR/<source>.tlaloc.hpp
  std::string root;                               // root=DIR: a source inside DIR is named relative to it
  std::string generate;                           // generate=FILE: write FILE, which another compiler compiles in place of the source
  bool time = false;                              // time: the CPU time of the plugin itself, on standard error
  bool dump_ir = false;                           // dump=ir: each function lowered or derived, on standard error
};

/// Reads one option. Empty on success, else what is wrong with it.
std::string read_option(Options&, const std::string& text);

/// The path of a source as readers of the printed text know it: relative, with / between its parts, the same in every build
/// folder. `given` is as on the command line.
std::string source_name(const std::string& given, const std::string& root);

}  // namespace tlaloc::frontend
