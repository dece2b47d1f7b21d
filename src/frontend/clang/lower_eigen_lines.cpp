// SPDX-License-Identifier: Apache-2.0
//
// Eigen: what is done by rows or columns, functions applied to each coefficient, and solutions by Householder reflections.
#include "frontend/clang/lower_eigen.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;
using M = Matrices::M;

std::optional<Matrices::Lines> Matrices::lines(const Expr* e) {
  for (;;) {
    e = bare(e);
    if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) e = m->getSubExpr();
    else if (auto* cast = dyn_cast<CastExpr>(e)) e = cast->getSubExpr();
    else break;
  }
  auto* c = dyn_cast<CXXMemberCallExpr>(e);
  const FunctionDecl* f = c ? c->getDirectCallee() : nullptr;
  if (!f || !in_eigen(f) || !f->getDeclName().isIdentifier() || (f->getName() != "colwise" && f->getName() != "rowwise")) return {};
  return Lines{value(c->getImplicitObjectArgument()), f->getName() == "colwise"};
}
/// A number of each row or column.
std::optional<M> Matrices::of_lines(llvm::StringRef name, const Lines& lines, const CallExpr* e) {
  if (!llvm::is_contained({"sum", "mean", "prod", "norm", "squaredNorm", "maxCoeff", "minCoeff"}, name)) return {};
  const M m = lines.of.where ? lines.of : evaluated(lines.of, e);
  const X zero = ir::index(b, 0), one = ir::index(b, 1);
  M shape = m;
  (lines.columns ? shape.fixed_rows : shape.fixed_cols) = 1;
  const M r = temporary(shape, lines.columns ? one : m.rows, lines.columns ? m.cols : one, e);
  each(r, [&](X i, X j) {
    const M line = lines.columns ? part(m, zero, j, m.rows, one, m.fixed_rows, 1) : part(m, i, zero, one, m.cols, 1, m.fixed_cols);
    mem.store(r.where(i, j), *number_of(name, line, {e}, e));
  });
  return r;
}
/// Each row or column with the same vector.
M Matrices::with_lines(const Lines& lines, const M& vector, X (*of)(X, X)) {
  M r = lines.of;
  r.where = nullptr, r.resize = nullptr;
  const X zero = ir::index(b, 0);
  r.at = [at = lines.of.at, columns = lines.columns, v = vector, of, zero](X i, X j) {
    const X k = columns ? i : j;
    return of(at(i, j), v.fixed_cols == 1 ? v.at(k, zero) : v.at(zero, k));
  };
  return r;
}
/// A function of the user's on coefficients.
X Matrices::applied(const Expr* function, llvm::ArrayRef<X> coefficients, const CallExpr* e) {
  const ir::DType type = coefficients[0].type().dtype;
  if (type != ir::DType::f64 && type != ir::DType::f32) l.refuse("a function of coefficients that are neither double nor float is not supported in differentiated code");
  const QualType t = type == ir::DType::f64 ? l.context.DoubleTy : l.context.FloatTy;
  llvm::SmallVector<Expr*, 2> given;
  for (const X x : coefficients) {
    Node* n = numbers(type, ir::index(b, 1), e);
    mem.store(mem.at(n), x);
    given.push_back(l.as_expression(mem.at(n), t.withConst()));
  }
  Expr* callee = l.as_expression(l.place(function), function->getType());
  const ExprResult call = l.shared.sema.BuildCallExpr(nullptr, callee, l.here, given, l.here);
  if (call.isInvalid() || !l.is_number(call.get()->getType())) l.refuse("this function of coefficients is not supported in differentiated code");
  return ir::convert(l.number(call.get()), type);
}

