// SPDX-License-Identifier: Apache-2.0
#include "transforms/fuse.hpp"

#include "transforms/geometry.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr std::size_t most_between = 16;          // ops between two loops

bool contains(const std::vector<Value*>& vs, const Value* v) { return std::find(vs.begin(), vs.end(), v) != vs.end(); }
bool same(const Value* a, const Value* b) {
  const Number *m = constant_of(a), *n = constant_of(b);
  return a == b || (m && n && *m == *n);
}
bool alike(const Op* a, const Op* b) {
  return same(a->operands[0], b->operands[0]) && same(a->operands[1], b->operands[1]) && a->at(key::step) == b->at(key::step) &&
         a->operands[0]->type == b->operands[0]->type;
}
bool reads_any(const Op* op, const std::vector<Value*>& vs) {
  bool found = false;
  for_each_read(*op, [&](Value* v) { found |= contains(vs, v); });
  return found;
}
/// The op may stand before the loop instead of after it.
bool moves_past(const Op* op, const Op* loop) {
  if (reads_any(op, loop->results) || effect(*op) > Effect::reads) return false;
  const auto read = read_buffers(*op), written = written_buffers(*loop);
  return std::none_of(read.begin(), read.end(), [&](Value* b) { return contains(written, b); });
}

struct Fusion {
  const Geometry g;

  std::vector<Op*> touching(const Value* buffer, const Op* loop) const {
    std::vector<Op*> r;
    for (auto* o : g.touching(buffer)) if (inside(o->block, body_of(loop))) r.push_back(o);
    return r;
  }
  static bool element(const Op* op) { return op->kind == &ops::load || op->kind == &ops::store || op->kind == &ops::accum; }
  bool independent(const Op* a, const Op* b) const {
    for (auto* buffer : g.buffers()) {
      const auto first = touching(buffer, a), second = touching(buffer, b);
      for (auto* o : first) for (auto* p : second) {
        if (!g.writes(o, buffer) && !g.writes(p, buffer)) continue;
        if (!element(o) || !element(p)) return false;
        const auto x = g.span(o, a);
        auto y = g.span(p, b);
        if (!x || !y) return false;
        const Poly i = Poly::symbol(counter_of(a));
        if (!g.apart(*x, {y->from.at(counter_of(b), i), y->last.at(counter_of(b), i)}, a)) return false;
      }
    }
    return true;
  }
  bool joins(const Op* a, const Op* b) const {
    return is_for(b) && b->where.adjoint && alike(a, b) && !reads_any(b, a->results) && effect(*a) <= Effect::writes && effect(*b) <= Effect::writes && independent(a, b);
  }
};

/// a's turns move into b, before b's own.
void join(Op* a, Op* b) {
  Block &first = *body_of(a), &second = *body_of(b);
  for (auto& op : first.ops) op->block = &second;
  for (auto* op : first.ops) for (auto* r : op->results) r->block = &second;
  substitute(first, {{counter_of(a), counter_of(b)}});
  second.ops.insert(second.ops.begin(), first.ops.begin(), first.ops.end());
  for (std::size_t k = 0; k < carried_count(a); ++k) {
    Value* p = first.params[k + 1];
    p->block = &second;
    second.params.push_back(p);
    second.yields.push_back(first.yields[k]);
    b->operands.push_back(a->operands[k + 2]);
    a->results[k]->def = b;
    b->results.push_back(a->results[k]);
  }
}
bool fuse(const Program& program, Function& f, Block& b) {
  for (auto* op : b.ops) for (auto* r : op->regions) if (fuse(program, f, *r)) return true;
  std::optional<Fusion> fusion;
  for (std::size_t i = 0; i < b.ops.size(); ++i) {
    Op* loop = b.ops[i];
    if (!is_for(loop) || !loop->where.adjoint) continue;
    for (std::size_t j = i + 1; j < b.ops.size() && j <= i + most_between; ++j) {
      if (is_for(b.ops[j]) && b.ops[j]->where.adjoint && alike(loop, b.ops[j])) {
        if (!fusion) fusion.emplace(Fusion{Geometry(program, f)});
        if (!fusion->joins(loop, b.ops[j])) break;
        join(loop, b.ops[j]);
        b.ops.erase(b.ops.begin() + std::ptrdiff_t(i));
        return true;
      }
      if (!moves_past(b.ops[j], loop)) break;
    }
  }
  return false;
}

}  // namespace

void fuse_loops(const Program& program, Function& f) { while (fuse(program, f, *f.body)) {} }

}  // namespace tlaloc::ir
