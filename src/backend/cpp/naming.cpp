// SPDX-License-Identifier: Apache-2.0
//
// What variables are called: as the user called them, else after what they hold. `a * x` becomes a_x, std::sin(x) becomes
// sin_x, an element of x becomes x_at; where that gets long, the kind of value gives the name.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

constexpr std::size_t longest_description = 20;

/// What joins the operands' names: a_x, a_plus_x. Null for an operator that makes no name.
const char* joint(std::string_view symbol) {
  if (symbol == "<") return "_below_";
  if (symbol == ">") return "_above_";
  if (symbol == "<=") return "_up_to_";
  if (symbol == ">=") return "_from_";
  if (symbol == "==") return "_is_";
  if (symbol == "!=") return "_is_not_";
  if (symbol == "*") return "_";
  if (symbol == "+") return "_plus_";
  if (symbol == "-") return "_minus_";
  if (symbol == "/") return "_over_";
  return nullptr;
}
const char* noun(const Pattern& p) {
  if (!p.top) return "negative";
  switch (p.top->family) {
    case Operator::choice: return "chosen";
    case Operator::comparison: case Operator::logic: return "holds";
    case Operator::arithmetic: break;
    case Operator::assignment: return "t";
  }
  return p.top->symbol == "*" ? "product" : p.top->symbol == "/" ? "ratio" : p.top->symbol == "+" ? "total" : p.top->symbol == "-" ? "difference"
       : p.top->symbol == "%" ? "rest" : "bits";
}

}  // namespace

std::string FunctionText::name(const Value* v) {
  if (auto it = fields_.find(v->id); it != fields_.end()) return it->second;
  auto it = names_.find(variables_.of(v));
  if (it == names_.end()) throw Error("the value '" + v->name + "' is printed before it has a name");
  return it->second;
}

/// The user's name of the variable, or one that tells what it is.
std::string FunctionText::wanted_name(int variable) {
  const Value* best = nullptr;
  for (auto* v : variables_.members(variable)) {
    if (v->name.empty()) continue;
    const bool carried = !v->def || !v->def->regions.empty();
    if (!best || (carried && best->def && best->def->regions.empty())) best = v;
  }
  if (best) return best->name;
  for (auto* v : variables_.members(variable)) if (auto n = wanted_name(v); !n.empty()) return n;
  return "t";
}

std::string FunctionText::wanted_name(const Value* v) {
  const bool said = !v->name.empty() && !(v->type.buffer && v->def && v->name == "t_kept");
  if (said) return v->name;
  if (!v->def) return v->block->owner && v == v->block->params[0] && v->type.integer() ? "i" : "";
  const Op& op = *v->def;
  if (op.kind == &ops::call) return op.at(key::callee) + "_value";
  if (op.kind == &ops::alloc || op.kind == &ops::table) {
    const std::string kept = contents(v);
    return kept.empty() ? "array" : kept + "_kept";
  }
  if (!op.regions.empty()) return plan_.expression(&op) ? (v->type.dtype == DType::boolean ? "holds" : "chosen") : "";
  std::string s = description(op);
  if (!s.empty() && s.size() <= longest_description) return s;
  if (op.kind->cpp.text.empty()) return op.kind->cpp.by_name ? std::string(op.kind->name) : "";
  const Pattern p = pattern(op);
  return p.binding == primary ? std::string(op.kind->name) + "_value" : noun(p);
}

/// What is stored into a buffer without a name: `exp_minus_x` where that is the first value.
std::string FunctionText::contents(const Value* buffer) {
  std::string s;
  walk(*f_.body, [&](Op* op) {
    if (!s.empty() || op->kind->effect != Effect::writes || op->operands.empty() || op->operands[0] != buffer || op->operands.size() < 2 || op->kind == &ops::call) return;
    const Value* x = op->operands.back();
    if (!x->name.empty()) s = x->name;
    else if (x->def && x->def->regions.empty() && !constant_of(x)) s = description(*x->def);
    if (s.size() > longest_description) s.clear();
  });
  return identifier(s);
}

/// The words for what an op computes; empty when there are none.
std::string FunctionText::description(const Op& op) {
  auto plain = [&](Value* v) -> std::string {
    if (auto it = plain_names_.find(variables_.of(v)); it != plain_names_.end()) return it->second;
    return fields_.contains(v->id) || names_.contains(variables_.of(v)) ? name(v) : identifier(v->name);
  };
  auto of = [&](Value* v) -> std::string {
    if (auto* n = constant_of(v)) {
      const double x = n->as_double();
      return x >= 0 && x < 1000 && x == int(x) && v->type.dtype != DType::boolean ? std::to_string(int(x)) : "";
    }
    return plan_.inlined(v) ? v->def->regions.empty() ? description(*v->def) : "" : plain(v);
  };
  if (op.kind == &ops::pop) return plain(op.operands[0]) + "_last";
  if (op.kind == &ops::length) return plain(op.operands[0]) + "_length";
  if (op.kind == &ops::cast) return of(op.operands[0]);
  if (op.kind->effect == Effect::reads) {
    const std::string buffer = plain(op.operands[0]);
    return buffer.ends_with("_kept") ? buffer.substr(0, buffer.size() - 5) : buffer + "_at";
  }
  if (op.kind->cpp.text.empty()) return "";
  const Pattern p = pattern(op);
  if (p.binding == primary) {
    std::string s(op.kind->name);
    for (auto* v : op.operands) if (auto w = of(v); !w.empty()) s += "_" + w;
    return s == op.kind->name ? "" : s;
  }
  if (p.top && p.top->family == Operator::choice && op.operands.size() == 3) {
    const std::string a = of(op.operands[1]), b = of(op.operands[2]);
    return a.empty() || b.empty() ? "" : constant_of(op.operands[1]) ? b + "_or_" + a : a + "_or_" + b;
  }
  if (p.simple_unary()) return of(op.operands[0]).empty() ? "" : (p.pieces[0].text == "-" ? "minus_" : "not_") + of(op.operands[0]);
  if (!p.simple_binary() || !p.top || !joint(p.top->symbol)) return "";
  const std::string a = of(op.operands[0]), b = of(op.operands[1]);
  const Number *m = constant_of(op.operands[0]), *n = constant_of(op.operands[1]);
  if (p.binding == product && (m || (n && p.top->symbol == "*"))) return (m ? b : a).empty() ? "" : "scaled_" + (m ? b : a);
  if (n && p.binding == sum && b.empty() && !a.empty() && n->as_double() < 0) {
    const Number positive = Number::of(n->dtype, -n->as_double());
    if (positive.as_double() < 1000 && positive.as_double() == int(positive.as_double())) return a + "_minus_" + std::to_string(int(positive.as_double()));
  }
  if (p.top->family == Operator::arithmetic && (m || n) && (a.empty() || b.empty() || m)) return (m ? b : a).empty() ? "" : "shifted_" + (m ? b : a);
  return a.empty() || b.empty() ? "" : a + joint(p.top->symbol) + b;
}

/// Gives the variable of this value its name; the caller prints the definition.
std::string FunctionText::declare(const Value* v) {
  const int variable = variables_.of(v);
  const std::string wanted = identifier(wanted_name(variable));
  plain_names_[variable] = wanted;
  return names_[variable] = scopes_.declare(wanted);
}

}  // namespace tlaloc::ir::cpp
