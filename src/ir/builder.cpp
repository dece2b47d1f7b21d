// SPDX-License-Identifier: Apache-2.0
#include "ir/ops.hpp"

#include <utility>

namespace tlaloc::ir {

Op* Builder::append(const Kind& kind, std::vector<Value*> operands, std::vector<Attr> attrs, std::vector<Block*> regions) {
  Op* op = function.new_op(kind, block);
  op->operands = std::move(operands), op->attrs = std::move(attrs), op->regions = std::move(regions), op->where = where;
  for (auto* r : op->regions) r->owner = op;
  for (auto& t : result_types(*op)) op->results.push_back(function.new_value(t, "", block, op));
  block->ops.push_back(op);
  return op;
}

X build(const Kind& kind, Builder& b, std::span<const X> in, std::vector<Attr> attrs) {
  std::vector<Value*> vs;
  for (auto x : in) vs.push_back(x.v);
  Op* op = b.append(kind, std::move(vs), std::move(attrs));
  return {&b, op->results.empty() ? nullptr : op->results[0]};
}
X constant(Builder& b, Number n) { return {&b, b.append(ops::constant, {}, {n})->results[0]}; }
X constant(Builder& b, DType d, double x) { return constant(b, Number::of(d, x)); }
X index(Builder& b, std::int64_t i) { return constant(b, Number::of(index_type, i)); }
X splat(Builder& b, const Type& t, double c) {
  const X number = constant(b, t.dtype, c);
  return t.dims.empty() ? number : ops::broadcast_in_dim(number, t.dims, {});
}
X zero(Builder& b, const Type& t) { return splat(b, t, 0); }
X like(X x, double c) { return splat(*x.b, x.type(), c); }
X param(Builder& b, Type t, std::string name) {
  return {&b, b.block->params.emplace_back(b.function.new_value(std::move(t), std::move(name), b.block))};
}
X convert(X x, DType to) {
  if (x.type().dtype == to) return x;
  if (auto* n = constant_of(x.v)) {
    if (is_real(n->dtype)) return constant(*x.b, Number::of(to, n->real));
    return constant(*x.b, is_signed(n->dtype) ? Number::of(to, n->as_int()) : Number::of(to, n->bits));
  }
  return ops::cast(x, to);
}

const Number* constant_of(const Value* v) { return v->def && v->def->kind == &ops::constant ? &v->def->at(key::value) : nullptr; }
const Number* splat_of(const Value* v) {
  return v->def && v->def->kind == &ops::broadcast_in_dim ? splat_of(v->def->operands[0]) : constant_of(v);
}
bool is_constant(const Value* v, double c) { auto* n = splat_of(v); return n && n->as_double() == c; }

namespace {

// Two constant integers: the op's own kernel says what they give.
X folded(const Kind& kind, X a, X b) {
  auto *x = constant_of(a.v), *y = constant_of(b.v);
  if (!x || !y || is_real(x->dtype)) return {};
  Op probe{-1, &kind, {a.v, b.v}, {}, {}, {}, nullptr, {}};
  Value result{-1, a.type(), ""};
  probe.results = {&result};
  const Number in[] = {*x, *y};
  return constant(*a.b, kind.kernel.number(probe, in));
}
Block* region(Builder& b, const std::vector<Type>& params, const Body& body) {
  Builder inner{b.function, b.function.new_block(), b.where};
  std::vector<X> xs;
  for (auto& t : params) xs.push_back(param(inner, t, ""));
  for (X y : body(inner, xs)) inner.block->yields.push_back(y.v);
  return inner.block;
}
std::vector<X> results(Builder& b, Op* op) { std::vector<X> r; for (auto* v : op->results) r.push_back({&b, v}); return r; }
X compared(X a, X b, Compare c) { return ops::compare(a, b, c); }

}  // namespace

X operator+(X a, X b) {
  if (is_constant(a.v, 0)) return b;
  if (is_constant(b.v, 0)) return a;
  if (X c = folded(ops::add, a, b)) return c;
  return ops::add(a, b);
}
X operator-(X a, X b) {
  if (is_constant(b.v, 0)) return a;
  if (X c = folded(ops::sub, a, b)) return c;
  return ops::sub(a, b);
}
X operator*(X a, X b) {
  if (is_constant(a.v, 1)) return b;
  if (is_constant(b.v, 1)) return a;
  if (is_constant(a.v, -1)) return -b;
  if (is_constant(b.v, -1)) return -a;
  if (X c = folded(ops::mul, a, b)) return c;
  return ops::mul(a, b);
}
X operator/(X a, X b) { return is_constant(b.v, 1) ? a : ops::div(a, b); }
X operator-(X a) {
  if (auto* n = constant_of(a.v)) return constant(*a.b, is_real(n->dtype) ? Number::of(n->dtype, -n->real) : Number::of(n->dtype, std::uint64_t(0) - n->bits));
  return ops::neg(a);
}
X operator<(X a, X b) { return compared(a, b, Compare::lt); }
X operator<=(X a, X b) { return compared(a, b, Compare::le); }
X operator>(X a, X b) { return compared(a, b, Compare::gt); }
X operator>=(X a, X b) { return compared(a, b, Compare::ge); }
X operator==(X a, X b) { return compared(a, b, Compare::eq); }
X operator!=(X a, X b) { return compared(a, b, Compare::ne); }

std::vector<X> loop(Builder& b, X from, X to, std::int64_t step, std::vector<X> init, const Body& body) {
  std::vector<Type> types{from.type()};
  std::vector<Value*> in{from.v, to.v};
  for (X x : init) types.push_back(x.type()), in.push_back(x.v);
  return results(b, b.append(ops::for_, in, {step}, {region(b, types, body)}));
}
std::vector<X> loop_while(Builder& b, std::vector<X> init, const Body& test, const Body& body) {
  std::vector<Type> types;
  std::vector<Value*> in;
  for (X x : init) types.push_back(x.type()), in.push_back(x.v);
  Block* first = region(b, types, test);
  return results(b, b.append(ops::while_, in, {}, {first, region(b, types, body)}));
}
std::vector<X> branch(Builder& b, X condition, const Body& yes, const Body& no) {
  Block* first = region(b, {}, yes);
  return results(b, b.append(ops::if_, {condition.v}, {}, {first, region(b, {}, no)}));
}

// --- copying ---
Value* Cloner::at(const Value* v) const {
  auto it = map.find(v);
  if (it == map.end()) throw Error("a value named '" + v->name + "' was not copied before its use");
  return it->second;
}
void Cloner::params(const Block& from) { for (auto* p : from.params) map[p] = param(b, p->type, p->name).v; }
Op* Cloner::clone(const Op& op) {
  std::vector<Value*> in;
  for (auto* v : op.operands) in.push_back(at(v));
  std::vector<Block*> regions;
  for (auto* r : op.regions) {
    Cloner inner{{b.function, b.function.new_block(), b.where}, std::move(map)};     // lent: a copy per region would be quadratic
    inner.params(*r);
    inner.block(*r);
    inner.yields(*r);
    map = std::move(inner.map);
    regions.push_back(inner.b.block);
  }
  const Location before = std::exchange(b.where, op.where);
  Op* made = b.append(*op.kind, std::move(in), op.attrs, std::move(regions));
  b.where = before;
  for (std::size_t i = 0; i < op.results.size(); ++i) made->results[i]->name = op.results[i]->name, map[op.results[i]] = made->results[i];
  return made;
}
void Cloner::block(const Block& from) { for (auto* op : from.ops) clone(*op); }
void Cloner::yields(const Block& from) { for (auto* y : from.yields) b.block->yields.push_back(at(y)); }
Function copy(const Function& f, std::string name) {
  Function out(std::move(name));
  Cloner c{{out}};
  c.params(*f.body);
  c.block(*f.body);
  c.yields(*f.body);
  out.result_names = f.result_names;
  out.rule = f.rule, out.external = f.external, out.declaration = f.declaration;
  return out;
}

}  // namespace tlaloc::ir
