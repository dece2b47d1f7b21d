// SPDX-License-Identifier: Apache-2.0
//
// Memory that is not a variable's: copied and cleared in bytes, made by new and malloc. An allocation is part of a growable
// buffer of its place in the source, and lives until the function ends; delete and free have nothing to do. Refused: new of
// objects with pointers in them, realloc.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

/// memcpy, memmove and memset on numbers of one type: what std::copy and std::fill come down to.
std::optional<Lowerer::Result> Lowerer::memory(const FunctionDecl* f, const CallExpr* e) {
  llvm::StringRef name = f->getName();
  name.consume_front("__builtin_");
  if (name == "free" && e->getNumArgs() == 1) {   // the memory lives until the function ends
    if (e->getArg(0)->HasSideEffects(context)) refuse("'free' of an expression that does something is not supported; put it into a statement of its own");
    return Result{};
  }
  if ((name != "memcpy" && name != "memmove" && name != "memset") || e->getNumArgs() != 3) return {};
  auto of = [&](const Expr* p) {                  // the pointer before it became void*
    p = p->IgnoreParens();
    while (auto* c = dyn_cast<CastExpr>(p)) {
      if (c->getCastKind() != CK_BitCast && c->getCastKind() != CK_NoOp) break;
      p = c->getSubExpr()->IgnoreParens();
    }
    return p;
  };
  const Expr *to_expr = of(e->getArg(0)), *from_expr = of(e->getArg(1));
  const QualType element = to_expr->getType()->getPointeeType();
  if (element->isVoidType() || element->isIncompleteType()) refuse("'" + name.str() + "' on memory of unknown type is not supported; use a loop or std::copy");
  const auto bytes = context.getTypeSizeInChars(element).getQuantity();
  const Pointer to = pointer(to_expr);
  Pointer from;
  if (name != "memset") {
    if (!context.hasSameUnqualifiedType(element, from_expr->getType()->getPointeeType())) refuse("'" + name.str() + "' between different types is not supported");
    from = pointer(from_expr);
  } else {
    const X value = number(e->getArg(1));
    if (!ir::is_constant(value.v, 0)) refuse("memset with a value other than 0 is not supported; use std::fill");
  }
  const X size = ir::convert(number(e->getArg(2)), ir::index_type);
  const auto* known = ir::constant_of(size.v);
  auto whole = [&](const Expr* x) { Expr::EvalResult v; return x->EvaluateAsInt(v, context) && v.Val.getInt().getExtValue() % bytes == 0; };
  auto* product = dyn_cast<BinaryOperator>(e->getArg(2)->IgnoreParenImpCasts());          // sizeof(T) * n
  const bool elements = product && product->getOpcode() == BO_Mul && (whole(product->getLHS()) || whole(product->getRHS()));
  if (known ? known->as_int() % bytes != 0 : !is_number(element) && !elements) refuse("'" + name.str() + "' of a part of an object is not supported; assign its members");
  const X n = size / ir::index(b, bytes);
  if (name == "memset") { mem.loop(ir::index(b, 0), n, [&](X i) { mem.zero(mem.advance(to, i)); }); return Result{.pointer = to}; }
  auto forward = [&] { mem.loop(ir::index(b, 0), n, [&](X i) { mem.copy(mem.advance(to, i), mem.advance(from, i)); }); return std::vector<X>{}; };
  auto backward = [&] { mem.loop(ir::index(b, 0), n, [&](X i) { const X j = n - ir::index(b, 1) - i; mem.copy(mem.advance(to, j), mem.advance(from, j)); }); return std::vector<X>{}; };
  bool may_overlap = false;
  for (auto* t : to.targets) for (auto* s : from.targets) may_overlap |= t == s;
  if (name == "memmove" && may_overlap) mem.branch(to.index <= from.index, forward, backward);
  else forward();
  return Result{.pointer = to};
}

// --- allocation ---
Pointer Lowerer::heap(QualType element, X count, bool zeros, const Expr* at) {
  Node* n = nullptr;
  auto make = [&](X room) {
    mem.origin(at, frame->id);
    n = growing(element, "", [&](Node* leaf, std::int64_t per_element) {
      leaf->buffer = b.append(ops::alloc, {(room * ir::index(b, -per_element)).v}, {leaf->dtype})->results[0];
      leaf->buffer->name = leaf->name.empty() ? "memory" : leaf->name;
    });
  };
  if (b.block == b.function.body) {               // runs once
    make(count);
    if (zeros) mem.loop(ir::index(b, 0), count, [&](X i) { mem.zero(mem.element(mem.at(n), i)); });
    return mem.element(mem.at(n), ir::index(b, 0));
  }
  prologue([&] { make(ir::index(b, 0)); });
  const Pointer all = mem.at(n);
  const X used = mem.length(all);
  mem.resize(all, used + count);
  return mem.element(all, used);
}
Pointer Lowerer::created(const CXXNewExpr* e) {
  const QualType t = e->getAllocatedType();
  if (e->getNumPlacementArgs()) refuse("placement new is not supported in differentiated code");
  destroy_check(t);
  std::optional<X> count;
  if (e->isArray()) count = ir::convert(number(*e->getArraySize()), ir::index_type);
  const Expr* init = e->getInitializer();
  const Pointer p = heap(t, count ? *count : ir::index(b, 1), count && init, e);
  if (!init) return p;
  if (!count) initialise(p, t, init);
  else if (auto* list = dyn_cast<InitListExpr>(init)) for (unsigned i = 0; i < list->getNumInits(); ++i) initialise(mem.advance(p, ir::index(b, i)), t, list->getInit(i));
  else if (isa<CXXConstructExpr>(init)) mem.loop(ir::index(b, 0), *count, [&](X i) { initialise(mem.advance(p, i), t, init); });
  else if (!isa<ImplicitValueInitExpr>(init)) refuse("this way to make an array with new is not supported in differentiated code; use std::vector");
  return p;
}
/// static_cast<T*>(malloc(n * sizeof(T))), and calloc.
std::optional<Pointer> Lowerer::allocated(const CastExpr* c) {
  auto* call = dyn_cast<CallExpr>(bare(c->getSubExpr()));
  const FunctionDecl* f = call ? call->getDirectCallee() : nullptr;
  if (!f || !f->getDeclName().isIdentifier() || !f->isExternC()) return {};
  const llvm::StringRef name = f->getName();
  if (name == "realloc") refuse("'realloc' is not supported in differentiated code; use std::vector");
  if (name != "malloc" && name != "calloc") return {};
  const QualType t = c->getType()->getPointeeType();
  if (t->isIncompleteType()) return {};
  X bytes = ir::convert(number(call->getArg(0)), ir::index_type);
  if (name == "calloc") bytes = bytes * ir::convert(number(call->getArg(1)), ir::index_type);
  return heap(t, bytes / ir::index(b, context.getTypeSizeInChars(t).getQuantity()), name == "calloc", call);
}

}  // namespace tlaloc::frontend
