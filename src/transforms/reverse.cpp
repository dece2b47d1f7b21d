// SPDX-License-Identifier: Apache-2.0
//
// Reverse mode: checks the request, makes the function ready, plans, emits. In: a function and what is wanted. Out: the
// function of its cotangents, and in the program the reverse functions of what it calls. Refused: ops without a derivative,
// differentiated values stored where there is no shadow, contents that must be kept but whose length is unknown.
#include "transforms/reverse.hpp"

#include "transforms/cost.hpp"
#include "transforms/fuse.hpp"
#include "transforms/jam.hpp"
#include "transforms/reverse_emit.hpp"
#include "transforms/reverse_sums.hpp"
#include "transforms/reverse_tensor.hpp"
#include "transforms/reverse_tuned.hpp"
#include "transforms/rules.hpp"
#include "transforms/simplify.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

Function reverse_of(Program&, const Function&, const ReverseRequest&, std::string name, const ReverseTuning* = nullptr);

[[noreturn]] void not_differentiable(const Op& op, const std::string& why) { throw Refusal("NOT_DIFFERENTIABLE", op.where, why); }

void check_stores(const Geometry& g, const ReverseActivity& a, const RegionMap& regions, const std::vector<int>& wanted) {
  const auto& params = g.function().body->params;
  for (auto* p : params) {
    if (!p->type.buffer) continue;
    const auto i = std::find(params.begin(), params.end(), regions.at(p).parameter) - params.begin();
    if (std::find(wanted.begin(), wanted.end(), int(i)) != wanted.end()) continue;
    for (auto* op : g.touching(p)) {
      if (!g.writes(op, p)) continue;
      const bool varied = std::any_of(op->operands.begin(), op->operands.end(), [&](Value* v) { return v != p && a.varied(v); });
      if (varied) not_differentiable(*op, "a differentiated value is stored into '" + p->name + "', which has no shadow");
    }
  }
}
void check_ops(const Geometry& g, const ReverseActivity& a) {
  walk(*g.function().body, [&](Op* op) {
    if (op->results.empty() || op->kind->derivative.form == Derivative::structural || op->kind->derivative.form == Derivative::zero || !a.active(op)) return;
    for (std::size_t i = 0; i < op->operands.size(); ++i) if (a.active(op->operands[i])) check_differentiable(*op, int(i));
  });
  walk(*g.function().body, [&](Op* op) {
    if (op->kind != &ops::call || !a.active(op)) return;
    if (!g.program().find(op->at(key::callee))) not_differentiable(*op, "'" + op->at(key::callee) + "' has no body and no derivative");
    for (std::size_t i = 0; i < op->operands.size(); ++i) for (std::size_t k = 0; k < i; ++k)
      if (op->operands[i]->type.buffer && op->operands[i] == op->operands[k] && g.writes(op, op->operands[i]))
        not_differentiable(*op, "'" + op->operands[i]->name + "' is passed twice to a recursive function that writes it");
  });
}

/// The function without its effects on the world, for a second run of what has run before.
std::string quiet(Program& program, const std::string& callee) {
  if (!has_outputs(program, callee)) return callee;
  const std::string name = callee + "_quiet";
  if (program.find(name)) return name;
  Function& slot = program.add(copy(*program.find(callee), name));
  without_outputs(program, *slot.body);
  return name;
}
}  // namespace

void without_outputs(Program& program, Block& b) {
  std::erase_if(b.ops, [](Op* op) { return op->kind->effect == Effect::outputs; });
  for (auto* op : b.ops) {
    if (op->kind == &ops::call) op->set(key::callee.name, quiet(program, op->at(key::callee)));
    for (auto* r : op->regions) without_outputs(program, *r);
  }
}

namespace {

std::string reverse_callee(Program& program, const Op& call, const std::vector<int>& wanted) {
  std::string name = call.at(key::callee) + "_reverse";
  for (int w : wanted) name += "_" + std::to_string(w);
  if (program.find(name)) return name;             // made, or being made: recursion closes here
  const Function& called = *program.find(call.at(key::callee));
  if (called.rule) {
    program.add(reverse_by_rule(called, wanted, name, call.where));
    return name;
  }
  const Function f = copy(called, called.name);
  Function& slot = program.add(Function(name));
  slot = reverse_of(program, f, {wanted, false, true, true}, name);
  return name;
}

std::vector<Op*> active_loops(const Geometry& g, const ReverseActivity& a) {
  std::vector<Op*> r;
  walk(*g.function().body, [&](Op* op) { if (is_loop(op) && a.active(op)) r.push_back(op); });
  return r;
}
Function tuned(const Geometry& g, const ReverseActivity& a, PlanOptions options, const ReverseTuning& tuning, const RegionMap& regions,
               const ReverseRequest& request, const Callees& callees, std::string name) {
  int n = 0;
  for (auto* op : active_loops(g, a)) if (tuning.replay && tuning.replay(n++)) options.replay.insert(op);
  options.keep_expensive = tuning.keep_expensive, options.expand = tuning.expand, options.undo = tuning.undo;
  const Plan plan(g, a, regions, options);
  return Emitter(plan, regions, request, callees).run(std::move(name));
}

/// The modes of the loops, by trial: all `save` at first; for each loop that keeps something, outermost first, the program is
/// also made with that loop in `replay`, and that is kept when it costs no more (it keeps less in memory); an outermost loop, which may run for
/// long, may cost a hundredth more.
struct Choice {
  Program& program;
  const Geometry& g;
  const ReverseActivity& a;
  PlanOptions options;
  const RegionMap& regions;
  const ReverseRequest& request;
  const Callees& callees;
  const std::string& name;
  std::optional<Function> found = {};
  std::unique_ptr<Plan> plan = {};                // of what was found
  double least = 0, kept = 0;

