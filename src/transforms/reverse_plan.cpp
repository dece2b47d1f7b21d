// SPDX-License-Identifier: Apache-2.0
//
// Demand: from what the adjoints of a frame's ops read to what its forward code runs and keeps.
#include "transforms/reverse_plan.hpp"

#include <algorithm>

namespace tlaloc::ir {

namespace {

constexpr int expensive = 8;                      // cost from which a result is kept rather than computed again

/// Real arithmetic may be contracted differently when it is compiled again: what is decided by it is kept, not decided twice.
bool decided_by_arithmetic(const Op* op) {
  if (op->results[0]->type.real()) return false;
  return std::any_of(op->operands.begin(), op->operands.end(), [](Value* v) {
    return v->type.real() && v->def && !constant_of(v) && v->def->kind->effect <= Effect::guarded;
  });
}
bool is_costly(const Op* op) { return op->results[0]->type.real() && op->kind->cost >= expensive; }

}  // namespace

bool runs(const Frame& f, const Op* op) {
  if (f.live.contains(const_cast<Op*>(op))) return true;
  return std::any_of(f.subs.begin(), f.subs.end(), [&](auto& s) { return runs(*s.second, op); });
}
bool reads_again(const Frame& f, const Op* op) {
  if (runs(f, op)) return true;
  for (auto& [v, o] : f.reload) if (o == op) return true;
  return std::any_of(f.subs.begin(), f.subs.end(), [&](auto& s) { return reads_again(*s.second, op); });
}

bool has_outputs(const Program& p, const std::string& name) {
  std::set<std::string> seen;
  std::function<bool(const std::string&)> visit = [&](const std::string& n) {
    const Function* f = p.find(n);
    if (!f || !seen.insert(n).second) return false;
    bool found = false;
    walk(*f->body, [&](Op* op) {
      found |= op->kind->effect == Effect::outputs;
      if (!found && op->kind == &ops::call) found = visit(op->at(key::callee));
    });
    return found;
  };
  return visit(name);
}

// --- one pass of demand over a frame ---
struct Demand {
  const Plan& plan;
  Frame& fr;
  const Geometry& g;
  const ReverseActivity& a;
  std::vector<Value*> queue = {}, roots = {};

  bool within(const Value* v) const { return inside(v->block, fr.top); }
  bool on_top(const Value* v) const { return v->block == fr.top; }
  void ask(Value* v) { if (!constant_of(v)) queue.push_back(v); }

  /// Kept values that computing v again would read and that are not kept anyway.
  void leaves(Value* v, ValueSet& seen, ValueSet& out) const {
    if (constant_of(v) || !within(v) || on_top(v) || fr.tape.contains(v) || !seen.insert(v).second) return;
    const Op* op = v->def;
    if (!op) { if (!v->block->owner || v != counter_of(v->block->owner)) out.insert(v); return; }
    if (op->kind == &ops::load && !fr.stale.contains(const_cast<Op*>(op))) return;
    if (op->kind->effect <= Effect::guarded && op->regions.empty() && !(is_costly(op) && plan.options.keep_expensive)) {
      for (auto* x : op->operands) leaves(x, seen, out);
      return;
    }
    out.insert(v);
  }
  void extents(const std::vector<Op*>& loops) {
    if (!plan.regular(loops, fr)) return;
    for (auto* l : loops) for (auto* s : plan.extent(l, loops, fr)->symbols()) resolve(const_cast<Value*>(s));
  }
  void keep(Value* v) {
    fr.tape.insert(v);
    roots.push_back(v);
    extents(plan.path(v, fr));
  }
  bool steady_length(const Op* op) const {        // of a buffer that is in scope all along and keeps its length
    return op->kind == &ops::length && !g.resized(op->operands[0]) && inside(fr.top, op->operands[0]->block);
  }
  void resolve(Value* v) {
    if (constant_of(v) || fr.want.contains(v)) return;
    if (!within(v)) { fr.outer.insert(v); return; }
    fr.want.insert(v);
    const Op* owner = v->block->owner;
    if (on_top(v)) { if (!owner || v != counter_of(owner)) roots.push_back(v); return; }
    fr.by_block[v->block].push_back(v);
    Op* op = v->def;
    if (!op) {
      if (v == counter_of(owner)) return;
      if (auto u = plan.options.undo ? plan.undo(v, false) : std::nullopt) {
        fr.undo.emplace(v, *u);
        resolve(u->step);
        resolve(owner->results[std::size_t(carried_index(owner, v))]);
        return;
      }
      return keep(v);
    }
    if (op->kind == &ops::load) {
      if (fr.stale.contains(op)) return keep(v);
      fr.reload[v] = op;
      return resolve(op->operands[1]);
    }
    if (steady_length(op)) return;
    if (op->kind->effect > Effect::guarded || !op->regions.empty() || decided_by_arithmetic(op)) return keep(v);
    if (is_costly(op) && plan.options.keep_expensive) return keep(v);
    ValueSet seen, found;
    leaves(v, seen, found);
    if (!v->type.integer() && found.size() > (v->type.dtype == DType::boolean ? 0u : 1u)) return keep(v);
    for (auto* x : op->operands) resolve(x);
  }

