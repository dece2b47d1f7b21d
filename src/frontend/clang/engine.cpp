// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/engine.hpp"

#include "frontend/clang/format.hpp"
#include "frontend/clang/late_parse.hpp"
#include "transforms/cost.hpp"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

namespace tlaloc::frontend {

using namespace clang;

namespace {

std::string main_file(Sema& sema) {
  auto& sources = sema.getSourceManager();
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID())) return file->getName().str();
  return "stdin";
}

/// `ode::step<double>` gives ode_step_double; a lambda is named after the function around it.
std::string printed_name(const FunctionDecl* f, ASTContext& context) {
  std::string name;
  auto* method = dyn_cast<CXXMethodDecl>(f);
  const bool call_operator = method && f->getOverloadedOperator() == OO_Call;
  if (call_operator && method->getParent()->isLambda()) {
    const DeclContext* around = method->getParent()->getDeclContext();
    while (around && !isa<NamedDecl>(around) && !around->isTranslationUnit()) around = around->getParent();
    if (auto* outer = dyn_cast_or_null<FunctionDecl>(around)) name = printed_name(outer, context) + "_";
    name += "lambda";
  } else if (call_operator && method->getParent()->getDeclName().isIdentifier() && method->getParent()->getName() == "Ruled") {
    name = "custom";
  } else {
    llvm::raw_string_ostream out(name);
    if (call_operator) method->getParent()->getNameForDiagnostic(out, context.getPrintingPolicy(), true);
    else f->getNameForDiagnostic(out, context.getPrintingPolicy(), true);
  }
  std::string words;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') words += c;
    else if (!words.empty() && words.back() != '_') words += '_';
  while (!words.empty() && words.back() == '_') words.pop_back();
  return words;
}

const FunctionDecl* asked_function(Requests& requests, const Specialisation* derivative) {
  try {
    for (Target t = requests.target(derivative);; t = requests.target(t.inner))
      if (!t.inner) return t.callable.function;
  } catch (const Bail&) {
    return nullptr;                               // reported already
  }
}

}  // namespace

Engine::Engine(Sema& sema, const Options& options)
    : sema_(sema), options_(options), requests_(sema), reporter_(sema), lowering_(sema, program_),
      deriver_(program_, sema.getASTContext()), glue_(sema, !options.generate.empty()), source_(source_name(main_file(sema), options.root)), printer_(source_) {
  if (!(options.print + options.generate).empty()) printer_.format = formatted();
  lowering_.inner_derivative = [this](const CXXMethodDecl* m, SourceLocation at) { return inner(m, at); };
}

void Engine::run() {
  if (sema_.getDiagnostics().hasFatalErrorOccurred()) return;
  broken_ = sema_.getDiagnostics().hasErrorOccurred();
  {
    Times::In in(times_, Times::find);
    if (requests_.library_included()) whole_unit();
    if (!failed() && !options_.generate.empty()) write_generated();
  }
  if (options_.time) llvm::errs() << times_.report();
}

void Engine::whole_unit() {
  {
    Times::In in(times_, Times::templates);
    sema_.PerformPendingInstantiations();
  }
  if (refuse_mode()) return;
  rounds();
  if (!failed()) write_printed();
}

/// Ways to compile in which no text can be added at the end of the unit.
bool Engine::refuse_mode() {
  auto& language = sema_.getLangOpts();
  const char* why = language.DelayedTemplateParsing ? "-fdelayed-template-parsing"
                    : language.isCompilingModule() || sema_.getASTContext().getCurrentNamedModule() ? "C++ modules"
                    : language.CUDA ? "CUDA"
                    : sema_.getPreprocessor().isIncrementalProcessingEnabled() ? "incremental compilation (clang-repl)"
                                                                               : nullptr;
  if (!why || requests_.used().empty()) return false;
  reporter_.report({{}, "UNSUPPORTED_FLAG", std::string("derivatives cannot be made with ") + why},
                   {requests_.where(cast<Specialisation>(requests_.used().front()->getParent()))});
  return true;
}

bool Engine::guarded(const Specialisation* derivative, const std::function<void()>& step) {
  Bail bail;
  try {
    step();
    return true;
  } catch (const Bail& b) {
    bail = b;
  } catch (const ir::Refusal& r) {
    bail = {lowering_.place(r.where), r.code, r.what()};
  } catch (const std::exception& e) {
    bail = {{}, "INTERNAL", e.what()};
  }
  if (bail.code.empty() || (broken_ && bail.code == "INTERNAL")) return false;       // it may come of the user's own errors
  if (derivative) reporter_.report(bail, {requests_.where(derivative), asked_function(requests_, derivative)});
  else reporter_.report(bail, {});
  return false;
}

