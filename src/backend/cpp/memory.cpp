// SPDX-License-Identifier: Apache-2.0
//
// Buffers: small arrays in the frame, others in a per-thread arena that is marked and released with the scope, growing
// ones in storage that each thread keeps for the next use. The heap is never asked inside a loop that has run before.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

constexpr std::int64_t bytes_in_frame = 4096;

std::int64_t bytes(const Value* buffer, std::int64_t n) { return n * std::max(1, bit_width(buffer->type.dtype) / 8); }

}  // namespace

void Needs::helper(const Helper& h) {
  if (std::find(helpers.begin(), helpers.end(), &h) == helpers.end()) helpers.push_back(&h);
}

bool FunctionText::in_array(const Value* buffer) const {
  if (!buffer->def || buffer->def->kind != &ops::alloc || growable(buffer)) return false;
  auto* n = constant_of(buffer->def->operands[0]);
  return n && n->as_int() >= 0 && n->as_int() <= bytes_in_frame && bytes(buffer, n->as_int()) <= bytes_in_frame;
}

void FunctionText::table(const Op& op) {
  const DType d = op.at(key::dtype);
  const std::string n = fields_[op.results[0]->id] = scopes_.declare(wanted_name(op.results[0]));
  std::string s = "static constexpr " + type_name(d) + " " + n + "[] = {";
  const auto& numbers = op.at(key::values);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string item = literal(numbers[i], true).s + (i + 1 < numbers.size() ? "," : "");
    if (item.find("std::numeric_limits") != item.npos) needs_.includes.insert("<limits>");
    if (s.size() + item.size() + std::size_t(2 * indent_) > 98) line(s), s = "    " + item;
    else s += (s.back() == '{' ? "" : " ") + item;
  }
  if (numbers.empty()) s += literal(Number::of(d, 0)).s;          // nobody reads it; C++ has no empty array
  line(s + "};");
}

/// The scratch memory of the innermost scope.
std::string FunctionText::room() {
  needs_.helper(scratch_helper);
  if (rooms_.back().empty()) {
    rooms_.back() = scopes_.declare("room");
    line("Scratch " + rooms_.back() + ";");
  }
  return rooms_.back();
}

void FunctionText::alloc(const Op& op) {
  Value* buffer = op.results[0];
  const std::string type = type_name(op.at(key::dtype));
  auto named = [&] {
    const std::string wanted = identifier(wanted_name(buffer));
    plain_names_[variables_.of(buffer)] = wanted;
    return fields_[buffer->id] = scopes_.declare(wanted);
  };
  if (growable(buffer)) {
    needs_.helper(kept_helper);
    const std::string n = named();
    const bool none = is_constant(op.operands[0], 0);
    return line("Kept<" + type + "> " + n + (none ? "" : "(" + value(op.operands[0], exact).s + ")") + ";");
  }
  if (in_array(buffer)) {
    const auto n = std::max<std::int64_t>(1, constant_of(op.operands[0])->as_int());
    return line(type + " " + named() + "[" + std::to_string(n) + "];");
  }
  const std::string from = room(), size = value(op.operands[0], loose).s;
  line(type + "* __restrict " + named() + " = " + from + ".array<" + type + ">(" + size + ");");
}

std::string FunctionText::size_of(Value* buffer) {
  if (buffer->def && buffer->def->kind == &ops::alloc) return value(buffer->def->operands[0], loose).s;
  if (!buffer->type.dims.empty()) {
    std::int64_t n = 1;
    for (auto d : buffer->type.dims) n *= d;
    return std::to_string(n);
  }
  throw Error("the length of the buffer '" + buffer->name + "' is not known to the function that is printed");
}

void FunctionText::fill(const Op& op) {
  Value* buffer = op.operands[0];
  const std::string x = exactly(value(op.operands[1], exact), buffer->type.dtype).s;
  if (growable(buffer)) return line(name(buffer) + ".fill(" + x + ");");
  needs_.includes.insert("<algorithm>");
  line("std::fill_n(" + name(buffer) + ", " + size_of(buffer) + ", " + x + ");");
}

void FunctionText::grow(const Op& op) {
  Value* buffer = op.operands[0];
  std::string s = name(buffer) + (op.kind == &ops::append ? ".append(" : ".resize(");
  for (std::size_t i = 1; i < op.operands.size(); ++i) s += (i > 1 ? ", " : "") + value(op.operands[i], loose).s;
  line(s + ");");
}

}  // namespace tlaloc::ir::cpp