  // --- forward liveness ---
  void live_block(const Block* b) { if (b != fr.top && b->owner && inside(b, fr.top)) live(b->owner); }
  void live(Op* op) {
    if (!fr.live.insert(op).second) return;
    live_block(op->block);
    if (is_for(op)) need(op->operands[0]), need(op->operands[1]);
    else if (is_while(op)) need(op->regions[0]->yields[0]);
    else for (auto* v : op->operands) need(v);
    for (auto* b : op->operands) if (b->type.buffer && g.reads(op, b)) reaching(op, b);
  }
  void reaching(const Op* reader, Value* buffer) {
    need(buffer);
    fr.reads.insert(buffer);
    for (auto* w : g.touching(buffer))
      if (w != reader && g.writes(w, buffer) && inside(w->block, fr.top) && may_follow(w, reader)) live(w);
  }
  bool may_follow(const Op* w, const Op* reader) const { return g.first(w) < g.first(reader) || !g.common(w, reader, fr.top).empty(); }
  void carry(Op* loop, std::size_t j) {
    if (!fr.carry.insert({loop->id, j}).second) return;
    live(loop);
    need(init_of(loop, j));
    need(next_of(loop, j));
  }
  void need(Value* v) {
    if (constant_of(v)) return;
    if (!within(v)) { (v->type.buffer ? fr.outer_buffers : fr.outer).insert(v); return; }
    if (!fr.live_values.insert(v).second) return;
    Op *op = v->def, *owner = v->block->owner;
    if (op) {
      live(op);
      const auto j = std::size_t(std::find(op->results.begin(), op->results.end(), v) - op->results.begin());
      if (is_loop(op)) carry(op, j);
      else if (op->kind == &ops::if_) for (auto* r : op->regions) need(r->yields[j]);
      return;
    }
    if (!owner) return;
    if (on_top(v)) { if (v != counter_of(owner)) fr.entry.insert(v); return; }
    if (v == counter_of(owner)) return live(owner);
    carry(owner, std::size_t(carried_index(owner, v)));
  }

