// SPDX-License-Identifier: Apache-2.0
//
// Whether what the reverse sweep reads again is still there: reloads, buffers private to an iteration, state that a
// replayed loop finds.
#include "transforms/reverse_plan.hpp"

#include <algorithm>

namespace tlaloc::ir {

/// A value that the reverse sweep reads again must still be in its buffer then. Where it is not, it is kept when it is
/// loaded, or its buffer gets one copy per iteration. Returns whether anything changed. Monotone, hence it ends.
bool Plan::check_reloads(Frame& fr) {
  auto writes_in_reverse = [&](const Op* w) { return w->kind == &ops::call && a_.active(w); };
  auto counts = [&](Op* w) { return fr.live.contains(w) || writes_in_reverse(w) ||
      std::any_of(fr.subs.begin(), fr.subs.end(), [&](auto& s) { return inside(w->block, s.second->top) && runs(*s.second, w); }); };
  bool changed = false;
  for (auto& [v, l] : fr.reload) {
    Value* b = l->operands[0];
    bool later = false;
    std::vector<Op*> loops;
    auto already = fr.expand.find(b);
    auto spread = [&](const std::vector<Op*>& more) {
      for (auto* x : more) {
        if (already != fr.expand.end() && std::find(already->second.begin(), already->second.end(), x) != already->second.end()) continue;
        if (std::find(loops.begin(), loops.end(), x) == loops.end()) loops.push_back(x);
      }
    };
    for (auto* w : g_.touching(b)) {
      if (!g_.writes(w, b) || !inside(w->block, fr.top) || !counts(w)) continue;
      if (g_.first(w) > g_.first(l)) { later = true; break; }
      const auto common = g_.common(w, l, fr.top);
      const bool once = (w->kind == &ops::store || w->kind == &ops::accum) && w->block == l->block && Poly::of(w->operands[1]) == Poly::of(l->operands[1]) &&
                        g_.injective(Poly::of(l->operands[1]), common, g_.facts(l->block));
      if (!once) spread(common);
    }
    if (gone(b, fr)) spread(g_.loops(b->block, fr.top));          // it moves to the frame's top
    if (!later && loops.empty() && !gone(b, fr)) continue;
    if (!later && options.expand && may_expand(fr, b, loops)) {
      auto& e = fr.expand[b];
      e.insert(e.end(), loops.begin(), loops.end());
      std::sort(e.begin(), e.end(), [&](Op* x, Op* y) { return g_.first(x) < g_.first(y); });
      return true;
    }
    fr.stale.insert(l);
    changed = true;
  }
  for (auto* op : ops_of(*fr.top)) {
    if (op->kind != &ops::call || !a_.active(op)) continue;
    for (auto* b : op->operands) {
      if (!b->type.buffer || (b->def && b->def->kind == &ops::table)) continue;
      auto& kept = fr.snapshot[op];
      if (std::find(kept.begin(), kept.end(), b) != kept.end()) continue;
      bool stale = gone(b, fr);
      for (auto* w : g_.touching(b)) stale |= g_.writes(w, b) && inside(w->block, fr.top) && counts(w) && (g_.first(w) >= g_.first(op) || !g_.common(w, op, fr.top).empty());
      if (stale) kept.push_back(b), changed = true;
    }
    if (fr.snapshot[op].empty()) fr.snapshot.erase(op);
  }
  return changed;
}
bool Plan::may_expand(const Frame& fr, const Value* b, const std::vector<Op*>& more) const {
  if (g_.resized(b) || !elements(b, fr)) return false;
  auto loops = more;
  if (auto it = fr.expand.find(b); it != fr.expand.end()) loops.insert(loops.end(), it->second.begin(), it->second.end());
  if (!regular(loops, fr)) return false;
  for (auto* o : g_.touching(b)) if (o->kind == &ops::call || o->kind == &ops::fill) return false;
  return std::all_of(more.begin(), more.end(), [&](Op* x) {
    return inside(b->block, body_of(x)) || (covered(fr, b, body_of(x), true) && only_in(fr, b, x));
  });
}
bool Plan::gone(const Value* b, const Frame& fr) { return b->block != fr.top && inside(b->block, fr.top) && !fr.expand.contains(b); }
bool Plan::only_in(const Frame& fr, const Value* b, const Op* loop) const {
  for (auto* o : g_.touching(b)) if (g_.reads(o, b) && inside(o->block, fr.top) && !inside(o->block, body_of(loop))) return false;
  return true;
}
void Plan::check_outer(const Frame& fr) const {
  for (auto& [loop, sub] : fr.subs) {
    for (auto* b : sub->outer_reads) for (auto* w : g_.touching(b)) {
      if (gone(b, fr)) throw Refusal("REPLAY", loop->where, "'" + b->name + "' is gone when the loop is replayed");
      if (!g_.writes(w, b) || !inside(w->block, fr.top) || inside(w->block, sub->top)) continue;
      if (!runs(fr, w) && !(w->kind == &ops::call && a_.active(w))) continue;
      if (g_.first(w) > g_.first(loop) || !g_.common(w, loop, fr.top).empty())
        throw Refusal("REPLAY", loop->where, "'" + b->name + "' changes between a loop and its reverse");
    }
    check_outer(*sub);
  }
}

// --- privatisation: every read of the buffer in the block follows, in the same run of the block, a write ---
namespace {

/// Elements surely written so far: from <= i < to. Right even where `to` is less than `from`: then it says nothing.
struct Range { Poly from, to; std::vector<Poly> given; };            // `given`: must be >= 0 for the range to hold

struct Cover {
  const Geometry& g;
  const Value* buffer;
  std::function<bool(const Op*)> reads;
  bool strict;
  std::vector<Range> done = {};
  bool all = false;                                                   // every element is written

