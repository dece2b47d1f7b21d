// SPDX-License-Identifier: Apache-2.0
//
// Calls of the library for their effect on the world: std::printf and its kin, streams, std::abort, std::exit, a standard
// exception.
#include "backend/cpp/function.hpp"

#include "ir/ops.hpp"

namespace tlaloc::ir::cpp {
namespace {

std::string quoted(std::string_view text) {
  std::string s = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '\n') s += "\\n";
    else if (c == '\t') s += "\\t";
    else if (c == '"' || c == '\\') (s += '\\') += c;
    else if (u >= 32 && u != 127) s += c;
    else s += {'\\', char('0' + u / 64), char('0' + u / 8 % 8), char('0' + u % 8)};
  }
  return s + "\"";
}

/// The length modifiers of a printf format's arguments, in order: "", "l", "ll", ...
std::vector<std::string> lengths(std::string_view format) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (++i < format.size() && format[i] == '%') continue;
    std::string length;
    for (; i < format.size() && std::string_view("diouxXeEfFgGaAcsp").find(format[i]) == std::string_view::npos; ++i) {
      if (format[i] == '*') found.emplace_back();
      if (std::string_view("hljztL").find(format[i]) != std::string_view::npos) length += format[i];
    }
    found.push_back(length);
  }
  return found;
}

/// The header that declares a function of the C library; throws Error for one that is not known here.
std::string header_of(const Op& op, const std::string& function) {
  for (auto* f : {"std::printf", "std::fprintf", "std::puts", "std::putchar", "std::fflush"}) if (function == f) return "<cstdio>";
  for (auto* f : {"std::cout", "std::cerr", "std::clog"}) if (function == f) return "<iostream>";
  for (auto* f : {"std::abort", "std::exit"}) if (function == f) return "<cstdlib>";
  if (function == "throw std::bad_optional_access") return "<optional>";
  if (function == "throw std::bad_variant_access") return "<variant>";
  if (function.starts_with("throw std::bad_")) return "<new>";
  if (function.starts_with("throw std::")) return "<stdexcept>";
  refuse(op, "no header is known that declares '" + function + "'");
}

}  // namespace

/// What goes into a stream: texts of the format, an operand for each %{}, a manipulator for %{name}.
std::string FunctionText::streamed(const Op& op) {
  std::string s, text;
  auto put = [&](const std::string& x) { s += " << " + x; };
  auto flush = [&] { if (!text.empty()) put(quoted(text)); text.clear(); };
  const std::string& format = op.at(key::format);
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') { text += format[i]; continue; }
    if (format.at(++i) == '%') { text += '%'; continue; }
    flush();
    const auto end = format.find('}', i);
    if (end > i + 1) put(format.substr(i + 1, end - i - 1));
    else {
      Value* x = op.operands.at(next++);
      put(within(exactly(value(x, exact), x->type.dtype), sum));
    }
    i = end;
  }
  flush();
  return s;
}

void FunctionText::output(const Op& op) {
  const std::string& callee = op.at(key::callee);               // "std::printf", or with a first argument "std::fprintf(stderr)"
  const std::string& format = op.at(key::format);
  const auto open = callee.find('(');
  const std::string function = callee.substr(0, open);
  const std::string header = header_of(op, function);
  needs_.includes.insert(header);
  if (header == "<iostream>") return line(function + streamed(op) + ";");
  std::string args = open == callee.npos ? "" : callee.substr(open + 1, callee.rfind(')') - open - 1);
  auto add = [&](const std::string& s) { args += (args.empty() ? "" : ", ") + s; };
  if (!format.empty()) add(quoted(format));
  const auto wanted = lengths(format);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const DType d = op.operands[i]->type.dtype;
    const std::string x = exactly(value(op.operands[i], exact), d).s;
    const bool is_long_long = i < wanted.size() && wanted[i] == "ll" && is_integer(d);
    add(is_long_long ? std::string(is_signed(d) ? "static_cast<long long>(" : "static_cast<unsigned long long>(") + x + ")" : x);
  }
  line(function + "(" + args + ");");
}

}  // namespace tlaloc::ir::cpp
