// SPDX-License-Identifier: Apache-2.0
//
// In: a function and the parameters that get lanes. Out: the same control flow, in which each run of ops that depend on
// those parameters becomes one loop over the lanes. A value stays a local of that loop where only that loop uses it; one
// that is used elsewhere, or that a loop carries or an `if` yields, lives in a small buffer with a number per lane. A buffer
// that holds such values has its lanes side by side. Callees are widened in turn, once per set of wide arguments.
#include "transforms/lanes.hpp"

#include "transforms/activity.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>
#include <set>

namespace tlaloc::ir {
namespace {

class Widening {
 public:
  Widening(Program& p, Activity& a, const Activity::Summary& s, Function& out, int lanes)
      : program_(p), activity_(a), active_(s), out_(out), lanes_(lanes) {}

  /// `every`: all real results get lanes, not only those that depend on a wide parameter.
  void run(bool every) {
    const Function& f = *active_.function;
    find_breaks(*f.body);
    find_escapes(*f.body);
    Builder b{out_};
    for (auto* p : f.body->params) {
      Type t = p->type;
      if (active_(p)) t.dims = t.buffer && t.dims.empty() ? Ints{} : Ints{std::int64_t(lanes_) * size(t)}, t.buffer = true;
      Value* made = param(b, t, p->name).v;
      (active_(p) && !p->type.buffer ? wide_ : same_)[p] = made;
    }
    std::vector<std::pair<const Value*, Value*>> results;
    for (std::size_t k = 0; k < f.body->yields.size(); ++k) {
      const Value* y = f.body->yields[k];
      if (!active_(y) && !(every && y->type.real())) continue;
      const std::string name = k < f.result_names.size() && !f.result_names[k].empty() ? f.result_names[k] : "result";
      results.push_back({y, param(b, Type{y->type.dtype, {lanes_}, true}, name).v});
    }
    block(*f.body, b);
    for (auto& [y, to] : results) store(b, to, value(b, y));
    flush(b);
    for (auto* y : f.body->yields)
      if (!active_(y) && !(every && y->type.real())) b.block->yields.push_back(same_.get(y));
  }

 private:
  static std::int64_t size(const Type& t) {
    std::int64_t n = 1;
    for (auto d : t.dims) n *= d;
    return n;
  }

  // --- which ops stand in a loop over the lanes, and which end one ---
  bool touches(const Op& op) const {
    auto is = [&](const Value* v) { return active_(v); };
    return std::any_of(op.operands.begin(), op.operands.end(), is) || std::any_of(op.results.begin(), op.results.end(), is);
  }
  /// Structure, and ops whose order on their buffer matters as a whole.
  bool breaks(const Op& op) const { return breaks_.contains(&op); }
  bool laned(const Op& op) const { return !breaks(op) && op.regions.empty() && op.kind != &ops::alloc && touches(op); }
  bool find_breaks(const Block& b) {
    bool any = false;
    for (auto* op : b.ops) {
      bool inside = false;
      for (auto* r : op->regions) inside |= find_breaks(*r);
      if (op->kind == &ops::call && touches(*op) && activity_.callee(*op).rule) throw NotLinear("'" + op->at(key::callee) + "' is given a tangent and has a rule of its own");
      const bool ordered = op->kind == &ops::fill || op->kind == &ops::append || op->kind == &ops::pop || op->kind == &ops::resize || op->kind == &ops::length;
      if (inside || (touches(*op) && (!op->regions.empty() || op->kind == &ops::call || ordered))) breaks_.insert(op);
      any |= inside || touches(*op);
    }
    return any;
  }
  /// Values that are used outside the loop over the lanes that makes them.
  void find_escapes(const Block& b) {
    ++segment_;
    auto use = [&](const Value* v) {
      if (active_(v) && !v->type.buffer && home_.get(v) != segment_) escapes_[v] = true;
    };
    for (auto* op : b.ops) {
      if (laned(*op)) {
        for (auto* v : op->operands) use(v);
        for (auto* v : op->results) home_[v] = segment_;
      } else if (breaks(*op)) {
        for (std::size_t i = 0; i < op->operands.size(); ++i)
          if (is_loop(*op)) use(op->operands[i]);
          else if (active_(op->operands[i])) escapes_[op->operands[i]] = true;
        for (auto* r : op->regions) find_escapes(*r);
        ++segment_;
      } else {
        const int before = segment_;
        for (auto* r : op->regions) find_escapes(*r);
        segment_ = before;
      }
    }
    for (auto* y : b.yields) use(y);
  }

