// SPDX-License-Identifier: Apache-2.0
//
// Which values the reverse sweep carries cotangents of: those that depend on a differentiated input (varied) and reach an
// output (useful). Integers and bools never do.
#pragma once

#include "transforms/geometry.hpp"

namespace tlaloc::ir {

class ReverseActivity {
 public:
  /// `varied`: the inputs to differentiate, buffers too. `useful`: values and buffers whose cotangents may be given.
  ReverseActivity(const Geometry&, const std::vector<Value*>& varied, const std::vector<Value*>& useful);
  bool varied(const Value* v) const { return at(varied_, v); }
  bool active(const Value* v) const { return at(varied_, v) && at(useful_, v); }       // buffers too
  /// The reverse sweep has something to do for the op or for one within its regions.
  bool active(const Op* op) const { return ops_[std::size_t(op->id)]; }

 private:
  static bool at(const std::vector<char>& s, const Value* v) { return s[std::size_t(v->id)]; }
  void mark(std::vector<char>& s, const Value* v);
  void mark_if(std::vector<char>& s, bool condition, const Value* v) { if (condition) mark(s, v); }
  void propagate(const Op&);
  void propagate_loop(const Op&);
  void propagate_memory(const Op&);
  void propagate_call(const Op&);
  bool find_active(const Op&);
  const Geometry& g_;
  std::vector<char> varied_, useful_;             // by the value's number
  std::vector<char> ops_;                         // by the op's number
  bool changed_ = false;
};

}  // namespace tlaloc::ir
