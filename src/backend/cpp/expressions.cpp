// SPDX-License-Identifier: Apache-2.0
//
// From values to expressions: as few parentheses as C++ needs to evaluate in just this order, as few conversions as keep
// every operation in its type.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir::cpp {
namespace {

bool negative(const Text& t) { return t.s[0] == '-' && t.binding >= product; }
Text without_sign(Text t) {
  t.s.erase(0, 1);
  if (t.binding == unary) t.binding = primary;
  return t;
}
Text negation(const Text& t) { return {"!" + within(t, unary), unary, DType::boolean}; }
Text both(const Text& a, const Text& b) { return {within(a, logical_and) + " && " + within(b, logical_and), logical_and, DType::boolean}; }
Text either(const Text& a, const Text& b) {
  auto side = [](const Text& t) { return t.binding == logical_and ? "(" + t.s + ")" : within(t, logical_or); };
  return {side(a) + " || " + side(b), logical_or, DType::boolean};
}

/// i - 1 and i + 1 of a counter that is an int: no overflow, so that what is meant in 64 bits may be said in 32.
bool fits_int(const Op& op) {
  const bool adds = op.kind == &ops::add, subtracts = op.kind == &ops::sub;
  if ((!adds && !subtracts) || op.results[0]->type.dtype != DType::i64) return false;
  const Value* v = op.operands[0];
  const Number* n = constant_of(op.operands[1]);
  if (!n || !v->def || v->def->kind != &ops::cast) return false;
  const Value* i = v->def->operands[0];
  const Op* loop = i->block->owner;
  if (i->type.dtype != DType::i32 || i->def || !loop || loop->kind != &ops::for_ || i != i->block->params[0]) return false;
  const bool up = loop->at(key::step) > 0;
  const std::int64_t by = adds ? n->as_int() : -n->as_int();
  if (by == 1) return up;                         // below the bound
  const Number* least = constant_of(loop->operands[up ? 0 : 1]);
  return by <= 0 && by > -1000 && least && least->as_int() > -1000;
}

}  // namespace

Text FunctionText::value(Value* v, Mode mode) {
  if (auto* n = constant_of(v)) {
    const Text t = literal(*n, mode == loose);
    if (t.s.find("std::numeric_limits") != t.s.npos) needs_.includes.insert("<limits>");
    return t;
  }
  if (!plan_.inlined(v)) return {name(v), primary, v->type.dtype};
  if (mode == loose && v->def->kind == &ops::cast) {              // C++ converts by itself
    Text inner = value(v->def->operands[0], exact);
    if (inner.type == DType::f32) return inner;   // to double
    if (is_integer(inner.type) && v->type.real() && inner.binding == primary) return inner;
  }
  return expression(*v->def, mode);
}

Text FunctionText::expression(const Op& op, Mode mode) {
  if (of_tensors(op)) return of_tensor(op);
  if (plan_.expression(&op)) return conditional(op, mode);
  if (op.kind == &ops::cast) {
    if (mode == loose && is_integer(op.results[0]->type.dtype))
      if (Text inner = value(op.operands[0], exact); widens(inner.type, op.results[0]->type.dtype) && inner.type != DType::boolean) return inner;
    return cast(op);
  }
  if (op.kind == &ops::call) return call(op);
  if (op.kind == &ops::length) return {name(op.operands[0]) + ".size()", primary, index_type};
  if (op.kind == &ops::pop) return {name(op.operands[0]) + ".pop()", primary, op.results[0]->type.dtype};
  return spelled(op, mode);
}

Text FunctionText::cast(const Op& op) {
  const DType to = op.results[0]->type.dtype;
  const Text x = value(op.operands[0], exact);
  if (x.type == to) return x;
  if (to == DType::boolean) return {within(x, equality + 1) + " != " + (is_real(x.type) ? literal(Number::of(x.type, 0)).s : "0"), equality, to};
  return {type_name(to) + "(" + x.s + ")", primary, to};
}

