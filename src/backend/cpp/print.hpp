// SPDX-License-Identifier: Apache-2.0
//
// From the representation to C++ that people read, any C++20 compiler takes, and -O0 to -O3 agree on to the bit.
#pragma once

#include "ir/ir.hpp"

#include <set>

namespace tlaloc::ir {

/// How a printed function is called. Parameters are those of the ir::Function in order: a scalar by value, a buffer as
/// `T* __restrict` or, when it is never written, `const T* __restrict`; one whose length changes, which only generated code can
/// pass, as `Kept<T>&`.
struct CppSignature {
  std::string name;                               // within namespace tlaloc::generated
  std::string result_type;                        // "void", a number type, or the struct `<name>_result`
  std::vector<std::string> fields;                // of that struct, in the order of the results; none where there is no struct
  std::vector<std::string> params;                // C++ types
};
CppSignature cpp_signature(const Program&, const Function&);
std::string cpp_type(DType);                      // "double", "int", "std::int64_t", ...

enum class Linkage : std::uint8_t {
  internal,                                       // static inline: each translation unit has its own
  shared,                                         // inline
  exported,                                       // defined here, declared elsewhere
};

/// Prints the functions of one file in rounds; a helper, the scratch arena or a callee is printed before its first user, once.
class CppPrinter {
 public:
  /// `source_name` as a reader knows it: neither absolute nor dated.
  explicit CppPrinter(std::string source_name, Linkage linkage = Linkage::internal);
  /// Comment, #pragma once, includes. Opens no namespace.
  std::string head() const;
  /// The functions named and all that they call, unless printed before, within namespace tlaloc::generated. Further headers
  /// that they need are included in front. Throws Error or Refusal for what C++ cannot say.
  std::string print(const Program&, std::span<const std::string> functions);
  /// Called with each text that print() returns: clang-format, where somebody links it.
  std::function<std::string(std::string)> format = {};
  /// Whether print() gives the helpers and includes too; a reader of one function does without.
  bool with_helpers = true;
 private:
  std::string source_;
  Linkage linkage_;
  std::set<std::string, std::less<>> printed_;    // functions, helpers and headers
};

}  // namespace tlaloc::ir
