// SPDX-License-Identifier: Apache-2.0
//
// The interpreter as the kernels of memory and control ops see it. Slow and obvious on purpose: it is the meaning of the
// representation. The driver is backend/interpreter/interpreter.hpp.
#pragma once

#include "ir/array.hpp"
#include "ir/kind.hpp"

#include <unordered_map>

namespace tlaloc::ir {

/// A mutable array. Elements that nobody wrote are NaN (reals) or a large odd number (integers), so that a missing
/// store shows at once.
struct Memory {
  DType dtype;
  std::vector<Number> data;
};
using Datum = std::variant<Number, Array>;        // what a value is: a number where its type is scalar, else an array
using Argument = std::variant<Number, std::shared_ptr<Memory>, Array>;
Number unwritten(DType);
Array as_array(const Datum&);
Datum as_datum(Array);                            // a number for rank 0

struct Run {
  std::unordered_map<const Value*, Number> numbers;
  std::unordered_map<const Value*, Array> arrays;
  std::unordered_map<const Value*, std::shared_ptr<Memory>> buffers;
  std::function<std::vector<Datum>(std::string_view callee, std::span<const Argument>)> call;
  std::function<void(const Op&, std::span<const Number>)> output;
  std::int64_t steps_left = 1'000'000'000;        // ops that may still run; a program that exceeds them throws Error

  Number operator[](const Value* v) const;        // throws Error when v has no number
  Datum datum(const Value* v) const;
  void set(const Value* v, Datum);
  Memory& memory(const Value* v) const;
  Argument argument(const Value* v) const;
  std::vector<Datum> block(const Block&, std::span<const Datum> params);
};

}  // namespace tlaloc::ir
