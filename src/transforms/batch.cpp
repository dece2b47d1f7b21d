// SPDX-License-Identifier: Apache-2.0
#include "transforms/batch.hpp"

#include "ir/tensor.hpp"
#include "transforms/inline_calls.hpp"
#include "transforms/rewrite.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

bool by_expansion(const Op& op) { return op.kind->batching.form == Batching::by_expansion; }

/// A value of the new function, and whether it has the new axis, which then is its first.
struct Mapped { X x; bool batched = false; };

class Batcher {
 public:
  Batcher(std::int64_t extent) : n_(extent) {}

  void block(const Block& from, Builder& b) { for (auto* op : from.ops) { b.where = op->where; this->op(*op, b); } }
  void set(const Value* v, Mapped m) { of_[v] = {m.x.named(v->name), m.batched}; }
  Mapped at(const Value* v, Builder& b) const {
    auto it = of_.find(v);
    if (it == of_.end()) throw Error("'" + v->name + "' is used before it is mapped");
    return {{&b, it->second.x.v}, it->second.batched};
  }
  X all(const Value* v, Builder& b) const { const Mapped m = at(v, b); return with_batch(m.x, m.batched, n_); }

 private:
  Type with_axis(Type t) const { t.dims.insert(t.dims.begin(), n_); return t; }
  bool reads_batched(const Op& op, Builder& b) const {
    bool any = false;
    for (auto* v : op.operands) any |= at(v, b).batched;
    return any;
  }
  void op(const Op& op, Builder& b) {
    if (op.kind == &ops::for_) return counted(op, b);
    if (op.kind == &ops::while_) return loop(op, b);
    if (op.kind == &ops::if_) return branch(op, b);
    std::vector<X> in;
    Batch marks{n_, {}};
    for (auto* v : op.operands) {
      const Mapped m = at(v, b);
      in.push_back(m.x);
      marks.marked.push_back(m.batched);
    }
    const Batching& rule = op.kind->batching;
    if (rule.form == Batching::refused || rule.form == Batching::structural)
      throw Refusal("VMAP_NO_BATCHING_RULE", op.where, std::string(op.kind->name) + ": " + std::string(rule.why.empty() ? "has no batching rule" : rule.why));
    if (!reads_batched(op, b)) {
      std::vector<Value*> vs;
      for (X x : in) vs.push_back(x.v);
      return set(op.results[0], {{&b, b.append(*op.kind, vs, op.attrs)->results[0]}, false});
    }
    if (rule.form == Batching::elementwise) for (std::size_t i = 0; i < in.size(); ++i) in[i] = with_batch(in[i], marks.marked[i], n_);
    set(op.results[0], {rule.form == Batching::rule ? rule.map(op, in, marks) : build(*op.kind, b, in, op.attrs), true});
  }

  // --- which carried values become batched: those that start so, or that a turn makes so ---
  // Runs the region on a scratch function to see; marks only grow.
  std::vector<bool> yields_batched(const Block& r, const std::vector<bool>& params) const {
    Function scratch("scratch");
    Batcher probe(n_);
    Builder b{scratch};
    for (auto& [v, m] : of_) probe.of_[v] = {param(b, m.x.type(), ""), m.batched};
    for (std::size_t i = 0; i < r.params.size(); ++i) probe.of_[r.params[i]] = {param(b, params[i] ? with_axis(r.params[i]->type) : r.params[i]->type, ""), params[i]};
    probe.block(r, b);
    std::vector<bool> out;
    for (auto* y : r.yields) out.push_back(probe.at(y, b).batched);
    return out;
  }
  std::vector<X> mapped_yields(const Block& r, const std::vector<bool>& batched, Builder& b) const {
    std::vector<X> ys;
    for (std::size_t k = 0; k < r.yields.size(); ++k) ys.push_back(batched[k] ? all(r.yields[k], b) : at(r.yields[k], b).x);
    return ys;
  }
  void set_params(const Block& r, std::span<const X> xs, const std::vector<bool>& batched) { for (std::size_t i = 0; i < r.params.size(); ++i) set(r.params[i], {xs[i], batched[i]}); }
  void set_results(const Op& op, std::span<const X> xs, const std::vector<bool>& batched) { for (std::size_t k = 0; k < op.results.size(); ++k) set(op.results[k], {xs[k], batched[k]}); }
  X select(X mask, X a, X b) const { return ops::select(broadcast(mask, a.type().dims, {0}), a, b); }

