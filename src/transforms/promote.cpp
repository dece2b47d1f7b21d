// SPDX-License-Identifier: Apache-2.0
//
// Memory to SSA. In: buffers that the function allocates with a small constant size and only ever accesses by load, store,
// accum and fill at constant places inside their bounds, and cells, which hold a tensor. Out: one value per element ("slot") wherever it is read; an `if`
// whose regions leave different values in a slot gives a result for it, a loop that writes a slot carries it. Carried
// values that nobody reads are left to dead code elimination. A slot that is read before it is written reads 0, which C++
// leaves undefined. A buffer allocated in a loop body is new in every turn, so nothing of it crosses the back edge.
// Buffers used in any other way stay as they are; `promote` runs again when folding has made more indices constant.
#include "transforms/simplify.hpp"

#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr std::int64_t most_elements = 64;              // elements; more would not read as variables

struct Slot {
  Type type;
  std::string name;
  const Block* home;                              // where its buffer is allocated
};

class Promotion {
 public:
  explicit Promotion(Function& f) : f_(f) {}
  void run() {
    choose(*f_.body);
    number();
    if (slots_.empty()) return;
    rewrite(*f_.body);
  }

 private:
  // --- which buffers ---
  void choose(const Block& b) {
    for (auto* op : b.ops) {
      for (auto* v : op->operands) if (Op* a = local_alloc(v)) if (!allows(*op, v, *a)) stays_[v] = true;
      if (op->kind == &ops::cell || (op->kind == &ops::alloc && eligible(*op))) allocs_.push_back(op);
      for (auto* r : op->regions) choose(*r);
    }
  }
  static bool eligible(const Op& alloc) {
    const Number* n = constant_of(alloc.operands[0]);
    return n && n->as_int() >= 0 && n->as_int() <= most_elements;
  }
  // An access that a value can stand for; writes are noted on the way.
  bool allows(const Op& op, const Value* buffer, const Op& alloc) const {
    if (op.kind == &ops::fill) return op.operands[0] == buffer;
    if (op.kind != &ops::load && op.kind != &ops::store && op.kind != &ops::accum) return false;
    if (alloc.kind == &ops::alloc && !eligible(alloc)) return false;
    const Number* i = constant_of(op.operands[1]);
    return i && i->as_int() >= 0 && i->as_int() < size(alloc);
  }
  void number() {
    for (auto* a : allocs_) {
      const Value* buffer = a->results[0];
      if (stays_.get(buffer)) continue;
      first_[buffer] = int(slots_.size()) + 1;
      for (std::int64_t i = 0; i < size(*a); ++i)
        slots_.push_back({a->kind == &ops::cell ? a->at(key::results)[0] : Type{buffer->type.dtype}, buffer->name.empty() || i == 0 ? buffer->name : buffer->name + "_" + std::to_string(i), a->block});
    }
    now_.resize(slots_.size());
  }
  static int size(const Op& alloc) { return alloc.kind == &ops::cell ? 1 : int(constant_of(alloc.operands[0])->as_int()); }
  // The slots that the op accesses: [begin, end).
  struct Range { int begin, end; bool empty() const { return begin == end; } };
  Range range(const Op& op) const {
    if (op.operands.empty()) return {0, 0};
    const Value* buffer = op.operands[0];
    const int first = buffer->type.buffer ? first_.get(buffer) - 1 : -1;
    if (first < 0) return {0, 0};
    if (op.kind == &ops::fill) return {first, first + size(*buffer->def)};
    const int i = first + int(constant_of(op.operands[1])->as_int());
    return {i, i + 1};
  }

