// SPDX-License-Identifier: Apache-2.0
//
// What the translation unit asks for: each specialisation of Derivative::operator() that is used, read from the AST.
// Types and the plan of the header tell nearly all; names of parameters are looked up here, and a plain function is found
// through the call expression that made the derivative.
#pragma once

#include "frontend/clang/lower.hpp"

namespace tlaloc::frontend {

using Specialisation = clang::ClassTemplateSpecializationDecl;

enum class Mode { grad, value_and_grad, jvp, value_and_jvp, vjp, value_and_vjp, jacfwd, jacrev, hessian, hvp, dependence };        // as detail::mode
inline bool with_value(Mode m) { return m == Mode::value_and_grad || m == Mode::value_and_jvp || m == Mode::value_and_vjp; }
inline bool is_jvp(Mode m) { return m == Mode::jvp || m == Mode::value_and_jvp || m == Mode::dependence; }
inline bool is_vjp(Mode m) { return m == Mode::vjp || m == Mode::value_and_vjp; }
inline bool is_jacobian(Mode m) { return m == Mode::jacfwd || m == Mode::jacrev; }
inline bool is_second(Mode m) { return m == Mode::hessian || m == Mode::hvp; }
inline bool gives_matrix(Mode m) { return is_jacobian(m) || m == Mode::hessian; }
inline bool takes_tangents(Mode m) { return is_jvp(m) || m == Mode::hvp; }
inline bool is_closed(Mode m) { return gives_matrix(m) || m == Mode::hvp; }
const char* text(Mode);

/// The namespace of this path from the unit's, `tlaloc`, `generated`, say; null where there is none.
clang::NamespaceDecl* find_namespace(clang::ASTContext&, std::initializer_list<llvm::StringRef> path);

/// One argument of a call of a derivative, for the parameter of f at the same position.
struct Argument {
  enum Role { none, returned, shadowed } role = none;
  enum Form { plain, shadow, view } form = plain;
};

struct Request {
  const Specialisation* derivative = nullptr;
  clang::CXXMethodDecl* method = nullptr;         // operator()<B...>; null when nested: every argument as it is
  Mode mode = Mode::grad;
  std::vector<Argument> arguments = {};
  std::vector<int> order = {};                    // parameters whose tangents come back (in jvp: go in), in order
  clang::SourceLocation where = {};
};

/// What a derivative differentiates.
struct Target {
  Callable callable = {};                         // function null: `inner` is another derivative
  const Specialisation* inner = nullptr;
  bool object_in_derivative = false;              // closure or functor: it lives in the derivative's f_
};

class Requests {
 public:
  Requests(clang::Sema& sema);
  void saw(clang::DeclGroupRef group) { seen_.push_back(group); }
  /// Namespace tlaloc has our templates: anything to do at all?
  bool library_included();
  /// Used call operators and source() functions, in the order of the source. Instantiates what is pending.
  std::vector<clang::CXXMethodDecl*> used();
  /// Throws Bail.
  Request read(clang::CXXMethodDecl* call_operator);
  Request read_plain(const Specialisation* derivative);
  Target target(const Specialisation* derivative);
  clang::SourceLocation where(const Specialisation* derivative);
  clang::NamespaceDecl* library();
  static bool is_derivative(const clang::CXXRecordDecl*);
  static bool is_source(const clang::CXXMethodDecl*);

 private:
  struct Site { const clang::FunctionDecl* function = nullptr; clang::SourceLocation where = {}; };
  struct SiteFinder;
  const Site* site(const Specialisation*);
  void select(Request&, const clang::APValue& plan);
  void select_names(Request&, const std::vector<std::string>& names, const std::vector<int>& roles, int returned);
  std::vector<std::string> parameter_names(const Specialisation*);
  clang::Sema& sema_;
  clang::ASTContext& context_;
  std::vector<clang::DeclGroupRef> seen_ = {};
  std::size_t searched_ = 0;
  std::map<const clang::CXXRecordDecl*, Site> sites_ = {};
};

}  // namespace tlaloc::frontend
