// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_plan.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

void count_trips(Function& f, Op* loop) {
  Block *outer = loop->block, *test = loop->regions[0], *body = loop->regions[1];
  auto make = [&](const Kind& k, std::vector<Value*> in, std::vector<Attr> attrs, Block* b) {
    Op* op = f.new_op(k, b);
    op->operands = std::move(in), op->attrs = std::move(attrs), op->where = loop->where;
    op->results.push_back(f.new_value({index_type}, "", b, op));
    return op;
  };
  Op* zero = make(ops::constant, {}, {Number::of(index_type, 0)}, outer);
  outer->ops.insert(std::find(outer->ops.begin(), outer->ops.end(), loop), zero);
  loop->operands.push_back(zero->results[0]);
  test->params.push_back(f.new_value({index_type}, "trips", test));
  body->params.push_back(f.new_value({index_type}, "trips", body));
  Op* one = make(ops::constant, {}, {Number::of(index_type, 1)}, body);
  Op* next = make(ops::add, {body->params.back(), one->results[0]}, {}, body);
  body->ops.push_back(one), body->ops.push_back(next);
  body->yields.push_back(next->results[0]);
  loop->results.push_back(f.new_value({index_type}, "trips", outer, loop));
}
Op* measure(Function& f, Value* buffer, Block* b, Location where) {
  Op* op = f.new_op(ops::length, b);
  op->operands = {buffer}, op->where = where;
  op->results.push_back(f.new_value({index_type}, buffer->name.empty() ? "" : buffer->name + "_length", b, op));
  return op;
}

void measure_lengths(Function& f) {
  std::set<Value*, ById> resized;
  std::vector<Op*> resizes;
  walk(*f.body, [&](Op* op) {
    if (changes_length(op)) resized.insert(op->operands[0]);
    if (op->kind == &ops::call) for (auto* v : op->operands) if (v->type.buffer && v->def) resized.insert(v);
    if (op->kind == &ops::resize) resizes.push_back(op);
  });
  for (auto* b : resized) if (local_alloc(b)) b->block->ops.push_back(measure(f, b, b->block, b->def->where));
  for (auto* op : resizes) {
    auto& list = op->block->ops;
    list.insert(std::find(list.begin(), list.end(), op), measure(f, op->operands[0], op->block, op->where));
  }
}

/// a[i] = a[i] + e and a[i] - e become `accum`, which says that the old element is not observed. The bits are the same.
void gather_sums(Function& f, Block& b) {
  for (std::size_t at = 0; at < b.ops.size(); ++at) {
    Op* store = b.ops[at];
    for (auto* r : store->regions) gather_sums(f, *r);
    if (store->kind != &ops::store || !store->operands[2]->type.real()) continue;
    Op* sum = store->operands[2]->def;
    if (!sum || sum->block != &b || (sum->kind != &ops::add && sum->kind != &ops::sub)) continue;
    for (std::size_t k = 0; k < (sum->kind == &ops::add ? 2u : 1u); ++k) {
      Op* load = sum->operands[k]->def;
      if (!load || load->kind != &ops::load || load->block != &b || load->operands[0] != store->operands[0]) continue;
      if (Poly::of(load->operands[1]) != Poly::of(store->operands[1])) continue;
      if (uses(load->results[0], b) != 1 || uses(sum->results[0], b) != 1) continue;
      const auto first = std::find(b.ops.begin(), b.ops.end(), load);
      const bool written = std::any_of(first, b.ops.begin() + std::ptrdiff_t(at), [&](Op* o) {
        const auto w = written_buffers(*o);
        return std::find(w.begin(), w.end(), store->operands[0]) != w.end();
      });
      if (written) continue;
      Value* e = sum->operands[1 - k];
      if (sum->kind == &ops::sub) {                // x - e is x + (-e)
        sum->kind = &ops::neg;
        sum->operands = {e};
        e = sum->results[0];
      } else {
        b.ops.erase(std::find(b.ops.begin(), b.ops.end(), sum)), --at;
      }
      store->kind = &ops::accum;
      store->operands[2] = e;
      b.ops.erase(std::find(b.ops.begin(), b.ops.end(), load)), --at;
      break;
    }
  }
}

}  // namespace

void prepare(Function& f) {
  gather_sums(f, *f.body);
  rotate_loops(f);
  std::vector<Op*> whiles;
  walk(*f.body, [&](Op* op) { if (is_while(op)) whiles.push_back(op); });
  for (auto* w : whiles) count_trips(f, w);
  measure_lengths(f);
}
Value* final_length(const Op& alloc) {
  const auto& list = alloc.block->ops;
  for (auto it = list.rbegin(); it != list.rend() && (*it)->kind == &ops::length; ++it)
    if ((*it)->operands[0] == alloc.results[0]) return (*it)->results[0];
  return nullptr;
}
Value* length_before(const Op& resize) {
  const auto& list = resize.block->ops;
  return (*std::prev(std::find(list.begin(), list.end(), &resize)))->results[0];
}

}  // namespace tlaloc::ir
