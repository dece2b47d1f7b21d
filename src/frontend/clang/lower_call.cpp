// SPDX-License-Identifier: Apache-2.0
//
// Calls. A body that can be seen is written in place; a function that calls itself is called (lower_recursion.cpp); the
// library's mathematics become ops by name and containers have constructs of their own (lower_library.cpp). Refused: a call without a visible body, a virtual call on an unknown object, destructors that do
// something.
#include "frontend/clang/lowering.hpp"
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
  const std::string name = p->getNameAsString();
  if (t->isFunctionPointerType() || t->isFunctionReferenceType()) {
    const FunctionDecl* f = callee(e);
    mem.origin(e, frame->id);
    Node* n = mem.make(Node::function, name);
    n->callee = f;
    return mem.at(n);
  }
  if (t->isMemberPointerType()) refuse(e->getExprLoc(), "a pointer to a member is not supported in differentiated code; use a lambda");
  if (t->isReferenceType()) return place(e);
  if (t->isRecordType()) return mem.at(object(e, name));
  if (t->isPointerType() || t->isNullPtrType()) {
    if (t->isVoidPointerType()) refuse(e->getExprLoc(), "an argument of type void* is not supported in differentiated code");
    const Pointer value = pointer(e);
    mem.origin(e, frame->id);
    Node* n = mem.make_pointer(name, 1);
    mem.store_pointer(mem.at(n), value);
    return mem.at(n);
  }
  const X x = converted(number(e), t);
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
    if (!f->isInStdNamespace()) b.where = shared.locate(r->getBeginLoc(), r);
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
  auto ruled = [&](const Pointer* self, llvm::ArrayRef<const Expr*> given) -> std::optional<Result> {
    auto rules = rules_of(f);
    if (!rules) return {};
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
    } else if (!o) {
      refuse("a call through a pointer to a member is not supported in differentiated code; use a lambda");
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
      if (object_place.only() && object_place.only()->kind == Node::vector) {
        if (auto r = container(method, object_place, e, args)) return *r;
        refuse("std::vector::" + method->getNameAsString() + " is not supported in differentiated code");
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
      mem.copy(object_place, place(args[0]));
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
  if (isa<CXXTryStmt>(body->getBody())) refuse(body->getBody()->getBeginLoc(), "try is not supported in differentiated code: the derivative cannot follow an exception; return a status instead");
  if (shared.calls_itself(body)) return recursive(body, with_object ? &object_place : nullptr, args, e);
  return inlined(body, with_object ? &object_place : nullptr, args, e);
}

// --- virtual functions ---
namespace {
const void* base_key(const Node* n) {             // of a base class in the object around it; null for a complete object
  if (n->parent)
    for (auto& [key, child] : n->parent->fields)
      if (child == n && isa<CXXRecordDecl>(static_cast<const Decl*>(key))) return key;
  return nullptr;
}
Node* complete_object(Node* n) {
  while (base_key(n)) n = n->parent;
  return n;
}
}  // namespace

/// A virtual call on objects that are all known: for each that it may be, its class's function.
Lowerer::Result Lowerer::dispatched(const CXXMethodDecl* m, const Pointer& object, llvm::ArrayRef<const Expr*> args, const Expr* at) {
  struct Choice { std::size_t position; const FunctionDecl* function; Pointer self; };
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < object.targets.size(); ++i) {
    Node* n = object.targets[i];
    if (!n || !mem.alive(n)) continue;
    Node* whole = complete_object(n);
    if (!whole->type) refuse("a call of the virtual function '" + m->getNameAsString() + "' on an object whose class is not known at compile time; use a template or mark the class final");
    for (Frame* f = frame; f; f = f->caller)
      if ((isa<CXXConstructorDecl>(f->function) || isa<CXXDestructorDecl>(f->function)) && f->self.only() && complete_object(f->self.only()) == whole)
        refuse("a call of the virtual function '" + m->getNameAsString() + "' on an object under construction is not supported in differentiated code");
    const auto* method = m->getCorrespondingMethodInClass(static_cast<const CXXRecordDecl*>(whole->type));
    if (!method || method->isPureVirtual()) refuse("a call of the pure virtual function '" + m->getNameAsString() + "'");
    Pointer self{{n}, {}, object.index};
    while (n->type != method->getParent()->getCanonicalDecl() && base_key(n)) self = mem.outer(self, base_key(n)), n = n->parent;
    if (n->type != method->getParent()->getCanonicalDecl()) refuse("a call of the virtual function '" + m->getNameAsString() + "', which is overridden in another branch of the class's bases");
    const FunctionDecl* body = shared.definition(method);
    if (!body) refuse(at->getExprLoc(), "call to '" + m->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
    choices.push_back({i, body, self});
  }
  if (choices.empty()) refuse("a call of the virtual function '" + m->getNameAsString() + "' on an object that is not known");
  auto run = [&](const Choice& c) { return shared.calls_itself(c.function) ? recursive(c.function, &c.self, args, at) : inlined(c.function, &c.self, args, at); };
  if (choices.size() == 1) return run(choices[0]);
  const QualType t = m->getReturnType();
  if (!is_number(t) && !t->isVoidType()) refuse("a call of the virtual function '" + m->getNameAsString() + "' on one of several objects gives something else than a number");
  std::function<std::vector<X>(std::size_t)> arm = [&](std::size_t k) {
    auto give = [&] {
      const Result r = run(choices[k]);
      return is_number(t) ? std::vector<X>{r.number} : std::vector<X>{};
    };
    if (k + 1 == choices.size()) return give();
    return mem.branch(object.tag == ir::index(b, std::int64_t(choices[k].position)), give, [&] { return arm(k + 1); });
  };
  const auto r = arm(0);
  return r.empty() ? Result{} : Result{.number = r[0]};
}

// --- construction and destruction ---
void Lowerer::construct(const Pointer& to, const CXXConstructExpr* e) {
  Restore at(here, e->getExprLoc());
  const auto* c = e->getConstructor();
  if (to.only() && to.only()->kind == Node::vector) return construct_vector(to, e);
  if (to.only() && is_std(c->getParent(), "optional")) return construct_optional(to, e);
  if (e->requiresZeroInitialization()) mem.zero(to);
  if (c->isTrivial() && c->isDefaultConstructor()) return;
  const FunctionDecl* body = shared.definition(c);
  if (c->isCopyOrMoveConstructor() && c->isDefaulted() && (c->isTrivial() || !body)) return mem.copy(to, place(e->getArg(0)));
  if (c->isDefaulted() && c->isDefaultConstructor() && !body) {
    // Members and bases have initialisers of their own only when the constructor has a body that Clang made.
    refuse("the implicit constructor of '" + c->getParent()->getNameAsString() + "' is not available here");
  }
  if (c->isInheritingConstructor()) refuse("an inherited constructor is not supported in differentiated code; write the constructor out");
  if (!body) refuse(e->getExprLoc(), "the constructor of '" + c->getParent()->getNameAsString() + "' has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
  std::vector<const Expr*> args(e->arg_begin(), e->arg_end());
  inlined(body, &to, args, e);
}
/// Does the destructor of the class, or of a part of it, do anything that a derivative would have to repeat?
static const CXXDestructorDecl* busy_destructor(Lowering::Impl& shared, const CXXRecordDecl* r) {
  if (!r || !r->getDefinition() || r->getDefinition()->hasTrivialDestructor() || r->isInStdNamespace()) return nullptr;
  r = r->getDefinition();
  if (auto* d = r->getDestructor(); d && !d->isDefaulted()) {
    auto* body = shared.definition(d);
    auto* block = body ? dyn_cast<CompoundStmt>(body->getBody()) : nullptr;
    if (!block || !block->body_empty()) return d;
  }
  for (auto& base : r->bases()) if (auto* d = busy_destructor(shared, base.getType()->getAsCXXRecordDecl())) return d;
  for (auto* f : r->fields()) if (auto* d = busy_destructor(shared, shared.context.getBaseElementType(f->getType())->getAsCXXRecordDecl())) return d;
  return nullptr;
}
void Lowerer::destroy_check(const VarDecl* v) {
  if (v->getType()->isReferenceType()) return;
  if (auto* d = busy_destructor(shared, context.getBaseElementType(v->getType())->getAsCXXRecordDecl()))
    refuse("the destructor of '" + d->getParent()->getNameAsString() + "' does something, which is not supported in differentiated code; leave it empty");
}

}  // namespace tlaloc::frontend
