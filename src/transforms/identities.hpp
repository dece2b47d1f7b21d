// SPDX-License-Identifier: Apache-2.0
//
// What one op on numbers is equal to, bit for bit: folded constants and exact algebra. Reals follow IEEE 754 in round to
// nearest: x - 0.0, x + -0.0, x * 1, x / 1 and moving a sign are exact, x + 0.0 is not (x may be -0.0) unless x cannot be
// -0.0, x * 0 is not. Signed integers may be rewritten only where the new form overflows on no input that the old form
// allowed, since both become C++. Which of two equal NaNs results is not kept apart. A power that compilers rewrite becomes
// what they make of it (an ulp from what pow gives at run time), so that the result does not hang on their options.
#pragma once

#include "ir/ops.hpp"

namespace tlaloc::ir {

/// Where the rules put the ops that they need.
struct Maker {
  virtual ~Maker() = default;
  virtual Value* make(const Kind&, std::vector<Value*> operands, std::vector<Attr> = {}) = 0;
  virtual Value* number(const Number&) = 0;
};

/// The number that the op gives when all its operands are constants, as its kernel says; none where that is undefined or
/// NaN (whose bits differ between machines).
bool evaluate(const Op&, Number& out);
/// A value equal to the op's result; the result itself when the op was changed in place into a simpler one; else null.
Value* simpler(Op&, Maker&);
/// The relation that holds exactly when c does not, and the relation with its sides swapped.
Compare inverse(Compare);
Compare swapped(Compare);
/// An integer as base + offset; the base of a constant is null.
struct Offset { const Value* base; std::int64_t by; };
Offset offset_of(const Value*);

}  // namespace tlaloc::ir
