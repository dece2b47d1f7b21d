// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/diagnostics.hpp"

#include "ir/errors.hpp"

#include <algorithm>
#include <numeric>

namespace tlaloc::frontend {

void Reporter::say(clang::DiagnosticsEngine::Level level, clang::SourceLocation where, std::string_view text) {
  auto& engine = sema_.getDiagnostics();
  engine.Report(where, engine.getCustomDiagID(level, "%0")) << llvm::StringRef(text);
}

void Reporter::report(const Bail& bail, const Asked& asked) {
  using Level = clang::DiagnosticsEngine::Level;
  failed_ = true;
  // Nobody can change the library: an error in it stands where the derivative was asked for.
  const bool own = bail.where.isValid() && !(asked.where.isValid() && sema_.getSourceManager().isInSystemHeader(bail.where));
  const auto where = own ? bail.where : asked.where;
  if (!said_.emplace(where.getRawEncoding(), bail.code, bail.text).second) return;
  std::string text = bail.code + ": " + bail.text;
  if (const ir::ErrorCode* known = ir::find_error(bail.code)) {
    if (!known->way_out.empty()) text += "; " + std::string(known->way_out);
  } else {
    text = "INTERNAL: refused with the unknown code " + text;
  }
  say(Level::Error, where, text);
  for (auto call = bail.chain.rbegin(); call != bail.chain.rend(); ++call)
    say(Level::Note, call->callee->getLocation(), "while differentiating '" + call->callee->getNameAsString() + "'");
  if (asked.function)
    say(Level::Note, asked.function->getLocation(), "while differentiating '" + asked.function->getNameAsString() + "'");
  if (asked.where.isValid()) say(Level::Note, asked.where, "derivative requested here");
}

namespace {
std::size_t edits(std::string_view a, std::string_view b) {        // Levenshtein distance
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row.back();
}
}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = word.size() / 2 + 1;        // farther than that is no slip of the pen
  for (auto& k : known)
    if (auto d = edits(word, k); d < least) least = d, best = k;
  return best;
}

}  // namespace tlaloc::frontend
