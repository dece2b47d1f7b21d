// SPDX-License-Identifier: Apache-2.0
//
// Calls. A body that can be seen is written in place; a function that calls itself is called (lower_recursion.cpp); the
// library's mathematics become ops by name and containers have constructs of their own (lower_library.cpp). Refused: a call without a visible body, a virtual call on an unknown object.
#include "frontend/clang/lower_eigen.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

constexpr int deepest_call = 100;

/// Lowering is as deep as the code it follows, and the compiler's stack is what it is.
void Lowerer::check_stack(SourceLocation where) {
  if (clang::isStackNearlyExhausted()) refuse(where, "expressions, statements or calls are nested too deeply here for the compiler's stack; split the function");
}

// --- arguments ---
Pointer Lowerer::argument(const ParmVarDecl* p, const Expr* e) {
  const QualType t = p->getType().getCanonicalType();
  const std::string name = in_library(p) ? "" : p->getNameAsString();
  if (t->isFunctionPointerType() || t->isFunctionReferenceType()) {
    const FunctionDecl* f = callee(e);
    mem.origin(e, frame->id);
    Node* n = mem.make(Node::function, name);
    n->callee = f;
    return mem.at(n);
  }
  if (t->isMemberPointerType()) {
    const ValueDecl* d = member(e);
    mem.origin(e, frame->id);
    Node* n = mem.make(Node::function, name);
    n->callee = d;
    return mem.at(n);
  }
  if (t->isReferenceType()) return place(e);
  destroy_check(t);
  if (t->isRecordType() || t->isAnyComplexType()) return mem.at(object(e, name));
  if (t->isPointerType() || t->isNullPtrType()) {
    if (t->isVoidPointerType()) refuse(e->getExprLoc(), "an argument of type void* is not supported in differentiated code");
    const Pointer value = pointer(e);
    mem.origin(e, frame->id);
    Node* n = mem.make_pointer(name, 1);
    mem.store_pointer(mem.at(n), value);
    return mem.at(n);
  }
  const auto constant = in_library(p) ? evaluated(e) : std::nullopt;      // of an object of the library's that has pointers
  const X x = converted(constant ? *constant : number(e), t);
  mem.origin(e, frame->id);
  Node* n = local(t, name);
  mem.store(mem.at(n), x);
  return mem.at(n);
}

// --- bodies in place ---
Lowerer::Result Lowerer::inlined(const FunctionDecl* f, const Pointer* object_place, llvm::ArrayRef<const Expr*> args, const Expr* at) {
  int depth = 0;
  for (Frame* g = frame; g; g = g->caller) ++depth;
  if (depth > deepest_call) refuse(at->getExprLoc(), "calls nested more than " + std::to_string(deepest_call) + " deep");
  const auto where = at->getExprLoc();
  Frame inner{.function = f, .caller = frame, .where = where, .block = b.block};
  inner.id = facts.frames.try_emplace({frame->id, static_cast<const void*>(at)}, int(facts.frames.size()) + 1).first->second;
  if (object_place) inner.self = *object_place;
  if (auto* m = dyn_cast<CXXMethodDecl>(f); m && m->getParent()->isLambda()) m->getParent()->getCaptureFields(inner.captures, inner.captured_this);
  for (unsigned i = 0; i < f->getNumParams(); ++i) {
    if (i >= args.size()) refuse(where, "a call with too few arguments");
    inner.vars[f->getParamDecl(i)] = argument(f->getParamDecl(i), args[i]);
  }
  if (f->isVariadic() && args.size() > f->getNumParams()) refuse(where, "a call of '" + f->getNameAsString() + "' with a variable number of arguments");
  Restore statement_place(b.where, b.where);
  Restore in(frame, &inner);
  const QualType t = f->getReturnType();
  // `return expression;` alone needs no place for its result.
  auto* block = dyn_cast_or_null<CompoundStmt>(f->getBody());
  if (block && block->size() == 1 && is_number(t) && isa<ReturnStmt>(block->body_front())) {
    auto* r = cast<ReturnStmt>(block->body_front());
    Restore here_too(here, r->getBeginLoc());
    if (!in_library(f)) b.where = shared.locate(r->getBeginLoc(), r);
    try {
      return {.number = converted(number(r->getRetValue()), t)};
    } catch (const PointerError& e) {
      refuse(e.why + " is not supported");
    }
  }
  body(f);
  if (t->isVoidType()) return {};
  if (t->isReferenceType()) return {.pointer = inner.place};
  if (is_number(t)) return {.number = mem.load(mem.at(inner.result), dtype(t))};
  if (t->isPointerType()) return {.pointer = mem.load_pointer(mem.at(inner.result))};
  return {.object = inner.result};
}

