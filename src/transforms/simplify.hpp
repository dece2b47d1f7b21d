// SPDX-License-Identifier: Apache-2.0
//
// Clean-up passes. None changes a bit of any result: no reassociation, no x * 0. Where a pass takes the program, it looks
// there what a call does; without it, a call may do anything to its buffers and to the world, and is kept.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

/// Memory to SSA: a local buffer of constant size that is only ever indexed by constants and not passed to a call becomes
/// values; regions that write it carry them. What a front end lowers to one-element buffers becomes proper SSA here.
/// Afterwards no test of a `while` writes anything outside itself: one that does runs before the loop and after each turn.
void promote(Function&);
/// Folds constants, shares equal pure ops and loads within their scope, forwards stores to loads, drops carried values that
/// never change, and ifs whose condition is known.
void fold(Function&, const Program* = nullptr);
/// Drops ops, carried values, results and stores to local buffers that nothing reads.
void eliminate_dead_code(Function&, const Program* = nullptr);
/// Moves pure ops out of loops where they do not change (never a guarded one, never a load that a zero-trip loop would not make).
void hoist(Function&);
/// Orders each block by its graph and effects alone, so that texts do not depend on the order in which a C++ compiler
/// evaluates the operands of a rule.
void tidy(Function&);
/// All of the above to a fixpoint.
void simplify(Function&, const Program* = nullptr);

}  // namespace tlaloc::ir
