// SPDX-License-Identifier: Apache-2.0
//
// Types, functions and derivatives as C++ text that another compiler reads at the end of the same translation unit. What
// text cannot name there (a lambda or class inside a function, a private class) is refused as NOT_NAMEABLE. Private data
// members are named through an explicit instantiation, in which access is not checked.
#pragma once

#include "frontend/clang/requests.hpp"

namespace tlaloc::frontend {

class Speller {
 public:
  explicit Speller(clang::ASTContext& context) : context_(context) {}
  /// All throw Bail.
  std::string type(clang::QualType t) { return type(t, ""); }
  std::string function(const clang::FunctionDecl*, clang::QualType pointer);       // static_cast<double (*)(double)>(&::f)
  /// tlaloc::Derivative<...>. A call site has no name: it becomes a template parameter Site<k>, listed in `sites`.
  std::string derivative(const Specialisation*, std::vector<std::string>& sites);
  /// The field of an object, as an expression.
  std::string member(const std::string& object, const clang::FieldDecl*);
  /// A leaf of `source`.
  std::string leaf(const Leaf&, const std::string& source);
  /// What the text so far needs in front of it, in namespace tlaloc::detail. Only what is new since the last call.
  std::string take_declarations() { return std::exchange(declarations_, {}); }

 private:
  std::string type(clang::QualType, const std::string& inner);
  std::string tag(const clang::TagDecl*);
  std::string scope(const clang::DeclContext*, const std::string& of);
  std::string arguments(llvm::ArrayRef<clang::TemplateArgument>);
  std::string argument(const clang::TemplateArgument&);
  std::string value(const clang::APValue&, clang::QualType);
  const clang::VarDecl* variable_of(const clang::CXXRecordDecl* closure);
  void collect(const clang::DeclContext*);
  clang::ASTContext& context_;
  std::string declarations_ = {};
  std::map<const clang::FieldDecl*, int> opened_ = {};
  std::map<const clang::CXXRecordDecl*, const clang::VarDecl*> closures_ = {};    // those of variables at namespace scope
  bool collected_ = false;
};

}  // namespace tlaloc::frontend
