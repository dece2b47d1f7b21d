// SPDX-License-Identifier: Apache-2.0
//
// Complex numbers: the built-in type, which std::complex holds, is an array of its two parts. The library's operators are
// followed into their bodies; the functions that end in C's library are formulas of our own, with the principal values.
// Refused by name: the inverse trigonometric and hyperbolic functions, complex integers.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

using Z = Lowerer::Complex;

// A real operand has no imaginary part, where C's rules leave it real.
X sum(X a, X b) { return a && b ? a + b : a ? a : b; }
X difference(X a, X b) { return a && b ? a - b : b ? -b : a; }
X product(X a, X b) { return a && b ? a * b : X{}; }
Z times(Z a, Z b) { return {difference(a.re * b.re, product(a.im, b.im)), sum(product(a.re, b.im), product(a.im, b.re))}; }
/// a / b without overflow where the quotient has none: the larger part of b is divided by.
Z divided(Objects& mem, Z a, Z b) {
  if (!b.im) return {a.re / b.re, a.im / b.re};
  const auto r = mem.branch(
      ops::abs(b.re) >= ops::abs(b.im),
      [&] {
        const X ratio = b.im / b.re, scale = b.re + b.im * ratio;
        return std::vector<X>{sum(a.re, product(a.im, ratio)) / scale, difference(a.im, a.re * ratio) / scale};
      },
      [&] {
        const X ratio = b.re / b.im, scale = b.re * ratio + b.im;
        return std::vector<X>{sum(a.re * ratio, a.im) / scale, difference(product(a.im, ratio), a.re) / scale};
      });
  return {r[0], r[1]};
}
Z polar(X radius, X angle) { return {radius * ops::cos(angle), radius * ops::sin(angle)}; }
Z logarithm(Z z) { return {ops::log(ops::hypot(z.re, z.im)), ops::atan2(z.im, z.re)}; }
Z root(Objects& mem, Z z) {
  const X size = ops::hypot(z.re, z.im), none = ir::like(size, 0);
  const auto r = mem.branch(size == none, [&] { return std::vector<X>{none, none}; }, [&] {
    return mem.branch(
        z.re >= none,
        [&] {
          const X re = ops::sqrt(0.5 * (size + z.re));
          return std::vector<X>{re, z.im / (2.0 * re)};
        },
        [&] {
          const X im = ops::copysign(ops::sqrt(0.5 * (size - z.re)), z.im);
          return std::vector<X>{z.im / (2.0 * im), im};
        });
  });
  return {r[0], r[1]};
}
Z power(Objects& mem, Z z, Z w) {
  const X none = ir::like(z.re, 0);
  const X nothing = ops::bit_and(z.re == none, z.im == none);
  const auto r = mem.branch(
      nothing, [&] { return std::vector<X>{ops::select(ops::bit_and(w.re == none, w.im == none), ir::like(none, 1), none), none}; },
      [&] {
        const Z exponent = times(w, logarithm(z)), p = polar(ops::exp(exponent.re), exponent.im);
        return std::vector<X>{p.re, p.im};
      });
  return {r[0], r[1]};
}
/// The tangent of x + iy from tan x and tanh y; with the parts exchanged, the hyperbolic one.
Z tangent(X t, X h) {
  const X scale = 1.0 + t * t * (h * h);
  return {t * (1.0 - h * h) / scale, h * (1.0 + t * t) / scale};
}

