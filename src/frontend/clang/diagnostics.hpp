// SPDX-License-Identifier: Apache-2.0
//
// How refusals reach the user: at the statement that cannot be differentiated, then the chain of calls, then the request.
// The codes, their meaning and the way out stand in ir/errors.def; docs/errors.md is made from it.
#pragma once

#include "frontend/clang/lower.hpp"

#include <string_view>

namespace tlaloc::frontend {

/// What the user asked for, as far as a report needs it.
struct Asked {
  clang::SourceLocation where;                    // "derivative requested here"
  const clang::FunctionDecl* function = nullptr;  // "while differentiating 'f'"
};

class Reporter {
 public:
  explicit Reporter(clang::Sema& sema) : sema_(sema) {}
  /// Reports a refusal once, however many requests run into it.
  void report(const Bail&, const Asked&);
  bool failed() const { return failed_; }

 private:
  void say(clang::DiagnosticsEngine::Level, clang::SourceLocation, std::string_view text);
  clang::Sema& sema_;
  std::set<std::tuple<unsigned, std::string, std::string>> said_ = {};
  bool failed_ = false;
};

/// The word of `known` that `word` most likely was meant to be, or empty.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace tlaloc::frontend
