// SPDX-License-Identifier: Apache-2.0
//
// Eigen: what its classes and members mean, by name. Its bodies are never read. A matrix or array is its numbers and those
// of its extents that vary; an expression is a rule that gives a coefficient, so that it is computed where it is assigned, as
// Eigen does. Products and solutions are computed at once. Refused by name: variables of expression types, and every class
// and member that is not here.
#include "frontend/clang/lower_eigen.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

using Values = std::vector<X>;

const NamespaceDecl* outermost(const Decl* d) {
  const NamespaceDecl* found = nullptr;
  for (auto* c = d->getDeclContext(); c; c = c->getParent()) if (auto* n = dyn_cast<NamespaceDecl>(c)) found = n;
  return found;
}
const ClassTemplateSpecializationDecl* class_of(QualType t) {
  return dyn_cast_or_null<ClassTemplateSpecializationDecl>(t.getNonReferenceType()->getAsCXXRecordDecl());
}
std::int64_t integral(const TemplateArgument& a) { return a.getAsIntegral().getExtValue(); }
bool is(const ClassTemplateSpecializationDecl* r, llvm::StringRef name) { return r && in_eigen(r) && r->getName() == name; }

}  // namespace

bool in_eigen(const Decl* d) {
  auto* n = d ? outermost(d) : nullptr;
  return n && n->getDeclName().isIdentifier() && n->getName() == "Eigen";
}
std::optional<EigenShape> eigen_shape(QualType t) {
  auto* r = class_of(t);
  EigenShape s;
  s.owner = r;
  if (is(r, "LLT")) {
    auto inner = eigen_shape(r->getTemplateArgs()[0].getAsType());
    if (inner) inner->owner = r, inner->kind = EigenShape::factor;
    return inner;
  }
  for (auto* solver : {"LDLT", "PartialPivLU", "FullPivLU", "HouseholderQR", "ColPivHouseholderQR"})
    if (is(r, solver)) {
      auto inner = eigen_shape(r->getTemplateArgs()[0].getAsType());
      if (!inner || inner->kind != EigenShape::plain) return {};
      inner->owner = r, inner->kind = EigenShape::matrix;
      return inner;
    }
  if (is(r, "Ref")) {                             // numbers side by side, whole columns of them
    auto* stride = class_of(r->getTemplateArgs()[2].getAsType());
    auto inner = eigen_shape(r->getTemplateArgs()[0].getAsType());
    const bool columns = is(stride, "OuterStride"), vector = is(stride, "InnerStride") && integral(stride->getTemplateArgs()[0]) == 1;
    if (!inner || inner->kind != EigenShape::plain || (!columns && !vector)) return {};
    inner->owner = r, inner->kind = EigenShape::map;
    return inner;
  }
  if (is(r, "Map")) {
    auto* stride = class_of(r->getTemplateArgs()[2].getAsType());
    auto inner = eigen_shape(r->getTemplateArgs()[0].getAsType());
    if (!inner || !is(stride, "Stride") || integral(stride->getTemplateArgs()[0]) || integral(stride->getTemplateArgs()[1])) return {};
    inner->owner = r, inner->kind = EigenShape::map;
    return inner;
  }
  for (auto* base : {"MatrixBase", "ArrayBase", "DenseBase", "PlainObjectBase", "EigenBase"})
    if (is(r, base)) return eigen_shape(r->getTemplateArgs()[0].getAsType());
  if (!is(r, "Matrix") && !is(r, "Array")) return {};
  auto& a = r->getTemplateArgs();
  s.scalar = a[0].getAsType().getCanonicalType();
  s.rows = integral(a[1]), s.cols = integral(a[2]);
  s.row_major = integral(a[3]) & 1;
  s.array = r->getName() == "Array";
  if (!s.scalar->isRealFloatingType() && !s.scalar->isIntegerType()) return {};
  return s;
}
const void* EigenShape::key(unsigned part) const { return owner->getSpecializedTemplate()->getTemplateParameters()->getParam(part); }

// --- places ---
using M = Matrices::M;

