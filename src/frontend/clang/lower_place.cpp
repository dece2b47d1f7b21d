// SPDX-License-Identifier: Apache-2.0
//
// Variables, and the expressions that denote a place or a pointer. Refused by name: what reads memory as another type,
// bit-fields, pointers to functions and members that are not known at compile time.
#include "frontend/clang/lower_eigen.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;

/// Without the layers that mean nothing to us.
const Expr* bare(const Expr* e) {
  for (;;) {
    if (auto* x = dyn_cast<ParenExpr>(e)) e = x->getSubExpr();
    else if (auto* c = dyn_cast<ConstantExpr>(e)) e = c->getSubExpr();
    else if (auto* f = dyn_cast<FullExpr>(e)) e = f->getSubExpr();
    else if (auto* t = dyn_cast<CXXBindTemporaryExpr>(e)) e = t->getSubExpr();
    else if (auto* s = dyn_cast<SubstNonTypeTemplateParmExpr>(e)) e = s->getReplacement();
    else if (auto* a = dyn_cast<CXXDefaultArgExpr>(e)) e = a->getExpr();
    else if (auto* i = dyn_cast<CXXDefaultInitExpr>(e)) e = i->getExpr();
    else if (auto* r = dyn_cast<CXXRewrittenBinaryOperator>(e)) e = r->getSemanticForm();
    else if (auto* g = dyn_cast<GenericSelectionExpr>(e)) e = g->getResultExpr();
    else if (auto* o = dyn_cast<OpaqueValueExpr>(e); o && o->getSourceExpr()) e = o->getSourceExpr();
    else if (auto* u = dyn_cast<UnaryOperator>(e); u && (u->getOpcode() == UO_Extension || u->getOpcode() == UO_Plus) && !u->getType()->isArithmeticType()) e = u->getSubExpr();
    else return e;
  }
}

