// SPDX-License-Identifier: Apache-2.0
//
// The adjoint of a loop: a loop over the same iterations from the last to the first, upwards where they do not depend on
// each other.
#include "transforms/reverse_emit.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {

/// A pure accumulation, s = s + e or s - e and no other use: the adjoint of s is the same in every iteration.
bool Emitter::accumulates(const Op* loop, std::size_t j) const {
  const Block& b = *body_of(loop);
  const Value *s = carried_of(loop, j), *y = next_of(loop, j);
  if (!s->type.real() || !y->def || y->block != &b) return false;
  const auto& in = y->def->operands;
  if (!(y->def->kind == &ops::add && (in[0] == s || in[1] == s)) && !(y->def->kind == &ops::sub && in[0] == s)) return false;
  if (is_while(loop) && uses(loop->regions[0]->params[j], *loop->regions[0])) return false;
  return uses(s, b) == 1 && uses(y, b) == 1;
}

/// The turns of the reverse loop may run in any order: nothing passes between them but sums.
bool Emitter::independent(const Op* loop, const Frame& fr) const {
  if (!is_for(loop)) return false;
  const Block& body = *body_of(loop);
  for (std::size_t j = 0; j < carried_count(loop); ++j)
    if ((a_.active(loop->results[j]) || a_.active(carried_of(loop, j))) && !accumulates(loop, j)) return false;
  const auto sub = fr.subs.find(loop);
  if (sub != fr.subs.end() && !(sub->second->entry.empty() && sub->second->entry_buffers.empty())) return false;
  for (auto* v : fr.tape) {
    const auto path = plan_.path(v, fr);
    if (std::find(path.begin(), path.end(), loop) != path.end() && !plan_.regular(path, fr)) return false;
  }
  for (auto& [l, s] : fr.subs) {                   // state of a nested replay that lies on a stack
    if (l == loop || !inside(l->block, &body) || (s->entry.empty() && s->entry_buffers.empty())) continue;
    auto path = g_.loops(l->block, fr.top);
    path.push_back(const_cast<Op*>(l));
    if (!plan_.regular(path, fr)) return false;
  }
  for (auto* b : g_.buffers()) {
    if (inside(b->block, &body)) continue;
    std::vector<Op*> all;
    for (auto* o : g_.touching(b)) if (inside(o->block, &body)) all.push_back(o);
    if (std::any_of(all.begin(), all.end(), [](Op* o) { return o->kind == &ops::call; })) return false;
    if (!a_.active(b)) continue;                   // a replay writes passive ones only where they are private
    std::erase_if(all, [](Op* o) { return o->kind == &ops::length; });
    auto only = [&](const Kind& k) { return std::all_of(all.begin(), all.end(), [&](Op* o) { return o->kind == &k; }); };
    if (only(ops::load) || only(ops::accum)) continue;
    std::vector<Geometry::Span> spans;
    for (auto* o : all) {
      if (o->kind != &ops::load && o->kind != &ops::store && o->kind != &ops::accum) return false;
      auto s = g_.span(o, loop);
      if (!s) return false;
      spans.push_back(*s);
    }
    for (auto& s : spans) for (auto& t : spans) if (!g_.apart(s, t, loop)) return false;
  }
  return true;
}

/// The loop's iterations in reverse (or upwards); the body gets the counter as the original loop has it.
std::vector<X> Emitter::turns(Op* op, bool upward, std::vector<X> init, const std::function<std::vector<X>(X, std::span<const X>)>& body) {
  auto region = [&](const std::function<X(X)>& counter, const std::string& name) {
    return [&, counter, name](Builder& b, std::span<const X> xs) {
      return within(b, [&] { return body(counter(X(xs[0]).named(name)), xs.subspan(1)); });
    };
  };
  if (is_while(op)) {
    const X n = x(op->results.back());
    return loop(*ob_, n - 1, index(*ob_, -1), -1, init, region([](X k) { return k; }, ""));
  }
  const std::int64_t step = op->at(key::step);
  const std::string name = counter_of(op)->name;
  X from = x(op->operands[0]), to = x(op->operands[1]);
  const DType d = from.type().dtype;
  auto c = [&](std::int64_t i) { return constant(*ob_, Number::of(d, i)); };
  if (upward) return loop(*ob_, from, to, step, init, region([](X i) { return i; }, name));
  if (is_signed(d) && step == 1) return loop(*ob_, to - c(1), from - c(1), -1, init, region([](X i) { return i; }, name));
  if (is_signed(d) && step == -1) return loop(*ob_, to + c(1), from + c(1), 1, init, region([](X i) { return i; }, name));
  // Other steps and unsigned counters, which cannot pass zero: over the number of the iteration.
  X distance = step > 0 ? to - from : from - to, runs = step > 0 ? from < to : to < from;
  X n = convert(distance, index_type);
  if (is_signed(d)) n = convert(step > 0 ? to : from, index_type) - convert(step > 0 ? from : to, index_type);
  if (std::abs(step) != 1) n = (n + index(*ob_, std::abs(step) - 1)) / index(*ob_, std::abs(step));
  n = ops::select(runs, n, index(*ob_, 0));
  auto counter = [&](X k) {
    X start{ob_, from.v};
    return start + convert(k * index(*ob_, step), d);
  };
  return loop(*ob_, n - 1, index(*ob_, -1), -1, init, [&](Builder& b, std::span<const X> xs) {
    return within(b, [&] { return body(counter(xs[0]).named(name), xs.subspan(1)); });
  });
}