M Matrices::view(const Pointer& p, const EigenShape& s) {
  auto extent = [&](std::int64_t fixed, unsigned part) { return fixed >= 0 ? ir::index(b, fixed) : mem.load(mem.field(p, s.key(part)), ir::index_type); };
  const X rows = extent(s.rows, 1);
  return view(p, s, rows, extent(s.cols, 2));
}
M Matrices::view(const Pointer& p, const EigenShape& s, X rows, X cols) {
  M m{.rows = rows, .cols = cols, .fixed_rows = s.rows, .fixed_cols = s.cols, .dtype = l.dtype(s.scalar), .array = s.array};
  const Pointer storage = mem.field(p, s.key(0));
  const Pointer data = s.kind == EigenShape::map ? mem.load_pointer(storage) : storage;
  m.where = [this, data, s, rows, cols](X i, X j) {
    const X at = s.row_major ? i * cols + j : i + j * rows;
    return s.kind == EigenShape::map ? mem.advance(data, at) : mem.element(data, at);
  };
  from_place(m);
  if (s.fixed() || s.kind == EigenShape::map) return m;
  m.resize = [this, p, s, storage, old_rows = rows, old_cols = cols](X new_rows, X new_cols) {
    if (Node* n = storage.only(); n && n->length && !n->owner) {           // the caller's, whose memory is given
      mem.when(ops::bit_or(new_rows != old_rows, new_cols != old_cols), [&] {
        b.append(ops::output, {}, {std::string("throw std::length_error"), "a derivative cannot change the extents of '" + n->name + "'"});
      });
    } else {
      mem.resize(storage, new_rows * new_cols);
      if (s.rows < 0) mem.store(mem.field(p, s.key(1)), new_rows);
      if (s.cols < 0) mem.store(mem.field(p, s.key(2)), new_cols);
    }
    return view(p, s, new_rows, new_cols);
  };
  return m;
}
void Matrices::from_place(M& m) {
  m.at = [this, where = m.where, type = m.dtype](X i, X j) { return mem.load(where(i, j), type); };
}
/// A buffer of our own.
Node* Matrices::numbers(ir::DType dtype, X count, const void* origin) {
  mem.origin(origin, l.frame->id);
  Node* n = mem.make(Node::scalar, "");
  n->dtype = dtype;
  n->buffer = b.append(ops::alloc, {count.v}, {dtype})->results[0];
  return n;
}
M Matrices::temporary(const M& like, X rows, X cols, const void* origin) {
  M m{.rows = rows, .cols = cols, .fixed_rows = like.fixed_rows, .fixed_cols = like.fixed_cols, .dtype = like.dtype, .array = like.array};
  Node* n = numbers(m.dtype, rows * cols, origin);
  m.where = [n, rows](X i, X j) { return Pointer{{n}, {}, i + j * rows}; };
  from_place(m);
  return m;
}
void Matrices::each(const M& m, const std::function<void(X i, X j)>& visit) {
  auto along = [&](X n, std::int64_t fixed, const std::function<void(X)>& body) {
    if (fixed == 1) return body(ir::index(b, 0));
    mem.loop(ir::index(b, 0), n, body);
  };
  along(m.cols, m.fixed_cols, [&](X j) { along(m.rows, m.fixed_rows, [&](X i) { visit(i, j); }); });
}
void Matrices::assign(M to, const M& given) {
  const bool turned = (to.fixed_cols == 1 && given.fixed_rows == 1 && given.fixed_cols != 1) || (to.fixed_rows == 1 && given.fixed_cols == 1 && given.fixed_rows != 1);
  const M from = turned ? transposed(given) : given;                     // a row is assigned to a column, as Eigen allows
  if (!to.where) l.refuse("an Eigen expression that cannot be assigned to");
  if (to.resize) to = to.resize(to.fixed_rows >= 0 ? to.rows : from.rows, to.fixed_cols >= 0 ? to.cols : from.cols);
  M shape = from;
  if (to.fixed_rows >= 0) shape.fixed_rows = to.fixed_rows, shape.rows = to.rows;
  if (to.fixed_cols >= 0) shape.fixed_cols = to.fixed_cols, shape.cols = to.cols;
  each(shape, [&](X i, X j) { mem.store(to.where(i, j), from.at(i, j)); });
}
M Matrices::evaluated(const M& m, const void* origin) {
  const M t = temporary(m, m.rows, m.cols, origin);
  each(m, [&](X i, X j) { mem.store(t.where(i, j), m.at(i, j)); });
  return t;
}
/// Position k of a vector, or of a matrix column by column.
std::pair<X, X> Matrices::linear(const M& m, X k) {
  const X zero = ir::index(b, 0);
  if (m.fixed_cols == 1) return {k, zero};
  if (m.fixed_rows == 1) return {zero, k};
  return {ops::rem(k, m.rows), ops::div(k, m.rows)};
}
X Matrices::constant(const M& m, double v) { return ir::constant(b, ir::Number::of(m.dtype, v)); }