  bool attempt(bool outermost = false) {
    auto tried = std::make_unique<Plan>(g, a, regions, options);
    Emitter emitter(*tried, regions, request, callees);
    Function made = emitter.run(name);
    simplify(made, &program);
    const double c = cost(*made.body, emitter.kept()), w = words(made);
    if (found && c > least * (!outermost ? 1 : 3 * w <= kept ? 1.33 : 1.01)) return false;
    found.emplace(std::move(made));
    plan = std::move(tried);
    least = c, kept = w;
    return true;
  }
  Function best() {
    attempt();
    for (auto* loop : active_loops(g, a)) {
      if (!plan->keeps_in(loop)) continue;
      options.replay.insert(loop);
      bool better = false;
      try { better = attempt(loop->block == g.function().body); } catch (const Refusal&) {}            // this loop cannot be replayed
      if (!better) options.replay.erase(loop);
    }
    fuse_loops(program, *found);
    place_sums(program, *found);
    simplify(*found, &program);
    if (jam_loops(program, *found)) simplify(*found, &program);
    return std::move(*found);
  }
};

Function reverse_of(Program& program, const Function& f, const ReverseRequest& request, std::string name, const ReverseTuning* tuning) {
  Function work = copy(f, f.name);
  walk(*work.body, [&](Op* op) { if (op->kind == &ops::call) op->set(key::callee.name, in_derivative(program, *op)); });
  prepare(work);
  close_counters(program, work);
  const RegionMap regions = split_parameters(program, work);
  const Geometry g(program, work);
  auto written = [&](const Value* p) {
    const auto& all = g.touching(p);
    return std::any_of(all.begin(), all.end(), [&](Op* op) { return g.writes(op, p); });
  };
  std::vector<Value*> varied, useful;
  for (auto* p : work.body->params) {
    const Value* whole = p->type.buffer ? regions.at(p).parameter : p;
    const auto w = std::find(work.body->params.begin(), work.body->params.end(), whole) - work.body->params.begin();
    if (std::find(request.wanted.begin(), request.wanted.end(), int(w)) == request.wanted.end()) continue;
    varied.push_back(p);
    if (p->type.buffer && written(p)) useful.push_back(p);
  }
  for (auto* y : work.body->yields) if (y->type.real()) useful.push_back(y);
  const ReverseActivity a(g, varied, useful);
  if (!request.inner) check_stores(g, a, regions, request.wanted);
  check_ops(g, a);
  PlanOptions options;
  options.results = request.value;
  options.outputs = !request.inner;
  if (!request.inner)
    for (auto* p : work.body->params) {
      if (!p->type.buffer || !written(p)) continue;
      const bool scratch = written_before_read(g, p) && std::find(varied.begin(), varied.end(), p) != varied.end();
      if (request.value || !scratch) options.final.insert(p);
    }
  const Callees callees{[&](const Op& call, const std::vector<int>& wanted) { return reverse_callee(program, call, wanted); },
                        [&](const Op& call) { return quiet(program, call.at(key::callee)); }};
  if (tuning) return tuned(g, a, options, *tuning, regions, request, callees, std::move(name));
  return Choice{program, g, a, options, regions, request, callees, name}.best();
}

}  // namespace

static ReverseRequest checked(const Function& f, const ReverseOptions& options) {
  int real_results = 0;
  for (auto* y : f.body->yields) real_results += y->type.real();
  if (!options.seeds && (real_results != 1)) throw Error("reverse of '" + f.name + "': " + std::to_string(real_results) + " real results need seeds");
  for (int w : options.wanted) {
    if (w < 0 || std::size_t(w) >= f.body->params.size()) throw Error("reverse of '" + f.name + "': no parameter " + std::to_string(w));
    if (!f.body->params[std::size_t(w)]->type.real()) throw Error("reverse of '" + f.name + "': '" + f.body->params[std::size_t(w)]->name + "' is not real");
  }
  return {options.wanted, options.value, options.seeds, false};
}
Function reverse(Program& program, const Function& f, const ReverseOptions& options, std::string name) {
  const ReverseRequest request = checked(f, options);
  if (has_tensors(program, f)) return reverse_functional(program, f, request, std::move(name));
  return reverse_of(program, f, request, std::move(name));
}
Function reverse_tuned(Program& program, const Function& f, const ReverseOptions& options, const ReverseTuning& tuning, std::string name) {
  return reverse_of(program, f, checked(f, options), std::move(name), &tuning);
}

}  // namespace tlaloc::ir
