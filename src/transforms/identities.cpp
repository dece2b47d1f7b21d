// SPDX-License-Identifier: Apache-2.0
#include "transforms/identities.hpp"

#include <cmath>
#include <limits>

namespace tlaloc::ir {
namespace {

Op* made_by(const Value* v, const Kind& kind) { return v->def && v->def->kind == &kind ? v->def : nullptr; }
Value* become(Op& op, const Kind& kind, std::vector<Value*> operands, std::vector<Attr> attrs = {}) {
  op.kind = &kind, op.operands = std::move(operands), op.attrs = std::move(attrs);
  return op.results[0];
}
// By representation for reals: 0.0 and -0.0 differ.
bool is(const Value* v, double c) {
  auto* n = constant_of(v);
  return n && *n == Number::of(n->dtype, c);
}
bool all_ones(const Value* v) {
  auto* n = constant_of(v);
  return n && *n == Number::of(n->dtype, ~std::uint64_t(0));
}

// Every value of `from` is a value of `to`.
bool widens(DType from, DType to) {
  if (from == to || from == DType::boolean) return true;
  if (is_integer(from) && is_integer(to)) return is_signed(from) ? is_signed(to) && bit_width(to) > bit_width(from) : bit_width(to) > bit_width(from);
  if (is_real(from) && is_real(to)) return (from == DType::f16 || from == DType::bf16) ? to >= DType::f32 : from == DType::f32 && to == DType::f64;
  if (is_real(from)) return false;
  const int digits = bit_width(from) - is_signed(from);
  return to == DType::f64 ? digits <= 53 : to == DType::f32 ? digits <= 24 : false;
}

// True when the value is never -0.0.
bool never_negative_zero(const Value* v, int depth = 4) {
  if (auto* n = constant_of(v)) return !(n->real == 0 && std::signbit(n->real));
  if (!v->def || depth == 0) return false;
  auto& in = v->def->operands;
  const Kind* k = v->def->kind;
  if (k == &ops::exp) return true;
  if (k == &ops::cast) return !in[0]->type.real() || (widens(in[0]->type.dtype, v->type.dtype) && never_negative_zero(in[0], depth - 1));   // else it may underflow
  if (k == &ops::mul) return in[0] == in[1];
  if (k == &ops::add) return never_negative_zero(in[0], depth - 1) || never_negative_zero(in[1], depth - 1);
  if (k == &ops::sub) return never_negative_zero(in[0], depth - 1);       // -0.0 - y is -0.0 only for y = 0.0
  if (k == &ops::select) return never_negative_zero(in[1], depth - 1) && never_negative_zero(in[2], depth - 1);
  return false;
}

// --- integers ---
// v + by where v is signed, on v's own base, written with a positive constant where there is one. The constants combine
// unless their sum overflows: then the sum of C++ could, too.
Value* shifted(Op& op, Value* v, std::int64_t by, Maker& m) {
  const DType d = v->type.dtype;
  const Offset o = offset_of(v);
  std::int64_t sum = 0;
  const bool fits = !__builtin_add_overflow(o.by, by, &sum) && Number::of(d, sum).as_int() == sum;
  Value* x = fits ? const_cast<Value*>(o.base) : v;
  const Number n = Number::of(d, fits ? sum : by);
  if (n.bits == 0) return x;
  const bool negative = n.as_int() < 0 && Number::of(d, std::uint64_t(0) - n.bits).as_int() > 0;
  const Kind& kind = negative ? static_cast<const Kind&>(ops::sub) : ops::add;
  const Number shown = negative ? Number::of(d, std::uint64_t(0) - n.bits) : n;
  if (op.kind == &kind && op.operands[0] == x && constant_of(op.operands[1]) && *constant_of(op.operands[1]) == shown) return nullptr;
  return become(op, kind, {x, m.number(shown)});
}
Value* add_integers(Op& op, Value* a, Value* b, Maker& m) {
  if (constant_of(a)) return become(op, ops::add, {b, a});
  if (auto* n = constant_of(b)) return is_signed(a->type.dtype) ? shifted(op, a, n->as_int(), m) : nullptr;
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) if (Op* s = made_by(x, ops::sub)) if (s->operands[1] == y) return s->operands[0];
  return nullptr;
}
Value* sub_integers(Op& op, Value* a, Value* b, Maker& m) {
  if (a == b) return m.number(Number::of(a->type.dtype, 0));
  if (auto* n = constant_of(b)) {
    if (n->bits == 0) return a;
    const Number opposite = Number::of(n->dtype, std::uint64_t(0) - n->bits);
    return is_signed(n->dtype) && opposite.bits != n->bits ? shifted(op, a, opposite.as_int(), m) : nullptr;
  }
  if (is(a, 0)) return become(op, ops::neg, {b});
  if (Op* s = made_by(a, ops::add)) {
    if (s->operands[0] == b) return s->operands[1];
    if (s->operands[1] == b) return s->operands[0];
  }
  if (is_signed(a->type.dtype) && bit_width(a->type.dtype) >= 32) {        // (x + 5) - (x + 2)
    const Offset p = offset_of(a), q = offset_of(b);
    if (p.base && p.base == q.base) return m.number(Number::of(a->type.dtype, std::int64_t(std::uint64_t(p.by) - std::uint64_t(q.by))));
  }
  return nullptr;
}
Value* mul_integers(Op& op, Value* a, Value* b, Maker& m) {
  auto* n = constant_of(b);
  if (constant_of(a) && !n) return become(op, ops::mul, {b, a});
  if (!n) return nullptr;
  if (n->bits == 0) return b;
  if (Op* inner = made_by(a, ops::mul)) if (auto* k = constant_of(inner->operands[1])) {
    std::int64_t product = 0;
    if (is_signed(n->dtype) && !__builtin_mul_overflow(n->as_int(), k->as_int(), &product) && Number::of(n->dtype, product).as_int() == product)
      return become(op, ops::mul, {inner->operands[0], m.number(Number::of(n->dtype, product))});
  }
  return nullptr;
}

// --- arithmetic ---
Value* simpler_neg(Op& op, Maker&) {
  if (Op* n = made_by(op.operands[0], ops::neg)) return n->operands[0];
  if (Op* s = made_by(op.operands[0], ops::sub)) if (op.results[0]->type.integer()) return become(op, ops::sub, {s->operands[1], s->operands[0]});
  return nullptr;
}
Value* simpler_add(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  for (auto [x, zero] : {std::pair{a, b}, std::pair{b, a}}) {
    if (is(zero, -0.0)) return x;
    if (a->type.real() && is(zero, 0.0) && never_negative_zero(x)) return x;
  }
  if (Op* n = made_by(b, ops::neg)) return become(op, ops::sub, {a, n->operands[0]});
  if (Op* n = made_by(a, ops::neg)) return become(op, ops::sub, {b, n->operands[0]});
  if (a == b && a->type.real()) return become(op, ops::mul, {m.number(Number::of(a->type.dtype, 2)), a});
  return a->type.integer() ? add_integers(op, a, b, m) : nullptr;
}
Value* simpler_sub(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  if (a->type.real() && is(b, 0.0)) return a;
  if (a->type.real() && is(a, -0.0)) return become(op, ops::neg, {b});
  if (Op* n = made_by(b, ops::neg)) return become(op, ops::add, {a, n->operands[0]});
  if (Op* n = made_by(a, ops::neg)) if (n->operands[0] == b && a->type.real()) return become(op, ops::mul, {m.number(Number::of(a->type.dtype, -2)), b});
  return a->type.integer() ? sub_integers(op, a, b, m) : nullptr;
}
// Signs move outwards, where an addition or another sign takes them in.
Value* move_sign(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  Op *na = made_by(a, ops::neg), *nb = made_by(b, ops::neg);
  const Kind& kind = *op.kind;
  if (na && nb) return become(op, kind, {na->operands[0], nb->operands[0]});
  auto negated = [&](Value* c) { return m.number(Number::of(c->type.dtype, -constant_of(c)->real)); };
  if (na && constant_of(b)) return become(op, kind, {na->operands[0], negated(b)});
  if (nb && constant_of(a)) return become(op, kind, {negated(a), nb->operands[0]});
  if (na) return become(op, ops::neg, {m.make(kind, {na->operands[0], b})});
  if (nb) return become(op, ops::neg, {m.make(kind, {a, nb->operands[0]})});
  return nullptr;
}
Value* simpler_mul(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  for (auto [x, one] : {std::pair{a, b}, std::pair{b, a}}) {
    if (is(one, 1)) return x;
    if (a->type.real() && is(one, -1)) return become(op, ops::neg, {x});
  }
  return a->type.real() ? move_sign(op, m) : mul_integers(op, a, b, m);
}
Value* simpler_div(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  if (is(b, 1)) return a;
  if (!a->type.real()) return nullptr;
  return is(b, -1) ? become(op, ops::neg, {a}) : move_sign(op, m);
}
Value* simpler_rem(Op& op, Maker& m) { return is(op.operands[1], 1) ? m.number(Number::of(op.results[0]->type.dtype, 0)) : nullptr; }

// What gcc and clang make of pow at -O1 and up without any flag, and not at -O0; clang also makes exp2 of a power of two.
// The product and the quotient are rounded once, pow is not: text with pow in it would depend on who compiles it and how.
Value* simpler_pow(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  auto number = [&](double c) { return m.number(Number::of(a->type.dtype, c)); };
  if (auto* n = constant_of(b)) {
    if (n->real == 0) return number(1);
    if (n->real == 1) return a;
    if (n->real == 2) return become(op, ops::mul, {a, a});
    if (n->real == -1) return become(op, ops::div, {number(1), a});
  }
  auto* base = constant_of(a);
  if (!base || !std::isfinite(base->real)) return nullptr;
  if (base->real == 1) return a;
  int exponent = 0;
  const double half = std::frexp(base->real, &exponent);
  if (half != 0.5 || std::abs(--exponent) > 63) return nullptr;
  return become(op, ops::exp2, {exponent == 1 ? b : m.make(ops::mul, {number(exponent), b})});
}

// --- bits and truth ---
Value* simpler_bits(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  const DType d = a->type.dtype;
  if (constant_of(a) && !constant_of(b)) return become(op, *op.kind, {b, a});
  if (op.kind == &ops::bit_xor) {
    if (a == b) return m.number(Number::of(d, 0));
    if (is(b, 0)) return a;
    return d == DType::boolean && is(b, 1) ? become(op, ops::logical_not, {a}) : nullptr;
  }
  if (a == b) return a;
  const bool conjunction = op.kind == &ops::bit_and;
  if (is(b, 0)) return conjunction ? b : a;
  if (all_ones(b)) return conjunction ? a : b;
  if (d == DType::boolean) {
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
      if (Op* n = made_by(x, ops::logical_not)) if (n->operands[0] == y) return m.number(Number::of(d, conjunction ? 0 : 1));
      if (Op* n = made_by(x, *op.kind)) if (n->operands[0] == y || n->operands[1] == y) return x;
    }
  }
  return nullptr;
}
Value* simpler_shift(Op& op, Maker&) { return is(op.operands[1], 0) ? op.operands[0] : nullptr; }
Value* simpler_not(Op& op, Maker&) {
  Value* x = op.operands[0];
  if (Op* n = made_by(x, ops::logical_not)) return n->operands[0];
  Op* c = made_by(x, ops::compare);
  if (!c) return nullptr;
  const Compare how = c->at(key::direction);
  if (c->operands[0]->type.real() && how != Compare::eq && how != Compare::ne) return nullptr;      // NaN: neither holds
  return become(op, ops::compare, c->operands, {inverse(how)});
}