  // --- nested replays ---
  /// What a step that is taken back before the replay reads from outside the loop.
  void ask_outside(Value* v, const Block* body) {
    if (constant_of(v)) return;
    if (!inside(v->block, body)) return ask(v);
    if (v->def) for (auto* x : v->def->operands) ask_outside(x, body);
  }
  bool undone(Value* entry) const { return plan.options.undo && plan.undo(entry, true).has_value(); }
  void ask_of_replay(Op* loop, Frame& sub) {
    for (auto* v : sub.outer) ask(v);
    for (auto* b : sub.outer_buffers) if (local(b) && within(b) && !on_top(b)) ask(b->def->operands[0]);     // made again for the replay
    bool kept = !sub.entry_buffers.empty();
    for (auto* v : sub.entry) {
      if (!undone(v)) { kept = true; continue; }
      ask(loop->results[std::size_t(carried_index(loop, v))]);
      ask_outside(plan.undo(v, true)->step, sub.top);
    }
    if (!kept) return;
    auto loops = g.loops(loop->block, fr.top);
    loops.push_back(loop);
    extents(loops);
  }
  void feed_replay(Op* loop, Frame& sub) {
    for (auto* v : sub.entry) if (!undone(v)) need(v);
    for (auto* b : sub.outer_buffers) need(b);
    for (auto* b : sub.entry_buffers) {
      need(b);
      fr.reads.insert(b);
      live(loop);
      for (auto* w : g.touching(b))
        if (g.writes(w, b) && inside(w->block, fr.top) && (g.first(w) <= g.last(loop) || !g.common(w, loop, fr.top).empty())) live(w);
    }
    for (auto* b : sub.outer_reads) reaching(loop, b);
  }

  void reset() {
    fr.want.clear(), fr.tape.clear(), fr.reload.clear(), fr.undo.clear(), fr.by_block.clear(), fr.live.clear(), fr.live_values.clear();
    fr.carry.clear(), fr.outer.clear(), fr.outer_buffers.clear(), fr.entry.clear(), fr.reads.clear();
  }
  void root_demands() {
    const Function& f = g.function();
    if (plan.options.results) for (auto* y : f.body->yields) need(y);
    for (auto* b : plan.options.final) for (auto* w : g.touching(b)) if (g.writes(w, b)) live(w);
    if (!plan.options.outputs) return;
    walk(*f.body, [&](Op* op) {
      if (op->kind->effect == Effect::outputs) live(op);
      if (op->kind == &ops::call && has_outputs(g.program(), op->at(key::callee))) live(op);
    });
  }
  void run(const std::vector<Op*>& all) {
    reset();
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      if (!a.active(*it)) continue;
      for (auto* v : plan.needs(**it)) ask(v);
      if ((*it)->kind == &ops::call) for (auto* b : (*it)->operands) if (local(b)) ask(b->def->operands[0]);
      if (auto s = fr.subs.find(*it); s != fr.subs.end()) ask_of_replay(*it, *s->second);
    }
    // What must be kept comes first, then what hangs on it.
    std::vector<Value*> early, late;
    for (auto* v : queue) (!v->def || v->def->kind == &ops::load || is_costly(v->def) ? early : late).push_back(v);
    queue = std::move(early);
    queue.insert(queue.end(), late.begin(), late.end());
    for (auto& [b, loops] : fr.expand) {
      extents(loops);
      const auto e = *plan.elements(b, fr);
      for (auto* p : {&e.first, &e.second}) for (auto* s : p->symbols()) resolve(const_cast<Value*>(s));
    }
    for (std::size_t i = 0; i < queue.size(); ++i) resolve(queue[i]);
    for (auto* v : roots) need(v);
    for (auto& [v, l] : fr.reload) reaching(l, l->operands[0]);
    for (auto* op : all) {
      if (op->kind != &ops::call || !a.active(op)) continue;
      for (auto* b : op->operands) {
        if (!b->type.buffer) continue;
        reaching(op, b);
        if (g.writes(op, b) && !g.loops(op->block, fr.top).empty()) live(op);      // its next turn reads what it wrote
      }
      if (auto s = fr.snapshot.find(op); s != fr.snapshot.end()) {
        live_block(op->block);
        extents(g.loops(op->block, fr.top));
      }
    }
    for (auto& [loop, sub] : fr.subs) feed_replay(const_cast<Op*>(loop), *sub);
    if (!fr.loop) root_demands();
    for (auto& [b, vs] : fr.by_block) std::sort(vs.begin(), vs.end(), [&](Value* x, Value* y) { return place(x) < place(y); });
  }
  std::pair<int, int> place(const Value* v) const { return {v->def ? g.first(v->def) : -1, v->id}; }
  static bool local(const Value* b) { return b->def && b->def->kind == &ops::alloc; }
};

