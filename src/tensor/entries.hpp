// SPDX-License-Identifier: Apache-2.0
//
// The operations of tensor.hpp for callers that know a call only as data: the plugin, which reads it from the user's source
// and runs the operation on values of the program that it writes. A function declared between TLALOC_BEGIN_ENTRIES and
// TLALOC_END_ENTRIES stands here.
#pragma once

#include "tensor/node.hpp"

namespace tlaloc::dynamic {

/// What a parameter takes: the letters of a signature.
enum class Takes : char {
  tensor = 't',     // const AnyTensor&
  operand = 'o',    // const Operand&
  tensors = 'l',    // a list of tensors
  operands = 'p',   // a list of operands
  extents = 'e',    // a list of extents, or a Shape
  text = 's',       // const char*
  rule = 'f',       // a shape rule, which the caller's types have obeyed
  bytes = 'b',      // anything else: an object without pointers, as it lies in memory
};
struct Argument {
  std::vector<AnyTensor> tensors = {};
  std::vector<Operand> operands = {};
  std::vector<extent_t> extents = {};
  std::string text = {}, bytes = {};
};
struct Entry {
  std::string_view name; // those of dynamic and detail plain, others as linalg::solve
  std::string takes;                // one letter for each parameter
  std::vector<AnyTensor> (*call)(std::span<const Argument>); // several where the operation gives a struct of them
};
std::span<const Entry> entries();
const Entry* find_entry(std::string_view name, std::string_view takes);

}  // namespace tlaloc::dynamic
