// SPDX-License-Identifier: Apache-2.0
//
// Eigen's matrices as lowering sees them.
#pragma once

#include "frontend/clang/lowering.hpp"

namespace tlaloc::frontend {

/// A class that holds numbers: Matrix, Array, Map or Ref of them, the factor inside an LLT, or the matrix that another
/// decomposition was made of.
struct EigenShape {
  enum Kind { plain, map, factor, matrix } kind = plain;
  const clang::ClassTemplateSpecializationDecl* owner = nullptr;
  clang::QualType scalar = {};
  std::int64_t rows = -1, cols = -1;              // -1: varies
  bool row_major = false, array = false;
  bool fixed() const { return rows >= 0 && cols >= 0; }
  const void* key(unsigned part) const;           // of the members: 0 numbers (of a map the pointer), 1 rows, 2 columns
};
std::optional<EigenShape> eigen_shape(clang::QualType);
bool in_eigen(const clang::Decl*);

class Matrices {
 public:
  /// An expression: where it can be assigned to, `where` gives the place of a coefficient.
  struct M {
    X rows = {}, cols = {};
    std::int64_t fixed_rows = -1, fixed_cols = -1;
    ir::DType dtype = ir::DType::f64;
    bool array = false;                           // products and the like are by coefficient
    bool fixed() const { return fixed_rows >= 0 && fixed_cols >= 0; }
    std::function<X(X, X)> at = {};
    std::function<Pointer(X, X)> where = {};
    std::function<M(X, X)> resize = {};           // of a matrix that takes the extents of what is assigned to it: gives it anew
  };
  explicit Matrices(Lowerer& lowerer) : l(lowerer), mem(lowerer.mem), b(lowerer.b) {}

  // --- lower_eigen.cpp ---
  M view(const Pointer&, const EigenShape&);
  M view(const Pointer&, const EigenShape&, X rows, X cols);
  void assign(M to, const M& from);

  // --- lower_eigen_calls.cpp ---
  M value(const clang::Expr*);
  std::optional<Lowerer::Result> call(const clang::FunctionDecl*, const clang::CallExpr*);
  void construct(const Pointer& to, const EigenShape&, const clang::CXXConstructExpr*);

 private:
  // --- lower_eigen.cpp ---
  void from_place(M&);
  Node* numbers(ir::DType, X count, const void* origin);
  M temporary(const M& like, X rows, X cols, const void* origin);
  void each(const M&, const std::function<void(X i, X j)>& visit);
  M evaluated(const M&, const void* origin);
  std::pair<X, X> linear(const M&, X k);
  X constant(const M&, double);
  M pointwise(const M&, const std::function<X(X)>&);
  M pointwise(const M&, const M&, const std::function<X(X, X)>&);
  M part(const M&, X row, X col, X rows, X cols, std::int64_t fixed_rows, std::int64_t fixed_cols);
  M transposed(const M&);
  M product(M, M, const clang::CallExpr*);
  X folded(const M&, X start, const std::function<X(X, X)>&, const void* origin);
  M diagonal(const M&);
  X identity(const M&, X i, X j);
  X sum(const M&, const void* origin);
  X squared_norm(const M&, const void* origin);
  X normaliser(const M&, const void* origin);
  M cholesky(const M&, const void* origin);
  void back_substitute(const M& u, const M& x, X column);
  M solved_by_factor(const M& factor, const M& rhs, const void* origin);
  X eliminate(const M&, M* rhs, const void* origin);

  // --- lower_eigen_lines.cpp ---
  M least_squares(const M&, const M& rhs, bool pivots, const void* origin);
  struct Lines {                                  // m.colwise() or m.rowwise()
    M of = {};
    bool columns = true;
  };
  std::optional<Lines> lines(const clang::Expr*);
  std::optional<M> of_lines(llvm::StringRef name, const Lines&, const clang::CallExpr*);
  M with_lines(const Lines&, const M& vector, X (*of)(X, X));
  X applied(const clang::Expr* function, llvm::ArrayRef<X> coefficients, const clang::CallExpr*);

  // --- lower_eigen_calls.cpp ---
  using Operands = std::vector<const clang::Expr*>;
  bool adjacent(const clang::Expr*);
  std::optional<M> expression(const clang::FunctionDecl*, const Operands&, const clang::CallExpr*);
  std::optional<M> operation(const clang::FunctionDecl*, const Operands&, const clang::CallExpr*);
  std::optional<M> block(llvm::StringRef name, const clang::FunctionDecl*, const Operands&);
  std::optional<M> pattern(llvm::StringRef name, const clang::FunctionDecl*, const Operands&);
  std::optional<M> solution(const Operands&, const clang::CallExpr*);
  std::optional<X> number_of(llvm::StringRef name, const M&, const Operands&, const clang::CallExpr*);
  bool changes(const clang::FunctionDecl*, const Operands&, const clang::CallExpr*);
  X index_of(const clang::Expr*);
  X scalar(const clang::Expr*, const M&);
  Lowerer& l;
  Objects& mem;
  ir::Builder& b;
};

}  // namespace tlaloc::frontend
