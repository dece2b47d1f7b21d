// SPDX-License-Identifier: Apache-2.0
//
// The course of a translation unit: find what is asked for, lower, derive, print, parse the text, give the call operators
// their bodies; again until nothing new is asked for. Every error of the unit is reported in one run.
#pragma once

#include "frontend/clang/diagnostics.hpp"
#include "frontend/clang/glue.hpp"
#include "frontend/clang/options.hpp"
#include "frontend/clang/times.hpp"

namespace tlaloc::frontend {

class Engine {
 public:
  Engine(clang::Sema&, const Options&);
  void saw(clang::DeclGroupRef group) { requests_.saw(group); }
  /// At the start of the end of the unit: everything is parsed, nothing is closed. Where the user's code has errors already, this
  /// only looks for more.
  void run();

 private:
  struct Work { Request request; Primal primal; Derived derived; };
  void whole_unit();
  void rounds();
  bool refuse_mode();
  std::optional<Work> attempt(clang::CXXMethodDecl*);
  std::string text_of(clang::CXXMethodDecl* source);
  Primal primal_of(const Specialisation*);
  std::optional<InnerDerivative> inner(const clang::CXXMethodDecl*, clang::SourceLocation);
  bool publish(const std::vector<std::string>& functions);
  void keep_apart(const std::string& function);
  std::function<std::string(std::string)> formatted();
  std::string without_includes(std::string text);
  void write_printed();
  void write_generated();
  void write(const std::string& path, const std::string& text);
  void dump(const ir::Function&);
  /// Runs a step for a request; reports what it throws.
  bool guarded(const Specialisation*, const std::function<void()>& step);

  bool failed() const { return reporter_.failed() || broken_; }

  clang::Sema& sema_;
  const Options& options_;
  bool broken_ = false;                           // Clang has reported errors
  Requests requests_;
  Reporter reporter_;
  ir::Program program_ = {};
  Lowering lowering_;
  Deriver deriver_;
  Glue glue_;
  std::string source_;                            // the main file's name as printed
  ir::CppPrinter printer_;
  Times times_ = {};
  std::string printed_ = {}, printed_path_ = {};
  std::string published_ = {};                    // every text that was parsed
  std::map<const clang::FunctionDecl*, std::string> names_ = {};
  std::map<const Specialisation*, std::vector<std::string>> functions_of_ = {};
  std::set<std::string> dumped_ = {};
  std::set<const Specialisation*> open_ = {};     // derivatives whose functions are being lowered
};

}  // namespace tlaloc::frontend
