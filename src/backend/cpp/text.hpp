// SPDX-License-Identifier: Apache-2.0
//
// Words of C++: types, literals, operators with their binding, and the text of an expression with what its surroundings
// must know of it.
#pragma once

#include "ir/ir.hpp"

#include <optional>

namespace tlaloc::ir::cpp {

/// How tightly the loosest operator of an expression binds.
enum Binding : int { loosest, ternary, logical_or, logical_and, bit_or, bit_xor, bit_and, equality, relation, shift, sum, product, unary, primary };

/// The text of an expression. `type` is the type that C++ gives it, which may be another than the value's own: `a + b` of
/// two bytes is an int, `3` is an int where the representation has an i64.
struct Text {
  std::string s;
  int binding = primary;
  DType type = DType::f64;
};

struct Operator {
  std::string_view symbol;
  int binding;
  enum Family { arithmetic, comparison, logic, choice, assignment } family;
};
/// The binary operator with this symbol, or null.
const Operator* find_operator(std::string_view symbol);

std::string type_name(DType);                     // "double", "int", "std::int64_t"; throws Error for f16 and bf16
/// A literal of just this type, or, with `loose`, one that becomes it when it meets an operand of the type.
Text literal(const Number&, bool loose = false);

DType promoted(DType);                            // what C++ makes of an operand: int of everything narrower
DType common(DType, DType);                       // the usual arithmetic conversions
/// True when C++ converts one to the other by itself without a change of value: from int to std::int64_t, say.
bool widens(DType from, DType to);

/// The text as an expression of just this type.
Text exactly(Text, DType);
/// Parenthesised unless it binds at least as tightly as `binding`.
std::string within(const Text&, int binding);

}  // namespace tlaloc::ir::cpp
