// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_activity.hpp"

namespace tlaloc::ir {

ReverseActivity::ReverseActivity(const Geometry& g, const std::vector<Value*>& varied, const std::vector<Value*>& useful)
    : g_(g), varied_(g.function().values.size()), useful_(varied_.size()), ops_(g.function().ops.size()) {
  for (auto* v : varied) mark(varied_, v);
  for (auto* v : useful) mark(useful_, v);
  do {
    changed_ = false;
    walk(*g.function().body, [&](Op* op) { propagate(*op); });
  } while (changed_);
  for (auto* op : g.function().body->ops) find_active(*op);
}
void ReverseActivity::mark(std::vector<char>& s, const Value* v) {
  if (!v->type.real() || at(s, v)) return;
  s[std::size_t(v->id)] = 1;
  changed_ = true;
}
void ReverseActivity::propagate_loop(const Op& op) {
  for (std::size_t j = 0; j < carried_count(&op); ++j) {
    const Value *init = init_of(&op, j), *param = carried_of(&op, j), *next = next_of(&op, j), *result = op.results[j];
    if (at(varied_, init) || at(varied_, next)) mark(varied_, param), mark(varied_, result);
    if (is_while(&op)) mark_if(varied_, at(varied_, param), op.regions[0]->params[j]);
    if (at(useful_, result) || at(useful_, param)) mark(useful_, next), mark(useful_, init);
  }
}
void ReverseActivity::propagate_memory(const Op& op) {
  const Value* buffer = op.operands[0];
  const std::size_t value = op.kind == &ops::append || op.kind == &ops::fill ? 1 : 2;   // of the ops that take one
  if (op.operands.size() > value) {
    mark_if(varied_, at(varied_, op.operands[value]), buffer);
    mark_if(useful_, at(useful_, buffer), op.operands[value]);
  }
  for (auto* r : op.results) {
    mark_if(varied_, at(varied_, buffer), r);
    mark_if(useful_, at(useful_, r), buffer);
  }
}
void ReverseActivity::propagate_call(const Op& op) {
  const Function* callee = g_.program().find(op.at(key::callee));
  const auto end = op.operands.begin() + (callee && callee->rule ? callee->rule->known : std::ptrdiff_t(op.operands.size()));
  bool in = false, out = false;
  for (auto v = op.operands.begin(); v != end; ++v) in |= at(varied_, *v), out |= at(useful_, *v) && (*v)->type.buffer && g_.writes(&op, *v);
  for (auto* r : op.results) mark_if(varied_, in, r), out |= at(useful_, r);
  for (auto v = op.operands.begin(); v != end; ++v) {
    mark_if(varied_, in && (*v)->type.buffer && g_.writes(&op, *v), *v);
    mark_if(useful_, out, *v);
  }
}
void ReverseActivity::propagate(const Op& op) {
  if (is_loop(&op)) return propagate_loop(op);
  if (op.kind == &ops::call) return propagate_call(op);
  if (op.kind == &ops::if_) {
    for (std::size_t j = 0; j < op.results.size(); ++j) for (auto* r : op.regions) {
      mark_if(varied_, at(varied_, r->yields[j]), op.results[j]);
      mark_if(useful_, at(useful_, op.results[j]), r->yields[j]);
    }
    return;
  }
  if (op.kind->derivative.form == Derivative::structural) {
    if (!op.operands.empty() && op.operands[0]->type.buffer) propagate_memory(op);
    return;
  }
  if (op.kind->derivative.form == Derivative::zero) return;
  bool in = false;
  for (auto* v : op.operands) in |= at(varied_, v);
  for (auto* r : op.results) {
    mark_if(varied_, in, r);
    if (at(useful_, r)) for (auto* v : op.operands) mark(useful_, v);
  }
}
bool ReverseActivity::find_active(const Op& op) {
  bool is = false;
  for (auto* r : op.regions) for (auto* o : r->ops) is |= find_active(*o);
  for (auto* r : op.results) is |= active(r);
  if (op.kind->effect == Effect::writes && op.kind != &ops::call) is |= active(op.operands[0]) && (op.kind != &ops::accum || active(op.operands[2]));
  if (op.kind == &ops::call) for (auto* v : op.operands) is |= active(v) && v->type.buffer && g_.writes(&op, v);
  return ops_[std::size_t(op.id)] = is;
}

}  // namespace tlaloc::ir
