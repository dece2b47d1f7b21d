// SPDX-License-Identifier: Apache-2.0
//
// Eigen's members by name: see lower_eigen.cpp.
#include "frontend/clang/lower_eigen.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;
using M = Matrices::M;

namespace {

/// Without the casts between Eigen's base classes.
const Expr* stripped(const Expr* e) {
  for (;;) {
    e = bare(e);
    if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) { e = m->getSubExpr(); continue; }
    if (auto* c = dyn_cast<CastExpr>(e))
      if (llvm::is_contained({CK_NoOp, CK_DerivedToBase, CK_UncheckedDerivedToBase, CK_ConstructorConversion, CK_UserDefinedConversion}, c->getCastKind())) { e = c->getSubExpr(); continue; }
    return e;
  }
}
bool is_scalar(const Expr* e) { return e->getType().getNonReferenceType()->isArithmeticType(); }
/// The object, if there is one, and the arguments.
std::vector<const Expr*> operands_of(const CallExpr* e) {
  std::vector<const Expr*> all;
  if (auto* m = dyn_cast<CXXMemberCallExpr>(e)) all.push_back(m->getImplicitObjectArgument());
  for (auto* a : e->arguments()) if (!isa<CXXDefaultArgExpr>(a)) all.push_back(a);
  return all;
}
llvm::StringRef name_of(const FunctionDecl* f) { return f->getDeclName().isIdentifier() ? f->getName() : llvm::StringRef(); }
/// The number among the template arguments of segment<3>(i) and the like; -1 for none.
std::int64_t fixed_argument(const FunctionDecl* f, unsigned i) {
  auto* args = f->getTemplateSpecializationArgs();
  if (!args || i >= args->size() || args->get(i).getKind() != TemplateArgument::Integral) return -1;
  return args->get(i).getAsIntegral().getExtValue();
}

X reciprocal(X x) { return ops::div(ir::like(x, 1), x); }
/// What + - * / and their assignments do to two coefficients.
X (*arithmetic(OverloadedOperatorKind op))(X, X) {
  switch (op) {
    case OO_Plus: case OO_PlusEqual: return [](X a, X c) { return a + c; };
    case OO_Minus: case OO_MinusEqual: return [](X a, X c) { return a - c; };
    case OO_Star: case OO_StarEqual: return [](X a, X c) { return a * c; };
    default: return [](X a, X c) { return a / c; };
  }
}

}  // namespace

/// Whether the coefficients of the expression lie in memory as those of a matrix of its own do.
bool Matrices::adjacent(const Expr* e) {
  e = stripped(e);
  auto* c = dyn_cast<CXXMemberCallExpr>(e);
  const auto shape = eigen_shape(e->getType());
  if (!c || shape) return shape && (shape->kind == EigenShape::plain || shape->kind == EigenShape::map);
  const FunctionDecl* f = c->getDirectCallee();
  const Expr* object = stripped(c->getImplicitObjectArgument());
  const auto whole = eigen_shape(object->getType());
  if (!f || !llvm::is_contained({"col", "segment", "head", "tail"}, name_of(f))) return false;
  return (name_of(f) != "col" || (whole && !whole->row_major)) && adjacent(object);
}
X Matrices::index_of(const Expr* e) { return ir::convert(l.number(e), ir::index_type); }
X Matrices::scalar(const Expr* e, const M& like) { return ir::convert(l.number(e), like.dtype); }

M Matrices::value(const Expr* e) {
  e = stripped(e);
  const auto shape = eigen_shape(e->getType());
  if (auto* c = dyn_cast<CallExpr>(e)) {
    const FunctionDecl* f = c->getDirectCallee();
    if (f && in_eigen(f))
      if (auto m = expression(f, operands_of(c), c)) return *m;
  }
  if (shape && e->isGLValue()) return view(l.place(e), *shape);
  if (shape) return view(mem.at(l.object(e, "")), *shape);
  l.refuse(e->getExprLoc(), "an expression of Eigen's class '" + l.shared.type_name(e->getType().getUnqualifiedType()) + "' is not supported in differentiated code");
}

