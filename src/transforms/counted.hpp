// SPDX-License-Identifier: Apache-2.0
//
// Loops that count: how often a `for` runs, and which `while` is a `for`.
#pragma once

#include "ir/ops.hpp"

#include <optional>

namespace tlaloc::ir {

/// How often a `for` with constant bounds runs; none where that is not known.
std::optional<std::uint64_t> constant_trips(const Op& loop);

/// A `while` whose test is only `i < bound` (or >, <=, >=, !=), where `i` is a carried integer that each turn changes by
/// the constant `step` towards the bound, which the loop does not change.
struct Counted {
  std::size_t slot;                               // which carried value is the counter
  Value* bound;
  bool inclusive;                                 // i <= bound, i >= bound
  std::int64_t step;
};
/// A `while` whose test is `i + by < bound` (any relation): it counts once `i + by` is what it carries.
struct Ahead {
  std::size_t slot;
  std::int64_t by, step;
};
std::optional<Ahead> counts_ahead(const Op& loop);
/// Makes the loop carry `i + by`; the caller has added it to the start and takes it from the result.
void carry_ahead(Function&, Op& loop, const Ahead&, Value* by, Value* step);
/// `i != bound` and inclusive tests count only for signed integers, which C++ does not let wrap; `!=` only in steps of one.
std::optional<Counted> as_counted(const Op& loop);
/// Turns the `while` into a `for` up to `to`. The counter stays a carried value too, for its result, unless it goes in steps
/// of one: then its result is dropped, and the caller says what it is.
void make_counted(Function&, Op& loop, const Counted&, Value* to);

}  // namespace tlaloc::ir
