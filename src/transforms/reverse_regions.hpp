// SPDX-License-Identifier: Apache-2.0
//
// Scratch that is one parameter carved up by offsets: parts whose accesses provably never meet become buffers of their own,
// so that every later question (what is overwritten, what is private, what is read again) is answered part by part.
#pragma once

#include "transforms/geometry.hpp"

namespace tlaloc::ir {

/// The part of a parameter that some accesses touch: elements `from` to `last`, whenever all `loops` run.
struct Region {
  Value* parameter;                               // of which it is a part
  bool bounded = false;                           // from, last and loops are known
  Poly from = {}, last = {};
  std::vector<Op*> loops = {};
};
using RegionMap = std::map<const Value*, Region, ById>;

/// Splits the parameters of f where that can be proven. A part is one more buffer parameter, at the end; the map names all
/// buffer parameters, whole ones too.
RegionMap split_parameters(const Program&, Function& f);

}  // namespace tlaloc::ir
