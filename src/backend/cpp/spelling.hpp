// SPDX-License-Identifier: Apache-2.0
//
// What the C++ spelling of an op says about itself. "{a} + {b}" is a sum whose right operand must bind tighter;
// "std::exp({x})" takes an argument of just its type. Everything is read from the text, so that a new op needs no
// more than its record.
#pragma once

#include "backend/cpp/text.hpp"
#include "ir/kind.hpp"

namespace tlaloc::ir::cpp {

struct Piece {
  std::string text;                               // literal text, or
  int operand = -1;                               // the number of an operand, and what its place asks of it:
  int binding = loosest;
  enum Place { whole, free, index } place = whole;  // just its type | meets the others by C++'s conversions | any integer type
};
struct Pattern {
  std::vector<Piece> pieces;
  int binding = primary;                          // of the whole
  const Operator* top = nullptr;                  // the loosest operator, outside all parentheses
  bool simple_binary() const { return pieces.size() == 3 && pieces[0].operand == 0 && pieces[1].operand < 0 && pieces[2].operand == 1; }
  bool simple_unary() const { return pieces.size() == 2 && pieces[0].operand < 0 && pieces[1].operand == 0; }
};

/// The pattern of this op, its attributes filled in. Throws Error for an op whose spelling is refused.
Pattern pattern(const Op&);

}  // namespace tlaloc::ir::cpp