std::optional<Z> function(Objects& mem, llvm::StringRef name, Z z) {
  if (name == "exp") return polar(ops::exp(z.re), z.im);
  if (name == "log") return logarithm(z);
  if (name == "sqrt") return root(mem, z);
  if (name == "conj") return Z{z.re, -z.im};
  if (name == "sin") return Z{ops::sin(z.re) * ops::cosh(z.im), ops::cos(z.re) * ops::sinh(z.im)};
  if (name == "cos") return Z{ops::cos(z.re) * ops::cosh(z.im), -(ops::sin(z.re) * ops::sinh(z.im))};
  if (name == "sinh") return Z{ops::sinh(z.re) * ops::cos(z.im), ops::cosh(z.re) * ops::sin(z.im)};
  if (name == "cosh") return Z{ops::cosh(z.re) * ops::cos(z.im), ops::sinh(z.re) * ops::sin(z.im)};
  if (name == "tan") return tangent(ops::tan(z.re), ops::tanh(z.im));
  if (name == "tanh") { const Z t = tangent(ops::tan(z.im), ops::tanh(z.re)); return Z{t.im, t.re}; }
  return {};
}

}  // namespace

QualType complex_element(QualType t) {
  if (auto* c = t->getAs<ComplexType>()) return c->getElementType();
  auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(t->getAsCXXRecordDecl());
  return r && is_std(r, "complex") ? r->getTemplateArgs()[0].getAsType() : QualType();
}

Lowerer::Complex Lowerer::complex_at(const Pointer& place) {
  Node* part = place.targets[0];
  while (part && part->kind != Node::scalar) part = part->kind == Node::record ? part->fields.at(0).second : part->element;
  if (!part) refuse("a complex number behind a null pointer");
  Pointer z = place;
  while (z.targets[0]->kind == Node::record) z = mem.field(z, z.targets[0]->fields[0].first);
  return {mem.load(mem.element(z, ir::index(b, 0)), part->dtype), mem.load(mem.element(z, ir::index(b, 1)), part->dtype)};
}
void Lowerer::store_complex(const Pointer& place, Complex z) {
  mem.store(mem.element(place, ir::index(b, 0)), z.re);
  mem.store(mem.element(place, ir::index(b, 1)), z.im);
}

