// SPDX-License-Identifier: Apache-2.0
#include "transforms/counted.hpp"

#include "transforms/identities.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {

std::optional<std::uint64_t> constant_trips(const Op& loop) {
  if (loop.operands[0] == loop.operands[1]) return 0;
  auto *from = constant_of(loop.operands[0]), *to = constant_of(loop.operands[1]);
  if (!from || !to) return {};
  const std::int64_t step = loop.at(key::step);
  const bool up = step > 0;
  const bool runs = is_unsigned(from->dtype) ? (up ? from->bits < to->bits : from->bits > to->bits)
                                             : (up ? from->as_int() < to->as_int() : from->as_int() > to->as_int());
  if (!runs) return 0;
  const std::uint64_t distance = up ? to->bits - from->bits : from->bits - to->bits, stride = up ? std::uint64_t(step) : std::uint64_t(0) - std::uint64_t(step);
  return (distance - 1) / stride + 1;
}

std::optional<Counted> as_counted(const Op& loop) {
  const Block &test = *loop.regions[0], &body = *loop.regions[1];
  if (test.ops.size() != 1 || test.ops[0]->kind != &ops::compare || test.yields[0] != test.ops[0]->results[0]) return {};
  Compare how = test.ops[0]->at(key::direction);
  Value *counter = test.ops[0]->operands[0], *bound = test.ops[0]->operands[1];
  if (inside(bound->block, &test)) std::swap(counter, bound), how = swapped(how);
  auto it = std::find(test.params.begin(), test.params.end(), counter);
  if (it == test.params.end() || inside(bound->block, &test) || !counter->type.integer()) return {};
  const std::size_t k = std::size_t(it - test.params.begin());
  const Value *next = body.yields[k], *now = body.params[k];
  const Offset o = offset_of(next);
  const std::int64_t step = Number::of(counter->type.dtype, o.by).as_int();
  if (o.base != now || step == 0) return {};
  const bool wraps = is_unsigned(counter->type.dtype);
  const std::int64_t by = wraps && step != 1 ? -1 : step;          // unsigned: only i + 1 and i - 1 are sure to stop there
  if (wraps && Number::of(counter->type.dtype, by).bits != Number::of(counter->type.dtype, step).bits) return {};
  if (how == Compare::eq || (wraps && how != Compare::lt && how != Compare::gt)) return {};
  if (how == Compare::ne) {
    if (by != 1 && by != -1) return {};
    how = by > 0 ? Compare::lt : Compare::gt;
  }
  const bool up = how == Compare::lt || how == Compare::le;
  if (up != (by > 0)) return {};
  return Counted{k, bound, how == Compare::le || how == Compare::ge, by};
}

std::optional<Ahead> counts_ahead(const Op& loop) {
  const Block &test = *loop.regions[0], &body = *loop.regions[1];
  if (test.ops.size() != 2 || test.ops[1]->kind != &ops::compare || test.yields[0] != test.ops[1]->results[0]) return {};
  if (test.ops[0]->results.size() != 1) return {};                 // a store, say
  const Value* sum = test.ops[0]->results[0];
  const Offset o = offset_of(sum);
  auto it = std::find(test.params.begin(), test.params.end(), o.base);
  const auto& sides = test.ops[1]->operands;
  if (it == test.params.end() || o.by == 0 || (sides[0] == sum) == (sides[1] == sum) || !is_signed(sum->type.dtype)) return {};
  if (inside((sides[0] == sum ? sides[1] : sides[0])->block, &test)) return {};
  const std::size_t k = std::size_t(it - test.params.begin());
  const Offset next = offset_of(body.yields[k]);
  if (next.base != body.params[k] || next.by == 0) return {};
  return Ahead{k, o.by, next.by};
}

void carry_ahead(Function& f, Op& loop, const Ahead& a, Value* by, Value* step) {
  Block &test = *loop.regions[0], &body = *loop.regions[1];
  for (auto*& v : test.ops[1]->operands) if (v == test.ops[0]->results[0]) v = test.params[a.slot];
  test.ops.erase(test.ops.begin());
  Value* carried = body.params[a.slot];
  auto make = [&](const Kind& kind, Value* y, const std::string& name) {
    Op* op = f.new_op(kind, &body);
    op->operands = {carried, y}, op->where = loop.where;
    op->results = {f.new_value(carried->type, name, &body, op)};
    return op;
  };
  Op *counter = make(ops::sub, by, carried->name), *next = make(ops::add, step, "");
  substitute(body, {{carried, counter->results[0]}});
  counter->operands[0] = next->operands[0] = carried;
  body.ops.insert(body.ops.begin(), counter);
  body.ops.push_back(next);
  body.yields[a.slot] = next->results[0];
}

void make_counted(Function& f, Op& loop, const Counted& c, Value* to) {
  Block& body = *loop.regions[1];
  Value *from = loop.operands[c.slot], *counter = body.params[c.slot];
  if (c.step == 1 || c.step == -1) drop_slots(loop, [&](std::size_t k) { return k == c.slot; });
  else body.params[c.slot] = f.new_value(counter->type, counter->name, &body);
  body.params.insert(body.params.begin(), counter);
  loop.kind = &ops::for_;
  loop.attrs = {c.step};
  loop.regions = {&body};
  loop.operands.insert(loop.operands.begin(), {from, to});
}

}  // namespace tlaloc::ir