Value* simpler_compare(Op& op, Maker& m) {
  Value *a = op.operands[0], *b = op.operands[1];
  const Compare how = op.at(key::direction);
  const DType d = a->type.dtype;
  if (constant_of(a) && !constant_of(b)) return become(op, ops::compare, {b, a}, {swapped(how)});
  const bool strict = how == Compare::lt || how == Compare::gt;
  if (a == b && (strict || !is_real(d))) return m.number(Number::of(DType::boolean, how == Compare::eq || how == Compare::le || how == Compare::ge ? 1 : 0));
  if (d == DType::boolean && constant_of(b) && (how == Compare::eq || how == Compare::ne))
    return (how == Compare::eq) == is(b, 1) ? a : become(op, ops::logical_not, {a});
  // Widened integers compare as they did before.
  Op *ca = made_by(a, ops::cast), *cb = made_by(b, ops::cast);
  if (!ca || !is_integer(d)) return nullptr;
  Value* x = ca->operands[0];
  const DType from = x->type.dtype;
  if (!is_integer(from) || !widens(from, d)) return nullptr;
  if (cb && cb->operands[0]->type.dtype == from) return become(op, ops::compare, {x, cb->operands[0]}, {how});
  if (auto* n = constant_of(b)) {
    const Number narrow = is_signed(d) ? Number::of(from, n->as_int()) : Number::of(from, n->bits);
    if (narrow.bits == n->bits) return become(op, ops::compare, {x, m.number(narrow)}, {how});
  }
  return nullptr;
}
Value* simpler_select(Op& op, Maker&) {
  Value *c = op.operands[0], *a = op.operands[1], *b = op.operands[2];
  if (a == b) return a;
  if (constant_of(c)) return is(c, 0) ? b : a;
  if (Op* n = made_by(c, ops::logical_not)) return become(op, ops::select, {n->operands[0], b, a});
  if (a->type.dtype != DType::boolean || !a->type.scalar()) return nullptr;
  if (is(a, 1)) return is(b, 0) ? c : become(op, ops::bit_or, {c, b});
  if (is(b, 0)) return become(op, ops::bit_and, {c, a});
  if (is(a, 0) && is(b, 1)) return become(op, ops::logical_not, {c});
  return nullptr;
}
Value* simpler_cast(Op& op, Maker&) {
  Value* x = op.operands[0];
  const DType to = op.at(key::dtype);
  if (x->type.dtype == to) return x;
  Op* inner = made_by(x, ops::cast);
  if (!inner) return nullptr;
  const DType from = inner->operands[0]->type.dtype, between = x->type.dtype;
  // The value is unchanged between, so that one conversion does; from a real only where C++ defines the same integers.
  if (!widens(from, between)) return nullptr;
  if (is_real(between) && !is_real(from) && !is_real(to) && !widens(from, to)) return nullptr;
  return become(op, ops::cast, {inner->operands[0]}, {to});
}