/// An expression of the built-in complex type, or a real one as the other operand beside such.
Lowerer::Complex Lowerer::complex(const Expr* e) {
  check_stack(e->getExprLoc());
  Restore at(here, e->getExprLoc());
  e = bare(e);
  const QualType t = e->getType();
  if (!t->isAnyComplexType()) return {number(e), {}};
  const QualType part = t->castAs<ComplexType>()->getElementType();
  if (e->isGLValue()) return complex_at(place(e));
  if (auto* l = dyn_cast<ImaginaryLiteral>(e)) { const X x = converted(number(l->getSubExpr()), part); return {ir::like(x, 0), x}; }
  if (auto* u = dyn_cast<UnaryOperator>(e)) {
    const Complex z = complex(u->getSubExpr());
    if (u->getOpcode() == UO_Minus) return {-z.re, -z.im};
    if (u->getOpcode() == UO_Not) return {z.re, -z.im};
    if (u->getOpcode() == UO_Plus || u->getOpcode() == UO_Extension) return z;
  }
  if (auto* c = dyn_cast<CastExpr>(e)) {
    const Expr* from = c->getSubExpr();
    switch (c->getCastKind()) {
      case CK_LValueToRValue: return complex_at(place(from));
      case CK_NoOp: return complex(from);
      case CK_FloatingRealToComplex: { const X x = converted(number(from), part); return {x, ir::like(x, 0)}; }
      case CK_FloatingComplexCast: { const Complex z = complex(from); return {converted(z.re, part), converted(z.im, part)}; }
      default: break;
    }
  }
  if (auto* o = dyn_cast<BinaryOperator>(e)) {
    if (o->isAssignmentOp()) return complex_at(place(o));
    if (o->getOpcode() == BO_Comma) { effect(o->getLHS()); return complex(o->getRHS()); }
    const Complex x = complex(o->getLHS());
    return complex_arithmetic(o->getOpcode(), x, complex(o->getRHS()));
  }
  if (auto* l = dyn_cast<InitListExpr>(e)) {
    if (l->getNumInits() == 1 && l->getInit(0)->getType()->isAnyComplexType()) return complex(l->getInit(0));
    const X none = ir::constant(b, ir::Number::of(dtype(part), 0));
    auto given = [&](unsigned i) { return i < l->getNumInits() ? converted(number(l->getInit(i)), part) : none; };
    const X re = given(0);
    return {re, given(1)};
  }
  if (isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) { const X none = ir::constant(b, ir::Number::of(dtype(part), 0)); return {none, none}; }
  if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) return complex(m->getSubExpr());
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e)) {
    auto arm = [&](const Expr* x) { return [this, x] { const Complex z = complex(x); return std::vector<X>{z.re, z.im}; }; };
    const auto r = mem.branch(condition(c->getCond()), arm(c->getTrueExpr()), arm(c->getFalseExpr()));
    return {r[0], r[1]};
  }
  if (auto* c = dyn_cast<CallExpr>(e)) {
    Node* n = call(c).object;
    if (!n) refuse("a call that gives no complex number");
    return complex_at(mem.at(n));
  }
  refuse(std::string("a complex number made by an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
}
Lowerer::Complex Lowerer::complex_arithmetic(BinaryOperatorKind op, Complex x, Complex y) {
  switch (op) {
    case BO_Add: return {x.re + y.re, sum(x.im, y.im)};
    case BO_Sub: return {x.re - y.re, difference(x.im, y.im)};
    case BO_Mul: return times(x, y);
    case BO_Div: return divided(mem, x, y);
    default: refuse(std::string("the operator '") + BinaryOperator::getOpcodeStr(op).str() + "' on complex numbers is not supported in differentiated code");
  }
}

/// What ends in C's library, by the names of C, of the builtins, and std::pow with a real exponent, whose body forgets the
/// imaginary part where that is zero.
std::optional<Lowerer::Result> Lowerer::complex_function(const FunctionDecl* f, const CallExpr* e) {
  auto in = [&](unsigned i) { return !complex_element(e->getArg(i)->getType()).isNull(); };
  llvm::StringRef name = f->getName();
  const QualType t = f->getReturnType();
  auto give = [&](Complex z) {
    mem.origin(e, frame->id);
    Node* n = local(t, "");
    Node* parts = n;
    while (parts->kind == Node::record) parts = parts->fields.at(0).second;
    store_complex(mem.at(parts), z);
    return Result{.object = n};
  };
  auto argument = [&](unsigned i) { return e->getArg(i)->getType()->isRecordType() ? complex_at(place(e->getArg(i))) : complex(e->getArg(i)); };
  if (f->isInStdNamespace()) {
    if (name != "pow" || e->getNumArgs() != 2 || complex_element(t).isNull() || !(in(0) || in(1))) return {};
    const X like = in(0) ? argument(0).re : argument(1).re;
    auto of = [&](unsigned i) {
      const Complex z = in(i) ? argument(i) : Complex{ir::convert(number(e->getArg(i)->IgnoreImplicit()), like.type().dtype), ir::like(like, 0)};
      return Complex{ir::convert(z.re, dtype(complex_element(t))), ir::convert(z.im, dtype(complex_element(t)))};
    };
    const Complex z = of(0);
    return give(power(mem, z, of(1)));
  }
  if (e->getNumArgs() == 0 || !in(0) || !(name.consume_front("__builtin_c") || (f->isExternC() && name.consume_front("c")))) return {};
  name.consume_back("f");
  const Complex z = argument(0);
  if (name == "abs") return Result{.number = converted(ops::hypot(z.re, z.im), t)};
  if (name == "arg") return Result{.number = converted(ops::atan2(z.im, z.re), t)};
  if (name == "real") return Result{.number = converted(z.re, t)};
  if (name == "imag") return Result{.number = converted(z.im, t)};
  if (name == "pow") return give(power(mem, z, argument(1)));
  if (auto r = function(mem, name, z)) return give(*r);
  refuse("'std::" + name.str() + "' of a complex number is not supported in differentiated code");
}

}  // namespace tlaloc::frontend
