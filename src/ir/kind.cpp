// SPDX-License-Identifier: Apache-2.0
//
// The table as a list, and the questions that consumers ask of a record.
#include "ir/ops.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace tlaloc::ir {

static constexpr const Kind* kinds[] = {
#define OP(name, ...) &ops::name,
#include "ir/ops.def"
#undef OP
};
std::span<const Kind* const> all_kinds() { return kinds; }
const Kind* find_kind(std::string_view name) {
  for (auto* k : kinds) if (k->name == name) return k;
  return nullptr;
}

const Kind* find_function(std::string_view name, int arguments) {
  constexpr std::pair<std::string_view, std::string_view> aliases[] = {{"fabs", "abs"}, {"labs", "abs"}, {"llabs", "abs"}, {"finite", "isfinite"}};
  for (auto& [alias, real] : aliases) if (name == alias) name = real;
  auto fits = [&](const Kind* k) { return k && k->cpp.text.starts_with("std::") && k->operands.size() == arguments; };
  if (auto* k = find_kind(name); fits(k)) return k;
  if (auto* k = find_kind(std::string(name) + std::to_string(arguments)); fits(k)) return k;       // hypot3
  return name.ends_with('f') && name.size() > 1 ? find_function(name.substr(0, name.size() - 1), arguments) : nullptr;
}

void refuse(const Op& op, std::string_view what) {
  const std::string at = op.where ? std::string(op.where.file) + ":" + std::to_string(op.where.line) + ": " : "";
  throw Error(at + std::string(op.kind->name) + ": " + std::string(what));
}

std::vector<Type> result_types(const Op& op) {
  const Kind& k = *op.kind;
  const int named = k.operands.fixed(), given = int(op.operands.size());
  if (given < named || (given > named && !k.operands.variadic())) refuse(op, "takes " + std::to_string(named) + " operands, not " + std::to_string(given));
  for (auto* v : op.operands) if (!v) refuse(op, "lacks an operand");
  if (int(op.attrs.size()) != k.attrs.size()) refuse(op, "takes " + std::to_string(k.attrs.size()) + " attributes");
  for (int i = 0; i < k.attrs.size(); ++i) if (op.attrs[std::size_t(i)].index() != k.attrs[i].type) refuse(op, "wrong type of attribute " + std::string(k.attrs[i].name));
  if (int(op.regions.size()) != k.regions) refuse(op, "takes " + std::to_string(k.regions) + " regions");
  return k.type.of(op);
}

DType operand_dtype(const Kind& k, int operand, DType real) {
  auto* i = k.integers.find(k.operands[operand]);
  return i ? i->dtype : real;
}
void check_differentiable(const Op& op, int operand) {
  const Kind& k = *op.kind;
  const auto name = std::string(k.name);
  if (k.derivative.form == Derivative::refused) throw Refusal("NOT_DIFFERENTIABLE", op.where, name + ": " + std::string(k.derivative.why));
  if (operand >= k.operands.fixed()) return;
  if (auto* p = k.passive.find(k.operands[operand])) throw Refusal("NOT_DIFFERENTIABLE", op.where, name + " by " + std::string(p->operand) + ": " + std::string(p->why));
}
Partials partials(const Op& op, std::span<const X> in, X out) {
  const Derivative& d = op.kind->derivative;
  return d.arity == 1 ? d.p1(op, in[0], out) : d.arity == 2 ? d.p2(op, in[0], in[1], out) : d.p3(op, in[0], in[1], in[2], out);
}

