// SPDX-License-Identifier: Apache-2.0
//
// Between the user's call and the printed function: for each call operator a function, as text that is parsed late and not
// printed, which takes the leaves out of the arguments, calls, and packs what comes back. Types that text cannot name get
// an alias; closures' captures get a name.
// For another compiler (`outside`) the same functions are text through and through, and overloads of what the header's call
// operators call take the place of bodies.
#pragma once

#include "backend/cpp/print.hpp"
#include "frontend/clang/derive.hpp"
#include "frontend/clang/spell.hpp"

namespace tlaloc::frontend {

class Glue {
 public:
  Glue(clang::Sema& sema, bool outside) : sema_(sema), context_(sema.getASTContext()) {
    if (outside) speller_.emplace(context_);
  }
  /// Text of the glue for one call operator. Kept with its operator until finish().
  void call(const Request&, const Primal&, const Derived&, const ir::CppSignature& of_primal, const ir::CppSignature& of_derived,
            const std::optional<ir::CppSignature>& length);
  /// The same for source(): it will return the text.
  void source(clang::CXXMethodDecl*, const std::string& text);
  /// Parses all glue and gives the operators their bodies. Throws Bail.
  void finish();
  /// Outside: the text of all glue so far, parsed. Throws Bail.
  std::string text();

 private:
  struct Pending { clang::CXXMethodDecl* method; std::string function; };
  class Writer;
  void alias(const std::string& name, clang::QualType);
  clang::NamespaceDecl* space();
  void body(const Pending&);
  [[noreturn]] static void unreachable(const std::string& text);
  void overload(const Request&, const Primal&, const std::string& function);
  clang::Sema& sema_;
  clang::ASTContext& context_;
  int number_ = 0;
  std::string text_ = {};
  std::vector<std::pair<std::string, clang::QualType>> aliases_ = {};
  std::vector<Pending> pending_ = {};
  std::optional<Speller> speller_ = {};           // outside
  /// Overloads by their head. Call sites of functions of one type share one: the pointer tells which is meant.
  struct Overload { std::string call, when; };
  std::map<std::string, std::vector<Overload>> overloads_ = {};
  std::string parsed_ = {};
};

}  // namespace tlaloc::frontend
