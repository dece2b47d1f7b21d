// SPDX-License-Identifier: Apache-2.0
//
// Values of which the program knows at run time whether or which they are. std::optional: a value, then a bool. std::variant:
// its alternatives side by side, then the index of the one that it holds.
#include "frontend/clang/lowering.hpp"
#include "frontend/clang/versions.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

/// The call of something that C++ can call.
Expr* Lowerer::called(const Expr* callee, llvm::ArrayRef<Expr*> args) {
  llvm::SmallVector<Expr*, 4> given(args);
  Expr* what = as_expression(place(callee), callee->getType());
  const ExprResult made = shared.sema.BuildCallExpr(nullptr, what, here, given, here);
  if (made.isInvalid()) refuse("this call of '" + shared.type_name(callee->getType()) + "' is not supported in differentiated code");
  return made.get();
}
/// Gives a new object the value of an expression that may be of another type.
void Lowerer::give(const Pointer& to, QualType t, const Expr* e) {
  if (is_number(t)) mem.store(to, converted(number(e), t));
  else if (context.hasSameUnqualifiedType(e->getType(), t)) initialise_from(to, t, e);
  else construct_element(to, t, {e}, e);
}
static std::vector<const Expr*> written_arguments(const CXXConstructExpr* e) {
  std::vector<const Expr*> r;
  for (auto* a : e->arguments()) if (!isa<CXXDefaultArgExpr>(a)) r.push_back(a);
  return r;
}

// --- std::optional ---
std::optional<Lowerer::Result> Lowerer::optional_member(const CXXMethodDecl* m, const Pointer& o, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  const QualType own = tag_type(context, m->getParent()), t = optional_element(own);
  const auto& fields = o.targets[0]->fields;
  const Pointer value = mem.field(o, fields.at(0).first), engaged = mem.field(o, fields.at(1).first);
  auto has_value = [&] { return mem.load(engaged, ir::DType::boolean); };
  auto check = [&] { mem.when(ops::logical_not(has_value()), [&] { raise("throw std::bad_optional_access", ""); }); };
  auto set = [&](const Expr* from) { give(value, t, from), mem.store(engaged, mem.truth(true)); };
  if (isa<CXXConversionDecl>(m)) return Result{.number = has_value()};
  switch (m->getOverloadedOperator()) {
    case OO_Star: case OO_Arrow: return Result{.pointer = value};
    case OO_Equal: {
      const QualType from = args[0]->getType();
      if (is_std(from->getAsCXXRecordDecl(), "nullopt_t")) mem.store(engaged, mem.truth(false));
      else if (!optional_element(from).isNull()) {
        if (!context.hasSameUnqualifiedType(from, own)) return {};
        copy_or_move(o, args[0]);
      } else {
        set(args[0]);
      }
      return Result{.pointer = o};
    }
    case OO_None: break;
    default: return {};
  }
  if (!m->getDeclName().isIdentifier()) return {};
  const llvm::StringRef name = m->getName();
  if (name == "has_value") return Result{.number = has_value()};
  if (name == "value") { check(); return Result{.pointer = value}; }
  if (name == "reset") { mem.store(engaged, mem.truth(false)); return Result{}; }
  if (name == "emplace") {
    construct_element(value, t, args, e);
    mem.store(engaged, mem.truth(true));
    return Result{.pointer = value};
  }
  mem.origin(e, frame->id);
  auto fresh = [&](QualType type) { return mem.at(local(type, "")); };
  if (name == "swap") {
    const Pointer other = place(args[0]), kept = fresh(own);
    mem.copy(kept, o), mem.copy(o, other), mem.copy(other, kept);
    return Result{};
  }
  if (name == "value_or" && is_number(t)) {
    const X other = converted(number(args[0]), t);
    return Result{.number = mem.branch(has_value(), [&] { return std::vector<X>{mem.load(value, dtype(t))}; }, [&] { return std::vector<X>{other}; })[0]};
  }
  const QualType result = e->getType();
  auto choose = [&](const std::function<void(const Pointer&)>& yes, const std::function<void(const Pointer&)>& no) {
    const Pointer out = fresh(result);
    mem.branch(has_value(), [&] { yes(out); return std::vector<X>{}; }, [&] { no(out); return std::vector<X>{}; });
    return Result{.object = out.only()};
  };
  if (name == "value_or") return choose([&](auto& out) { mem.copy(out, value); }, [&](auto& out) { give(out, result, args[0]); });
  const QualType contained = optional_element(result);
  if (contained.isNull()) return {};
  Expr* held = as_expression(value, m->isConst() ? t.withConst() : t);
  auto none = [&](const Pointer& out) {
    const auto& parts = out.only()->fields;
    mem.zero(mem.field(out, parts[0].first)), mem.store(mem.field(out, parts[1].first), mem.truth(false));
  };
  if (name == "transform") return choose([&](auto& out) {
    const auto& parts = out.only()->fields;
    give(mem.field(out, parts[0].first), contained, called(args[0], {held})), mem.store(mem.field(out, parts[1].first), mem.truth(true));
  }, none);
  if (name == "and_then") return choose([&](auto& out) { give(out, result, called(args[0], {held})); }, none);
  if (name == "or_else") return choose([&](auto& out) { mem.copy(out, o); }, [&](auto& out) { give(out, result, called(args[0], {})); });
  return {};
}
void Lowerer::construct_optional(const Pointer& to, const CXXConstructExpr* e) {
  const auto args = written_arguments(e);
  const QualType own = e->getType(), t = optional_element(own);
  const auto& fields = to.targets[0]->fields;
  const Pointer value = mem.field(to, fields.at(0).first), engaged = mem.field(to, fields.at(1).first);
  if (args.empty() || is_std(args[0]->getType()->getAsCXXRecordDecl(), "nullopt_t")) {
    mem.zero(value);
    return mem.store(engaged, mem.truth(false));
  }
  if (context.hasSameUnqualifiedType(args[0]->getType(), own)) return copy_or_move(to, args[0]);
  if (is_std(args[0]->getType()->getAsCXXRecordDecl(), "in_place_t")) construct_element(value, t, llvm::ArrayRef(args).drop_front(), e);
  else if (args.size() > 1 || !optional_element(args[0]->getType()).isNull()) refuse("this way to make a std::optional is not supported in differentiated code");
  else give(value, t, args[0]);
  mem.store(engaged, mem.truth(true));
}

