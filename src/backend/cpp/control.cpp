// SPDX-License-Identifier: Apache-2.0
//
// Control flow: loops and branches as one writes them.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

std::string negated(const Text& t) { return "!" + within(t, unary); }

/// True when the lines are one `if` statement with all its branches, so that `else` may go before it.
bool is_one_if(const std::vector<std::string>& lines, std::size_t indent) {
  if (lines.empty() || !std::string_view(lines[0]).substr(indent).starts_with("if (")) return false;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) if (lines[i].size() > indent && lines[i][indent] != ' ' && !std::string_view(lines[i]).substr(indent).starts_with("} else")) return false;
  return std::string_view(lines.back()).substr(indent) == "}";
}

}  // namespace

void FunctionText::print_if(const Op& op) {
  const Text condition = value(op.operands[0], exact);
  declare_results(op);
  const Location before = commented_;
  auto region = [&](std::size_t i) {
    commented_ = before;
    return captured([&] { block(*op.regions[i]); hand_on(*op.regions[i], op); });
  };
  Lines yes = region(0), no = region(1);
  if (yes.empty() && no.empty()) return;
  if (yes.empty()) {
    line("if (" + negated(condition) + ") {");
    append(no);
  } else {
    line("if (" + condition.s + ") {");
    append(yes);
    if (const std::size_t inner = std::size_t(2 * indent_ + 2); is_one_if(no, inner)) {
      no[0] = std::string(inner - 2, ' ') + "} else " + no[0].substr(inner);
      for (std::size_t i = 1; i < no.size(); ++i) no[i].erase(0, 2);
      append(no);
      return;
    }
    if (!no.empty()) line("} else {");
    append(no);
  }
  line("}");
}

/// The carried variables get their first values.
void FunctionText::start_carried(const Op& op) {
  std::vector<Move> all;
  for (auto k : plan_.carried(op)) all.push_back({op.results[k], op.operands[std::size_t(op.kind->operands.fixed()) + k]});
  for (auto& m : all) {                           // declared in the order of the loop, not in that of the assignments
    if (names_.contains(variables_.of(m.target)) || plan_.inlined(m.source)) continue;
  }
  moves(std::move(all));
}

std::string FunctionText::condition_of(const Op& op, const std::string& counter) {
  const std::int64_t step = op.at(key::step);
  const DType d = op.operands[0]->type.dtype;
  Value* to = op.operands[1];
  if (auto* n = constant_of(to); n && step < 0 && is_signed(d)) {
    if (n->as_int() == -1) return counter + " >= 0";
  }
  Text bound = value(to, loose);
  if (is_unsigned(d) && bound.type != d && !constant_of(to)) bound = value(to, exact);
  return counter + (step > 0 ? " < " : " > ") + within(bound, shift);
}

void FunctionText::print_for(const Op& op) {
  start_carried(op);
  const Block& body = *op.regions[0];
  const std::int64_t step = op.at(key::step);
  const DType d = op.operands[0]->type.dtype;
  const Text from = value(op.operands[0], loose);
  scopes_.open();
  const std::string i = declare(body.params[0]);
  const std::string next = step == 1 ? "++" + i : step == -1 ? "--" + i : i + (step > 0 ? " += " : " -= ") + std::to_string(step > 0 ? step : -step);
  line("for (" + type_name(d) + " " + i + " = " + from.s + "; " + condition_of(op, i) + "; " + next + ") {");
  append(captured([&] {
    block(body);
    hand_on(body, op);
    // The counter would wrap round below zero.
    if (is_unsigned(d) && step < -1) line("if (" + i + " < " + std::to_string(-step) + ") break;");
  }));
  line("}");
  scopes_.close();
}

void FunctionText::print_while(const Op& op) {
  start_carried(op);
  const Block &test = *op.regions[0], &body = *op.regions[1];
  if (plan_.statements(test).empty()) {
    line("while (" + value(test.yields[0], exact).s + ") {");
    append(captured([&] { block(body); hand_on(body, op); }));
  } else {
    line("while (true) {");
    append(captured([&] {
      block(test);
      line("if (" + negated(value(test.yields[0], exact)) + ") break;");
      block(body);
      hand_on(body, op);
    }));
  }
  line("}");
}

void FunctionText::returns() {
  auto& ys = f_.body->yields;
  if (ys.empty()) return;
  if (ys.size() == 1) return line("return " + value(ys[0], loose).s + ";");
  std::string s = "return {";
  for (auto* y : ys) s += (s.back() == '{' ? "" : ", ") + exactly(value(y, exact), y->type.dtype).s;
  line(s + "};");
}

std::string FunctionText::print(const std::string& linkage) {
  std::string head = linkage + signature_.result_type + " " + signature_.name + "(", out;
  for (std::size_t i = 0; i < f_.body->params.size(); ++i) {
    Value* p = f_.body->params[i];
    const std::string n = scopes_.declare(p->name.empty() ? "p" : p->name);
    if (p->type.buffer) fields_[p->id] = n;
    else names_[variables_.of(p)] = n;
    const std::string text = std::string(plan_.needed(p) ? "" : "[[maybe_unused]] ") + signature_.params[i] + " " + n + (i + 1 < f_.body->params.size() ? "," : ") {");
    const bool full = head.size() + 1 + text.size() > 100;
    if (full) out += head + "\n", head = "    " + text;
    else head += (head.back() == '(' ? "" : " ") + text;
  }
  if (f_.body->params.empty()) head += ") {";
  out += head + "\n";
  rooms_.emplace_back();
  block(*f_.body);
  returns();
  for (auto& l : lines_) out += l + "\n";
  return out + "}\n";
}

}  // namespace tlaloc::ir::cpp
