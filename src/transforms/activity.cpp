// SPDX-License-Identifier: Apache-2.0
#include "transforms/activity.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

bool needs_expansion(const Op& op) { return op.kind->derivative.form == Derivative::by_expansion; }

}  // namespace

Function differentiable_form(const Function& f) {
  Function out = copy(f, f.name);
  for (bool again = true; again;) {
    again = false;
    walk(*out.body, [&](Op* op) { again |= needs_expansion(*op); });
    if (again) expand(out, needs_expansion);
  }
  return out;
}

const Function& Activity::callee(const Op& call) {
  const std::string& name = call.at(key::callee);
  if (auto it = forms_.find(name); it != forms_.end()) return it->second;
  const Function* f = program_.find(name);
  if (!f) refuse(call, "calls '" + name + "', which the program lacks");
  return forms_.emplace(name, differentiable_form(*f)).first->second;
}

Activity::Summary& Activity::entry(const Function& f, const Mask& params) {
  auto [it, fresh] = known_.try_emplace({&f, params});
  if (fresh) {
    it->second.function = &f;
    it->second.params = params;
    for (std::size_t i = 0; i < params.size(); ++i) if (params[i]) it->second.active[f.body->params[i]] = true;
  }
  return it->second;
}
// Activity only grows, so that all functions that the questions reach settle together, recursion included.
const Activity::Summary& Activity::of(const Function& f, const Mask& params) {
  Summary& asked = entry(f, params);
  for (bool changed = true; changed;) {
    changed = false;
    const std::size_t before = known_.size();
    for (auto& [key, summary] : known_) changed |= grow(summary);
    changed |= known_.size() != before;
  }
  return asked;
}
const Activity::Summary& Activity::at_call(const Op& call, const Summary& caller) {
  Mask params;
  for (auto* v : call.operands) params.push_back(caller(v));
  return entry(callee(call), params);
}

bool Activity::add(Summary& s, const Value* v) { return v->type.real() && !std::exchange(s.active[v], true); }
bool Activity::grow(Summary& s) {
  if (s.function->rule) return false;             // what the body does is not asked
  const bool changed = grow(s, *s.function->body);
  for (std::size_t i = 0; i < s.params.size(); ++i) s.params[i] = s(s.function->body->params[i]);
  return changed;
}
bool Activity::grow(Summary& s, const Block& b) {
  bool changed = false;
  for (auto* op : b.ops) changed |= grow(s, *op);
  return changed;
}
bool Activity::grow(Summary& s, const Op& op) {
  bool changed = false;
  auto flow = [&](const Value* from, const Value* to) { if (s(from)) changed |= add(s, to); };
  for (auto* r : op.regions) changed |= grow(s, *r);
  if (op.kind == &ops::call) {
    const Summary& c = at_call(op, s);
    for (std::size_t i = 0; i < op.operands.size(); ++i) if (op.operands[i]->type.buffer && c.params[i]) changed |= add(s, op.operands[i]);
    const auto& rule = c.function->rule;
    const bool by_rule = rule && std::find(c.params.begin(), c.params.begin() + rule->known, true) != c.params.begin() + rule->known;
    for (std::size_t k = 0; k < op.results.size(); ++k) if (rule ? by_rule : c(c.function->body->yields[k])) changed |= add(s, op.results[k]);
  } else if (!op.regions.empty()) {
    for (std::size_t k = 0; k < op.results.size(); ++k) {
      if (is_loop(op)) {
        for (auto* r : op.regions) {
          Value* p = r->params[first_parameter(op) + k];
          flow(op.operands[first_carried(op) + k], p);
          if (!is_test(op, r)) { flow(r->yields[k], op.results[k]); flow(op.operands[first_carried(op) + k], op.results[k]); }
          flow(op.results[k], p);                 // what a turn yields, the next one and the test are given
        }
      } else {
        for (auto* r : op.regions) flow(r->yields[k], op.results[k]);
      }
    }
  } else if (op.kind->effect == Effect::writes && op.operands[0]->type.buffer) {
    for (auto* v : op.operands) flow(v, op.operands[0]);
    for (auto* v : op.results) flow(op.operands[0], v);
  } else if (op.kind->derivative.form != Derivative::zero) {
    for (auto* v : op.operands) for (auto* y : op.results) flow(v, y);
  }
  return changed;
}

}  // namespace tlaloc::ir
