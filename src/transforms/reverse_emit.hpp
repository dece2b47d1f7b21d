// SPDX-License-Identifier: Apache-2.0
//
// Writes the forward and the adjoint code of a plan into a new function.
#pragma once

#include "transforms/reverse_plan.hpp"
#include "transforms/reverse_regions.hpp"

namespace tlaloc::ir {

/// How a function's cotangents are asked for, as the emitter sees it.
struct ReverseRequest {
  std::vector<int> wanted;
  bool value = false, seeds = false;
  bool inner = false;                             // the reverse of a callee: no effects on the world, final contents do not matter
};
/// Functions that emitted code calls: their names, made when they are first asked for.
struct Callees {
  std::function<std::string(const Op& call, const std::vector<int>& wanted)> reverse;
  std::function<std::string(const Op& call)> quiet;       // the callee without its effects on the world
};

class Emitter {
 public:
  Emitter(const Plan&, const RegionMap&, const ReverseRequest&, const Callees&);
  Function run(std::string name);
  /// Buffers of kept values in the function that run() gave: by how much an access costs more than one near by.
  const std::map<const Value*, double>& kept() const { return rooms_; }

 private:
  using Adjoints = ValueMap<Value*>;
  /// Where a buffer of the plan's function is now: itself, or one of the copies that an expansion made, or a kept state.
  struct Place {
    Value* buffer = nullptr;
    std::vector<Op*> copies = {};
    Value *size = nullptr, *base = nullptr;       // of a copy; where the one read now begins
    Poly from = {};                               // the element that comes first in it
    bool part = false;                            // it holds only what begins at `from`
  };
  /// Kept copies of a value: an array over the loops' iterations, or a stack.
  struct Kept { Value* buffer = nullptr; std::vector<Op*> loops = {}; bool stack = false; };
  struct Scope { ValueMap<Value*> values = {}; ValueMap<Place> places = {}; ValueMap<Value*> shadows = {}; };
  struct Active { const Frame* frame; std::size_t scope; };

  // --- values: reverse_emit.cpp ---
  Value* get(Value*);
  X x(Value* v) { return {ob_, get(v)}; }
  Value* fetch(Value*, const Frame&);
  const Place& place(const Value* buffer) const;
  Value* address(const Value* buffer, Value* index);              // an index of the plan's function
  Value* element(const Value* buffer, X from, X i);               // from + i of the elements that whole() tells
  Value* located(const Value* buffer, X i);
  Value* shadow(const Value* buffer) const;
  X number(const Poly&);
  X extent(const Op* loop, const std::vector<Op*>& within, const Frame&);
  X product(const std::vector<Op*>& loops, const Frame&, X size);
  X row(const std::vector<Op*>& loops, const Frame&);
  X length_of(const Value* buffer, const Op* user);
  /// The elements that the function may touch: the first, and how many.
  std::pair<X, X> whole(const Value* buffer, const Op* user);
  Poly region_from(const Value* buffer) const;
  Value* allocate(X size, DType, std::string name);
  std::vector<X> within(Builder&, const std::function<std::vector<X>()>&);
  static std::string base_name(const Value*);

  // --- kept values: reverse_keep.cpp ---
  void before(Op* top_level, const Frame&);       // makes room
  Kept make_room(const std::vector<Op*>& loops, const Frame&, DType, const std::string& name, X size);
  void keep(Value*, const Frame&);
  void push(const Kept&, Value*, const Frame&);
  Value* pull(const Kept&, const Frame&, const std::string& name);
  void keep_contents(const Kept&, const Value* buffer, const Frame&, const Op* user);
  void restore_contents(const Kept&, const Value* buffer, const Frame&, const Op* user);
  void enter(Op* loop, const Frame&);             // keeps the state at the start of a replayed iteration
  void reenter(Op* loop, const Frame&);
  void keep_final();
  void restore_final();

  // --- forward: reverse_emit.cpp ---
  void forward(const Block&, const Frame&);
  void forward(Op*, const Frame&);
  void forward_loop(Op*, const Frame&);
  void forward_if(Op*, const Frame&);
  void forward_alloc(Op*, const Frame&);

  // --- backward: reverse_adjoint.cpp ---
  void add(Adjoints&, Value*, X d);
  Value* take(Adjoints&, const Value*);           // removes it; null where there is none
  std::vector<Value*> outside(const Op*) const;   // active values from outside that adjoints of the op's regions add to
  void prefetch(const Block&, const Frame&);
  void backward(const Block&, const Frame&, Adjoints&);
  void backward(Op*, const Frame&, Adjoints&);
  void backward_memory(Op*, Adjoints&);
  void backward_resize(Op*, Adjoints&);
  void backward_if(Op*, const Frame&, Adjoints&);
  void backward_loop(Op*, const Frame&, Adjoints&);
  void backward_call(Op*, const Frame&, Adjoints&);
  void backward_pure(Op*, Adjoints&);
  std::vector<X> turns(Op* loop, bool upward, std::vector<X> init, const std::function<std::vector<X>(X counter, std::span<const X>)>&);
  bool accumulates(const Op* loop, std::size_t j) const;
  bool independent(const Op* loop, const Frame&) const;

  const Plan& plan_;
  const Geometry& g_;
  const ReverseActivity& a_;
  const RegionMap& regions_;
  ReverseRequest request_;
  const Callees& callees_;
  Builder* ob_ = nullptr;
  std::vector<Scope> scopes_;
  std::vector<Active> frames_;
  std::map<std::pair<const Frame*, int>, Kept> kept_;               // by the value's number
  std::map<std::pair<int, int>, Kept> contents_;                    // of a buffer, by (op's number, buffer's number)
  static double slowness(std::size_t loops) { return loops > 2 ? 3 : 2; }      // three loops fill more than a cache
  std::map<const Value*, double> rooms_;
  std::set<std::pair<const Frame*, int>> expanded_;
  std::vector<std::pair<Value*, Value*>> final_;                    // parameter, copy of its final contents
};

}  // namespace tlaloc::ir
