// SPDX-License-Identifier: Apache-2.0
#include "backend/cpp/names.hpp"

#include <algorithm>
#include <cctype>

namespace tlaloc::ir::cpp {
namespace {

constexpr std::string_view reserved[] = {
  // keywords and alternative tokens
  "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t",
  "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
  "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
  "export", "extern", "false", "final", "float", "for", "friend", "goto", "if", "import", "inline", "int", "long", "module", "mutable",
  "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "override", "private", "protected", "public",
  "register", "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
  "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
  "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
  // namespaces, macros and global variables that common headers or compilers define
  "std", "tlaloc", "signgam", "errno", "assert", "environ", "daylight", "timezone", "tzname", "optarg", "optind", "opterr", "optopt",
  "stdin", "stdout", "stderr", "linux", "unix", "near", "far", "min", "max", "interface", "major", "minor", "I", "NULL", "EOF", "NAN",
  "INFINITY", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "BUFSIZ", "RAND_MAX", "OVERFLOW", "UNDERFLOW", "DOMAIN", "SING", "PLOSS", "TLOSS",
  "TRUE", "FALSE", "CHAR_BIT", "EDOM", "ERANGE", "EILSEQ",
  // our own helpers
  "Scratch", "Kept",
};

bool is_reserved(std::string_view s) { return std::find(std::begin(reserved), std::end(reserved), s) != std::end(reserved); }
bool is_macro_like(std::string_view s) {                          // M_PI, DBL_MAX, INT32_MIN, FP_NAN, SIGINT ...
  constexpr std::string_view prefixes[] = {"M_", "FP_", "DBL_", "FLT_", "LDBL_", "INT_", "INT8_", "INT16_", "INT32_", "INT64_", "UINT",
                                           "LONG_", "LLONG_", "SHRT_", "SCHAR_", "SIZE_", "PTRDIFF_", "MATH_", "TLALOC_"};
  return std::any_of(std::begin(prefixes), std::end(prefixes), [&](auto p) { return s.starts_with(p); });
}

}  // namespace

std::string identifier(std::string_view text) {
  std::string s;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128;
    if (word) s += c;
    else if (!s.empty() && s.back() != '_') s += '_';             // no leading and no double underscore: both are reserved
  }
  while (!s.empty() && s.back() == '_' && !text.ends_with('_')) s.pop_back();
  if (!s.empty() && std::isdigit(static_cast<unsigned char>(s[0]))) s.insert(0, "n");
  return s;
}

bool Scopes::taken(const std::string& name) const {
  return std::any_of(scopes_.begin(), scopes_.end(), [&](auto& s) { return s.contains(name); });
}

std::string Scopes::declare(std::string_view wanted) {
  std::string base = identifier(wanted);
  if (base.empty()) base = "t";
  if (is_macro_like(base) || is_macro_like(base + "_")) base.insert(0, "value_");   // no suffix would make it free
  std::string name = base;
  if (base.back() == '_') base.pop_back();
  for (int i = 2; taken(name) || is_reserved(name); ++i) name = base + "_" + std::to_string(i);
  scopes_.back().insert(name);
  return name;
}

}  // namespace tlaloc::ir::cpp
