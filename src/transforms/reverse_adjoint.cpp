// SPDX-License-Identifier: Apache-2.0
//
// Adjoint code, op by op in reverse. Adjoints of scalars are values of the emitted function (a map per path of control);
// adjoints of buffers live in shadows: a load adds to its element, a store takes it.
#include "transforms/reverse_emit.hpp"

#include <algorithm>
#include <utility>

namespace tlaloc::ir {

void Emitter::add(Adjoints& to, Value* v, X d) {
  if (!d || constant_of(v) || !a_.active(v)) return;
  auto [it, fresh] = to.try_emplace(v, d.v);
  if (!fresh) it->second = (X{ob_, it->second} + d).v;
  const std::string base = base_name(v);
  if (base.empty()) return;
  for (Value* made : {d.v, it->second}) if (made->name.empty() && made->def && !constant_of(made)) made->name = "d_" + base;
}
Value* Emitter::take(Adjoints& from, const Value* v) {
  auto it = from.find(v);
  if (it == from.end()) return nullptr;
  Value* d = it->second;
  from.erase(it);
  return d;
}
std::vector<Value*> Emitter::outside(const Op* op) const {
  std::vector<Value*> found;
  auto note = [&](Value* v) {
    if (v->type.buffer || !a_.active(v) || std::find(found.begin(), found.end(), v) != found.end()) return;
    for (auto* r : op->regions) if (inside(v->block, r)) return;
    found.push_back(v);
  };
  for (auto* r : op->regions) {
    walk(*r, [&](Op* o) {
      if (!a_.active(o)) return;
      for (auto* v : o->operands) note(v);
      for (auto* x : o->regions) for (auto* y : x->yields) note(y);
    });
    for (auto* y : r->yields) note(y);
  }
  return found;
}
void Emitter::prefetch(const Block& b, const Frame& fr) {
  if (&b == fr.top) return;
  if (auto it = fr.by_block.find(&b); it != fr.by_block.end()) for (auto* v : it->second) get(v);
}

void Emitter::backward(const Block& b, const Frame& fr, Adjoints& ds) {
  for (auto* op : b.ops) {
    if (op->kind != &ops::alloc) continue;
    ob_->where = op->where, ob_->where.adjoint = true;
    const Value* buffer = op->results[0];
    const auto& all = g_.touching(buffer);
    // A call's adjoint and the replay of a loop use the buffer itself.
    const bool used = std::any_of(all.begin(), all.end(), [&](Op* o) {
      return (o->kind == &ops::call && a_.active(o)) ||
             std::any_of(fr.subs.begin(), fr.subs.end(), [&](auto& s) { return inside(o->block, s.second->top); });
    });
    if (used && Plan::gone(buffer, fr)) {
      X size = x(op->operands[0]);
      scopes_.back().places[buffer] = {allocate(size, buffer->type.dtype, buffer->name), {}, size.v};
    }
    if (!a_.active(op)) continue;
    Value* s = allocate(x(plan_.needs(*op)[0]), buffer->type.dtype, "d_" + buffer->name);
    ob_->append(ops::fill, {s, constant(*ob_, buffer->type.dtype, 0).v});
    scopes_.back().shadows[buffer] = s;
  }
  for (auto it = b.ops.rbegin(); it != b.ops.rend(); ++it) if (a_.active(*it)) backward(*it, fr, ds);
}
void Emitter::backward(Op* op, const Frame& fr, Adjoints& ds) {
  ob_->where = op->where, ob_->where.adjoint = true;
  if (is_loop(op)) return backward_loop(op, fr, ds);
  if (op->kind == &ops::if_) return backward_if(op, fr, ds);
  if (op->kind == &ops::call) return backward_call(op, fr, ds);
  if (op->kind == &ops::alloc) return;
  if (op->kind == &ops::append || op->kind == &ops::pop || op->kind == &ops::resize) return backward_resize(op, ds);
  if (op->kind->derivative.form == Derivative::structural) return backward_memory(op, ds);
  backward_pure(op, ds);
}
void Emitter::backward_memory(Op* op, Adjoints& ds) {
  Value* buffer = op->operands[0];
  if (op->kind == &ops::load) {
    if (Value* d = take(ds, op->results[0])) ob_->append(ops::accum, {shadow(buffer), get(op->operands[1]), d});
    return;
  }
  Value* s = shadow(buffer);
  X zero = constant(*ob_, buffer->type.dtype, 0);
  auto element = [&](Value* i) { return X{ob_, ob_->append(ops::load, {s, i})->results[0]}; };
  if (op->kind == &ops::fill) {
    if (a_.active(op->operands[1])) {
      X n{ob_, ob_->append(ops::length, {s})->results[0]};
      auto sum = loop(*ob_, index(*ob_, 0), n, 1, {zero}, [&](Builder& b, std::span<const X> xs) -> std::vector<X> {
        return {xs[1] + X{&b, b.append(ops::load, {s, xs[0].v})->results[0]}};
      });
      add(ds, op->operands[1], sum[0]);
    }
    ob_->append(ops::fill, {s, zero.v});
    return;
  }
  Value* i = get(op->operands[1]);
  if (a_.active(op->operands[2])) add(ds, op->operands[2], element(i));
  if (op->kind == &ops::store) ob_->append(ops::store, {s, i, zero.v});
}
void Emitter::backward_resize(Op* op, Adjoints& ds) {
  Value *buffer = op->operands[0], *s = shadow(buffer);
  X zero = constant(*ob_, buffer->type.dtype, 0);
  if (op->kind == &ops::append) return add(ds, op->operands[1], {ob_, ob_->append(ops::pop, {s})->results[0]});
  if (op->kind == &ops::pop) {
    Value* d = take(ds, op->results[0]);
    ob_->append(ops::append, {s, d ? d : zero.v});
    return;
  }
  X before = x(length_before(*op));
  if (a_.active(op->operands[2])) {
    auto sum = loop(*ob_, before, x(op->operands[1]), 1, {zero}, [&](Builder& b, std::span<const X> xs) -> std::vector<X> {
      return {xs[1] + X{&b, b.append(ops::load, {s, xs[0].v})->results[0]}};
    });
    add(ds, op->operands[2], sum[0]);
  }
  ob_->append(ops::resize, {s, before.v, zero.v});
}
void Emitter::backward_pure(Op* op, Adjoints& ds) {
  Value* d = take(ds, op->results[0]);
  if (!d || is_constant(d, 0)) return;
  if (Value* p = plan_.partner(*op)) {
    const X t = X{ob_, d} * x(p);
    return add(ds, op->operands[0], op->kind == &ops::cos ? -t : t);
  }
  std::set<int> read;
  for (int i = 0; i < int(op->operands.size()); ++i)
    if (a_.active(op->operands[std::size_t(i)])) for (int k : reads(*op, i)) read.insert(k);
  // What no active partial reads is not available: a constant stands in for it.
  auto given = [&](Value* v, int k) { return read.contains(k) || constant_of(v) ? x(v) : constant(*ob_, v->type.dtype, 0); };
  std::vector<X> in;
  for (int i = 0; i < int(op->operands.size()); ++i) in.push_back(given(op->operands[std::size_t(i)], i));
  const bool pointwise = op->kind->derivative.form == Derivative::pointwise;
  auto ps = pointwise ? partials(*op, in, given(op->results[0], -1)) : op->kind->derivative.transpose(*op, in, {ob_, d});
  for (std::size_t i = 0; i < ps.size(); ++i) for (std::size_t k = 0; k < i; ++k)       // x * x: one adjoint, 2 x d
    if (ps[i] && ps[k] && op->operands[i] == op->operands[k]) ps[k] = ps[k] + std::exchange(ps[i], X{});
  for (std::size_t i = 0; i < ps.size(); ++i)
    if (ps[i] && a_.active(op->operands[i])) add(ds, op->operands[i], pointwise ? X{ob_, d} * ps[i] : ps[i]);
}
void Emitter::backward_if(Op* op, const Frame& fr, Adjoints& ds) {
  const auto free = outside(op);
  std::vector<std::pair<std::size_t, Value*>> given;
  for (std::size_t j = 0; j < op->results.size(); ++j) if (Value* d = take(ds, op->results[j])) given.emplace_back(j, d);
  auto side = [&](const Block* r) {
    return [&, r](Builder& b, std::span<const X>) {
      return within(b, [&] {
        Adjoints inner;
        for (auto* v : free) if (auto it = ds.find(v); it != ds.end()) inner[v] = it->second;
        prefetch(*r, fr);
        for (auto& [j, d] : given) add(inner, r->yields[j], {ob_, d});
        backward(*r, fr, inner);
        std::vector<X> ys;
        for (auto* v : free) ys.push_back(inner.contains(v) ? X{ob_, inner[v]} : constant(*ob_, v->type.dtype, 0));
        return ys;
      });
    };
  };
  const Location where = ob_->where;
  const auto out = branch(*ob_, x(op->operands[0]), side(op->regions[0]), side(op->regions[1]));
  ob_->block->ops.back()->where = where;
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (const auto n = base_name(free[k]); !n.empty()) X(out[k]).named("d_" + n);
    ds[free[k]] = out[k].v;
  }
}
void Emitter::backward_call(Op* op, const Frame& fr, Adjoints& ds) {
  if (auto s = fr.snapshot.find(op); s != fr.snapshot.end())
    for (auto b = s->second.rbegin(); b != s->second.rend(); ++b) restore_contents(contents_.at({op->id, (*b)->id}), *b, fr, op);
  std::vector<int> wanted;
  std::vector<Value*> in, shadows;
  for (std::size_t i = 0; i < op->operands.size(); ++i) {
    Value* v = op->operands[i];
    in.push_back(v->type.buffer ? place(v).buffer : get(v));
    if (!a_.active(v)) continue;
    wanted.push_back(int(i));
    if (v->type.buffer) shadows.push_back(shadow(v));
  }
  const std::string callee = callees_.reverse(*op, wanted);
  for (auto* r : op->results) {
    if (!r->type.real()) continue;
    Value* d = take(ds, r);
    in.push_back(d ? d : constant(*ob_, r->type.dtype, 0).v);
  }
  in.insert(in.end(), shadows.begin(), shadows.end());
  Types types;
  for (int i : wanted) if (!op->operands[std::size_t(i)]->type.buffer) types.push_back(op->operands[std::size_t(i)]->type);
  Op* made = ob_->append(ops::call, in, {callee, types});
  std::size_t k = 0;
  for (int i : wanted) if (!op->operands[std::size_t(i)]->type.buffer) add(ds, op->operands[std::size_t(i)], {ob_, made->results[k++]});
}

}  // namespace tlaloc::ir
