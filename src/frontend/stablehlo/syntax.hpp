// SPDX-License-Identifier: Apache-2.0
//
// The text of a StableHLO module as a tree: operations with operands, attributes, regions and types, whether they were
// written in their own form or in MLIR's generic one. It knows the words of the text and nothing of their meaning.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::stablehlo {

struct Attribute;
using Attributes = std::map<std::string, Attribute, std::less<>>;
/// dense<...>: its numbers as they were written, in order; one for all elements; or "0x" and the bytes.
struct Dense {
  std::vector<std::string> numbers;
  bool bytes = false;
  ir::Type type;
};
struct Attribute {
  std::variant<std::monostate, std::int64_t, std::string, ir::Type, Dense, std::vector<Attribute>, Attributes> value;
};

struct Operation;
struct Region {
  std::vector<std::string> params;
  std::vector<ir::Type> types;
  std::vector<Operation> operations;
};
struct Operation {
  std::string name;                               // stablehlo.add, func.call, ...
  int line = 0, column = 0;
  std::vector<std::string> results, operands;     // as in the text: %0, %1#2
  Attributes attributes;
  std::vector<Region> regions;
  std::vector<ir::Type> types;                    // of the results; of the operands for a return
};
struct FunctionText {
  std::string name;
  bool is_public = true;
  Region body;
  std::vector<ir::Type> results;
};

/// Throws ir::Refusal: MALFORMED_PROGRAM with line and column, NOT_LOWERABLE for types that programs here do not have.
std::vector<FunctionText> parse(std::string_view text, std::string_view file);

}  // namespace tlaloc::stablehlo
