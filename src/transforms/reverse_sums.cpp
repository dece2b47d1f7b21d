// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_sums.hpp"

#include "transforms/counted.hpp"
#include "transforms/geometry.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr int lanes = 4;
constexpr std::uint64_t few_trips = 16;           // a loop known to run so rarely gains nothing
constexpr std::size_t most_ops = 128;             // of a body that is written twice
constexpr std::uint64_t short_trips = 4;          // a loop that runs no more often is written out

std::size_t place_of(const Op* op) { return std::size_t(std::find(op->block->ops.begin(), op->block->ops.end(), op) - op->block->ops.begin()); }
bool touches(const Geometry& g, const Op* op, const Value* buffer) {
  const auto& all = g.touching(buffer);
  return std::any_of(all.begin(), all.end(), [&](Op* o) { return g.first(o) >= g.first(op) && g.last(o) <= g.last(op); });
}

// --- d[i] = 0; d[i] += x ---
void overwrite(const Geometry& g, Block& b) {
  for (std::size_t at = 0; at < b.ops.size(); ++at) {
    Op* store = b.ops[at];
    for (auto* r : store->regions) overwrite(g, *r);
    if (store->kind != &ops::store || !store->where.adjoint || !is_constant(store->operands[2], 0)) continue;
    const Poly index = Poly::of(store->operands[1]);
    for (std::size_t next = at + 1; next < b.ops.size(); ++next) {
      Op* op = b.ops[next];
      if (!touches(g, op, store->operands[0])) continue;
      const bool element = op->regions.empty() && op->operands.size() > 1 && op->operands[0] == store->operands[0] && op->operands[1]->type == Type{index_type};
      const auto distance = element ? (Poly::of(op->operands[1]) - index).constant() : std::nullopt;
      if (distance && *distance != 0) continue;    // another element
      if (distance && op->kind == &ops::accum) {
        op->kind = &ops::store;
        b.ops.erase(b.ops.begin() + std::ptrdiff_t(at--));
      }
      break;
    }
  }
}

// --- an element that a loop only adds to ---
struct Cell {
  Op* loop;
  Value* buffer;
  Poly index;
  std::vector<Op*> sums;                          // the accums, in order
};

bool fixed(const Poly& p, const Block* body) {
  const auto symbols = p.symbols();
  return std::none_of(symbols.begin(), symbols.end(), [&](const Value* s) { return inside(s->block, body); });
}
bool touched_elsewhere(const Geometry& g, const Cell& cell) {
  const Block* body = body_of(cell.loop);
  for (auto* o : g.touching(cell.buffer)) {
    if (!inside(o->block, body) || std::find(cell.sums.begin(), cell.sums.end(), o) != cell.sums.end()) continue;
    if (o->kind != &ops::load && o->kind != &ops::store && o->kind != &ops::accum) return true;
    const Facts& facts = g.facts(o->block);
    auto loops = g.loops(o->block, body);
    loops.insert(loops.begin(), cell.loop);
    const Poly at = Poly::of(o->operands[1]);
    const auto first = g.bound(at, loops, false, facts), last = g.bound(at, loops, true, facts);
    if (!(first && facts.proves(*first - cell.index - 1)) && !(last && facts.proves(cell.index - *last - 1))) return true;
  }
  return false;
}
std::vector<Cell> cells(const Geometry& g, const Function& f) {
  std::vector<Cell> found;
  walk(*f.body, [&](Op* loop) {
    if (!is_for(loop) || !loop->where.adjoint) return;
    std::vector<Cell> here;
    for (auto* op : body_of(loop)->ops) {
      if (op->kind != &ops::accum || !op->where.adjoint || !op->operands[2]->type.real() || inside(op->operands[0]->block, body_of(loop))) continue;
      const Poly index = Poly::of(op->operands[1]);
      if (!fixed(index, body_of(loop))) continue;
      auto same = std::find_if(here.begin(), here.end(), [&](auto& c) { return c.buffer == op->operands[0] && c.index == index; });
      if (same != here.end()) same->sums.push_back(op);
      else here.push_back({loop, op->operands[0], index, {op}});
    }
    for (auto& c : here) if (!touched_elsewhere(g, c)) found.push_back(std::move(c));
  });
  return found;
}
/// A value of the body that is the same in every turn, made again outside it; null where it hangs on what the body carries.
Value* outside(Builder& b, Value* v, const Block* body) {
  if (!inside(v->block, body)) return v;
  if (!v->def || !v->def->regions.empty() || v->def->kind->effect > Effect::guarded || v->def->results.size() != 1) return nullptr;
  std::vector<Value*> in;
  for (auto* o : v->def->operands)
    if (Value* made = outside(b, o, body)) in.push_back(made);
    else return nullptr;
  return b.append(*v->def->kind, in, v->def->attrs)->results[0];
}
void sum_in_value(Function& f, const Cell& cell, bool runs) {
  Op* loop = cell.loop;
  Block& body = *body_of(loop);
  const DType d = cell.buffer->type.dtype;
  const std::string name = cell.buffer->name + "_sum";
  loop->operands.push_back(insert(f, *loop->block, place_of(loop), loop->where, [&](Builder& b) { return constant(b, d, 0); }).v);
  Value* at = cell.sums[0]->operands[1];
  Value* sum = body.params.emplace_back(f.new_value({d}, name, &body));
  for (auto* op : cell.sums) {
    op->kind = &ops::add;
    op->operands = {sum, op->operands[2]};
    sum = op->results.emplace_back(f.new_value({d}, name, &body, op));
  }
  body.yields.push_back(sum);
  Value* total = loop->results.emplace_back(f.new_value({d}, name, loop->block, loop));
  insert(f, *loop->block, place_of(loop) + 1, cell.sums.back()->where, [&](Builder& b) {
    auto add = [&](Builder& in, std::span<const X>) -> std::vector<X> {
      Value* i = outside(in, at, &body);
      in.append(ops::accum, {cell.buffer, i ? i : value_of(in, cell.index).v, total});
      return {};
    };
    const X from{&b, loop->operands[0]}, to{&b, loop->operands[1]};
    if (runs) add(b, {});                         // else the element may not exist
    else branch(b, loop->at(key::step) > 0 ? from < to : to < from, add, [](Builder&, std::span<const X>) { return std::vector<X>{}; });
    return X{};
  });
}
bool sum_in_values(const Program& program, Function& f) {
  const Geometry g(program, f);
  const auto all = cells(g, f);
  std::vector<char> runs;
  for (auto& c : all) runs.push_back(g.facts(c.loop->block).proves(span_of(c.loop) - 1));
  for (std::size_t i = 0; i < all.size(); ++i) sum_in_value(f, all[i], runs[i]);
  return !all.empty();
}

