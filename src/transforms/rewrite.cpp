// SPDX-License-Identifier: Apache-2.0
#include "transforms/rewrite.hpp"

#include <algorithm>
#include <set>

namespace tlaloc::ir {
namespace {

// The worst that the block does to what its function was given, apart from calls, which are listed.
Effect own_effect(const Block& b, std::vector<std::string>& calls) {
  Effect worst = Effect::pure;
  for (auto* op : b.ops) {
    if (op->kind == &ops::call) calls.push_back(op->at(key::callee));
    else if (op->kind->effect == Effect::outputs) worst = Effect::outputs;
    else if (op->kind->effect >= Effect::reads && !op->operands[0]->def) worst = std::max<Effect>(worst, op->kind->effect);
    for (auto* r : op->regions) worst = std::max(worst, own_effect(*r, calls));
  }
  return worst;
}

}  // namespace

Effect CallEffects::of(const Op& call) {
  if (!program_) return Effect::outputs;
  auto [it, fresh] = known_.try_emplace(call.at(key::callee), Effect::pure);
  if (fresh) it->second = reached_from(it->first);
  const bool shares = std::any_of(call.operands.begin(), call.operands.end(), [](auto* v) { return v->type.buffer; });
  return shares || it->second == Effect::outputs ? it->second : Effect::pure;
}
Effect CallEffects::reached_from(const std::string& callee) const {
  Effect worst = Effect::pure;
  std::set<std::string> seen;
  std::vector<std::string> work{callee};
  while (!work.empty()) {
    const std::string name = std::move(work.back());
    work.pop_back();
    if (!seen.insert(name).second) continue;
    const Function* f = program_->find(name);
    if (!f || (f->body->ops.empty() && f->body->yields.empty())) return Effect::outputs;    // a body that is still to come
    worst = std::max(worst, own_effect(*f->body, work));
  }
  return worst;
}

}  // namespace tlaloc::ir