// --- variables ---
Pointer Lowerer::self() {
  if (!frame->captured_this) return frame->self;
  const Pointer field = mem.field(frame->self, frame->captured_this->getCanonicalDecl());
  return frame->captured_this->getType()->isPointerType() ? mem.load_pointer(field) : field;
}
Pointer Lowerer::variable(const ValueDecl* d) {
  if (auto it = frame->vars.find(d); it != frame->vars.end()) return it->second;
  if (auto* field = frame->captures.lookup(d)) {
    const Pointer p = mem.field(frame->self, field->getCanonicalDecl());
    return field->getType()->isReferenceType() ? mem.load_pointer(p) : p;
  }
  if (auto* binding = dyn_cast<BindingDecl>(d)) {
    if (auto* holder = binding->getHoldingVar()) return variable(holder);
    return place(binding->getBinding());
  }
  if (auto* o = dyn_cast<TemplateParamObjectDecl>(d)) return mem.at(constant_object(o->getType(), o->getValue(), "constant", o));
  auto* v = dyn_cast<VarDecl>(d);
  if (!v) refuse("'" + d->getNameAsString() + "' is not a variable that can be lowered");
  if (v->hasGlobalStorage()) return global(v);
  if (v->getInit() && !v->getInit()->isValueDependent() && v->mightBeUsableInConstantExpressions(context))
    if (const APValue* value = v->evaluateValue()) return frame->vars[d] = mem.at(constant_object(v->getType(), *value, v->getNameAsString(), v));
  refuse("'" + v->getNameAsString() + "' is a variable of an enclosing function that is not captured");
}
/// static const T x = ...; of a value that the compiler does not know: computed in every call, where it is declared. It may
/// depend on constants alone, for its value is that of the first call.
bool Lowerer::static_constant(const VarDecl* v) {
  if (!v->isStaticLocal() || v->getTLSKind() != VarDecl::TLS_None || !v->hasInit() || !context.getBaseElementType(v->getType()).isConstQualified()) return false;
  if (v->evaluateValue()) return false;
  struct Reads : RecursiveASTVisitor<Reads> {
    explicit Reads(const VarDecl* constant) : v(constant) {}
    const VarDecl* v;
    bool fine = true;
    bool VisitDeclRefExpr(DeclRefExpr* e) {
      if (auto* d = dyn_cast<VarDecl>(e->getDecl()); d && !d->hasGlobalStorage()) fine &= !d->getDeclContext()->Encloses(v->getDeclContext());
      return true;
    }
    bool VisitCXXThisExpr(CXXThisExpr*) { return fine = false; }
  } reads(v);
  reads.TraverseStmt(const_cast<Expr*>(v->getInit()));
  return reads.fine;
}
void Lowerer::declare(const VarDecl* v) {
  const bool constant = v->hasGlobalStorage() && static_constant(v);
  if (v->hasGlobalStorage() && !constant) return; // read where it is named
  Restore only(constant_only_, constant ? v : constant_only_);
  Restore at(here, v->getLocation());
  const QualType t = v->getType().getCanonicalType();
  const std::string name = v->getNameAsString();
  const Expr* init = v->getInit();
  if (is_number(t)) dtype(t);                     // says at the variable when the type is not supported
  if (auto* array = context.getAsVariableArrayType(t)) {
    if (array->getElementType()->isVariableArrayType()) refuse("the array '" + name + "' has two lengths known only at run time; use a flat array");
    const X count = ir::convert(number(array->getSizeExpr()), ir::index_type);
    mem.origin(v, frame->id);
    frame->vars[v] = mem.at(growing(array->getElementType(), name, [&](Node* leaf, std::int64_t per_element) {
      leaf->buffer = b.append(ir::ops::alloc, {(count * ir::index(b, -per_element)).v}, {leaf->dtype})->results[0];
      leaf->buffer->name = leaf->name;
    }));
    return;
  }
  if (t->isReferenceType() && !t->isFunctionReferenceType()) {
    frame->vars[v] = place(init);
  } else if (t->isFunctionPointerType() || t->isFunctionReferenceType()) {
    mem.origin(v, frame->id);
    Node* n = mem.make(Node::function, name);
    n->callee = init ? callee(init) : nullptr;
    frame->vars[v] = mem.at(n);
  } else if (t->isMemberPointerType()) {
    mem.origin(v, frame->id);
    Node* n = mem.make(Node::function, name);
    n->callee = init ? member(init) : nullptr;
    frame->vars[v] = mem.at(n);
  } else if (init && t->isRecordType()) {
    frame->vars[v] = mem.at(object(init, name));
  } else {
    // The initialiser may name the variable; its value is read before the variable has one.
    std::optional<X> x;
    if (init && is_number(t) && !isa<InitListExpr>(bare(init))) x = converted(number(init), t);
    std::optional<Pointer> p;
    if (init && t->isPointerType() && !isa<InitListExpr>(bare(init))) p = pointer(init);
    if (p && p->only()) Objects::leaves(p->only(), [&](Node* l) { if (l->buffer && l->buffer->name == "memory") l->buffer->name = name; });
    mem.origin(v, frame->id);
    Node* n = local(t, name);
    frame->vars[v] = mem.at(n);
    if (x) mem.store(mem.at(n), *x);
    else if (p) mem.store_pointer(mem.at(n), *p);
    else if (init) initialise(mem.at(n), t, init);
  }
  if (auto* d = dyn_cast<DecompositionDecl>(v))
    for (auto* binding : d->bindings()) if (auto* holder = binding->getHoldingVar()) declare(holder);
  if (!owned_ || constant || t->isReferenceType()) return destroy_check(t);
  if (busy_destructor(t)) owned_->push_back({frame->vars[v], v});
}

