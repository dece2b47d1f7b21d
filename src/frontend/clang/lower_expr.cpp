// SPDX-License-Identifier: Apache-2.0
//
// Expressions: numbers with the conversions that Clang made explicit, what initialises an object, what is evaluated for its
// effect. Constants that Clang's evaluator knows become constants. Refused by name: throw of what is not known.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

// --- conversions ---
X Lowerer::converted(X x, QualType to) {
  const auto d = dtype(to);
  if (x.type().dtype == d) return x;
  if (d != ir::DType::boolean) return ir::convert(x, d);
  if (auto* n = ir::constant_of(x.v)) return mem.truth(n->as_double() != 0 || n->real != n->real);
  return x != ir::like(x, 0);
}
std::optional<X> Lowerer::evaluated(const Expr* e) {
  Expr::EvalResult r;
  if (e->isValueDependent() || !is_number(e->getType()) || !e->EvaluateAsRValue(r, context) || r.HasSideEffects) return {};
  if (!r.Val.isInt() && !r.Val.isFloat()) return {};
  return constant(e->getType(), r.Val);
}

// --- numbers ---
X Lowerer::number(const Expr* e) {
  check_stack(e->getExprLoc());
  Restore at(here, e->getExprLoc());
  if (auto* c = dyn_cast<ConstantExpr>(e)) if (auto x = evaluated(c)) return *x;
  e = bare(e);
  const QualType t = e->getType();
  if (e->isGLValue()) {
    if (!is_number(t.getNonReferenceType())) refuse("'" + shared.type_name(t) + "' is not a number");
    return mem.load(place(e), dtype(t));
  }
  if (auto* l = dyn_cast<FloatingLiteral>(e)) return constant(t, APValue(l->getValue()));
  if (auto* l = dyn_cast<IntegerLiteral>(e)) return constant(t, APValue(llvm::APSInt(l->getValue(), t->isUnsignedIntegerType())));
  if (auto* l = dyn_cast<CXXBoolLiteralExpr>(e)) return mem.truth(l->getValue());
  if (auto* l = dyn_cast<CharacterLiteral>(e)) return ir::constant(b, ir::Number::of(dtype(t), std::int64_t(l->getValue())));
  if (auto* u = dyn_cast<UnaryOperator>(e)) return unary(u);
  if (auto* o = dyn_cast<BinaryOperator>(e)) return binary(o);
  if (auto* c = dyn_cast<CastExpr>(e)) return cast(c);
  if (auto* c = dyn_cast<CallExpr>(e)) {
    const X x = call(c).number;
    if (!x) refuse("a call that gives no number");
    return x;
  }
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e)) {
    const Expr* test = c->getCond();
    const X condition_value = condition(test);
    for (auto* arm : {c->getTrueExpr(), c->getFalseExpr()}) {              // a throw gives no value
      if (!isa<CXXThrowExpr>(bare(arm))) continue;
      const bool yes = arm == c->getTrueExpr();
      mem.when(yes ? condition_value : ops::logical_not(condition_value), [&] { effect(arm); });
      return number(yes ? c->getFalseExpr() : c->getTrueExpr());
    }
    return mem.branch(condition_value, [&] { return std::vector<X>{number(c->getTrueExpr())}; }, [&] { return std::vector<X>{number(c->getFalseExpr())}; })[0];
  }
  if (isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) return ir::constant(b, ir::Number::of(dtype(t), 0));
  if (auto* l = dyn_cast<InitListExpr>(e)) {
    if (l->getNumInits() == 0) return ir::constant(b, ir::Number::of(dtype(t), 0));
    if (l->getNumInits() == 1) return number(l->getInit(0));
  }
  if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) return number(m->getSubExpr());
  if (auto* thrown = dyn_cast<CXXThrowExpr>(e); thrown) effect(thrown);
  if (auto x = evaluated(e)) return *x;
  refuse(std::string("an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
}
X Lowerer::unary(const UnaryOperator* u) {
  switch (u->getOpcode()) {
    case UO_Plus: case UO_Extension: return number(u->getSubExpr());
    case UO_Minus: return -number(u->getSubExpr());
    case UO_Real: return complex(u->getSubExpr()).re;
    case UO_Imag: return complex(u->getSubExpr()).im;
    case UO_Not: return ops::bit_not(number(u->getSubExpr()));
    case UO_LNot: {
      const Expr* s = u->getSubExpr();
      const X x = converted(number(s), context.BoolTy);
      if (auto* n = ir::constant_of(x.v)) return mem.truth(!n->bits);
      return ops::logical_not(x);
    }
    case UO_PreInc: case UO_PreDec: case UO_PostInc: case UO_PostDec: return step(u, nullptr);
    default: refuse(std::string("the operator '") + UnaryOperator::getOpcodeStr(u->getOpcode()).str() + "' is not supported here");
  }
}
/// ++ and --: the new value, or the old one for the postfix forms.
X Lowerer::step(const UnaryOperator* u, Pointer* place_out) {
  const QualType t = u->getSubExpr()->getType();
  const Pointer p = place(u->getSubExpr());
  const auto d = dtype(t);
  const X old = mem.load(p, d);
  // Narrow integers compute as int, as C++ does.
  const auto wide = ir::is_integer(d) && ir::bit_width(d) < 32 ? ir::DType::i32 : d;
  const X x = ir::convert(old, wide), one = ir::constant(b, ir::Number::of(wide, 1));
  const X next = ir::convert(u->isIncrementOp() ? arithmetic(BO_Add, x, one) : arithmetic(BO_Sub, x, one), d);
  mem.store(p, next);
  if (place_out) *place_out = p;
  return u->isPostfix() ? old : next;
}
X Lowerer::arithmetic(BinaryOperatorKind op, X x, X y) {
  const bool real = x.type().real();
  switch (op) {
    case BO_Add: return real ? ops::add(x, y) : x + y;
    case BO_Sub: return real ? ops::sub(x, y) : x - y;
    case BO_Mul: return real ? ops::mul(x, y) : x * y;
    case BO_Div: return real ? ops::div(x, y) : x / y;
    case BO_Rem: return ops::rem(x, y);
    case BO_Shl: return ops::shift_left(x, ir::convert(y, x.type().dtype));
    case BO_Shr: return ops::shift_right(x, ir::convert(y, x.type().dtype));
    case BO_And: return ops::bit_and(x, y);
    case BO_Or: return ops::bit_or(x, y);
    case BO_Xor: return ops::bit_xor(x, y);
    default: refuse(std::string("the operator '") + BinaryOperator::getOpcodeStr(op).str() + "' is not supported in differentiated code");
  }
}
static std::optional<ir::Compare> comparison(BinaryOperatorKind op) {
  switch (op) {
    case BO_EQ: return ir::Compare::eq;
    case BO_NE: return ir::Compare::ne;
    case BO_LT: return ir::Compare::lt;
    case BO_LE: return ir::Compare::le;
    case BO_GT: return ir::Compare::gt;
    case BO_GE: return ir::Compare::ge;
    default: return {};
  }
}
X Lowerer::short_circuit(const BinaryOperator* o) {
  const X left = converted(number(o->getLHS()), context.BoolTy);
  auto right = [&] { return std::vector<X>{converted(number(o->getRHS()), context.BoolTy)}; };
  if (o->getOpcode() == BO_LAnd) return mem.branch(left, right, [&] { return std::vector<X>{mem.truth(false)}; })[0];
  return mem.branch(left, [&] { return std::vector<X>{mem.truth(true)}; }, right)[0];
}
X Lowerer::binary(const BinaryOperator* o) {
  const auto op = o->getOpcode();
  const QualType t = o->getLHS()->getType();
  if (o->isLogicalOp()) return short_circuit(o);
  if (op == BO_Comma) { effect(o->getLHS()); return number(o->getRHS()); }
  if (o->isAssignmentOp()) return mem.load(place(o), dtype(o->getType()));
  if (t->isPointerType() || t->isNullPtrType() || o->getRHS()->getType()->isPointerType()) {
    const Pointer p = pointer(o->getLHS()), q = pointer(o->getRHS());
    if (op == BO_Sub) return mem.difference(p, q);
    if (auto how = comparison(op)) {
      for (auto& [x, y] : {std::pair(&p, &q), std::pair(&q, &p)})
        if (x->only() == nullptr && x->targets.size() == 1)
          for (auto* n : y->targets) if (n && n->outside) refuse("comparing the parameter '" + n->name + "' with null: a differentiated function takes its pointers as valid; pass a bool or use two functions");
      return mem.compare(p, q, *how);
    }
  }
  if ((op == BO_EQ || op == BO_NE) && (t->isAnyComplexType() || o->getRHS()->getType()->isAnyComplexType())) {
    const Complex x = complex(o->getLHS()), y = complex(o->getRHS());
    const X none = ir::like(x.re, 0), same = ops::bit_and(x.re == y.re, (x.im ? x.im : none) == (y.im ? y.im : none));
    return op == BO_EQ ? same : ops::logical_not(same);
  }
  if (auto how = comparison(op)) {
    if (!is_number(t)) refuse("a comparison of '" + shared.type_name(t) + "' is not supported");
    const X x = number(o->getLHS()), y = number(o->getRHS());
    return ops::compare(x, y, *how);
  }
  if (!is_number(t)) refuse(std::string("the operator '") + o->getOpcodeStr().str() + "' on '" + shared.type_name(t) + "' is not supported");
  const X x = number(o->getLHS()), y = number(o->getRHS());
  return arithmetic(op, x, y);
}
X Lowerer::cast(const CastExpr* c) {
  const Expr* from = c->getSubExpr();
  switch (c->getCastKind()) {
    case CK_LValueToRValue: return mem.load(place(from), dtype(c->getType()));
    case CK_FloatingComplexToReal: return complex(from).re;
    case CK_NoOp: case CK_UserDefinedConversion: return number(from);
    case CK_IntegralCast: case CK_FloatingCast: case CK_IntegralToFloating: case CK_FloatingToIntegral:
    case CK_IntegralToBoolean: case CK_FloatingToBoolean: case CK_BooleanToSignedIntegral: return converted(number(from), c->getType());
    case CK_PointerToBoolean: {
      const Pointer p = pointer(from);
      for (auto* n : p.targets) if (n && n->outside) refuse("testing the parameter '" + n->name + "' for null: a differentiated function takes its pointers as valid; pass a bool or use two functions");
      return mem.compare(p, mem.null(), ir::Compare::ne);
    }
    case CK_PointerToIntegral: refuse("a pointer converted to an integer is not supported in differentiated code");
    default:
      if (auto x = evaluated(c)) return *x;
      refuse(std::string("a conversion of kind '") + c->getCastKindName() + "' to '" + shared.type_name(c->getType()) + "' is not supported in differentiated code");
  }
}

// --- objects ---
static void name_leaves(Node* n, const std::string& name) {
  if (name.empty()) return;
  std::function<void(Node*, const std::string&)> visit = [&](Node* x, const std::string& own) {
    const bool value = x->kind == Node::scalar || x->kind == Node::tensor;
    if (value && x->buffer && x->buffer->name.empty()) x->buffer->name = own;
    else if (value && x->buffer && x->buffer->name == x->name && x->parent && own != name) x->buffer->name = own;
    for (auto& [key, child] : x->fields) visit(child, child->name.empty() || child->name == x->name ? own : x->name.empty() ? name + "_" + child->name : child->name);
    if (x->element) visit(x->element, own);
  };
  visit(n, name);
}
Node* Lowerer::object(const Expr* e, const std::string& name) {
  Restore at(here, e->getExprLoc());
  e = bare(e);
  const QualType t = e->getType().getCanonicalType();
  if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e); m) return object(m->getSubExpr(), name);
  if (auto* c = dyn_cast<CastExpr>(e); c && !e->isGLValue()) {
    const auto k = c->getCastKind();
    if (k == CK_NoOp || k == CK_UserDefinedConversion || k == CK_ConstructorConversion) return object(c->getSubExpr(), name);
  }
  if (auto* c = dyn_cast<CXXConstructExpr>(e); c && c->isElidable() && c->getNumArgs() == 1 && !bare(c->getArg(0))->isGLValue()) return object(c->getArg(0), name);
  if (auto* c = dyn_cast<CallExpr>(e); c && !e->isGLValue()) {
    Node* n = call(c).object;
    if (!n) refuse("a call that gives no object");
    name_leaves(n, name);
    return n;
  }
  if (auto* c = dyn_cast<BinaryOperator>(e); c && c->getOpcode() == BO_Comma && !e->isGLValue()) { effect(c->getLHS()); return object(c->getRHS(), name); }
  X count;
  auto* construct = dyn_cast<CXXConstructExpr>(e);
  auto plain_elements = [&](QualType v) {         // whose memory may be made at once
    const QualType own = context.getBaseElementType(vector_element(v));
    return is_number(own) || (own->isRecordType() && own.isTriviallyCopyableType(context));
  };
  if (construct && !vector_element(t).isNull() && plain_elements(t) && construct->getNumArgs() >= 1 && is_number(construct->getArg(0)->getType())) {
    count = ir::convert(number(construct->getArg(0)), ir::index_type);
    mem.origin(e, frame->id);
    Node* n = local(t, name, count);
    const auto args = vector_arguments(construct);
    const bool with_value = args.size() == 2;
    const Pointer value = with_value ? place(args[1]) : Pointer{};
    mem.loop(ir::index(b, 0), count, [&](X i) {
      if (with_value) mem.copy(mem.element(mem.at(n), i), value);
      else mem.zero(mem.element(mem.at(n), i));
    });
    if (!with_value) fill_new(mem.at(n), vector_element(t), ir::index(b, 0), count, e);
    return n;
  }
  mem.origin(e, frame->id);
  Node* n = local(t, name);
  initialise(mem.at(n), t, e);
  return n;
}
void Lowerer::initialise_list(const Pointer& to, QualType t, llvm::ArrayRef<const Expr*> inits, const Expr* filler) {
  if (auto* a = context.getAsConstantArrayType(t)) {
    const auto n = std::int64_t(a->getZExtSize());
    for (std::int64_t i = 0; i < n && i < std::int64_t(inits.size()); ++i) initialise(mem.element(to, ir::index(b, i)), a->getElementType(), inits[std::size_t(i)]);
    const auto rest = std::int64_t(inits.size());
    if (rest >= n) return;
    if (rest == 0 && (!filler || isa<ImplicitValueInitExpr>(filler))) return mem.zero(to);
    if (n - rest <= 16) for (std::int64_t i = rest; i < n; ++i) initialise(mem.element(to, ir::index(b, i)), a->getElementType(), filler);
    else mem.loop(ir::index(b, rest), ir::index(b, n), [&](X i) { initialise(mem.element(to, i), a->getElementType(), filler); });
    return;
  }
  auto* r = t->getAsCXXRecordDecl()->getDefinition();
  std::size_t i = 0;
  for (auto& base : r->bases()) if (i < inits.size()) initialise(mem.field(to, base.getType()->getAsCXXRecordDecl()->getCanonicalDecl()), base.getType(), inits[i++]);
  for (auto* f : r->fields()) {
    if (f->isUnnamedBitField() || i >= inits.size()) continue;
    initialise(mem.field(to, f->getCanonicalDecl()), f->getType(), inits[i++]);
  }
}
void Lowerer::closure(const Pointer& to, const LambdaExpr* l) {
  auto field = l->getLambdaClass()->field_begin();
  for (auto* init : l->capture_inits()) {
    initialise(mem.field(to, field->getCanonicalDecl()), field->getType(), init);
    ++field;
  }
}
void Lowerer::initialise(const Pointer& to, QualType t, const Expr* e) {
  if (!e) return;
  Restore at(here, e->getExprLoc());
  t = t.getCanonicalType();
  if (auto* d = dyn_cast<CXXDefaultInitExpr>(e)) {
    // A member's own initialiser speaks of the object that is being made: the record around the member.
    Node* member = to.only();
    Pointer whole = frame->self;
    if (member && member->parent) whole = {{member->parent}, {}, member->offset ? to.index - ir::index(b, member->offset) : to.index};
    Restore own(frame->self, whole);
    Restore not_captured(frame->captured_this, static_cast<FieldDecl*>(nullptr));
    return initialise(to, t, d->getExpr());
  }
  e = bare(e);
  if (t->isReferenceType()) {
    if (t->isFunctionReferenceType()) { to.targets[0]->callee = callee(e); return; }
    return mem.store_pointer(to, place(e));
  }
  if (t->isMemberPointerType()) { to.targets[0]->callee = isa<ImplicitValueInitExpr>(e) ? nullptr : member(e); return; }
  if (t->isFunctionPointerType()) { to.targets[0]->callee = isa<ImplicitValueInitExpr>(e) ? nullptr : callee(e); return; }
  if (is_number(t)) return mem.store(to, converted(number(e), t));
  if (t->isAnyComplexType()) return store_complex(to, complex(e));
  if (t->isPointerType() || t->isNullPtrType()) return mem.store_pointer(to, pointer(e));
  if (isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) return mem.zero(to);
  if (isa<NoInitExpr>(e)) return;
  if (auto* l = dyn_cast<InitListExpr>(e)) {
    if (l->getNumInits() == 1 && context.hasSameUnqualifiedType(l->getInit(0)->getType(), t) && t->isRecordType() && !l->isSemanticForm()) return initialise(to, t, l->getInit(0));
    if (l->isTransparent()) return initialise(to, t, l->getInit(0));
    std::vector<const Expr*> inits;
    for (unsigned i = 0; i < l->getNumInits(); ++i) inits.push_back(l->getInit(i));
    return initialise_list(to, t, inits, l->getArrayFiller());
  }
  if (auto* l = dyn_cast<CXXParenListInitExpr>(e)) {
    std::vector<const Expr*> inits(l->getInitExprs().begin(), l->getInitExprs().end());
    return initialise_list(to, t, inits, l->getArrayFiller());
  }
  if (auto* c = dyn_cast<CXXConstructExpr>(e)) {
    if (auto* a = context.getAsConstantArrayType(t)) {
      for (std::int64_t i = 0; i < std::int64_t(a->getZExtSize()); ++i) initialise(mem.element(to, ir::index(b, i)), a->getElementType(), e);
      return;
    }
    return construct(to, c);
  }
  if (auto* c = dyn_cast<CXXInheritedCtorInitExpr>(e)) {                  // the base's constructor gets the arguments of ours
    const FunctionDecl* body = shared.definition(c->getConstructor());
    if (!body) refuse(here, "the constructor of '" + c->getConstructor()->getParent()->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
    std::vector<const Expr*> args;
    for (auto* p : frame->function->parameters()) args.push_back(as_expression(variable(p), p->getType()));
    inlined(body, &to, args, e);
    return;
  }
  if (auto* l = dyn_cast<ArrayInitLoopExpr>(e)) return mem.copy(to, place(l->getCommonExpr()));
  if (auto* l = dyn_cast<LambdaExpr>(e)) return closure(to, l);
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e)) {
    mem.branch(condition(c->getCond()), [&] { initialise(to, t, c->getTrueExpr()); return std::vector<X>{}; },
               [&] { initialise(to, t, c->getFalseExpr()); return std::vector<X>{}; });
    return;
  }
  if (auto* o = dyn_cast<BinaryOperator>(e); o && o->getOpcode() == BO_Comma) { effect(o->getLHS()); return initialise(to, t, o->getRHS()); }
  if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) return initialise(to, t, m->getSubExpr());
  if (auto* s = dyn_cast<CXXStdInitializerListExpr>(e)) {
    // A pointer to the array and its length, in the order of the library's members.
    auto* array = bare(s->getSubExpr());
    const auto size = std::int64_t(context.getAsConstantArrayType(array->getType())->getZExtSize());
    const Pointer data = mem.element(place(array), ir::index(b, 0));
    for (auto* f : t->getAsCXXRecordDecl()->getDefinition()->fields()) {
      const Pointer member = mem.field(to, f->getCanonicalDecl());
      if (f->getType()->isPointerType()) mem.store_pointer(member, f->getFieldIndex() == 0 ? data : mem.advance(data, ir::index(b, size)));
      else mem.store(member, ir::constant(b, ir::Number::of(dtype(f->getType()), size)));
    }
    return;
  }
  if (auto* o = dyn_cast<BinaryOperator>(e); o && o->getOpcode() == BO_Cmp) return three_way(to, o);
  if (auto* s = dyn_cast<StringLiteral>(e)) return mem.copy(to, characters(s));
  if (isa<CXXThrowExpr>(e)) refuse("throw of something else than a standard exception with a literal text is not supported in differentiated code; return a status instead");
  if (auto* c = dyn_cast<CastExpr>(e); c && !e->isGLValue()) {
    const auto k = c->getCastKind();
    if (k == CK_NoOp || k == CK_UserDefinedConversion || k == CK_ConstructorConversion) return initialise(to, t, c->getSubExpr());
    if (k != CK_LValueToRValue) refuse(std::string("a conversion of kind '") + c->getCastKindName() + "' to '" + shared.type_name(t) + "' is not supported in differentiated code");
    return mem.copy(to, place(c->getSubExpr()));
  }
  if (e->isGLValue()) return mem.copy(to, place(e));
  if (isa<CallExpr>(e)) return mem.copy(to, mem.at(object(e, "")));
  refuse(std::string("an object made by an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
}

/// a <=> b: the library's ordering types hold one small integer, 2 for numbers without an order.
void Lowerer::three_way(const Pointer& to, const BinaryOperator* o) {
  X less, equal, greater;
  if (o->getLHS()->getType()->isPointerType()) {
    const Pointer p = pointer(o->getLHS()), q = pointer(o->getRHS());
    less = mem.compare(p, q, ir::Compare::lt), equal = mem.compare(p, q, ir::Compare::eq), greater = mem.truth(true);
  } else {
    const X x = number(o->getLHS()), y = number(o->getRHS());
    less = x < y, equal = x == y, greater = x.type().real() ? x > y : mem.truth(true);
  }
  Node* value = to.only() ? Objects::first_leaf(to.only()) : nullptr;
  if (!value || value->kind != Node::scalar) refuse("this library's ordering types are not known");
  auto is = [&](int v) { return ir::constant(b, ir::Number::of(value->dtype, v)); };
  mem.store(mem.at(value), ops::select(less, is(-1), ops::select(equal, is(0), ops::select(greater, is(1), is(2)))));
}

// --- for the effect alone ---
void Lowerer::effect(const Expr* e) {
  Restore at(here, e->getExprLoc());
  e = bare(e);
  const QualType t = e->getType();
  if (auto* c = dyn_cast<CastExpr>(e); c && c->getCastKind() == CK_ToVoid) {
    if (c->getSubExpr()->HasSideEffects(context)) effect(c->getSubExpr());
    return;
  }
  if (auto* c = dyn_cast<CallExpr>(e)) { call(c); return; }
  if (auto* o = dyn_cast<BinaryOperator>(e); o && o->getOpcode() == BO_Comma) { effect(o->getLHS()); effect(o->getRHS()); return; }
  if (auto* u = dyn_cast<UnaryOperator>(e); u && u->isIncrementDecrementOp()) {
    if (u->getType()->isPointerType()) step_pointer(u); else step(u, nullptr);
    return;
  }
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e); c && !e->isGLValue() && (t->isVoidType() || isa<CXXThrowExpr>(bare(c->getTrueExpr())) || isa<CXXThrowExpr>(bare(c->getFalseExpr())))) {
    mem.branch(condition(c->getCond()), [&] { effect(c->getTrueExpr()); return std::vector<X>{}; }, [&] { effect(c->getFalseExpr()); return std::vector<X>{}; });
    return;
  }
  if (auto* thrown = dyn_cast<CXXThrowExpr>(e)) {
    if (throws(thrown)) return;
    refuse("throw of something else than a standard exception with a literal text is not supported in differentiated code; return a status instead");
  }
  if (auto* d = dyn_cast<CXXDeleteExpr>(e)) {     // the memory lives until the function ends
    if (!d->getDestroyedType().isNull()) destroy_check(d->getDestroyedType());
    if (d->getArgument()->HasSideEffects(context)) effect(d->getArgument());
    return;
  }
  if (!e->HasSideEffects(context)) return;
  if (e->isGLValue()) { place(e); return; }
  if (is_number(t)) { number(e); return; }
  if (t->isAnyComplexType()) { complex(e); return; }
  if (t->isPointerType()) { pointer(e); return; }
  if (t->isRecordType()) { destroy_check(t); object(e, ""); return; }
  refuse(std::string("an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
}

}  // namespace tlaloc::frontend
