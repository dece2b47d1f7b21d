// SPDX-License-Identifier: Apache-2.0
//
// From a request to a derivative function whose every parameter and result is bound to a place of the C++ call: an
// argument, its shadow, a returned tangent. A derivative is bound like any function, so that it can be derived again.
#pragma once

#include "frontend/clang/requests.hpp"

namespace tlaloc::frontend {

/// Where a leaf lives in a call of a derivative.
struct Place {
  enum Kind {
    object,                                       // the callable inside the derivative
    global,                                       // index: of Primal::globals
    parameter,                                    // index: f's parameter
    shadow,                                       // index: the parameter whose shadow it is
    extra,                                        // index: among the tangents (jvp, hvp) or 0, the cotangent (vjp)
    value,                                        // f's result
    derivative,                                   // index: among the returned tangents or matrices; 0 in jvp, the result's tangent
    viewed,                                       // index: the parameter that is given as a view, which tells its length
  } kind = parameter;
  int index = 0;
  auto operator<=>(const Place&) const = default;
};
struct Bound {
  Place place;
  Leaf leaf;
  int order = 0;                                  // of a part of the result: its position there
  int like = -1;                                  // a buffer that is as long as this parameter
};
/// A number of rows or columns: some that types tell, and lengths.
struct Extent {
  std::int64_t known = 0;
  std::vector<Bound> lengths = {};
};
struct Shape { Extent rows, columns;
  bool tensor = false;
}; // of a tensor the shape is its own

/// Something to differentiate, bound to a plain call of it.
struct Primal {
  /// A part of the result whose lengths are those of an argument, or a matrix.
  struct Part { std::string access; int like = -1; Shape shape = {}; };
  const ir::Function* function = nullptr;
  std::vector<Bound> params = {}, results = {};   // places: object, global, parameter, value
  std::vector<clang::QualType> parameters = {};   // C++ types
  std::vector<std::string> names = {};            // of the parameters
  std::vector<std::string> globals = {};          // as text
  std::vector<const clang::VarDecl*> global_decls = {};
  const ir::Function* length = nullptr;           // of the vector that is returned, from all params but the last
  clang::QualType result = {};
  std::vector<Part> parts = {};
  const clang::FunctionDecl* function_decl = nullptr;
};

struct Derived {
  ir::Function* function = nullptr;
  std::vector<Bound> params = {}, results = {};
  std::vector<Shape> shapes = {};                 // of the matrices
};

Primal primal(const Lowered&, const Target&, clang::ASTContext&);
/// The derivative of `derived` as seen by another one: `request` asked for it with plain arguments.
Primal nested(const Primal&, const Request&, const Derived&, clang::ASTContext&);

/// The derivative as a call of it inside differentiated code sees it: everything is reached from the derivative object and
/// the arguments of the call. Throws Bail for what needs memory of its own.
InnerDerivative inner(const Request&, const Derived&, const Primal&);

/// Makes or finds derivative functions in a program. Throws Bail, ir::Refusal.
class Deriver {
 public:
  Deriver(ir::Program& program, clang::ASTContext& context) : program_(program), context_(context) {}
  /// What is differentiated again must hold plain numbers: no lanes.
  Derived derive(const Primal&, const Request&, bool lanes);
  /// A name that no other function of the program has: `name`, `name_2`, ...
  std::string unique(const std::string& name);

 private:
  std::vector<int> wanted(const Primal&, const Request&);
  void check_selected(const Primal&, const Request&, const std::vector<int>& wanted);
  std::string name(const Primal&, const Request&, const std::vector<int>& wanted);
  ir::Function* transformed(const Primal&, Mode, const std::vector<int>& wanted, const Request&);
  Derived closed(const Primal&, const Request&, bool lanes);
  Derived closed_tensors(const Primal&, const Request&);
  ir::Program& program_;
  clang::ASTContext& context_;
  std::map<std::tuple<const ir::Function*, Mode, std::vector<int>>, ir::Function*> done_ = {};
  std::set<std::string> names_ = {};
};

/// The C++ result of a call, or of a plain call.
clang::QualType result_type(const Request&, clang::ASTContext&);

/// Does a copy of such an object share memory with the original (pointers, references, spans)?
bool shares_memory(clang::QualType, clang::ASTContext&);
const clang::FieldDecl* callable_field(const Specialisation* derivative);

}  // namespace tlaloc::frontend
