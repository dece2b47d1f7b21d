// SPDX-License-Identifier: Apache-2.0
//
// What the passes that rewrite a function in place share.
#pragma once

#include "ir/ops.hpp"

#include <utility>

namespace tlaloc::ir {

/// A table over the values of one function, by their numbers. Values made later are absent until they are set.
template <class T> class ValueTable {
 public:
  T get(const Value* v) const { return std::size_t(v->id) < data_.size() ? data_[std::size_t(v->id)] : T{}; }
  T& operator[](const Value* v) {
    if (std::size_t(v->id) >= data_.size()) data_.resize(std::size_t(v->id) + 1);
    return data_[std::size_t(v->id)];
  }
 private:
  std::vector<T> data_;
};

/// Values that are replaced by others while a pass walks definitions before uses: each use is looked up once, when the
/// walk reaches it, so that replacing costs no walk of its own. A value replaced by itself is no longer replaced.
class Replacements {
 public:
  void set(const Value* v, Value* by) { by_[v] = by; }
  Value* operator()(Value* v) const {
    for (Value* r = by_.get(v); r && r != v; r = by_.get(v)) v = r;
    return v;
  }
  void apply(std::vector<Value*>& vs) const { for (auto*& v : vs) v = (*this)(v); }
 private:
  ValueTable<Value*> by_;
};

/// Empties the block for a pass that appends what it keeps (and what it adds) in order.
inline std::vector<Op*> take_ops(Block& b) { return std::exchange(b.ops, {}); }
/// Puts an op at the end of a block; its results belong there from now on.
inline void put(Op* op, Block& b) {
  op->block = &b;
  for (auto* r : op->results) r->block = &b;
  b.ops.push_back(op);
}
/// Ops made by `make` in the midst of a block, before the op at `at`.
template <class F> X insert(Function& f, Block& b, std::size_t at, Location where, F make) {
  std::vector<Op*> tail(b.ops.begin() + std::ptrdiff_t(at), b.ops.end());
  b.ops.resize(at);
  Builder builder{f, &b, where};
  X x = make(builder);
  b.ops.insert(b.ops.end(), tail.begin(), tail.end());
  return x;
}
/// The op that makes the buffer when that is an `alloc`, else null.
inline Op* local_alloc(const Value* buffer) { return buffer->def && buffer->def->kind == &ops::alloc ? buffer->def : nullptr; }


// --- region ops: the k-th result belongs to the k-th carried value of a loop and the k-th yield of its regions ---
inline bool is_loop(const Op& op) { return op.kind->regions > 0 && op.kind->operands.variadic(); }
inline bool is_test(const Op& op, const Block* region) { return op.kind == &ops::while_ && region == op.regions[0]; }
/// The operand and the region parameter that start the carried values: after the bounds, after the counter.
inline std::size_t first_carried(const Op& op) { return std::size_t(op.kind->operands.fixed()); }
inline std::size_t first_parameter(const Op& op) { return op.kind == &ops::for_ ? 1 : 0; }
/// Removes the k-th result, carried value and yields wherever dead(k).
template <class F> void drop_slots(Op& op, F dead) {
  const std::size_t n = op.results.size();
  auto drop = [&](std::vector<Value*>& vs, std::size_t first) {
    std::size_t to = first;
    for (std::size_t k = 0; k < n; ++k) if (!dead(k)) vs[to++] = vs[first + k];
    vs.resize(to);
  };
  for (auto* r : op.regions) {
    if (is_loop(op)) drop(r->params, first_parameter(op));
    if (!is_test(op, r)) drop(r->yields, 0);
  }
  if (is_loop(op)) drop(op.operands, first_carried(op));
  std::vector<Value*> kept = op.results;
  drop(kept, 0);
  op.results = std::move(kept);
}

/// What calls do, found in the bodies of the functions that they reach. Without a program every call may do anything.
class CallEffects {
 public:
  explicit CallEffects(const Program* p) : program_(p) {}
  /// pure, reads (a buffer among its arguments), writes or outputs.
  Effect of(const Op& call);
 private:
  Effect reached_from(const std::string& callee) const;
  const Program* program_;
  std::map<std::string, Effect, std::less<>> known_;
};

/// Makes the tests of `while` loops write nothing outside themselves: a test that does (`while (--n > 0)`) runs once before
/// the loop and then at the end of each turn, and its answer is carried as a bool. Each run of the test happens exactly
/// when it did before.
void rotate_loops(Function&);

}  // namespace tlaloc::ir
