// SPDX-License-Identifier: Apache-2.0
//
// Loop-invariant code motion. In: any function. Out: the same with ops that give the same in every turn of a loop before
// it, as far out as they go. Moved are ops of a loop's body (not of an `if` in it: what ran under a condition would then run
// always) that are pure, `if` and `for` of only such ops included. Loads from buffers that the loop does not write, and
// guarded ops such as integer division, move only out of loops that surely run, and out of a `while` test, which does.
// Integers and truth values stay unless a real that moves needs them: an index reads best where it is used. Out of a test
// everything moves: what is left there tells whether the loop counts.
#include "transforms/simplify.hpp"

#include "transforms/counted.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

class Hoist {
 public:
  explicit Hoist(Function& f) : f_(f) {}
  void run() { walk(*f_.body); }

 private:
  void walk(Block& b) {
    for (auto* op : take_ops(b)) {
      const bool counted = op->kind == &ops::for_;
      if (counted) running_.push_back(op);
      for (auto* r : op->regions) walk(*r);
      if (counted) running_.pop_back();
      if (is_loop(*op)) for (auto* r : op->regions) move_out(*op, *r, b);
      put(op, b);
    }
  }
  // A `for` runs at least once when its bounds say so, or when a loop with the same bounds is running.
  bool runs(const Op& loop) const {
    if (loop.kind != &ops::for_) return false;
    if (constant_trips(loop).value_or(0) > 0) return true;
    return std::any_of(running_.begin(), running_.end(), [&](const Op* o) {
      return o->operands[0] == loop.operands[0] && o->operands[1] == loop.operands[1] && (o->at(key::step) > 0) == (loop.at(key::step) > 0);
    });
  }
  void move_out(const Op& loop, Block& region, Block& before) {
    const bool sure = is_test(loop, &region) || runs(loop);
    const auto written = written_buffers(loop);
    std::vector<Op*> movable;
    for (auto* op : region.ops) {
      if (!may_move(*op, sure, written)) continue;
      bool invariant = true;
      for_each_read(*op, [&](Value* v) { invariant &= !inside(v->block, &region) || moves_.get(v); });
      if (!invariant) continue;
      movable.push_back(op);
      for (auto* v : op->results) moves_[v] = true;
    }
    std::vector<char> goes(movable.size());
    ValueTable<char> needed;
    for (std::size_t i = movable.size(); i-- > 0;) {
      goes[i] = is_test(loop, &region) || wants_to_move(*movable[i]) || std::any_of(movable[i]->results.begin(), movable[i]->results.end(), [&](auto* v) { return needed.get(v); });
      if (goes[i]) for_each_read(*movable[i], [&](Value* v) { needed[v] = true; });
    }
    std::size_t next = 0;
    for (auto* op : take_ops(region)) {
      const bool candidate = next < movable.size() && op == movable[next];
      put(op, candidate && goes[next] ? before : region);
      next += candidate;
    }
    for (auto* op : movable) for (auto* v : op->results) moves_[v] = false;
  }
  static bool may_move(const Op& op, bool sure, const std::vector<Value*>& written) {
    if (op.results.empty() || op.kind == &ops::while_) return false;
    const Effect e = effect(op);
    if (e == Effect::pure) return true;
    if (e == Effect::guarded) return sure && op.regions.empty();
    if (e != Effect::reads || !sure || !op.regions.empty()) return false;
    return std::find(written.begin(), written.end(), op.operands[0]) == written.end();
  }
  static bool wants_to_move(const Op& op) {
    return op.kind->cost > 0 && std::any_of(op.results.begin(), op.results.end(), [](auto* v) { return v->type.real(); });
  }

  Function& f_;
  std::vector<const Op*> running_;
  ValueTable<char> moves_;
};

}  // namespace

void hoist(Function& f) { Hoist(f).run(); }

}  // namespace tlaloc::ir
