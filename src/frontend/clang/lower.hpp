// SPDX-License-Identifier: Apache-2.0
//
// From Clang's AST to the representation. Lowering writes every local as a small buffer and every pointer as (buffer,
// offset); `promote` and `simplify` then make SSA of it. Calls with a visible body are inlined, recursion becomes `call`.
#pragma once

#include "frontend/clang/pch.hpp"
#include "ir/ir.hpp"

namespace tlaloc::frontend {

/// A refusal at a place in the user's source; the engine reports it with the chain of calls and the request.
struct Bail {
  clang::SourceLocation where;
  std::string code, text;                         // see docs/errors.md
  struct Call { const clang::FunctionDecl* callee; clang::SourceLocation where; };
  std::vector<Call> chain = {};                   // from the differentiated function inwards
};

/// What to lower: a function with a body, perhaps with an object that is its first C++ parameter or its closure.
struct Callable {
  const clang::FunctionDecl* function = nullptr;
  bool has_object = false;                        // closure, functor or member function: `this` comes first
  bool object_by_value = false;                   // f writes into a copy of it
};

/// Something of C++ that leaves are taken from, in the order in which glue passes it.
struct Source {
  enum Kind { object, parameter, global } kind;
  const clang::ValueDecl* decl = nullptr;         // parameter or variable; null for the object
  std::string name;                               // the user's
  clang::QualType type;                           // canonical, reference kept
};

/// How glue reaches a leaf from its source, where text cannot (captures have no name, members may be private).
struct Step {
  enum Kind { member, base, dereference, address, element, data, size, rows } kind;      // data, size: .data(), .size()
  const clang::Decl* decl = nullptr;              // FieldDecl of a member, CXXRecordDecl of a base
  std::int64_t index = 0;                         // of an element; of rows: numbers, starts, sizes, count of numbers
};

/// One parameter or result of the lowered function, as C++ text over its source.
struct Leaf {
  enum Kind { scalar, buffer, extent } kind = scalar;   // extent: an i64 that holds the length of a sized range
  int source = 0;                                 // index into Lowered::sources; results: 0
  std::string access = {};                        // C++ with {} for the source: "{}", "{}.x", "&{}", "{}.data()", "{}.size()"
  std::vector<Step> path = {};                    // the same as steps
  ir::DType dtype = ir::DType::f64;
  std::int64_t size = -1;                         // of a buffer, where the type tells it: double& has 1, double[3] has 3
  std::int64_t each = 1;                          // numbers in an element of a range
  bool writable = false;                          // a buffer that C++ lets f write
  bool differentiable = false;                    // real and not `passive`
  bool tensor = false;                            // the C++ object is a tlaloc::Tensor; of rank 0 it is a scalar of the function
};

struct Lowered {
  ir::Function* function = nullptr;               // simplified; owned by the program
  std::vector<Source> sources;
  std::vector<Leaf> params, results;              // one per parameter and yield of `function`
  clang::QualType result;                         // f's C++ result type
  bool returns_vector = false;                    // its numbers are written through the last parameter, whose source is -1
  ir::Function* length = nullptr;                 // takes all other parameters and gives their number
};

/// How lowering asks for the derivative that a call inside a body means: set by the engine.
struct InnerDerivative {
  struct Count { std::int64_t known = 0; std::vector<Leaf> lengths = {}; };
  ir::Function* function = nullptr;
  std::vector<Leaf> params, results;              // sources: 0 = the derivative object, then its call arguments, -1 = its result
  std::vector<const clang::VarDecl*> globals = {};                      // sources behind the arguments
  std::vector<int> like = {};                     // for each parameter the one that a part of the result is as long as, or -1
  std::map<std::size_t, std::pair<Count, Count>> matrices = {};        // rows and columns of parameters that are a DenseMatrix of the result
};

/// What the header says of a declaration by annotation ("entry", "tensor", ...), or nothing.
std::string meaning(const clang::Decl*);
/// Code of the standard library or of ours, whose places and names say nothing to a user.
bool in_library(const clang::Decl*);
/// Is the type one of tlaloc's tensors, or does an object of it hold one?
bool is_tensor(clang::QualType);
bool holds_tensor(clang::QualType);

class Lowering {
 public:
  Lowering(clang::Sema& sema, ir::Program& program);
  ~Lowering();
  /// Throws Bail. The same callable gives the same function.
  const Lowered& lower(const Callable&, const std::string& name);
  /// The place of an ir::Refusal in the user's source.
  clang::SourceLocation place(const ir::Location&) const;
  std::function<std::optional<InnerDerivative>(const clang::CXXMethodDecl* call_operator, clang::SourceLocation)> inner_derivative;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace tlaloc::frontend
