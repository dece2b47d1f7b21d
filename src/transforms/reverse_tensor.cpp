// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_tensor.hpp"

#include "ir/tensor.hpp"
#include "transforms/activity.hpp"
#include "transforms/inline_calls.hpp"
#include "transforms/reverse_emit.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

bool any_tensor(const Block& b) {
  bool found = std::any_of(b.params.begin(), b.params.end(), [](auto* p) { return p->type.tensor(); });
  walk(b, [&](Op* op) { for (auto* r : op->results) found |= r->type.tensor(); });
  return found;
}

class Reverse {
 public:
  Reverse(const Function& f, const Activity::Summary& active, Function& out) : f_(f), active_(active), forward_{Builder{out}} {}

  void run(const ReverseRequest& request) {
    Builder& b = forward_.b;
    forward_.params(*f_.body);
    Cotangents ds;
    std::vector<X> seeds;
    for (auto* y : f_.body->yields) {
      if (!y->type.real()) continue;
      seeds.push_back(request.seeds ? param(b, y->type, y->name.empty() ? "" : "d_" + y->name) : splat(b, y->type, 1));
    }
    block(*f_.body, forward_);
    std::size_t next = 0;
    for (auto* y : f_.body->yields) if (y->type.real()) add(ds, y, seeds[next++]);
    backward(*f_.body, forward_, ds);
    std::vector<std::string> names;
    if (request.value) {
      forward_.yields(*f_.body);
      names = f_.result_names;
      names.resize(f_.body->yields.size());
    }
    for (int i : request.wanted) {
      const Value* p = f_.body->params[std::size_t(i)];
      b.block->yields.push_back(or_zero(ds, p, b).v);
      names.push_back(p->name.empty() ? "" : "d_" + p->name);
    }
    b.function.result_names = std::move(names);
  }

 private:
  using Cotangents = std::map<const Value*, X>;

  void add(Cotangents& ds, const Value* v, X d) const {
    if (!d || !active_(v)) return;
    if (!v->name.empty() && d.v->def && !splat_of(d.v)) d.named("d_" + v->name);
    auto [it, fresh] = ds.try_emplace(v, d);
    if (!fresh) it->second = X{d.b, it->second.v} + d;
  }
  X take(Cotangents& ds, const Value* v, Builder& b) const {
    auto it = ds.find(v);
    if (it == ds.end()) return {};
    X d{&b, it->second.v};
    ds.erase(it);
    return d;
  }
  X or_zero(const Cotangents& ds, const Value* v, Builder& b) const {
    auto it = ds.find(v);
    return it == ds.end() ? zero(b, v->type) : X{&b, it->second.v};
  }
  bool is_active(const Op& op) const { return std::any_of(op.results.begin(), op.results.end(), [&](auto* r) { return active_(r); }); }

  // --- forward code: the primal, where active loops also keep what they carry ---
  void block(const Block& from, Cloner& to) { for (auto* op : from.ops) if (is_loop(*op) && is_active(*op)) keep(*op, to); else to.clone(*op); }