// --- which kind of call it is ---
Lowerer::Result Lowerer::call(const CallExpr* e) {
  Restore at(here, e->getExprLoc());
  const FunctionDecl* f = e->getDirectCallee();
  if (isa<CXXPseudoDestructorExpr>(e->getCallee()->IgnoreParens())) return {};
  if (!f) f = callee(e->getCallee());
  if (auto r = stopped(f, e)) return *r;
  if (auto r = stream_output(e)) return *r;
  if (auto r = eigen(f, e)) return *r;
  if (auto r = tensor_call(f, e)) return *r;
  auto ruled = [&](const Pointer* self, llvm::ArrayRef<const Expr*> given) -> std::optional<Result> {
    auto rules = rules_of(f);
    if (!rules) return {};
    may_throw(f);
    std::vector<Pointer> places;
    for (unsigned i = 0; i < f->getNumParams(); ++i) places.push_back(argument(f->getParamDecl(i), given[i]));
    return by_rule(*rules, f, self, places, e);
  };
  if (!isa<CXXMethodDecl>(f))
    if (auto r = ruled(nullptr, llvm::ArrayRef(e->getArgs(), e->getNumArgs()))) return *r;
  if (auto r = library(f, e)) return *r;
  if (f->isConstexpr() && is_number(f->getReturnType()) && !f->getReturnType()->isReferenceType())
    if (auto x = evaluated(e)) return {.number = *x};
  std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
  auto* method = dyn_cast<CXXMethodDecl>(f);
  const bool with_object = method && !method->isStatic() && !method->isExplicitObjectMemberFunction();
  Pointer object_place;
  if (with_object) {
    const Expr* o = nullptr;
    if (auto* m = dyn_cast<CXXMemberCallExpr>(e)) o = m->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(e)) { o = args[0]; args.erase(args.begin()); }
    if (!o && method->getParent()->isLambda()) {  // through a function pointer: nothing is captured
      mem.origin(e, frame->id);
      object_place = mem.at(local(tag_type(context, method->getParent()), ""));
    } else {
      if (method->isVirtual()) {
        auto* member = dyn_cast<MemberExpr>(e->getCallee()->IgnoreParens());
        if (!(member && member->hasQualifier())) {
          const CXXMethodDecl* known = method->getDevirtualizedMethod(o, false);
          if (!known) return dispatched(method, o->getType()->isPointerType() ? pointer(o) : place(o), args, e);
          f = method = const_cast<CXXMethodDecl*>(known);
        }
      }
      object_place = o->getType()->isPointerType() ? pointer(o) : place(o);
      if (!vector_element(tag_type(context, method->getParent())).isNull()) {
        std::vector<Node*> there;                 // all that it can be, for nothing is called on null
        for (auto* n : object_place.targets) if (n && mem.alive(n)) there.push_back(n);
        if (there.size() == 1) object_place = {there, {}, object_place.index};
        if (!object_place.only() && !method->isConst() && !llvm::is_contained({"operator[]", "at", "front", "back", "data", "begin", "end"}, method->getNameAsString()))
          refuse("one of several vectors is changed; choose with an if around the call");
        if (auto r = container(method, object_place, e, args)) return *r;
        refuse("std::vector::" + method->getNameAsString() + " is not supported in differentiated code");
      }
      if (is_std(method->getParent(), "_Bit_reference"))
        if (auto r = bit_reference(method, object_place, args)) return *r;
      if (is_std(method->getParent(), "function")) {
        if (auto r = function_member(method, object_place, e, args)) return *r;
        refuse("std::function::" + method->getNameAsString() + " is not supported in differentiated code");
      }
      if (is_std(method->getParent(), "variant")) {
        if (auto r = variant_member(method, object_place, e, args)) return *r;
        refuse("std::variant::" + method->getNameAsString() + " is not supported in differentiated code");
      }
      if (is_std(method->getParent(), "optional")) {
        if (auto r = optional_member(method, object_place, e, args)) return *r;
        refuse("std::optional::" + method->getNameAsString() + " is not supported in differentiated code");
      }
    }
    if (auto r = derivative(method, &object_place, e, args)) return *r;
    if (auto r = ruled(&object_place, args)) return *r;
    if (isa<CXXDestructorDecl>(method)) return {};
    if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && method->isDefaulted() && (method->isTrivial() || !shared.definition(method))) {
      copy_or_move(object_place, args[0]);
      return {.pointer = object_place};
    }
    if (isa<CXXConversionDecl>(method) && method->getParent()->isLambda()) refuse("a lambda converted to a function pointer here is not supported; pass the lambda itself");
  }
  const FunctionDecl* body = shared.definition(f);
  if (!body) {
    if (auto r = elsewhere(f, e)) return *r;
    const std::string name = f->getDeclName().isIdentifier() ? f->getNameAsString() : f->getQualifiedNameAsString();
    if (f->isInStdNamespace()) refuse("'" + f->getQualifiedNameAsString() + "' of the standard library is not supported in differentiated code");
    refuse(e->getExprLoc(), "call to '" + name + "' has no visible body, so it has no derivative; make its definition visible in this translation unit or give a rule with custom_vjp", f->getBuiltinID() ? "NOT_LOWERABLE" : "NOT_DIFFERENTIABLE");
  }
  if (isa<CXXTryStmt>(body->getBody())) refuse(body->getBody()->getBeginLoc(), "a function whose body is a try block is not supported in differentiated code");
  if (shared.calls_itself(body)) return recursive(body, with_object ? &object_place : nullptr, args, e);
  return inlined(body, with_object ? &object_place : nullptr, args, e);
}

