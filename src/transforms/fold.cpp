// SPDX-License-Identifier: Apache-2.0
//
// One walk that replaces values by equal, simpler ones. In: any function. Out: the same results, bit for bit.
// - Constants stand once each at the head of the function; ops on constants are what their kernels say; identities.hpp.
// - An op equal to an earlier one in this block or around it is that one. A load gives what was stored or loaded there
//   last, if nothing that may be the same place was written in between; calls write the buffers they are given.
// - Inside an `if`, its condition is known, and in a `while` body what the test said of the carried values.
// - `if` with a known condition, `for` that runs never or once, `while` that never runs: replaced by what runs.
// - Carried values that never change are their initial values; two that start and step alike are one; results of an `if`
//   that are the same on both sides are that; a result that is a truth value becomes logic where both sides are at hand.
// - A `while` that counts becomes a `for` (counted.hpp).
// Nothing is removed for being unused: eliminate_dead_code follows.
#include "transforms/simplify.hpp"

#include "transforms/counted.hpp"
#include "transforms/known.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

class Fold : Maker {
 public:
  Fold(Function& f, const Program* p) : f_(f), effects_(p) {}
  void run() {
    known_.enter();
    walk(*f_.body);
    known_.leave();
    f_.body->ops.insert(f_.body->ops.begin(), pool_.begin(), pool_.end());
  }

 private:
  // --- the walk ---
  void walk(Block& b) {
    for (auto* op : take_ops(b)) visit(op, b);
    swap_.apply(b.yields);
  }
  void region(Block& b) {
    Block* around = std::exchange(here_, &b);
    known_.enter();
    walk(b);
    known_.leave();
    here_ = around;
  }
  void visit(Op* op, Block& into) {
    here_ = &into;
    swap_.apply(op->operands);
    if (op->kind == &ops::constant) replace(op->results[0], pooled(op->at(key::value), op));
    else if (op->kind == &ops::if_) branch(op, into);
    else if (op->kind == &ops::for_) counted_loop(op, into);
    else if (op->kind == &ops::while_) loop(op, into);
    else if (op->kind == &ops::call) call(op, into);
    else if (op->kind->effect == Effect::reads) read(op, into);
    else if (op->kind->effect == Effect::writes) write(op, into);
    else if (op->kind->effect <= Effect::guarded && op->results.size() == 1) number_op(op, into);
    else {
      put(op, into);
      if (op->kind == &ops::alloc) known_.set_length(op->results[0], op->operands[0]);
    }
  }
  void replace(Value* v, Value* by) {
    if (v == by) return;
    if (by->name.empty() && !constant_of(by)) by->name = v->name;
    swap_.set(v, by);
  }

  // --- numbers ---
  Value* pooled(const Number& n, Op* op = nullptr) {
    auto [it, fresh] = constants_.try_emplace(std::tuple(n.dtype, n.bits, std::bit_cast<std::uint64_t>(n.real)));
    if (!fresh) return it->second;
    if (!op) {
      op = f_.new_op(ops::constant, f_.body);
      op->attrs = {n};
      op->results = {f_.new_value(Type{n.dtype}, "", f_.body, op)};
    }
    op->block = op->results[0]->block = f_.body, op->where = {};
    pool_.push_back(op);
    return it->second = op->results[0];
  }
  Value* number(const Number& n) override { return pooled(n); }
  Value* make(const Kind& kind, std::vector<Value*> operands, std::vector<Attr> attrs = {}) override {
    Op* op = f_.new_op(kind, here_);
    op->operands = std::move(operands), op->attrs = std::move(attrs), op->where = where_;
    for (auto& t : result_types(*op)) op->results.push_back(f_.new_value(t, "", here_, op));
    return reduce(op, *here_);
  }
  // The value that the op comes to; the op itself is put into the block only if nothing simpler or earlier is equal.
  Value* reduce(Op* op, Block& into) {
    where_ = op->where;
    for (;;) {
      Number n;
      if (evaluate(*op, n)) return pooled(n);
      Value* v = simpler(*op, *this);
      if (!v) break;
      if (v != op->results[0]) return v;
    }
    if (Value* v = known_.equal(*op)) return v;
    put(op, into);
    known_.remember(*op, op->results[0]);
    return op->results[0];
  }
  void number_op(Op* op, Block& into) {
    Value* result = op->results[0];
    replace(result, reduce(op, into));
  }

