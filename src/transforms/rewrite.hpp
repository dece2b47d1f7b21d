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
/// walk reaches it, so that replacing costs no walk of its own.
class Replacements {
 public:
  void set(const Value* v, Value* by) { by_[v] = by; }
  Value* operator()(Value* v) const { Value* r = by_.get(v); return r ? r : v; }
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
/// The op that makes the buffer when that is an `alloc`, else null.
inline Op* local_alloc(const Value* buffer) { return buffer->def && buffer->def->kind == &ops::alloc ? buffer->def : nullptr; }

/// Makes the tests of `while` loops write nothing outside themselves: a test that does (`while (--n > 0)`) runs once before
/// the loop and then at the end of each turn, and its answer is carried as a bool. Each run of the test happens exactly
/// when it did before.
void rotate_loops(Function&);

}  // namespace tlaloc::ir
