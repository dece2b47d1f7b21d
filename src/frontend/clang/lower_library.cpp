// SPDX-License-Identifier: Apache-2.0
//
// What functions of the standard library mean here. Mathematics: an op of the same name. Exceptions: the `output` op. What is
// not named here is lowered through its body.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

#include <cmath>

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
/// What a static member without parameters gives, where it is a constant.
std::optional<std::uint64_t> static_number(Lowerer& l, const CXXRecordDecl* r, llvm::StringRef name) {
  for (auto* d : r->lookup(&l.context.Idents.get(name))) {
    auto* m = dyn_cast<CXXMethodDecl>(d);
    const FunctionDecl* body = m && m->isStatic() ? l.shared.definition(m) : nullptr;
    auto* block = body ? dyn_cast<CompoundStmt>(body->getBody()) : nullptr;
    auto* value = block && block->size() == 1 ? dyn_cast<ReturnStmt>(block->body_front()) : nullptr;
    Expr::EvalResult result;
    if (value && value->getRetValue()->EvaluateAsInt(result, l.context)) return result.Val.getInt().getZExtValue();
  }
  return {};
}
/// std::generate_canonical of libstdc++, which counts in long double how many draws fill a number. The same bits, with that
/// count as a constant.
std::optional<Lowerer::Result> canonical(Lowerer& l, const FunctionDecl* f, const CallExpr* e) {
  auto* args = f->getTemplateSpecializationArgs();
  auto* engine = e->getArg(0)->getType()->getAsCXXRecordDecl();
  const FunctionDecl* body = l.shared.definition(f);
  if (!args || args->size() < 2 || !engine || !body) return {};
  struct Known : RecursiveASTVisitor<Known> {
    bool found = false;
    bool VisitVarDecl(VarDecl* v) { found |= v->getName() == "__log2r"; return true; }
  } known;
  known.TraverseStmt(body->getBody());
  const auto low = static_number(l, engine, "min"), high = static_number(l, engine, "max");
  const QualType t = args->get(0).getAsType().getCanonicalType();
  const bool single = t == l.context.FloatTy;
  if (!known.found || !low || !high || (!single && t != l.context.DoubleTy)) return {};
  const long double range = static_cast<long double>(*high) - static_cast<long double>(*low) + 1.0L;
  const auto digits = std::min<std::uint64_t>(single ? 24 : 53, args->get(1).getAsIntegral().getZExtValue());
  const auto per_draw = static_cast<std::uint64_t>(std::log(range) / std::log(2.0L));
  auto constant = [&](double v) { return ir::constant(l.b, ir::Number::of(l.dtype(t), v)); };
  Expr* draws = l.as_expression(l.place(e->getArg(0)), e->getArg(0)->getType());
  X sum = constant(0);
  double scale = 1;
  for (auto k = std::max<std::uint64_t>(1, (digits + per_draw - 1) / per_draw); k != 0; --k) {
    const ExprResult draw = l.shared.sema.BuildCallExpr(nullptr, draws, e->getExprLoc(), {}, e->getExprLoc());
    if (draw.isInvalid()) return {};
    const X bits = l.number(draw.get());
    sum = sum + l.converted(bits - ir::constant(l.b, ir::Number::of(bits.type().dtype, *low)), t) * constant(scale);
    scale = single ? double(float(float(scale) * range)) : double(scale * range);
  }
  const X r = sum / constant(scale);
  return Lowerer::Result{.number = ops::select(r >= constant(1), constant(single ? double(std::nextafter(1.0f, 0.0f)) : std::nextafter(1.0, 0.0)), r)};
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
  if (exception(f, e)) return Result{};
  if (auto r = sorting(f, e)) return r;
  if (auto r = output(f, e)) return r;
  if (auto r = memory(f, e)) return r;
  if (auto r = bits(f, e)) return r;
  if (auto r = complex_function(f, e)) return r;
  if (auto r = variant_function(f, e)) return r;
  llvm::StringRef text = name;
  text.consume_front("__builtin_");
  if ((text == "strlen" && e->getNumArgs() == 1) || (text == "memcmp" && e->getNumArgs() == 3)) {        // of texts
    const bool length = text == "strlen";
    const Pointer p = pointer(without_casts(e->getArg(0))), q = length ? p : pointer(without_casts(e->getArg(1)));
    const X zero = ir::index(b, 0), one = ir::index(b, 1), end = length ? X{} : ir::convert(number(e->getArg(2)), ir::index_type);
    mem.origin(e, frame->id);
    Node *at = variable_of_our_own(ir::index_type, "at", zero), *order = variable_of_our_own(ir::index_type, "order", zero);
    auto get = [&](Node* n) { return mem.load(mem.at(n), ir::index_type); };
    auto letter = [&](const Pointer& of) { return ir::convert(ir::convert(mem.load(mem.advance(of, get(at)), ir::DType::i8), ir::DType::u8), ir::index_type); };
    mem.repeat([&] { return length ? letter(p) != zero : ops::bit_and(get(at) < end, get(order) == zero); }, [&] {
      if (!length) mem.store(mem.at(order), letter(p) - letter(q));
      mem.store(mem.at(at), get(at) + one);
    });
    return Result{.number = converted(get(length ? at : order), f->getReturnType())};
  }
  if (name == "generate_canonical" && e->getNumArgs() == 1) if (auto r = canonical(*this, f, e)) return r;
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
  if (name == "nan" && e->getNumArgs() == 1 && e->getArg(0)->tryEvaluateString(context))
    return Result{.number = ir::constant(b, ir::Number::of(dtype(f->getReturnType()), std::numeric_limits<double>::quiet_NaN()))};
  return {};
}

