// SPDX-License-Identifier: Apache-2.0
//
// Names of a printed function: the user's, made valid, unique among those in sight and never one that C++ or its library
// claims. Sibling scopes may use the same name; nothing shadows.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tlaloc::ir::cpp {

/// An identifier made of any text; empty when nothing of it can be kept.
std::string identifier(std::string_view);

class Scopes {
 public:
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  void reserve(std::string name) { scopes_.front().insert(std::move(name)); }
  /// The name itself, or with the first of _2, _3, ... that makes it unique; from now on taken in the innermost scope.
  std::string declare(std::string_view wanted);
 private:
  bool taken(const std::string&) const;
  std::vector<std::set<std::string>> scopes_ = {{}};
};

}  // namespace tlaloc::ir::cpp