// --- lanes ---
/// The terms of `sum`, which is `start` plus and minus them, each used but once; `ops` are its additions.
struct Terms {
  struct Term { Value* v; bool minus; };
  std::vector<Term> all = {};
  std::vector<Op*> ops = {};

  bool find(Value* sum, const Value* start, const Block& body) {
    if (sum == start) return uses(start, body) == 1;
    Op* op = sum->def;
    if (!op || sum->block != &body || uses(sum, body) != 1 || (op->kind != &ops::add && op->kind != &ops::sub)) return false;
    for (std::size_t k = 0; k < (op->kind == &ops::add ? 2u : 1u); ++k) {
      Terms inner;
      if (!inner.find(op->operands[k], start, body)) continue;
      all = std::move(inner.all), ops = std::move(inner.ops);
      all.push_back({op->operands[1 - k], op->kind == &ops::sub});
      ops.push_back(op);
      return true;
    }
    return false;
  }
};

bool only_sums(const Op* loop, std::vector<Terms>& sums) {
  if (!is_for(loop) || !loop->where.adjoint || loop->at(key::step) != 1 || !is_signed(loop->operands[0]->type.dtype) || loop->results.empty()) return false;
  const Block& body = *body_of(loop);
  if (body.ops.size() > most_ops || constant_trips(*loop).value_or(few_trips) < few_trips) return false;
  if (std::any_of(body.ops.begin(), body.ops.end(), [](Op* op) { return !op->regions.empty() || op->kind == &ops::call; })) return false;
  for (std::size_t k = 0; k < carried_count(loop); ++k) {
    if (!loop->results[k]->type.real() || !sums.emplace_back().find(next_of(loop, k), carried_of(loop, k), body)) return false;
  }
  return true;
}
void sum_in_lanes(Function& f, Op* loop, const std::vector<Terms>& sums) {
  const Block& body = *body_of(loop);
  const DType counter = loop->operands[0]->type.dtype;
  std::set<const Op*> additions;
  for (auto& s : sums) additions.insert(s.ops.begin(), s.ops.end());
  Cloner cloner{{f, loop->block, loop->where}};
  for_each_read(*loop, [&](Value* v) { cloner.map[v] = v; });
  insert(f, *loop->block, place_of(loop), loop->where, [&](Builder& b) {
    const X from{&b, loop->operands[0]}, to{&b, loop->operands[1]}, end = to - ops::rem(to - from, constant(b, Number::of(counter, lanes)));
    std::vector<Value*> arrays;
    for (auto* r : loop->results) {
      X a = ops::alloc(index(b, lanes), r->type.dtype).named("sums");
      b.append(ops::fill, {a.v, constant(b, r->type.dtype, 0).v});
      arrays.push_back(a.v);
    }
    // Counted in 64 bits throughout: where an index wraps round at 32, elements are not seen to be neighbours.
    ir::loop(b, convert(from, index_type), convert(end, index_type), lanes, {}, [&](Builder& block, std::span<const X> start) -> std::vector<X> {
      Value* first = X(start[0]).named(counter_of(loop)->name).v;
      ir::loop(block, index(block, 0), index(block, lanes), 1, {}, [&](Builder& in, std::span<const X> lane) -> std::vector<X> {
        X(lane[0]).named("lane");
        cloner.b.block = in.block;
        const X i = X{&in, first} + X{&in, lane[0].v};
        cloner.map[counter_of(loop)] = convert(i, counter).v;
        auto symbol = [&](Value* v) {
          const auto copy = cloner.map.find(v);
          return v == counter_of(loop) ? i : X{&in, copy == cloner.map.end() ? v : copy->second};
        };
        for (auto* op : body.ops) {
          if (additions.contains(op)) continue;
          if (op->kind == &ops::cast && op->results[0]->type == Type{index_type} && op->operands[0]->type == Type{counter}) {
            cloner.map[op->results[0]] = value_of(in, Poly::of(op->results[0]), symbol).v;
            continue;
          }
          cloner.clone(*op);
        }
        for (std::size_t k = 0; k < sums.size(); ++k) {
          X sum;
          for (auto& t : sums[k].all) {
            X v{&in, cloner.at(t.v)};
            sum = !sum ? (t.minus ? -v : v) : t.minus ? sum - v : sum + v;
          }
          in.append(ops::accum, {arrays[k], lane[0].v, sum.v});
        }
        return {};
      });
      block.block->ops.back()->where = loop->where;
      return {};
    });
    b.block->ops.back()->where = loop->where;
    loop->operands[0] = end.v;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      auto at = [&](int i) { return ops::load(X{&b, arrays[k]}, index(b, i)); };
      X total = (at(0) + at(1)) + (at(2) + at(3));
      Value*& init = loop->operands[2 + k];
      init = (is_constant(init, 0) ? total : X{&b, init} + total).named(loop->results[k]->name).v;
    }
    return X{};
  });
}