void Engine::rounds() {
  std::set<const CXXMethodDecl*> finished;
  for (;;) {
    std::vector<Work> ready;
    std::vector<CXXMethodDecl*> sources;
    std::vector<std::string> functions;
    for (auto* method : requests_.used()) {
      if (!finished.insert(method).second) continue;
      if (Requests::is_source(method)) {
        sources.push_back(method);
      } else if (auto work = attempt(method)) {
        const std::string& name = work->derived.function->name;
        for (auto& n : {name, work->primal.length ? work->primal.length->name : name})
          if (std::find(functions.begin(), functions.end(), n) == functions.end()) functions.push_back(n);
        functions_of_[work->request.derivative].push_back(name);
        ready.push_back(std::move(*work));
      }
    }
    if (ready.empty() && sources.empty()) return;
    const bool fine = !failed();
    for (auto* s : sources)
      guarded(cast<Specialisation>(s->getParent()), [&] { glue_.source(s, text_of(s)); });
    if (!fine) continue;                          // look for more errors, make nothing
    const Specialisation* first = cast<Specialisation>(ready.empty() ? sources.front()->getParent() : ready.front().request.derivative);
    const bool published = guarded(first, [&] {
      if (!publish(functions)) throw Bail{{}, "INTERNAL", "the text of a derivative does not compile"};
    });
    if (!published) continue;
    Times::In in(times_, Times::glue);
    for (auto& w : ready)
      guarded(w.request.derivative, [&] {
        std::optional<ir::CppSignature> length;
        if (w.primal.length) length = ir::cpp_signature(program_, *w.primal.length);
        glue_.call(w.request, w.primal, w.derived, ir::cpp_signature(program_, *w.primal.function),
                   ir::cpp_signature(program_, *w.derived.function), length);
      });
    if (!reporter_.failed()) guarded(first, [&] { glue_.finish(); });
  }
}

std::optional<Engine::Work> Engine::attempt(CXXMethodDecl* method) {
  Work w;
  const bool fine = guarded(cast<Specialisation>(method->getParent()), [&] {
    w.request = requests_.read(method);
    w.primal = primal_of(w.request.derivative);
    Times::In in(times_, Times::derive);
    w.derived = deriver_.derive(w.primal, w.request, true);
    dump(*w.derived.function);
  });
  if (!fine) return std::nullopt;
  return w;
}

/// What the derivative differentiates: a lowered function, or another derivative.
Primal Engine::primal_of(const Specialisation* derivative) {
  const Target target = requests_.target(derivative);
  if (target.inner) {
    const Request request = requests_.read_plain(target.inner);
    const Primal inner = primal_of(target.inner);
    Times::In in(times_, Times::derive);
    const Derived derived = deriver_.derive(inner, request, false);
    dump(*derived.function);
    return nested(inner, request, derived, sema_.getASTContext());
  }
  const FunctionDecl* f = target.callable.function;
  std::string& name = names_[f->getCanonicalDecl()];
  if (name.empty()) name = deriver_.unique(printed_name(f, sema_.getASTContext()));
  Times::In in(times_, Times::lower);
  const Lowered& lowered = lowering_.lower(target.callable, name);
  dump(*lowered.function);
  return primal(lowered, target, sema_.getASTContext());
}

/// A call of a derivative inside a body that is being lowered.
std::optional<InnerDerivative> Engine::inner(const CXXMethodDecl* method, SourceLocation where) {
  auto* derivative = dyn_cast<Specialisation>(method->getParent());
  if (!derivative || !Requests::is_derivative(derivative)) return std::nullopt;
  if (!open_.insert(derivative).second)
    throw Bail{where, "NOT_LOWERABLE", "a function calls a derivative of itself"};
  struct Close { std::set<const Specialisation*>& open; const Specialisation* d; ~Close() { open.erase(d); } } close{open_, derivative};
  try {
    const Request request = requests_.read(const_cast<CXXMethodDecl*>(method));
    const Primal p = primal_of(derivative);
    return frontend::inner(request, deriver_.derive(p, request, false), p);
  } catch (Bail& b) {
    if (b.where.isInvalid()) b.where = where;
    throw;
  }
}

/// The text behind source(): the functions that this unit calls, or, where it calls none, those of a plain call.
std::string Engine::text_of(CXXMethodDecl* source) {
  auto* derivative = cast<Specialisation>(source->getParent());
  std::vector<std::string> functions = functions_of_[derivative];
  if (functions.empty()) {
    const Primal p = primal_of(derivative);
    functions.push_back(deriver_.derive(p, requests_.read_plain(derivative), true).function->name);
  }
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  Times::In in(times_, Times::print);
  ir::CppPrinter printer(source_);
  printer.format = formatted();
  printer.with_helpers = false;
  return printer.print(program_, functions);
}

/// Layout costs time and changes no token: it is made for text that somebody will read.
std::function<std::string(std::string)> Engine::formatted() {
  return [this](std::string text) {
    Times::In in(times_, Times::format);
    return frontend::formatted(std::move(text));
  };
}

