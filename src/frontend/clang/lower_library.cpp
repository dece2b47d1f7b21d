// SPDX-License-Identifier: Apache-2.0
//
// What the standard library means here. Mathematics: an op of the same name. Output: the `output` op. std::vector: a growable
// buffer with members of our own; other classes and the algorithms are lowered through their bodies.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {

/// The op that a mathematical function is, whatever header and precision its name speaks of; null for none.
const ir::Kind* mathematics(llvm::StringRef name, unsigned arguments) {
  name.consume_front("__builtin_");
  return ir::find_function({name.data(), name.size()}, int(arguments));
}
bool in_library(const FunctionDecl* f, const SourceManager& sources) {
  if (f->getBuiltinID()) return true;
  return (f->isInStdNamespace() || f->isExternC()) && sources.isInSystemHeader(f->getLocation());
}
const Expr* without_casts(const Expr* e) { return e->IgnoreParenImpCasts(); }

}  // namespace

std::optional<Lowerer::Result> Lowerer::library(const FunctionDecl* f, const CallExpr* e) {
  if (!f->getDeclName().isIdentifier() || !in_library(f, context.getSourceManager()) || isa<CXXMethodDecl>(f)) return {};
  const llvm::StringRef name = f->getName();
  auto argument_number = [&](unsigned i) { return number(e->getArg(i)); };
  if (name == "__builtin_is_constant_evaluated" || name == "is_constant_evaluated" || name == "__is_constant_evaluated") return Result{.number = mem.truth(false)};
  if (name == "__builtin_expect" || name == "__builtin_expect_with_probability") return Result{.number = argument_number(0)};
  if (name == "__builtin_assume" || name == "__builtin_unreachable" || name == "__builtin_prefetch") return Result{};
  if (name == "__builtin_constant_p") return Result{.number = ir::constant(b, ir::Number::of(ir::DType::i32, 0))};
  if (name == "__builtin_addressof" || name == "addressof" || name == "__addressof") return Result{.pointer = place(e->getArg(0))};
  if ((name == "move" || name == "forward" || name == "as_const" || name == "move_if_noexcept" || name == "forward_like") && e->getNumArgs() == 1) return Result{.pointer = place(e->getArg(0))};
  if (name.starts_with("__throw_") && f->isInStdNamespace()) {           // a failed range check ends the program
    b.append(ops::output, {}, {std::string("std::abort"), std::string()});
    return Result{};
  }
  if (auto r = output(f, e)) return r;
  if (auto r = memory(f, e)) return r;
  if (is_number(f->getReturnType())) if (auto x = evaluated(e)) return Result{.number = *x};
  const bool math = f->getBuiltinID() || f->isExternC() || f->isInStdNamespace();
  const ir::Kind* kind = math ? mathematics(name, e->getNumArgs()) : nullptr;
  if (!kind || !is_number(f->getReturnType())) return parts_of_number(f, e);
  const QualType t = f->getReturnType();
  // A template of the library promotes its arguments together: to double unless all are float.
  const auto* pattern = f->getPrimaryTemplate() ? f->getPrimaryTemplate()->getTemplatedDecl() : nullptr;
  std::vector<X> in;
  bool reals = true;
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    if (!is_number(e->getArg(i)->getType())) return {};
    X x = argument_number(i);
    const bool promoted = pattern && i < pattern->getNumParams() && pattern->getParamDecl(i)->getType()->isDependentType();
    if (promoted) x = converted(x, t->isRealFloatingType() && kind != &ops::nextafter ? t : x.type().real() ? e->getArg(i)->getType() : context.DoubleTy);
    reals &= x.type().real();
    in.push_back(x);
  }
  if (kind == &ops::abs && !reals) {              // of an integer
    const X x = in[0];
    return Result{.number = converted(ops::select(x < ir::like(x, 0), -x, x), t)};
  }
  for (std::size_t i = 0; i < in.size() && !reals; ++i)
    if (i == 0 && !in[0].type().real() && kind->effect == ir::Effect::pure && in.size() == 1) in[0] = converted(in[0], context.DoubleTy);
  Restore where(b.where, b.where);
  const auto at = shared.locate(e->getExprLoc(), nullptr);
  b.where.line = at.line, b.where.column = at.column, b.where.file = at.file;
  std::vector<ir::Value*> operands;
  for (X x : in) operands.push_back(x.v);
  return Result{.number = converted({&b, b.append(*kind, operands)->results[0]}, t)};
}