  struct Trips { Number from; std::int64_t step, n; };
  static std::optional<Trips> constant_trips(const Op& op) {
    if (op.kind != &ops::for_) return {};
    auto *from = constant_of(op.operands[0]), *to = constant_of(op.operands[1]);
    if (!from || !to) return {};
    const auto step = op.at(key::step);
    const __int128 a = is_signed(from->dtype) ? __int128(from->as_int()) : __int128(from->bits), z = is_signed(to->dtype) ? __int128(to->as_int()) : __int128(to->bits);
    const __int128 room = step > 0 ? z - a : a - z, by = step > 0 ? step : -__int128(step);
    return Trips{*from, step, room <= 0 ? 0 : std::int64_t((room + by - 1) / by)};
  }
  // The values of a loop's turn that the adjoint of the turn may read: all that it carries.
  void keep(const Op& op, Cloner& to) {
    const auto trips = constant_trips(op);
    if (!trips) { count(op, to); return; }
    Builder& b = to.b;
    const auto first = first_carried(op);
    const Block& body = *op.regions[0];
    const std::size_t n = op.results.size();
    std::vector<X> init{index(b, 0)};
    for (std::size_t k = 0; k < n; ++k) init.push_back({&b, to.at(op.operands[first + k])});
    for (std::size_t k = 0; k < n; ++k) init.push_back(zero(b, stacked(op.results[k]->type, trips->n)));
    const auto out = loop(b, {&b, to.at(op.operands[0])}, {&b, to.at(op.operands[1])}, op.at(key::step), init, [&](Builder& in, std::span<const X> xs) {
      Cloner turn{in, std::move(to.map)};
      turn.map[body.params[0]] = xs[0].v;
      for (std::size_t k = 0; k < n; ++k) turn.map[body.params[1 + k]] = X(xs[2 + k]).named(body.params[1 + k]->name).v;
      for (auto* o : body.ops) turn.clone(*o);
      std::vector<X> ys{xs[1] + index(in, 1)};
      for (std::size_t k = 0; k < n; ++k) ys.push_back({&in, turn.at(body.yields[k])});
      for (std::size_t k = 0; k < n; ++k) ys.push_back(put(xs[2 + n + k], xs[2 + k], xs[1]));
      to.map = std::move(turn.map);
      return ys;
    });
    auto& stacks = stacks_[{&op, to.b.block}];
    for (std::size_t k = 0; k < n; ++k) {
      to.map[op.results[k]] = X(out[1 + k]).named(op.results[k]->name).v;
      stacks.push_back(out[1 + n + k].v);
    }
  }
  // A loop that counts its turns, for the adjoint.
  void count(const Op& op, Cloner& to) {
    Builder& b = to.b;
    std::vector<X> init{index(b, 0)};
    for (std::size_t k = first_carried(op); k < op.operands.size(); ++k) init.push_back({&b, to.at(op.operands[k])});
    auto region = [&](const Block& r, bool yields_state) {
      return [&, yields_state](Builder& in, std::span<const X> xs) {
        Cloner turn{in, std::move(to.map)};
        const std::size_t lead = first_parameter(op);
        if (lead) turn.map[r.params[0]] = xs[0].v;
        for (std::size_t k = lead; k < r.params.size(); ++k) turn.map[r.params[k]] = xs[k + 1].v;
        for (auto* o : r.ops) turn.clone(*o);
        std::vector<X> ys;
        if (yields_state) ys.push_back(xs[lead] + index(in, 1));
        for (auto* y : r.yields) ys.push_back({&in, turn.at(y)});
        to.map = std::move(turn.map);
        return ys;
      };
    };
    const auto out = op.kind == &ops::for_ ? loop(b, {&b, to.at(op.operands[0])}, {&b, to.at(op.operands[1])}, op.at(key::step), init, region(*op.regions[0], true))
                                           : loop_while(b, init, region(*op.regions[0], false), region(*op.regions[1], true));
    for (std::size_t k = 0; k < op.results.size(); ++k) to.map[op.results[k]] = out[k + 1].v;
    stacks_[{&op, to.b.block}] = {out[0].v};
  }
  static Type stacked(Type t, std::int64_t n) { t.dims.insert(t.dims.begin(), n); return t; }
  static std::vector<X> corner(X i, const Type& t) {
    std::vector<X> at(std::size_t(t.rank()) + 1, like(i, 0));
    at[0] = i;
    return at;
  }
  static X put(X stack, X x, X i) { return dynamic_update_slice(stack, reshape(x, stacked(x.type(), 1).dims), corner(i, x.type())); }
  static X taken(X stack, const Type& t, X i) { return reshape(dynamic_slice(stack, corner(i, t), stacked(t, 1).dims), t.dims); }

