// SPDX-License-Identifier: Apache-2.0
//
// Output: std::printf and its kin, std::cout; in derivatives as often and in the same order as in the function.
#include "frontend/clang/lowering.hpp"

#include "ir/ops.hpp"

namespace tlaloc::frontend {

using namespace clang;
namespace ops = ir::ops;

namespace {
/// A printf format in which the texts among the arguments stand in the place of their conversions; numbers keep theirs.
std::string with_texts(llvm::StringRef format, const std::vector<std::optional<std::string>>& arguments) {
  std::string r;
  std::size_t next = 0;
  while (!format.empty()) {
    const auto plain = format.take_until([](char c) { return c == '%'; });
    r += plain;
    format = format.drop_front(plain.size());
    if (format.empty()) break;
    const auto end = format.find_first_of("diouxXeEfFgGaAcspn%", 1);
    const std::string conversion = format.take_front(end == format.npos ? end : end + 1).str();
    format = format.drop_front(conversion.size());
    if (!conversion.ends_with('%')) next += std::size_t(std::count(conversion.begin(), conversion.end(), '*'));
    const bool is_text = conversion.ends_with('s') && conversion.find('*') == conversion.npos && next < arguments.size() && arguments[next];
    if (!conversion.ends_with('%')) ++next;
    if (!is_text) { r += conversion; continue; }
    const char* text = arguments[next - 1]->c_str();
    std::string filled(std::size_t(std::snprintf(nullptr, 0, conversion.c_str(), text)), ' ');
    std::snprintf(filled.data(), filled.size() + 1, conversion.c_str(), text);
    for (char c : filled) r += c == '%' ? std::string("%%") : std::string(1, c);
  }
  return r;
}
}  // namespace

void Lowerer::emit_output(const std::string& callee, const std::string& format, llvm::ArrayRef<X> numbers) {
  if (constant_only_) refuse("output while the static constant '" + constant_only_->getNameAsString() + "' is computed is not supported in differentiated code");
  std::vector<ir::Value*> operands;
  for (X x : numbers) operands.push_back(x.v);
  b.append(ops::output, operands, {callee, format});
}
std::optional<Lowerer::Result> Lowerer::output(const FunctionDecl* f, const CallExpr* e) {
  const llvm::StringRef name = f->getName();
  auto emit = [&](const std::string& callee, const std::string& format, llvm::ArrayRef<X> numbers) {
    emit_output(callee, format, numbers);
    // The number of characters written is not known to a derivative; nothing may depend on it.
    Result r;
    if (is_number(f->getReturnType())) r.number = ir::constant(b, ir::Number::of(dtype(f->getReturnType()), 0));
    return r;
  };
  auto literal = [&](unsigned i) -> std::optional<std::string> {
    if (i >= e->getNumArgs()) return {};
    return e->getArg(i)->tryEvaluateString(context);
  };
  auto stream = [&](unsigned i) -> std::string {
    const auto text = Lexer::getSourceText(CharSourceRange::getTokenRange(e->getArg(i)->getSourceRange()), context.getSourceManager(), context.getLangOpts());
    if (text != "stderr" && text != "stdout") refuse("output to another stream than stdout or stderr is not supported in differentiated code");
    return text.str();
  };
  const bool printf = name == "printf" || name == "__builtin_printf";
  const bool fprintf = name == "fprintf";
  if (printf || fprintf) {
    std::string callee = "std::printf";
    if (fprintf && stream(0) == "stderr") callee = "std::fprintf(stderr)";
    const auto format = literal(fprintf);
    if (!format) refuse("the format of '" + name.str() + "' must be a literal in differentiated code");
    std::vector<X> numbers;
    std::vector<std::optional<std::string>> texts;
    for (unsigned i = fprintf ? 2 : 1; i < e->getNumArgs(); ++i) {
      if (texts.emplace_back(literal(i))) continue;
      if (!is_number(e->getArg(i)->getType())) refuse(e->getArg(i)->getExprLoc(), "'" + name.str() + "' of something that is neither a number nor a literal text is not supported in differentiated code");
      numbers.push_back(number(e->getArg(i)));
    }
    return emit(callee, with_texts(*format, texts), numbers);
  }
  if (name == "puts") {
    if (auto text = literal(0)) return emit("std::puts", *text, {});
    refuse("'puts' of something that is not a literal is not supported in differentiated code");
  }
  if (name == "fputs" && e->getNumArgs() == 2) {
    const auto text = literal(0);
    if (!text) refuse("'fputs' of something that is not a literal is not supported in differentiated code");
    return emit(stream(1) == "stderr" ? "std::fprintf(stderr)" : "std::printf", with_texts("%s", {text}), {});
  }
  if (name == "fflush") return emit("std::fflush(" + stream(0) + ")", "", {});
  if (name == "putchar") return emit("std::putchar", "", {number(e->getArg(0))});
  if (name == "abort" || name == "terminate" || name == "__assert_fail" || name == "__glibcxx_assert_fail" || name == "__builtin_trap") return emit("std::abort", "", {});
  if (name == "exit" && f->isExternC()) return emit("std::exit", "", {number(e->getArg(0))});
  if (name == "fputc" || name == "putc" || name == "fwrite" || name == "snprintf" || name == "sprintf")
    refuse("'" + name.str() + "' is not supported in differentiated code; use printf, puts or putchar");
  if (name == "scanf" || name == "rand")
    refuse("'" + name.str() + "' gives another value in each call, which has no derivative; pass the values as an argument");
  return {};
}

// --- streams ---
namespace {
/// A function of the library for `stream << std::fixed`, by its name.
std::string manipulator(const Expr* e) {
  auto* d = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  auto* f = d ? dyn_cast<FunctionDecl>(d->getDecl()) : nullptr;
  return f && f->isInStdNamespace() && f->getDeclName().isIdentifier() ? "std::" + f->getNameAsString() : "";
}
}  // namespace

/// std::cout << a << b: one op for the chain, in whose format %{} stands for a number and %{std::endl} for a manipulator.
std::optional<Lowerer::Result> Lowerer::stream_output(const CallExpr* e) {
  auto writes = [&](const Expr* x) {
    auto* c = dyn_cast<CXXOperatorCallExpr>(x->IgnoreParenImpCasts());
    return c && c->getOperator() == OO_LessLess && is_std(c->getArg(0)->getType()->getAsCXXRecordDecl(), "basic_ostream") ? c : nullptr;
  };
  if (!writes(e)) return {};
  std::vector<const CXXOperatorCallExpr*> chain;
  const Expr* at = e;
  for (; const auto* c = writes(at); at = c->getArg(0)) chain.push_back(c);
  auto* named = dyn_cast<DeclRefExpr>(at->IgnoreParenImpCasts());
  const std::string stream = named && named->getDecl()->isInStdNamespace() ? "std::" + named->getDecl()->getNameAsString() : "";
  if (stream != "std::cout" && stream != "std::cerr" && stream != "std::clog")
    refuse(at->getExprLoc(), "output to another stream than std::cout, std::cerr or std::clog is not supported in differentiated code");
  std::string format;
  std::vector<X> numbers;
  auto flush = [&] {
    if (!format.empty()) emit_output(stream, format, numbers);
    format.clear(), numbers.clear();
  };
  auto text = [&](llvm::StringRef s) { for (char c : s) format += c == '%' ? std::string("%%") : std::string(1, c); };
  for (auto* c : llvm::reverse(chain)) {
    const Expr* given = c->getArg(1);
    const QualType t = given->getType();
    const auto* by = c->getDirectCallee();
    if (!by || !context.getSourceManager().isInSystemHeader(by->getLocation())) refuse(given->getExprLoc(), "output by an operator << of one's own is not supported in differentiated code; write its numbers");
    if (auto s = given->tryEvaluateString(context)) text(*s);
    else if (auto m = manipulator(given); !m.empty()) format += "%{" + m + "}";
    else if (!is_number(t)) refuse(given->getExprLoc(), "output of '" + shared.type_name(t) + "' is not supported in differentiated code; numbers, literal texts and manipulators without arguments are");
    else if (Expr::EvalResult v; t->isCharType() && given->EvaluateAsInt(v, context)) text(std::string(1, char(v.Val.getInt().getExtValue())));
    else {
      if (given->HasSideEffects(context)) flush();                         // which may write themselves
      numbers.push_back(number(given));
      format += "%{}";
    }
  }
  flush();
  return Result{};
}

}  // namespace tlaloc::frontend
