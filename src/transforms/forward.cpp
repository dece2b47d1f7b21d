// SPDX-License-Identifier: Apache-2.0
//
// In: any function. Out: the same computation with the tangent of each active value beside it; an inactive value has none,
// which means zero. One rule per form of derivative in the op table; control flow carries the tangents of what it carries;
// memory ops are linear in the buffer and in the value, so that the same op runs on the shadow. A call becomes a call of
// the callee's own forward function, made once per set of active arguments, whose name is taken before it is built so that
// recursion closes. On sets in place of tangents the same program tells what depends on what.
// Refused: an active op whose record says so; an active value stored into a parameter buffer that has no shadow.
#include "transforms/forward.hpp"

#include "transforms/activity.hpp"
#include "transforms/rewrite.hpp"
#include "transforms/rules.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

class Forward {
 public:
  Forward(Program& p, Activity& a, const Activity::Summary& s, Function& out, bool sets) : program_(p), activity_(a), active_(s), out_(out), sets_(sets) {}
  /// The body; `wanted` are the parameters that have a tangent.
  void run(const std::vector<int>& wanted, bool value) {
    const Function& f = *active_.function;
    Builder b{out_};
    for (auto* p : f.body->params) primal_[p] = param(b, p->type, p->name).v;
    for (int i : wanted) {
      const Value* p = f.body->params[std::size_t(i)];
      tangent_[p] = param(b, p->type, tangent_name(p)).v;
    }
    walk(*f.body, [&](Op* op) { check(*op); });
    block(*f.body, b);
    if (value) out_.body->yields = mapped(f.body->yields);
    for (auto* y : f.body->yields) if (y->type.real()) out_.body->yields.push_back(or_zero(y, b).v);
    name_results(f, value);
  }

 private:
  // --- values ---
  static std::string tangent_name(const Value* v) { return v->name.empty() ? "" : "d_" + v->name; }
  std::vector<Value*> mapped(const std::vector<Value*>& vs) const {
    std::vector<Value*> r;
    for (auto* v : vs) r.push_back(primal_.get(v));
    return r;
  }
  X tangent(const Value* v, Builder& b) const { return {&b, tangent_.get(v)}; }
  bool any_active(std::span<Value* const> vs) const { return std::any_of(vs.begin(), vs.end(), [&](auto* v) { return active_(v); }); }
  X or_zero(const Value* v, Builder& b) const {
    if (X d = tangent(v, b)) return d;
    return zero(b, v->type);
  }
  void set(const Value* v, X d) {
    if (d) tangent_[v] = d.named(tangent_name(v)).v;
  }
  void name_results(const Function& f, bool value) {
    std::vector<std::string> names, tangents;
    for (std::size_t i = 0; i < f.body->yields.size(); ++i) {
      const bool given = i < f.result_names.size();
      names.push_back(given ? f.result_names[i] : "");
      if (f.body->yields[i]->type.real()) tangents.push_back(names.back().empty() ? "" : "d_" + names.back());
    }
    if (!value) names.clear();
    names.insert(names.end(), tangents.begin(), tangents.end());
    out_.result_names = std::move(names);
  }

