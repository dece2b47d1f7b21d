// SPDX-License-Identifier: Apache-2.0
//
// What the shared library of a peer has: the problems that it differentiates, by name, with its derivative as `ours`.
#pragma once

#include "problem.hpp"

extern "C" __attribute__((visibility("default"))) void tlaloc_bench_peer(std::vector<bench::Problem>&);