/// An `if` whose branches are expressions.
Text FunctionText::conditional(const Op& op, Mode mode) {
  const std::size_t k = plan_.carried(op)[0];
  Value *yes = op.regions[0]->yields[k], *no = op.regions[1]->yields[k];
  const Text c = value(op.operands[0], exact);
  const DType d = op.results[k]->type.dtype;
  if (d == DType::boolean) {
    if (is_constant(no, 0)) return both(c, value(yes, exact));
    if (is_constant(yes, 1)) return either(c, value(no, exact));
    if (is_constant(yes, 0)) return both(negation(c), value(no, exact));
    if (is_constant(no, 1)) return either(negation(c), value(yes, exact));
  }
  Text a = value(yes, loose), b = value(no, loose);
  const DType met = a.type == b.type ? a.type : common(a.type, b.type);
  const bool widened = met != d && is_integer(d) && widens(met, d);
  if (met != d && !widened) a = exactly(value(yes, exact), d), b = exactly(value(no, exact), d);
  const Text t{within(c, ternary + 1) + " ? " + within(a, ternary + 1) + " : " + within(b, ternary), ternary, widened ? met : d};
  return mode == loose ? t : exactly(t, d);
}

Text FunctionText::call(const Op& op) {
  const auto signature = signatures_(op.at(key::callee));
  std::string s = signature.name + "(";
  const auto& resized = facts_of_(op.at(key::callee)).resized;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    Value* v = op.operands[i];
    if (s.back() != '(') s += ", ";
    s += v->type.buffer ? name(v) + (growable(v) && !resized[i] ? ".data()" : "") : exactly(value(v, exact), v->type.dtype).s;
  }
  return {s + ")", primary, op.results.size() == 1 ? op.results[0]->type.dtype : DType::boolean};
}

/// Arithmetic of truth values. C++ would make ints of them.
std::optional<Text> FunctionText::of_bools(const Op& op, const Pattern& p, const std::vector<Text>& in) {
  if (op.results.empty() || op.results[0]->type.dtype != DType::boolean || p.binding == primary) return std::nullopt;
  if (p.top && p.top->family != Operator::arithmetic) return std::nullopt;
  if (!p.top) {
    if (p.pieces[0].text == "!") return std::nullopt;
    if (p.pieces[0].text == "~") return negation(in[0]);
    return in[0];                                 // -x is x
  }
  if (p.top->symbol == "&" || p.top->symbol == "*") return both(in[0], in[1]);
  if (p.top->symbol == "|" || p.top->symbol == "+") return either(in[0], in[1]);
  if (p.top->symbol == "^" || p.top->symbol == "-") return Text{within(in[0], shift) + " != " + within(in[1], shift), equality, DType::boolean};
  return Text{"(" + assemble(p, in) + ") != 0", equality, DType::boolean};
}

/// a + -b is a - b, to the bit; a - -b is a + b, and x[i] += -b is x[i] -= b.
void FunctionText::merge_sign(const Op& op, Pattern& p, std::vector<Text>& in) {
  const bool sums = p.simple_binary() && p.binding == sum, adds = p.top && p.top->symbol == "+=";
  if (!sums && !adds) return;
  Value* v = op.operands.back();
  Text& t = in.back();
  if (!negative(t)) return;
  const bool same = v->type.real() || (is_signed(v->type.dtype) && bit_width(v->type.dtype) >= 32 && t.binding == unary);
  if (!same) { t = {"(" + t.s + ")", primary, t.type}; return; }
  t = without_sign(t);
  for (auto& piece : p.pieces) if (auto at = piece.text.find_first_of("+-"); piece.operand < 0 && at != std::string::npos) piece.text[at] = piece.text[at] == '+' ? '-' : '+';
}

std::string FunctionText::assemble(const Pattern& p, const std::vector<Text>& in) {
  std::string s;
  for (auto& piece : p.pieces) {
    if (piece.operand < 0) { s += piece.text; continue; }
    const Text& t = in[std::size_t(piece.operand)];
    const bool clash = !s.empty() && s.back() == '-' && t.s[0] == '-';
    s += clash ? "(" + t.s + ")" : within(t, piece.binding);
  }
  return s;
}