  void branch(const Op& op, Builder& b) {
    const Mapped condition = at(op.operands[0], b);
    if (condition.batched) {                      // both, then a choice for each example
      block(*op.regions[0], b);
      block(*op.regions[1], b);
      for (std::size_t k = 0; k < op.results.size(); ++k)
        set(op.results[k], {select(condition.x, all(op.regions[0]->yields[k], b), all(op.regions[1]->yields[k], b)), true});
      return;
    }
    const auto first = yields_batched(*op.regions[0], {}), second = yields_batched(*op.regions[1], {});
    std::vector<bool> batched;
    for (std::size_t k = 0; k < first.size(); ++k) batched.push_back(first[k] || second[k]);
    auto side = [&](const Block& r) {
      return [&](Builder& in, std::span<const X>) { block(r, in); return mapped_yields(r, batched, in); };
    };
    set_results(op, ir::branch(b, condition.x, side(*op.regions[0]), side(*op.regions[1])), batched);
  }
  void counted(const Op& op, Builder& b) {
    const Mapped from = at(op.operands[0], b), to = at(op.operands[1], b);
    const Block& body = *op.regions[0];
    if (from.batched || to.batched) return counted_apart(op, b);
    std::vector<bool> batched{false};
    for (std::size_t k = 2; k < op.operands.size(); ++k) batched.push_back(at(op.operands[k], b).batched);
    settle(body, batched, 1);
    std::vector<X> init;
    for (std::size_t k = 2; k < op.operands.size(); ++k) init.push_back(batched[k - 1] ? all(op.operands[k], b) : at(op.operands[k], b).x);
    const std::vector<bool> carried(batched.begin() + 1, batched.end());
    const auto out = ir::loop(b, from.x, to.x, op.at(key::step), init, [&](Builder& in, std::span<const X> xs) {
      set_params(body, xs, batched);
      block(body, in);
      return mapped_yields(body, carried, in);
    });
    set_results(op, out, carried);
  }
  void settle(const Block& body, std::vector<bool>& params, std::size_t lead) const {
    for (bool changed = true; changed;) {
      changed = false;
      const auto yields = yields_batched(body, params);
      for (std::size_t k = 0; k < yields.size(); ++k) if (yields[k] && !params[lead + k]) params[lead + k] = changed = true;
    }
  }
  // Each example has bounds of its own: every turn asks who still counts.
  void counted_apart(const Op& op, Builder& b) {
    const Block& body = *op.regions[0];
    const auto step = op.at(key::step);
    const X to = all(op.operands[1], b);
    std::vector<X> init{all(op.operands[0], b)};
    for (std::size_t k = 2; k < op.operands.size(); ++k) init.push_back(all(op.operands[k], b));
    auto counts = [&](Builder& in, X i) { const X limit{&in, to.v}; return step > 0 ? i < limit : i > limit; };
    auto test = [&](Builder& in, std::span<const X> xs) -> std::vector<X> { return {reduced(ops::reduce_or, counts(in, xs[0]), {0})}; };
    const std::vector<bool> every(body.params.size(), true);
    const auto out = loop_while(b, init, test, [&](Builder& in, std::span<const X> xs) {
      const X running = counts(in, xs[0]);
      set_params(body, xs, every);
      block(body, in);
      std::vector<X> ys{select(running, xs[0] + like(xs[0], double(step)), xs[0])};
      for (std::size_t k = 0; k < body.yields.size(); ++k) ys.push_back(select(running, all(body.yields[k], in), xs[k + 1]));
      return ys;
    });
    set_results(op, std::span(out).subspan(1), std::vector<bool>(op.results.size(), true));
  }
  void loop(const Op& op, Builder& b) {
    const Block &test = *op.regions[0], &body = *op.regions[1];
    std::vector<bool> batched;
    for (auto* v : op.operands) batched.push_back(at(v, b).batched);
    settle(body, batched, 0);
    const bool apart = yields_batched(test, batched)[0];
    if (apart) batched.assign(batched.size(), true);
    std::vector<X> init;
    for (std::size_t k = 0; k < op.operands.size(); ++k) init.push_back(batched[k] ? all(op.operands[k], b) : at(op.operands[k], b).x);
    auto runs = [&](Builder& in, std::span<const X> xs) {
      set_params(test, xs, batched);
      block(test, in);
      return at(test.yields[0], in).x;
    };
    const auto out = loop_while(b, init,
                                [&](Builder& in, std::span<const X> xs) -> std::vector<X> {
                                  const X running = runs(in, xs);
                                  return {apart ? reduced(ops::reduce_or, running, {0}) : running};
                                },
                                [&](Builder& in, std::span<const X> xs) {
                                  const X running = apart ? runs(in, xs) : X{};
                                  set_params(body, xs, batched);
                                  block(body, in);
                                  auto ys = mapped_yields(body, batched, in);
                                  if (apart) for (std::size_t k = 0; k < ys.size(); ++k) ys[k] = select(running, ys[k], xs[k]);
                                  return ys;
                                });
    set_results(op, out, batched);
  }

