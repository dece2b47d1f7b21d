// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_regions.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

/// Accesses with the same bounds.
struct Strip {
  Poly from, last;
  std::vector<Op*> ops;
  int part = 0;
};
constexpr std::size_t most_strips = 64;

bool of_function(const Geometry& g, const Poly& p) {
  for (auto* s : p.symbols()) if (s->block != g.function().body) return false;
  return true;
}
/// The strips of a buffer; nothing when some access is unbounded or no single element.
std::optional<std::vector<Strip>> strips(const Geometry& g, const Value* buffer) {
  std::vector<Strip> r;
  for (auto* op : g.touching(buffer)) {
    if (op->kind != &ops::load && op->kind != &ops::store && op->kind != &ops::accum) return std::nullopt;
    const auto loops = g.loops(op->block, g.function().body);
    const Poly p = Poly::of(op->operands[1]);
    const Facts& facts = g.facts(op->block);
    const auto from = g.bound(p, loops, false, facts), last = g.bound(p, loops, true, facts);
    if (!from || !last || !of_function(g, *from) || !of_function(g, *last)) return std::nullopt;
    auto same = std::find_if(r.begin(), r.end(), [&](auto& s) { return s.from == *from && s.last == *last; });
    if (same != r.end()) same->ops.push_back(op);
    else r.push_back({*from, *last, {op}});
    if (r.size() > most_strips) return std::nullopt;
  }
  return r;
}
bool apart(const Geometry& g, const Strip& a, const Strip& b) {
  const Poly after = b.from - a.last - 1, before = a.from - b.last - 1;
  for (auto* op : {a.ops[0], b.ops[0]}) {
    const Facts& facts = g.facts(op->block);
    if (facts.proves(after) || facts.proves(before)) return true;
  }
  return false;
}
/// One strip's first element that is no later than any, and one's last that is no earlier.
void bound_region(const Geometry& g, const std::vector<const Strip*>& all, Region& r) {
  auto holds_all = [&](const Poly& p, bool from) {
    return std::all_of(all.begin(), all.end(), [&](const Strip* s) {
      const Facts& facts = g.facts(s->ops[0]->block);
      return facts.proves(from ? s->from - p : p - s->last);
    });
  };
  // An access under a condition may never happen: its elements need not exist. Loops that depend on each other's counters
  // may never reach the bounds.
  auto plain = [&](const Op* op) {
    const auto chain = g.chain(op->block, g.function().body);
    return std::all_of(chain.begin(), chain.end(), [&](Op* o) {
      return is_for(o) && of_function(g, Poly::of(o->operands[0])) && of_function(g, Poly::of(o->operands[1]));
    });
  };
  const Op *first = nullptr, *last = nullptr;
  for (auto* s : all) for (auto* op : s->ops) {
    if (!plain(op)) continue;
    if (!first && holds_all(s->from, true)) first = op, r.from = s->from;
    if (!last && holds_all(s->last, false)) last = op, r.last = s->last;
  }
  if (!first || !last) return;
  r.bounded = true;
  for (auto* op : {first, last})
    for (auto* l : g.loops(op->block, g.function().body)) if (std::find(r.loops.begin(), r.loops.end(), l) == r.loops.end()) r.loops.push_back(l);
}

}  // namespace

RegionMap split_parameters(const Program& program, Function& f) {
  const Geometry g(program, f);
  RegionMap map;
  const auto params = f.body->params;
  for (auto* p : params) {
    if (!p->type.buffer) continue;
    map[p] = {p};
    const auto& touching = g.touching(p);
    auto all = strips(g, p);
    if (!all || all->empty()) continue;
    int parts = 0;
    const bool written = std::any_of(touching.begin(), touching.end(), [&](Op* op) { return g.writes(op, p); });
    for (auto& s : *all) {                         // joins what may meet
      s.part = parts++;
      for (auto& t : *all) {
        if (&t == &s) break;
        if (t.part == s.part || (written && apart(g, s, t))) continue;      // parts of what is only read tell nothing
        const int gone = t.part;
        for (auto& u : *all) if (u.part == gone) u.part = s.part;
      }
    }
    for (int k = 0, made = 0; k < parts; ++k) {
      std::vector<const Strip*> here;
      for (auto& s : *all) if (s.part == k) here.push_back(&s);
      if (here.empty()) continue;
      Value* part = p;
      if (made++) {
        part = f.body->params.emplace_back(f.new_value(p->type, p->name, f.body));
        for (auto* s : here) for (auto* op : s->ops) op->operands[0] = part;
      }
      Region r{p};
      bound_region(g, here, r);
      map[part] = std::move(r);
    }
  }
  return map;
}

}  // namespace tlaloc::ir
