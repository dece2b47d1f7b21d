// SPDX-License-Identifier: Apache-2.0
//
// Loops left early. The representation has a carried bool that the loop's test asks first: `while (!broken && i < n)`.
// Within the body it is false. Where nothing after the loop asks for it, it goes, and what the body yields for it becomes
// one more yield of the body, the last: the condition of a `break` at the end of a turn. Only the printer knows this form.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

bool is_false(const Value* v) { return is_constant(v, 0); }

/// The parameters of the test's region that are false where v is (or, with `when` true, where v is true).
void false_where(const Value* v, bool when, std::set<const Value*>& found) {
  const Op* op = v->def;
  if (!op) { if (!when) found.insert(v); return; }
  if (op->kind == &ops::logical_not) return false_where(op->operands[0], !when, found);
  if (when ? op->kind == &ops::bit_and : op->kind == &ops::bit_or)
    for (auto* x : op->operands) false_where(x, when, found);
  if (op->kind == &ops::if_ && op->results.size() == 1 && when) {
    if (is_false(op->regions[0]->yields[0])) false_where(op->operands[0], false, found);
    if (is_false(op->regions[1]->yields[0])) false_where(op->operands[0], true, found);
  }
}

void set_false_in_body(Function& f, const Op& loop) {
  std::set<const Value*> known;
  false_where(loop.regions[0]->yields[0], true, known);
  Block& body = *loop.regions[1];
  std::map<const Value*, Value*> with;
  for (std::size_t k = 0; k < body.params.size(); ++k) {
    if (!known.contains(loop.regions[0]->params[k])) continue;
    Op* no = f.new_op(ops::constant, &body);
    no->attrs = {Number::of(DType::boolean, std::uint64_t(0))};
    no->results = {f.new_value({DType::boolean}, "", &body, no)};
    body.ops.insert(body.ops.begin(), no);
    with[body.params[k]] = no->results[0];
  }
  if (with.empty()) return;
  substitute(body, with);
  std::map<const Value*, Value*> same;            // x or false is x
  walk(body, [&](Op* op) {
    if (op->kind == &ops::if_)                    // true where its condition holds, else false
      for (std::size_t k = 0; k < op->results.size(); ++k)
        if (is_constant(op->regions[0]->yields[k], 1) && op->results[k]->type.dtype == DType::boolean && is_false(op->regions[1]->yields[k])) same[op->results[k]] = op->operands[0];
    if (op->kind != &ops::bit_or || op->results[0]->type.dtype != DType::boolean) return;
    for (int i : {0, 1}) if (is_false(op->operands[std::size_t(i)])) { same[op->results[0]] = op->operands[std::size_t(1 - i)]; return; }
  });
  for (auto& [from, to] : same) for (auto it = same.find(to); it != same.end(); it = same.find(to)) to = it->second;
  substitute(body, same);
}

/// Takes `not flag` out of the test; false when the test has another form.
bool drop_from_test(Function& f, Block& test, const Value* flag) {
  Value*& t = test.yields[0];
  Op* op = t->def;
  if (!op || op->block != &test) return false;
  auto is_not_flag = [&](const Value* v) { return v->def && v->def->kind == &ops::logical_not && v->def->operands[0] == flag; };
  if (is_not_flag(t)) {
    op->kind = &ops::constant;
    op->operands.clear();
    op->attrs = {Number::of(DType::boolean, std::uint64_t(1))};
    return true;
  }
  if (op->kind == &ops::bit_and) {
    for (int i : {0, 1}) if (is_not_flag(op->operands[std::size_t(i)])) { t = op->operands[std::size_t(1 - i)]; return true; }
    return false;
  }
  if (op->kind != &ops::if_ || op->results.size() != 1) return false;
  const bool direct = op->operands[0] == flag && is_false(op->regions[0]->yields[0]);
  const bool inverse = is_not_flag(op->operands[0]) && is_false(op->regions[1]->yields[0]);
  if (!direct && !inverse) return false;
  Block& rest = *op->regions[direct ? 1 : 0];
  auto at = std::find(test.ops.begin(), test.ops.end(), op);
  at = test.ops.insert(test.ops.erase(at), rest.ops.begin(), rest.ops.end());
  for (auto* o : rest.ops) {
    o->block = &test;
    for (auto* r : o->results) r->block = &test;
  }
  t = rest.yields[0];
  (void)f;
  return true;
}

bool reads(const Block& b, const Value* v) {
  bool found = std::find(b.yields.begin(), b.yields.end(), v) != b.yields.end();
  walk(b, [&](Op* op) {
    found |= std::find(op->operands.begin(), op->operands.end(), v) != op->operands.end();
    for (auto* r : op->regions) found |= std::find(r->yields.begin(), r->yields.end(), v) != r->yields.end();
  });
  return found;
}

void to_break(Function& f, Op& loop) {
  Block &test = *loop.regions[0], &body = *loop.regions[1];
  for (std::size_t k = 0; k < loop.results.size(); ++k) {
    if (loop.results[k]->type.dtype != DType::boolean || !is_false(loop.operands[k])) continue;
    if (reads(*f.body, loop.results[k]) || reads(body, body.params[k]) || is_false(body.yields[k])) continue;
    const Op* definition = body.yields[k]->def;
    if (!definition || !inside(definition->block, &body)) continue;       // decided before the loop: leave it
    if (!drop_from_test(f, test, test.params[k])) continue;
    auto drop = [&](auto& list) { list.erase(list.begin() + std::ptrdiff_t(k)); };
    Value* stop = body.yields[k];
    drop(loop.operands), drop(loop.results), drop(test.params), drop(body.params), drop(body.yields);
    body.yields.push_back(stop);
    return;
  }
}

}  // namespace

void find_breaks(Function& f) {
  std::vector<Op*> loops;
  walk(*f.body, [&](Op* op) { if (op->kind == &ops::while_) loops.push_back(op); });
  for (auto* op : loops) {
    set_false_in_body(f, *op);
    to_break(f, *op);
  }
}

Value* break_condition(const Op& loop) {
  if (loop.kind != &ops::while_ || loop.regions[1]->yields.size() == loop.results.size()) return nullptr;
  return loop.regions[1]->yields.back();
}

}  // namespace tlaloc::ir::cpp