  // --- the loop over the lanes that is being written: opened by the first op that needs it ---
  struct Lanes {
    Block* block = nullptr;
    Value* lane = nullptr;
    std::map<const Value*, Value*> local = {};
  };
  Builder inside(Builder& b) {
    if (!open_.block) {
      open_.block = out_.new_block();
      Builder l{out_, open_.block, b.where};
      open_.lane = param(l, {index_type}, "lane").v;
    }
    return {out_, open_.block, b.where};
  }
  void flush(Builder& b) {
    if (!open_.block) return;
    b.append(ops::for_, {index(b, 0).v, index(b, lanes_).v}, {std::int64_t(1)}, {open_.block});
    open_ = {};
  }
  X lane(Builder& l) const { return {&l, open_.lane}; }
  /// The value as the open loop sees it.
  Value* value(Builder& b, const Value* v) {
    if (!active_(v)) return same_.get(v);
    Builder l = inside(b);
    auto [at, fresh] = open_.local.try_emplace(v, nullptr);
    if (fresh) at->second = l.append(ops::load, {wide_.get(v), open_.lane})->results[0];
    return at->second;
  }
  void store(Builder& b, Value* buffer, Value* v) {
    Builder l = inside(b);
    l.append(ops::store, {buffer, open_.lane, v});
  }
  Value* per_lane(Builder& b, const Value* v) {
    Value* made = b.append(ops::alloc, {index(b, lanes_).v}, {v->type.dtype})->results[0];
    made->name = v->name;
    return made;
  }

  // --- ops ---
  void block(const Block& from, Builder& b) {
    for (auto* op : from.ops) {
      b.where = op->where;
      if (laned(*op)) in_lanes(*op, b);
      else if (op->kind == &ops::call && breaks(*op)) call(*op, b);
      else if (!op->regions.empty()) region_op(*op, b);
      else if (breaks(*op)) on_buffer(*op, b);
      else once(*op, b);
    }
  }
  void once(const Op& op, Builder& b) {
    std::vector<Value*> in;
    for (auto* v : op.operands) in.push_back(same_.get(v));
    const bool room = op.kind == &ops::alloc && active_(op.results[0]);
    if (room) in[0] = (X{&b, in[0]} * index(b, lanes_)).v;
    Op* made = b.append(*op.kind, std::move(in), op.attrs);
    for (std::size_t i = 0; i < op.results.size(); ++i) made->results[i]->name = op.results[i]->name, same_[op.results[i]] = made->results[i];
  }
  void in_lanes(const Op& op, Builder& b) {
    std::vector<Value*> in;
    for (auto* v : op.operands) {
      if (v->type.buffer) in.push_back(same_.get(v));
      else in.push_back(value(b, v));
    }
    Builder l = inside(b);
    if (op.operands[0]->type.buffer && active_(op.operands[0])) {
      const X row = X{&b, in[1]} * index(b, lanes_);
      in[1] = (X{&l, row.v} + lane(l)).v;
    }
    Op* made = l.append(*op.kind, std::move(in), op.attrs);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const Value* v = op.results[i];
      made->results[i]->name = v->name;
      if (!active_(v)) throw NotLinear("'" + std::string(op.kind->name) + "' makes of a tangent what is none");
      open_.local[v] = made->results[i];
      if (escapes_.get(v)) store(b, wide_[v] = per_lane(b, v), made->results[i]);
    }
  }
  /// fill, length, append, pop and resize of a buffer with lanes.
  void on_buffer(const Op& op, Builder& b) {
    flush(b);
    Value* buffer = same_.get(op.operands[0]);
    const X n = index(b, lanes_);
    if (op.kind == &ops::length) {
      same_[op.results[0]] = (X{&b, b.append(ops::length, {buffer})->results[0]} / n).v;
    } else if (op.kind == &ops::resize) {
      if (active_(op.operands[2])) throw Error("a buffer with lanes is filled with a tangent as it grows");
      b.append(ops::resize, {buffer, (X{&b, same_.get(op.operands[1])} * n).v, same_.get(op.operands[2])});
    } else if (op.kind == &ops::fill && !active_(op.operands[1])) {
      b.append(ops::fill, {buffer, same_.get(op.operands[1])});
    } else if (op.kind == &ops::fill) {
      Value* from = wide_.get(op.operands[1]);
      loop(b, index(b, 0), elements(op.operands[0], b), 1, {}, [&](Builder& in, std::span<const X> i) -> std::vector<X> {
        loop(in, index(in, 0), index(in, lanes_), 1, {}, [&](Builder& l, std::span<const X> k) -> std::vector<X> {
          ops::store(X{&l, buffer}, X{&l, i[0].v} * index(l, lanes_) + k[0], ops::load(X{&l, from}, k[0]));
          return {};
        });
        return {};
      });
    } else if (op.kind == &ops::append) {
      Value* v = value(b, op.operands[1]);
      Builder l = inside(b);
      l.append(ops::append, {buffer, v});
      flush(b);
    } else {                                      // pop: the last lane comes first
      Value* to = wide_[op.results[0]] = per_lane(b, op.results[0]);
      loop(b, index(b, lanes_ - 1), index(b, -1), -1, {}, [&](Builder& l, std::span<const X> p) -> std::vector<X> {
        l.append(ops::store, {to, p[0].v, l.append(ops::pop, {buffer})->results[0]});
        return {};
      });
    }
  }