/// Counts of bits, which the library's algorithms on lengths use.
std::optional<Lowerer::Result> Lowerer::bits(const FunctionDecl* f, const CallExpr* e) {
  const llvm::StringRef name = f->getName();
  const bool leading = name.starts_with("__builtin_clz"), trailing = name.starts_with("__builtin_ctz"), count = name.starts_with("__builtin_popcount");
  if ((!leading && !trailing && !count) || e->getNumArgs() != 1 || !is_number(e->getArg(0)->getType())) return {};
  const QualType t = e->getArg(0)->getType();
  const int width = int(context.getTypeSize(t));
  if (width != 32 && width != 64) return {};
  X x = number(e->getArg(0));
  auto of = [&](std::int64_t v) { return ir::constant(b, ir::Number::of(x.type().dtype, v)); };
  X n = of(0);
  if (count) {
    for (int i = 0; i < width; ++i) n = n + ops::bit_and(ops::shift_right(x, of(i)), of(1));
    return Result{.number = converted(n, f->getReturnType())};
  }
  for (int half = width / 2; half > 0; half /= 2) {                      // of a number that is not zero
    const X part = leading ? ops::shift_right(x, of(width - half)) : ops::bit_and(x, of((std::int64_t(1) << half) - 1));
    const X none = part == of(0);
    n = ops::select(none, n + of(half), n);
    x = ops::select(none, leading ? ops::shift_left(x, of(half)) : ops::shift_right(x, of(half)), x);
  }
  return Result{.number = converted(n, f->getReturnType())};
}

// --- exceptions ---
namespace {
constexpr std::pair<const char*, bool> exceptions[] = {
    {"out_of_range", true}, {"length_error", true}, {"invalid_argument", true}, {"domain_error", true}, {"logic_error", true},
    {"runtime_error", true}, {"range_error", true}, {"overflow_error", true}, {"underflow_error", true},
    {"bad_alloc", false}, {"bad_array_new_length", false}, {"bad_optional_access", false}, {"bad_variant_access", false}};
std::optional<std::pair<std::string, bool>> known_exception(llvm::StringRef name) {
  for (auto& [type, with_text] : exceptions) if (name == type) return std::pair(std::string("throw std::") + type, with_text);
  return {};
}
}  // namespace

/// The library's way to throw: std::__throw_out_of_range_fmt("vector::at: ...", ...).
bool Lowerer::exception(const FunctionDecl* f, const CallExpr* e) {
  llvm::StringRef name = f->getName();
  if (!f->isInStdNamespace() || !name.consume_front("__throw_")) return false;
  name.consume_back("_fmt");
  const auto known = known_exception(name);
  if (!known) refuse("an exception of the library ('" + f->getName().str() + "') is not supported in differentiated code");
  std::string text;
  if (known->second && e->getNumArgs()) {
    if (auto* s = dyn_cast<StringLiteral>(without_casts(e->getArg(0))); s && s->getCharByteWidth() == 1) text = s->getString().split(':').first.str();
    if (text.empty()) text = name.str();
  }
  raise(known->first, text);
  return true;
}
void Lowerer::raise(const std::string& exception, const std::string& text) {
  not_in_try("'" + exception + "'");
  b.append(ops::output, {}, {exception, text});
}
/// What a try block catches does not leave the function, and a derivative would not go on from there.
void Lowerer::not_in_try(const std::string& what) {
  if (!try_.frame) return;
  const auto line = context.getSourceManager().getExpansionLineNumber(here);
  Restore around(frame, try_.frame);
  refuse(try_.where, "try around something that throws (" + what + " in line " + std::to_string(line) + ") is not supported in differentiated code; test before the call, or return a status");
}
void Lowerer::may_throw(const FunctionDecl* f) {
  const auto* type = f->getType()->getAs<FunctionProtoType>();
  if (!type || !type->isNothrow()) not_in_try("'" + f->getNameAsString() + "', which is not noexcept,");
}
/// throw std::invalid_argument("text"): nothing of the function catches it, so that the derivative throws it too.
bool Lowerer::throws(const CXXThrowExpr* e) {
  not_in_try("throw");
  const Expr* thrown = e->getSubExpr();
  while (thrown) {
    thrown = bare(thrown);
    auto* construct = dyn_cast<CXXConstructExpr>(thrown);
    if (auto* m = dyn_cast<MaterializeTemporaryExpr>(thrown)) thrown = m->getSubExpr();
    else if (auto* c = dyn_cast<CastExpr>(thrown)) thrown = c->getSubExpr();
    else if (construct && construct->getConstructor()->isCopyOrMoveConstructor()) thrown = construct->getArg(0);
    else break;
  }
  auto* construct = dyn_cast_or_null<CXXConstructExpr>(thrown);
  auto* r = construct ? construct->getConstructor()->getParent() : nullptr;
  const auto known = r && r->isInStdNamespace() && r->getIdentifier() ? known_exception(r->getName()) : std::nullopt;
  if (!known) return false;
  std::string text;
  if (known->second) {
    struct Literal : RecursiveASTVisitor<Literal> {
      const StringLiteral* found = nullptr;
      bool VisitStringLiteral(StringLiteral* s) { found = s; return true; }
      bool VisitDeclRefExpr(DeclRefExpr* d) { plain &= isa<FunctionDecl>(d->getDecl()); return true; }
      bool VisitCallExpr(CallExpr*) { plain = false; return true; }
      bool plain = true;
    } literal;
    literal.TraverseStmt(const_cast<CXXConstructExpr*>(construct));
    if (!literal.found || !literal.plain || literal.found->getCharByteWidth() != 1)
      refuse("the text of an exception must be a literal in differentiated code");
    text = literal.found->getString().str();
  }
  raise(known->first, text);
  return true;
}

}  // namespace tlaloc::frontend