  // --- memory ---
  void read(Op* op, Block& into) {
    Value *buffer = op->operands[0], *result = op->results[0];
    const bool load = op->kind == &ops::load;
    Value* v = load ? known_.element(buffer, op->operands[1]) : known_.length(buffer);
    if (!v && buffer->def && buffer->def->kind == &ops::table) v = of_table(*op, buffer->def->at(key::values));
    if (v) return replace(result, v);
    put(op, into);
    if (load) known_.set_element(buffer, op->operands[1], result); else known_.set_length(buffer, result);
  }
  Value* of_table(const Op& op, const Numbers& table) {
    if (op.kind == &ops::length) return pooled(Number::of(index_type, std::int64_t(table.size())));
    auto* i = constant_of(op.operands[1]);
    return i && i->bits < table.size() ? pooled(table[std::size_t(i->bits)]) : nullptr;
  }
  void write(Op* op, Block& into) {
    Value* buffer = op->operands[0];
    if (op->kind == &ops::store) {
      if (known_.element(buffer, op->operands[1]) == op->operands[2]) return;      // it is there already
      known_.forget_element(buffer, op->operands[1]);
      known_.set_element(buffer, op->operands[1], op->operands[2]);
    } else if (op->kind == &ops::accum) {
      known_.forget_element(buffer, op->operands[1]);
    } else if (op->kind == &ops::fill) {
      known_.set_all(buffer, op->operands[1]);
    } else {
      known_.forget(buffer);
    }
    put(op, into);
  }
  void call(Op* op, Block& into) {
    if (effects_.of(*op) >= Effect::writes) for (auto* v : op->operands) if (v->type.buffer) known_.forget(v);
    put(op, into);
  }
  // Buffers from outside that the op's regions write.
  const std::vector<Value*>& written(const Op& op) {
    auto [it, fresh] = written_.try_emplace(&op);
    if (!fresh) return it->second;
    std::vector<Value*> found;
    for (auto* r : op.regions) for (auto* o : r->ops) {
      if (!o->regions.empty()) { const auto& inner = written(*o); found.insert(found.end(), inner.begin(), inner.end()); }
      else if (o->kind == &ops::call) { if (effects_.of(*o) >= Effect::writes) std::copy_if(o->operands.begin(), o->operands.end(), std::back_inserter(found), [](auto* v) { return v->type.buffer; }); }
      else if (o->kind->effect == Effect::writes) found.push_back(o->operands[0]);
    }
    std::sort(found.begin(), found.end(), [](auto* a, auto* b) { return a->id < b->id; });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return written_[&op] = std::move(found);
  }
  void forget_written(const Op& op) { for (auto* b : written(op)) known_.forget(b); }

  // --- facts ---
  // Until restore(), uses of the value that the walk meets are the constant.
  using Undo = std::vector<std::pair<Value*, Value*>>;
  void assume(Value* v, bool holds, Undo& undo) {
    if (constant_of(v)) return;
    undo.push_back({v, swap_(v)});
    swap_.set(v, truth(holds));
    Op* op = v->def;
    if (!op) return;
    if (op->kind == &ops::logical_not) assume(op->operands[0], !holds, undo);
    if (op->kind == &ops::bit_and && holds) for (auto* x : op->operands) assume(x, true, undo);
    if (op->kind == &ops::bit_or && !holds) for (auto* x : op->operands) assume(x, false, undo);
    if (op->kind == &ops::compare) assume_relation(*op, op->operands, holds);
    if (auto both = short_circuit(*op, v, !holds)) {
      assume(op->operands[0], holds, undo);
      if (!inside(both->block, op->regions[holds ? 0 : 1])) assume(both, holds, undo);
    }
  }
  // a && b is `if a { b } else { false }`, a || b is `if a { true } else { b }`: where `v` is the result of one that the
  // constant `ends` ends early, the other side's value, else null.
  static Value* short_circuit(const Op& op, const Value* v, bool ends) {
    if (op.kind != &ops::if_) return nullptr;
    const std::size_t k = std::size_t(std::find(op.results.begin(), op.results.end(), v) - op.results.begin());
    auto* n = constant_of(op.regions[ends ? 0 : 1]->yields[k]);
    return n && (n->bits != 0) == ends ? op.regions[ends ? 1 : 0]->yields[k] : nullptr;
  }
  void assume_relation(const Op& compare, std::vector<Value*> operands, bool holds) {
    const Compare how = compare.at(key::direction);
    known_.remember(ops::compare, operands, {how}, truth(holds));
    if (operands[0]->type.integer() || how == Compare::eq || how == Compare::ne)
      known_.remember(ops::compare, operands, {inverse(how)}, truth(!holds));
  }
  void restore(Undo& undo) {
    for (auto it = undo.rbegin(); it != undo.rend(); ++it) swap_.set(it->first, it->second);
  }
  Value* truth(bool b) { return pooled(Number::of(DType::boolean, b ? 1 : 0)); }
  // What a `while` test that answered true says of the values carried into the body.
  void assume_test(const Op& op, Value* answer, Undo& undo) {
    const Block &test = *op.regions[0], &body = *op.regions[1];
    auto in_body = [&](Value* v) -> Value* {
      auto it = std::find(test.params.begin(), test.params.end(), v);
      if (it != test.params.end()) return body.params[std::size_t(it - test.params.begin())];
      return inside(v->block, &test) ? nullptr : v;
    };
    if (constant_of(answer)) return;
    if (Value* v = in_body(answer)) return assume(v, true, undo);
    const Op& how = *answer->def;
    if (Value* both = short_circuit(how, answer, false)) {
      assume_test(op, how.operands[0], undo);
      assume_test(op, both, undo);
    }
    if (how.kind == &ops::bit_and) for (auto* x : how.operands) assume_test(op, x, undo);
    if (how.kind == &ops::logical_not) if (Value* v = in_body(how.operands[0])) assume(v, false, undo);
    if (how.kind == &ops::compare) {
      Value *a = in_body(how.operands[0]), *b = in_body(how.operands[1]);
      if (a && b) assume_relation(how, {a, b}, true);
    }
  }

