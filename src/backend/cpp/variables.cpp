// SPDX-License-Identifier: Apache-2.0
//
// Liveness is computed backwards over the statements that will be printed: an expression is read where its statement
// stands, a loop's bound and whatever a loop reads from outside is alive throughout the loop. Two values conflict when one
// is alive where the other is defined. Joined are, unless they conflict: what a region yields with what receives it, a
// carried value with its start, and values that the user gave one name.
#include "backend/cpp/variables.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

bool is_loop(const Op& op) { return !op.regions.empty() && op.kind->operands.variadic(); }
std::size_t lead(const Op& loop, const Block& region) { return region.params.size() - loop.results.size(); }
bool is_counter(const Value* v) { return v->block->owner && v->block->owner->kind->operands.fixed() == 2 && is_loop(*v->block->owner) && v == v->block->params[0]; }
bool is_field(const Value* v) { return v->def && v->def->regions.empty() && v->def->results.size() > 1; }

}  // namespace

Variables::Variables(const Function& f, Plan& plan) : f_(f), plan_(plan) {
  compute();
  // A new value that could not be written to its variable at once waits for the end of the loop's body, where that is possible.
  std::vector<const Value*> late;
  walk(*f.body, [&](Op* op) {
    if (!plan.needed(op) || !is_loop(*op)) return;
    for (auto k : plan.carried(*op)) {
      const Value* y = op->regions.back()->yields[k];
      if (plain(y) && inside(y->block, op->regions.back()) && y->def && !same(y, op->results[k])) late.push_back(y);
    }
  });
  bool changed = false;
  for (auto* y : late) changed |= plan.delay(y);
  if (changed) compute();
}

bool Variables::plain(const Value* v) const {
  const bool given = v->type.tensor() && v->block == f_.body && !v->def;                // the caller's own
  return !v->type.buffer && !given && plan_.needed(v) && !plan_.inlined(v) && !is_field(v) && !is_counter(v); }

int Variables::of(const Value* v) const {
  int i = v->id;
  while (parent_[std::size_t(i)] != i) i = parent_[std::size_t(i)];
  return i;
}

bool Variables::constant(int variable) const {
  auto& all = members(variable);
  return all.size() == 1 && all[0]->def && all[0]->def->regions.empty();
}

void Variables::compute() {
  conflicts_.clear();
  parent_.resize(f_.values.size());
  members_.assign(f_.values.size(), {});
  for (auto& v : f_.values) parent_[std::size_t(v.id)] = v.id, members_[std::size_t(v.id)] = {&v};
  Live live;
  block(*f_.body, live);
  define(f_.body->params, live);
  walk(*f_.body, [&](Op* op) { if (plan_.needed(op) && is_loop(*op)) join_loop(*op); });
  join_all(*f_.body);
  std::vector<const Value*> in_sight;
  join_by_name(*f_.body, in_sight);
}

// --- liveness ---

void Variables::conflict(int a, int b) {
  if (a == b) return;
  conflicts_.insert(std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b)));
}
/// The values get theirs at one moment, while the others are alive.
void Variables::define(const std::vector<Value*>& values, const Live& live) {
  for (auto* v : values) {
    for (int other : live) conflict(v->id, other);
    for (auto* w : values) conflict(v->id, w->id);
  }
}

void Variables::block(const Block& b, Live& live) {
  for (std::size_t k = 0; k < b.yields.size(); ++k) {
    if (plan_.handed_on(b, k)) plan_.each_leaf_of(b.yields[k], [&](Value* v) { live.insert(v->id); });
  }
  const auto ops = plan_.statements(b);
  for (auto it = ops.rbegin(); it != ops.rend(); ++it) statement(**it, live);
}

void Variables::statement(const Op& op, Live& live) {
  std::vector<Value*> results;
  for (auto* r : op.results) if (plan_.needed(r)) results.push_back(r), live.erase(r->id);
  define(results, live);
  if (is_loop(op)) {
    regions_of_loop(op, live);
    live.merge(outer_reads(op));
  } else if (!op.regions.empty() && !plan_.expression(&op)) {
    Live all = live;
    for (auto* r : op.regions) {
      Live inner = live;
      block(*r, inner);
      all.merge(inner);
    }
    live = std::move(all);
  }
  plan_.each_leaf(op, [&](Value* v) { live.insert(v->id); });
}