// --- values ---
M Matrices::pointwise(const M& a, const std::function<X(X)>& f) {
  M m = a;
  m.where = nullptr, m.resize = nullptr;
  m.at = [f, at = a.at](X i, X j) { return f(at(i, j)); };
  return m;
}
M Matrices::pointwise(const M& x, const M& y, const std::function<X(X, X)>& f) {
  M m = x;
  if (m.fixed_rows < 0) m.fixed_rows = y.fixed_rows, m.rows = y.rows;
  if (m.fixed_cols < 0) m.fixed_cols = y.fixed_cols, m.cols = y.cols;
  m.where = nullptr, m.resize = nullptr;
  m.at = [f, a = x.at, c = y.at](X i, X j) { return f(a(i, j), c(i, j)); };
  return m;
}
M Matrices::part(const M& m, X row, X col, X rows, X cols, std::int64_t fixed_rows, std::int64_t fixed_cols) {
  M r = m;
  r.rows = rows, r.cols = cols, r.fixed_rows = fixed_rows, r.fixed_cols = fixed_cols, r.resize = nullptr;
  r.at = [at = m.at, row, col](X i, X j) { return at(row + i, col + j); };
  if (m.where) r.where = [where = m.where, row, col](X i, X j) { return where(row + i, col + j); };
  return r;
}
M Matrices::transposed(const M& m) {
  M r = m;
  std::swap(r.rows, r.cols), std::swap(r.fixed_rows, r.fixed_cols);
  r.resize = nullptr;
  r.at = [at = m.at](X i, X j) { return at(j, i); };
  if (m.where) r.where = [where = m.where](X i, X j) { return where(j, i); };
  return r;
}
M Matrices::product(M a, M c, const CallExpr* e) {
  if (!a.where) a = evaluated(a, e->getArg(0));
  if (!c.where) c = evaluated(c, e->getArg(1));
  M shape = a;
  shape.fixed_cols = c.fixed_cols;
  const M r = temporary(shape, a.rows, c.cols, e);
  each(r, [&](X i, X j) { mem.store(r.where(i, j), constant(a, 0)); });
  const X zero = ir::index(b, 0);
  const M row = part(r, zero, zero, ir::index(b, 1), r.cols, 1, r.fixed_cols);
  each(row, [&](X, X j) {                         // the columns of a, each from top to bottom
    each(a, [&](X i, X k) { mem.store(r.where(i, j), r.at(i, j) + a.at(i, k) * c.at(k, j)); });
  });
  return r;
}
X Matrices::folded(const M& m, X start, const std::function<X(X, X)>& f, const void* origin) {
  Node* n = numbers(m.dtype, ir::index(b, 1), origin);
  mem.store(mem.at(n), start);
  each(m, [&](X i, X j) { mem.store(mem.at(n), f(mem.load(mem.at(n), m.dtype), m.at(i, j))); });
  return mem.load(mem.at(n), m.dtype);
}
/// The diagonal as a column.
M Matrices::diagonal(const M& m) {
  const X zero = ir::index(b, 0);
  M d = part(m, zero, zero, ops::select(m.rows < m.cols, m.rows, m.cols), ir::index(b, 1), m.fixed() ? std::min(m.fixed_rows, m.fixed_cols) : -1, 1);
  d.at = [at = m.at](X i, X) { return at(i, i); };
  if (m.where) d.where = [where = m.where](X i, X) { return where(i, i); };
  return d;
}
/// The coefficient of an identity of m's type.
X Matrices::identity(const M& m, X i, X j) { return ops::select(i == j, constant(m, 1), constant(m, 0)); }
X Matrices::sum(const M& m, const void* origin) { return folded(m, constant(m, 0), [](X s, X x) { return s + x; }, origin); }
X Matrices::squared_norm(const M& m, const void* origin) { return sum(pointwise(m, [](X x) { return x * x; }), origin); }
/// What a normalised m is divided by: its norm, or 1 where that is 0.
X Matrices::normaliser(const M& m, const void* origin) {
  const X square = squared_norm(m, origin);
  return mem.branch(square > constant(m, 0), [&] { return std::vector<X>{ops::sqrt(square)}; }, [&] { return std::vector<X>{constant(m, 1)}; })[0];
}

