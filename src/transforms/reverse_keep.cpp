// SPDX-License-Identifier: Apache-2.0
//
// Kept values: room for them before the loop that makes them, writing in the forward code, reading in the reverse.
#include "transforms/reverse_emit.hpp"

#include <algorithm>

namespace tlaloc::ir {

namespace {

std::string kept_name(const std::string& base) { return (base.empty() ? "t" : base) + "_kept"; }
bool undone(const Plan& plan, const Value* entry) { return plan.options.undo && plan.undo(entry, true).has_value(); }
/// Whether the reverse sweep may write the buffer: in a replay or through the adjoint of a call.
bool written_again(const Plan& plan, const Frame& fr, const Value* b, bool replayed) {
  for (auto* w : plan.geometry().touching(b)) {
    if (!plan.geometry().writes(w, b) || !inside(w->block, fr.top)) continue;
    if ((replayed && fr.live.contains(w)) || (w->kind == &ops::call && plan.activity().active(w))) return true;
  }
  return std::any_of(fr.subs.begin(), fr.subs.end(), [&](auto& s) { return s.second->entry_buffers.contains(const_cast<Value*>(b)) || written_again(plan, *s.second, b, true); });
}

}  // namespace

// Before the op at a frame's top that contains them, everything that sizes depend on is known, and the room is in scope
// until the reverse sweep comes back.
void Emitter::before(Op* top, const Frame& fr) {
  const int lo = g_.first(top), hi = g_.last(top);
  auto here = [&](const Op* op) { return g_.first(op) >= lo && g_.first(op) <= hi; };
  ob_->where = top->where;
  for (auto& [b, loops] : fr.expand) {
    const auto& all = g_.touching(b);
    const bool made = b->def && b->block == fr.top ? b->def == top : std::any_of(all.begin(), all.end(), [&](Op* o) { return inside(o->block, fr.top) && here(o); });
    if (!made || !expanded_.insert({&fr, b->id}).second) continue;
    const auto [from, count] = *plan_.elements(b, fr);
    X size = number(count), room = size;
    if (!b->def && !constant_of(size.v)) room = ops::select(size < index(*ob_, 0), index(*ob_, 0), size);
    Value* copies = allocate(product(loops, fr, room), b->type.dtype, b->name);
    if (loops.size() > 1) rooms_[copies] = slowness(loops.size() + 1);
    scopes_[frames_.back().scope].places[b] = {copies, loops, size.v, nullptr, from, true};
  }
  for (auto* v : fr.tape)
    if (here(v->def ? v->def : v->block->owner)) kept_[{&fr, v->id}] = make_room(plan_.path(v, fr), fr, v->type.dtype, kept_name(base_name(v)), index(*ob_, 1));
  auto contents = [&](const Op* op, const Value* b, const std::vector<Op*>& loops) {
    const bool deep = b->block != fr.top && inside(b->block, fr.top);
    contents_[{op->id, b->id}] = make_room(loops, fr, b->type.dtype, kept_name(b->name), deep ? X{} : whole(b, op).second);
  };
  for (auto& [loop, sub] : fr.subs) {
    if (!here(loop)) continue;
    auto loops = g_.loops(loop->block, fr.top);
    loops.push_back(const_cast<Op*>(loop));
    for (auto* v : sub->entry) if (!undone(plan_, v)) kept_[{sub.get(), v->id}] = make_room(loops, fr, v->type.dtype, kept_name(v->name), index(*ob_, 1));
    for (auto* b : sub->entry_buffers) contents(loop, b, loops);
  }
  for (auto& [op, bs] : fr.snapshot) if (here(op)) for (auto* b : bs) contents(op, b, g_.loops(op->block, fr.top));
}
Emitter::Kept Emitter::make_room(const std::vector<Op*>& loops, const Frame& fr, DType d, const std::string& name, X size) {
  const bool array = size && plan_.regular(loops, fr);
  Value* room = allocate(array ? product(loops, fr, size) : index(*ob_, 0), d, name);
  rooms_[room] = slowness(loops.size());
  return {room, loops, !array};
}
void Emitter::push(const Kept& k, Value* v, const Frame& fr) {
  if (k.stack) ob_->append(ops::append, {k.buffer, v});
  else ob_->append(ops::store, {k.buffer, row(k.loops, fr).v, v});
}
Value* Emitter::pull(const Kept& k, const Frame& fr, const std::string& name) {
  Value* v = k.stack ? ob_->append(ops::pop, {k.buffer})->results[0] : ob_->append(ops::load, {k.buffer, row(k.loops, fr).v})->results[0];
  v->name = name;
  return v;
}
void Emitter::keep(Value* v, const Frame& fr) { if (fr.tape.contains(v)) push(kept_.at({&fr, v->id}), get(v), fr); }

void Emitter::keep_contents(const Kept& k, const Value* b, const Frame& fr, const Op* user) {
  if (k.stack && g_.resized(b)) throw Refusal("NOT_DIFFERENTIABLE", user->where, "the vector '" + b->name + "' is passed to a recursive function");
  const auto [from, n] = whole(b, user);
  X base = k.stack ? n : row(k.loops, fr) * n, start = from;
  loop(*ob_, index(*ob_, 0), n, 1, {}, [&](Builder& inner, std::span<const X> i) {
    return within(inner, [&]() -> std::vector<X> {
      Value* e = inner.append(ops::load, {place(b).buffer, element(b, {&inner, start.v}, {&inner, i[0].v})})->results[0];
      if (k.stack) inner.append(ops::append, {k.buffer, e});
      else inner.append(ops::store, {k.buffer, (X{&inner, base.v} + X{&inner, i[0].v}).v, e});
      return {};
    });
  });
}
void Emitter::restore_contents(const Kept& k, const Value* b, const Frame& fr, const Op* user) {
  const auto [from, n] = whole(b, user);
  X base = k.stack ? n : row(k.loops, fr) * n, start = index(*ob_, 0), offset = from;
  loop(*ob_, k.stack ? n - 1 : start, k.stack ? index(*ob_, -1) : n, k.stack ? -1 : 1, {}, [&](Builder& inner, std::span<const X> i) {
    return within(inner, [&]() -> std::vector<X> {
      Value* e = k.stack ? inner.append(ops::pop, {k.buffer})->results[0]
                         : inner.append(ops::load, {k.buffer, (X{&inner, base.v} + X{&inner, i[0].v}).v})->results[0];
      inner.append(ops::store, {place(b).buffer, element(b, {&inner, offset.v}, {&inner, i[0].v}), e});
      return {};
    });
  });
}

// --- the state at the start of a replayed iteration ---
void Emitter::enter(Op* loop, const Frame& fr) {
  auto s = fr.subs.find(loop);
  if (s == fr.subs.end()) return;
  const Frame& sub = *s->second;
  for (auto* v : sub.entry) if (!undone(plan_, v)) push(kept_.at({&sub, v->id}), get(v), fr);
  for (auto* b : sub.entry_buffers) keep_contents(contents_.at({loop->id, b->id}), b, fr, loop);
}
void Emitter::reenter(Op* loop, const Frame& fr) {
  const Frame& sub = *fr.subs.at(loop);
  for (auto* v : sub.entry) if (!undone(plan_, v)) scopes_.back().values[v] = pull(kept_.at({&sub, v->id}), fr, v->name);
  for (auto* b : sub.entry_buffers) {
    const Kept& k = contents_.at({loop->id, b->id});
    const auto& all = g_.touching(b);
    const bool changes = std::any_of(all.begin(), all.end(), [&](Op* w) { return inside(w->block, sub.top) && ((g_.writes(w, b) && runs(sub, w)) || w->kind == &ops::call); });
    if (changes || k.stack || !place(b).copies.empty()) { restore_contents(k, b, fr, loop); continue; }
    X n = whole(b, loop).second;                    // the replay only reads it: read the kept copy in place
    scopes_.back().places[b] = {k.buffer, {}, n.v, (row(k.loops, fr) * n).v, region_from(b), true};
  }
}

// --- final contents of parameters that the reverse sweep overwrites ---
void Emitter::keep_final() {
  for (auto* b : plan_.options.final) {
    if (!written_again(plan_, plan_.root(), b, false)) continue;
    const Op* user = g_.touching(b).front();
    Kept k{allocate(whole(b, user).second, b->type.dtype, b->name + "_final"), {}, false};
    keep_contents(k, b, plan_.root(), user);
    final_.emplace_back(b, k.buffer);
  }
}
void Emitter::restore_final() {
  for (auto& [b, copy] : final_) restore_contents({copy, {}, false}, b, plan_.root(), g_.touching(b).front());
}

}  // namespace tlaloc::ir
