// SPDX-License-Identifier: Apache-2.0
//
// Which ops of a function are printed, and which of these are statements. The others are part of the expression of the
// statement that reads them.
#pragma once

#include "ir/kind.hpp"

namespace tlaloc::ir::cpp {

/// How a function treats the buffers that are its parameters.
struct ParamFacts {
  std::vector<bool> written;
  std::vector<bool> resized;                      // changes or asks their length: such a one is passed as Kept<T>&
};
using FactsOf = std::function<const ParamFacts&(const std::string& function)>;

/// The last yield of a while's body, where it is the condition of a break: see leave.cpp.
Value* break_condition(const Op& loop);

class Plan {
 public:
  Plan(const Function&, FactsOf);

  bool needed(const Value* v) const { return values_[std::size_t(v->id)].needed; }
  bool needed(const Op* op) const { return ops_[std::size_t(op->id)].needed; }
  /// True when the value has no variable of its own: a constant or a part of its reader's expression.
  bool inlined(const Value* v) const { return values_[std::size_t(v->id)].inlined; }
  /// True for an `if` that prints as `? :`, `&&` or `||`.
  bool expression(const Op* op) const { return ops_[std::size_t(op->id)].expression; }
  /// The needed ops of a block that print as statements, in order.
  std::vector<Op*> statements(const Block&) const;
  /// Whether anybody wants the k-th yield of a block: the test of a while and the condition of a break always, others as
  /// the result that they become is needed.
  bool handed_on(const Block&, std::size_t k) const;
  /// How often a needed op or yield names the value.
  int uses(const Value* v) const { return values_[std::size_t(v->id)].uses; }
  /// The positions of a loop's carried values (of an if's results) that are needed.
  std::vector<std::size_t> carried(const Op&) const;

  /// The values with variables (buffers too) whose contents the op's own statement or expression reads; what stands in
  /// the statements of its regions is not included.
  void each_leaf(const Op&, const std::function<void(Value*)>&) const;
  void each_leaf_of(Value*, const std::function<void(Value*)>&) const;
  bool writes(const Op&, const Value* buffer) const;          // in its regions too

  /// A yielded value that no variable could take over at its own place is moved to the end of its block. Returns false
  /// where that is impossible.
  bool delay(const Value*);

 private:
  struct OfValue {
    bool needed = false, inlined = false, delayed = false;
    int uses = 0;
    const Op* user = nullptr;                     // the last reader; null for the yields of user_block
    const Block* user_block = nullptr;
    std::size_t yield = 0;
    int width = 0;                                // of its text where it is read: of its name, or of the expression
  };
  struct OfOp { bool needed = false, expression = false; std::size_t place = 0; };

  void need(const Value*);
  void need(const Op*);
  void need_carried(const Op&, std::size_t);
  void count(const Block&);
  void use(Value*, const Op* user, const Block*, std::size_t yield);
  void each_operand(const Op&, const std::function<void(Value*)>&) const;
  void inline_cheap(const Block&);
  void choose(const Block&, int depth);
  bool may_join(const Op&) const;
  bool becomes_expression(const Op&) const;
  struct Root { const void* at = nullptr; std::size_t yield = 0; std::size_t place = 0; const Op* op = nullptr; };
  Root root(const Value&) const;
  bool crosses_write(const Op&, const Root&) const;
  int own_width(const Op&) const;

  const Function& f_;
  FactsOf facts_of_;
  std::vector<OfValue> values_;
  std::vector<OfOp> ops_;
  std::map<std::pair<const void*, std::size_t>, int> room_;   // columns left in a statement; looked up, never walked
};

}  // namespace tlaloc::ir::cpp
