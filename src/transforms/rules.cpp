// SPDX-License-Identifier: Apache-2.0
#include "transforms/rules.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

Types types_of(const std::vector<Value*>& vs, bool only_real) {
  Types r;
  for (auto* v : vs) if (!only_real || v->type.real()) r.push_back(v->type);
  return r;
}
void take_params(Builder& b, const Function& f, std::vector<Value*>& in) {
  for (auto* p : f.body->params) in.push_back(param(b, p->type, p->name).v);
}
std::string name_of(const Function& f, std::size_t result) { return result < f.result_names.size() && !f.result_names[result].empty() ? f.result_names[result] : "result"; }

[[noreturn]] void refuse_mode(const Function& f, bool in_forward, Location call) {
  const Rule& rule = *f.rule;
  if (rule.jvp.empty() && rule.vjp.empty())
    throw Refusal("NOT_DIFFERENTIABLE", call, "'" + f.external + "' has no visible body, so it has no derivative; give it a rule with TLALOC_" + (in_forward ? "JVP" : "VJP"));
  const std::string name = f.name.substr(0, std::min(f.name.rfind("_itself"), f.name.rfind("_value")));
  if (in_forward) throw Refusal("NO_JVP_RULE", call, "the function with a rule of its own ('" + name + "') has none for forward mode");
  throw Refusal("NO_VJP_RULE", call, "the function with a rule of its own ('" + name + "') has none for reverse mode");
}

}  // namespace

const std::string& in_derivative(const Program& program, const Op& call) {
  const std::string& name = call.at(key::callee);
  const Function* callee = program.find(name);
  if (!callee || !callee->rule || !callee->rule->next) return name;
  if (callee->rule->next->empty()) throw Refusal("NOT_DIFFERENTIABLE", call.where, "the solution of an equation is differentiated more often than its call allows; ask for more orders, as in root<4>(f, guess)");
  return *callee->rule->next;
}

Function forward_by_rule(const Function& f, const std::vector<int>& wanted, std::string name, Location call) {
  const Rule& rule = *f.rule;
  Function out(std::move(name));
  Builder b{out, out.body, call};
  std::vector<Value*> in;
  take_params(b, f, in);
  std::vector<Value*> tangents(in.size());
  for (int w : wanted) tangents[std::size_t(w)] = param(b, in[std::size_t(w)]->type, "d_" + in[std::size_t(w)]->name).v;
  const Op* value = b.append(ops::call, in, {f.name, types_of(f.body->yields, false)});
  out.body->yields = value->results;
  const bool depends = std::any_of(wanted.begin(), wanted.end(), [&](int w) { return w < rule.known; });
  if (depends && rule.jvp.empty()) refuse_mode(f, true, call);
  std::vector<Value*> slopes;
  if (depends) {
    for (std::size_t i = 0; i < std::size_t(rule.known); ++i)
      if (in[i]->type.real()) in.push_back(tangents[i] ? tangents[i] : constant(b, in[i]->type.dtype, 0).v);
    slopes = b.append(ops::call, in, {rule.jvp, types_of(f.body->yields, true)})->results;
  }
  for (std::size_t k = 0, next = 0; k < f.body->yields.size(); ++k) {
    out.result_names.push_back(name_of(f, k));
    if (f.body->yields[k]->type.real()) out.body->yields.push_back(depends ? slopes[next++] : constant(b, f.body->yields[k]->type.dtype, 0).v);
  }
  for (std::size_t k = 0; k < f.body->yields.size(); ++k) if (f.body->yields[k]->type.real()) out.result_names.push_back("d_" + name_of(f, k));
  return out;
}

Function reverse_by_rule(const Function& f, const std::vector<int>& wanted, std::string name, Location call) {
  const Rule& rule = *f.rule;
  Function out(std::move(name));
  Builder b{out, out.body, call};
  std::vector<Value*> in;
  take_params(b, f, in);
  for (std::size_t k = 0; k < f.body->yields.size(); ++k)
    if (f.body->yields[k]->type.real()) in.push_back(param(b, f.body->yields[k]->type, "d_" + name_of(f, k)).v);
  const bool depends = std::any_of(wanted.begin(), wanted.end(), [&](int w) { return w < rule.known; });
  if (depends && rule.vjp.empty()) refuse_mode(f, false, call);
  std::vector<Value*> slopes(f.body->params.size());
  if (depends) {
    Types types;
    for (int i = 0; i < rule.known; ++i) if (f.body->params[std::size_t(i)]->type.real()) types.push_back(f.body->params[std::size_t(i)]->type);
    const Op* made = b.append(ops::call, in, {rule.vjp, types});
    for (std::size_t i = 0, next = 0; i < std::size_t(rule.known); ++i)
      if (f.body->params[i]->type.real()) slopes[i] = made->results[next++];
  }
  for (int w : wanted) {
    const Value* p = f.body->params[std::size_t(w)];
    Value* d = slopes[std::size_t(w)];
    out.body->yields.push_back(d ? d : constant(b, p->type.dtype, 0).v);
    out.result_names.push_back("d_" + p->name);
  }
  return out;
}

}  // namespace tlaloc::ir
