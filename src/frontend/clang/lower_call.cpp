// SPDX-License-Identifier: Apache-2.0
//
// Calls. A body that can be seen is written in place; a function that calls itself becomes an ir::Function of its own, one
// for each shape of arguments; the library's mathematics become ops by name; containers have constructs of their own
// (lower_library.cpp). Refused: a call without a visible body, a virtual call on an unknown object, destructors that do
// something.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"
#include "transforms/simplify.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

constexpr int deepest_call = 100;

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

// --- recursion ---
namespace {

/// Walks the objects that a call hands over, in an order that depends on their shape alone. With a `into` it makes their
/// images, made of parameters, in the function called.
struct Handover {
  ir::Builder& from;                              // where the call stands
  std::string shape = {};
  std::vector<X> operands = {};
  std::map<const ir::Value*, int> buffers = {};
  std::map<const Node*, int> nodes = {};
  Objects* into = nullptr;
  std::map<const Node*, Node*> images = {};
  std::map<int, ir::Value*> parameters = {};

  /// The callee is told lengths that do not change, since its reverse sweep may have to keep the contents.
  static ir::Ints known_extent(const ir::Value* v) {
    if (!v->def || v->def->kind != &ir::ops::alloc) return v->type.dims;
    const auto* n = ir::constant_of(v->def->operands[0]);
    return n && n->as_int() > 0 ? ir::Ints{n->as_int()} : ir::Ints{};        // a vector starts empty and grows
  }
  ir::Value* buffer(ir::Value* v, const std::string& name) {
    auto [it, fresh] = buffers.try_emplace(v, int(buffers.size()));
    shape += "b" + std::to_string(it->second);
    if (fresh) {
      const ir::Ints extent = known_extent(v);
      for (auto n : extent) shape += "x" + std::to_string(n);
      operands.push_back({&from, v});
      if (into) parameters[it->second] = param(into->b, {v->type.dtype, extent, true}, name).v;
    }
    return into ? parameters[it->second] : nullptr;
  }
  X scalar(X x, const std::string& name) {
    operands.push_back(x);
    shape += "n" + std::to_string(int(x.type().dtype));
    return into ? param(into->b, x.type(), name) : X{};
  }
  Node* node(Node* n) {
    if (!n) { shape += "0"; return nullptr; }
    auto [it, fresh] = nodes.try_emplace(n, int(nodes.size()));
    shape += "#" + std::to_string(it->second);
    if (!fresh) return into ? images[n] : nullptr;
    Node* image = into ? into->make(n->kind, n->name) : nullptr;
    if (image) {
      image->dtype = n->dtype, image->extent = n->extent, image->scale = n->scale, image->unit = n->unit, image->offset = n->offset;
      image->member = n->member, image->outside = n->outside, image->callee = n->callee, image->fixed = true;
      images[n] = image;
    }
    shape += "k" + std::to_string(int(n->kind)) + "u" + std::to_string(n->unit) + "o" + std::to_string(n->offset) + "s" + std::to_string(n->scale) + "e" + std::to_string(n->extent) + (n->member ? "m" : "");
    switch (n->kind) {
      case Node::scalar: { auto* v = buffer(n->buffer, n->name); if (image) image->buffer = v; break; }
      case Node::function: shape += "f" + std::to_string(reinterpret_cast<std::uintptr_t>(n->callee)); break;
      case Node::record:
        for (auto& [key, child] : n->fields) {
          Node* c = node(child);
          if (image) c->parent = image, image->fields.push_back({key, c});
        }
        break;
      case Node::array: { Node* c = node(n->element); if (image) image->element = c; break; }
      case Node::vector: throw PointerError{"a std::vector handed to a recursive function; hand over a pointer or span, which"};
      case Node::pointer: break;                  // its candidates are handed over by pointer_slot
    }
    return image;
  }
  Pointer pointer(const Pointer& p, const std::string& name) {
    Pointer r;
    shape += "(";
    for (auto* t : p.targets) {
      Node* image = node(t);
      if (into) r.targets.push_back(image);
    }
    shape += ")";
    if (p.tag) r.tag = scalar(p.tag, name + "_which");
    r.index = scalar(p.index, name + "_at");
    return r;
  }
};

}  // namespace

