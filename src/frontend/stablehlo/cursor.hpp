// SPDX-License-Identifier: Apache-2.0
//
// A place in a text, and the words that begin there.
#pragma once

#include "ir/ir.hpp"

#include <algorithm>
#include <cctype>

namespace tlaloc::stablehlo {

class Cursor {
 public:
  Cursor(std::string_view text, std::string_view file) : all_(text), rest_(text), file_(ir::intern(file)) {}

  [[noreturn]] void fail(const std::string& why, const char* code = "MALFORMED_PROGRAM") {
    skip_space();
    const auto [line, column] = place();
    throw ir::Refusal(code, {file_, line, column, ir::intern(line_text())},
                      std::string(code) + ": " + std::string(file_) + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + why);
  }
  std::pair<int, int> place() {
    skip_space();
    const std::string_view before = all_.substr(0, all_.size() - rest_.size());
    const auto line = std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    return {int(line) + 1, int(start == before.npos ? before.size() : before.size() - start - 1) + 1};
  }
  std::string_view file() const { return file_; }
  bool at_end() { return skip_space(), rest_.empty(); }
  bool sees(std::string_view s) { return skip_space(), rest_.starts_with(s); }
  bool take(std::string_view s) {
    if (!sees(s)) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  void expect(std::string_view s) {
    if (!take(s)) fail("'" + std::string(s) + "' is expected");
  }
  /// A keyword: not the beginning of a longer word.
  bool take_word(std::string_view s) {
    if (!sees(s) || (rest_.size() > s.size() && in_word(rest_[s.size()]))) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  bool sees_word() { return skip_space(), !rest_.empty() && (std::isalpha((unsigned char)rest_[0]) || rest_[0] == '_'); }
  bool sees_number() {
    skip_space();
    const std::size_t sign = !rest_.empty() && rest_[0] == '-';
    return rest_.size() > sign && std::isdigit((unsigned char)rest_[sign]);
  }
  std::string word() {
    if (!sees_word()) fail("a name is expected");
    return take_while(in_word);
  }
  /// %0 or %1#2
  std::string value() {
    if (!sees("%")) fail("a value (%...) is expected");
    std::string name = "%";
    rest_.remove_prefix(1);
    name += take_while([](char c) { return in_word(c) || c == '-'; });
    if (!rest_.empty() && rest_[0] == '#') {
      rest_.remove_prefix(1);
      name += "#" + take_while([](char c) { return std::isdigit((unsigned char)c) != 0; });
    }
    return name;
  }
  /// @name or @"name"
  std::string symbol() {
    expect("@");
    return !rest_.empty() && rest_[0] == '"' ? string() : word();
  }
  std::string string() {
    expect("\"");
    std::string out;
    while (!rest_.empty() && rest_[0] != '"') {
      if (rest_[0] == '\\' && rest_.size() > 1) {
        out += rest_[0];
        rest_.remove_prefix(1);
      }
      out += rest_[0];
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) fail("a string has no end");
    rest_.remove_prefix(1);
    return out;
  }
  /// As it is written: -1.5e-3, 0xFF80, 42
  std::string number() {
    if (!sees_number()) fail("a number is expected");
    std::string out;
    if (rest_[0] == '-') out = "-", rest_.remove_prefix(1);
    if (rest_.starts_with("0x")) return out + take_while([](char c) { return std::isxdigit((unsigned char)c) || c == 'x'; });
    for (char last = 0; !rest_.empty(); rest_.remove_prefix(1)) {
      const char c = rest_[0];
      if (!std::isdigit((unsigned char)c) && c != '.' && c != 'e' && c != 'E' && !((c == '+' || c == '-') && (last == 'e' || last == 'E'))) break;
      out += last = c;
    }
    return out;
  }
  std::int64_t integer() {
    const std::string s = number();
    try {
      std::size_t used = 0;
      const std::int64_t n = std::stoll(s, &used, 0);
      if (used == s.size()) return n;
    } catch (const std::logic_error&) {
      // told below
    }
    fail("'" + s + "' is no integer that fits");
  }
  /// Of a type's dimensions, which run together with their dtype: 2x3xf32.
  std::int64_t extent() {
    const std::string s = take_while([](char c) { return std::isdigit((unsigned char)c) != 0; });
    if (s.empty() || s.size() > 18) fail("an extent is expected");
    return std::stoll(s);
  }
  /// Everything up to the bracket that closes the one before us.
  void skip_to_close(char open, char close) {
    for (int depth = 1; depth > 0;) {
      if (rest_.empty()) fail(std::string("'") + close + "' is missing");
      if (rest_[0] == '"') {
        string();
        continue;
      }
      depth += rest_[0] == open ? 1 : rest_[0] == close ? -1 : 0;
      rest_.remove_prefix(1);
    }
  }
  void skip_line() {
    while (!rest_.empty() && rest_[0] != '\n') rest_.remove_prefix(1);
  }

 private:
  static bool in_word(char c) { return std::isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.'; }
  template <class F> std::string take_while(F f) {
    std::size_t n = 0;
    while (n < rest_.size() && f(rest_[n])) ++n;
    std::string out(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return out;
  }
  void skip_space() {
    while (!rest_.empty()) {
      if (std::isspace((unsigned char)rest_[0])) rest_.remove_prefix(1);
      else if (rest_.starts_with("//")) skip_line();
      else break;
    }
  }
  std::string_view line_text() const {
    const std::size_t at = all_.size() - rest_.size();
    const auto begin = at ? all_.rfind('\n', at - 1) : all_.npos;
    const auto from = begin == all_.npos ? 0 : begin + 1;
    auto line = all_.substr(from, std::min(all_.find('\n', at), all_.size()) - from);
    while (line.starts_with(' ')) line.remove_prefix(1);
    return line.substr(0, 200);
  }
  std::string_view all_, rest_, file_;
};

}  // namespace tlaloc::stablehlo