std::optional<M> Matrices::expression(const FunctionDecl* f, const Operands& in, const CallExpr* e) {
  if (f->isOverloadedOperator()) return operation(f, in, e);
  const llvm::StringRef name = name_of(f);
  if (auto* m = dyn_cast<CXXMethodDecl>(f); m && m->isStatic()) return pattern(name, f, in);
  if (name == "solve") return solution(in, e);
  if (in.empty() || is_scalar(in[0])) return {};
  if (llvm::is_contained({"noalias", "derived", "const_cast_derived", "matrix", "array", "lazyProduct"}, name) && in.size() == 1) {
    M m = value(in[0]);
    if (name == "matrix" || name == "array") m.array = name == "array";
    return m;
  }
  if (auto m = block(name, f, in)) return m;
  if (name == "transpose" || name == "adjoint") return transposed(value(in[0]));
  if (name == "eval") return evaluated(value(in[0]), e);
  if (name == "inverse") {
    const M m = value(in[0]);
    if (m.array) return pointwise(m, reciprocal);
    M x = temporary(m, m.rows, m.cols, e);
    each(x, [&](X i, X j) { mem.store(x.where(i, j), identity(m, i, j)); });
    eliminate(m, &x, e);
    return x;
  }
  if (in.size() == 1) if (const auto each_line = lines(in[0])) return of_lines(name, *each_line, e);
  if (name == "llt") return cholesky(value(in[0]), e);
  if (llvm::is_contained({"ldlt", "partialPivLu", "lu", "fullPivLu", "householderQr", "colPivHouseholderQr"}, name) && in.size() == 1) return value(in[0]);
  if ((name == "matrixL" || name == "matrixU") && in.size() == 1) {
    const auto shape = eigen_shape(stripped(in[0])->getType());
    if (!shape || shape->kind != EigenShape::factor) return {};
    M m = value(in[0]);
    const X zero = constant(m, 0);
    m.where = nullptr, m.resize = nullptr;
    m.at = [at = m.at, zero](X i, X j) { return ops::select(i < j, zero, at(i, j)); };
    return name == "matrixU" ? transposed(m) : m;
  }
  if (name == "asDiagonal" && in.size() == 1) {
    M m = value(in[0]);
    const X zero = constant(m, 0);
    const auto n = m.fixed_rows >= 0 && m.fixed_cols >= 0 ? m.fixed_rows * m.fixed_cols : -1;
    M r = m;
    r.rows = r.cols = m.rows * m.cols, r.fixed_rows = r.fixed_cols = n, r.where = nullptr, r.resize = nullptr;
    r.at = [this, m, zero](X i, X j) { auto [p, q] = linear(m, i); return ops::select(i == j, m.at(p, q), zero); };
    return r;
  }
  if (name == "reverse" && in.size() == 1) {
    M m = value(in[0]);
    const X p = m.rows - ir::index(b, 1), q = m.cols - ir::index(b, 1);
    M r = m;
    r.resize = nullptr;
    r.at = [at = m.at, p, q](X i, X j) { return at(p - i, q - j); };
    if (m.where) r.where = [where = m.where, p, q](X i, X j) { return where(p - i, q - j); };
    return r;
  }
  if (name == "unaryExpr" && in.size() == 2) return pointwise(value(in[0]), [this, f = in[1], e](X x) { return applied(f, {x}, e); });
  if (name == "binaryExpr" && in.size() == 3) return pointwise(value(in[0]), value(in[1]), [this, f = in[2], e](X x, X y) { return applied(f, {x, y}, e); });
  if (name == "normalized") {
    const M m = value(in[0]);
    return pointwise(m, [scale = normaliser(m, e)](X x) { return x / scale; });
  }
  if (name == "cross" && in.size() == 2) {
    const M x = value(in[0]), y = value(in[1]);
    auto at = [this](const M& m, int k) { auto [i, j] = linear(m, ir::index(b, k)); return m.at(i, j); };
    const M r = temporary(x, x.rows, x.cols, e);
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      auto [i, j] = linear(r, ir::index(b, k));
      mem.store(r.where(i, j), at(x, p) * at(y, q) - at(x, q) * at(y, p));
    }
    return r;
  }
  llvm::StringRef one = name;
  const bool by_name = one.consume_front("cwise");
  const std::string lower = by_name && !one.empty() ? std::string(1, char(std::tolower(one[0]))) + one.drop_front().str() : name.str();
  if (in.size() == 2 && (lower == "max" || lower == "min") && is_scalar(in[1])) {
    const M m = value(in[0]);
    const X y = scalar(in[1], m);
    return pointwise(m, [y, most = lower == "max"](X x) { return most ? ops::select(x < y, y, x) : ops::select(y < x, y, x); });
  }
  if (in.size() == 2 && !is_scalar(in[1]) && (by_name || lower == "max" || lower == "min")) {
    const M x = value(in[0]), y = value(in[1]);
    if (lower == "product") return pointwise(x, y, [](X a, X c) { return a * c; });
    if (lower == "quotient") return pointwise(x, y, [](X a, X c) { return a / c; });
    if (lower == "max") return pointwise(x, y, [](X a, X c) { return ops::select(a < c, c, a); });
    if (lower == "min") return pointwise(x, y, [](X a, X c) { return ops::select(c < a, c, a); });
    return {};
  }
  if (in.size() == 2 && lower == "pow" && is_scalar(in[1])) {
    const M m = value(in[0]);
    const X y = scalar(in[1], m);
    return pointwise(m, [y](X x) { return ops::pow(x, y); });
  }
  if (in.size() != 1) return {};
  if (lower == "square" || lower == "abs2") return pointwise(value(in[0]), [](X x) { return x * x; });
  if (lower == "cube") return pointwise(value(in[0]), [](X x) { return x * x * x; });
  if (lower == "inverse") return pointwise(value(in[0]), reciprocal);
  if (!llvm::is_contained({"exp", "log", "log1p", "expm1", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "abs", "floor", "ceil", "round", "erf", "erfc", "lgamma"}, lower)) return {};
  const ir::Kind* kind = ir::find_function(lower, 1);
  return pointwise(value(in[0]), [this, kind](X x) { return X{&b, b.append(*kind, {x.v})->results[0]}; });
}

