// SPDX-License-Identifier: Apache-2.0
#include "transforms/geometry.hpp"

#include <algorithm>

namespace tlaloc::ir {

int carried_index(const Op* loop, const Value* param) {
  const auto& ps = param->block->params;
  return int(std::find(ps.begin(), ps.end(), param) - ps.begin()) - (is_for(loop) ? 1 : 0);
}
Poly span_of(const Op* op) {
  const Poly d = Poly::of(op->operands[1]) - Poly::of(op->operands[0]);
  return op->at(key::step) > 0 ? d : Poly() - d;
}

int uses(const Value* v, const Block& b) {
  int n = int(std::count(b.yields.begin(), b.yields.end(), v));
  for (auto* op : b.ops) {
    n += int(std::count(op->operands.begin(), op->operands.end(), v));
    for (auto* r : op->regions) n += uses(v, *r);
  }
  return n;
}

bool changes_length(const Op* op) { return op->kind == &ops::append || op->kind == &ops::pop || op->kind == &ops::resize; }
static bool touches_parameter(const Program& p, std::string_view name, std::size_t i, bool (*how)(const Op*), std::set<std::pair<std::string, std::size_t>>& seen) {
  const Function* f = p.find(name);
  if (!f || !seen.insert({std::string(name), i}).second) return !f;
  if (i >= f->body->params.size()) return false;
  const Value* buffer = f->body->params[i];
  bool found = false;
  walk(*f->body, [&](Op* op) {
    if (op->kind == &ops::call) {
      for (std::size_t k = 0; k < op->operands.size(); ++k) if (op->operands[k] == buffer) found |= touches_parameter(p, op->at(key::callee), k, how, seen);
    } else if (how(op) && !op->operands.empty() && op->operands[0] == buffer) found = true;
  });
  return found;
}
bool writes_parameter(const Program& p, std::string_view name, std::size_t i) {
  std::set<std::pair<std::string, std::size_t>> seen;
  return touches_parameter(p, name, i, [](const Op* op) { return op->kind->effect == Effect::writes; }, seen);
}
bool resizes_parameter(const Program& p, std::string_view name, std::size_t i) {
  std::set<std::pair<std::string, std::size_t>> seen;
  return touches_parameter(p, name, i, changes_length, seen);
}

Geometry::Geometry(const Program& p, const Function& f) : program_(p), f_(f), order_(f.ops.size()) {
  for (auto* v : f.body->params) if (v->type.buffer) buffers_.push_back(v), touching_[v];
  visit(*f.body);
}
void Geometry::visit(const Block& b) {
  for (auto* op : b.ops) {
    order_[std::size_t(op->id)].first = n_++;
    for (auto* r : op->results) if (r->type.buffer) buffers_.push_back(r), touching_[r];
    for (auto* v : op->operands) {
      if (!v->type.buffer) continue;
      auto& list = touching_[v];
      if (list.empty() || list.back() != op) list.push_back(op);
    }
    for (auto* r : op->regions) visit(*r);
    order_[std::size_t(op->id)].second = n_ - 1;
  }
}

std::vector<Op*> Geometry::chain(const Block* block, const Block* top) const {
  std::vector<Op*> r;
  for (; block != top; block = block->owner->block) r.push_back(block->owner);
  std::reverse(r.begin(), r.end());
  return r;
}
std::vector<Op*> Geometry::loops(const Block* block, const Block* top) const {
  auto r = chain(block, top);
  std::erase_if(r, [](Op* op) { return !is_loop(op); });
  return r;
}
std::vector<Op*> Geometry::common(const Op* a, const Op* b, const Block* top) const {
  const auto x = chain(a->block, top), y = chain(b->block, top);
  std::vector<Op*> r;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()) && x[i] == y[i]; ++i) if (is_loop(x[i])) r.push_back(x[i]);
  return r;
}

const std::vector<Op*>& Geometry::touching(const Value* buffer) const { return touching_.at(buffer); }
bool Geometry::writes(const Op* op, const Value* buffer) const {
  if (op->kind == &ops::call) {
    for (std::size_t i = 0; i < op->operands.size(); ++i)
      if (op->operands[i] == buffer && writes_parameter(program_, op->at(key::callee), i)) return true;
    return false;
  }
  return op->kind->effect == Effect::writes && !op->operands.empty() && op->operands[0] == buffer;
}
bool Geometry::reads(const Op* op, const Value* buffer) const {
  if (op->kind == &ops::call) return std::find(op->operands.begin(), op->operands.end(), buffer) != op->operands.end();
  if (op->operands.empty() || op->operands[0] != buffer) return false;
  return op->kind->effect == Effect::reads || (op->kind->effect == Effect::writes && op->kind != &ops::store && op->kind != &ops::fill);
}
bool Geometry::resized(const Value* buffer) const {
  for (auto* op : touching(buffer)) {
    if (changes_length(op)) return true;
    if (op->kind != &ops::call) continue;
    for (std::size_t i = 0; i < op->operands.size(); ++i) if (op->operands[i] == buffer && resizes_parameter(program_, op->at(key::callee), i)) return true;
  }
  return false;
}

