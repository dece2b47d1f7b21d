// SPDX-License-Identifier: Apache-2.0
//
// Where things stand in a function: order, nesting, who touches which buffer, what holds in a block. Read-only analyses
// that several transforms ask.
#pragma once

#include "transforms/poly.hpp"

namespace tlaloc::ir {

// --- loops, for and while alike: carried value j ---
inline bool is_for(const Op* op) { return op->kind == &ops::for_; }
inline bool is_while(const Op* op) { return op->kind == &ops::while_; }
inline bool is_loop(const Op* op) { return is_for(op) || is_while(op); }
inline Block* body_of(const Op* op) { return op->regions.back(); }
inline Value* counter_of(const Op* op) { return is_for(op) ? op->regions[0]->params[0] : nullptr; }
inline std::size_t carried_count(const Op* op) { return op->results.size(); }
inline Value* init_of(const Op* op, std::size_t j) { return op->operands[j + (is_for(op) ? 2 : 0)]; }
inline Value* carried_of(const Op* op, std::size_t j) { return body_of(op)->params[j + (is_for(op) ? 1 : 0)]; }
inline Value* next_of(const Op* op, std::size_t j) { return body_of(op)->yields[j]; }
/// The number of the carried value that a parameter of the loop's body (or a while's test) is; -1 for the counter.
int carried_index(const Op* loop, const Value* param);
/// |to - from|: the trip count when the step is 1 or -1, else more than it.
Poly span_of(const Op* for_loop);

/// How often a block, its regions included, reads or yields a value.
int uses(const Value*, const Block&);
/// Does the op change the length of its first operand?
bool changes_length(const Op*);

/// True when running the function may write what its i-th parameter points to.
bool writes_parameter(const Program&, std::string_view function, std::size_t i);
/// ... or change its length.
bool resizes_parameter(const Program&, std::string_view function, std::size_t i);

class Geometry {
 public:
  Geometry(const Program&, const Function&);
  const Function& function() const { return f_; }
  const Program& program() const { return program_; }

  int first(const Op* op) const { return order_[std::size_t(op->id)].first; }
  int last(const Op* op) const { return order_[std::size_t(op->id)].second; }      // of all within its regions
  /// The ops whose regions lead from `top` down to the block, outermost first.
  std::vector<Op*> chain(const Block* block, const Block* top) const;
  std::vector<Op*> loops(const Block* block, const Block* top) const;
  /// The loops within `top` that hold both.
  std::vector<Op*> common(const Op* a, const Op* b, const Block* top) const;

  /// Every op that reads, writes or measures the buffer, in order; for all buffers: allocs, tables and parameters.
  const std::vector<Op*>& touching(const Value* buffer) const;
  const std::vector<Value*>& buffers() const { return buffers_; }
  bool writes(const Op* op, const Value* buffer) const;
  bool reads(const Op* op, const Value* buffer) const;
  bool resized(const Value* buffer) const;        // its length changes

  /// What holds for integers whenever the block runs.
  const Facts& facts(const Block*) const;
  /// The index takes a different value in each turn of the loops (mixed radix).
  bool injective(Poly index, const std::vector<Op*>& loops, const Facts&) const;
  /// The index with the loops' counters replaced by their bounds, so that it is at most (up) or at least what it was.
  std::optional<Poly> bound(Poly index, const std::vector<Op*>& loops, bool up, const Facts&) const;

  /// The elements that an access may touch in one turn of a loop: between two polynomials of its counter.
  struct Span { Poly from, last; };
  std::optional<Span> span(const Op* access, const Op* loop) const;
  /// What one access touches in a turn, the other touches in no other turn.
  bool apart(const Span&, const Span&, const Op* loop) const;

 private:
  void visit(const Block&);
  void learn(Facts&, const Op* owner, const Block* region) const;
  const Program& program_;
  const Function& f_;
  std::vector<std::pair<int, int>> order_;        // by the op's number
  int n_ = 0;
  std::vector<Value*> buffers_;
  std::map<const Value*, std::vector<Op*>, ById> touching_;
  mutable std::unordered_map<const Block*, Facts> facts_;
};

}  // namespace tlaloc::ir
