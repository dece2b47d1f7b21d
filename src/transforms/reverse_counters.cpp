// SPDX-License-Identifier: Apache-2.0
//
// Integers that a loop carries and changes by an affine step become polynomials of its counter (`++at` in a triangular nest
// is j (d - 1) - j (j - 1) / 2): iterations no longer hang on each other through them, and nothing need be kept or undone.
#include "transforms/reverse_plan.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

struct Counters {
  const Program& program;
  Function& f;
  std::set<const Op*> exact = {};                 // casts to the old type that lose nothing, since it did not overflow

  Poly of(const Value* v) const { return v->def && exact.contains(v->def) ? Poly::of(v->def->operands[0]) : Poly::of(v); }
  /// Once more after each change, since one closed form makes the next possible.
  bool change(Block& b) {
    for (std::size_t i = 0; i < b.ops.size(); ++i) {
      Op* op = b.ops[i];
      for (auto* r : op->regions) if (change(*r)) return true;
      if (!is_for(op) || op->at(key::step) != 1) continue;
      for (std::size_t j = 0; j < carried_count(op); ++j) if (close(op, j, b, i)) return true;
    }
    return false;
  }
  bool close(Op* loop, std::size_t j, Block& outer, std::size_t at) {
    Value *a = carried_of(loop, j), *next = next_of(loop, j);
    const DType d = a->type.dtype;
    if (d != DType::i32 && d != DType::i64 && d != DType::u64) return false;
    Block& body = *body_of(loop);
    const Value* i = counter_of(loop);
    const Poly step = of(next) - Poly::of(a);
    const auto parts = step.split(i);
    if (!parts || parts->first.has(i)) return false;
    for (auto* s : step.symbols()) if (s != i && inside(s->block, &body)) return false;
    const Poly slope = parts->first, from = Poly::of(loop->operands[0]), first = parts->second + slope * from;
    const Geometry g(program, f);
    const bool runs = g.facts(&outer).proves(span_of(loop));         // from <= to
    auto form = [&](Builder& b, X turns) {
      X e = convert({&b, init_of(loop, j)}, index_type) + turns * value_of(b, first);
      if (!slope.zero()) e = e + value_of(b, slope) * ops::div(turns * (turns - index(b, 1)), index(b, 2));
      return e;
    };
    X inner = insert(f, body, 0, loop->where, [&](Builder& b) { return form(b, convert({&b, const_cast<Value*>(i)}, index_type) - convert({&b, loop->operands[0]}, index_type)).named(a->name); });
    X after = insert(f, outer, at + 1, loop->where, [&](Builder& b) {
      X n = convert({&b, loop->operands[1]}, index_type) - convert({&b, loop->operands[0]}, index_type);
      if (!runs) n = ops::select(n < index(b, 0), index(b, 0), n);
      return form(b, n).named(loop->results[j]->name);
    });
    replace(body, a, inner);
    replace(*f.body, loop->results[j], after);
    auto drop = [](auto& list, std::size_t k) { list.erase(list.begin() + std::ptrdiff_t(k)); };
    drop(loop->operands, j + 2), drop(loop->results, j), drop(body.params, j + 1), drop(body.yields, j);
    return true;
  }
  /// Uses as an index get the 64-bit value itself, others what it is in the old type.
  void replace(Block& where, Value* old, X by) {
    std::map<const Value*, Value*> with;
    walk(where, [&](Op* op) { if (op->kind == &ops::cast && op->operands[0] == old && op->results[0]->type.dtype == index_type) with[op->results[0]] = by.v; });
    Value* same = by.v;
    if (old->type.dtype != index_type) {
      Op* after = by.v->def;
      Block& b = *by.v->block;
      const auto at = after ? std::size_t(std::find(b.ops.begin(), b.ops.end(), after) - b.ops.begin()) + 1 : 0;
      same = insert(f, b, at, after ? after->where : Location{}, [&](Builder& builder) { return convert({&builder, by.v}, old->type.dtype); }).v;
      if (same->def && same->def->kind == &ops::cast) exact.insert(same->def);
    }
    with[old] = same;
    substitute(where, with);
  }
};

}  // namespace

void close_counters(const Program& program, Function& f) {
  Counters c{program, f};
  while (c.change(*f.body)) {}
}

}  // namespace tlaloc::ir