std::optional<M> Matrices::operation(const FunctionDecl* f, const Operands& in, const CallExpr* e) {
  const auto op = f->getOverloadedOperator();
  if (in.size() == 1 && op == OO_Minus) return pointwise(value(in[0]), [](X x) { return -x; });
  if (in.size() != 2 || !llvm::is_contained({OO_Plus, OO_Minus, OO_Star, OO_Slash}, op)) return {};
  const auto of = arithmetic(op);
  if (is_scalar(in[0])) {
    const M m = value(in[1]);
    return pointwise(m, [of, s = scalar(in[0], m)](X x) { return of(s, x); });
  }
  if (const auto each_line = lines(in[0]); each_line && !is_scalar(in[1])) return with_lines(*each_line, value(in[1]), arithmetic(op));
  const M x = value(in[0]);
  if (is_scalar(in[1])) return pointwise(x, [of, s = scalar(in[1], x)](X v) { return of(v, s); });
  const M y = value(in[1]);
  return op == OO_Star && !x.array ? product(x, y, e) : pointwise(x, y, of);
}

std::optional<M> Matrices::block(llvm::StringRef name, const FunctionDecl* f, const Operands& in) {
  auto arg = [&](std::size_t i) { return index_of(in.at(i)); };
  const X zero = ir::index(b, 0), one = ir::index(b, 1);
  const std::int64_t fixed = fixed_argument(f, 0), second = fixed_argument(f, 1);
  if (name == "row" && in.size() == 2) { const M m = value(in[0]); return part(m, arg(1), zero, one, m.cols, 1, m.fixed_cols); }
  if (name == "col" && in.size() == 2) { const M m = value(in[0]); return part(m, zero, arg(1), m.rows, one, m.fixed_rows, 1); }
  if (name == "diagonal" && in.size() == 1) return diagonal(value(in[0]));
  if (name == "segment" || name == "head" || name == "tail") {
    const bool inner = name == "segment";
    if (in.size() < (inner ? 2u : 1u) + (fixed < 0)) return {};
    const M m = value(in[0]);
    const bool column = m.fixed_cols == 1;
    const X n = fixed >= 0 ? ir::index(b, fixed) : arg(inner ? 2 : 1);
    const X from = inner ? arg(1) : name == "head" ? zero : (column ? m.rows : m.cols) - n;
    return column ? part(m, from, zero, n, one, fixed, 1) : part(m, zero, from, one, n, 1, fixed);
  }
  if (name == "block" && (in.size() == 5 || (in.size() == 3 && fixed >= 0))) {
    const M m = value(in[0]);
    const bool known = in.size() == 3;
    return part(m, arg(1), arg(2), known ? ir::index(b, fixed) : arg(3), known ? ir::index(b, second) : arg(4), known ? fixed : -1, known ? second : -1);
  }
  const bool top = name == "topRows", bottom = name == "bottomRows", left = name == "leftCols", right = name == "rightCols";
  if ((top || bottom || left || right) && in.size() == (fixed >= 0 ? 1u : 2u)) {
    const M m = value(in[0]);
    const X n = fixed >= 0 ? ir::index(b, fixed) : arg(1);
    if (top || bottom) return part(m, top ? zero : m.rows - n, zero, n, m.cols, fixed, m.fixed_cols);
    return part(m, zero, left ? zero : m.cols - n, m.rows, n, m.fixed_rows, fixed);
  }
  return {};
}

