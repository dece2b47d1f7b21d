// SPDX-License-Identifier: Apache-2.0
//
// The interpreter as the kernels of memory and control ops see it. Slow and obvious on purpose: it is the meaning of the
// representation. The driver is backend/interpreter/interpreter.hpp.
#pragma once

#include "ir/kind.hpp"

#include <unordered_map>

namespace tlaloc::ir {

/// A mutable array. Elements that nobody wrote are NaN (reals) or a large odd number (integers), so that a missing
/// store shows at once.
struct Memory {
  DType dtype;
  std::vector<Number> data;
};
using Argument = std::variant<Number, std::shared_ptr<Memory>>;
Number unwritten(DType);

struct Run {
  std::unordered_map<const Value*, Number> numbers;
  std::unordered_map<const Value*, std::shared_ptr<Memory>> buffers;
  std::function<std::vector<Number>(std::string_view callee, std::span<const Argument>)> call;
  std::function<void(const Op&, std::span<const Number>)> output;
  std::int64_t steps_left = 1'000'000'000;        // ops that may still run; a program that exceeds them throws Error

  Number operator[](const Value* v) const;        // throws Error when v has no number
  Memory& memory(const Value* v) const;
  Argument argument(const Value* v) const;
  std::vector<Number> block(const Block&, std::span<const Number> params);
};

}  // namespace tlaloc::ir
