// SPDX-License-Identifier: Apache-2.0
//
// Calls whose callee is one of several that are known: virtual functions, and what a std::function holds. For each that it
// may be there is a branch. Refused: objects and functions that come from the caller.
#include "frontend/clang/lowering.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;

/// A call of the choice whose position the pointer tells.
Lowerer::Result Lowerer::among(const Pointer& object, const std::vector<Choice>& choices, QualType t, const std::string& what, llvm::ArrayRef<const Expr*> args, const Expr* at) {
  auto run = [&](const Choice& c) {
    const Pointer* self = c.self.targets.empty() ? nullptr : &c.self;
    return shared.calls_itself(c.function) ? recursive(c.function, self, args, at) : inlined(c.function, self, args, at);
  };
  if (choices.size() == 1) return run(choices[0]);
  if (!is_number(t) && !t->isVoidType()) refuse(what + " on one of several objects gives something else than a number");
  std::function<std::vector<X>(std::size_t)> arm = [&](std::size_t k) {
    auto give = [&] {
      const Result r = run(choices[k]);
      return is_number(t) ? std::vector<X>{converted(r.number, t)} : std::vector<X>{};
    };
    if (k + 1 == choices.size()) return give();
    return mem.branch(object.tag == ir::index(b, std::int64_t(choices[k].position)), give, [&] { return arm(k + 1); });
  };
  const auto r = arm(0);
  return r.empty() ? Result{} : Result{.number = r[0]};
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
  return among(object, choices, m->getReturnType(), "a call of the virtual function '" + m->getNameAsString() + "'", args, at);
}

// --- std::function ---
// A pointer to one of the callables that were put into it. Each std::function has memory of its own for each of them, beside
// its own, so that copies are independent.
namespace {
const CXXMethodDecl* call_operator(const CXXRecordDecl* r) {
  const CXXMethodDecl* found = nullptr;
  int count = 0;
  for (auto* d : r->lookup(r->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call))) {
    if (auto* m = dyn_cast<CXXMethodDecl>(d)) found = m, ++count;
    if (auto* t = dyn_cast<FunctionTemplateDecl>(d))
      for (auto* s : t->specializations()) found = cast<CXXMethodDecl>(s), ++count;
  }
  return count == 1 ? found : nullptr;
}
bool is_null(QualType t) { return t->isNullPtrType(); }
}  // namespace

/// With memory for all that it may hold, as far as is known. What is learned later is made in the next attempt.
Node* Lowerer::callable_slot(const std::string& name) {
  Node* n = mem.make_pointer(name, 1);
  n->callable = true;
  for (auto* r : std::vector(mem.facts.held[n->key])) beside(n, static_cast<const CXXRecordDecl*>(r));
  return n;
}
Node* Lowerer::beside(Node* function, const CXXRecordDecl* r) {
  r = r->getCanonicalDecl();
  Node*& n = beside_[{function, r}];
  if (n) return n;
  auto& held = mem.facts.held[function->key];
  if (!llvm::is_contained(held, r)) held.push_back(r), mem.facts.stale = true;
  Restore in(b.block, function->at->block);
  const auto before = mem.origin(r, -10 - function->key);
  n = local(tag_type(context, r), function->name);
  mem.origin(before.first, before.second);
  n->type = r;
  Objects::leaves(n, [&](Node* l) { if (l->callable) refuse("a std::function that holds an object with a std::function in it is not supported in differentiated code; use a template parameter"); });
  return n;
}
void Lowerer::assign_function(const Pointer& to, const Expr* from) {
  Node* own = to.only();
  if (!own || !own->callable) refuse("one of several std::functions is assigned to; choose with an if around the assignment");
  QualType t = from->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (is_null(t)) return mem.store_pointer(to, mem.null());
  if (t->isFunctionType() || t->isFunctionPointerType()) {
    mem.origin(from, frame->id);
    Node* n = mem.make(Node::function, own->name);
    n->callee = callee(from);
    return mem.store_pointer(to, mem.at(n));
  }
  auto* r = t->getAsCXXRecordDecl();
  if (!r) refuse("a std::function made of a '" + shared.type_name(t) + "' is not supported in differentiated code; use a lambda");
  if (!is_std(r, "function")) {
    Node* n = beside(own, r);
    initialise_from(mem.at(n), t, from);
    return mem.store_pointer(to, mem.at(n));
  }
  Pointer held = mem.load_pointer(place(from));
  const Pointer given = held;
  for (std::size_t i = 0; i < held.targets.size(); ++i) {
    Node* n = held.targets[i];
    if (!n || n->kind != Node::record || !n->type || !mem.alive(n)) continue;
    Node* copy = beside(own, static_cast<const CXXRecordDecl*>(n->type));
    auto fill = [&] { mem.copy(mem.at(copy), mem.at(n)); };
    if (given.tag) mem.when(given.tag == ir::index(b, std::int64_t(i)), fill); else fill();
    held.targets[i] = copy;
  }
  mem.store_pointer(to, held);
}
void Lowerer::construct_function(const Pointer& to, const CXXConstructExpr* e) {
  const Expr* from = e->getNumArgs() && !isa<CXXDefaultArgExpr>(e->getArg(0)) ? e->getArg(0) : nullptr;
  if (!from) return mem.store_pointer(to, mem.null());
  assign_function(to, from);
}
std::optional<Lowerer::Result> Lowerer::function_member(const CXXMethodDecl* m, const Pointer& f, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  if (isa<CXXConversionDecl>(m)) return Result{.number = mem.compare(mem.load_pointer(f), mem.null(), ir::Compare::ne)};
  if (m->getOverloadedOperator() == OO_Equal) {
    assign_function(f, args[0]);
    return Result{.pointer = f};
  }
  if (m->getOverloadedOperator() != OO_Call) return {};
  const Pointer held = mem.load_pointer(f);
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < held.targets.size(); ++i) {
    Node* n = held.targets[i];
    if (!n || !mem.alive(n)) continue;
    auto* r = static_cast<const CXXRecordDecl*>(n->type);
    const FunctionDecl* called = n->kind == Node::function ? static_cast<const FunctionDecl*>(n->callee) : r ? call_operator(r) : nullptr;
    if (!called) refuse("a std::function that holds a generic lambda or an overloaded functor is not supported in differentiated code; fix the types of its parameters");
    const FunctionDecl* body = shared.definition(called);
    if (!body) refuse(e->getExprLoc(), "the function '" + called->getNameAsString() + "' that a std::function holds has no visible body, so it has no derivative; make its definition visible in this translation unit", "NOT_DIFFERENTIABLE");
    for (unsigned k = 0; k < body->getNumParams() && k < args.size(); ++k) {
      const QualType t = body->getParamDecl(k)->getType().getNonReferenceType(), given = args[k]->getType();
      if (!context.hasSameUnqualifiedType(t, given) && !(is_number(t) && is_number(given) && !body->getParamDecl(k)->getType()->isReferenceType()))
        refuse("a std::function whose parameters are of other types than those of what it holds is not supported in differentiated code");
    }
    choices.push_back({i, body, n->kind == Node::record ? Pointer{{n}, {}, ir::index(b, 0)} : Pointer{}});
  }
  if (choices.empty()) refuse("a call of a std::function that holds nothing");
  Result r = among(held, choices, m->getReturnType(), "a call of a std::function", args, e);
  if (r.number && is_number(m->getReturnType())) r.number = converted(r.number, m->getReturnType());
  return r;
}

}  // namespace tlaloc::frontend
