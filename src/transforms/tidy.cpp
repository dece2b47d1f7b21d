// SPDX-License-Identifier: Apache-2.0
//
// In: any function. Out: the same with each block ordered by what its ops need: effects in their order, and before each of
// them, and before the yields, what they need and nobody needed before, operands first to last. A load stands at its
// first use too, but not behind a later write to its buffer. Pure ops that nothing needs vanish.
#include "transforms/simplify.hpp"

#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

class Tidy {
 public:
  explicit Tidy(Function& f) : done_(f.ops.size()) {
    mark(*f.body);
    block(*f.body);
  }

 private:
  void mark(const Block& b) {
    for (auto* op : b.ops) {
      for (auto* v : op->operands) used_[v] = true;
      for (auto* r : op->regions) mark(*r);
    }
    for (auto* y : b.yields) used_[y] = true;
  }
  void block(Block& b) {
    for (auto* op : b.ops) for (auto* r : op->regions) block(*r);
    std::map<const Value*, std::vector<Op*>> pending;       // readers of a buffer since it was last written
    std::vector<Op*> order;
    const auto ops = take_ops(b);
    for (auto* op : ops) {
      const Effect e = effect(*op);
      if (e >= Effect::writes) {
        for (auto* buffer : written_buffers(*op)) {
          for (auto* reader : pending[buffer]) place(reader, b);
          pending[buffer].clear();
        }
        place(op, b);
      } else if (std::any_of(op->results.begin(), op->results.end(), [&](auto* v) { return used_.get(v); })) {
        for (auto* buffer : read_buffers(*op)) pending[buffer].push_back(op);
      }
    }
    for (auto* y : b.yields) if (y->def) place(y->def, b);
  }
  // Depth first, with a stack of its own: a long chain of ops must not end in a deep recursion.
  void place(Op* root, Block& b) {
    struct Frame { Op* op; std::vector<Op*> needs; std::size_t next = 0; };
    std::vector<Frame> stack;
    auto enter = [&](Op* op) {
      if (op->block != &b || std::exchange(done_[std::size_t(op->id)], true)) return;
      stack.push_back({op, {}});
      for_each_read(*op, [&](Value* v) { if (v->def && v->def->block == &b) stack.back().needs.push_back(v->def); });
    };
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next < top.needs.size()) { enter(top.needs[top.next++]); continue; }
      b.ops.push_back(top.op);
      stack.pop_back();
    }
  }

  std::vector<char> done_;
  ValueTable<char> used_;
};

}  // namespace

void tidy(Function& f) { Tidy{f}; }

}  // namespace tlaloc::ir
