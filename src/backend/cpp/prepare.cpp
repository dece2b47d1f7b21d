// SPDX-License-Identifier: Apache-2.0
//
// Before a function is planned: ops that C++ has no word for are expanded; what a library function gives for constants is
// computed here, since compilers do not agree on it; the length of a buffer that never changes it is its size.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

bool changes_length(const Op& op) { return op.kind == &ops::append || op.kind == &ops::pop || op.kind == &ops::resize; }

void fold(Op& op) {
  if (op.kind->effect != Effect::pure || op.kind->kernel.form != Kernel::numbers || op.results.size() != 1 || op.operands.empty()) return;
  std::vector<Number> in;
  for (auto* v : op.operands) if (auto* n = constant_of(v)) in.push_back(*n); else return;
  Number y;
  try {
    y = op.kind->kernel.number(op, in);
  } catch (const Error&) {                        // undefined for these: said where it runs, if it ever does
    return;
  }
  op.kind = &ops::constant;
  op.operands.clear();
  op.attrs = {y};
}

/// The value that is the length of this buffer all the time, made before the op where it must be a constant.
Value* fixed_length(Function& f, const Value* buffer, Op& before) {
  if (buffer->def && buffer->def->kind == &ops::alloc) return buffer->def->operands[0];
  std::int64_t n = 1;
  if (buffer->def && buffer->def->kind == &ops::table) n = std::int64_t(buffer->def->at(key::values).size());
  else if (buffer->type.dims.empty()) refuse(before, "the length of the parameter '" + buffer->name + "' is not known");
  else for (auto d : buffer->type.dims) n *= d;
  Op* made = f.new_op(ops::constant, before.block);
  made->attrs = {Number::of(index_type, n)};
  made->results = {f.new_value({index_type}, "", before.block, made)};
  auto& list = before.block->ops;
  list.insert(std::find(list.begin(), list.end(), &before), made);
  return made->results[0];
}

}  // namespace

Function prepare(const Function& source) {
  Function f = copy(source, source.name);
  expand(f, [](const Kind& k) { return k.cpp.expands; });
  std::set<int> changing;                         // ids of buffers
  std::vector<Op*> all;
  walk(*f.body, [&](Op* op) {
    all.push_back(op);
    if (changes_length(*op)) changing.insert(op->operands[0]->id);
  });
  std::map<const Value*, Value*> lengths;
  for (auto* op : all) {
    fold(*op);
    if (op->kind == &ops::length && !changing.contains(op->operands[0]->id)) lengths[op->results[0]] = fixed_length(f, op->operands[0], *op);
  }
  for (auto& [length, size] : lengths) for (auto it = lengths.find(size); it != lengths.end(); it = lengths.find(size)) size = it->second;
  substitute(*f.body, lengths);
  return f;
}

}  // namespace tlaloc::ir::cpp