using Identity = Value* (*)(Op&, Maker&);
Identity rule_for(const Kind* kind) {
  static const std::map<const Kind*, Identity> rules = {
      {&ops::neg, simpler_neg}, {&ops::add, simpler_add}, {&ops::sub, simpler_sub}, {&ops::mul, simpler_mul}, {&ops::div, simpler_div},
      {&ops::rem, simpler_rem}, {&ops::pow, simpler_pow}, {&ops::bit_and, simpler_bits}, {&ops::bit_or, simpler_bits}, {&ops::bit_xor, simpler_bits},
      {&ops::shift_left, simpler_shift}, {&ops::shift_right, simpler_shift}, {&ops::logical_not, simpler_not},
      {&ops::compare, simpler_compare}, {&ops::select, simpler_select}, {&ops::cast, simpler_cast}};
  auto it = rules.find(kind);
  return it == rules.end() ? nullptr : it->second;
}

}  // namespace

Compare inverse(Compare c) {
  constexpr Compare r[] = {Compare::ne, Compare::eq, Compare::ge, Compare::gt, Compare::le, Compare::lt};
  return r[int(c)];
}
Compare swapped(Compare c) {
  constexpr Compare r[] = {Compare::eq, Compare::ne, Compare::gt, Compare::ge, Compare::lt, Compare::le};
  return r[int(c)];
}
Offset offset_of(const Value* v) {
  if (auto* n = constant_of(v)) return {nullptr, n->as_int()};
  for (const Kind* kind : std::initializer_list<const Kind*>{&ops::add, &ops::sub}) {
    Op* op = made_by(v, *kind);
    auto* n = op ? constant_of(op->operands[1]) : nullptr;
    if (!n || constant_of(op->operands[0])) continue;
    const Offset inner = offset_of(op->operands[0]);
    return {inner.base, std::int64_t(kind == &ops::add ? std::uint64_t(inner.by) + n->bits : std::uint64_t(inner.by) - n->bits)};
  }
  return {v, 0};
}

bool evaluate(const Op& op, Number& out) {
  if (op.kind->kernel.form != Kernel::numbers || op.kind == &ops::constant || op.results.size() != 1 || !op.results[0]->type.scalar()) return false;
  Numbers in;
  for (auto* v : op.operands) {
    auto* n = constant_of(v);
    if (!n) return false;
    in.push_back(*n);
  }
  const bool shift = op.kind == &ops::shift_left || op.kind == &ops::shift_right;
  if (shift && (in[1].as_int() < 0 || in[1].as_int() >= bit_width(in[0].dtype))) return false;
  try {
    out = op.kind->kernel.number(op, in);
  } catch (const Error&) {                        // undefined for these numbers: the run will tell, if it comes here
    return false;
  }
  return !is_real(out.dtype) || !std::isnan(out.real);
}

Value* simpler(Op& op, Maker& m) {
  const Identity rule = rule_for(op.kind);
  return rule && op.results[0]->type.scalar() ? rule(op, m) : nullptr;
}

}  // namespace tlaloc::ir