  static void add(std::vector<Range>& rs, Range r) {
    for (std::size_t i = 0; i < rs.size(); ++i) {
      auto join = [&](const Range& a, const Range& b) {
        Range m{a.from, b.to, a.given};
        m.given.insert(m.given.end(), b.given.begin(), b.given.end());
        rs.erase(rs.begin() + std::ptrdiff_t(i));
        add(rs, std::move(m));
      };
      if (rs[i].to == r.from) return join(rs[i], r);
      if (r.to == rs[i].from) return join(r, rs[i]);
    }
    rs.push_back(std::move(r));
  }
  bool found(const Poly& from, const Poly& last, const Facts& facts, const std::vector<Range>& rs) const {
    return std::any_of(rs.begin(), rs.end(), [&](const Range& r) {
      return facts.proves(from - r.from) && facts.proves(r.to - last - 1) &&
             std::all_of(r.given.begin(), r.given.end(), [&](const Poly& p) { return facts.proves(p); });
    });
  }
  bool read(const Op* op, const std::vector<Op*>& loops, const std::vector<Range>& mine) const {
    if (all) return true;
    if (op->kind != &ops::load && op->kind != &ops::accum) return false;
    std::vector<Range> rs = done;
    for (auto& r : mine) add(rs, r);
    const Poly p = Poly::of(op->operands[1]);
    const Facts& facts = g.facts(op->block);
    if (found(p, p, facts, rs)) return true;
    const auto lo = g.bound(p, loops, false, facts), hi = g.bound(p, loops, true, facts);
    if (lo && hi && found(*lo, *hi, facts, rs)) return true;
    // What lies outside a range that holds all that the function ever writes is not changed by anybody.
    return !strict && std::any_of(rs.begin(), rs.end(), [&](const Range& r) { return holds_all_writes(r); });
  }
  bool holds_all_writes(const Range& r) const {
    const Block* top = g.function().body;
    if (!r.given.empty()) return false;
    for (auto* p : {&r.from, &r.to}) for (auto* s : p->symbols()) if (s->block != top) return false;
    return std::all_of(g.touching(buffer).begin(), g.touching(buffer).end(), [&](Op* w) {
      if (!g.writes(w, buffer)) return true;
      if (w->kind != &ops::store && w->kind != &ops::accum) return false;
      const Facts& facts = g.facts(w->block);
      const Poly p = Poly::of(w->operands[1]);
      const auto around = g.loops(w->block, top);
      const auto lo = g.bound(p, around, false, facts), hi = g.bound(p, around, true, facts);
      return lo && hi && facts.proves(*lo - r.from) && facts.proves(r.to - *hi - 1);
    });
  }
  /// Ranges that the block surely writes, in terms of outer counters; nothing when it reads what was not written.
  std::optional<std::vector<Range>> visit(const Block& b, std::vector<Op*> loops) {
    std::vector<Range> mine;
    for (auto* op : b.ops) {
      if (g.reads(op, buffer) && reads(op) && !read(op, loops, mine)) return std::nullopt;
      if (op->kind == &ops::store && op->operands[0] == buffer) add(mine, {Poly::of(op->operands[1]), Poly::of(op->operands[1]) + 1, {}});
      if (op->kind == &ops::fill && op->operands[0] == buffer) all = true;
      for (auto* r : op->regions) {
        auto inner_loops = loops;
        if (is_loop(op)) inner_loops.push_back(op);
        const auto before = done;
        const bool all_before = all;
        for (auto& m : mine) add(done, m);
        auto written = visit(*r, inner_loops);
        done = before;
        all = all_before;
        if (!written) return std::nullopt;
        if (is_for(op)) for (auto& w : *written) lift(op, w, mine);
      }
    }
    return mine;
  }
  /// [a i + b, a i + b + a) over a loop that counts by one is [a from + b, a to + b).
  void lift(const Op* loop, const Range& r, std::vector<Range>& mine) const {
    const Value* i = counter_of(loop);
    const auto parts = r.from.split(i);
    const auto step = loop->at(key::step);
    if (!parts || parts->first.zero() || (step != 1 && step != -1) || parts->first != r.to - r.from) return;
    for (auto& p : r.given) if (p.has(i)) return;
    const Poly first = Poly::of(loop->operands[0]), to = Poly::of(loop->operands[1]);
    const Poly low = step > 0 ? first : to + 1, end = step > 0 ? to : first + 1;
    Range lifted{r.from.at(i, low), r.from.at(i, end), r.given};
    if (!parts->first.constant()) lifted.given.push_back(parts->first);
    else if (*parts->first.constant() < 0) return;
    add(mine, std::move(lifted));
  }
};

}  // namespace

bool Plan::covered(const Frame& fr, const Value* buffer, const Block* block, bool strict) const {
  return Cover{g_, buffer, [&](const Op* op) { return reads_again(fr, op) || (op->kind == &ops::call && a_.active(op)); }, strict}.visit(*block, {}).has_value();
}
bool written_before_read(const Geometry& g, const Value* buffer) {
  return Cover{g, buffer, [](const Op*) { return true; }, false}.visit(*g.function().body, {}).has_value();
}

}  // namespace tlaloc::ir
