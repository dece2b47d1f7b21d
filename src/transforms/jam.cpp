// SPDX-License-Identifier: Apache-2.0
#include "transforms/jam.hpp"

#include "transforms/counted.hpp"
#include "transforms/geometry.hpp"
#include "transforms/rewrite.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr std::size_t most_ops = 32;              // of a turn, which is written three times
constexpr int costly = 8;                         // an op of reals beside which loads and stores do not count
constexpr std::uint64_t few_trips = 4;

struct Jam {
  Op *outer, *inner, *sum;                        // the loops, and the accum in the inner one
  bool later;                                     // the inner loop of the next turn begins one later
  bool begins;                                    // it surely has a turn when there is a next turn of the outer one
};

bool counts_up(const Op* op) {
  return is_for(op) && op->at(key::step) == 1 && op->results.empty() && is_signed(op->operands[0]->type.dtype);
}
/// The op can be run earlier than it was, beside the others of its turn: it writes nothing, and not what is added to.
bool plain(const Op* op, const Value* sums) {
  return op->regions.empty() && op->kind->effect <= Effect::reads &&
         std::find(op->operands.begin(), op->operands.end(), sums) == op->operands.end();
}
bool heavy(const Op* op) { return op->kind->cost >= costly && op->results[0]->type.real(); }
std::optional<Jam> jam_of(const Geometry& g, Op* outer) {
  if (!counts_up(outer) || constant_trips(*outer).value_or(few_trips) < few_trips) return std::nullopt;
  const Block& turn = *body_of(outer);
  const auto with_regions = [](const Op* op) { return !op->regions.empty(); };
  const auto found = std::find_if(turn.ops.begin(), turn.ops.end(), with_regions);
  if (found == turn.ops.end() || !counts_up(*found)) return std::nullopt;
  Op* inner = *found;
  const Block& body = *body_of(inner);
  const auto writes = [](const Op* op) { return op->kind == &ops::accum; };
  const auto added = std::find_if(body.ops.begin(), body.ops.end(), writes);
  if (added == body.ops.end() || turn.ops.size() + body.ops.size() > most_ops) return std::nullopt;
  Op* sum = *added;
  Value* buffer = sum->operands[0];
  if (inside(buffer->block, &turn) || !sum->operands[2]->type.real()) return std::nullopt;
  for (auto* op : turn.ops) if (op != inner && !plain(op, buffer)) return std::nullopt;
  for (auto* op : body.ops) if (op != sum && (!plain(op, buffer) || heavy(op))) return std::nullopt;

  // The elements: one for each turn of the inner loop, the same in each of the outer one.
  const Value *i = counter_of(inner), *j = counter_of(outer);
  auto fixed = [&](const Poly& p, const Value* but) {
    for (auto* s : p.symbols()) if (s != but && inside(s->block, &turn)) return false;
    return true;
  };
  const Poly at = Poly::of(sum->operands[1]);
  const auto place = at.split(i);
  if (!place || place->first.constant().value_or(0) == 0 || !fixed(at, i)) return std::nullopt;
  const Poly from = Poly::of(inner->operands[0]), to = Poly::of(inner->operands[1]);
  const auto begin = from.split(j);
  if (!begin || !fixed(from, j) || !fixed(to, nullptr)) return std::nullopt;
  const auto moves = begin->first.constant();
  if (!moves || *moves < 0 || *moves > 1) return std::nullopt;
  return Jam{outer, inner, sum, *moves == 1, g.facts(&turn).proves(to - from)};
}

void jam(Function& f, const Jam& it) {
  Op *outer = it.outer, *inner = it.inner;
  auto &block = *outer->block;
  const auto place = std::size_t(std::find(block.ops.begin(), block.ops.end(), outer) - block.ops.begin());
  const DType d = outer->operands[0]->type.dtype;
  insert(f, block, place, outer->where, [&](Builder& b) {
    const X from{&b, outer->operands[0]}, to{&b, outer->operands[1]};
    const X end = to - ops::rem(to - from, constant(b, Number::of(d, 2)));
    loop(b, from, end, 2, {}, [&](Builder& turn, std::span<const X> xs) -> std::vector<X> {
      const X first = X(xs[0]).named(counter_of(outer)->name);
      Cloner turns[2]{{turn}, {turn}};
      for (auto& c : turns) {
        for_each_read(*outer, [&](Value* v) { c.map[v] = v; });
        c.map[counter_of(outer)] = (&c == turns ? first : first + constant(turn, Number::of(d, 1))).v;
        for (auto* op : body_of(outer)->ops) if (op != inner) c.clone(*op);
      }
      auto clone_turn = [&](Cloner& c, Builder& in, Value* counter) {
        c.b.block = in.block;
        c.map[counter_of(inner)] = counter;
        for (auto* op : body_of(inner)->ops) if (op != it.sum) c.clone(*op);
      };
      if (it.later) {                             // the first of the two has a turn of its own
        auto alone = [&](Builder& in, std::span<const X>) -> std::vector<X> {
          Cloner c = turns[0];
          clone_turn(c, in, c.at(inner->operands[0]));
          in.append(ops::accum, {c.at(it.sum->operands[0]), c.at(it.sum->operands[1]), c.at(it.sum->operands[2])});
          return {};
        };
        if (it.begins) alone(turn, {});
        else branch(turn, turns[0][inner->operands[0]] < turns[0][inner->operands[1]], alone, [](Builder&, std::span<const X>) { return std::vector<X>{}; });
      }
      const X begin{&turn, turns[1].at(inner->operands[0])}, stop{&turn, turns[1].at(inner->operands[1])};
      loop(turn, begin, stop, 1, {}, [&](Builder& in, std::span<const X> is) -> std::vector<X> {
        Value* counter = X(is[0]).named(counter_of(inner)->name).v;
        for (auto& c : turns) clone_turn(c, in, counter);
        const X buffer{&in, turns[0].at(it.sum->operands[0])}, at{&in, turns[0].at(it.sum->operands[1])};
        X sum = ops::load(buffer, at);
        for (auto& c : turns) sum = sum + X{&in, c.at(it.sum->operands[2])};
        in.append(ops::store, {buffer.v, at.v, sum.v});
        return {};
      });
      turn.block->ops.back()->where = inner->where;
      return {};
    });
    b.block->ops.back()->where = outer->where;
    outer->operands[0] = end.v;
    return X{};
  });
}

}  // namespace

bool jam_loops(const Program& program, Function& f) {
  std::vector<Jam> found;
  {
    const Geometry g(program, f);
    walk(*f.body, [&](Op* op) { if (auto it = jam_of(g, op)) found.push_back(*it); });
  }
  for (auto& it : found) jam(f, it);
  return !found.empty();
}

}  // namespace tlaloc::ir