/// The text without its #include lines, all other lines at their places: ad.hpp includes what generated text needs, and a
/// unit that is preprocessed already could find no header. Those of exceptions stay where their class is not complete yet.
std::string Engine::without_includes(std::string text) {
  auto complete = [&](const char* type) {
    auto* space = sema_.getStdNamespace();
    if (!space) return false;
    for (auto* d : space->lookup(&sema_.getASTContext().Idents.get(type)))
      if (auto* r = dyn_cast<CXXRecordDecl>(d); r && r->getDefinition()) return true;
    return false;
  };
  static constexpr std::pair<const char*, const char*> classes[] = {{"<stdexcept>", "out_of_range"}, {"<optional>", "bad_optional_access"}, {"<variant>", "bad_variant_access"}, {"<new>", "bad_array_new_length"}};
  const std::string include = "#include ";
  for (std::size_t line = 0, end = 0; end != text.npos; line = end + 1) {
    end = text.find('\n', line);
    if (text.compare(line, include.size(), include) != 0) continue;
    const std::string header = text.substr(line + include.size(), end - line - include.size());
    bool needed = false;
    for (auto& [name, type] : classes) needed |= header == name && !complete(type);
    if (!needed) text.erase(line, end - line), end = line;
  }
  return text;
}

/// Prints the functions and parses the text. With print=DIR each round is a slice of one file, and places point into it.
bool Engine::publish(const std::vector<std::string>& functions) {
  Times::In in(times_, Times::print);
  std::string text = printer_.print(program_, functions);
  if (text.empty()) return true;
  published_ += text;
  if (!options_.print.empty()) {
    if (printed_path_.empty()) {
      llvm::SmallString<256> path(options_.print);
      llvm::sys::path::append(path, source_ + ".tlaloc.hpp");
      llvm::sys::fs::make_absolute(path);
      printed_path_ = path.str().str();
      printed_ = printer_.head();
    }
    const auto line = 1 + std::count(printed_.begin(), printed_.end(), '\n');
    printed_ += text;
    text = "#line " + std::to_string(line) + " \"" + printed_path_ + "\"\n" + text;
  }
  Times::In parsing(times_, Times::parse);
  if (!late_parse(sema_, without_includes(std::move(text)))) return false;
  for (auto& name : functions) keep_apart(name);
  return true;
}

/// A function of internal linkage with one call is inlined whatever its size, into its caller and that one's, and optimised
/// anew in each. Beside more than a few operations the call costs nothing, and apart the compiler sees its pointers' promise.
void Engine::keep_apart(const std::string& function) {
  constexpr double few = 100;                     // a call takes some five
  if (ir::cost(*program_.find(function)->body) <= few) return;
  ASTContext& context = sema_.getASTContext();
  for (auto* d : find_namespace(context, {"tlaloc", "generated"})->lookup(&context.Idents.get(function)))
    if (auto* f = dyn_cast<FunctionDecl>(d)) f->addAttr(NoInlineAttr::CreateImplicit(context));
}

void Engine::write_printed() {
  if (!printed_path_.empty()) write(printed_path_, printed_);
}

/// The source, then its derivatives and the code around them. Code at the end of a file is what every call in it finds.
void Engine::write_generated() {
  namespace fs = std::filesystem;
  const fs::path file = fs::weakly_canonical(fs::absolute(options_.generate));
  const fs::path source = fs::weakly_canonical(fs::absolute(main_file(sema_)));
  std::string text = "// " + source_ + " with its derivatives: compile this file in its place. Written by tlaloc gen.\n#include \"" +
                     source.lexically_relative(file.parent_path()).generic_string() + "\"\n";
  guarded(nullptr, [&] {
    const std::string glue = glue_.text();
    if (published_.empty() && glue.empty()) return;
    std::string head = printer_.head();
    if (auto once = head.find("#pragma once\n"); once != std::string::npos) head.erase(once, std::strlen("#pragma once\n"));
    text += "\n#if defined(__GNUC__)\n";           // generated code is nobody's to tidy; the source above keeps its warnings
    for (const char* warning : {"conversion", "float-conversion", "pedantic", "pessimizing-move", "redundant-move", "shadow", "sign-conversion", "unused-but-set-variable",
                                "unused-function", "unused-parameter", "unused-variable", "useless-cast", "old-style-cast"})
      text += std::string("#pragma GCC diagnostic ignored \"-W") + warning + "\"\n";
    text += "#endif\n#pragma pack(push)\n#pragma pack()\n" + guard_macros(sema_.getPreprocessor(), head + published_ + "\n#include <cstdlib>\n#include <type_traits>\n" + glue) + "#pragma pack(pop)\n";
  });
  if (!reporter_.failed()) write(options_.generate, text);
}

void Engine::write(const std::string& path, const std::string& text) {
  auto fail = [&](std::error_code e) {
    if (e) reporter_.report({{}, "CANNOT_WRITE", "'" + path + "': " + e.message()}, {});
    return bool(e);
  };
  const auto folder = llvm::sys::path::parent_path(path);
  if (!folder.empty() && fail(llvm::sys::fs::create_directories(folder))) return;
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (fail(error)) return;
  out << text;
  out.close();
  fail(out.error());
  out.clear_error();
}

void Engine::dump(const ir::Function& f) {
  if (options_.dump_ir && dumped_.insert(f.name).second) llvm::errs() << ir::print(f) << "\n";
}

}  // namespace tlaloc::frontend