Lowerer::Result Lowerer::recursive(const FunctionDecl* f, const Pointer* object_place, llvm::ArrayRef<const Expr*> args, const Expr* at) {
  const auto where = at->getExprLoc();
  const QualType t = f->getReturnType();
  if (t->isReferenceType() || t->isPointerType()) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns a pointer or reference, which is not supported; return an index");
  if (auto* m = dyn_cast<CXXMethodDecl>(f); m && m->getParent()->isLambda() && !m->getParent()->captures().empty()) refuse(where, "a lambda with captures that calls itself; make it a function");
  std::vector<Pointer> places;
  for (unsigned i = 0; i < f->getNumParams(); ++i) places.push_back(argument(f->getParamDecl(i), args[i]));

  auto walk = [&](Handover& h, Frame* frame_in) {
    if (object_place) { const Pointer p = h.pointer(*object_place, "self"); if (frame_in) frame_in->self = p; }
    for (unsigned i = 0; i < f->getNumParams(); ++i) {
      const auto* p = f->getParamDecl(i);
      const QualType pt = p->getType().getCanonicalType();
      const std::string name = p->getName().empty() ? "arg" + std::to_string(i + 1) : p->getNameAsString();
      Node* slot = places[i].only();
      if (is_number(pt)) {
        const X x = h.scalar(mem.load(places[i], dtype(pt)), name);
        if (frame_in) {                           // the callee's own variable
          Objects& o = *h.into;
          Node* n = o.make(Node::scalar, name);
          n->dtype = dtype(pt);
          n->buffer = o.b.append(ops::alloc, {ir::index(o.b, 1).v}, {n->dtype})->results[0];
          n->buffer->name = name;
          o.store(o.at(n), x);
          frame_in->vars[p] = o.at(n);
        }
      } else if (slot && slot->kind == Node::pointer && pt->isPointerType()) {
        const Pointer value = h.pointer(mem.load_pointer(places[i]), name);
        if (frame_in) {
          Node* n = h.into->make_pointer(name, 1);
          h.into->store_pointer(h.into->at(n), value);
          frame_in->vars[p] = h.into->at(n);
        }
      } else {
        for (auto* target : places[i].targets)
          if (target) Objects::leaves(target, [&](Node* l) { if (l->kind == Node::pointer) throw PointerError{"an object with a pointer member handed to a recursive function"}; });
        const Pointer p2 = h.pointer(places[i], name);
        if (frame_in) frame_in->vars[p] = p2;
      }
    }
  };
  Handover given{.from = b};
  walk(given, nullptr);
  const std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(f)) + given.shape;
  auto found = shared.recursive.find(key);
  if (found == shared.recursive.end()) {
    Recursive r;
    for (int i = 1; r.name.empty(); ++i) {
      std::string name = (f->getDeclName().isIdentifier() ? f->getNameAsString() : std::string("self_call")) + (i > 1 ? "_" + std::to_string(i) : "");
      if (!shared.program.find(name) && shared.names.insert(name).second) r.name = name;
    }
    Node* shape = nullptr;
    if (!t->isVoidType()) {
      mem.origin(at, frame->id);
      shape = local(t, "");
      Objects::leaves(shape, [&](Node* l) {
        if (l->kind != Node::scalar) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns an object with a pointer");
      });
      std::function<void(Node*, std::int64_t)> count = [&](Node* n, std::int64_t times) {
        if (n->kind == Node::scalar) r.results.insert(r.results.end(), std::size_t(times), n->dtype);
        for (auto& [member, child] : n->fields) count(child, times);
        if (n->kind == Node::array) for (std::int64_t i = 0; i < n->extent; ++i) count(n->element, times);
        if (n->kind == Node::vector) refuse(where, "'" + f->getNameAsString() + "' calls itself and returns a std::vector, which is not supported; write into a parameter");
      };
      count(shape, 1);
    }
    shared.recursive[key] = r;
    try {
      Facts own;
      for (int attempt = 0;; ++attempt) {
        if (attempt == 12) refuse(where, "what the pointers in '" + r.name + "' may point to could not be settled");
        own.stale = false;
        ir::Function made(r.name);
        Lowerer inner(shared, own, made);
        inner.here = here;
        Frame outer_frame{.function = frame->function};
        Frame top{.function = f, .caller = &outer_frame, .where = where, .block = inner.b.block};
        inner.frame = &top;
        inner.mem.origin(f, -3);
        Handover over{.from = b, .into = &inner.mem};
        walk(over, &top);
        if (auto* m = dyn_cast<CXXMethodDecl>(f); m && m->getParent()->isLambda()) m->getParent()->getCaptureFields(top.captures, top.captured_this);
        inner.b.where = shared.locate(f->getLocation(), nullptr);
        inner.body(f);
        if (own.stale) continue;
        if (!t->isVoidType()) {
          std::function<void(Pointer)> yield = [&](Pointer p) {
            Node* n = p.only();
            if (n->kind == Node::scalar) inner.b.block->yields.push_back(inner.mem.load(p, n->dtype).v);
            for (auto& [member, child] : n->fields) yield(inner.mem.field(p, member));
            if (n->kind == Node::array) for (std::int64_t i = 0; i < n->extent; ++i) yield(inner.mem.element(p, ir::index(inner.b, i)));
          };
          yield(inner.mem.at(top.result));
        }
        auto& all = made.body->ops;
        all.insert(all.begin(), inner.prologue_.begin(), inner.prologue_.end());
        ir::verify(made);
        ir::simplify(made);
        shared.program.add(std::move(made));
        break;
      }
    } catch (...) {
      shared.recursive.erase(key);
      throw;
    }
    found = shared.recursive.find(key);
  }
  ir::Types types;
  for (auto d : found->second.results) types.push_back({d});
  std::vector<ir::Value*> operands;
  for (X x : given.operands) operands.push_back(x.v);
  auto* op = b.append(ops::call, operands, {found->second.name, types});
  if (t->isVoidType()) return {};
  if (is_number(t)) return {.number = {&b, op->results[0]}};
  mem.origin(at, frame->id);
  Node* n = local(t, "");
  std::size_t next = 0;
  std::function<void(Pointer)> store = [&](Pointer p) {
    Node* x = p.only();
    if (x->kind == Node::scalar) mem.store(p, {&b, op->results[next++]});
    for (auto& [member, child] : x->fields) store(mem.field(p, member));
    if (x->kind == Node::array) for (std::int64_t i = 0; i < x->extent; ++i) store(mem.element(p, ir::index(b, i)));
  };
  store(mem.at(n));
  return {.object = n};
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
      object_place = mem.at(local(context.getCanonicalTagType(method->getParent()), ""));
    } else if (!o) {
      refuse("a call through a pointer to a member is not supported in differentiated code; use a lambda");
    } else {
      if (method->isVirtual()) {
        auto* member = dyn_cast<MemberExpr>(e->getCallee()->IgnoreParens());
        if (!(member && member->hasQualifier())) {
          const CXXMethodDecl* known = method->getDevirtualizedMethod(o, false);
          if (!known) refuse("a call of the virtual function '" + method->getNameAsString() + "' on an object whose class is not known at compile time; use a template or mark the class final");
          f = method = const_cast<CXXMethodDecl*>(known);
        }
      }
      object_place = o->getType()->isPointerType() ? pointer(o) : place(o);
      if (object_place.only() && object_place.only()->kind == Node::vector) {
        if (auto r = container(method, object_place, e, args)) return *r;
        refuse("std::vector::" + method->getNameAsString() + " is not supported in differentiated code");
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

// --- construction and destruction ---
void Lowerer::construct(const Pointer& to, const CXXConstructExpr* e) {
  Restore at(here, e->getExprLoc());
  const auto* c = e->getConstructor();
  if (to.only() && to.only()->kind == Node::vector) return construct_vector(to, e);
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
