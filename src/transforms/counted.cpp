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