/// Functions that give a second result through a pointer.
std::optional<Lowerer::Result> Lowerer::parts_of_number(const FunctionDecl* f, const CallExpr* e) {
  llvm::StringRef name = f->getName();
  name.consume_front("__builtin_");
  if (name.ends_with("f") && name != "modf") name = name.drop_back();
  auto give = [&](unsigned i, X x) { mem.store(pointer(e->getArg(i)), converted(x, e->getArg(i)->getType()->getPointeeType())); };
  if (name == "modf" && e->getNumArgs() == 2) {
    const X x = number(e->getArg(0));
    give(1, ops::trunc(x));
    return Result{.number = converted(ops::modf_fraction(x), f->getReturnType())};
  }
  if (name == "frexp" && e->getNumArgs() == 2) {
    const X x = number(e->getArg(0));
    give(1, ops::frexp_exponent(x));
    return Result{.number = converted(ops::frexp_significand(x), f->getReturnType())};
  }
  if (name == "remquo" && e->getNumArgs() == 3) {
    const X x = number(e->getArg(0)), y = number(e->getArg(1));
    give(2, ops::remquo_quotient(x, y));
    return Result{.number = converted(ops::remainder(x, y), f->getReturnType())};
  }
  if (name == "sincos" && e->getNumArgs() == 3) {
    const X x = number(e->getArg(0));
    give(1, ops::sin(x));
    give(2, ops::cos(x));
    return Result{};
  }
  if ((name == "huge_val" || name == "inf" || name == "nan") && is_number(f->getReturnType())) if (auto x = evaluated(e)) return Result{.number = *x};
  return {};
}

/// memcpy, memmove and memset on numbers of one type: what std::copy and std::fill come down to.
std::optional<Lowerer::Result> Lowerer::memory(const FunctionDecl* f, const CallExpr* e) {
  llvm::StringRef name = f->getName();
  name.consume_front("__builtin_");
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
  if (known ? known->as_int() % bytes != 0 : !is_number(element)) refuse("'" + name.str() + "' of a part of an object is not supported; assign its members");
  const X n = size / ir::index(b, bytes);
  auto element_at = [&](const Pointer& p, X i) { return mem.advance(p, i); };
  if (name == "memset") { mem.loop(ir::index(b, 0), n, [&](X i) { mem.zero(element_at(to, i)); }); return Result{.pointer = to}; }
  auto forward = [&] { mem.loop(ir::index(b, 0), n, [&](X i) { mem.copy(element_at(to, i), element_at(from, i)); }); return std::vector<X>{}; };
  auto backward = [&] { mem.loop(ir::index(b, 0), n, [&](X i) { const X j = n - ir::index(b, 1) - i; mem.copy(element_at(to, j), element_at(from, j)); }); return std::vector<X>{}; };
  bool may_overlap = false;
  for (auto* t : to.targets) for (auto* s : from.targets) may_overlap |= t == s;
  if (name == "memmove" && may_overlap) mem.branch(to.index <= from.index, forward, backward);
  else forward();
  return Result{.pointer = to};
}

