// SPDX-License-Identifier: Apache-2.0
//
// Every clean-up pass in turn until none finds more. Each pass makes work for the others: a store forwarded to a load
// leaves a dead store, a folded index makes an array promotable, a dead flag turns a `while` into a `for`.
#include "transforms/simplify.hpp"

#include "ir/kind.hpp"

namespace tlaloc::ir {
namespace {

constexpr int most_rounds = 12;                   // each round only makes the program simpler: stopping early is safe

// The structure as one number: which op reads which values, in order.
std::size_t fingerprint(const Block& b, std::size_t h = 0) {
  auto mix = [&](std::size_t x) { h = (h ^ x) * 0x9E3779B97F4A7C15ull + (h >> 31); };
  auto all = [&](const std::vector<Value*>& vs) { mix(vs.size()); for (auto* v : vs) mix(std::size_t(v->id)); };
  all(b.params);
  for (auto* op : b.ops) {
    mix(std::hash<const void*>{}(op->kind));
    all(op->operands);
    all(op->results);
    for (auto* r : op->regions) mix(fingerprint(*r, h));
  }
  all(b.yields);
  return h;
}

}  // namespace

void simplify(Function& f, const Program* p) {
  std::size_t before = 0, after = fingerprint(*f.body);
  for (int round = 0; round < most_rounds && before != after; ++round) {
    before = after;
    promote(f);
    fold(f, p);
    eliminate_dead_code(f, p);
    hoist(f);
    after = fingerprint(*f.body);
  }
  tidy(f);
}

}  // namespace tlaloc::ir