// --- questions ---
std::vector<Value*> Plan::needs(const Op& op) const {
  std::vector<Value*> r;
  if (is_for(&op)) return {op.operands[0], op.operands[1]};
  if (is_while(&op)) return {op.results.back()};                    // its trip count: see prepare()
  if (op.kind == &ops::if_) return {op.operands[0]};
  if (op.kind == &ops::alloc) return {final_length(op) ? final_length(op) : op.operands[0]};
  if (op.kind == &ops::resize) return {length_before(op), op.operands[1]};
  if (op.kind == &ops::call) { for (auto* v : op.operands) if (!v->type.buffer) r.push_back(v); return r; }
  if (op.kind->derivative.form == Derivative::structural) {         // load, store, accum
    if (op.operands.size() > 1 && op.operands[1]->type == Type{index_type} && op.kind != &ops::append && op.kind != &ops::fill) r.push_back(op.operands[1]);
    return r;
  }
  if (Value* p = partner(op)) return {p};
  for (int i = 0; i < int(op.operands.size()); ++i) {
    if (!a_.active(op.operands[std::size_t(i)])) continue;
    check_differentiable(op, i);
    for (int k : reads(op, i)) r.push_back(k < 0 ? op.results[0] : op.operands[std::size_t(k)]);
  }
  return r;
}
Value* Plan::partner(const Op& op) const {
  static const std::pair<const Kind*, const Kind*> pairs[] = {{&ops::sin, &ops::cos}, {&ops::sinh, &ops::cosh}};
  for (auto& [a, b] : pairs) {
    if (op.kind != a && op.kind != b) continue;
    for (auto* o : op.block->ops)
      if (o->kind == (op.kind == a ? b : a) && o->operands[0] == op.operands[0]) return o->results[0];
  }
  return nullptr;
}
std::optional<Undo> Plan::undo(const Value* v, bool replay) const {
  if (!v->type.integer() || !v->block->owner || !is_loop(v->block->owner)) return std::nullopt;
  const Op* loop = v->block->owner;
  const Block* body = v->block;
  if (body != body_of(loop) || v == counter_of(loop)) return std::nullopt;
  const Value* y = next_of(loop, std::size_t(carried_index(loop, v)));
  if (!y->def || y->block != body) return std::nullopt;
  std::function<bool(const Value*)> known = [&](const Value* e) {
    if (e == v) return false;
    if (constant_of(e) || !inside(e->block, body) || e == counter_of(loop)) return true;
    const Op* op = e->def;
    if (!op || !op->regions.empty() || (replay && e->type.real())) return false;      // see decided_by_arithmetic
    if (op->kind == &ops::load) return !replay && known(op->operands[1]);
    return op->kind->effect <= Effect::guarded && std::all_of(op->operands.begin(), op->operands.end(), known);
  };
  const auto& in = y->def->operands;
  if (y->def->kind == &ops::add) {
    if (in[0] == v && known(in[1])) return Undo{in[1], true};
    if (in[1] == v && known(in[0])) return Undo{in[0], true};
  }
  if (y->def->kind == &ops::sub && in[0] == v && known(in[1])) return Undo{in[1], false};
  return std::nullopt;
}
std::vector<Op*> Plan::path(const Value* v, const Frame& fr) const { return g_.loops(v->block, fr.top); }
std::optional<Poly> Plan::extent(const Op* loop, const std::vector<Op*>& within, const Frame& fr) const {
  if (!is_for(loop)) return std::nullopt;
  std::vector<Op*> around;
  for (auto* l : within) if (l != loop && inside(loop->block, body_of(l))) around.push_back(l);
  auto p = g_.bound(span_of(loop), around, true, g_.facts(body_of(loop)));
  if (!p) return std::nullopt;
  for (auto* s : p->symbols()) if (!inside(fr.top, s->block)) return std::nullopt;
  return p;
}
bool Plan::regular(const std::vector<Op*>& loops, const Frame& fr) const {
  return std::all_of(loops.begin(), loops.end(), [&](Op* l) { return extent(l, loops, fr).has_value(); });
}

