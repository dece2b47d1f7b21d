// SPDX-License-Identifier: Apache-2.0
//
// Between the user's call and the printed function: for each call operator a function, as text that is parsed late and not
// printed, which takes the leaves out of the arguments, calls, and packs what comes back. Types that text cannot name get
// an alias; closures' captures get a name.
#pragma once

#include "backend/cpp/print.hpp"
#include "frontend/clang/derive.hpp"

namespace tlaloc::frontend {

class Glue {
 public:
  Glue(clang::Sema& sema) : sema_(sema), context_(sema.getASTContext()) {}
  /// Text of the glue for one call operator. Kept with its operator until finish().
  void call(const Request&, const Primal&, const Derived&, const ir::CppSignature&);
  /// The same for source(): it will return the text.
  void source(clang::CXXMethodDecl*, const std::string& text);
  /// Parses all glue and gives the operators their bodies. Throws Bail.
  void finish();

 private:
  struct Pending { clang::CXXMethodDecl* method; std::string function; };
  class Writer;
  void alias(const std::string& name, clang::QualType);
  clang::NamespaceDecl* space();
  void body(const Pending&);
  clang::Sema& sema_;
  clang::ASTContext& context_;
  int number_ = 0;
  std::string text_ = {};
  std::vector<std::pair<std::string, clang::QualType>> aliases_ = {};
  std::vector<Pending> pending_ = {};
};

}  // namespace tlaloc::frontend