/// Zero(n), Identity() and the like: static members of a class whose template argument tells the type.
std::optional<M> Matrices::pattern(llvm::StringRef name, const FunctionDecl* f, const Operands& in) {
  if (!llvm::is_contained({"Zero", "Ones", "Constant", "Identity"}, name)) return {};
  auto* base = dyn_cast<ClassTemplateSpecializationDecl>(f->getParent());
  const auto shape = base && base->getTemplateArgs().size() ? eigen_shape(base->getTemplateArgs()[0].getAsType()) : std::nullopt;
  if (!shape) return {};
  M m{.fixed_rows = shape->rows, .fixed_cols = shape->cols, .dtype = l.dtype(shape->scalar), .array = shape->array};
  const std::size_t extents = in.size() - (name == "Constant");
  auto given = [&](std::int64_t fixed, std::size_t i) { return fixed >= 0 ? ir::index(b, fixed) : index_of(in.at(i)); };
  if (extents > 2 || (extents == 0 && !shape->fixed())) return {};
  m.rows = given(m.fixed_rows, 0), m.cols = given(m.fixed_cols, extents - (extents > 0));
  const X fill = name == "Constant" ? scalar(in.back(), m) : constant(m, name == "Ones"), one = constant(m, 1);
  m.at = [fill](X, X) { return fill; };
  if (name == "Identity") m.at = [fill, one](X i, X j) { return ops::select(i == j, one, fill); };
  return m;
}

/// A decomposition's solve(b). Those of square matrices with pivots all give the same.
std::optional<M> Matrices::solution(const Operands& in, const CallExpr* e) {
  if (in.size() != 2) return {};
  const Expr* solver = stripped(in[0]);
  const auto shape = eigen_shape(solver->getType());
  if (!shape || (shape->kind != EigenShape::factor && shape->kind != EigenShape::matrix)) return {};
  M a = value(solver);
  const M rhs = value(in[1]);
  if (shape->kind == EigenShape::factor) return solved_by_factor(a, rhs, e);
  const llvm::StringRef name = shape->owner->getName();
  if (name.ends_with("QR")) return least_squares(a, rhs, name.starts_with("ColPiv"), e);
  if (name == "LDLT") a = pointwise(a, [](X x) { return x; }), a.at = [at = a.at](X i, X j) { return at(ops::select(i < j, j, i), ops::select(i < j, i, j)); };
  M x = evaluated(rhs, e);
  eliminate(a, &x, solver);
  return x;
}

std::optional<X> Matrices::number_of(llvm::StringRef name, const M& m, const Operands& in, const CallExpr* e) {
  if (name == "dot" && in.size() == 2) {
    M other = value(in[1]);
    if ((m.fixed_cols == 1) != (other.fixed_cols == 1)) other = transposed(other);
    return sum(pointwise(m, other, [](X a, X c) { return a * c; }), e);
  }
  if (in.size() != 1) return {};
  if (name == "rows") return m.rows;
  if (name == "cols") return m.cols;
  if (name == "size") return m.rows * m.cols;
  if (name == "sum") return sum(m, e);
  if (name == "mean") return sum(m, e) / ir::convert(m.rows * m.cols, m.dtype);
  if (name == "prod") return folded(m, constant(m, 1), [](X p, X x) { return p * x; }, e);
  if (name == "squaredNorm") return squared_norm(m, e);
  if (name == "norm" || name == "stableNorm" || name == "blueNorm") return ops::sqrt(squared_norm(m, e));
  if (name == "lpNorm") {
    const M absolute = pointwise(m, [](X x) { return ops::abs(x); });
    switch (fixed_argument(e->getDirectCallee(), 0)) {
      case 1: return sum(absolute, e);
      case 2: return ops::sqrt(squared_norm(m, e));
      case -1: return folded(absolute, constant(m, 0), [](X best, X x) { return ops::select(best < x, x, best); }, e);
      default: return {};
    }
  }
  if (name == "trace") return sum(diagonal(m), e);
  if (name == "determinant") return eliminate(m, nullptr, e);
  const X zero = ir::index(b, 0);
  if (name == "value" || name == "x") return m.at(zero, zero);
  if (name == "maxCoeff") return folded(m, m.at(zero, zero), [](X best, X x) { return ops::select(best < x, x, best); }, e);
  if (name == "minCoeff") return folded(m, m.at(zero, zero), [](X best, X x) { return ops::select(x < best, x, best); }, e);
  return {};
}