/// The solution of a x = rhs by reflections, the one of least squares where a has more rows than columns. With `pivots` the
/// column of largest norm comes first; the columns left over, where there are more than rows, get zeros.
M Matrices::least_squares(const M& a, const M& rhs, bool pivots, const void* origin) {
  const M w = evaluated(a, origin), y = evaluated(rhs, origin);
  const X zero = ir::index(b, 0), one = ir::index(b, 1), rows = w.rows, cols = w.cols, steps = ops::select(rows < cols, rows, cols);
  Node *order = numbers(ir::index_type, cols, origin), *best = numbers(ir::index_type, one, origin);
  Node *most = numbers(w.dtype, one, origin), *sum = numbers(w.dtype, one, origin);
  auto get = [&](Node* n) { return mem.load(mem.at(n), n->dtype); };
  auto column_at = [&](X k) { return Pointer{{order}, {}, k}; };
  auto squares = [&](X from, X column) {          // into `sum`
    mem.store(mem.at(sum), constant(w, 0));
    mem.loop(from, rows, [&](X i) { mem.store(mem.at(sum), get(sum) + w.at(i, column) * w.at(i, column)); });
  };
  mem.loop(zero, cols, [&](X j) { mem.store(column_at(j), j); });
  mem.loop(zero, steps, [&](X k) {
    if (pivots) {
      mem.store(mem.at(best), k), mem.store(mem.at(most), constant(w, -1));
      mem.loop(k, cols, [&](X j) {
        squares(k, j);
        mem.when(get(sum) > get(most), [&] { mem.store(mem.at(best), j), mem.store(mem.at(most), get(sum)); });
      });
      const X p = get(best);
      mem.when(p != k, [&] {
        mem.loop(zero, rows, [&](X i) {
          const X first = w.at(i, k), second = w.at(i, p);
          mem.store(w.where(i, k), second), mem.store(w.where(i, p), first);
        });
        const X first = mem.load(column_at(k), ir::index_type), second = mem.load(column_at(p), ir::index_type);
        mem.store(column_at(k), second), mem.store(column_at(p), first);
      });
    }
    // I - tau v v^T with v(k) = 1 makes the column zero below k, and beta there.
    squares(k + one, k);
    const X tail = get(sum), head = w.at(k, k);
    mem.when(tail > constant(w, 0), [&] {
      const X length = ops::sqrt(head * head + tail), beta = ops::select(head >= constant(w, 0), -length, length);
      const X tau = (beta - head) / beta, scale = head - beta;
      mem.loop(k + one, rows, [&](X i) { mem.store(w.where(i, k), w.at(i, k) / scale); });
      auto reflect = [&](const M& m, X j) {
        mem.store(mem.at(sum), m.at(k, j));
        mem.loop(k + one, rows, [&](X i) { mem.store(mem.at(sum), get(sum) + w.at(i, k) * m.at(i, j)); });
        const X by = tau * get(sum);
        mem.store(m.where(k, j), m.at(k, j) - by);
        mem.loop(k + one, rows, [&](X i) { mem.store(m.where(i, j), m.at(i, j) - by * w.at(i, k)); });
      };
      mem.loop(k + one, cols, [&](X j) { reflect(w, j); });
      mem.loop(zero, y.cols, [&](X c) { reflect(y, c); });
      mem.store(w.where(k, k), beta);
    });
    if (pivots)
      mem.when(ops::abs(w.at(k, k)) <= ops::abs(w.at(zero, zero)) * constant(w, w.dtype == ir::DType::f32 ? 0x1p-23 : 0x1p-52), [&] {
        b.append(ops::output, {}, {std::string("throw std::domain_error"), "the solution by a matrix without full rank has no derivative"});
      });
  });
  M shape = y;
  shape.fixed_rows = w.fixed_cols;
  const M x = temporary(shape, cols, y.cols, origin);
  mem.loop(zero, y.cols, [&](X c) {
    mem.loop(zero, cols, [&](X j) { mem.store(x.where(j, c), constant(w, 0)); });
    mem.loop(zero, steps, [&](X step) {
      const X i = steps - one - step;
      mem.store(mem.at(sum), y.at(i, c));
      mem.loop(i + one, steps, [&](X j) { mem.store(mem.at(sum), get(sum) - w.at(i, j) * x.at(mem.load(column_at(j), ir::index_type), c)); });
      mem.store(x.where(mem.load(column_at(i), ir::index_type), c), get(sum) / w.at(i, i));
    });
  });
  return x;
}

}  // namespace tlaloc::frontend