static std::vector<int> trace_reads(const Op& op, int operand) {
  Function scratch("reads");
  Builder b{scratch};
  std::vector<X> in;
  for (auto* v : op.operands) in.push_back(constant_of(v) ? constant(b, *constant_of(v)) : param(b, v->type, ""));
  const X out = param(b, op.results[0]->type, "");
  const auto& d = op.kind->derivative;
  const auto p = d.form == Derivative::pointwise ? partials(op, in, out)
               : d.form == Derivative::linear ? d.transpose(op, in, param(b, op.results[0]->type, "")) : std::vector<X>(in.size());
  std::set<int> found;
  std::function<void(const Value*)> visit = [&](const Value* v) {
    for (std::size_t i = 0; i < in.size(); ++i) if (v == in[i].v) found.insert(int(i));
    if (v == out.v) found.insert(-1);
    if (v->def) for_each_read(*v->def, visit);
  };
  if (p[std::size_t(operand)]) visit(p[std::size_t(operand)].v);
  return {found.begin(), found.end()};
}
const std::vector<int>& reads(const Op& op, int operand) {
  // The rule may look at types, attributes and constants, hence the cache key.
  static std::mutex guard;
  static std::map<std::tuple<const Kind*, int, DType, std::string>, std::vector<int>> cache;
  std::string details;
  for (auto& a : op.attrs) if (auto* i = std::get_if<std::int64_t>(&a)) details += std::to_string(*i) + ","; else if (auto* d = std::get_if<DType>(&a)) details += text(*d) + ",";
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    if (auto* n = constant_of(op.operands[i])) details += std::to_string(i) + "=" + std::to_string(n->bits ^ std::bit_cast<std::uint64_t>(n->real)) + ",";
  std::lock_guard lock(guard);
  auto [it, fresh] = cache.try_emplace({op.kind, operand, op.operands.empty() ? DType::f64 : op.operands[0]->type.dtype, details});
  if (fresh) it->second = trace_reads(op, operand);
  return it->second;
}

Effect effect(const Op& op) {
  Effect worst = op.kind->effect;
  if (op.kind == &ops::div && op.results[0]->type.real()) worst = Effect::pure;
  for (auto* r : op.regions) for (auto* o : r->ops) {
    const Effect e = effect(*o);
    // An allocation inside a region is the region's own business, and so is what is done to it.
    if (e != Effect::allocates) worst = std::max(worst, e);
  }
  return worst;
}

static void touched(const Op& op, bool writes, std::vector<Value*>& out) {
  auto add = [&](Value* v) { if (v->type.buffer && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v); };
  if (op.kind == &ops::call) for (auto* v : op.operands) add(v);
  else if (op.kind->effect == (writes ? Effect::writes : Effect::reads)) add(op.operands[0]);
  else if (!writes && (op.kind == &ops::pop || op.kind == &ops::append || op.kind == &ops::resize)) add(op.operands[0]);
  for (auto* r : op.regions) for (auto* o : r->ops) touched(*o, writes, out);
}
std::vector<Value*> written_buffers(const Op& op) { std::vector<Value*> r; touched(op, true, r); return r; }
std::vector<Value*> read_buffers(const Op& op) { std::vector<Value*> r; touched(op, false, r); return r; }

static void expand(Function& f, Block& block, bool (*needs)(const Op&)) {
  std::map<const Value*, Value*> with;
  auto old = std::move(block.ops);
  block.ops.clear();
  for (auto* op : old) {
    for (auto*& v : op->operands) if (auto it = with.find(v); it != with.end()) v = it->second;
    for (auto* r : op->regions) { substitute(*r, with); expand(f, *r, needs); }
    if (!needs(*op) || !op->kind->expansion.rule) { block.ops.push_back(op); continue; }
    Builder b{f, &block, op->where};
    std::vector<X> in;
    for (auto* v : op->operands) in.push_back({&b, v});
    const auto ys = op->kind->expansion.rule(*op, in);
    for (std::size_t i = 0; i < ys.size(); ++i) with[op->results[i]] = X(ys[i]).named(op->results[i]->name).v;
  }
  for (auto*& y : block.yields) if (auto it = with.find(y); it != with.end()) y = it->second;
}
void expand(Function& f, bool (*needs)(const Op&)) {
  for (bool again = true; again;) {               // what an expansion is made of may need one itself
    expand(f, *f.body, needs);
    again = false;
    walk(*f.body, [&](Op* op) { again |= needs(*op) && op->kind->expansion.rule; });
  }
}
bool of_tensors(const Op& op) {
  auto tensor = [](const Value* v) { return v->type.tensor(); };
  return op.regions.empty() && op.kind != &ops::call &&
         (op.kind->cpp.by_name || std::any_of(op.operands.begin(), op.operands.end(), tensor) || std::any_of(op.results.begin(), op.results.end(), tensor));
}

}  // namespace tlaloc::ir