/// What assigns to its object. Gives whether it is such.
bool Matrices::changes(const FunctionDecl* f, const Operands& in, const CallExpr* e) {
  const auto op = f->getOverloadedOperator();
  if (op == OO_Comma || op == OO_LessLess) {      // m << 1, 2, 3: row by row
    Operands items;
    const Expr* at = e;
    for (;;) {
      auto* c = dyn_cast<CXXOperatorCallExpr>(stripped(at));
      if (!c || c->getNumArgs() != 2 || !is_scalar(c->getArg(1))) l.refuse("this list of coefficients is not supported in differentiated code; give numbers");
      items.insert(items.begin(), c->getArg(1));
      at = c->getArg(0);
      if (c->getOperator() == OO_LessLess) break;
    }
    const M to = value(at);
    for (std::size_t k = 0; k < items.size(); ++k) {
      const X i = ir::index(b, std::int64_t(k));
      mem.store(to.where(i / to.cols, ops::rem(i, to.cols)), scalar(items[k], to));
    }
    return true;
  }
  if (in.size() == 2 && op == OO_Equal) { const M from = value(in[1]); assign(value(in[0]), from); return true; }
  if (in.size() == 2 && llvm::is_contained({OO_PlusEqual, OO_MinusEqual, OO_StarEqual, OO_SlashEqual}, op)) {
    if (const auto each_line = lines(in[0])) { assign(value(cast<CXXMemberCallExpr>(stripped(in[0]))->getImplicitObjectArgument()), with_lines(*each_line, value(in[1]), arithmetic(op))); return true; }
    M to = value(in[0]);
    M from = to;
    const auto of = arithmetic(op);
    if (is_scalar(in[1])) from = pointwise(to, [of, s = scalar(in[1], to)](X x) { return of(x, s); });
    else if (op == OO_StarEqual && !to.array) from = product(to, value(in[1]), e);
    else from = pointwise(to, value(in[1]), of);
    if (op != OO_StarEqual || is_scalar(in[1]) || to.array) to.resize = nullptr;
    assign(to, from);
    return true;
  }
  const llvm::StringRef name = name_of(f);
  auto fill = [&](M to, const std::function<X(X, X)>& at) {
    M from = to;
    from.at = at;
    to.resize = nullptr;
    assign(to, from);
    return true;
  };
  auto sized = [&](std::size_t first) {           // setZero(n), setZero(r, c)
    M to = value(in[0]);
    if (in.size() == first) return to;
    if (!to.resize) l.refuse("'" + name.str() + "' with extents, on a matrix whose extents do not change");
    const X one = ir::index(b, 1), n = index_of(in[first]);
    if (in.size() == first + 2) to.resize(n, index_of(in[first + 1]));
    else if (to.fixed_cols == 1) to.resize(n, one);
    else to.resize(one, n);
    return value(in[0]);
  };
  if (name == "setZero" || name == "setOnes") { const M to = sized(1); const X v = constant(to, name == "setOnes"); return fill(to, [v](X, X) { return v; }); }
  if (name == "setIdentity") { const M to = sized(1); return fill(to, [this, to](X i, X j) { return identity(to, i, j); }); }
  if ((name == "setConstant" || name == "fill") && in.size() == 2) { const M to = value(in[0]); const X v = scalar(in[1], to); return fill(to, [v](X, X) { return v; }); }
  if (name == "resize" && in.size() >= 2) { sized(1); return true; }
  if (name == "normalize" && in.size() == 1) {
    const M to = value(in[0]);
    return fill(to, [scale = normaliser(to, e), to](X i, X j) { return to.at(i, j) / scale; });
  }
  return false;
}

