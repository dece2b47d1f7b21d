// SPDX-License-Identifier: Apache-2.0
//
// The reader's second half: the tree of syntax.hpp as operations of a program.
#pragma once

#include "frontend/stablehlo/syntax.hpp"
#include "ir/tensor.hpp"

#include <functional>

namespace tlaloc::stablehlo {

using ir::DType;
using ir::Ints;
using ir::Shape;
using ir::Type;
using ir::X;
using Xs = std::vector<X>;

/// Values by the names of the text; those of a region go when it ends.
struct Scope {
  const Scope* outer = nullptr;
  std::map<std::string, ir::Value*, std::less<>> values = {};
  ir::Value* find(std::string_view name) const;
};

/// One function or region while it is built.
struct Build {
  ir::Builder& b;
  Scope& scope;
  std::string_view file;
  /// In the body of a reduction: operations on numbers are built on tensors of this shape instead.
  const Shape* lifted = nullptr;

  void operations(const std::vector<Operation>&);   // the last one, a return, is left to the caller
  /// What a region returns for these arguments.
  Xs region(const Region&, std::span<const X> arguments, ir::Builder&, const Shape* lift = nullptr) const;
  Xs operands(const Operation&);
  Xs results(const Operation&, const Xs& in);        // by the kind of operation
  Xs control(const Operation&, const Xs& in);
  X data(const Operation&, const Xs& in);
  const Type& type(const Operation&) const;          // of the first result, as it is written
  Xs with_body(const Operation&, const Xs& in);      // reduce, reduce_window, sort, scatter
  [[noreturn]] void fail(const Operation&, const std::string& why, const char* code = "MALFORMED_PROGRAM") const;
};

// --- attributes, checked; `or_else` where one may be missing ---
const Attribute* find(const Attributes&, std::string_view name);
std::int64_t integer(const Build&, const Operation&, std::string_view name, std::int64_t or_else);
std::int64_t integer(const Build&, const Operation&, std::string_view name);
Ints integers(const Build&, const Operation&, std::string_view name, const Ints& or_else);
Ints integers(const Build&, const Operation&, std::string_view name);
Ints integers(const Build&, const Operation&, const Attribute&);

/// The elementwise operation of this name, or null: from the op table's own StableHLO spellings.
const ir::Kind* elementwise(std::string_view name, std::span<const Type> operands);
/// Indices of a gather or scatter with the index vector as their last axis, where the op table has it.
X index_vectors_last(Build&, const Operation&, X indices, std::int64_t axis);
/// A constant, repeated or with its numbers.
X constant(Build&, const Operation&, const Dense&);

}  // namespace tlaloc::stablehlo
