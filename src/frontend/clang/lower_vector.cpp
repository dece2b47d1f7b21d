// SPDX-License-Identifier: Apache-2.0
//
// std::vector: a growable buffer with members of our own.
#include "frontend/clang/lowering.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

// --- std::vector ---
/// A new object of the call's class type whose pointer member is p: the iterators of the library.
Node* Lowerer::iterator(const CallExpr* e, const Pointer& p) {
  mem.origin(e, frame->id);
  Node* n = local(e->getType(), "");
  Node* slot = nullptr;
  Objects::leaves(n, [&](Node* l) { if (l->kind == Node::pointer) slot = l; });
  if (!slot) refuse("this kind of iterator is not supported in differentiated code");
  mem.store_pointer(mem.at(slot), p);
  return n;
}
/// One element more, which `fill` gives its value; that may read the vector as it was.
void Lowerer::append(const Pointer& v, QualType element, const Expr* e, const std::function<void(const Pointer&)>& fill) {
  Node* n = v.only();
  int leaves = 0;
  Node* leaf = nullptr;
  Objects::leaves(n->element, [&](Node* l) { ++leaves, leaf = l; });
  mem.origin(e, frame->id);
  Node* value = local(element, "");
  if (!n->length) fill(mem.at(value));
  if (!n->length && leaves == 1 && n->element->kind == Node::scalar && !n->start)      // the usual case
    return (void)ops::append(X{&b, leaf->buffer}, mem.load(mem.at(value), leaf->dtype));
  const X at = mem.length(v);
  mem.resize(v, at + ir::index(b, 1));              // of fixed length, it says why it may not
  mem.copy(mem.element(v, at), mem.at(value));
}
/// What emplace makes of its arguments.
void Lowerer::construct_element(const Pointer& to, QualType element, llvm::ArrayRef<const Expr*> args, const Expr* e) {
  if (args.size() == 1 && (is_number(element) || context.hasSameUnqualifiedType(args[0]->getType(), element))) return initialise_from(to, element, args[0]);
  if (args.empty() && !element->isRecordType()) return mem.zero(to);
  llvm::SmallVector<Expr*, 4> given;
  for (auto* a : args) given.push_back(const_cast<Expr*>(a));
  auto* type = context.getTrivialTypeSourceInfo(element, e->getExprLoc());
  const ExprResult made = shared.sema.BuildCXXTypeConstructExpr(type, e->getExprLoc(), given, e->getExprLoc(), false);
  if (made.isInvalid()) refuse("this way to make an element is not supported in differentiated code; use push_back");
  initialise(to, element, made.get());
}
/// Is T() all zeros?
static bool starts_as_zero(ASTContext& context, QualType t) {
  t = context.getBaseElementType(t);
  const auto* r = t->getAsCXXRecordDecl();
  if (!r || !r->hasDefinition()) return true;
  if (auto* s = dyn_cast<ClassTemplateSpecializationDecl>(r); s && s->isInStdNamespace())
    return llvm::all_of(s->getTemplateArgs().asArray(), [&](auto& a) { return a.getKind() != TemplateArgument::Type || starts_as_zero(context, a.getAsType()); });
  if (r->hasUserProvidedDefaultConstructor() || r->hasInClassInitializer()) return false;
  return llvm::all_of(r->bases(), [&](auto& base) { return starts_as_zero(context, base.getType()); }) &&
         llvm::all_of(r->fields(), [&](auto* f) { return starts_as_zero(context, f->getType()); });
}
/// Elements that a longer vector has in addition, T(): they are zero by now.
void Lowerer::fill_new(const Pointer& v, QualType element, X from, X to, const Expr* e) {
  if (starts_as_zero(context, element)) return;
  mem.loop(from, to, [&](X i) { construct_element(mem.element(v, i), element, {}, e); });
}
std::optional<Lowerer::Result> Lowerer::container(const CXXMethodDecl* m, const Pointer& v, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  const X zero = ir::index(b, 0);
  const QualType t = e->getType();
  auto size = [&] { return mem.length(v); };
  const bool packed = vector_element(tag_type(context, m->getParent()))->isBooleanType();
  auto element_at = [&](X i) -> Result {          // a reference; of packed bits an object that stands for one, or the bool
    const Pointer p = mem.element(v, i);
    if (!packed) return {.pointer = p};
    return t->isRecordType() ? Result{.object = iterator(e, p)} : Result{.number = mem.load(p, ir::DType::boolean)};
  };
  if (auto op = m->getOverloadedOperator(); op == OO_Subscript) return element_at(ir::convert(number(args[0]), ir::index_type));
  else if (op == OO_Equal) {
    if (vector_element(args[0]->getType()).isNull()) fill_vector(v, vector_element(tag_type(context, m->getParent())), args);
    else copy_or_move(v, args[0]);
    return Result{.pointer = v};
  }
  if (!m->getDeclName().isIdentifier()) return {};
  const llvm::StringRef name = m->getName();
  if (packed && (t->isPointerType() || t->isRecordType()) && name != "at" && name != "front" && name != "back") refuse("std::vector<bool>::" + name.str() + " is not supported in differentiated code; use indices, or std::vector<char>");
  if (name == "size") return Result{.number = converted(size(), t)};
  if (name == "empty") return Result{.number = size() == zero};
  if (name == "at") {
    const X i = ir::convert(number(args[0]), ir::index_type);
    const X outside = ops::bit_or(i < zero, i >= size());
    mem.when(outside, [&] { raise("throw std::out_of_range", "vector::at"); });
    return element_at(i);
  }
  if (name == "front") return element_at(zero);
  if (name == "back") return element_at(size() - ir::index(b, 1));
  if (name == "data") return Result{.pointer = mem.element(v, zero)};
  if (name == "begin" || name == "cbegin") return Result{.object = iterator(e, mem.element(v, zero))};
  if (name == "end" || name == "cend") return Result{.object = iterator(e, mem.element(v, size()))};
  if (name == "rbegin" || name == "crbegin") return Result{.object = iterator(e, mem.element(v, size()))};
  if (name == "rend" || name == "crend") return Result{.object = iterator(e, mem.element(v, zero))};
  const QualType element = vector_element(tag_type(context, m->getParent()));
  if (name == "push_back") {
    append(v, element, e, [&](const Pointer& to) { initialise_from(to, element, args[0]); });
    return Result{};
  }
  if (name == "emplace_back") {
    append(v, element, e, [&](const Pointer& to) { construct_element(to, element, args, e); });
    return Result{.pointer = mem.element(v, size() - ir::index(b, 1))};
  }
  // Positions are iterators into the vector itself.
  auto index_of = [&](const Expr* at) { return mem.difference(range_position(at), mem.element(v, zero)); };
  if (name == "erase" && args.size() <= 2) {
    const X first = index_of(args[0]), count = args.size() == 2 ? index_of(args[1]) - first : ir::index(b, 1), left = size() - count;
    mem.loop(first, left, [&](X i) { mem.copy(mem.element(v, i), mem.element(v, i + count)); });
    mem.resize(v, left);
    return Result{.object = iterator(e, mem.element(v, first))};
  }
  if ((name == "insert" || name == "emplace") && args.size() >= 2) {
    const X at = index_of(args[0]), old = size();
    const auto values = args.drop_front();
    const bool one = name == "emplace" || (values.size() == 1 && context.hasSameUnqualifiedType(values[0]->getType(), element));
    mem.origin(e, frame->id + 1);
    Node* given = local(one ? element : tag_type(context, m->getParent()), "");            // it may be of this vector
    if (one) construct_element(mem.at(given), element, values, e);
    else if (!fill_vector(mem.at(given), element, values)) return {};
    const X count = one ? ir::index(b, 1) : mem.length(mem.at(given));
    mem.resize(v, old + count);
    mem.loop(at, old, [&](X i) { const X j = old - ir::index(b, 1) - (i - at); mem.copy(mem.element(v, j + count), mem.element(v, j)); });
    if (one) mem.copy(mem.element(v, at), mem.at(given));
    else mem.loop(zero, count, [&](X i) { mem.copy(mem.element(v, at + i), mem.element(mem.at(given), i)); });
    return Result{.object = iterator(e, mem.element(v, at))};
  }
  if (name == "swap") {
    const Pointer other = place(args[0]);
    mem.origin(e, frame->id);
    const Pointer kept = mem.at(local(tag_type(context, m->getParent()), ""));
    mem.copy(kept, v), mem.copy(v, other), mem.copy(other, kept);
    return Result{};
  }
  if (name == "pop_back") { mem.resize(v, size() - ir::index(b, 1)); return Result{}; }
  if (name == "clear") { mem.resize(v, zero); return Result{}; }
  if (name == "reserve" || name == "shrink_to_fit") { for (auto* a : args) if (a->HasSideEffects(context)) effect(a); return Result{}; }
  if (name == "resize") {
    const X old = size(), wanted = ir::convert(number(args[0]), ir::index_type);
    std::optional<Pointer> value;
    if (args.size() > 1) value = place(args[1]);
    mem.resize(v, wanted);
    if (value) mem.loop(old, wanted, [&](X i) { mem.copy(mem.element(v, i), *value); });
    else fill_new(v, element, old, wanted, e);
    return Result{};
  }
  if (name == "assign" && fill_vector(v, element, args)) return Result{};
  return {};
}
/// std::vector<bool>'s reference to an element.
std::optional<Lowerer::Result> Lowerer::bit_reference(const CXXMethodDecl* m, const Pointer& reference, llvm::ArrayRef<const Expr*> args) {
  auto bit = [&](const Pointer& r) {
    Node* slot = nullptr;
    Objects::leaves(r.only(), [&](Node* l) { if (l->kind == Node::pointer) slot = l; });
    return mem.load_pointer(mem.at(slot));
  };
  if (isa<CXXConversionDecl>(m)) return Result{.number = mem.load(bit(reference), ir::DType::boolean)};
  if (m->getOverloadedOperator() != OO_Equal) return {};
  const QualType given = args[0]->getType();
  mem.store(bit(reference), is_number(given) ? converted(number(args[0]), context.BoolTy) : mem.load(bit(args[0]->isGLValue() ? place(args[0]) : mem.at(object(args[0], ""))), ir::DType::boolean));
  return Result{.pointer = reference};
}
/// An object from another of its type. Of what std::move names, vectors are empty then; a variable that is returned and a
/// temporary are seen by nobody.
void Lowerer::copy_or_move(const Pointer& to, const Expr* from) {
  const Pointer p = from->isGLValue() ? place(from) : mem.at(object(from, ""));
  mem.copy(to, p);
  if (from->isXValue() && !isa<MaterializeTemporaryExpr, DeclRefExpr>(from->IgnoreImpCasts())) mem.moved_from(p);
}
void Lowerer::initialise_from(const Pointer& to, QualType t, const Expr* e) {
  if (is_number(t)) mem.store(to, converted(number(e), t));
  else if (e->isGLValue()) copy_or_move(to, e);
  else initialise(to, t, e);
}
static bool consecutive(const Expr* e) {
  auto* r = e->getType()->getAsCXXRecordDecl();
  return e->getType()->isPointerType() || (r && r->getIdentifier() && (r->getName() == "__normal_iterator" || r->getName() == "__wrap_iter"));
}
/// Where an iterator over consecutive elements stands.
Pointer Lowerer::range_position(const Expr* e) {
  if (e->getType()->isPointerType()) return pointer(e);
  Node* slot = nullptr;
  if (consecutive(e)) Objects::leaves(object(e, ""), [&](Node* l) { slot = l; });
  if (!slot || slot->kind != Node::pointer) refuse(e->getExprLoc(), "an iterator of type '" + shared.type_name(e->getType()) + "' here is not supported in differentiated code; use a loop");
  return mem.load_pointer(mem.at(slot));
}
/// The elements between two pointers or iterators of any kind.
void Lowerer::fill_from_range(const Pointer& v, QualType element, const Expr* first, const Expr* last) {
  if (consecutive(first)) {
    const Pointer from = range_position(first), to = range_position(last);
    const X count = mem.difference(to, from);
    mem.resize(v, count);
    auto* iterator = dyn_cast_or_null<ClassTemplateSpecializationDecl>(first->getType()->getAsCXXRecordDecl());
    const QualType given = (iterator ? iterator->getTemplateArgs()[0].getAsType() : first->getType())->getPointeeType();
    if (context.hasSameUnqualifiedType(given, element)) return mem.loop(ir::index(b, 0), count, [&](X i) { mem.copy(mem.element(v, i), mem.advance(from, i)); });
    return mem.loop(ir::index(b, 0), count, [&](X i) { initialise_from(mem.element(v, i), element, as_expression(mem.advance(from, i), given)); });
  }
  auto& sema = shared.sema;
  auto made = [&](ExprResult e) {
    if (e.isInvalid()) refuse(first->getExprLoc(), "an iterator of type '" + shared.type_name(first->getType()) + "' here is not supported in differentiated code; use a loop");
    return e.get();
  };
  const Pointer at = mem.at(object(first, "")), end = mem.at(object(last, ""));
  Expr *here_now = as_expression(at, first->getType()), *there = as_expression(end, last->getType());
  auto goes_on = [&] { return number(made(sema.PerformContextuallyConvertToBool(made(sema.BuildBinOp(nullptr, here, BO_NE, here_now, there))))); };
  Node* more = variable_of_our_own(ir::DType::boolean, "more", goes_on());
  mem.resize(v, ir::index(b, 0));
  mem.repeat([&] { return mem.load(mem.at(more), ir::DType::boolean); }, [&] {
    append(v, element, last, [&](const Pointer& to) { initialise_from(to, element, made(sema.BuildUnaryOp(nullptr, here, UO_Deref, here_now))); });
    effect(made(sema.BuildUnaryOp(nullptr, here, UO_PreInc, here_now)));
    mem.store(mem.at(more), goes_on());
  });
}
/// What a vector's constructor and assign() may be given: a count and perhaps a value, a list, or a range.
bool Lowerer::fill_vector(const Pointer& v, QualType element, llvm::ArrayRef<const Expr*> args) {
  const X zero = ir::index(b, 0);
  if (args.size() <= 2 && is_number(args[0]->getType())) {
    const X count = ir::convert(number(args[0]), ir::index_type);
    std::optional<Pointer> value;
    if (args.size() > 1) value = place(args[1]);
    mem.resize(v, count);
    if (value) mem.loop(zero, count, [&](X i) { mem.copy(mem.element(v, i), *value); });
    else fill_new(v, element, zero, count, args[0]);
    return true;
  }
  if (args.size() == 1 && is_std(args[0]->getType()->getAsCXXRecordDecl(), "initializer_list")) {
    Node* list = object(args[0], "");
    std::optional<Pointer> data;
    std::optional<X> count;
    for (auto& [key, child] : list->fields) {
      if (child->kind == Node::pointer) data = mem.load_pointer(mem.at(child));
      else count = ir::convert(mem.load(mem.at(child), child->dtype), ir::index_type);
    }
    if (!data || !count) refuse("this library's std::initializer_list is not known");
    mem.resize(v, *count);
    const auto* n = ir::constant_of(count->v);
    if (n && n->as_int() <= 16) for (std::int64_t i = 0; i < n->as_int(); ++i) mem.copy(mem.element(v, ir::index(b, i)), mem.advance(*data, ir::index(b, i)));
    else mem.loop(zero, *count, [&](X i) { mem.copy(mem.element(v, i), mem.advance(*data, i)); });
    return true;
  }
  if (args.size() != 2) return false;
  fill_from_range(v, element, args[0], args[1]);
  return true;
}
/// Arguments of a std::vector's constructor, but for the allocator.
std::vector<const Expr*> Lowerer::vector_arguments(const CXXConstructExpr* e) {
  std::vector<const Expr*> args;
  for (auto* a : e->arguments()) if (!isa<CXXDefaultArgExpr>(a) && !is_std(a->getType()->getAsCXXRecordDecl(), "allocator")) args.push_back(a);
  return args;
}
void Lowerer::construct_vector(const Pointer& v, const CXXConstructExpr* e) {
  const auto args = vector_arguments(e);
  if (v.only()->start) for (auto* c : {v.only()->start, v.only()->size, v.only()->room}) ops::store(X{&b, c->buffer}, v.index, ir::index(b, 0));
  if (args.empty()) return;
  if (e->getConstructor()->isCopyOrMoveConstructor()) return copy_or_move(v, args[0]);
  if (!fill_vector(v, vector_element(e->getType()), args)) refuse("this way to make a std::vector is not supported in differentiated code");
}

}  // namespace tlaloc::frontend