bool Plan::keeps_in(const Frame& fr, const Op* loop) {
  auto within = [&](const Block* b) { return inside(b, body_of(loop)); };
  return std::any_of(fr.tape.begin(), fr.tape.end(), [&](Value* v) { return within(v->block); }) ||
         std::any_of(fr.snapshot.begin(), fr.snapshot.end(), [&](auto& s) { return within(s.first->block); }) ||
         std::any_of(fr.expand.begin(), fr.expand.end(), [&](auto& e) { return std::find(e.second.begin(), e.second.end(), loop) != e.second.end(); }) ||
         std::any_of(fr.subs.begin(), fr.subs.end(), [&](auto& s) {
           const bool entered = !s.second->entry.empty() || !s.second->entry_buffers.empty();
           return (entered && within(s.first->block)) || keeps_in(*s.second, loop);
         });
}

// --- a frame, to a fixpoint ---
std::optional<std::pair<Poly, Poly>> Plan::elements(const Value* b, const Frame& fr) const {
  std::pair<Poly, Poly> r;
  if (b->def) {
    if (b->def->kind != &ops::alloc) return std::nullopt;
    r = {0, Poly::of(b->def->operands[0])};
  } else {
    const Region& region = regions_.at(b);
    if (!region.bounded || options.final.contains(const_cast<Value*>(b))) return std::nullopt;
    r = {region.from, region.last - region.from + 1};
  }
  for (auto* p : {&r.first, &r.second}) for (auto* s : p->symbols()) if (!inside(fr.top, s->block)) return std::nullopt;
  return r;
}
Plan::Plan(const Geometry& g, const ReverseActivity& a, const RegionMap& regions, PlanOptions o) : options(std::move(o)), g_(g), a_(a), regions_(regions) {
  root_.reset(new Frame{g.function().body, nullptr, nullptr});
  make(*root_);
  check_outer(*root_);
}
void Plan::gather(const Block& b, std::vector<Op*>& out) const {
  for (auto* op : b.ops) {
    out.push_back(op);
    if (is_loop(op) && replays(op) && a_.active(op)) continue;
    for (auto* r : op->regions) gather(*r, out);
  }
}
std::vector<Op*> Plan::ops_of(const Block& b) const { std::vector<Op*> r; gather(b, r); return r; }

void Plan::make(Frame& fr) {
  const auto all = ops_of(*fr.top);
  for (auto* op : all) {
    if (!is_loop(op) || !replays(op) || !a_.active(op)) continue;
    auto& sub = fr.subs[op];
    sub.reset(new Frame{body_of(op), &fr, op});
    make(*sub);
  }
  do Demand{*this, fr, g_, a_}.run(all);
  while (check_reloads(fr));
  if (!fr.loop) return;
  fr.entry_buffers.clear(), fr.outer_reads.clear();
  for (auto* b : fr.reads) {
    if (b->block != fr.top && inside(b->block, fr.top)) continue;     // lives and dies within an iteration
    if (b->block == fr.top) continue;
    const auto& all_of_it = g_.touching(b);
    const bool written = std::any_of(all_of_it.begin(), all_of_it.end(), [&](Op* w) { return g_.writes(w, b) && inside(w->block, fr.top); });
    if (!written) fr.outer_reads.insert(b);
    else if (!covered(fr, b, fr.top, false)) fr.entry_buffers.insert(b);
  }
  for (auto* b : fr.entry_buffers)
    if (g_.resized(b)) throw Refusal("REPLAY", fr.loop->where, "a vector that changes its length is carried into a replayed iteration");
}

}  // namespace tlaloc::ir