  // --- which slots a region op writes, of those that live around it ---
  const std::vector<int>& written(const Op& op) {
    auto [it, fresh] = written_.try_emplace(&op);
    if (!fresh) return it->second;
    std::vector<int> found;
    for (auto* r : op.regions) for (auto* o : r->ops) {
      if (o->regions.empty() && o->kind->effect != Effect::writes) continue;
      if (o->regions.empty()) { for (auto [i, end] = range(*o); i < end; ++i) found.push_back(i); continue; }
      const auto& inner = written(*o);
      found.insert(found.end(), inner.begin(), inner.end());
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](int s) { return std::find(op.regions.begin(), op.regions.end(), slots_[std::size_t(s)].home) != op.regions.end(); });
    return written_[&op] = std::move(found);
  }

  // --- the walk ---
  Value*& now(int slot) { return now_[std::size_t(slot)]; }
  const Slot& slot(int s) const { return slots_[std::size_t(s)]; }
  Value* read(int s, Builder& b) {
    if (!now(s)) now(s) = zero(b, slot(s).type).v;
    return now(s);
  }
  void write(int s, Value* v) {
    if (v->name.empty() && !constant_of(v)) v->name = slot(s).name;
    now(s) = v;
  }
  Value* parameter(int s, Block& b) { return b.params.emplace_back(f_.new_value(slot(s).type, slot(s).name, &b)); }
  void results(Op& op, const std::vector<int>& ss) {
    for (int s : ss) now(s) = op.results.emplace_back(f_.new_value(slot(s).type, slot(s).name, op.block, &op));
  }

  void rewrite(Block& block) {
    Builder b{f_, &block};
    for (auto* op : take_ops(block)) {
      swap_.apply(op->operands);
      b.where = op->where;
      if (op->kind == &ops::if_) branch(*op, b);
      else if (op->kind == &ops::for_ || op->kind == &ops::while_) loop(*op, b);
      else if (access(*op, b)) continue;
      block.ops.push_back(op);
    }
    swap_.apply(block.yields);
  }
  // True when values now stand for the op.
  bool access(Op& op, Builder& b) {
    if ((op.kind == &ops::alloc || op.kind == &ops::cell) && first_.get(op.results[0])) {
      const int first = first_.get(op.results[0]) - 1;
      for (int i = 0; i < size(op); ++i) now(first + i) = nullptr;
      return true;
    }
    const Range r = range(op);
    if (r.empty() && !(op.kind == &ops::fill && first_.get(op.operands[0]))) return false;
    if (op.kind == &ops::load) {
      swap_.set(op.results[0], read(r.begin, b));
    } else if (op.kind == &ops::accum) {
      write(r.begin, ops::add(X{&b, read(r.begin, b)}, X{&b, op.operands[2]}).v);
    } else {
      for (int s = r.begin; s < r.end; ++s) write(s, op.operands.back());
    }
    return true;
  }
  void branch(Op& op, Builder& b) {
    const std::vector<int> ss = written(op);
    std::vector<Value*> before, after[2];
    for (int s : ss) before.push_back(now(s));
    for (int k : {0, 1}) {
      for (std::size_t i = 0; i < ss.size(); ++i) now(ss[i]) = before[i];
      rewrite(*op.regions[std::size_t(k)]);
      for (int s : ss) after[k].push_back(now(s));
    }
    std::vector<int> differ;
    for (std::size_t i = 0; i < ss.size(); ++i) {
      now(ss[i]) = after[0][i];
      if (after[0][i] == after[1][i]) continue;
      differ.push_back(ss[i]);
      for (int k : {0, 1}) {
        Builder inner{f_, op.regions[std::size_t(k)], b.where};
        now(ss[i]) = after[k][i];
        inner.block->yields.push_back(read(ss[i], inner));
      }
    }
    results(op, differ);
  }
  void loop(Op& op, Builder& b) {
    const std::vector<int> ss = written(op);
    for (int s : ss) op.operands.push_back(read(s, b));
    for (auto* region : op.regions) {             // a `while` tests and runs the same carried values
      for (int s : ss) now(s) = parameter(s, *region);
      rewrite(*region);
    }
    for (int s : ss) op.regions.back()->yields.push_back(now(s));
    results(op, ss);
  }

  Function& f_;
  std::vector<Op*> allocs_;
  std::vector<Slot> slots_;
  std::vector<Value*> now_;                       // the value in each slot; null while undefined
  ValueTable<char> stays_;
  ValueTable<int> first_;                         // of a promoted buffer: its first slot, plus one
  std::map<const Op*, std::vector<int>> written_;
  Replacements swap_;
};

// --- tests that write ---
bool writes_outside(const Block& test) {
  for (auto* op : test.ops) {
    if (effect(*op) == Effect::outputs) return true;
    if (op->kind == &ops::call && op->operands.empty()) return true;
    for (auto* v : written_buffers(*op)) if (!inside(v->block, &test)) return true;
  }
  return false;
}
// The test's ops again at the end of the builder's block, on these carried values; gives the answer.
Value* repeat(const Block& test, Builder b, std::span<Value* const> carried) {
  Cloner c{b};
  for (auto* op : test.ops) for_each_read(*op, [&](Value* v) { if (!inside(v->block, &test)) c.map[v] = v; });
  if (auto* y = test.yields[0]; !inside(y->block, &test)) c.map[y] = y;
  for (std::size_t i = 0; i < carried.size(); ++i) c.map[test.params[i]] = carried[i];
  c.block(test);
  return c.at(test.yields[0]);
}
void rotate(Function& f, Op& op, Builder& outside) {
  Block &test = *op.regions[0], &body = *op.regions[1];
  Value* before = repeat(test, outside, op.operands);
  Value* after = repeat(test, Builder{f, &body, op.where}, body.yields);
  op.operands.push_back(before);
  body.yields.push_back(after);
  Value* answer = test.params.emplace_back(f.new_value(Type{DType::boolean}, "", &test));
  body.params.push_back(f.new_value(Type{DType::boolean}, "", &body));
  test.ops.clear();
  test.yields = {answer};
  op.results.push_back(f.new_value(Type{DType::boolean}, "", op.block, &op));
}
void rotate_in(Function& f, Block& block) {
  Builder b{f, &block};
  for (auto* op : take_ops(block)) {
    b.where = op->where;
    for (auto* r : op->regions) rotate_in(f, *r);
    if (op->kind == &ops::while_ && writes_outside(*op->regions[0])) rotate(f, *op, b);
    block.ops.push_back(op);
  }
}

}  // namespace

void rotate_loops(Function& f) { rotate_in(f, *f.body); }
void promote(Function& f) {
  rotate_loops(f);
  Promotion(f).run();
}

}  // namespace tlaloc::ir