// --- facts ---
namespace {

void learn_condition(Facts& facts, const Value* condition, bool holds) {
  const Op* op = condition->def;
  if (!op) return;
  if (op->kind == &ops::logical_not) return learn_condition(facts, op->operands[0], !holds);
  if ((op->kind == &ops::bit_and && holds) || (op->kind == &ops::bit_or && !holds)) {
    for (auto* v : op->operands) learn_condition(facts, v, holds);
    return;
  }
  if (op->kind != &ops::compare || !op->operands[0]->type.integer()) return;
  const Poly a = Poly::of(op->operands[0]), b = Poly::of(op->operands[1]);
  switch (op->at(key::direction)) {
    case Compare::lt: facts.nonnegative(holds ? b - a - 1 : a - b); break;
    case Compare::le: facts.nonnegative(holds ? b - a : a - b - 1); break;
    case Compare::gt: facts.nonnegative(holds ? a - b - 1 : b - a); break;
    case Compare::ge: facts.nonnegative(holds ? a - b : b - a - 1); break;
    case Compare::eq: if (holds) facts.nonnegative(a - b), facts.nonnegative(b - a); break;
    case Compare::ne: if (!holds) facts.nonnegative(a - b), facts.nonnegative(b - a); break;
  }
}

}  // namespace

void Geometry::learn(Facts& facts, const Op* owner, const Block* region) const {
  if (owner && is_for(owner)) {
    const Poly i = Poly::symbol(counter_of(owner)), from = Poly::of(owner->operands[0]), to = Poly::of(owner->operands[1]);
    const bool up = owner->at(key::step) > 0;
    facts.nonnegative(up ? i - from : from - i);
    facts.nonnegative(up ? to - 1 - i : i - to - 1);
  } else if (owner && owner->kind == &ops::if_) {
    learn_condition(facts, owner->operands[0], region == owner->regions[0]);
  }
  // An index outside its buffer is undefined, hence it is not negative where it is used.
  int few = 64;
  for (auto* op : region->ops) {
    if ((op->kind == &ops::load || op->kind == &ops::store || op->kind == &ops::accum) && few-- > 0) facts.nonnegative(Poly::of(op->operands[1]));
    if (op->kind == &ops::alloc && few-- > 0) facts.nonnegative(Poly::of(op->operands[0]));
  }
}
const Facts& Geometry::facts(const Block* block) const {
  if (auto it = facts_.find(block); it != facts_.end()) return it->second;
  Facts here = block->owner ? facts(block->owner->block) : Facts{};
  learn(here, block->owner, block);
  return facts_[block] = std::move(here);
}

bool Geometry::injective(Poly p, const std::vector<Op*>& loops, const Facts& facts) const {
  Poly need = 1;
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    if (!is_for(*it)) return false;
    auto parts = p.split(counter_of(*it));
    if (!parts || parts->first.zero()) return false;
    auto [c, rest] = *parts;
    if (!facts.proves(c - need)) {
      c = Poly() - c;
      if (!facts.proves(c - need)) return false;
    }
    need = c * span_of(*it);
    p = rest;
  }
  return true;
}
std::optional<Poly> Geometry::bound(Poly p, const std::vector<Op*>& loops, bool up, const Facts& facts) const {
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    if (!is_for(*it)) continue;                   // has no counter
    const Value* i = counter_of(*it);
    auto parts = p.split(i);
    if (!parts) return std::nullopt;
    const Poly& c = parts->first;
    if (c.zero()) continue;
    const bool rises = facts.proves(c);
    if (!rises && !facts.proves(Poly() - c)) return std::nullopt;
    const bool ascending = (*it)->at(key::step) > 0;
    const Poly from = Poly::of((*it)->operands[0]), to = Poly::of((*it)->operands[1]);
    const Poly least = ascending ? from : to + 1, most = ascending ? to - 1 : from;
    p = p.at(i, rises == up ? most : least);
  }
  return p;
}

std::optional<Geometry::Span> Geometry::span(const Op* access, const Op* loop) const {
  const Block* body = body_of(loop);
  const Facts& known = facts(access->block);
  auto inner = loops(access->block, body);
  const Poly p = Poly::of(access->operands[1]);
  auto from = bound(p, inner, false, known), last = bound(p, inner, true, known);
  if (!from || !last) return std::nullopt;
  for (auto* end : {&*from, &*last}) for (auto* s : end->symbols()) if (s != counter_of(loop) && inside(s->block, body)) return std::nullopt;
  return Span{*from, *last};
}
bool Geometry::apart(const Span& a, const Span& b, const Op* loop) const {
  const Value* i = counter_of(loop);
  const Facts& known = facts(body_of(loop));
  const auto a0 = a.from.split(i), a1 = a.last.split(i), b0 = b.from.split(i), b1 = b.last.split(i);
  if (!a0 || !a1 || !b0 || !b1 || a0->first != a1->first || a0->first != b0->first || a0->first != b1->first) return false;
  Poly c = a0->first;
  if (c.zero()) return false;
  if (!known.proves(c)) c = Poly() - c;
  if (!known.proves(c)) return false;
  const Poly gap_up = b0->second - a1->second - 1, gap_down = a0->second - b1->second - 1;    // with the counters equal
  if (known.proves(c + gap_up) && known.proves(c + gap_down)) return true;
  const Poly most = c * (span_of(loop) - 1);       // between two turns
  return known.proves(gap_up - most) || known.proves(gap_down - most);
}

}  // namespace tlaloc::ir
