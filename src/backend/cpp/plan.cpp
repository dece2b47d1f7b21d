// SPDX-License-Identifier: Apache-2.0
//
// Three steps. What a result, a write or an output needs is printed, the rest is not. Constants, conversions and short
// integer expressions stand wherever they are read. Then each block is walked from its end: a value with one reader in
// the same block joins the statement of that reader, unless the user gave it a name, a write of what it reads lies
// between, or the statement is full.
#include "backend/cpp/plan.hpp"

#include "backend/cpp/text.hpp"
#include "ir/ops.hpp"

#include <algorithm>
#include <utility>

namespace tlaloc::ir::cpp {
namespace {

constexpr int statement_columns = 74, expression_if_columns = 56, cheap_columns = 16, unnamed_columns = 6;

bool carries(const Op& op) { return !op.regions.empty() && op.kind->operands.variadic(); }
bool is_cast(const Op& op) { return op.kind == &ops::cast; }
// A name that the user wrote, other than that of an adjoint that only passes by.
bool keeps_name(const Op& op) {
  auto& name = op.results[0]->name;
  return !name.empty() && !(op.where.adjoint && name.starts_with("d_"));
}

}  // namespace

Plan::Plan(const Function& f, FactsOf facts) : f_(f), facts_of_(std::move(facts)), values_(f.values.size()), ops_(f.ops.size()) {
  for (auto* y : f.body->yields) need(y);
  walk(*f.body, [&](Op* op) { if (op->kind->effect >= Effect::writes) need(op); });
  for (auto& v : f.values) values_[std::size_t(v.id)].width = v.name.empty() ? unnamed_columns : int(v.name.size());
  count(*f.body);
  inline_cheap(*f.body);
  choose(*f.body, 1);
}

// --- what is needed ---

void Plan::need(const Value* v) {
  if (std::exchange(values_[std::size_t(v->id)].needed, true)) return;
  if (v->def) {
    need(v->def);
    if (!v->def->regions.empty()) need_carried(*v->def, std::size_t(std::find(v->def->results.begin(), v->def->results.end(), v) - v->def->results.begin()));
  } else if (const Op* loop = v->block->owner) {
    const std::size_t at = std::size_t(std::find(v->block->params.begin(), v->block->params.end(), v) - v->block->params.begin());
    const std::size_t lead = v->block->params.size() - loop->results.size();
    need(loop);
    if (at >= lead) need_carried(*loop, at - lead);
  }
}
void Plan::need_carried(const Op& op, std::size_t k) {
  if (op.results.empty()) return;
  need(op.results[k]);
  if (carries(op)) {
    need(op.operands[std::size_t(op.kind->operands.fixed()) + k]);
    for (auto* r : op.regions) need(r->params[r->params.size() - op.results.size() + k]);
    need(op.regions.back()->yields[k]);
  } else {
    for (auto* r : op.regions) need(r->yields[k]);
  }
}
void Plan::need(const Op* op) {
  if (std::exchange(ops_[std::size_t(op->id)].needed, true)) return;
  if (op->block->owner) need(op->block->owner);
  each_operand(*op, [&](Value* v) { need(v); });
  if (op->regions.size() == 2 && carries(*op)) need(op->regions[0]->yields[0]);         // a while's test
  if (Value* stop = break_condition(*op)) need(stop);
}

bool Plan::handed_on(const Block& b, std::size_t k) const {
  const Op* owner = b.owner;
  if (!owner || k >= owner->results.size()) return true;
  if (carries(*owner) && owner->regions.size() == 2 && &b == owner->regions[0]) return true;
  return needed(owner->results[k]);
}
std::vector<std::size_t> Plan::carried(const Op& op) const {
  std::vector<std::size_t> ks;
  if (!op.regions.empty()) for (std::size_t k = 0; k < op.results.size(); ++k) if (needed(op.results[k])) ks.push_back(k);
  return ks;
}
std::vector<Op*> Plan::statements(const Block& b) const {
  std::vector<Op*> r;
  for (auto* op : b.ops) if (needed(op) && !(op->results.size() == 1 && inlined(op->results[0]))) r.push_back(op);
  return r;
}

// --- who reads what ---

void Plan::each_operand(const Op& op, const std::function<void(Value*)>& visit) const {
  const std::size_t fixed = std::size_t(op.kind->operands.fixed());
  for (std::size_t i = 0; i < op.operands.size(); ++i) if (i < fixed || !carries(op) || needed(op.results[i - fixed])) visit(op.operands[i]);
  if (op.kind == &ops::fill && op.operands[0]->def && op.operands[0]->def->kind == &ops::alloc) visit(op.operands[0]->def->operands[0]);
}
void Plan::each_leaf(const Op& op, const std::function<void(Value*)>& visit) const {
  each_operand(op, [&](Value* v) { each_leaf_of(v, visit); });
  if (expression(&op)) for (auto* r : op.regions) for (auto k : carried(op)) each_leaf_of(r->yields[k], visit);
}
void Plan::each_leaf_of(Value* v, const std::function<void(Value*)>& visit) const {
  if (!inlined(v)) visit(v);
  else each_leaf(*v->def, visit);
}
bool Plan::writes(const Op& op, const Value* buffer) const {
  if (op.kind == &ops::call) {
    const auto& flags = facts_of_(op.at(key::callee)).written;
    for (std::size_t i = 0; i < op.operands.size(); ++i) if (op.operands[i] == buffer && flags[i]) return true;
    return false;
  }
  if (op.kind->effect == Effect::writes && op.operands[0] == buffer) return true;
  for (auto* r : op.regions) for (auto* o : r->ops) if (needed(o) && writes(*o, buffer)) return true;
  return false;
}
void Plan::use(Value* v, const Op* user, const Block* block, std::size_t yield) {
  auto& of = values_[std::size_t(v->id)];
  ++of.uses;
  of.user = user, of.user_block = block, of.yield = yield;
}
void Plan::count(const Block& b) {
  for (std::size_t i = 0; i < b.ops.size(); ++i) {
    const Op& op = *b.ops[i];
    ops_[std::size_t(op.id)].place = i;
    if (!needed(&op)) continue;
    each_operand(op, [&](Value* v) { use(v, &op, &b, 0); });
    for (auto* r : op.regions) count(*r);
  }
  for (std::size_t k = 0; k < b.yields.size(); ++k) {
    if (handed_on(b, k)) use(b.yields[k], nullptr, &b, k);
  }
}

// --- what joins an expression ---

int Plan::own_width(const Op& op) const {
  if (auto* n = op.results.empty() ? nullptr : constant_of(op.results[0])) return int(literal(*n, true).s.size());
  int w = 0, depth = 0;
  for (const char c : op.kind->cpp.text) {
    depth += c == '{';
    w += depth == 0;
    depth -= c == '}';
  }
  if (is_cast(op)) w = widens(op.operands[0]->type.dtype, op.results[0]->type.dtype) ? 0 : 8;
  auto add = [&](const Value* v) { w += inlined(v) ? own_width(*v->def) : values_[std::size_t(v->id)].width; };
  each_operand(op, add);
  if (expression(&op)) {
    w += 6;
    for (auto* r : op.regions) for (auto k : carried(op)) add(r->yields[k]);
  }
  return w;
}

void Plan::inline_cheap(const Block& b) {
  for (auto* op : b.ops) {
    for (auto* r : op->regions) inline_cheap(*r);
    if (op->results.size() != 1 || !op->regions.empty() || op->results[0]->type.buffer) continue;
    auto& of = values_[std::size_t(op->results[0]->id)];
    if (op->kind == &ops::constant) { of.inlined = true; continue; }
    const bool kind = is_cast(*op) || (op->results[0]->type.integer() && op->results[0]->type.dtype != DType::boolean);
    if (!kind || op->kind->effect != Effect::pure || op->kind->cpp.text.empty() || keeps_name(*op)) continue;
    const bool of_many = of.user && is_cast(*of.user) && values_[std::size_t(of.user->results[0]->id)].uses != 1;
    if (of.uses == 1 && of.user_block == &b && !of_many) continue;          // an ordinary candidate
    of.inlined = own_width(*op) <= cheap_columns;
  }
}

bool Plan::becomes_expression(const Op& op) const {
  const auto ks = carried(op);
  if (ks.size() != 1 || op.operands.size() != 1 || op.results[ks[0]]->type.tensor()) return false;
  int width = 0;
  for (auto* r : op.regions) {
    Value* y = r->yields[ks[0]];
    if (!statements(*r).empty()) return false;
    if (!constant_of(y) && !y->name.empty() && y->name == op.results[ks[0]]->name) return false;    // `if (c) y = ...;`
    if (y->type.dtype != DType::boolean && inlined(y) && expression(y->def)) return false;
    width += inlined(y) ? own_width(*y->def) : values_[std::size_t(y->id)].width;
  }
  return width <= expression_if_columns;
}

bool Plan::may_join(const Op& op) const {
  if (op.results.size() != 1 && !expression(&op)) return false;
  if (op.results.size() != 1 || op.results[0]->type.buffer) return false;
  if (op.kind->cpp.text.empty() && !expression(&op) && op.kind != &ops::length) return false;
  if (op.results[0]->type.scalar() && of_tensors(op)) return false;
  const Effect e = effect(op);
  return e == Effect::pure || e == Effect::guarded || e == Effect::reads;
}

Plan::Root Plan::root(const Value& v) const {
  auto& of = values_[std::size_t(v.id)];
  if (!of.user) return {of.user_block, of.yield, of.user_block->ops.size(), nullptr};
  if (of.user->results.size() == 1 && inlined(of.user->results[0])) return root(*of.user->results[0]);
  return {of.user, 0, ops_[std::size_t(of.user->id)].place, of.user};
}

bool Plan::crosses_write(const Op& op, const Root& r) const {
  const auto buffers = read_buffers(op);
  auto written = [&](const Op& o) { return needed(&o) && std::any_of(buffers.begin(), buffers.end(), [&](auto* b) { return writes(o, b); }); };
  for (std::size_t i = ops_[std::size_t(op.id)].place + 1; i < r.place; ++i) if (written(*op.block->ops[i])) return true;
  return r.op && carries(*r.op) && written(*r.op);                // a loop's bound is read in every turn
}

void Plan::choose(const Block& b, int depth) {
  for (auto it = b.ops.rbegin(); it != b.ops.rend(); ++it) {
    const Op& op = **it;
    if (!needed(&op)) continue;
    for (auto* r : op.regions) choose(*r, depth + 1);
    if (op.regions.size() == 2 && !carries(op)) ops_[std::size_t(op.id)].expression = becomes_expression(op);
    if (!may_join(op)) continue;
    auto& of = values_[std::size_t(op.results[0]->id)];
    if (of.inlined || of.uses != 1 || of.user_block != &b) continue;
    const bool of_loop = !of.user && b.owner && carries(*b.owner) && &b == b.owner->regions.back() && of.yield < b.owner->results.size();
    const bool of_if = !of.user && b.owner && !carries(*b.owner);
    if (of_loop ? !of.delayed : !of_if && keeps_name(op)) continue;
    bool once = true;                             // an inlined reader, or its reader, may stand in many places
    for (const Op* user = of.user; user && user->results.size() == 1 && inlined(user->results[0]);) {
      auto& reader = values_[std::size_t(user->results[0]->id)];
      once &= reader.uses == 1 && reader.user_block == &b;
      user = reader.user;
    }
    if (!once) continue;
    const Root r = root(*op.results[0]);
    if (crosses_write(op, r)) continue;
    if (r.op && carries(*r.op) && op.kind->cost > 1) continue;    // a loop's bound is computed in every turn
    auto [left, fresh] = room_.try_emplace({r.at, r.yield}, statement_columns - 2 * depth);
    if (fresh && r.op) left->second -= own_width(*r.op);
    const int more = own_width(op) - of.width;
    if (more > left->second) continue;
    left->second -= more;
    of.inlined = true;
  }
}

bool Plan::delay(const Value* v) {
  auto& of = values_[std::size_t(v->id)];
  if (of.delayed || of.user || of.uses != 1 || !v->def || of.user_block != v->def->block) return false;
  of.delayed = true;
  for (auto& x : values_) x.inlined = false;
  for (auto& x : ops_) x.expression = false;
  room_.clear();
  inline_cheap(*f_.body);
  choose(*f_.body, 1);
  return of.inlined;
}

}  // namespace tlaloc::ir::cpp
