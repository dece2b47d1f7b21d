// SPDX-License-Identifier: Apache-2.0
//
// Values and forward code of the emitted function. A scope per emitted block maps values of the plan's function to those
// of the new one; what is wanted and not there yet is fetched in the innermost scope.
#include "transforms/reverse_emit.hpp"

#include <algorithm>
#include <utility>

namespace tlaloc::ir {

Emitter::Emitter(const Plan& plan, const RegionMap& regions, const ReverseRequest& request, const Callees& callees)
    : plan_(plan), g_(plan.geometry()), a_(plan.activity()), regions_(regions), request_(request), callees_(callees) {}

std::string Emitter::base_name(const Value* v) {
  if (!v->name.empty()) return v->name;
  if (!v->def) return "";
  if (v->def->kind == &ops::load) return v->def->operands[0]->name;
  return v->type.real() && v->def->regions.empty() && v->def->kind->cost >= 10 ? std::string(v->def->kind->name) : "";   // exp_kept
}

// --- values ---
Value* Emitter::get(Value* v) {
  for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s) if (auto it = s->values.find(v); it != s->values.end()) return it->second;
  Value* made = nullptr;
  if (auto* c = constant_of(v)) made = constant(*ob_, *c).v;
  for (auto f = frames_.rbegin(); f != frames_.rend() && !made; ++f) if (f->frame->want.contains(v)) made = fetch(v, *f->frame);
  if (!made && v->def && v->def->regions.empty() && effect(*v->def) == Effect::pure && v->def->results.size() == 1) {
    std::vector<Value*> in;                        // part of an extent
    for (auto* o : v->def->operands) in.push_back(get(o));
    made = ob_->append(*v->def->kind, in, v->def->attrs)->results[0];
  }
  if (!made) throw Error("reverse: '" + v->name + "' (" + (v->def ? std::string(v->def->kind->name) : "parameter") + ") is not available in '" + g_.function().name + "'");
  if (made->name.empty() && !constant_of(made)) made->name = v->name;
  return scopes_.back().values[v] = made;
}
Value* Emitter::fetch(Value* v, const Frame& fr) {
  if (fr.tape.contains(v)) return pull(kept_.at({&fr, v->id}), fr, v->name);
  const Op* op = v->def;
  if (!op) throw Error("reverse: '" + v->name + "' has no source");
  if (op->kind == &ops::load) return ob_->append(ops::load, {place(op->operands[0]).buffer, address(op->operands[0], op->operands[1])})->results[0];
  if (op->kind == &ops::length) return length_of(op->operands[0], op).v;
  std::vector<Value*> in;
  for (auto* o : op->operands) in.push_back(get(o));
  return ob_->append(*op->kind, in, op->attrs)->results[0];
}
const Emitter::Place& Emitter::place(const Value* buffer) const {
  for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s) if (auto it = s->places.find(buffer); it != s->places.end()) return it->second;
  throw Error("reverse: the buffer '" + buffer->name + "' is not in scope in '" + g_.function().name + "'");
}
Value* Emitter::located(const Value* buffer, X i) {
  const Place& p = place(buffer);
  if (p.base) i = X{ob_, p.base} + i;
  if (p.copies.empty()) return i.v;
  for (auto f = frames_.rbegin(); f != frames_.rend(); ++f)
    if (f->frame->expand.contains(buffer)) return (row(p.copies, *f->frame) * X{ob_, p.size} + i).v;
  throw Error("reverse: copies of '" + buffer->name + "' outside their frame");
}
Value* Emitter::address(const Value* buffer, Value* i) {
  const Place& p = place(buffer);
  return located(buffer, p.part && !p.from.zero() ? number(Poly::of(i) - p.from) : x(i));
}
Value* Emitter::element(const Value* buffer, X from, X i) { return located(buffer, place(buffer).part ? i : from + i); }
Value* Emitter::shadow(const Value* buffer) const {
  for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s) if (auto it = s->shadows.find(buffer); it != s->shadows.end()) return it->second;
  throw Error("reverse: '" + buffer->name + "' has no shadow in '" + g_.function().name + "'");
}
X Emitter::number(const Poly& p) { return value_of(*ob_, p, [&](Value* v) { return x(v); }); }
X Emitter::extent(const Op* loop, const std::vector<Op*>& loops, const Frame& fr) {
  const Poly span = *plan_.extent(loop, loops, fr);
  const std::int64_t step = std::abs(loop->at(key::step));
  X n = number(span + (step - 1));
  return step == 1 ? n : n / index(*ob_, step);
}
/// size * the number of iterations; no less than nothing, for loops that do not run.
X Emitter::product(const std::vector<Op*>& loops, const Frame& fr, X size) {
  for (auto* l : loops) {
    X n = extent(l, loops, fr);
    if (!constant_of(n.v)) n = ops::select(n < index(*ob_, 0), index(*ob_, 0), n);
    else if (constant_of(n.v)->as_int() < 0) n = index(*ob_, 0);
    size = n * size;
  }
  return size;
}
/// The number of the current iteration, row by row.
X Emitter::row(const std::vector<Op*>& loops, const Frame& fr) {
  X e = index(*ob_, 0);
  for (auto* l : loops) {
    const std::int64_t step = l->at(key::step);
    const X i = convert(x(counter_of(l)), index_type), from = convert(x(l->operands[0]), index_type);
    X at = step > 0 ? i - from : from - i;
    if (std::abs(step) != 1) at = at / index(*ob_, std::abs(step));
    e = is_constant(e.v, 0) ? at : e * extent(l, loops, fr) + at;
  }
  return e;
}
X Emitter::length_of(const Value* buffer, const Op* user) {
  if (buffer->def && buffer->def->kind == &ops::table) return index(*ob_, std::int64_t(buffer->def->at(key::values).size()));
  if (!buffer->def && !buffer->type.dims.empty()) {
    std::int64_t n = 1;
    for (auto d : buffer->type.dims) n *= d;
    return index(*ob_, n);
  }
  // Copies and kept contents have other lengths. Of a parameter they may hold a part.
  const Place& p = buffer->def ? place(buffer) : scopes_[0].places.at(buffer);
  if (p.size && !g_.resized(buffer)) return {ob_, p.size};
  if (buffer->def || user->kind == &ops::length) return {ob_, ob_->append(ops::length, {p.buffer})->results[0]};
  throw Refusal("NOT_DIFFERENTIABLE", user->where, "the contents of '" + buffer->name + "' must be kept, but its length is not known here; pass a std::span, std::array or std::vector");
}
Poly Emitter::region_from(const Value* b) const {
  auto it = regions_.find(b);
  return it == regions_.end() || !it->second.bounded || !b->type.dims.empty() ? Poly() : it->second.from;
}
std::pair<X, X> Emitter::whole(const Value* b, const Op* user) {
  auto it = regions_.find(b);
  if (it == regions_.end() || !it->second.bounded || !b->type.dims.empty()) return {index(*ob_, 0), length_of(b, user)};
  const Region& r = it->second;
  X from = number(r.from), n = number(r.last - r.from + 1), none_ = index(*ob_, 0);
  if (!constant_of(n.v)) n = ops::select(n < none_, none_, n);
  // Where a loop around the accesses does not run there are no elements.
  for (auto* l : r.loops) {
    const Poly trips = span_of(l);
    if (trips.constant() ? *trips.constant() > 0 : trips == r.last - r.from + 1) continue;
    n = ops::select(number(trips) > none_, n, none_);
  }
  return {from, n};
}
Value* Emitter::allocate(X size, DType d, std::string name) {
  Value* b = ob_->append(ops::alloc, {size.v}, {d})->results[0];
  b->name = std::move(name);
  return b;
}
/// Runs the body with the region's builder and a scope of its own.
std::vector<X> Emitter::within(Builder& inner, const std::function<std::vector<X>()>& body) {
  Builder* outer = std::exchange(ob_, &inner);
  scopes_.emplace_back();
  auto r = body();
  scopes_.pop_back();
  ob_ = outer;
  return r;
}