  std::int64_t n_;
  std::map<const Value*, Mapped> of_;
};

Function without_expansions(const Program& program, const Function& f) {
  Function out = inlined(program, f);
  expand(out, by_expansion);
  return out;
}

}  // namespace

Function batch(Program& program, const Function& f, const BatchOptions& options, std::string name) {
  if (options.in_axes.size() != f.body->params.size()) throw Error("batch of '" + f.name + "': " + std::to_string(options.in_axes.size()) + " axes for " + std::to_string(f.body->params.size()) + " parameters");
  if (!options.out_axes.empty() && options.out_axes.size() != f.body->yields.size()) throw Error("batch of '" + f.name + "': " + std::to_string(options.out_axes.size()) + " axes for " + std::to_string(f.body->yields.size()) + " results");
  const Function source = without_expansions(program, f);
  Function out(std::move(name));
  Builder b{out};
  Batcher batcher(options.extent);
  std::vector<std::pair<X, int>> arguments;
  for (std::size_t i = 0; i < options.in_axes.size(); ++i) {
    const Value* p = source.body->params[i];
    const int axis = options.in_axes[i];
    Type t = p->type;
    if (t.buffer) throw Refusal("VMAP_NO_BATCHING_RULE", {}, "the buffer '" + p->name + "' has no batch axis");
    if (axis > t.rank()) throw Error("batch of '" + f.name + "': '" + p->name + "' has no axis " + std::to_string(axis));
    if (axis >= 0) t.dims.insert(t.dims.begin() + axis, options.extent);
    arguments.emplace_back(param(b, t, p->name), axis);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto [x, axis] = arguments[i];
    batcher.set(source.body->params[i], {axis > 0 ? moved(x, axis, 0) : x, axis >= 0});
  }
  batcher.block(*source.body, b);
  for (std::size_t k = 0; k < source.body->yields.size(); ++k)
    out.body->yields.push_back(moved(batcher.all(source.body->yields[k], b), 0, options.out_axes.empty() ? 0 : options.out_axes[k]).v);
  out.result_names = f.result_names;
  simplify(out, &program);
  return out;
}

}  // namespace tlaloc::ir