Pointer Lowerer::base_of(Pointer p, CastExpr::path_const_iterator first, CastExpr::path_const_iterator last) {
  for (; first != last; ++first) p = mem.field(p, (*first)->getType()->getAsCXXRecordDecl()->getCanonicalDecl());
  return p;
}
static Pointer derived_of(Objects& mem, Pointer p, const CastExpr* e) {
  std::vector<const CXXRecordDecl*> path;
  for (auto* s : e->path()) path.push_back(s->getType()->getAsCXXRecordDecl()->getCanonicalDecl());
  for (auto it = path.rbegin(); it != path.rend(); ++it) p = mem.outer(p, *it);
  return p;
}
// --- places ---
Expr* Lowerer::as_expression(const Pointer& p, QualType t) {
  auto* e = new (context) OpaqueValueExpr(here, t.getNonReferenceType(), VK_LValue);
  given_[e] = p;
  return e;
}
Pointer Lowerer::chosen(const AbstractConditionalOperator* c, const std::function<Pointer(const Expr*)>& value) {
  const X test = condition(c->getCond());
  for (const bool first : {true, false}) {        // a throw gives no place
    const Expr *thrown = first ? c->getTrueExpr() : c->getFalseExpr(), *other = first ? c->getFalseExpr() : c->getTrueExpr();
    if (!isa<CXXThrowExpr>(bare(thrown))) continue;
    mem.when(first ? test : ir::ops::logical_not(test), [&] { effect(thrown); });
    return value(other);
  }
  Pointer yes, no;
  auto arm = [&](const Expr* e, Pointer& p) { return [&, e] { p = value(e); return std::vector<X>{p.tag ? p.tag : ir::index(b, 0), p.index}; }; };
  if (auto* known = ir::constant_of(test.v)) return value(known->bits ? c->getTrueExpr() : c->getFalseExpr());
  const auto r = mem.branch(test, arm(c->getTrueExpr(), yes), arm(c->getFalseExpr(), no));
  for (auto* p : {&yes, &no}) mem.outlive(*p), p->tag = p->tag ? r[0] : X{}, p->index = r[1];
  return mem.choose(test, yes, no);
}
Pointer Lowerer::place(const Expr* e) {
  Restore at(here, e->getExprLoc());
  e = bare(e);
  if (auto it = given_.find(e); it != given_.end()) return it->second;
  if (auto* d = dyn_cast<DeclRefExpr>(e)) return variable(d->getDecl());
  if (auto* m = dyn_cast<MemberExpr>(e)) {
    if (auto* v = dyn_cast<VarDecl>(m->getMemberDecl())) return global(v);
    auto* f = dyn_cast<FieldDecl>(m->getMemberDecl());
    if (!f) refuse("the member '" + m->getMemberDecl()->getNameAsString() + "' is not a variable");
    if (f->isBitField()) refuse("the bit-field '" + f->getNameAsString() + "' is not supported in differentiated code");
    const Pointer object = m->isArrow() ? pointer(m->getBase()) : place(m->getBase());
    const Pointer p = mem.field(object, f->getCanonicalDecl());
    return f->getType()->isReferenceType() ? mem.load_pointer(p) : p;
  }
  if (auto* a = dyn_cast<ArraySubscriptExpr>(e)) {
    const Pointer p = pointer(a->getBase());
    return mem.advance(p, ir::convert(number(a->getIdx()), ir::index_type));
  }
  if (auto* u = dyn_cast<UnaryOperator>(e)) {
    if (u->getOpcode() == UO_Deref) return pointer(u->getSubExpr());
    if (u->isIncrementDecrementOp() && u->isPrefix()) {
      if (u->getType()->isPointerType()) { step_pointer(u); return place(u->getSubExpr()); }
      Pointer p;
      step(u, &p);
      return p;
    }
    if (u->getOpcode() == UO_Extension) return place(u->getSubExpr());
    if (u->getOpcode() == UO_Real || u->getOpcode() == UO_Imag) {
      const Pointer whole = place(u->getSubExpr());
      return u->getSubExpr()->getType()->isAnyComplexType() ? mem.element(whole, ir::index(b, u->getOpcode() == UO_Imag)) : whole;
    }
  }
  if (auto* c = dyn_cast<CompoundAssignOperator>(e)) return compound(c);
  if (auto* o = dyn_cast<BinaryOperator>(e)) {
    if (o->getOpcode() == BO_Assign) return assign(o);
    if (o->getOpcode() == BO_Comma) { effect(o->getLHS()); return place(o->getRHS()); }
    if (o->isPtrMemOp()) {
      const Pointer object = o->getOpcode() == BO_PtrMemI ? pointer(o->getLHS()) : place(o->getLHS());
      return mem.field(object, member(o->getRHS())->getCanonicalDecl());
    }
  }
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e); c && e->isGLValue()) return chosen(c, [this](const Expr* x) { return place(x); });
  if (auto* c = dyn_cast<CallExpr>(e); c && e->isGLValue()) return call(c).pointer;
  if (auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) { destroy_check(m->getType()); return place(m->getSubExpr()); }
  if (auto* l = dyn_cast<InitListExpr>(e); l && e->isGLValue() && l->getNumInits() == 1) return place(l->getInit(0));
  if (auto* c = dyn_cast<CastExpr>(e); c && e->isGLValue()) {
    switch (c->getCastKind()) {
      case CK_NoOp: return place(c->getSubExpr());
      case CK_DerivedToBase: case CK_UncheckedDerivedToBase:
        if (in_eigen(e->getType()->getAsCXXRecordDecl())) return place(c->getSubExpr());
        return base_of(place(c->getSubExpr()), c->path_begin(), c->path_end());
      case CK_BaseToDerived: return derived_of(mem, place(c->getSubExpr()), c);
      case CK_UserDefinedConversion: return place(c->getSubExpr());
      default: refuse(std::string("a cast of kind '") + c->getCastKindName() + "' reads an object as another type, which is not supported in differentiated code");
    }
  }
  if (auto* s = dyn_cast<StringLiteral>(e)) return characters(s);
  if (auto* f = dyn_cast<PredefinedExpr>(e); f && f->getFunctionName()) return characters(f->getFunctionName());
  if (e->isGLValue()) refuse(std::string("an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
  // A prvalue: a temporary holds it.
  const QualType t = e->getType().getCanonicalType();
  if (t->isRecordType()) return mem.at(object(e, ""));
  std::optional<X> x;
  std::optional<Pointer> p;
  if (is_number(t)) x = number(e); else if (t->isPointerType() && !t->isFunctionPointerType()) p = pointer(e);
  mem.origin(e, frame->id);
  Node* n = local(t, "");
  if (x) mem.store(mem.at(n), *x); else if (p) mem.store_pointer(mem.at(n), *p); else initialise(mem.at(n), t, e);
  return mem.at(n);
}
Pointer Lowerer::assign(const BinaryOperator* o) {
  const QualType t = o->getLHS()->getType();
  if (t->isFunctionPointerType() || t->isMemberPointerType()) refuse("a pointer to a function or member that changes; choose with an if");
  if (t->isPointerType()) {
    const Pointer value = pointer(o->getRHS());
    const Pointer to = place(o->getLHS());
    mem.store_pointer(to, value);
    return to;
  }
  if (!is_number(t)) {
    const Pointer to = place(o->getLHS());
    initialise(to, t, o->getRHS());
    return to;
  }
  const X x = converted(number(o->getRHS()), t);
  const Pointer to = place(o->getLHS());
  mem.store(to, x);
  return to;
}
Pointer Lowerer::compound(const CompoundAssignOperator* o) {
  const QualType t = o->getLHS()->getType();
  const auto op = BinaryOperator::getOpForCompoundAssignment(o->getOpcode());
  if (t->isAnyComplexType()) {
    const Complex z = complex(o->getRHS());
    const Pointer to = place(o->getLHS());
    store_complex(to, complex_arithmetic(op, complex_at(to), z));
    return to;
  }
  const X y = number(o->getRHS());
  const Pointer to = place(o->getLHS());
  if (t->isPointerType()) {
    const X n = ir::convert(y, ir::index_type);
    mem.store_pointer(to, mem.advance(mem.load_pointer(to), op == BO_Sub ? -n : n));
    return to;
  }
  const X old = converted(mem.load(to, dtype(t)), o->getComputationLHSType());
  mem.store(to, converted(arithmetic(op, old, y), t));
  return to;
}

// --- pointers ---
Pointer Lowerer::step_pointer(const UnaryOperator* u) {
  const Pointer p = place(u->getSubExpr());
  const Pointer old = mem.load_pointer(p);
  const Pointer next = mem.advance(old, ir::index(b, u->isIncrementOp() ? 1 : -1));
  mem.store_pointer(p, next);
  return u->isPostfix() ? old : next;
}
Pointer Lowerer::pointer(const Expr* e) {
  Restore at(here, e->getExprLoc());
  e = bare(e);
  if (e->isGLValue()) {
    if (e->getType()->isArrayType()) return mem.element(place(e), ir::index(b, 0));
    return mem.load_pointer(place(e));
  }
  if (auto* c = dyn_cast<CastExpr>(e)) {
    const Expr* from = c->getSubExpr();
    switch (c->getCastKind()) {
      case CK_NullToPointer: return mem.null();
      case CK_ArrayToPointerDecay: return mem.element(place(from), ir::index(b, 0));
      case CK_LValueToRValue: return mem.load_pointer(place(from));
      case CK_NoOp: case CK_UserDefinedConversion: return pointer(from);
      case CK_DerivedToBase: case CK_UncheckedDerivedToBase: return base_of(pointer(from), c->path_begin(), c->path_end());
      case CK_BaseToDerived: return derived_of(mem, pointer(from), c);
      case CK_BitCast:
        if (auto p = allocated(c)) return *p;
        if (from->getType()->isPointerType() && context.hasSameUnqualifiedType(from->getType()->getPointeeType(), c->getType()->getPointeeType())) return pointer(from);
        refuse("a pointer to '" + shared.type_name(from->getType()->getPointeeType()) + "' converted to '" + shared.type_name(c->getType()) + "' reads memory as another type, which is not supported in differentiated code");
      default: refuse(std::string("a conversion of kind '") + c->getCastKindName() + "' to a pointer is not supported in differentiated code");
    }
  }
  if (isa<CXXNullPtrLiteralExpr>(e) || isa<GNUNullExpr>(e) || isa<ImplicitValueInitExpr>(e) || isa<CXXScalarValueInitExpr>(e)) return mem.null();
  if (auto* l = dyn_cast<InitListExpr>(e)) return l->getNumInits() ? pointer(l->getInit(0)) : mem.null();
  if (isa<CXXThisExpr>(e)) return self();
  if (auto* u = dyn_cast<UnaryOperator>(e)) {
    if (u->getOpcode() == UO_AddrOf) return place(u->getSubExpr());
    if (u->isIncrementDecrementOp()) return step_pointer(u);
  }
  if (auto* o = dyn_cast<BinaryOperator>(e)) {
    if (o->getOpcode() == BO_Comma) { effect(o->getLHS()); return pointer(o->getRHS()); }
    if (o->isAssignmentOp()) return mem.load_pointer(place(o));
    const bool left = o->getLHS()->getType()->isPointerType();
    if (o->getOpcode() == BO_Add || o->getOpcode() == BO_Sub) {
      const Pointer p = pointer(left ? o->getLHS() : o->getRHS());
      const X n = ir::convert(number(left ? o->getRHS() : o->getLHS()), ir::index_type);
      return mem.advance(p, o->getOpcode() == BO_Sub ? -n : n);
    }
  }
  if (auto* c = dyn_cast<AbstractConditionalOperator>(e)) return chosen(c, [this](const Expr* x) { return pointer(x); });
  if (auto* c = dyn_cast<CallExpr>(e)) return call(c).pointer;
  if (auto* n = dyn_cast<CXXNewExpr>(e)) return created(n);
  refuse(std::string("a pointer from an expression of kind '") + e->getStmtClassName() + "' is not supported in differentiated code");
}
const ValueDecl* Lowerer::member(const Expr* e) {
  Expr::EvalResult r;
  if (!e->isValueDependent() && e->EvaluateAsRValue(r, context) && r.Val.isMemberPointer() && r.Val.getMemberPointerDecl() && r.Val.getMemberPointerPath().empty()) return r.Val.getMemberPointerDecl();
  e = bare(e);
  while (auto* c = dyn_cast<CastExpr>(e)) {
    if (c->getCastKind() != CK_LValueToRValue && c->getCastKind() != CK_NoOp) break;
    e = bare(c->getSubExpr());
  }
  if (e->isGLValue())
    if (Node* n = place(e).only(); n && n->kind == Node::function && n->callee) return static_cast<const ValueDecl*>(n->callee);
  refuse(e->getExprLoc(), "a pointer to a member that is not known at compile time; choose with an if or use a lambda");
}
const FunctionDecl* Lowerer::callee(const Expr* e) {
  e = bare(e);
  while (auto* c = dyn_cast<CastExpr>(e)) {
    if (c->getCastKind() == CK_UserDefinedConversion) break;
    e = bare(c->getSubExpr());
  }
  if (auto* u = dyn_cast<UnaryOperator>(e); u && (u->getOpcode() == UO_AddrOf || u->getOpcode() == UO_Deref)) return callee(u->getSubExpr());
  if (auto* o = dyn_cast<BinaryOperator>(e); o && o->isPtrMemOp()) return cast<FunctionDecl>(member(o->getRHS()));
  if (auto* d = dyn_cast<DeclRefExpr>(e)) {
    if (auto* f = dyn_cast<FunctionDecl>(d->getDecl())) return f;
    const Pointer p = variable(d->getDecl());
    if (p.only() && p.only()->kind == Node::function && p.only()->callee) return static_cast<const FunctionDecl*>(p.only()->callee);
  }
  if (auto it = given_.find(e); it != given_.end())
    if (Node* n = it->second.only(); n && n->kind == Node::function && n->callee) return static_cast<const FunctionDecl*>(n->callee);
  if (auto* m = dyn_cast<MemberExpr>(e)) {
    if (auto* f = dyn_cast<FunctionDecl>(m->getMemberDecl())) return f;
    const Pointer p = place(m);
    if (p.only() && p.only()->kind == Node::function && p.only()->callee) return static_cast<const FunctionDecl*>(p.only()->callee);
  }
  if (auto* c = dyn_cast<CastExpr>(e)) e = bare(c->getSubExpr());
  if (auto* c = dyn_cast<CXXMemberCallExpr>(e))   // a lambda without captures, as a function pointer
    if (c->getMethodDecl() && isa<CXXConversionDecl>(c->getMethodDecl()) && c->getMethodDecl()->getParent()->isLambda()) return c->getMethodDecl()->getParent()->getLambdaCallOperator();
  refuse(e->getExprLoc(), "a call through a function pointer that is not known at compile time; pass a lambda or a template argument");
}

}  // namespace tlaloc::frontend
