// SPDX-License-Identifier: Apache-2.0
//
// In: any function. Out: the same without what no result and no effect needs: ops, results of `if`, carried values (a ring
// of carried values that only feed each other is dead), loops, and writes to local buffers that nobody reads. One marking
// from the roots suffices: everything is dead until something live asks for it.
// Roots: the results, outputs, writes to parameter buffers, and calls that may have an effect: all of them unless the
// program is given, which tells what a callee does.
#include "transforms/simplify.hpp"

#include "transforms/rewrite.hpp"

namespace tlaloc::ir {
namespace {

class Liveness {
 public:
  Liveness(Function& f, const Program* p) : f_(f), effects_(p) {}
  void run() {
    survey(*f_.body);
    for (auto* y : f_.body->yields) need(y);
    while (!work_.empty()) {
      const Value* v = work_.back();
      work_.pop_back();
      follow(v);
    }
    sweep(*f_.body);
  }

 private:
  // --- roots, and who writes which local buffer ---
  void survey(const Block& b) {
    for (std::size_t i = 0; i < b.params.size(); ++i) place_[b.params[i]] = int(i);
    for (auto* op : b.ops) {
      for (std::size_t i = 0; i < op->results.size(); ++i) place_[op->results[i]] = int(i);
      if (op->kind == &ops::call) {
        if (effects_.of(*op) >= Effect::writes) roots_.push_back(op);
      } else if (op->kind->effect == Effect::outputs) {
        roots_.push_back(op);
      } else if (op->kind->effect == Effect::writes) {
        const Value* buffer = op->operands[0];
        if (buffer->def) writers_[buffer].push_back(op); else roots_.push_back(op);
      }
      for (auto* r : op->regions) survey(*r);
    }
    if (b.owner) return;
    for (auto* op : roots_) need(op);
  }

  // --- marking ---
  void need(const Value* v) {
    if (std::exchange(live_[v], true)) return;
    work_.push_back(v);
  }
  // The op runs: so must all around it, and it needs what decides whether and how often.
  void need(const Op* op) {
    for (; op && !std::exchange(runs_[std::size_t(op->id)], true); op = op->block->owner) {
      if (op->regions.empty()) for (auto* v : op->operands) need(v);
      else if (op->kind == &ops::while_) need(op->regions[0]->yields[0]);
      else for (int i = 0; i < op->kind->operands.fixed(); ++i) need(op->operands[std::size_t(i)]);
    }
  }
  void follow(const Value* v) {
    const Op* op = v->def ? v->def : v->block->owner;
    if (!op) return;                              // a parameter of the function
    need(op);
    if (auto it = writers_.find(v); it != writers_.end()) for (auto* w : it->second) need(w);
    if (op->regions.empty()) return;
    const int k = place_.get(v) - (v->def ? 0 : int(first_parameter(*op)));
    if (k >= 0) need_slot(*op, std::size_t(k));   // else the counter
  }
  // The k-th result of a region op with all that makes it.
  void need_slot(const Op& op, std::size_t k) {
    need(op.results[k]);
    if (is_loop(op)) need(op.operands[first_carried(op) + k]);
    for (auto* r : op.regions) {
      if (is_loop(op)) need(r->params[first_parameter(op) + k]);
      if (!is_test(op, r)) need(r->yields[k]);
    }
  }

  // --- sweeping ---
  void sweep(Block& b) {
    for (auto* op : take_ops(b)) {
      if (!runs_[std::size_t(op->id)]) continue;
      b.ops.push_back(op);
      if (op->regions.empty()) continue;
      drop_slots(*op, [&](std::size_t k) { return !live_.get(op->results[k]); });
      for (auto* r : op->regions) sweep(*r);
    }
  }

  Function& f_;
  CallEffects effects_;
  ValueTable<char> live_;
  ValueTable<int> place_;                         // which result or parameter it is
  std::vector<char> runs_ = std::vector<char>(f_.ops.size());
  std::map<const Value*, std::vector<const Op*>> writers_;
  std::vector<const Op*> roots_;
  std::vector<const Value*> work_;
};

}  // namespace

void eliminate_dead_code(Function& f, const Program* p) { Liveness(f, p).run(); }

}  // namespace tlaloc::ir