void Emitter::backward_loop(Op* op, const Frame& fr, Adjoints& ds) {
  const Block& body = *body_of(op);
  const auto free = outside(op);
  std::vector<std::size_t> carried, flat;
  for (std::size_t j = 0; j < carried_count(op); ++j)
    if (a_.active(op->results[j]) || a_.active(carried_of(op, j))) (accumulates(op, j) ? flat : carried).push_back(j);
  const auto s = fr.subs.find(op);
  const Frame* sub = s == fr.subs.end() ? nullptr : s->second.get();
  std::vector<std::pair<Value*, Undo>> undo;
  for (auto& [v, u] : fr.undo) if (v->block == &body) undo.emplace_back(const_cast<Value*>(v), u);
  if (sub) for (auto* v : sub->entry) if (auto u = plan_.options.undo ? plan_.undo(v, true) : std::nullopt) undo.emplace_back(v, *u);

  auto zero = [&](const Value* v) { return constant(*ob_, v->type.dtype, 0); };
  auto taken = [&](const Value* v) { Value* d = take(ds, v); return d ? X{ob_, d} : X{}; };
  std::vector<X> same, init;                       // adjoints of the accumulations; what the reverse loop starts with
  std::vector<std::string> names;
  for (auto j : flat) same.push_back(taken(op->results[j]));
  for (auto j : carried) {
    X d = taken(op->results[j]);
    init.push_back(d ? d : zero(op->results[j]));
    names.push_back(base_name(carried_of(op, j)));
  }
  for (auto* v : free) {
    auto it = ds.find(v);
    init.push_back(it != ds.end() ? X{ob_, it->second} : zero(v));
    names.push_back(base_name(v));
  }
  for (auto& n : names) if (!n.empty()) n = "d_" + n;
  for (auto& [v, u] : undo) init.push_back(x(op->results[std::size_t(carried_index(op, v))])), names.push_back(v->name);

  const Location where = ob_->where;
  const bool upward = undo.empty() && independent(op, fr);
  const auto out = turns(op, upward, init, [&](X counter, std::span<const X> xs) {
    for (std::size_t k = 0; k < xs.size(); ++k) X(xs[k]).named(names[k]);
    if (is_for(op)) scopes_.back().values[counter_of(op)] = counter.v;
    if (sub) frames_.push_back({sub, scopes_.size() - 1});
    std::vector<X> before;
    for (std::size_t k = 0; k < undo.size(); ++k) {
      auto& [v, u] = undo[k];
      X now{ob_, xs[carried.size() + free.size() + k].v}, step = x(u.step);
      before.push_back((u.added ? now - step : now + step).named(v->name));
      scopes_.back().values[v] = before.back().v;
    }
    if (sub) reenter(op, fr), forward(body, *sub);
    else prefetch(body, fr);
    Adjoints inner;
    for (std::size_t k = 0; k < free.size(); ++k) inner[free[k]] = xs[carried.size() + k].v;
    ob_->where = where;
    for (std::size_t k = 0; k < carried.size(); ++k) add(inner, next_of(op, carried[k]), {ob_, xs[k].v});
    for (std::size_t k = 0; k < flat.size(); ++k) if (same[k]) add(inner, next_of(op, flat[k]), {ob_, same[k].v});
    backward(body, sub ? *sub : fr, inner);
    std::vector<X> ys;
    auto yield = [&](const Value* v) { ys.push_back(inner.contains(v) ? X{ob_, inner[v]} : zero(v)); };
    for (auto j : carried) yield(carried_of(op, j));
    for (auto* v : free) yield(v);
    ys.insert(ys.end(), before.begin(), before.end());
    if (sub) frames_.pop_back();
    return ys;
  });
  ob_->block->ops.back()->where = where;
  ob_->where = where;
  for (std::size_t k = 0; k < out.size(); ++k) X(out[k]).named(names[k]);
  // First the outer values' sums, which are complete, then what is added for the first carried values: one value can be both.
  for (std::size_t k = 0; k < free.size(); ++k) ds[free[k]] = out[carried.size() + k].v;
  for (std::size_t k = 0; k < carried.size(); ++k) add(ds, init_of(op, carried[k]), out[k]);
  for (std::size_t k = 0; k < flat.size(); ++k) if (same[k]) add(ds, init_of(op, flat[k]), same[k]);
}

}  // namespace tlaloc::ir
