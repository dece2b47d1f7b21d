// SPDX-License-Identifier: Apache-2.0
//
// The plugin as Clang sees it: options, and the hook. Sema asks its external source for pending instantiations first of
// all when a translation unit ends: the main file is parsed, the parser stands on its end, nothing is checked or closed.
#include "frontend/clang/engine.hpp"
#include "frontend/clang/versions.hpp"

namespace tlaloc::frontend {
namespace {

using namespace clang;

class EndOfUnit : public ExternalSemaSource {
 public:
  EndOfUnit(Sema& sema, Engine& engine) : sema_(sema), engine_(engine) {}
  void ReadPendingInstantiations(SmallVectorImpl<std::pair<ValueDecl*, SourceLocation>>& pending) override {
    if (ran_) return;
    ran_ = true;
    // Those of a precompiled header: its reader is asked after us, but the engine must find them with Sema now.
    if (auto* header = dyn_cast_or_null<ExternalSemaSource>(sema_.getASTContext().getExternalSource()))
      header->ReadPendingInstantiations(pending);
    sema_.PendingInstantiations.insert(sema_.PendingInstantiations.begin(), pending.begin(), pending.end());
    for (auto& p : pending)
      if (auto* f = dyn_cast<FunctionDecl>(p.first)) f->setInstantiationIsPending(true);
    pending.clear();
    engine_.run();
  }

 private:
  Sema& sema_;
  Engine& engine_;
  bool ran_ = false;
};

class Consumer : public SemaConsumer {
 public:
  explicit Consumer(Options options) : options_(std::move(options)) {}
  void InitializeSema(Sema& sema) override {
    if (!sema.getLangOpts().CPlusPlus) return;
    engine_ = std::make_unique<Engine>(sema, options_);
    hook_ = new EndOfUnit(sema, *engine_);
    add_external_source(sema, hook_);
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (engine_) engine_->saw(group);
    return true;
  }

 private:
  Options options_;
  std::unique_ptr<Engine> engine_ = {};
  llvm::IntrusiveRefCntPtr<EndOfUnit> hook_;
};

class Action : public PluginASTAction {
 protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    auto& preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + "#define TLALOC_PLUGIN 1\n");                 // see ad.hpp
    return std::make_unique<Consumer>(options_);
  }
  bool ParseArgs(const CompilerInstance& compiler, const std::vector<std::string>& args) override {
    auto& engine = compiler.getDiagnostics();
    for (auto& a : args)
      if (const std::string wrong = read_option(options_, a); !wrong.empty()) {
        engine.Report(engine.getCustomDiagID(DiagnosticsEngine::Error, "UNSUPPORTED_OPTION: tlaloc: %0")) << wrong;
        return false;
      }
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

 private:
  Options options_ = {};
};

}  // namespace
}  // namespace tlaloc::frontend

static clang::FrontendPluginRegistry::Add<tlaloc::frontend::Action> registered("tlaloc", "compile-time differentiation");
