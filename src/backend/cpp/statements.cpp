// SPDX-License-Identifier: Apache-2.0
//
// Statements: definitions, and assignments to the variables that values share.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {

FunctionText::FunctionText(const Function& f, FactsOf facts, std::function<CppSignature(const std::string&)> signatures, Needs& needs)
    : f_(f), facts_of_(facts), growing_(growing_buffers(f, facts)), signatures_(std::move(signatures)), signature_(signatures_(f.name)), needs_(needs), plan_(f, facts), variables_(f, plan_) {}

// --- lines ---

void FunctionText::line(std::string s) { lines_.push_back(std::string(std::size_t(2 * indent_), ' ') + s); }

void FunctionText::comment(const Op& op) {
  if (!op.where) return;
  auto same_statement = [](const Location& a, const Location& b) { return a.file == b.file && a.line == b.line && a.text == b.text && a.adjoint == b.adjoint; };
  bool told = same_statement(op.where, commented_);
  for (const Op* o = op.block->owner; o; o = o->block->owner) told |= same_statement(op.where, o->where);   // what a loop does for itself needs no word
  if (op.where.adjoint && !told && !op.where.text.empty()) {
    const auto slash = op.where.file.find_last_of("/\\");
    const auto file = slash == std::string_view::npos ? op.where.file : op.where.file.substr(slash + 1);
    std::string text(op.where.text);
    while (!text.empty() && text.back() == '\\') text.pop_back();          // would continue the comment on the next line
    line("// reverse of " + std::string(file) + ":" + std::to_string(op.where.line) + ": " + text);
  }
  commented_ = op.where;
}

