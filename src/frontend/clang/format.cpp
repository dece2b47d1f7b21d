// SPDX-License-Identifier: Apache-2.0
//
// clang-format's library is part of libclang-cpp, which the compiler that loads the plugin has linked.
#include "frontend/clang/format.hpp"

#include "frontend/clang/pch.hpp"

#include "clang/Format/Format.h"

namespace tlaloc::frontend {

std::string formatted(std::string text) {
  auto style = clang::format::getLLVMStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = 100;
  style.ReflowComments = {};                      // a comment quotes one statement of the user's
  style.SortIncludes = {};
  style.PointerAlignment = clang::format::FormatStyle::PAS_Left;
  style.DerivePointerAlignment = false;
  const clang::tooling::Range all(0, unsigned(text.size()));
  const auto changes = clang::format::reformat(style, text, {all}, "generated.hpp");
  auto done = clang::tooling::applyAllReplacements(text, changes);
  if (done) return *done;
  llvm::consumeError(done.takeError());           // changes that overlap: the text is indented by the printer anyway
  return text;
}

}  // namespace tlaloc::frontend