// --- construction and destruction ---
void Lowerer::construct(const Pointer& to, const CXXConstructExpr* e) {
  Restore at(here, e->getExprLoc());
  const auto* c = e->getConstructor();
  if (to.only() && to.only()->kind == Node::vector) return construct_vector(to, e);
  if (to.only() && to.only()->kind == Node::tensor) return construct_tensor(to, e);
  if (to.only() && is_std(c->getParent(), "optional")) return construct_optional(to, e);
  if (to.only() && is_std(c->getParent(), "variant")) return construct_variant(to, e);
  if (is_std(c->getParent(), "function")) return construct_function(to, e);
  if (in_eigen(c->getParent()) && construct_eigen(to, e)) return;
  if (e->requiresZeroInitialization()) mem.zero(to);
  if (c->isTrivial() && c->isDefaultConstructor()) return;
  const FunctionDecl* body = shared.definition(c);
  if (c->isCopyOrMoveConstructor() && c->isDefaulted() && (c->isTrivial() || !body)) return copy_or_move(to, e->getArg(0));
  if (c->isDefaulted() && c->isDefaultConstructor() && !body) {
    // Members and bases have initialisers of their own only when the constructor has a body that Clang made.
    refuse("the implicit constructor of '" + c->getParent()->getNameAsString() + "' is not available here");
  }
  if (!body) refuse(e->getExprLoc(), "the constructor of '" + c->getParent()->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
  std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
  inlined(body, &to, args, e);
}
/// The destructor of the class, or of a part of it, that does anything which a derivative would have to repeat.
const CXXDestructorDecl* Lowerer::busy_destructor(QualType t) {
  const CXXRecordDecl* r = context.getBaseElementType(t)->getAsCXXRecordDecl();
  if (!r || !r->getDefinition() || r->getDefinition()->hasTrivialDestructor() || in_eigen(r)) return nullptr;
  r = r->getDefinition();
  if (meaning(r) == "tensor") return nullptr;
  if (auto known = shared.busy.find(r); known != shared.busy.end()) return known->second;
  shared.busy[r] = nullptr;                       // while its parts, which may hold others of it, are asked
  return shared.busy[r] = busy_part(r);
}
const CXXDestructorDecl* Lowerer::busy_part(const CXXRecordDecl* r) {
  if (r->isInStdNamespace()) {                    // its own does nothing here; what it holds may
    if (auto* s = dyn_cast<ClassTemplateSpecializationDecl>(r))
      for (auto& a : s->getTemplateArgs().asArray())
        if (a.getKind() == TemplateArgument::Type) if (auto* d = busy_destructor(a.getAsType())) return d;
    return nullptr;
  }
  if (auto* d = r->getDestructor(); d && !d->isDefaulted()) {
    auto* body = shared.definition(d);
    auto* block = body ? dyn_cast<CompoundStmt>(body->getBody()) : nullptr;
    if (!block || !block->body_empty()) return d;
  }
  for (auto& base : r->bases()) if (auto* d = busy_destructor(base.getType())) return d;
  for (auto* f : r->fields()) if (auto* d = busy_destructor(f->getType())) return d;
  return nullptr;
}
/// An object whose end of life is not followed may have nothing to do then.
void Lowerer::destroy_check(QualType t) {
  if (t->isReferenceType()) return;
  if (auto* d = busy_destructor(t))
    refuse("the destructor of '" + d->getParent()->getNameAsString() + "' does something, which is followed for local variables only; give the object a name in a block of its own");
}
/// The end of an object's life: its destructor, then those of its members and bases, the last one first.
void Lowerer::destroy(const Pointer& p, QualType t, const Expr* at) {
  if (!busy_destructor(t)) return;
  if (auto* a = context.getAsConstantArrayType(t)) {
    const X last = ir::index(b, std::int64_t(a->getZExtSize()) - 1);
    return mem.loop(ir::index(b, 0), ir::index(b, std::int64_t(a->getZExtSize())), [&](X i) { destroy(mem.element(p, last - i), a->getElementType(), at); });
  }
  const CXXRecordDecl* r = t->getAsCXXRecordDecl()->getDefinition();
  if (r->isInStdNamespace()) return destroy_check(t);
  if (auto* d = r->getDestructor(); d && !d->isDefaulted()) {
    const FunctionDecl* body = shared.definition(d);
    if (!body) refuse(at->getExprLoc(), "the destructor of '" + r->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
    inlined(body, &p, {}, at);
  }
  const std::vector<const FieldDecl*> fields(r->field_begin(), r->field_end());
  for (auto* f : llvm::reverse(fields)) if (!f->getType()->isReferenceType()) destroy(mem.field(p, f->getCanonicalDecl()), f->getType(), at);
  const std::vector<CXXBaseSpecifier> bases(r->bases_begin(), r->bases_end());
  for (auto& base : llvm::reverse(bases)) destroy(mem.field(p, base.getType()->getAsCXXRecordDecl()->getCanonicalDecl()), base.getType(), at);
}

}  // namespace tlaloc::frontend