// --- output ---
std::optional<Lowerer::Result> Lowerer::output(const FunctionDecl* f, const CallExpr* e) {
  const llvm::StringRef name = f->getName();
  auto emit = [&](const std::string& callee, const std::string& format, std::vector<X> numbers) {
    std::vector<ir::Value*> operands;
    for (X x : numbers) operands.push_back(x.v);
    b.append(ops::output, operands, {callee, format});
    // The number of characters written is not known to a derivative; nothing may depend on it.
    Result r;
    if (is_number(f->getReturnType())) r.number = ir::constant(b, ir::Number::of(dtype(f->getReturnType()), 0));
    return r;
  };
  auto literal = [&](unsigned i) -> std::optional<std::string> {
    if (i >= e->getNumArgs()) return {};
    if (auto* s = dyn_cast<StringLiteral>(without_casts(e->getArg(i))); s && s->getCharByteWidth() == 1) return s->getString().str();
    return {};
  };
  const bool printf = name == "printf" || name == "__builtin_printf";
  const bool fprintf = name == "fprintf";
  if (printf || fprintf) {
    std::string callee = "std::printf";
    if (fprintf) {
      std::string stream = Lexer::getSourceText(CharSourceRange::getTokenRange(e->getArg(0)->getSourceRange()), context.getSourceManager(), context.getLangOpts()).str();
      if (stream == "stderr") callee = "std::fprintf(stderr)";
      else if (stream != "stdout") refuse("output to another stream than stdout or stderr is not supported in differentiated code");
    }
    const auto format = literal(fprintf);
    if (!format) refuse("the format of '" + name.str() + "' must be a literal in differentiated code");
    std::vector<X> numbers;
    for (unsigned i = fprintf ? 2 : 1; i < e->getNumArgs(); ++i) {
      if (!is_number(e->getArg(i)->getType())) refuse(e->getArg(i)->getExprLoc(), "'" + name.str() + "' of something that is not a number is not supported in differentiated code");
      numbers.push_back(number(e->getArg(i)));
    }
    return emit(callee, *format, numbers);
  }
  if (name == "puts") {
    if (auto text = literal(0)) return emit("std::puts", *text, {});
    refuse("'puts' of something that is not a literal is not supported in differentiated code");
  }
  if (name == "putchar") return emit("std::putchar", "", {number(e->getArg(0))});
  if (name == "abort" || name == "terminate" || name == "__assert_fail" || name == "__glibcxx_assert_fail") return emit("std::abort", "", {});
  if (name == "exit" && f->isExternC()) return emit("std::exit", "", {number(e->getArg(0))});
  if (name == "fputs" || name == "fputc" || name == "putc" || name == "fwrite" || name == "fflush" || name == "scanf" || name == "rand")
    refuse("'" + name.str() + "' is not supported in differentiated code; use printf, puts or putchar");
  return {};
}

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
std::optional<Lowerer::Result> Lowerer::container(const CXXMethodDecl* m, const Pointer& v, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  Node* n = v.only();
  const X zero = ir::index(b, 0);
  const QualType t = e->getType();
  auto size = [&] { return mem.length(v); };
  auto append = [&](const std::function<void(const Pointer&)>& fill) {
    const X at = size();
    int leaves = 0;
    Node* leaf = nullptr;
    Objects::leaves(n->element, [&](Node* l) { ++leaves, leaf = l; });
    if (n->length) { mem.resize(v, at + ir::index(b, 1)); return; }       // says why it may not
    if (leaves == 1 && n->element->kind == Node::scalar) {                // the usual case
      mem.origin(e, frame->id);
      Node* value = local(element_type(m), "");
      fill(mem.at(value));
      ops::append(X{&b, leaf->buffer}, mem.load(mem.at(value), leaf->dtype));
      return;
    }
    mem.resize(v, at + ir::index(b, 1));
    fill(mem.element(v, at));
  };
  if (auto op = m->getOverloadedOperator(); op == OO_Subscript) return Result{.pointer = mem.element(v, ir::convert(number(args[0]), ir::index_type))};
  else if (op == OO_Equal) {
    const Pointer from = args[0]->isGLValue() ? place(args[0]) : mem.at(object(args[0], ""));
    mem.copy(v, from);
    return Result{.pointer = v};
  }
  if (!m->getDeclName().isIdentifier()) return {};
  const llvm::StringRef name = m->getName();
  if (name == "size") return Result{.number = converted(size(), t)};
  if (name == "empty") return Result{.number = size() == zero};
  if (name == "at") {
    const X i = ir::convert(number(args[0]), ir::index_type);
    const X outside = ops::bit_or(i < zero, i >= size());
    mem.when(outside, [&] { b.append(ops::output, {}, {std::string("std::abort"), std::string()}); });
    return Result{.pointer = mem.element(v, i)};
  }
  if (name == "front") return Result{.pointer = mem.element(v, zero)};
  if (name == "back") return Result{.pointer = mem.element(v, size() - ir::index(b, 1))};
  if (name == "data") return Result{.pointer = mem.element(v, zero)};
  if (name == "begin" || name == "cbegin") return Result{.object = iterator(e, mem.element(v, zero))};
  if (name == "end" || name == "cend") return Result{.object = iterator(e, mem.element(v, size()))};
  if (name == "rbegin" || name == "crbegin") return Result{.object = iterator(e, mem.element(v, size()))};
  if (name == "rend" || name == "crend") return Result{.object = iterator(e, mem.element(v, zero))};
  if (name == "push_back") {
    append([&](const Pointer& to) { initialise_from(to, element_type(m), args[0]); });
    return Result{};
  }
  if (name == "emplace_back") {
    append([&](const Pointer& to) {
      if (args.empty()) mem.zero(to);
      else if (args.size() == 1 && (to.only()->kind == Node::scalar || context.hasSameUnqualifiedType(args[0]->getType(), element_type(m)))) initialise_from(to, element_type(m), args[0]);
      else refuse("emplace_back with constructor arguments is not supported in differentiated code; use push_back");
    });
    return Result{.pointer = mem.element(v, size() - ir::index(b, 1))};
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
    return Result{};
  }
  if (name == "assign" && args.size() == 2 && is_number(args[0]->getType())) {
    const X wanted = ir::convert(number(args[0]), ir::index_type);
    const Pointer value = place(args[1]);
    mem.resize(v, wanted);
    mem.loop(zero, wanted, [&](X i) { mem.copy(mem.element(v, i), value); });
    return Result{};
  }
  if (name == "assign" && args.size() == 2) { fill_from_range(v, args[0], args[1]); return Result{}; }
  return {};
}
QualType Lowerer::element_type(const CXXMethodDecl* m) { return vector_element(context.getCanonicalTagType(m->getParent())); }
void Lowerer::initialise_from(const Pointer& to, QualType t, const Expr* e) {
  if (is_number(t)) mem.store(to, converted(number(e), t));
  else if (e->isGLValue()) mem.copy(to, place(e));
  else initialise(to, t, e);
}
/// The elements between two pointers or library iterators.
void Lowerer::fill_from_range(const Pointer& v, const Expr* first, const Expr* last) {
  auto position = [&](const Expr* e) {
    if (e->getType()->isPointerType()) return pointer(e);
    Node* n = object(e, "");
    Node* slot = nullptr;
    int slots = 0;
    Objects::leaves(n, [&](Node* l) { slot = l; ++slots; });
    if (slots != 1 || slot->kind != Node::pointer) refuse(e->getExprLoc(), "a std::vector made from this kind of iterator is not supported; use a loop");
    return mem.load_pointer(mem.at(slot));
  };
  const Pointer from = position(first), to = position(last);
  const X count = mem.difference(to, from);
  mem.resize(v, count);
  mem.loop(ir::index(b, 0), count, [&](X i) { mem.copy(mem.element(v, i), mem.advance(from, i)); });
}
void Lowerer::construct_vector(const Pointer& v, const CXXConstructExpr* e) {
  std::vector<const Expr*> args;
  for (auto* a : e->arguments()) if (!isa<CXXDefaultArgExpr>(a) && !is_std(a->getType()->getAsCXXRecordDecl(), "allocator")) args.push_back(a);
  const X zero = ir::index(b, 0);
  if (args.empty()) return;
  const auto* c = e->getConstructor();
  if (c->isCopyOrMoveConstructor()) return mem.copy(v, place(args[0]));
  if (is_number(args[0]->getType())) {
    const X count = ir::convert(number(args[0]), ir::index_type);
    std::optional<Pointer> value;
    if (args.size() > 1) value = place(args[1]);
    mem.resize(v, count);
    if (value) mem.loop(zero, count, [&](X i) { mem.copy(mem.element(v, i), *value); });
    return;
  }
  if (is_std(args[0]->getType()->getAsCXXRecordDecl(), "initializer_list")) {
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
    return;
  }
  if (args.size() == 2) return fill_from_range(v, args[0], args[1]);
  refuse("this way to make a std::vector is not supported in differentiated code");
}