// --- std::variant ---
namespace {

constexpr std::size_t most_visited = 64;

/// Which alternative a template argument means: by position, or by its type.
std::optional<std::size_t> position(const ASTContext& context, QualType variant, const TemplateArgument& a) {
  if (a.getKind() == TemplateArgument::Integral) return std::size_t(a.getAsIntegral().getZExtValue());
  const auto types = alternatives(variant);
  for (std::size_t i = 0; i < types.size(); ++i)
    if (a.getKind() == TemplateArgument::Type && context.hasSameType(types[i].getAsType(), a.getAsType())) return i;
  return {};
}
/// Which one std::in_place_index<I> or std::in_place_type<T> names.
std::optional<std::size_t> in_place(const ASTContext& context, QualType variant, const Expr* e) {
  auto* r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(e->getType()->getAsCXXRecordDecl());
  if (!is_std(r, "in_place_index_t") && !is_std(r, "in_place_type_t")) return {};
  return position(context, variant, r->getTemplateArgs()[0]);
}
QualType variant_type(const Expr* e) { return e->getType().getNonReferenceType().getCanonicalType(); }

}  // namespace

void Lowerer::construct_variant(const Pointer& to, const CXXConstructExpr* e) {
  const auto* c = e->getConstructor();
  const QualType own = e->getType();
  const auto types = alternatives(own);
  const auto args = written_arguments(e);
  const auto& fields = to.only()->fields;
  if (c->isCopyOrMoveConstructor()) return copy_or_move(to, args[0]);
  std::optional<std::size_t> which;
  llvm::ArrayRef<const Expr*> given = args;
  if (args.empty()) which = 0;
  else if ((which = in_place(context, own, args[0]))) given = given.drop_front();
  else if (const FunctionDecl* body = shared.definition(c))
    // The library chooses the alternative, and hands it to the constructor that is told which.
    for (auto* i : cast<CXXConstructorDecl>(body)->inits())
      if (auto* made = i->isDelegatingInitializer() ? dyn_cast<CXXConstructExpr>(bare(i->getInit())) : nullptr; made && made->getNumArgs())
        which = in_place(context, own, made->getArg(0));
  if (!which) refuse("this way to make a std::variant is not supported in differentiated code");
  mem.zero(to);
  const QualType t = types[*which].getAsType();
  const Pointer value = mem.field(to, fields[*which].first);
  if (given.size() == 1 && is_number(t)) give(value, t, given[0]);
  else construct_element(value, t, given, e);
  mem.store(mem.field(to, fields.back().first), ir::constant(b, ir::Number::of(dtype(context.getSizeType()), std::int64_t(*which))));
}
std::optional<Lowerer::Result> Lowerer::variant_member(const CXXMethodDecl* m, const Pointer& v, const CallExpr* e, llvm::ArrayRef<const Expr*> args) {
  const QualType own = tag_type(context, m->getParent());
  const auto& fields = v.targets[0]->fields;
  const Pointer index = mem.field(v, fields.back().first);
  mem.origin(e, frame->id);
  auto fresh = [&] { return mem.at(local(own, "")); };
  if (m->getOverloadedOperator() == OO_Equal) {
    if (context.hasSameUnqualifiedType(args[0]->getType(), own)) {
      copy_or_move(v, args[0]);
    } else {
      const Pointer made = fresh();
      construct_element(made, own, args, e);
      mem.copy(v, made);
    }
    return Result{.pointer = v};
  }
  if (!m->getDeclName().isIdentifier()) return {};
  const llvm::StringRef name = m->getName();
  if (name == "index") return Result{.number = mem.load(index, dtype(context.getSizeType()))};
  if (name == "valueless_by_exception") return Result{.number = mem.truth(false)};
  if (name == "swap") {
    const Pointer other = place(args[0]), kept = fresh();
    mem.copy(kept, v), mem.copy(v, other), mem.copy(other, kept);
    return Result{};
  }
  if (name == "emplace" && m->getTemplateSpecializationArgs()) {
    const auto which = position(context, own, m->getTemplateSpecializationArgs()->get(0));
    if (!which) return {};
    const QualType t = alternatives(own)[*which].getAsType();
    mem.origin(e, frame->id);
    const Pointer made = mem.at(local(t, ""));    // of the old value, perhaps
    construct_element(made, t, args, e);
    const Pointer value = mem.field(v, fields[*which].first);
    mem.copy(value, made);
    mem.store(index, ir::constant(b, ir::Number::of(dtype(context.getSizeType()), std::int64_t(*which))));
    return Result{.pointer = value};
  }
  return {};
}
/// get, get_if, holds_alternative, visit.
std::optional<Lowerer::Result> Lowerer::variant_function(const FunctionDecl* f, const CallExpr* e) {
  if (!f->isInStdNamespace() || !f->getTemplateSpecializationArgs() || !e->getNumArgs()) return {};
  const llvm::StringRef name = f->getName();
  if (name == "visit" && e->getNumArgs() > 1) return visit(f, e);
  if (name != "get" && name != "get_if" && name != "holds_alternative") return {};
  const Expr* a = e->getArg(0);
  const bool by_pointer = name == "get_if";
  const QualType t = by_pointer ? variant_type(a)->getPointeeType() : variant_type(a);
  if (t.isNull() || alternatives(t).empty()) return {};
  const auto which = position(context, t, f->getTemplateSpecializationArgs()->get(0));
  if (!which) return {};
  const Pointer v = by_pointer ? pointer(a) : place(a);
  for (auto* n : v.targets) if (!n) refuse("std::get_if of a pointer that may be null is not supported in differentiated code");
  const auto& fields = v.targets[0]->fields;
  const ir::DType size = dtype(context.getSizeType());
  const X held = mem.load(mem.field(v, fields.back().first), size) == ir::constant(b, ir::Number::of(size, std::int64_t(*which)));
  if (name == "holds_alternative") return Result{.number = held};
  const Pointer value = mem.field(v, fields[*which].first);
  if (by_pointer) return Result{.pointer = mem.choose(held, value, mem.null())};
  mem.when(ops::logical_not(held), [&] { raise("throw std::bad_variant_access", ""); });
  return Result{.pointer = value};
}
/// One call of the visitor for each choice of alternatives.
Lowerer::Result Lowerer::visit(const FunctionDecl* f, const CallExpr* e) {
  const QualType t = f->getReturnType().getCanonicalType();
  if (t->isReferenceType() || t->isPointerType()) refuse("a std::visit that gives a reference or a pointer is not supported in differentiated code; return a value, or write inside the visitor");
  std::vector<Pointer> variants;
  std::size_t choices = 1;
  for (unsigned i = 1; i < e->getNumArgs(); ++i) {
    const std::size_t n = alternatives(variant_type(e->getArg(i))).size();
    if (!n) refuse("std::visit of a class derived from std::variant is not supported in differentiated code");
    if ((choices *= n) > most_visited) refuse("std::visit with more than " + std::to_string(most_visited) + " choices is not supported in differentiated code");
    variants.push_back(place(e->getArg(i)));
  }
  const Pointer visitor = place(e->getArg(0));
  Expr* callee = as_expression(visitor, e->getArg(0)->getType());
  mem.origin(e, frame->id);
  const bool is_object = !is_number(t) && !t->isVoidType();
  Node* made = is_object ? local(t, "") : nullptr;
  const ir::DType size = dtype(context.getSizeType());
  llvm::SmallVector<Expr*, 4> given;
  std::function<std::vector<X>(std::size_t)> choose = [&](std::size_t k) -> std::vector<X> {
    if (k == variants.size()) {
      const Expr* call = called(callee, given);
      if (is_object) return give(mem.at(made), t, call), std::vector<X>{};
      if (t->isVoidType()) return effect(call), std::vector<X>{};
      return {converted(number(call), t)};
    }
    const QualType own = variant_type(e->getArg(unsigned(k + 1)));
    const auto types = alternatives(own);
    const auto& fields = variants[k].targets[0]->fields;
    const X index = mem.load(mem.field(variants[k], fields.back().first), size);
    std::function<std::vector<X>(std::size_t)> arm = [&](std::size_t i) {
      auto with = [&]() -> std::vector<X> {
        const QualType alternative = types[i].getAsType();
        given.push_back(as_expression(mem.field(variants[k], fields[i].first), own.isConstQualified() ? alternative.withConst() : alternative));
        auto r = choose(k + 1);
        given.pop_back();
        return r;
      };
      if (i + 1 == types.size()) return with();
      return mem.branch(index == ir::constant(b, ir::Number::of(size, std::int64_t(i))), with, [&] { return arm(i + 1); });
    };
    return arm(0);
  };
  const auto r = choose(0);
  if (is_object) return {.object = made};
  return r.empty() ? Result{} : Result{.number = r[0]};
}

}  // namespace tlaloc::frontend
