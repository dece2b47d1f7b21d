// SPDX-License-Identifier: Apache-2.0
//
// Operations on tensors: those with an operator or a name of <cmath> as on numbers, all others as the functions of
// <tlaloc/ops.hpp>. Extents that only the run tells are variables, which the first tensor with such an axis defines.
#include "backend/cpp/function.hpp"

#include "ir/extent.hpp"
#include "ir/ops.hpp"

namespace tlaloc::ir::cpp {

std::string variable_type(const Type& t) { return t.tensor() ? "AnyTensor" : type_name(t.dtype); }

namespace {

bool narrow(DType d) { return d == DType::f16 || d == DType::bf16; }
std::string element(DType d) { return narrow(d) ? ir::text(d) : type_name(d); }
std::string numbers(const Ints& all) {            // may be negative: no extents
  std::string s = "{";
  for (auto n : all) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
  return s + "}";
}
std::string dtype_name(DType d) { return "dtype::" + (d == DType::boolean ? "boolean" : ir::text(d)); }

}  // namespace

/// Functions are found by their arguments, unless a variable has their name.
void FunctionText::reserve_names() {
  bool tensors = false;
  walk(*f_.body, [&](Op* op) { tensors |= of_tensors(*op); });
  if (!tensors) return;
  for (auto* k : all_kinds())
    if (!k->cpp.by_name) scopes_.reserve(std::string(k->name));
  for (auto* n : {"where", "cast", "ops", "dtype", "AnyTensor"}) scopes_.reserve(n);
}

/// The symbols of the parameters, and the shapes that the arguments must have.
void FunctionText::extents() {
  std::string checks;
  for (auto* p : f_.body->params) {
    if (!p->type.tensor()) continue;
    needs_.includes.insert("<tlaloc/ops.hpp>");
    for (std::size_t k = 0; k < p->type.dims.size(); ++k) {
      const Extent e = p->type.dims[k];
      if (is_number(e)) continue;
      const auto all = terms(e);
      const auto& [factors, c] = *all.begin();
      if (all.size() != 1 || c != 1 || factors.size() != 1 || extents_.contains(factors[0])) continue;
      const std::string n = extents_[factors[0]] = scopes_.declare(factors[0]);
      line("const std::int64_t " + n + " = " + name(p) + ".extent(" + std::to_string(k) + ");");
    }
  }
  for (auto* p : f_.body->params)
    if (p->type.tensor()) line("ops::need(\"" + name(p) + "\", " + name(p) + ", " + dtype_name(p->type.dtype) + ", " + list(p->type.dims) + ");");
}

Text FunctionText::extent_text(std::int64_t e) {
  if (is_number(e)) return {std::to_string(e), primary, index_type};
  std::string s;
  int binding = primary;
  for (auto& [factors, c] : terms(e)) {
    std::string term = std::abs(c) != 1 || factors.empty() ? std::to_string(std::abs(c)) : "";
    for (auto& f : factors) {
      const auto it = extents_.find(f);
      if (it == extents_.end()) throw Error("no parameter tells the extent '" + f + "'");
      term += (term.empty() ? "" : " * ") + it->second;
    }
    if (s.empty()) s = (c < 0 ? "-" : "") + term, binding = c < 0 ? unary : factors.size() > 1 || std::abs(c) != 1 ? product : primary;
    else s += (c < 0 ? " - " : " + ") + term, binding = sum;
  }
  return {s, binding, index_type};
}
std::string FunctionText::list(const Ints& all) {
  std::string s = "{";
  for (auto e : all) s += (s.size() > 1 ? ", " : "") + extent_text(e).s;
  return s + "}";
}

/// A number where a tensor of rank 0 is meant.
Text FunctionText::tensor_operand(Value* v) {
  Text t = value(v, exact);
  if (v->type.tensor()) return t;
  return {"AnyTensor(" + exactly(std::move(t), v->type.dtype).s + ")", primary, v->type.dtype};
}

Text FunctionText::of_tensor(const Op& op) {
  needs_.includes.insert("<tlaloc/ops.hpp>");
  const Type& type = op.results.at(0)->type;
  auto number = [&](Text t) {                     // the result, where it is of rank 0
    if (type.tensor()) return Text{t.s, t.binding, type.dtype};
    return Text{within(t, primary) + ".item<" + element(type.dtype) + ">()", primary, type.dtype};
  };
  if (op.kind == &ops::extent) {
    const Text n = extent_text(elements(op.at(key::shape)));
    return n;
  }
  if (op.kind == &ops::cast) return number({"cast<" + element(type.dtype) + ">(" + tensor_operand(op.operands[0]).s + ")"});
  if (op.kind == &ops::literal) {
    std::string s = "ops::literal<" + element(type.dtype) + ">(" + list(op.at(key::shape)) + ", {";
    bool first = true;
    for (auto& n : op.at(key::values)) {
      const std::string text = narrow(n.dtype) ? ir::text(n.dtype) + "(" + cpp::literal(Number::of(DType::f32, n.real)).s + ")" : cpp::literal(n).s;
      if (text.find("std::numeric_limits") != text.npos) needs_.includes.insert("<limits>");
      s += (first ? "" : ", ") + text;
      first = false;
    }
    return {s + "})", primary, type.dtype};
  }
  if (!op.kind->cpp.by_name && op.attrs.size() <= std::size_t(op.kind == &ops::compare)) {
    if (op.kind == &ops::select)
      return number({"where(" + tensor_operand(op.operands[0]).s + ", " + tensor_operand(op.operands[1]).s + ", " + tensor_operand(op.operands[2]).s + ")"});
    const bool as_text = !op.kind->cpp.text.empty();
    const Pattern p = as_text ? pattern(op) : Pattern{};
    if (as_text && p.binding != primary) {
      std::string s;
      for (auto& piece : p.pieces) s += piece.operand < 0 ? piece.text : within(tensor_operand(op.operands[std::size_t(piece.operand)]), piece.binding);
      return number({s, p.binding});
    }
    std::string s(op.kind->name);
    s += "(";
    for (auto* v : op.operands) s += (s.back() == '(' ? "" : ", ") + tensor_operand(v).s;
    return number({s + ")"});
  }
  std::string s = "ops::" + std::string(op.kind->name) + "(";
  auto add = [&](const std::string& t) { s += (s.back() == '(' ? "" : ", ") + t; };
  const auto fixed = std::size_t(op.kind->operands.fixed());
  for (std::size_t i = 0; i < fixed; ++i) add(tensor_operand(op.operands[i]).s);
  if (op.kind->operands.variadic()) {
    std::string more = "{";
    for (std::size_t i = fixed; i < op.operands.size(); ++i) more += (i == fixed ? "" : ", ") + tensor_operand(op.operands[i]).s;
    add(more + "}");
  }
  for (auto& a : op.attrs) {
    if (auto* ints = std::get_if<Ints>(&a)) add(numbers(*ints));
    else if (auto* shape = std::get_if<Shape>(&a)) add(list(*shape));
    else if (auto* d = std::get_if<DType>(&a)) add(dtype_name(*d));
    else if (auto* n = std::get_if<std::int64_t>(&a)) add(std::to_string(*n));
    else refuse(op, "has an attribute without C++ text");
  }
  return number({s + ")"});
}

}  // namespace tlaloc::ir::cpp