std::optional<Lowerer::Result> Matrices::call(const FunctionDecl* f, const CallExpr* e) {
  const Operands in = operands_of(e);
  const auto op = f->getOverloadedOperator();
  const llvm::StringRef name = name_of(f);
  if (isa<CXXConversionDecl>(f)) {                // a product of one coefficient as a number
    const X zero = ir::index(b, 0);
    return Lowerer::Result{.number = value(in.at(0)).at(zero, zero)};
  }
  const bool coefficient = op == OO_Call || op == OO_Subscript || name == "coeff" || name == "coeffRef" || (in.size() == 1 && llvm::is_contained({"x", "y", "z", "w"}, name));
  if (coefficient && !in.empty()) {
    const M m = value(in[0]);
    std::pair<X, X> at;
    if (in.size() == 3) at = {index_of(in[1]), index_of(in[2])};
    else if (in.size() == 2) at = linear(m, index_of(in[1]));
    else at = linear(m, ir::index(b, std::int64_t(llvm::StringRef("xyzw").find(name[0]))));
    if (e->isGLValue() && m.where) return Lowerer::Result{.pointer = m.where(at.first, at.second)};
    if (e->isGLValue()) {                         // of a temporary
      const M t = temporary(m, ir::index(b, 1), ir::index(b, 1), e);
      const X zero = ir::index(b, 0);
      mem.store(t.where(zero, zero), m.at(at.first, at.second));
      return Lowerer::Result{.pointer = t.where(zero, zero)};
    }
    return Lowerer::Result{.number = m.at(at.first, at.second)};
  }
  if (!in.empty() && !is_scalar(in[0]) && is_scalar(e) && !e->isGLValue())
    if (auto x = number_of(name, value(in[0]), in, e)) return Lowerer::Result{.number = l.converted(*x, e->getType())};
  if (!in.empty() && changes(f, in, e)) {
    const auto shape = eigen_shape(stripped(in[0])->getType());
    Lowerer::Result r;
    if (shape && stripped(in[0])->isGLValue() && !isa<CallExpr>(stripped(in[0]))) r.pointer = l.place(stripped(in[0]));
    return r;
  }
  if (const auto shape = eigen_shape(e->getType()); shape && !e->isGLValue())
    if (auto m = expression(f, in, e)) {
      mem.origin(e, l.frame->id);
      Node* n = l.local(e->getType(), "");
      assign(view(mem.at(n), *shape), *m);
      return Lowerer::Result{.object = n};
    }
  const std::string called = f->getDeclName().isIdentifier() ? f->getName().str() : f->getDeclName().getAsString();
  if (expression(f, in, e)) l.refuse(e->getExprLoc(), "an Eigen expression ('" + called + "') that is not assigned to a matrix is not supported in differentiated code; name its type, as Eigen::VectorXd");
  l.refuse(e->getExprLoc(), "'" + called + "' of Eigen is not supported in differentiated code");
}