  // --- control ---
  // The region's ops stand here instead, its parameters replaced already; its yields are the op's results.
  void inline_region(Op* op, Block& r, Block& into) {
    for (auto* o : take_ops(r)) visit(o, into);
    here_ = &into;
    swap_.apply(r.yields);
    for (std::size_t k = 0; k < op->results.size(); ++k) replace(op->results[k], r.yields[k]);
  }
  void branch(Op* op, Block& into) {
    Value* condition = op->operands[0];
    if (auto* c = constant_of(condition)) return inline_region(op, *op->regions[c->bits ? 0 : 1], into);
    for (int k : {0, 1}) {
      Undo undo;
      known_.enter();
      assume(condition, k == 0, undo);
      region(*op->regions[std::size_t(k)]);
      known_.leave();
      restore(undo);
    }
    here_ = &into, where_ = op->where;
    forget_written(*op);
    put(op, into);
    const auto &yes = op->regions[0]->yields, &no = op->regions[1]->yields;
    std::vector<char> dead(op->results.size());
    for (std::size_t k = 0; k < dead.size(); ++k) {
      if (Value* v = joined(*op, k)) { dead[k] = true; replace(op->results[k], v); continue; }
      for (std::size_t j = 0; j < k; ++j)
        if (!dead[j] && yes[j] == yes[k] && no[j] == no[k]) { dead[k] = true; replace(op->results[k], op->results[j]); break; }
    }
    drop_slots(*op, [&](std::size_t k) { return dead[k]; });
  }
  // The k-th result of an `if` as a value at hand after it, if it is one.
  Value* joined(const Op& op, std::size_t k) {
    Value *yes = op.regions[0]->yields[k], *no = op.regions[1]->yields[k];
    if (inside(yes->block, op.regions[0]) || inside(no->block, op.regions[1])) return nullptr;
    if (yes == no) return yes;
    return yes->type == Type{DType::boolean} ? make(ops::select, {op.operands[0], yes, no}) : nullptr;
  }

