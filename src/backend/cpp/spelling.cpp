// SPDX-License-Identifier: Apache-2.0
//
// A spelling is cut into tokens. The tokens around a placeholder, within the parentheses that hold it, tell what it must
// bind like: after `-`, tighter than a sum; before `*`, at least like a product; alone in parentheses, anything.
#include "backend/cpp/spelling.hpp"

#include <cctype>

namespace tlaloc::ir::cpp {
namespace {

struct Token {
  enum Kind { word, open, close, comma, op, placeholder, space } kind;
  std::string text;
  int operand = -1;
};

std::string attribute(const Op& op, std::string_view name) {
  constexpr std::string_view relations[] = {"==", "!=", "<", "<=", ">", ">="};
  if (name == "type") return type_name(op.results[0]->type.dtype);
  const Attr& a = op.attr(name);
  if (auto* c = std::get_if<Compare>(&a)) return std::string(relations[int(*c)]);
  if (auto* i = std::get_if<std::int64_t>(&a)) return std::to_string(*i);
  if (auto* n = std::get_if<Number>(&a)) return literal(*n).s;
  if (auto* d = std::get_if<DType>(&a)) return type_name(*d);
  if (auto* s = std::get_if<std::string>(&a)) return *s;
  refuse(op, "the attribute " + std::string(name) + " has no C++ text");
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':'; }

std::vector<Token> tokens(const Op& op) {
  std::string_view s = op.kind->cpp.text;
  std::vector<Token> out;
  std::string filled;                             // attributes are text like any other
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '{') { filled += s[i]; continue; }
    const auto end = s.find('}', i);
    const auto name = s.substr(i + 1, end - i - 1);
    if (const int operand = op.kind->operands.find(name); operand >= 0) filled += "{" + std::to_string(operand) + "}";
    else filled += attribute(op, name);
    i = end;
  }
  for (std::size_t i = 0; i < filled.size();) {
    const char c = filled[i];
    const std::size_t from = i++;
    if (c == '{') {
      i = filled.find('}', from) + 1;
      out.push_back({Token::placeholder, "", std::stoi(filled.substr(from + 1))});
    } else if (c == ' ') {
      out.push_back({Token::space, " "});
    } else if (c == '(' || c == '[') {
      out.push_back({Token::open, {c}});
    } else if (c == ')' || c == ']') {
      out.push_back({Token::close, {c}});
    } else if (c == ',') {
      out.push_back({Token::comma, ","});
    } else if (is_word(c) && !(c == ':' && filled.substr(from, 2) != "::")) {
      while (i < filled.size() && is_word(filled[i])) ++i;
      if (filled.substr(from).starts_with("std::") && i < filled.size() && filled[i] == '<') i = filled.find('>', i) + 1;   // std::numeric_limits<double>
      while (i < filled.size() && is_word(filled[i])) ++i;
      out.push_back({Token::word, filled.substr(from, i - from)});
    } else {
      while (i < filled.size() && std::string_view("+-*/%<>=!&|^~?").find(filled[i]) != std::string_view::npos) ++i;
      out.push_back({Token::op, filled.substr(from, i - from)});
    }
  }
  return out;
}

// The tokens that count, without spaces; `prefix` tells whether an operator there stands before its only operand.
struct Line {
  std::vector<const Token*> at;
  const Token* get(std::size_t i) const { return i < at.size() ? at[i] : nullptr; }
  bool prefix(std::size_t i) const {
    const Token* before = i ? at[i - 1] : nullptr;
    return !before || before->kind == Token::open || before->kind == Token::comma || before->kind == Token::op;
  }
};

const Operator& known(const Op& op, const Token& t) {
  if (auto* o = find_operator(t.text)) return *o;
  refuse(op, "unknown operator '" + t.text + "' in its spelling");
}

// Compilers warn where a mix of operators is easily misread: these want no operator inside them.
bool wants_parentheses(const Operator& o) { return o.binding == shift || (o.binding >= bit_or && o.binding <= bit_and); }

int needed_binding(const Op& op, const Line& line, std::size_t i) {
  int need = loosest;
  const Token *left = i ? line.get(i - 1) : nullptr, *right = line.get(i + 1);
  if (left && left->kind == Token::op) {
    if (line.prefix(i - 1)) need = unary;
    else if (auto& o = known(op, *left); o.family == Operator::comparison || o.family == Operator::arithmetic)
      need = o.family == Operator::comparison ? int(shift) : wants_parentheses(o) ? int(unary) : o.binding + 1;
    else if (o.family != Operator::assignment) need = o.binding + 1;
  }
  if (right && right->kind == Token::open && right->text == "[") need = primary;
  if (right && right->kind == Token::op) {
    auto& o = known(op, *right);
    const int here = o.family == Operator::assignment ? int(primary) : o.family == Operator::comparison ? int(shift)
                   : o.family == Operator::arithmetic ? (wants_parentheses(o) ? int(unary) : o.binding) : o.binding + 1;
    need = std::max(need, here);
  }
  return need;
}

}  // namespace

Pattern pattern(const Op& op) {
  if (op.kind->cpp.text.empty()) refuse(op, op.kind->cpp.why.empty() ? "has no C++ spelling" : op.kind->cpp.why);
  const auto all = tokens(op);
  Line line;
  for (auto& t : all) if (t.kind != Token::space) line.at.push_back(&t);
  Pattern p;
  std::vector<char> groups;                       // 'c' of a call's arguments, '(' or '['
  for (std::size_t i = 0, n = 0; n < all.size(); ++n) {
    auto& t = all[n];
    if (t.kind == Token::placeholder) {
      Piece piece{"", t.operand, needed_binding(op, line, i)};
      const bool alone = all.size() == 1;
      piece.place = groups.empty() && !alone ? Piece::free : !groups.empty() && groups.back() == '[' ? Piece::index : Piece::whole;
      p.pieces.push_back(piece);
    } else if (p.pieces.empty() || p.pieces.back().operand >= 0) {
      p.pieces.push_back({t.text});
    } else {
      p.pieces.back().text += t.text;
    }
    if (t.kind == Token::space) continue;
    if (t.kind == Token::open) groups.push_back(t.text[0]);
    if (t.kind == Token::close) groups.pop_back();
    if (t.kind == Token::op && groups.empty()) {
      const bool prefix = line.prefix(i);
      const Operator* o = prefix && !find_operator(t.text) ? nullptr : &known(op, t);
      const int binding = prefix ? unary : o->binding;
      if (binding < p.binding) p.binding = binding, p.top = prefix ? nullptr : o;
    }
    ++i;
  }
  return p;
}

}  // namespace tlaloc::ir::cpp