// --- solving ---
/// The lower factor L of a = L L^T, from the lower triangle of a, as Eigen's LLT.
M Matrices::cholesky(const M& a, const void* origin) {
  const M f = evaluated(a, origin);
  const X zero = ir::index(b, 0), one = ir::index(b, 1), n = f.rows;
  mem.loop(zero, n, [&](X j) {
    mem.loop(zero, j, [&](X k) { mem.store(f.where(j, j), f.at(j, j) - f.at(j, k) * f.at(j, k)); });
    mem.store(f.where(j, j), ops::sqrt(f.at(j, j)));
    mem.loop(j + one, n, [&](X i) {
      mem.loop(zero, j, [&](X k) { mem.store(f.where(i, j), f.at(i, j) - f.at(i, k) * f.at(j, k)); });
      mem.store(f.where(i, j), f.at(i, j) / f.at(j, j));
    });
  });
  return f;
}
/// Column c of x becomes the solution y of u y = x, with the upper triangle of u.
void Matrices::back_substitute(const M& u, const M& x, X c) {
  const X one = ir::index(b, 1), n = u.rows;
  mem.loop(ir::index(b, 0), n, [&](X step) {
    const X i = n - one - step;
    mem.loop(i + one, n, [&](X k) { mem.store(x.where(i, c), x.at(i, c) - u.at(i, k) * x.at(k, c)); });
    mem.store(x.where(i, c), x.at(i, c) / u.at(i, i));
  });
}
M Matrices::solved_by_factor(const M& f, const M& rhs, const void* origin) {
  const M x = evaluated(rhs, origin);
  const X zero = ir::index(b, 0), n = f.rows;
  auto column = [&](X c) {
    mem.loop(zero, n, [&](X i) {
      mem.loop(zero, i, [&](X k) { mem.store(x.where(i, c), x.at(i, c) - f.at(i, k) * x.at(k, c)); });
      mem.store(x.where(i, c), x.at(i, c) / f.at(i, i));
    });
    back_substitute(transposed(f), x, c);
  };
  if (x.fixed_cols == 1) column(zero); else mem.loop(zero, x.cols, column);
  return x;
}
/// Gaussian elimination with the largest pivot of each column; `rhs` becomes the solution, and the determinant comes back.
X Matrices::eliminate(const M& a, M* rhs, const void* origin) {
  const M w = evaluated(a, origin);
  const X zero = ir::index(b, 0), one = ir::index(b, 1), n = w.rows;
  Node *pivot = numbers(ir::index_type, one, origin), *det = numbers(w.dtype, one, origin);
  mem.store(mem.at(det), constant(w, 1));
  auto swap_rows = [&](const M& m, X p, X q) {
    mem.loop(zero, m.cols, [&](X c) {
      const X x = m.at(p, c), y = m.at(q, c);
      mem.store(m.where(p, c), y), mem.store(m.where(q, c), x);
    });
  };
  mem.loop(zero, n, [&](X k) {
    mem.store(mem.at(pivot), k);
    mem.loop(k + one, n, [&](X i) {
      const X best = mem.load(mem.at(pivot), ir::index_type);
      mem.store(mem.at(pivot), ops::select(ops::abs(w.at(i, k)) > ops::abs(w.at(best, k)), i, best));
    });
    const X p = mem.load(mem.at(pivot), ir::index_type);
    mem.when(p != k, [&] {
      swap_rows(w, p, k);
      if (rhs) swap_rows(*rhs, p, k);
      mem.store(mem.at(det), -mem.load(mem.at(det), w.dtype));
    });
    mem.store(mem.at(det), mem.load(mem.at(det), w.dtype) * w.at(k, k));
    mem.loop(k + one, n, [&](X i) {
      const X factor = w.at(i, k) / w.at(k, k);
      mem.loop(k + one, n, [&](X c) { mem.store(w.where(i, c), w.at(i, c) - factor * w.at(k, c)); });
      if (rhs) mem.loop(zero, rhs->cols, [&](X c) { mem.store(rhs->where(i, c), rhs->at(i, c) - factor * rhs->at(k, c)); });
    });
  });
  if (rhs) mem.loop(zero, rhs->cols, [&](X c) { back_substitute(w, *rhs, c); });
  return mem.load(mem.at(det), w.dtype);
}

}  // namespace tlaloc::frontend