/// All that the regions, and a `for`'s bounds, read from outside: alive from turn to turn. (A loop starts to count when its
/// carried variables have their first values.)
Variables::Live Variables::outer_reads(const Op& loop) const {
  Live reads;
  auto add = [&](Value* v) {
    for (auto* r : loop.regions) if (inside(v->block, r)) return;
    reads.insert(v->id);
  };
  std::function<void(const Block&)> visit = [&](const Block& b) {
    for (auto* op : plan_.statements(b)) {
      plan_.each_leaf(*op, add);
      for (auto* r : op->regions) if (!plan_.expression(op)) visit(*r);
    }
    for (std::size_t k = 0; k < b.yields.size(); ++k) if (plan_.handed_on(b, k)) plan_.each_leaf_of(b.yields[k], add);
  };
  for (auto* r : loop.regions) visit(*r);
  for (int i = 0; i < loop.kind->operands.fixed(); ++i) plan_.each_leaf_of(loop.operands[std::size_t(i)], add);
  return reads;
}

void Variables::regions_of_loop(const Op& op, const Live& after) {
  Live around = after;
  around.merge(outer_reads(op));
  for (auto* r : op.regions) {
    Live inner = around;
    std::vector<Value*> params;
    for (std::size_t i = 0; i < r->params.size(); ++i) if (i < lead(op, *r) || plan_.needed(r->params[i])) params.push_back(r->params[i]);
    const bool test = op.regions.size() == 2 && r == op.regions[0];
    if (test) for (auto* p : params) inner.insert(p->id);         // they go on to the body
    block(*r, inner);
    for (auto* p : params) inner.erase(p->id);
    define(params, inner);
    define(params, around);
  }
}

// --- joining ---

bool Variables::join(const Value* a, const Value* b) {
  const int x = of(a), y = of(b);
  if (x == y) return true;
  if (a->type != b->type) return false;
  std::string_view name;                          // two names of the user's are two variables
  for (int side : {x, y}) for (auto* v : members_[std::size_t(side)]) if (!v->name.empty()) {
    if (!name.empty() && name != v->name) return false;
    name = v->name;
  }
  for (auto* v : members_[std::size_t(x)]) for (auto* w : members_[std::size_t(y)])
    if (conflicts_.contains(std::uint64_t(std::min(v->id, w->id)) << 32 | std::uint32_t(std::max(v->id, w->id)))) return false;
  parent_[std::size_t(y)] = x;
  auto &into = members_[std::size_t(x)], &from = members_[std::size_t(y)];
  into.insert(into.end(), from.begin(), from.end());
  from.clear();
  return true;
}

/// A carried value is one variable by construction: its parameters in the regions and its result.
void Variables::join_loop(const Op& op) {
  for (auto k : plan_.carried(op)) for (auto* r : op.regions) {
    const int x = of(op.results[k]), y = of(r->params[lead(op, *r) + k]);
    parent_[std::size_t(y)] = x;
    auto &into = members_[std::size_t(x)], &from = members_[std::size_t(y)];
    into.insert(into.end(), from.begin(), from.end());
    from.clear();
  }
}

void Variables::join_all(const Block& b) {
  for (auto* op : plan_.statements(b)) {
    if (plan_.expression(op)) continue;
    for (auto* r : op->regions) join_all(*r);
    for (auto k : plan_.carried(*op)) {
      if (is_loop(*op)) {
        if (const Value* y = op->regions.back()->yields[k]; plain(y)) join(op->results[k], y);
        if (const Value* init = op->operands[std::size_t(op->kind->operands.fixed()) + k]; plain(init)) join(op->results[k], init);
      } else {
        for (auto* r : op->regions) if (plain(r->yields[k])) join(op->results[k], r->yields[k]);
      }
    }
  }
}

/// Successive values of the user's one variable: `x = 2 * x; x = x + 1;`. Only what an enclosing scope declared before
/// is in sight.
void Variables::join_by_name(const Block& b, std::vector<const Value*>& in_sight) {
  const std::size_t before = in_sight.size();
  auto see = [&](const Value* v) {
    if (!plain(v) || v->name.empty()) return;
    for (auto it = in_sight.rbegin(); it != in_sight.rend(); ++it) if ((*it)->name == v->name && join(*it, v)) return;
    in_sight.push_back(v);
  };
  if (!b.owner) for (auto* p : b.params) if (plain(p)) in_sight.push_back(p);
  for (auto* op : plan_.statements(b)) {
    for (auto* r : op->results) if (plan_.needed(r)) see(r);
    if (!plan_.expression(op)) for (auto* r : op->regions) join_by_name(*r, in_sight);
  }
  in_sight.resize(before);
}

}  // namespace tlaloc::ir::cpp
