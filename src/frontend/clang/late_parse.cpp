// SPDX-License-Identifier: Apache-2.0
//
// Clang's parser stands on the end of the main file. It registered itself with Sema, so that no second one is needed (and
// none would work: pragma handlers register once). Our text becomes a file that is entered there; parsing stops before the
// parser sees the end again, which would end the unit twice.
#include "frontend/clang/late_parse.hpp"

#include <cctype>

namespace tlaloc::frontend {

using namespace clang;

std::string guard_macros(Preprocessor& pp, const std::string& text) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    auto in_word = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const std::size_t from = i;
    while (i < text.size() && in_word(text[i])) ++i;
    if (i > from && !std::isdigit(static_cast<unsigned char>(text[from]))) words.insert(text.substr(from, i - from));
    if (i == from) ++i;
  }
  std::string before, after;
  for (auto& w : words) {
    IdentifierInfo* id = pp.getIdentifierInfo(w);
    if (!id->hasMacroDefinition()) continue;
    const MacroInfo* macro = pp.getMacroInfo(id);
    if (!macro || macro->isBuiltinMacro() || pp.getSourceManager().isInSystemHeader(macro->getDefinitionLoc())) continue;
    before += "#pragma push_macro(\"" + w + "\")\n#undef " + w + "\n";
    after += "#pragma pop_macro(\"" + w + "\")\n";
  }
  return before + text + after;
}

namespace {

/// State of Sema that pragmas at file scope leave behind, set to what it is at the start of a file.
class FreshPragmas {
 public:
  explicit FreshPragmas(Sema& sema) : sema_(sema), fp_(sema), pack_(sema.AlignPackStack.CurrentValue),
                                      warnings_(sema.getDiagnostics().getSuppressSystemWarnings()) {
    sema.CurFPFeatures = FPOptions(sema.getLangOpts());
    sema.FpPragmaStack.CurrentValue = FPOptionsOverride();
    sema.AlignPackStack.CurrentValue = sema.AlignPackStack.DefaultValue;
    sema.getDiagnostics().setSuppressSystemWarnings(true);
  }
  ~FreshPragmas() {
    sema_.AlignPackStack.CurrentValue = pack_;
    sema_.getDiagnostics().setSuppressSystemWarnings(warnings_);
  }
  FreshPragmas(const FreshPragmas&) = delete;
  FreshPragmas& operator=(const FreshPragmas&) = delete;

 private:
  Sema& sema_;
  Sema::FPFeaturesStateRAII fp_;
  Sema::AlignPackInfo pack_;
  bool warnings_;
};

class AccessControl {
 public:
  AccessControl(Sema& sema, bool on) : options_(const_cast<LangOptions&>(sema.getLangOpts())), before_(options_.AccessControl) {
    options_.AccessControl = on;
  }
  ~AccessControl() { options_.AccessControl = before_; }
  AccessControl(const AccessControl&) = delete;
  AccessControl& operator=(const AccessControl&) = delete;

 private:
  LangOptions& options_;
  bool before_;
};

}  // namespace

bool late_parse(Sema& sema, const std::string& text, bool access_control) {
  auto* parser = static_cast<Parser*>(sema.OpaqueParser);
  if (!parser || parser->getCurToken().isNot(tok::eof)) return false;
  Preprocessor& pp = sema.getPreprocessor();
  SourceManager& sources = sema.getSourceManager();
  const unsigned errors = sema.getDiagnostics().getClient()->getNumErrors();
  FreshPragmas fresh(sema);
  AccessControl access(sema, access_control && sema.getLangOpts().AccessControl);
  const FileID file = sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(guard_macros(pp, text), "<tlaloc generated>"),
                                           SrcMgr::C_System, 0, 0, sources.getLocForEndOfFile(sources.getMainFileID()));
  pp.EnterSourceFile(file, nullptr, SourceLocation());
  parser->ConsumeToken();                         // the end of the file goes; the first token of the text is read
  Parser::DeclGroupPtrTy group;
  auto imports = Sema::ModuleImportState::NotACXX20Module;
  Sema::ContextRAII unit(sema, sema.getASTContext().getTranslationUnitDecl());
  while (parser->getCurToken().isNot(tok::eof))
    if (!parser->ParseTopLevelDecl(group, imports) && group) sema.getASTConsumer().HandleTopLevelDecl(group.get());
  return sema.getDiagnostics().getClient()->getNumErrors() == errors;
}

}  // namespace tlaloc::frontend
