// SPDX-License-Identifier: Apache-2.0
//
// Long iterations in bounded memory. The gradient of a loop keeps something of every trip; this one keeps few states and
// runs the trips between them again:
//
//   auto run = tlaloc::checkpoint([&](State& s, std::int64_t i) { ... }, {.snapshots = 100});
//   run(state, 10'000'000);                              // step(state, i) for i = 0, 1, ...
//
// The trips are halved, unevenly, again and again by a function that calls itself, and the reverse of a call keeps what the
// call was given and nothing else. With the halves that binomial numbers tell, that is the schedule of Griewank and Walther,
// which runs the fewest trips again for a number of snapshots.
#pragma once

#include "tlaloc/ad.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace tlaloc {

/// How much may be kept. `snapshots`: states at a time, or 0: as many as `memory` bytes hold, or, if that is 0 too, as few as
/// let no trip run more than `repeats` times again. The trips of a block are differentiated as a loop of its own.
struct checkpoint_options {
  std::int64_t snapshots = 0;
  std::size_t memory = 0;
  int repeats = 3;
  std::int64_t block = 16;
};

namespace detail {

/// The binomial number of s + r over r: the blocks that s snapshots reverse if none is run more than r times again.
inline std::int64_t reversible(std::int64_t s, std::int64_t r, std::int64_t most) {
  double product = 1;
  for (std::int64_t i = 1; i <= r && product < double(most); ++i) product *= double(s + i) / double(i);
  return product < double(most) ? std::llround(product) : most;
}
/// How many of n > 1 blocks to run before the next snapshot, with s snapshots left for all: few enough that they take a
/// repetition less than all do, and enough that s - 1 snapshots suffice for the rest.
inline std::int64_t before_snapshot(std::int64_t n, std::int64_t s) {
  if (s <= 1) return n - 1;
  std::int64_t r = 1;
  while (reversible(s, r, n) < n) ++r;
  const std::int64_t most = reversible(s, r - 1, n), wanted = n - reversible(s - 1, r - 1, n), least = n - reversible(s - 1, r, n);
  const std::int64_t left = most < wanted ? most : wanted;
  return left < least ? least : left < 1 ? 1 : left;
}

template <class F_, class S_> void run_blocks(const F_& step, S_& state, std::int64_t first, std::int64_t blocks, std::int64_t block, std::int64_t end, std::int64_t snapshots) {
  // The block comes first: nothing may seem to read the state after the second half, which a reverse need not run forwards.
  if (blocks <= 1) {
    const std::int64_t last = first + block < end ? first + block : end;
    for (std::int64_t i = first; i < last; ++i) step(state, i);
  } else {
    const std::int64_t left = before_snapshot(blocks, snapshots);
    run_blocks(step, state, first, left, block, end, snapshots);
    run_blocks(step, state, first + left * block, blocks - left, block, end, snapshots > 1 ? snapshots - 1 : 1);
  }
}

template <class S_> std::size_t bytes_of(const S_& state) {
  if constexpr (requires { state.size(), state.data(); }) return state.size() * sizeof(*state.data());
  else return sizeof(S_);
}

}  // namespace detail

/// What checkpoint() makes.
template <class F_> struct Checkpointed {
  F_ step;
  checkpoint_options options;

  /// step(state, i) for i from 0 to trips.
  template <class S_> void operator()(S_& state, std::int64_t trips) const {
    if (trips <= 0) return;
    if (options.block < 1 || options.repeats < 1 || options.snapshots < 0) throw std::invalid_argument("tlaloc::checkpoint: an option is out of range");
    const std::int64_t blocks = (trips - 1) / options.block + 1;
    std::int64_t s = options.snapshots;
    // A state is held twice, by the call that made it and by the one that was given it.
    if (s == 0 && options.memory) s = std::int64_t(options.memory / (2 * detail::bytes_of(state)));
    if (s == 0 && options.memory) throw std::invalid_argument("tlaloc::checkpoint: the memory does not hold one state");
    if (s == 0)
      for (s = 1; detail::reversible(s, options.repeats, blocks) < blocks;) s += 1 + s / 64;
    detail::run_blocks(step, state, 0, blocks, options.block, trips, s);
  }
};

/// A loop that keeps few states when it is differentiated backwards. `step(State& state, std::int64_t i)` is one trip: it
/// changes the state and nothing else, and reads whatever it likes.
template <class F_> Checkpointed<F_> checkpoint(F_ step, checkpoint_options options = {}) { return {static_cast<F_&&>(step), options}; }

}  // namespace tlaloc
