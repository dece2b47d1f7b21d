// SPDX-License-Identifier: Apache-2.0
//
// Other tools on the same primals. Each is compiled when it is asked for, with the compiler and flags of our own derivatives,
// into a library that is loaded; JAX runs in a process of its own.
#pragma once

#include "problem.hpp"

namespace bench {

struct Peer {
  std::string name;
  std::string absent;               // why it is not here; empty where it is
  std::vector<Problem> problems;    // its derivatives are `ours`
};
/// Headers are looked for in the folders; Clad and Enzyme are the plugins that CLAD_PLUGIN and ENZYME_PLUGIN name, which
/// CLAD_CXX and ENZYME_CXX compile with.
std::vector<Peer> compiled_peers(const std::vector<std::string>& include_folders);

/// Why JAX cannot run; empty where it can.
std::string jax_absent(const std::string& python);
/// Its gradient of a problem: a line of JSON, see peers/jax_peer.py; empty when it failed.
std::string jax_gradient(const std::string& python, const std::string& problem);

}  // namespace bench