  // --- adjoint code ---
  void backward(const Block& from, Cloner& values, Cotangents& ds) {
    for (auto it = from.ops.rbegin(); it != from.ops.rend(); ++it) {
      const Op& op = **it;
      if (!is_active(op) || std::none_of(op.results.begin(), op.results.end(), [&](auto* r) { return ds.contains(r); })) continue;
      values.b.where = op.where, values.b.where.adjoint = true;
      if (is_loop(op)) backward_loop(op, values, ds);
      else if (op.kind == &ops::if_) backward_if(op, values, ds);
      else backward_pure(op, values, ds);
    }
  }
  void backward_pure(const Op& op, Cloner& values, Cotangents& ds) {
    Builder& b = values.b;
    for (std::size_t i = 0; i < op.operands.size(); ++i) if (active_(op.operands[i])) check_differentiable(op, int(i));
    const X d = take(ds, op.results[0], b);
    std::vector<X> in;
    for (auto* v : op.operands) in.push_back({&b, values.at(v)});
    const Derivative& rule = op.kind->derivative;
    std::vector<X> each;
    if (rule.form == Derivative::pointwise) {
      each = partials(op, in, {&b, values.at(op.results[0])});
      const X spread = rule.then ? rule.then->derivative.transpose(op, in, d)[0] : d;
      for (auto& p : each) if (p) p = spread * p;
    } else if (rule.form == Derivative::linear || rule.form == Derivative::multilinear) {
      each = rule.transpose(op, in, d);
    } else if (rule.form == Derivative::differential) {
      if (rule.transpose) each = rule.transpose(op, in, d);
      bool all = !each.empty();
      for (std::size_t i = 0; all && i < in.size(); ++i) all = !active_(op.operands[i]) || each[i];
      if (!all) each = by_transposition(op, in, {&b, values.at(op.results[0])}, d);
    }
    for (std::size_t i = 0; i < each.size(); ++i) add(ds, op.operands[i], each[i]);
  }
  // The rule's tangent as a function of the tangents, reversed and written in place.
  std::vector<X> by_transposition(const Op& op, std::span<const X> in, X out, X d) const {
    Function tangent("tangent");
    Builder b{tangent};
    std::vector<X> given, slopes(in.size());
    std::vector<int> wanted;
    for (X x : in) given.push_back(param(b, x.type(), ""));
    const X result = param(b, out.type(), "");
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!active_(op.operands[i])) continue;
      wanted.push_back(int(tangent.body->params.size()));
      slopes[i] = param(b, in[i].type(), "");
    }
    tangent.body->yields = {op.kind->derivative.tangent(op, given, result, slopes).v};
    Program alone;
    const Function back = reverse_functional(alone, tangent, {.wanted = wanted, .value = false, .seeds = true}, "transposed");
    Cloner to{*d.b};
    const auto& params = back.body->params;
    for (std::size_t i = 0; i < in.size(); ++i) to.map[params[i]] = in[i].v;
    to.map[params[in.size()]] = out.v;
    for (int w : wanted) to.map[params[std::size_t(w)]] = zero(*d.b, params[std::size_t(w)]->type).v;   // not read: the map is linear
    to.map[params.back()] = d.v;
    to.block(*back.body);
    std::vector<X> each(in.size());
    for (std::size_t i = 0, next = 0; i < in.size(); ++i) if (slopes[i]) each[i] = {d.b, to.at(back.body->yields[next++])};
    return each;
  }
  // Active values from outside that the op's regions read.
  std::vector<Value*> outside(const Op& op) const {
    std::vector<Value*> found;
    auto note = [&](Value* v) { if (active_(v) && std::find(found.begin(), found.end(), v) == found.end()) found.push_back(v); };
    const std::size_t own = op.operands.size();
    std::size_t seen = 0;
    for_each_read(op, [&](Value* v) { if (seen++ >= own) note(v); });
    return found;
  }
  // Computes the region again for these values of its parameters, then its adjoint.
  Cotangents again(const Block& region, Builder& b, const Cloner& around, std::span<const X> params, const std::function<void(Cotangents&)>& seed) {
    Cloner inner{b, around.map};
    for (std::size_t k = 0; k < params.size(); ++k) inner.map[region.params[k]] = params[k].v;
    block(region, inner);
    Cotangents ds;
    seed(ds);
    backward(region, inner, ds);
    return ds;
  }
  void backward_if(const Op& op, Cloner& values, Cotangents& ds) {
    Builder& b = values.b;
    std::vector<X> given;
    for (auto* r : op.results) given.push_back(take(ds, r, b));
    const auto free = outside(op);
    auto side = [&](const Block& r) {
      return [&](Builder& in, std::span<const X>) {
        const Cotangents inner = again(r, in, values, {}, [&](Cotangents& to) {
          for (std::size_t k = 0; k < given.size(); ++k) if (given[k]) add(to, r.yields[k], {&in, given[k].v});
        });
        std::vector<X> ys;
        for (auto* v : free) ys.push_back(or_zero(inner, v, in));
        return ys;
      };
    };
    const auto out = branch(b, {&b, values.at(op.operands[0])}, side(*op.regions[0]), side(*op.regions[1]));
    for (std::size_t k = 0; k < free.size(); ++k) add(ds, free[k], out[k]);
  }
  // Carried backwards: the cotangents of what the loop carries, and those of what its body reads from outside.
  void backward_loop(const Op& op, Cloner& values, Cotangents& ds) {
    Builder& b = values.b;
    const Block& body = *op.regions.back();
    const std::size_t lead = first_parameter(op), first = first_carried(op), n = op.results.size();
    const auto free = outside(op);
    std::vector<std::size_t> slots;               // the active carried values
    std::vector<X> init;
    for (std::size_t k = 0; k < n; ++k) {
      const X d = take(ds, op.results[k], b);
      if (!active_(body.params[lead + k]) && !active_(op.results[k])) continue;
      slots.push_back(k);
      init.push_back(d ? d : zero(b, op.results[k]->type));
    }
    for (auto* v : free) init.push_back(zero(b, v->type));
    const auto kept = stacks_.at({&op, b.block});
    const auto trips = constant_trips(op);
    const X last = (trips ? index(b, trips->n) : X{&b, kept[0]}) - index(b, 1);
    const auto out = loop(b, last, index(b, -1), -1, init, [&](Builder& in, std::span<const X> xs) {
      std::vector<X> state;
      if (lead) {
        const X from{&in, values.at(op.operands[0])};
        state.push_back(from + convert(xs[0], from.type().dtype) * constant(in, Number::of(from.type().dtype, op.at(key::step))));
      }
      if (trips) for (std::size_t k = 0; k < n; ++k) state.push_back(taken({&in, kept[k]}, op.results[k]->type, xs[0]));
      else for (X x : rerun(op, values, in, xs[0])) state.push_back(x);
      Cotangents inner = again(body, in, values, state, [&](Cotangents& to) {
        for (std::size_t k = 0; k < slots.size(); ++k) add(to, body.yields[slots[k]], xs[1 + k]);
      });
      std::vector<X> ys;
      for (auto k : slots) ys.push_back(or_zero(inner, body.params[lead + k], in));
      for (std::size_t k = 0; k < free.size(); ++k) {
        const X so_far = xs[1 + slots.size() + k];
        auto it = inner.find(free[k]);
        ys.push_back(it == inner.end() ? so_far : so_far + X{&in, it->second.v});
      }
      return ys;
    });
    for (std::size_t k = 0; k < slots.size(); ++k) add(ds, op.operands[first + slots[k]], out[k]);
    for (std::size_t k = 0; k < free.size(); ++k) add(ds, free[k], out[slots.size() + k]);
  }
  // What the loop carries into turn i, by running the turns before it.
  std::vector<X> rerun(const Op& op, const Cloner& values, Builder& b, X i) {
    const Block& body = *op.regions.back();
    const std::size_t lead = first_parameter(op);
    std::vector<X> init;
    for (std::size_t k = first_carried(op); k < op.operands.size(); ++k) init.push_back({&b, values.at(op.operands[k])});
    return loop(b, index(b, 0), i, 1, init, [&](Builder& in, std::span<const X> xs) {
      Cloner turn{in, values.map};
      if (lead) {
        const X from{&in, values.at(op.operands[0])};
        turn.map[body.params[0]] = (from + convert(xs[0], from.type().dtype) * constant(in, Number::of(from.type().dtype, op.at(key::step)))).v;
      }
      for (std::size_t k = lead; k < body.params.size(); ++k) turn.map[body.params[k]] = xs[1 + k - lead].v;
      for (auto* o : body.ops) turn.clone(*o);
      std::vector<X> ys;
      for (auto* y : body.yields) ys.push_back({&in, turn.at(y)});
      return ys;
    });
  }

  const Function& f_;
  const Activity::Summary& active_;
  Cloner forward_;
  std::map<std::pair<const Op*, const Block*>, std::vector<Value*>> stacks_;     // by loop and the block in which its forward code stands
};

}  // namespace

bool has_tensors(const Program& program, const Function& f) {
  std::set<std::string> seen;
  std::function<bool(const Function&)> in = [&](const Function& g) {
    if (any_tensor(*g.body)) return true;
    bool found = false;
    walk(*g.body, [&](Op* op) {
      if (op->kind != &ops::call || found || !seen.insert(op->at(key::callee)).second) return;
      if (auto* callee = program.find(op->at(key::callee))) found = in(*callee);
    });
    return found;
  };
  return in(f);
}

Function reverse_functional(Program& program, const Function& f, const ReverseRequest& request, std::string name) {
  const Function source = differentiable_form(inlined(program, f));
  walk(*source.body, [](Op* op) {
    if (op->kind->effect >= Effect::allocates) throw Refusal("NOT_DIFFERENTIABLE", op->where, std::string(op->kind->name) + ": a buffer or an effect in a program of tensors");
  });
  Mask wanted(source.body->params.size());
  for (int i : request.wanted) wanted[std::size_t(i)] = true;
  Activity activity(program);
  Function out(std::move(name));
  Reverse(source, activity.of(source, wanted), out).run(request);
  simplify(out, &program);
  return out;
}

}  // namespace tlaloc::ir
