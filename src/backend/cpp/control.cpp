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
void FunctionText::start_carried(const Op& op, const Value* except) {
  std::vector<Move> all;
  for (auto k : plan_.carried(op)) if (op.results[k] != except) all.push_back({op.results[k], op.operands[std::size_t(op.kind->operands.fixed()) + k]});
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

/// A loop over all elements of a small local array that adds to the element of each turn.
static bool over_lanes(const Op& op) {
  const Number *from = constant_of(op.operands[0]), *to = constant_of(op.operands[1]);
  if (!from || !to || from->as_int() != 0 || to->as_int() != 4 || op.at(key::step) != 1) return false;
  const Block& body = *op.regions[0];
  return std::any_of(body.ops.begin(), body.ops.end(), [&](Op* o) {
    if (o->kind != &ops::accum || o->operands[1] != body.params[0]) return false;
    const Op* made = o->operands[0]->def;
    return made && made->kind == &ops::alloc && is_constant(made->operands[0], 4);
  });
}

void FunctionText::print_for(const Op& op) {
  start_carried(op);
  const Block& body = *op.regions[0];
  if (over_lanes(op)) needs_.helper(lanes_helper), line("TLALOC_LANES");
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

/// A carried integer that only counts: i + c for i, asked for by nobody after the loop.
std::optional<std::size_t> FunctionText::counter_of(const Op& op) {
  if (!plan_.statements(*op.regions[0]).empty()) return std::nullopt;
  for (auto k : plan_.carried(op)) {
    const Value *r = op.results[k], *p = op.regions[1]->params[k], *y = op.regions[1]->yields[k];
    const bool counts = y->def && y->def->block == op.regions[1] && y->def->kind == &ops::add && y->def->operands[0] == p && constant_of(y->def->operands[1]);
    if (!r->type.integer() || bit_width(r->type.dtype) < 32 || !counts || plan_.uses(r) != 0 || plan_.uses(y) != 1) continue;
    if (names_.contains(variables_.of(r))) continue;              // it was there before the loop
    bool own = plan_.inlined(op.operands[k]) || !variables_.same(op.operands[k], r);
    for (auto* v : variables_.members(variables_.of(r))) own &= v == r || v == p || v == y || v == op.regions[0]->params[k];
    bool tested = false;                          // else it is no counter to a reader
    plan_.each_leaf_of(op.regions[0]->yields[0], [&](Value* v) { tested |= v == op.regions[0]->params[k]; });
    if (own && tested) return k;
  }
  return std::nullopt;
}

/// The body of a while, the new values, and the way out.
void FunctionText::turn(const Op& op, const Value* except) {
  const Block& body = *op.regions[1];
  block(body);
  Value* stop = break_condition(op);
  std::string condition;
  if (stop) {
    condition = value(stop, exact).s;
    bool overwritten = false;
    for (auto k : plan_.carried(op)) {
      const bool moves = op.results[k] != except && (plan_.inlined(body.yields[k]) || !variables_.same(body.yields[k], op.results[k]));
      overwritten |= moves && reads(stop, variables_.of(op.results[k]));
    }
    if (overwritten) {
      const std::string n = scopes_.declare("done");
      line("const bool " + n + " = " + condition + ";");
      condition = n;
    }
  }
  hand_on(body, op, except);
  if (stop) line("if (" + condition + ") break;");
}

void FunctionText::print_while(const Op& op) {
  const Block& test = *op.regions[0];
  const auto k = counter_of(op);
  const Value* counter = k ? op.results[*k] : nullptr;
  start_carried(op, counter);
  if (counter) {
    const Value* next = op.regions[1]->yields[*k];
    in_header_.insert(next->def);
    const std::string from = value(op.operands[*k], loose).s;
    scopes_.open();
    const std::string i = declare(counter);
    const std::int64_t by = constant_of(next->def->operands[1])->as_int();
    const std::string step = by == 1 ? "++" + i : by == -1 ? "--" + i : i + (by > 0 || !is_signed(counter->type.dtype) ? " += " : " -= ") + literal(Number::of(counter->type.dtype, by < 0 && is_signed(counter->type.dtype) ? -by : by), true).s;
    line("for (" + type_name(counter->type.dtype) + " " + i + " = " + from + "; " + value(test.yields[0], exact).s + "; " + step + ") {");
    append(captured([&] { turn(op, counter); }));
    scopes_.close();
  } else if (plan_.statements(test).empty()) {
    line("while (" + value(test.yields[0], exact).s + ") {");
    append(captured([&] { turn(op, nullptr); }));
  } else {
    line("while (true) {");
    append(captured([&] {
      block(test);
      line("if (" + negated(value(test.yields[0], exact)) + ") break;");
      turn(op, nullptr);
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
  reserve_names();
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
  extents();
  block(*f_.body);
  returns();
  for (auto& l : lines_) out += l + "\n";
  return out + "}\n";
}

}  // namespace tlaloc::ir::cpp