void Matrices::construct(const Pointer& to, const EigenShape& s, const CXXConstructExpr* e) {
  Operands in;
  for (auto* a : e->arguments()) if (!isa<CXXDefaultArgExpr>(a)) in.push_back(a);
  const X zero = ir::index(b, 0), one = ir::index(b, 1);
  auto extents = [&](X rows, X cols) {
    if (s.rows < 0) mem.store(mem.field(to, s.key(1)), rows);
    if (s.cols < 0) mem.store(mem.field(to, s.key(2)), cols);
  };
  if (s.kind == EigenShape::map && s.owner->getName() == "Ref") {
    const bool constant_ref = s.owner->getTemplateArgs()[0].getAsType().isConstQualified(), vector = s.rows == 1 || s.cols == 1;
    M m = value(in.at(0));
    const auto given = eigen_shape(stripped(in[0])->getType());
    if (!m.where || !adjacent(in[0]) || (!vector && given->row_major != s.row_major)) {
      if (!constant_ref || (!vector && s.row_major)) l.refuse("an Eigen::Ref to coefficients that do not lie side by side is not supported in differentiated code; use a matrix");
      m = evaluated(m, e);                        // as Eigen does
    }
    mem.store_pointer(mem.field(to, s.key(0)), m.where(zero, zero));
    return extents(m.rows, m.cols);
  }
  if (s.kind == EigenShape::map) {
    if (in.empty() || !in[0]->getType()->isPointerType()) l.refuse("this way to make an Eigen::Map is not supported in differentiated code");
    mem.store_pointer(mem.field(to, s.key(0)), l.pointer(in[0]));
    const bool row = s.rows == 1 && s.cols < 0;
    if (in.size() == 2) extents(row ? one : index_of(in[1]), row ? index_of(in[1]) : one);
    else if (in.size() == 3) extents(index_of(in[1]), index_of(in[2]));
    else if (!s.fixed()) l.refuse("an Eigen::Map without its extents");
    return;
  }
  const M target = view(to, s);
  if (in.size() == 1 && !is_scalar(in[0]) && (eigen_shape(in[0]->getType()) || in_eigen(in[0]->getType().getNonReferenceType()->getAsCXXRecordDecl()))) {
    const M from = value(in[0]);
    const auto given = eigen_shape(stripped(in[0])->getType());
    return assign(target, s.kind == EigenShape::factor && !(given && given->kind == EigenShape::factor) ? cholesky(from, e) : from);
  }
  for (auto* a : in) if (!is_scalar(a)) l.refuse("this way to make an Eigen matrix is not supported in differentiated code");
  if (in.empty()) { if (!s.fixed()) target.resize(s.rows < 0 ? zero : target.rows, s.cols < 0 ? zero : target.cols); return; }
  if (s.fixed()) {
    if (std::int64_t(in.size()) != s.rows * s.cols) l.refuse("this way to make an Eigen matrix is not supported in differentiated code");
    for (std::size_t k = 0; k < in.size(); ++k) {
      const X i = ir::index(b, std::int64_t(k));
      mem.store(s.cols == 1 ? target.where(i, zero) : target.where(zero, i), scalar(in[k], target));
    }
    return;
  }
  if (in.size() == 1 && (s.rows == 1 || s.cols == 1)) {
    const X n = index_of(in[0]);
    target.resize(s.rows == 1 ? one : n, s.rows == 1 ? n : one);
    return;
  }
  if (in.size() != 2) l.refuse("this way to make an Eigen matrix is not supported in differentiated code");
  target.resize(index_of(in[0]), index_of(in[1]));
}

// --- hooks ---
std::optional<Lowerer::Result> Lowerer::eigen(const FunctionDecl* f, const CallExpr* e) {
  if (!in_eigen(f)) return {};
  return Matrices(*this).call(f, e);
}
bool Lowerer::construct_eigen(const Pointer& to, const CXXConstructExpr* e) {
  const auto shape = eigen_shape(e->getType());
  if (shape) Matrices(*this).construct(to, *shape, e);
  return shape.has_value();
}
Node* Lowerer::eigen_layout(QualType t, std::int64_t inner, const std::string& name, const std::function<void(Node*, std::int64_t)>& leaf) {
  const auto s = eigen_shape(t);
  if (!s) refuse("a variable of Eigen's class '" + shared.type_name(t) + "' is not supported in differentiated code; name the type of a matrix, as Eigen::VectorXd");
  Node* n = mem.make(Node::record, name);
  auto add = [&](unsigned part, Node* child) { child->member = true, child->parent = n, n->fields.push_back({s->key(part), child}); };
  if (s->kind == EigenShape::map) add(0, mem.make_pointer(name, inner));
  else if (s->fixed()) {
    Node* numbers = mem.make(Node::array, name);
    numbers->extent = numbers->scale = s->rows * s->cols;
    numbers->whole = inner == 1;
    numbers->element = layout(s->scalar, inner * numbers->extent, name, leaf);
    add(0, numbers);
  } else {
    add(0, inner == 1 && !in_vector_ ? growing(s->scalar, name, leaf) : row(s->scalar, inner, name, leaf));
  }
  if (s->rows < 0) add(1, layout(context.LongTy, inner, name + "_rows", leaf));
  if (s->cols < 0) add(2, layout(context.LongTy, inner, name + "_cols", leaf));
  return n;
}
}  // namespace tlaloc::frontend
