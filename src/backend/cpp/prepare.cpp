// SPDX-License-Identifier: Apache-2.0
//
// Before a function is planned: ops that C++ has no word for are expanded; what a library function gives for constants is
// computed here, since compilers do not agree on it; comparisons and loops whose outcome is known, of which compilers warn,
// go; the length of a buffer that never changes it is its size.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

bool has_length(const Type& t) { return !t.dims.empty(); }
bool changes_length(const Op& op) { return op.kind == &ops::append || op.kind == &ops::pop || op.kind == &ops::resize; }

void become(Op& op, const Number& n) {
  op.kind = &ops::constant;
  op.operands.clear();
  op.attrs = {n};
}

/// True when both surely have one value: C++ text of them would be the same.
bool same(const Value* a, const Value* b, int depth = 4) {
  if (a == b) return true;
  if (depth == 0 || !a->def || !b->def || a->def->kind != b->def->kind || a->def->attrs != b->def->attrs || a->def->operands.size() != b->def->operands.size()) return false;
  if (a->def->kind->effect > Effect::guarded || !a->def->regions.empty()) return false;
  for (std::size_t i = 0; i < a->def->operands.size(); ++i) if (!same(a->def->operands[i], b->def->operands[i], depth - 1)) return false;
  return true;
}

/// A comparison of integers whose outcome their type alone decides: compilers warn of it.
void fold_comparison(Op& op) {
  if (op.kind != &ops::compare || !op.operands[0]->type.integer() || of_tensors(op)) return;
  const DType d = op.operands[0]->type.dtype;
  const int low_bits = is_signed(d) ? bit_width(d) - 1 : bit_width(d);
  const std::uint64_t ones = low_bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << low_bits) - 1;
  const Number least = Number::of(d, is_signed(d) ? ~ones : std::uint64_t(0)), most = Number::of(d, ones);
  auto outcome = [&](const Number& a, const Number& b) { const Number in[] = {a, b}; return op.kind->kernel.number(op, in).bits != 0; };
  const Number *x = constant_of(op.operands[0]), *y = constant_of(op.operands[1]);
  const auto direction = op.at(key::direction);
  bool always = false, known = false;
  const bool itself = same(op.operands[0], op.operands[1]);
  if (itself) always = outcome(least, least), known = true;
  else if (x && !y) always = outcome(*x, least), known = always == outcome(*x, most);
  else if (y && !x) always = outcome(least, *y), known = always == outcome(most, *y);
  const bool order = direction != Compare::eq && direction != Compare::ne;     // else the ends do not tell
  if (known && (order || itself)) become(op, Number::of(DType::boolean, std::uint64_t(always)));
}

void fold(Op& op) {
  if (op.kind->effect > Effect::guarded || op.kind->kernel.form != Kernel::numbers || op.results.size() != 1 || op.operands.empty()) return;
  std::vector<Number> in;
  for (auto* v : op.operands) if (auto* n = constant_of(v)) in.push_back(*n); else return;
  Number y;
  try {
    y = op.kind->kernel.number(op, in);
  } catch (const Error&) {                        // undefined for these: said where it runs, if it ever does
    return;
  }
  become(op, y);
}

/// A counted loop whose constant bounds let no turn happen.
bool never_runs(const Op& op) {
  if (op.kind != &ops::for_) return false;
  auto *from = constant_of(op.operands[0]), *to = constant_of(op.operands[1]);
  const bool up = op.at(key::step) > 0;
  if (!to) return false;
  if (!from) return is_unsigned(to->dtype) && up && to->bits == 0;
  if (is_unsigned(to->dtype)) return up ? from->bits >= to->bits : from->bits <= to->bits;
  return up ? from->as_int() >= to->as_int() : from->as_int() <= to->as_int();
}

/// The value that is the length of this buffer all the time, made before the op where it must be a constant.
Value* fixed_length(Function& f, const Value* buffer, Op& before) {
  if (buffer->def && buffer->def->kind == &ops::alloc) return buffer->def->operands[0];
  std::int64_t n = 1;
  if (buffer->def && buffer->def->kind == &ops::table) n = std::int64_t(buffer->def->at(key::values).size());
  else for (auto d : buffer->type.dims) n *= d;
  Op* made = f.new_op(ops::constant, before.block);
  made->attrs = {Number::of(index_type, n)};
  made->results = {f.new_value({index_type}, "", before.block, made)};
  auto& list = before.block->ops;
  list.insert(std::find(list.begin(), list.end(), &before), made);
  return made->results[0];
}

}  // namespace

std::set<const Value*> growing_buffers(const Function& f, const FactsOf& facts) {
  std::set<const Value*> found;
  walk(*f.body, [&](Op* op) {
    if (changes_length(*op)) found.insert(op->operands[0]);
    if (op->kind == &ops::length && !op->operands[0]->def && !has_length(op->operands[0]->type)) found.insert(op->operands[0]);
    if (op->kind != &ops::call) return;
    const auto& resized = facts(op->at(key::callee)).resized;
    for (std::size_t i = 0; i < op->operands.size(); ++i) if (op->operands[i]->type.buffer && resized[i]) found.insert(op->operands[i]);
  });
  return found;
}

Function prepare(const Function& source, const FactsOf& facts) {
  Function f = copy(source, source.name);
  expand(f, [](const Op& op) { return op.kind->cpp.expands && !of_tensors(op); });
  const auto changing = growing_buffers(f, facts);
  std::vector<Op*> all;
  walk(*f.body, [&](Op* op) { all.push_back(op); });
  std::map<const Value*, Value*> with;            // results that are other values
  for (auto* op : all) {
    fold(*op);
    fold_comparison(*op);
    if (op->kind == &ops::length && !changing.contains(op->operands[0])) with[op->results[0]] = fixed_length(f, op->operands[0], *op);
    if (never_runs(*op)) {
      for (std::size_t i = 0; i < op->results.size(); ++i) with[op->results[i]] = op->operands[2 + i];
      std::erase(op->block->ops, op);
    }
  }
  for (auto& [from, to] : with) for (auto it = with.find(to); it != with.end(); it = with.find(to)) to = it->second;
  substitute(*f.body, with);
  find_breaks(f);
  return f;
}

}  // namespace tlaloc::ir::cpp