// --- forward code ---
void Emitter::forward(const Block& b, const Frame& fr) {
  for (auto* op : b.ops) {
    if (&b == fr.top) before(op, fr);
    if (auto s = fr.snapshot.find(op); s != fr.snapshot.end())
      for (auto* buffer : s->second) keep_contents(contents_.at({op->id, buffer->id}), buffer, fr, op);
    if (fr.live.contains(op)) forward(op, fr);
  }
}
void Emitter::forward(Op* op, const Frame& fr) {
  ob_->where = op->where;
  if (op->kind == &ops::constant) return;           // made where it is used
  if (op->kind == &ops::table) return;             // stands at the top
  if (is_loop(op)) return forward_loop(op, fr);
  if (op->kind == &ops::if_) return forward_if(op, fr);
  if (op->kind == &ops::alloc) return forward_alloc(op, fr);
  if (op->kind == &ops::length) {
    Value* n = scopes_.back().values[op->results[0]] = length_of(op->operands[0], op).v;
    if (n->name.empty() && !constant_of(n)) n->name = op->results[0]->name;
    return keep(op->results[0], fr);
  }
  std::vector<Value*> in;
  const bool element_ = op->kind == &ops::load || op->kind == &ops::store || op->kind == &ops::accum;
  for (auto* v : op->operands)
    in.push_back(v->type.buffer ? place(v).buffer : element_ && in.size() == 1 ? address(op->operands[0], v) : get(v));
  Op* made = ob_->append(*op->kind, in, op->attrs);
  const bool again = fr.loop || request_.inner;    // it has run before
  if (again && op->kind == &ops::call) made->set(key::callee.name, callees_.quiet(*op));
  for (std::size_t i = 0; i < op->results.size(); ++i) {
    made->results[i]->name = op->results[i]->name;
    scopes_.back().values[op->results[i]] = made->results[i];
    keep(op->results[i], fr);
  }
}
void Emitter::forward_loop(Op* op, const Frame& fr) {
  std::vector<std::size_t> js;
  for (std::size_t j = 0; j < carried_count(op); ++j) if (fr.carry.contains({op->id, j})) js.push_back(j);
  std::vector<X> init;
  for (auto j : js) init.push_back(x(init_of(op, j)));
  const Location where = op->where;
  auto bind = [&](const Block* region, std::size_t first, std::span<const X> xs) {     // the region's parameters
    for (std::size_t k = 0; k < js.size(); ++k) {
      Value* p = region->params[js[k] + first];
      scopes_.back().values[p] = X(xs[k]).named(p->name).v;
    }
  };
  auto body = [&](Builder& b, std::span<const X> xs) {
    return within(b, [&] {
      const std::size_t first = is_for(op) ? 1 : 0;
      if (first) scopes_.back().values[counter_of(op)] = X(xs[0]).named(counter_of(op)->name).v;
      bind(body_of(op), first, xs.subspan(first));
      for (auto j : js) keep(carried_of(op, j), fr);
      enter(op, fr);
      forward(*body_of(op), fr);
      std::vector<X> ys;
      for (auto j : js) ys.push_back(x(next_of(op, j)));
      return ys;
    });
  };
  auto test = [&](Builder& b, std::span<const X> xs) {
    return within(b, [&]() -> std::vector<X> {
      bind(op->regions[0], 0, xs);
      forward(*op->regions[0], fr);
      return {x(op->regions[0]->yields[0])};
    });
  };
  const auto out = is_for(op) ? loop(*ob_, x(op->operands[0]), x(op->operands[1]), op->at(key::step), init, body) : loop_while(*ob_, init, test, body);
  ob_->block->ops.back()->where = where;
  for (std::size_t k = 0; k < js.size(); ++k) {
    Value* r = op->results[js[k]];
    scopes_.back().values[r] = X(out[k]).named(r->name).v;
    keep(r, fr);
  }
}
void Emitter::forward_if(Op* op, const Frame& fr) {
  std::vector<std::size_t> js;
  for (std::size_t j = 0; j < op->results.size(); ++j) if (fr.live_values.contains(op->results[j])) js.push_back(j);
  auto side = [&](std::size_t i) {
    return [&, i](Builder& b, std::span<const X>) {
      return within(b, [&] {
        forward(*op->regions[i], fr);
        std::vector<X> ys;
        for (auto j : js) ys.push_back(x(op->regions[i]->yields[j]));
        return ys;
      });
    };
  };
  const Location where = op->where;
  const auto out = branch(*ob_, x(op->operands[0]), side(0), side(1));
  ob_->block->ops.back()->where = where;
  for (std::size_t k = 0; k < js.size(); ++k) {
    Value* r = op->results[js[k]];
    scopes_.back().values[r] = X(out[k]).named(r->name).v;
    keep(r, fr);
  }
}
void Emitter::forward_alloc(Op* op, const Frame& fr) {
  const Value* b = op->results[0];
  if (fr.expand.contains(b)) return;               // before() has made it with its copies
  X size = x(op->operands[0]);
  scopes_.back().places[b] = {allocate(size, op->at(key::dtype), b->name), {}, size.v};
}