// --- derivatives inside differentiated code ---
namespace {

/// Copies a function's ops; a buffer parameter may stand for the part of a buffer that starts at an offset.
struct Splice {
  ir::Builder& b;
  std::map<const ir::Value*, X> offsets = {};

  /// Throws PointerError for what needs a whole buffer.
  void block(const ir::Block& from, std::map<const ir::Value*, ir::Value*>& map) {
    for (auto* op : from.ops) one(*op, map);
  }
  void one(const ir::Op& op, std::map<const ir::Value*, ir::Value*>& map) {
    std::vector<ir::Value*> in;
    for (auto* v : op.operands) in.push_back(map.at(v));
    const bool indexed = op.kind == &ops::load || op.kind == &ops::store || op.kind == &ops::accum;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      auto it = offsets.find(op.operands[i]);
      if (it == offsets.end() || ir::is_constant(it->second.v, 0)) continue;
      if (!indexed) throw PointerError{"a derivative called inside differentiated code on a part of an array"};
      in[1] = (X{&b, in[1]} + it->second).v;
    }
    std::vector<ir::Block*> regions;
    for (auto* r : op.regions) {
      ir::Block* made = b.function.new_block();
      ir::Block* before = std::exchange(b.block, made);
      for (auto* p : r->params) map[p] = param(b, p->type, p->name).v;
      block(*r, map);
      for (auto* y : r->yields) made->yields.push_back(map.at(y));
      b.block = before;
      regions.push_back(made);
    }
    const auto where = std::exchange(b.where, op.where);
    auto* made = b.append(*op.kind, in, op.attrs, regions);
    b.where = where;
    for (std::size_t i = 0; i < op.results.size(); ++i) made->results[i]->name = op.results[i]->name, map[op.results[i]] = made->results[i];
  }
};

}  // namespace