  // --- ops ---
  void block(const Block& from, Builder& b) {
    for (auto* op : from.ops) {
      b.where = op->where;
      if (op->kind == &ops::call) call(*op, b);
      else if (!op->regions.empty()) region_op(*op, b);
      else plain(*op, b);
    }
  }
  Op* primal(const Op& op, Builder& b) {
    Op* made = b.append(*op.kind, mapped(op.operands), op.attrs);
    if (op.kind == &ops::call) made->set(key::callee.name, in_derivative(program_, op));
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      made->results[i]->name = op.results[i]->name;
      primal_[op.results[i]] = made->results[i];
    }
    return made;
  }
  void plain(const Op& op, Builder& b) {
    Op* made = primal(op, b);
    if (!any_active(op.operands) && !any_active(op.results)) return;
    if (sets_ && op.kind != &ops::select && op.kind->derivative.form != Derivative::zero && op.kind->derivative.form != Derivative::structural) {
      set(op.results[0], united(op.operands, b));
      return;
    }
    if (any_active(op.results)) for (std::size_t i = 0; i < op.operands.size(); ++i) if (active_(op.operands[i])) check_differentiable(op, int(i));
    switch (op.kind->derivative.form) {
      case Derivative::pointwise: set(op.results[0], weighted(op, *made, b)); return;
      case Derivative::linear: set(op.results[0], on_tangents(op, b)); return;
      case Derivative::differential: set(op.results[0], by_rule(op, *made, b)); return;
      case Derivative::multilinear: set(op.results[0], one_by_one(op, b)); return;
      case Derivative::zero: return;
      case Derivative::structural: memory(op, b); return;
      case Derivative::by_expansion: throw Error(std::string(op.kind->name) + " is expanded before it is differentiated");
      case Derivative::refused: return;                     // nothing needs its derivative
    }
  }
  // What writes something active into a parameter needs a shadow there.
  void check(const Op& op) {
    if (op.kind == &ops::call) {
      const Mask& params = activity_.at_call(op, active_).params;
      for (std::size_t i = 0; i < params.size(); ++i) if (params[i] && op.operands[i]->type.buffer) need_shadow(op.operands[i], op.where);
    } else if (op.kind->effect == Effect::writes && any_active(std::span(op.operands).subspan(1))) {
      need_shadow(op.operands[0], op.where);
    }
  }
  void need_shadow(const Value* buffer, Location where) const {
    if (buffer->def || tangent_.get(buffer)) return;
    throw Refusal("NOT_DIFFERENTIABLE", where, "a value that is differentiated is stored into '" + buffer->name + "', which is not: differentiate with respect to '" + buffer->name + "' too, or store a passive value");
  }
  // --- sets ---
  static X united(X s, X t) {
    const auto bits = [](X x) { return convert(x, DType::i64); };
    return convert(ops::bit_or(bits(s), bits(t)), s.type().dtype);
  }
  X united(std::span<Value* const> values, Builder& b) {
    X all;
    for (auto* v : values) {
      const X s = tangent(v, b);
      if (!s) continue;
      if (s.type().dtype != DType::f64) throw Refusal("NOT_DIFFERENTIABLE", b.where, "what depends on what is followed through numbers of type double only");
      all = all ? united(all, s) : s;
    }
    return all;
  }
  X weighted(const Op& op, const Op& made, Builder& b) {
    std::vector<X> in;
    for (auto* v : made.operands) in.push_back({&b, v});
    const Partials ps = partials(op, in, {&b, made.results[0]});
    X sum;
    for (std::size_t i = 0; i < ps.size(); ++i) {
      const X d = tangent(op.operands[i], b);
      if (!d || !ps[i] || is_constant(ps[i].v, 0)) continue;
      sum = sum ? sum + ps[i] * d : ps[i] * d;
    }
    return sum && op.kind->derivative.then ? build(*op.kind->derivative.then, b, std::span(&sum, 1), op.attrs) : sum;
  }
  X by_rule(const Op& op, const Op& made, Builder& b) {
    std::vector<X> in, ds;
    for (auto* v : made.operands) in.push_back({&b, v});
    for (auto* v : op.operands) ds.push_back(v->type.real() ? tangent(v, b) : X{});
    if (std::none_of(ds.begin(), ds.end(), [](X d) { return bool(d); })) return {};
    return op.kind->derivative.tangent(op, in, {&b, made.results[0]}, ds);
  }
  // The sum of the op with one operand after the other replaced by its tangent.
  X one_by_one(const Op& op, Builder& b) {
    X sum;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const X d = tangent(op.operands[i], b);
      if (!d) continue;
      std::vector<X> in;
      for (auto* v : op.operands) in.push_back({&b, primal_.get(v)});
      in[i] = d;
      const X term = build(*op.kind, b, in, op.attrs);
      sum = sum ? sum + term : term;
    }
    return sum;
  }
  // The op itself, on tangents; a sum with zero is written as what it is.
  X on_tangents(const Op& op, Builder& b) {
    std::vector<X> in;
    bool any = false;
    for (auto* v : op.operands) {
      any |= v->type.real() && tangent_.get(v);
      in.push_back(v->type.real() ? or_zero(v, b) : X{&b, primal_.get(v)});
    }
    if (!any || !op.results[0]->type.real()) return {};
    const bool left = !tangent_.get(op.operands[0]), right = in.size() > 1 && !tangent_.get(op.operands[1]);
    if (op.kind == &ops::add && (left || right)) return left ? in[1] : in[0];
    if (op.kind == &ops::sub && (left || right)) return left ? -in[1] : in[0];
    return build(*op.kind, b, in, op.attrs);
  }
  // Allocations get a shadow of the same size; accesses run on the shadow with the tangent of the value.
  void memory(const Op& op, Builder& b) {
    std::vector<Value*> in;
    if (sets_ && op.kind == &ops::accum) {
      const X shadow = tangent(op.operands[0], b), at{&b, primal_.get(op.operands[1])};
      if (const X s = tangent(op.operands[2], b)) ops::store(shadow, at, united(ops::load(shadow, at), s));
      return;
    }
    for (auto* v : op.operands) {
      if (op.kind == &ops::accum && v == op.operands[2] && !tangent_.get(v)) return;      // adds nothing
      in.push_back(v->type.buffer ? tangent_.get(v) : v->type.real() ? or_zero(v, b).v : primal_.get(v));
    }
    Op* made = b.append(*op.kind, std::move(in), op.attrs);
    for (std::size_t i = 0; i < op.results.size(); ++i) set(op.results[i], {&b, made->results[i]});
  }

  // --- control flow ---
  // Carried values and results keep their places; the tangents of the active ones follow.
  void region_op(const Op& op, Builder& b) {
    std::vector<std::size_t> slots;
    for (std::size_t k = 0; k < op.results.size(); ++k) if (active_(op.results[k])) slots.push_back(k);
    std::vector<Value*> in = mapped(op.operands);
    if (is_loop(op)) for (auto k : slots) in.push_back(or_zero(op.operands[first_carried(op) + k], b).v);
    std::vector<Block*> regions;
    for (auto* r : op.regions) regions.push_back(region(op, *r, slots, b.where));
    Op* made = b.append(*op.kind, std::move(in), op.attrs, std::move(regions));
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      made->results[k]->name = op.results[k]->name;
      primal_[op.results[k]] = made->results[k];
    }
    for (std::size_t i = 0; i < slots.size(); ++i) set(op.results[slots[i]], {&b, made->results[op.results.size() + i]});
  }
  Block* region(const Op& op, const Block& from, const std::vector<std::size_t>& slots, Location where) {
    Builder b{out_, out_.new_block(), where};
    for (auto* p : from.params) primal_[p] = param(b, p->type, p->name).v;
    if (is_loop(op)) for (auto k : slots) {
      const Value* p = from.params[first_parameter(op) + k];
      tangent_[p] = param(b, p->type, tangent_name(p)).v;
    }
    block(from, b);
    b.block->yields = mapped(from.yields);
    if (!is_test(op, &from)) for (auto k : slots) b.block->yields.push_back(or_zero(from.yields[k], b).v);
    return b.block;
  }

  // --- calls ---
  void call(const Op& op, Builder& b) {
    const Activity::Summary& callee = activity_.at_call(op, active_);
    const bool depends = callee.function->rule ? any_active(op.results) : std::find(callee.params.begin(), callee.params.end(), true) != callee.params.end();
    if (!depends) { primal(op, b); return; }
    std::vector<Value*> in = mapped(op.operands);
    for (std::size_t i = 0; i < callee.params.size(); ++i) {
      const Value* v = op.operands[i];
      if (callee.params[i]) in.push_back(v->type.buffer ? tangent_.get(v) : or_zero(v, b).v);
    }
    std::vector<Type> takes;
    for (auto* v : in) takes.push_back(v->type);
    const std::string name = forward_of(callee, takes, b.where);
    Types types;
    for (auto* y : callee.function->body->yields) types.push_back(y->type);
    for (auto* y : callee.function->body->yields) if (y->type.real()) types.push_back(y->type);
    Op* made = b.append(ops::call, std::move(in), {name, types});
    std::size_t next = op.results.size();
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      made->results[k]->name = op.results[k]->name;
      primal_[op.results[k]] = made->results[k];
      if (!op.results[k]->type.real()) continue;
      X d{&b, made->results[next++]};
      if (active_(op.results[k])) set(op.results[k], d);
    }
  }
  // The name of the callee's forward function, which is made unless the program has it.
  std::string forward_of(const Activity::Summary& callee, const std::vector<Type>& takes, Location where) {
    std::string name = callee.function->name + (sets_ ? "_dependence" : "_jvp");
    std::vector<int> wanted;
    for (std::size_t i = 0; i < callee.params.size(); ++i) {
      const Value* p = callee.function->body->params[i];
      if (!callee.params[i]) continue;
      wanted.push_back(int(i));
      name += "_" + (p->name.empty() ? std::to_string(i) : p->name);
    }
    for (const Function* other; (other = program_.find(name)); name += "_") if (same_function(*other, takes)) return name;
    if (callee.function->rule && sets_) {
      program_.add(dependence_by_rule(*callee.function, wanted, name));
      return name;
    }
    if (callee.function->rule) {
      program_.add(forward_by_rule(*callee.function, wanted, name, where));
      return name;
    }
    program_.add(Function(name));
    Function made(name);
    Forward(program_, activity_, activity_.of(*callee.function, callee.params), made, sets_).run(wanted, true);
    simplify(made, &program_);
    *program_.find(name) = std::move(made);
    return name;
  }
  // The results of a function with a rule depend on all that the rule knows.
  Function dependence_by_rule(const Function& f, const std::vector<int>& wanted, std::string name) {
    Function out(std::move(name));
    Builder b{out};
    std::vector<Value*> in;
    Types types;
    for (auto* p : f.body->params) in.push_back(param(b, p->type, p->name).v);
    X all = zero(b, {DType::f64});
    for (int w : wanted) {
      const X s = param(b, f.body->params[std::size_t(w)]->type, tangent_name(f.body->params[std::size_t(w)]));
      if (w < f.rule->known) all = united(all, s);
    }
    for (auto* y : f.body->yields) types.push_back(y->type);
    out.body->yields = b.append(ops::call, in, {f.name, types})->results;
    for (auto* y : f.body->yields) if (y->type.real()) out.body->yields.push_back(all.v);
    return out;
  }
  // Ours rather than a function of the user's with that name; an empty one is being made further out.
  static bool same_function(const Function& f, const std::vector<Type>& takes) {
    if (f.body->ops.empty() && f.body->yields.empty()) return true;
    auto same = [](const Value* p, const Type& t) { return p->type.dtype == t.dtype && p->type.buffer == t.buffer; };
    return std::equal(f.body->params.begin(), f.body->params.end(), takes.begin(), takes.end(), same);
  }

  Program& program_;
  Activity& activity_;
  const Activity::Summary& active_;
  Function& out_;
  const bool sets_;
  ValueTable<Value*> primal_, tangent_;           // of the source's values; a buffer's tangent is its shadow
};

}  // namespace

Function forward(Program& program, const Function& f, const ForwardOptions& options, std::string name) {
  const Function source = differentiable_form(f);
  Mask wanted(f.body->params.size());
  for (int i : options.wanted) {
    if (i < 0 || std::size_t(i) >= wanted.size() || !f.body->params[std::size_t(i)]->type.real()) throw Error("'" + f.name + "' has no real parameter " + std::to_string(i));
    wanted[std::size_t(i)] = true;
  }
  Activity activity(program);
  Function out(std::move(name));
  Forward(program, activity, activity.of(source, wanted), out, options.sets).run(options.wanted, options.value);
  simplify(out, &program);
  return out;
}

}  // namespace tlaloc::ir
