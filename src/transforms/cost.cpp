// SPDX-License-Identifier: Apache-2.0
#include "transforms/cost.hpp"

#include "transforms/geometry.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr double usual_turns = 40;

double turns(const Op& op) {
  const Number *from = is_for(&op) ? constant_of(op.operands[0]) : nullptr, *to = is_for(&op) ? constant_of(op.operands[1]) : nullptr;
  if (!from || !to) return usual_turns;
  const double n = (to->as_double() - from->as_double()) / double(op.at(key::step));
  return n > 0 ? n : 0;
}
double of(const Op& op, const std::map<const Value*, double>& far) {
  if (is_loop(&op)) {
    double turn = op.kind->cost;
    for (auto* r : op.regions) turn += cost(*r, far);
    return 4 + turns(op) * turn;
  }
  if (op.kind == &ops::if_) return 2 + 0.6 * (cost(*op.regions[0], far) + cost(*op.regions[1], far));
  if (op.kind == &ops::fill) return usual_turns / 2;
  const bool free = op.results.size() == 1 && op.results[0]->type.integer() && effect(op) == Effect::pure;      // addresses
  if (free) return 0;
  const auto slow = op.operands.empty() ? far.end() : far.find(op.operands[0]);
  return op.kind->cost * (slow == far.end() ? 1 : slow->second);
}

}  // namespace

double cost(const Block& b, const std::map<const Value*, double>& far) {
  double sum = 0;
  for (auto* op : b.ops) sum += of(*op, far);
  return sum;
}

static double about(const Value* v) {
  if (auto* n = constant_of(v)) return n->as_double();
  const Op* op = v->def;
  if (!op) return usual_turns;
  auto at = [&](std::size_t i) { return about(op->operands[i]); };
  if (op->kind == &ops::cast) return at(0);
  if (op->kind == &ops::add) return at(0) + at(1);
  if (op->kind == &ops::sub) return at(0) - at(1);
  if (op->kind == &ops::mul) return at(0) * at(1);
  if (op->kind == &ops::select) return std::max(at(1), at(2));
  return usual_turns;
}
double words(const Function& f) {
  double sum = 0;
  walk(*f.body, [&](Op* op) { if (op->kind == &ops::alloc) sum += std::max(0.0, about(op->operands[0])); });
  return sum;
}

}  // namespace tlaloc::ir