  /// How many numbers f's buffer holds.
  X elements(const Value* buffer, Builder& b) const {
    if (!buffer->type.dims.empty()) return index(b, size(buffer->type));
    if (auto* a = local_alloc(buffer)) return {&b, same_.get(a->operands[0])};
    return X{&b, b.append(ops::length, {same_.get(buffer)})->results[0]} / index(b, lanes_);
  }

  // --- structure ---
  void region_op(const Op& op, Builder& b) {
    const bool broken = breaks(op);
    auto active_slot = [&](std::size_t k) { return active_(op.results[k]); };
    std::vector<Value*> carried(op.results.size()), in;
    for (std::size_t k = 0; k < op.results.size(); ++k)
      if (active_slot(k)) carried[k] = wide_[op.results[k]] = per_lane(b, op.results[k]);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const std::size_t k = i - first_carried(op);
      if (i >= first_carried(op) && active_slot(k)) store(b, carried[k], value(b, op.operands[i]));
      else in.push_back(same_.get(op.operands[i]));
    }
    if (broken) flush(b);
    Lanes around = std::exchange(open_, {});
    std::vector<Block*> regions;
    for (auto* r : op.regions) {
      Builder l{out_, out_.new_block(), b.where};
      for (std::size_t i = 0; i < r->params.size(); ++i) {
        const std::size_t k = i - first_parameter(op);
        if (i >= first_parameter(op) && active_slot(k)) wide_[r->params[i]] = carried[k];
        else same_[r->params[i]] = param(l, r->params[i]->type, r->params[i]->name).v;
      }
      block(*r, l);
      std::vector<std::pair<Value*, Value*>> next;            // all are read before any is written
      for (std::size_t k = 0; k < r->yields.size(); ++k)
        if (is_test(op, r)) l.block->yields.push_back(same_.get(r->yields[k]));
        else if (active_slot(k)) next.push_back({carried[k], value(l, r->yields[k])});
        else l.block->yields.push_back(same_.get(r->yields[k]));
      for (auto& [to, v] : next) store(l, to, v);
      flush(l);
      regions.push_back(l.block);
    }
    open_ = std::move(around);
    Op* made = b.append(*op.kind, std::move(in), op.attrs, std::move(regions));
    std::size_t next = 0;
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      if (active_slot(k)) continue;
      made->results[next]->name = op.results[k]->name;
      same_[op.results[k]] = made->results[next++];
    }
  }
  void call(const Op& op, Builder& b) {
    const Activity::Summary& callee = activity_.at_call(op, active_);
    const auto& yields = callee.function->body->yields;
    flush(b);
    std::vector<Value*> in;
    for (auto* v : op.operands) in.push_back(active_(v) && !v->type.buffer ? wide_.get(v) : same_.get(v));
    Types types;
    for (std::size_t k = 0; k < yields.size(); ++k) {
      if (!callee(yields[k])) types.push_back(yields[k]->type);
      else in.push_back(wide_[op.results[k]] = per_lane(b, op.results[k]));
    }
    Op* made = b.append(ops::call, std::move(in), {widened(callee), types});
    std::size_t next = 0;
    for (std::size_t k = 0; k < yields.size(); ++k) {
      if (callee(yields[k])) continue;
      Value* result = made->results[next++];
      result->name = op.results[k]->name;
      if (!active_(op.results[k])) same_[op.results[k]] = result;
      else store(b, wide_[op.results[k]] = per_lane(b, op.results[k]), result);
    }
    flush(b);
  }
  std::string widened(const Activity::Summary& callee) {
    std::string name = callee.function->name + "_lanes_" + std::to_string(lanes_);
    for (std::size_t i = 0; i < callee.params.size(); ++i)
      if (callee.params[i]) name += "_" + std::to_string(i);
    if (program_.find(name)) return name;         // made, or being made: recursion closes here
    program_.add(Function(name));
    Function made(name);
    Widening(program_, activity_, activity_.of(*callee.function, callee.params), made, lanes_).run(false);
    simplify(made, &program_);
    *program_.find(name) = std::move(made);
    return name;
  }

  Program& program_;
  Activity& activity_;
  const Activity::Summary& active_;
  Function& out_;
  const int lanes_;
  std::set<const Op*> breaks_;
  ValueTable<char> escapes_;
  ValueTable<int> home_;
  int segment_ = 0;
  ValueTable<Value*> same_, wide_;                // of f's values: what is computed once (and every buffer); one buffer per wide number
  Lanes open_;
};

}  // namespace

Function widen(Program& program, const Function& f, const std::vector<int>& wide, int lanes, std::string name) {
  const Function source = differentiable_form(f);
  Mask mask(f.body->params.size());
  for (int i : wide) mask.at(std::size_t(i)) = true;
  Activity activity(program);
  Function out(std::move(name));
  Widening(program, activity, activity.of(source, mask), out, lanes).run(true);
  simplify(out, &program);
  return out;
}

}  // namespace tlaloc::ir