FunctionText::Lines FunctionText::captured(const std::function<void()>& print) {
  Lines before = std::move(lines_);
  lines_.clear();
  scopes_.open();
  rooms_.emplace_back();
  ++indent_;
  print();
  --indent_;
  rooms_.pop_back();
  scopes_.close();
  std::swap(before, lines_);
  return before;
}
void FunctionText::append(const Lines& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

// --- assignments ---

void FunctionText::set(const Value* target, const std::string& text) {
  const int variable = variables_.of(target);
  if (names_.contains(variable)) { line(name(target) + " = " + text + ";"); return; }
  const std::string n = declare(target);
  line((variables_.constant(variable) ? "const " : "") + variable_type(target->type) + " " + n + " = " + text + ";");
}

/// `s = s + e` as `s += e`.
bool FunctionText::compound(const Value* target, const Op& update) {
  if (!names_.contains(variables_.of(target)) || update.kind->cpp.text.empty() || update.operands.size() != 2 || target->type.dtype == DType::boolean || target->type.tensor()) return false;
  const Pattern p = pattern(update);
  if (!p.simple_binary() || !p.top || p.top->family != Operator::arithmetic) return false;
  Value *first = update.operands[0], *second = update.operands[1];
  auto is_target = [&](Value* v) { return !plan_.inlined(v) && !v->type.buffer && variables_.same(v, target); };
  const bool commutes = p.top->symbol == "+" || p.top->symbol == "*";
  if (!is_target(first) && commutes && is_target(second)) std::swap(first, second);
  if (!is_target(first) || is_target(second)) return false;
  std::string op(p.top->symbol);
  Text e = value(second, loose);
  if (e.type != second->type.dtype && !(is_real(second->type.dtype) ? true : common(e.type, second->type.dtype) == promoted(second->type.dtype))) e = value(second, exact);
  if (is_constant(second, 1) && target->type.integer() && p.binding == sum) { line((op == "+" ? "++" : "--") + name(target) + ";"); return true; }
  if (p.binding == sum && e.s[0] == '-' && e.binding >= product && (target->type.real() || constant_of(second))) {
    op = op == "+" ? "-" : "+";
    e.s.erase(0, 1);
  }
  line(name(target) + " " + op + "= " + e.s + ";");
  return true;
}

void FunctionText::assign(const Value* target, Value* source) {
  if (plan_.inlined(source) && !constant_of(source) && compound(target, *source->def)) return;
  set(target, value(source, loose).s);
}

bool FunctionText::reads(Value* source, int variable) {
  bool found = false;
  plan_.each_leaf_of(source, [&](Value* v) { found |= !v->type.buffer && variables_.of(v) == variable; });
  return found;
}

/// Assignments that happen at once: none is printed while another still reads what it overwrites.
void FunctionText::moves(std::vector<Move> pending) {
  std::erase_if(pending, [&](auto& m) { return !plan_.inlined(m.source) && variables_.same(m.target, m.source); });
  while (!pending.empty()) {
    auto blocked = [&](const Move& m) {
      return std::any_of(pending.begin(), pending.end(), [&](auto& other) { return &other != &m && other.text.empty() && reads(other.source, variables_.of(m.target)); });
    };
    auto next = std::find_if(pending.begin(), pending.end(), [&](auto& m) { return !blocked(m); });
    if (next == pending.end()) {                  // a cycle, a swap for instance: keep one of its values aside
      Move& m = *std::find_if(pending.begin(), pending.end(), [](auto& x) { return x.text.empty(); });
      const std::string text = value(m.source, loose).s;
      m.text = scopes_.declare(wanted_name(variables_.of(m.target)) + "_next");
      line("const " + variable_type(m.target->type) + " " + m.text + " = " + text + ";");
      continue;
    }
    if (next->text.empty()) {
      if (next->source->def && plan_.inlined(next->source)) comment(*next->source->def);
      assign(next->target, next->source);
    } else {
      set(next->target, next->text);
    }
    pending.erase(next);
  }
}

void FunctionText::hand_on(const Block& b, const Op& owner, const Value* except) {
  std::vector<Move> all;
  for (auto k : plan_.carried(owner)) if (owner.results[k] != except) all.push_back({owner.results[k], b.yields[k]});
  moves(std::move(all));
}

void FunctionText::declare_results(const Op& op) {
  for (auto k : plan_.carried(op)) {
    const Value* r = op.results[k];
    if (names_.contains(variables_.of(r))) continue;
    const std::string n = declare(r);
    line(variable_type(r->type) + " " + n + ";");
  }
}

// --- statements ---

void FunctionText::block(const Block& b) {
  for (auto* op : plan_.statements(b)) if (!in_header_.contains(op)) statement(*op);
}

void FunctionText::define(const Op& op) {
  Value* r = op.results[0];
  if (!compound(r, op)) set(r, expression(op, loose).s);
}

void FunctionText::statement(const Op& op) {
  comment(op);
  if (plan_.expression(&op)) { set(op.results[plan_.carried(op)[0]], expression(op, loose).s); return; }
  if (op.kind == &ops::if_) return print_if(op);
  if (op.kind == &ops::for_) return print_for(op);
  if (op.kind == &ops::while_) return print_while(op);
  if (op.kind == &ops::output) return output(op);
  if (op.kind == &ops::table) return table(op);
  if (op.kind == &ops::alloc) return alloc(op);
  if (op.kind == &ops::fill) return fill(op);
  if (op.kind == &ops::append || op.kind == &ops::resize) return grow(op);
  if (op.results.empty()) return line(expression(op).s + ";");
  if (op.results.size() > 1) {                    // a call
    const std::string text = expression(op).s;
    const bool read = std::any_of(op.results.begin(), op.results.end(), [&](auto* r) { return plan_.needed(r); });
    if (!read) return line(text + ";");
    const auto signature = signatures_(op.at(key::callee));
    const std::string n = scopes_.declare(signature.name + "_value");
    for (std::size_t i = 0; i < op.results.size(); ++i) fields_[op.results[i]->id] = n + "." + signature.fields[i];
    return line("const " + signature.result_type + " " + n + " = " + text + ";");
  }
  if (!plan_.needed(op.results[0])) return line((op.kind == &ops::call ? "" : "(void)") + expression(op).s + ";");
  define(op);
}

}  // namespace tlaloc::ir::cpp