  // Carried values that keep their first value, or that go the way of another one, are dropped before the walk.
  void drop_carried(Op& op) {
    const std::size_t n = op.results.size(), c = first_carried(op), p = first_parameter(op);
    Block& body = *op.regions.back();
    std::vector<char> dead(n);
    auto merge = [&](std::size_t k, Value* result, auto param) {
      dead[k] = true;
      for (auto* r : op.regions) replace(r->params[p + k], param(*r));
      replace(op.results[k], result);
    };
    for (std::size_t k = 0; k < n; ++k) {
      Value *init = op.operands[c + k], *next = swap_(body.yields[k]);
      if (next == body.params[p + k] || next == init) { merge(k, init, [&](Block&) { return init; }); continue; }
      for (std::size_t j = 0; j < k; ++j) {
        if (dead[j] || op.operands[c + j] != init || !alike(body.yields[j], next, body.params[p + j], body.params[p + k], 8)) continue;
        merge(k, op.results[j], [&](Block& r) { return r.params[p + j]; });
        break;
      }
    }
    drop_slots(op, [&](std::size_t k) { return dead[k]; });
  }
  // Equal if the parameters x and y are.
  bool alike(Value* a, Value* b, const Value* x, const Value* y, int depth) {
    a = swap_(a), b = swap_(b);
    if (a == b || (a == x && b == y)) return true;
    if (auto* n = constant_of(a)) { auto* m = constant_of(b); return m && *n == *m; }
    if (depth == 0 || !a->def || !b->def || a->def->kind != b->def->kind || a->def->attrs != b->def->attrs) return false;
    const Op &f = *a->def, &g = *b->def;
    if (f.kind->effect > Effect::guarded || !f.regions.empty() || f.operands.size() != g.operands.size() || f.block != g.block) return false;
    for (std::size_t i = 0; i < f.operands.size(); ++i) if (!alike(f.operands[i], g.operands[i], x, y, depth - 1)) return false;
    return true;
  }
  void counted_loop(Op* op, Block& into) {
    const auto trips = constant_trips(*op);
    if (trips == 0) {
      for (std::size_t k = 0; k < op->results.size(); ++k) replace(op->results[k], op->operands[2 + k]);
      return;
    }
    Block& body = *op->regions[0];
    if (trips == 1) {
      swap_.set(body.params[0], op->operands[0]);
      for (std::size_t k = 0; k < op->results.size(); ++k) replace(body.params[1 + k], op->operands[2 + k]);
      return inline_region(op, body, into);
    }
    drop_carried(*op);
    forget_written(*op);
    region(body);
    put(op, into);
  }
  void loop(Op* op, Block& into) {
    drop_carried(*op);
    forget_written(*op);
    Block &test = *op->regions[0], &body = *op->regions[1];
    region(test);
    if (auto* c = constant_of(test.yields[0]); c && !c->bits) return never_runs(op, test, into);
    Undo undo;
    known_.enter();
    assume_test(*op, test.yields[0], undo);
    region(body);
    known_.leave();
    restore(undo);
    here_ = &into, where_ = op->where;
    if (auto ahead = counts_ahead(*op)) return shifted_loop(op, *ahead, into);
    put(op, into);
    if (auto counted = as_counted(*op)) become_counted(op, *counted);
  }
  // The shifted value is carried; the counter is that minus the shift. No sum is formed that the test did not form.
  void shifted_loop(Op* op, const Ahead& a, Block& into) {
    Value *from = op->operands[a.slot], *shift = pooled(Number::of(from->type.dtype, a.by)), *last = op->results[a.slot];
    op->operands[a.slot] = make(ops::add, {from, shift});
    carry_ahead(f_, *op, a, shift, pooled(Number::of(from->type.dtype, a.step)));
    Value* carried = op->results[a.slot] = f_.new_value(last->type, "", &into, op);
    put(op, into);
    if (auto counted = as_counted(*op)) become_counted(op, *counted);
    replace(last, make(ops::sub, {swap_(carried), shift}));
  }
  void never_runs(Op* op, Block& test, Block& into) {
    for (std::size_t k = 0; k < op->results.size(); ++k) {
      swap_.set(test.params[k], op->operands[k]);
      replace(op->results[k], op->operands[k]);
    }
    for (auto* o : take_ops(test)) visit(o, into);
    here_ = &into;
  }
  // The `while` stands at the end of its block; bounds go before it, the counter's last value after it.
  void become_counted(Op* op, const Counted& c) {
    Block& into = *here_;
    into.ops.pop_back();
    Value *last = op->results[c.slot], *from = op->operands[c.slot], *to = c.bound;
    if (c.inclusive) to = make(ops::add, {to, pooled(Number::of(from->type.dtype, c.step > 0 ? 1 : -1))});
    make_counted(f_, *op, c, to);
    put(op, into);
    if (c.step == 1 || c.step == -1) {            // else it stays a carried value
      Value* runs = make(ops::compare, {from, to}, {c.step > 0 ? Compare::lt : Compare::gt});
      replace(last, make(ops::select, {runs, to, from}));
    }
  }

  Function& f_;
  CallEffects effects_;
  Replacements swap_;
  Known known_;
  Block* here_ = nullptr;                         // where new ops go
  Location where_ = {};
  std::map<std::tuple<DType, std::uint64_t, std::uint64_t>, Value*> constants_;
  std::vector<Op*> pool_;
  std::map<const Op*, std::vector<Value*>> written_;
};

}  // namespace

void fold(Function& f, const Program* p) { Fold(f, p).run(); }

}  // namespace tlaloc::ir