// --- the whole function ---
Function Emitter::run(std::string name) {
  const Function& f = g_.function();
  Function out(std::move(name));
  Builder b{out};
  ob_ = &b;
  scopes_.assign(1, {});
  frames_ = {{&plan_.root(), 0}};
  for (auto* p : f.body->params) {
    if (p->type.buffer && regions_.at(p).parameter != p) {
      scopes_[0].places[p] = scopes_[0].places.at(regions_.at(p).parameter);
      continue;
    }
    Value* made = param(b, p->type, p->name).v;
    if (p->type.buffer) scopes_[0].places[p] = {made};
    else scopes_[0].values[p] = made;
  }
  auto result_name = [&](std::size_t i) { return i < f.result_names.size() ? f.result_names[i] : std::string(); };
  std::vector<X> seeds;
  if (request_.seeds)
    for (std::size_t i = 0; i < f.body->yields.size(); ++i) {
      if (!f.body->yields[i]->type.real()) { seeds.push_back({}); continue; }
      seeds.push_back(param(b, f.body->yields[i]->type, "d_" + (result_name(i).empty() ? "result" : result_name(i))));
    }
  for (int w : request_.wanted) {
    const Value* p = f.body->params[std::size_t(w)];
    if (!p->type.buffer) continue;
    Value* s = param(b, p->type, "d_" + p->name).v;
    for (auto& [part, region] : regions_) if (region.parameter == p) scopes_[0].shadows[part] = s;
  }
  walk(*f.body, [&](Op* op) {
    if (op->kind != &ops::table) return;
    Value* t = b.append(ops::table, {}, op->attrs)->results[0];
    t->name = op->results[0]->name;
    scopes_[0].places[op->results[0]] = {t};
  });
  forward(*f.body, plan_.root());
  keep_final();
  b.where = {};
  Adjoints adjoints;
  for (std::size_t i = 0; i < f.body->yields.size(); ++i) {
    Value* y = f.body->yields[i];
    if (a_.active(y)) add(adjoints, y, request_.seeds ? seeds[i] : constant(b, y->type.dtype, 1));
  }
  backward(*f.body, plan_.root(), adjoints);
  b.where = {};
  restore_final();
  if (request_.value)
    for (std::size_t i = 0; i < f.body->yields.size(); ++i) {
      out.body->yields.push_back(get(f.body->yields[i]));
      out.result_names.push_back(result_name(i).empty() && f.body->yields.size() == 1 ? "value" : result_name(i));
    }
  for (int w : request_.wanted) {
    Value* p = f.body->params[std::size_t(w)];
    if (p->type.buffer) continue;
    auto it = adjoints.find(p);
    out.body->yields.push_back(it != adjoints.end() ? it->second : constant(b, p->type.dtype, 0).v);
    out.result_names.push_back("d_" + p->name);
  }
  return out;
}

}  // namespace tlaloc::ir