Text FunctionText::spelled(const Op& op, Mode mode) {
  Pattern p = pattern(op);
  if (op.kind->helper) needs_.helper(*op.kind->helper);
  std::vector<Text> in(op.operands.size());
  auto each = [&](auto&& f) { for (auto& piece : p.pieces) if (piece.operand >= 0) f(piece, op.operands[std::size_t(piece.operand)], in[std::size_t(piece.operand)]); };
  each([&](const Piece& piece, Value* v, Text& t) {
    if (v->type.buffer) t = {name(v), primary, v->type.dtype};
    else if (piece.place == Piece::index && v->def && plan_.inlined(v) && v->def->kind == &ops::cast && v->def->operands[0]->type.integer()) t = value(v->def->operands[0], exact);
    else t = piece.place == Piece::whole ? exactly(value(v, exact), v->type.dtype) : value(v, loose);
  });
  if (op.operands.size() > 0 && p.top && p.top->family == Operator::assignment) {
    merge_sign(op, p, in);
    return {assemble(p, in), loosest, op.operands.back()->type.dtype};
  }
  // All operands of an operator meet in one type: it must be that of the op.
  const bool choice = p.top && p.top->family == Operator::choice;
  const DType own = choice ? op.results[0]->type.dtype : op.operands.empty() ? DType::f64 : op.operands[0]->type.dtype;
  auto meets = [&](const Piece& piece) { return piece.place == Piece::free && !(choice && piece.operand == 0); };
  std::optional<DType> met;
  each([&](const Piece& piece, Value* v, Text& t) { if (meets(piece) && !v->type.buffer) met = !met ? t.type : *met == t.type && choice ? t.type : common(*met, t.type); });
  const bool widened = choice && met && *met != own && is_integer(own) && widens(*met, own);
  auto misses = [&] { return met && !widened && (choice ? *met : promoted(*met)) != (choice ? own : promoted(own)); };
  if (misses() && mode == loose && fits_int(op)) return {assemble(p, in), p.binding, DType::i32};
  for (bool constants : {false, true}) {          // one operand of the right type is enough
    each([&](const Piece& piece, Value* v, Text& t) {
      if (!meets(piece) || !misses() || constants != bool(constant_of(v))) return;
      t = exactly(value(v, exact), v->type.dtype);
      met.reset();
      each([&](const Piece& other, Value*, Text& u) {
        if (meets(other)) met = !met ? u.type : choice && *met == u.type ? u.type : common(*met, u.type);
      });
    });
  }
  if (own == DType::u16 && p.top && p.top->symbol == "*") for (auto& t : in) t = exactly(t, DType::u32);    // two of them overflow an int
  if (auto t = of_bools(op, p, in)) return *t;
  merge_sign(op, p, in);
  const DType result = op.results[0]->type.dtype;
  if (widened) {                                  // c ? 0 : n of ints where std::int64_t is meant
    const Text t{assemble(p, in), p.binding, *met};
    return mode == loose ? t : exactly(t, result);
  }
  // Helpers compute in double, and a function of a narrow integer gives an int.
  if (p.binding == primary && p.pieces[0].operand < 0 && ((op.kind->helper && result == DType::f32) || promoted(result) != result))
    return exactly({assemble(p, in), p.binding, promoted(result) != result ? DType::i32 : DType::f64}, result);
  if (result == DType::boolean || p.binding == primary || choice) return {assemble(p, in), p.binding, result};
  if (p.simple_unary() && p.pieces[0].text == "-" && is_real(result) && in[0].binding == product && in[0].s[0] != '-')
    return {"-" + in[0].s, product, result};      // -(a * b) is -a * b, to the bit
  const DType made = own == DType::u16 && p.top && p.top->symbol == "*" ? DType::u32 : promoted(result);
  return exactly({assemble(p, in), p.binding, made}, result);
}

}  // namespace tlaloc::ir::cpp