/// The place that the steps lead to.
Pointer Lowerer::walk(Pointer p, const std::vector<Step>& path) {
  for (auto& s : path) {
    switch (s.kind) {
      case Step::member: {
        p = mem.field(p, s.decl->getCanonicalDecl());
        if (cast<FieldDecl>(s.decl)->getType()->isReferenceType()) p = mem.load_pointer(p);
        break;
      }
      case Step::base: p = mem.field(p, s.decl->getCanonicalDecl()); break;
      case Step::dereference: p = mem.load_pointer(p); break;
      case Step::address: break;                  // a place is an address
      case Step::element: p = mem.element(p, ir::index(b, s.index)); break;
      case Step::data: {
        // The elements of a vector, of an array member, or behind a pointer member.
        while (p.only() && p.only()->kind == Node::record && !p.only()->fields.empty()) p = mem.field(p, p.only()->fields[0].first);
        if (p.only() && p.only()->kind == Node::pointer) p = mem.load_pointer(p);
        else if (p.only() && p.only()->element) p = mem.element(p, ir::index(b, 0));
        else refuse("this kind of range as the argument of a derivative is not supported inside differentiated code");
        break;
      }
      case Step::size: break;                     // see derivative()
    }
  }
  return p;
}
X Lowerer::range_size(const Pointer& range) {
  Node* n = range.only();
  if (n && n->kind == Node::vector) return mem.length(range);
  Node* count = nullptr;
  if (n) Objects::leaves(n, [&](Node* l) { if (l->kind == Node::scalar && l->dtype == ir::DType::u64) count = l; });
  if (n && n->kind == Node::record && n->fields.size() == 1 && n->fields[0].second->kind == Node::array) return ir::index(b, n->fields[0].second->extent);
  if (!count) refuse("the length of this argument of a derivative is not known inside differentiated code");
  return ir::convert(mem.load(mem.at(count), count->dtype), ir::index_type);
}
std::optional<Lowerer::Result> Lowerer::derivative(const CXXMethodDecl* m, const Pointer* object_place, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  auto* space = dyn_cast_or_null<NamespaceDecl>(m->getParent()->getEnclosingNamespaceContext());
  if (!space || space->getName() != "tlaloc" || m->getOverloadedOperator() != OO_Call || !shared.api->inner_derivative) return {};
  auto found = shared.api->inner_derivative(m, e->getExprLoc());
  if (!found) return {};
  std::vector<Pointer> sources{*object_place};
  for (auto* a : args) sources.push_back(place(a));

  Splice splice{b};
  std::map<const ir::Value*, ir::Value*> map;
  const QualType t = m->getReturnType().getCanonicalType();
  Node* made = nullptr;                           // the result, where it is an object
  if (t->isRecordType()) {
    mem.origin(e, frame->id);
    made = local(t, "");
    if (std::any_of(found->params.begin(), found->params.end(), [](auto& l) { return l.source < 0; })) mem.zero(mem.at(made));
  }
  auto length_of = [&](const Leaf& leaf) -> X {
    auto path = leaf.path;
    if (!path.empty() && path.back().kind == Step::size) path.pop_back();
    const Pointer p = walk(sources[std::size_t(leaf.source)], path);
    if (p.only() && p.only()->kind == Node::scalar) return ir::convert(mem.load(p, p.only()->dtype), ir::index_type);      // of a view
    return range_size(p) * ir::index(b, leaf.each);
  };
  /// A vector in the result gets the length of the argument that it is the derivative of, a matrix its rows and columns.
  auto in_result = [&](std::size_t i) {
    const Leaf& leaf = found->params[i];
    std::vector<Step> to(leaf.path.begin(), leaf.path.end() - 1);
    const Pointer range = walk(mem.at(made), to);
    if (auto m = found->matrices.find(i); m != found->matrices.end()) {
      auto count = [&](const InnerDerivative::Count& c) {
        X n = ir::index(b, c.known);
        for (auto& l : c.lengths) n = n + length_of(l);
        return n;
      };
      const X rows = count(m->second.first), columns = count(m->second.second);
      auto* record = cast<FieldDecl>(to.back().decl)->getParent();
      to.pop_back();
      const Pointer matrix = walk(mem.at(made), to);
      auto field = record->field_begin();
      for (const X n : {rows, columns}) {
        const Pointer at = mem.field(matrix, (*field++)->getCanonicalDecl());
        mem.store(at, ir::convert(n, at.only()->dtype));
      }
      mem.resize(range, rows * columns);
      return walk(mem.at(made), leaf.path);
    }
    if (range.only() && range.only()->kind == Node::vector) {
      const int like = found->like[i];
      const Leaf* argument = like < 0 ? nullptr : &found->params[std::size_t(like)];
      if (!argument || argument->path.empty() || argument->path.back().kind != Step::data)
        refuse("a derivative called inside differentiated code returns an array of unknown length; give the argument as tlaloc::shadow(x, dx)");
      std::vector<Step> from(argument->path.begin(), argument->path.end() - 1);
      mem.resize(range, range_size(walk(sources[std::size_t(argument->source)], from)));
    }
    return walk(mem.at(made), leaf.path);
  };
  std::map<const ir::Value*, std::pair<int, bool>> uses;                 // how many parameters share a buffer, and is one written
  std::set<const ir::Value*> written;
  ir::walk(*found->function->body, [&](ir::Op* op) { for (auto* v : ir::written_buffers(*op)) written.insert(v); });
  for (std::size_t i = 0; i < found->params.size(); ++i) {
    const Leaf& leaf = found->params[i];
    ir::Value* p = found->function->body->params[i];
    if (leaf.kind == Leaf::extent) {
      map[p] = length_of(leaf).v;
      continue;
    }
    Pointer at = leaf.source < 0 ? in_result(i) : walk(sources[std::size_t(leaf.source)], leaf.path);
    if (leaf.kind == Leaf::scalar) {
      Node* n = at.only();
      map[p] = ir::convert(mem.load(at, n && n->kind == Node::scalar ? n->dtype : leaf.dtype), leaf.dtype).v;
      continue;
    }
    if (at.only() && at.only()->kind == Node::pointer) at = mem.load_pointer(at);
    while (at.only() && (at.only()->kind == Node::array || at.only()->kind == Node::vector)) at = mem.element(at, ir::index(b, 0));
    Node* n = at.only();
    if (!n) refuse("a derivative called inside differentiated code on one of several arrays; choose with an if around the call");
    std::set<ir::Value*> buffers;
    Objects::leaves(n, [&](Node* l) { buffers.insert(l->buffer); });
    if (buffers.size() != 1 || (*buffers.begin())->type.dtype != leaf.dtype) refuse("a derivative called inside differentiated code on an array of objects; use arrays of numbers");
    map[p] = *buffers.begin();
    splice.offsets[p] = at.index;
    auto& [count, writes] = uses[map[p]];
    ++count, writes |= written.count(p) > 0;
    if (count > 1 && writes) refuse("a derivative called inside differentiated code with two arguments in the same array; give each an array of its own");
  }
  splice.block(*found->function->body, map);
  if (t->isVoidType()) return Result{};
  const auto& yields = found->function->body->yields;
  if (is_number(t)) return Result{.number = converted({&b, map.at(yields.at(0))}, t)};
  for (std::size_t i = 0; i < yields.size(); ++i) mem.store(walk(mem.at(made), found->results[i].path), {&b, map.at(yields[i])});
  return Result{.object = made};
}

}  // namespace tlaloc::frontend
