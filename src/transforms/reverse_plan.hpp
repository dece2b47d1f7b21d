// SPDX-License-Identifier: Apache-2.0
//
// What the reverse sweep needs and where it gets it. A FRAME is a block whose forward code and adjoint code are emitted one
// after the other in one scope: the function's body, and the body of each loop in mode `replay` (its reverse loop runs the
// body again, then its adjoint). A loop in mode `save` belongs to the frame around it: its forward loop keeps, per
// iteration, what the reverse loop cannot cheaply compute again. Plan decides for each frame which values are kept,
// computed again, read again or undone, and which ops the forward code must run.
#pragma once

#include "transforms/reverse_activity.hpp"
#include "transforms/reverse_regions.hpp"

namespace tlaloc::ir {

using OpSet = std::set<Op*, ById>;
using ValueSet = std::set<Value*, ById>;
template <class T> using ValueMap = std::map<const Value*, T, ById>;
template <class T> using OpMap = std::map<const Op*, T, ById>;

/// An integer carried as v + e or v - e with e independent of v: in reverse the step is taken back, exactly.
struct Undo { Value* step; bool added; };

struct Frame {
  Block* top;
  Frame* parent;
  Op* loop;                                       // whose body top is; null for the function
  OpMap<std::unique_ptr<Frame>> subs = {};        // the replayed loops in it

  ValueSet want = {}, tape = {};                  // read by the reverse sweep; of these: kept when they are computed
  ValueMap<Op*> reload = {};                      // of these: read again from their buffer
  ValueMap<Undo> undo = {};
  std::map<const Block*, std::vector<Value*>> by_block = {};    // wanted values by the block that defines them, in order
  OpMap<std::vector<Value*>> snapshot = {};       // contents of buffers to keep before a call, for its adjoint

  OpSet live = {};                                // ops that the forward code runs
  ValueSet live_values = {};
  std::set<std::pair<int, std::size_t>> carry = {};             // (loop's number, j): the carried values that it keeps
  ValueSet outer = {}, outer_buffers = {};        // values from outside the frame that it reads, buffers that it uses
  ValueSet entry = {}, entry_buffers = {}, outer_reads = {};    // state at the start of a replayed iteration
  ValueSet reads = {};                            // buffers that its forward code or its reloads read

  OpSet stale = {};                               // loads whose buffer changes before the reverse sweep comes back
  ValueMap<std::vector<Op*>> expand = {};         // buffers that get one copy per iteration of these loops
};

struct PlanOptions {
  OpSet replay = {};                              // loops in mode replay
  bool keep_expensive = true;                     // keep results of costly ops instead of computing them again
  bool expand = true, undo = true;                // allow these means
  bool results = false;                           // the function's results are wanted too
  bool outputs = true;                            // effects on the world happen in the forward code
  ValueSet final = {};                            // parameters whose final contents are wanted
};

class Plan {
 public:
  Plan(const Geometry&, const ReverseActivity&, const RegionMap&, PlanOptions);
  const PlanOptions options;
  const Frame& root() const { return *root_; }

  bool replays(const Op* loop) const { return options.replay.contains(const_cast<Op*>(loop)); }
  /// Values that the adjoint of the op itself reads.
  std::vector<Value*> needs(const Op&) const;
  /// The result that is the op's partial but for its sign where the function computes that anyway (cos x beside sin x); else null.
  Value* partner(const Op&) const;
  /// How the value that a loop carries is taken back, if it can be; `replay`: before the body has run again.
  std::optional<Undo> undo(const Value* carried, bool replay) const;
  /// The loops of the frame around the place where the value is defined.
  std::vector<Op*> path(const Value*, const Frame&) const;
  /// An upper bound of the loop's trip count in values that exist before the outermost of `within`, or nothing.
  std::optional<Poly> extent(const Op* loop, const std::vector<Op*>& within, const Frame&) const;
  /// The buffer is made deeper in the frame than its top and has no copies there: it is gone when the reverse sweep comes.
  static bool gone(const Value* buffer, const Frame&);
  /// True when the value's kept copies fit into an array indexed by the loops' counters; else they go to a stack.
  bool regular(const std::vector<Op*>& loops, const Frame&) const;
  /// Something is kept in each turn of the loop: only then can a replay of it spare anything.
  bool keeps_in(const Op* loop) const { return keeps_in(*root_, loop); }
  const Geometry& geometry() const { return g_; }
  const ReverseActivity& activity() const { return a_; }
  const RegionMap& regions() const { return regions_; }
  /// The first element of a buffer that may get copies, and how many it has; nothing when that is not known where the frame
  /// begins.
  std::optional<std::pair<Poly, Poly>> elements(const Value* buffer, const Frame&) const;

 private:
  friend struct Demand;
  static bool keeps_in(const Frame&, const Op* loop);
  void make(Frame&);
  bool check_reloads(Frame&);
  /// Every read of the buffer in the block follows, in the same run of the block, a write; unless `strict`, elements that the
  /// function never writes need none.
  bool covered(const Frame&, const Value* buffer, const Block*, bool strict) const;
  bool may_expand(const Frame&, const Value* buffer, const std::vector<Op*>& loops) const;
  bool only_in(const Frame&, const Value* buffer, const Op* loop) const;
  void check_outer(const Frame&) const;
  std::vector<Op*> ops_of(const Block&) const;
  void gather(const Block&, std::vector<Op*>&) const;

  const Geometry& g_;
  const ReverseActivity& a_;
  const RegionMap& regions_;
  std::unique_ptr<Frame> root_;
};

/// Makes a function ready for a plan: tests of whiles are pure, and each while counts its trips in one more carried value,
/// its last; lengths that adjoints of resized buffers read are values.
void prepare(Function&);
/// Integers that loops change by an affine step become polynomials of the counter.
void close_counters(const Program&, Function&);
/// The length that a local buffer has when its block ends, where that differs from its size; else null.
Value* final_length(const Op& alloc);
/// The buffer's length before a `resize`.
Value* length_before(const Op& resize);
/// No element of the buffer is read before the function has written it.
bool written_before_read(const Geometry&, const Value* buffer);

/// True when running the function has an effect on the world.
bool has_outputs(const Program&, const std::string& function);
/// Takes the effects on the world out of the block and of all that it calls.
void without_outputs(Program&, Block&);

/// True when the frame's forward code, or that of a loop that it replays, runs the op (reads too).
bool runs(const Frame&, const Op*);
bool reads_again(const Frame&, const Op*);

}  // namespace tlaloc::ir