// --- short loops within a loop, written out: what they add to becomes the outer loop's ---
bool adds_outside(const Op* inner, const Op* loop) {
  const Block& body = *body_of(inner);
  return std::any_of(body.ops.begin(), body.ops.end(), [&](Op* op) {
    if (op->kind != &ops::accum || inside(op->operands[0]->block, body_of(loop))) return false;
    const auto symbols = Poly::of(op->operands[1]).symbols();
    return std::all_of(symbols.begin(), symbols.end(), [&](const Value* s) { return s == counter_of(inner) || !inside(s->block, body_of(loop)); });
  });
}
bool worth_writing_out(const Op* op, const Op* loop) {
  if (!is_for(op) || !op->where.adjoint) return false;
  const auto trips = constant_trips(*op);
  const Block& body = *body_of(op);
  if (!trips || *trips < 2 || *trips > short_trips || *trips * body.ops.size() > most_ops) return false;
  return std::all_of(body.ops.begin(), body.ops.end(), [](Op* o) { return o->regions.empty() && o->kind != &ops::call; }) && adds_outside(op, loop);
}
void write_out(Function& f, Op* op) {
  const Block& body = *body_of(op);
  Block& block = *op->block;
  const std::int64_t from = constant_of(op->operands[0])->as_int(), step = op->at(key::step);
  std::vector<Value*> now(op->operands.begin() + 2, op->operands.end());
  insert(f, block, place_of(op), op->where, [&](Builder& b) {
    for (std::uint64_t turn = 0; turn < *constant_trips(*op); ++turn) {
      Cloner cloner{b};
      for_each_read(*op, [&](Value* v) { cloner.map[v] = v; });
      cloner.map[counter_of(op)] = constant(b, Number::of(counter_of(op)->type.dtype, from + std::int64_t(turn) * step)).v;
      for (std::size_t k = 0; k < now.size(); ++k) cloner.map[carried_of(op, k)] = now[k];
      for (auto* o : body.ops) cloner.clone(*o);
      for (std::size_t k = 0; k < now.size(); ++k) {
        Value* next = next_of(op, k);
        now[k] = inside(next->block, &body) ? cloner.at(next) : next;
      }
    }
    return X{};
  });
  std::map<const Value*, Value*> with;
  for (std::size_t k = 0; k < now.size(); ++k) with[op->results[k]] = now[k];
  block.ops.erase(block.ops.begin() + std::ptrdiff_t(place_of(op)));
  substitute(block, with);
}
void write_out_short_loops(Function& f) {
  std::vector<Op*> found;
  walk(*f.body, [&](Op* op) { if (op->block->owner && is_for(op->block->owner) && op->block->owner->where.adjoint && worth_writing_out(op, op->block->owner)) found.push_back(op); });
  for (auto* op : found) write_out(f, op);
}

}  // namespace

void place_sums(const Program& program, Function& f) {
  overwrite(Geometry(program, f), *f.body);
  write_out_short_loops(f);
  while (sum_in_values(program, f)) {}
  std::vector<Op*> nested;
  walk(*f.body, [&](Op* op) { if (op->block->owner) nested.push_back(op); });
  for (auto* loop : nested)
    if (std::vector<Terms> sums; only_sums(loop, sums)) sum_in_lanes(f, loop, sums);
}

}  // namespace tlaloc::ir
