// SPDX-License-Identifier: Apache-2.0
//
// Prints functions, compiles the text with real compilers, runs it and compares every bit with the interpreter.
#pragma once

#include "backend/cpp/print.hpp"
#include "backend/interpreter/interpreter.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tlaloc::ir::test {

struct Call {
  std::string function;
  std::vector<Argument> args;                     // buffers are copied for each run
};

inline const std::string warnings = " -std=c++20 -ffp-contract=off -Wall -Wextra -Wshadow -Wunused -Wsign-compare -Werror ";

/// What a shell command prints; a failing command is a failed test that shows it.
inline std::string output_of(const std::string& command) {
  std::FILE* p = popen((command + " 2>&1").c_str(), "r");
  if (!p) { ADD_FAILURE() << "cannot run " << command; return ""; }
  std::string s;
  std::array<char, 4096> part;
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), p)) > 0;) s.append(part.data(), n);
  if (pclose(p) != 0) ADD_FAILURE() << command << "\n" << s.substr(0, 6000);
  return s;
}

/// A fresh folder that goes away with the test.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("tlaloc_cpp_test_" + std::to_string(getpid()) + "_" + std::to_string(count()++));
  Folder() { std::filesystem::create_directories(path); }
  Folder(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  static int& count() { static int n = 0; return n; }
};

inline std::uint64_t bits(const Number& n) {
  if (!is_real(n.dtype)) return n.bits;
  if (std::isnan(n.real)) return 0x7ff8000000000000;              // the sign of a NaN is nobody's promise
  return std::bit_cast<std::uint64_t>(n.real);
}
/// One line per call: the bits of the results, then those of each buffer.
inline std::string expected(const Program& p, const Call& c) {
  std::vector<Argument> args;
  for (auto& a : c.args) {
    if (auto* m = std::get_if<std::shared_ptr<Memory>>(&a)) args.push_back(std::make_shared<Memory>(**m));
    else args.push_back(a);
  }
  std::ostringstream o;
  o << c.function << std::hex;
  for (auto& y : interpret(p, *p.find(c.function), args)) o << " " << bits(y);
  for (auto& a : args) if (auto* m = std::get_if<std::shared_ptr<Memory>>(&a)) for (auto& x : (*m)->data) o << " " << bits(x);
  return o.str();
}

/// A program that makes the calls with inputs that no compiler can know.
inline std::string driver(const Program& p, const std::vector<Call>& calls) {
  std::ostringstream o;
  std::vector<std::uint64_t> inputs;
  auto input = [&](const Number& n) {
    inputs.push_back(is_real(n.dtype) ? std::bit_cast<std::uint64_t>(n.real) : n.bits);
    return cpp_type(n.dtype) + "(" + (is_real(n.dtype) ? "std::bit_cast<double>(std::uint64_t(inputs[" : "(inputs[") + std::to_string(inputs.size() - 1) + (is_real(n.dtype) ? "])))" : "]))");
  };
  std::ostringstream body;
  for (auto& c : calls) {
    const auto s = cpp_signature(p, *p.find(c.function));
    body << "  {\n";
    std::string args;
    for (std::size_t i = 0; i < c.args.size(); ++i) {
      args += args.empty() ? "" : ", ";
      if (auto* m = std::get_if<std::shared_ptr<Memory>>(&c.args[i])) {
        body << "    " << cpp_type((*m)->dtype) << " b" << i << "[] = {";
        for (auto& x : (*m)->data) body << input(x) << ", ";
        body << "};\n";
        args += "b" + std::to_string(i);
      } else {
        args += input(std::get<Number>(c.args[i]));
      }
    }
    body << "    " << (s.result_type == "void" ? "" : "const auto r = ") << "tlaloc::generated::" << s.name << "(" << args << ");\n    std::printf(\"" << c.function << "\");\n";
    if (s.fields.empty() && s.result_type != "void") body << "    show(r);\n";
    for (auto& f : s.fields) body << "    show(r." << f << ");\n";
    for (std::size_t i = 0; i < c.args.size(); ++i) if (std::holds_alternative<std::shared_ptr<Memory>>(c.args[i])) body << "    for (auto x : b" << i << ") show(x);\n";
    body << "    std::puts(\"\");\n  }\n";
  }
  o << "#include \"generated.hpp\"\n#include <bit>\n#include <cstdio>\n#include <type_traits>\n"
       "template <class T> void show(T x) {\n"
       "  unsigned long long b;\n"
       "  if constexpr (std::is_floating_point_v<T>) b = x != x ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(double(x));\n"
       "  else if constexpr (std::is_signed_v<T>) b = std::uint64_t(std::int64_t(x));\n"
       "  else b = x;\n"
       "  std::printf(\" %llx\", b);\n}\n"
       "static const volatile std::uint64_t inputs[] = {";
  for (auto i : inputs) o << "0x" << std::hex << i << ", ";
  o << "0};\nint main() {\n  (void)inputs[0];\n" << body.str() << "}\n";
  return o.str();
}

struct Build { std::string compiler, flags; };
inline const std::vector<Build> all_builds = {{"g++", "-O0"}, {"g++", "-O3"}, {"clang++-22", "-O0"}, {"clang++-22", "-O3"}};

inline std::string printed(const Program& p, const std::vector<Call>& calls, Linkage linkage = Linkage::internal) {
  CppPrinter printer("test.cpp", linkage);
  std::vector<std::string> names;
  for (auto& c : calls) names.push_back(c.function);
  const std::string text = printer.print(p, names);
  return printer.head() + text;
}

/// The first line that differs, both ways; empty when there is none.
inline std::string first_difference(const std::string& got, const std::string& want) {
  std::istringstream a(got), b(want);
  for (std::string x, y; ; x.clear(), y.clear()) {
    std::getline(a, x);
    std::getline(b, y);
    if (!a && !b) return "";
    if (x != y) return "printed code: " + x + "\ninterpreter:  " + y;
  }
}

/// The printed text compiles without a warning and gives the interpreter's bits.
inline void check(const Program& p, const std::vector<Call>& calls, const std::vector<Build>& builds = all_builds) {
  verify(p);
  std::string want;
  for (auto& c : calls) want += expected(p, c) + "\n";
  const Folder folder;
  const std::string text = printed(p, calls);
  folder.write("generated.hpp", text);
  const auto source = folder.write("driver.cpp", driver(p, calls));
  for (auto& b : builds) {
    const std::string program = (folder.path / "program").string();
    output_of(b.compiler + warnings + b.flags + " " + source + " -o " + program);
    if (testing::Test::HasFailure()) { std::fputs(text.c_str(), stderr); return; }
    const std::string got = output_of("timeout 60 " + program), different = first_difference(got, want);
    if (different.empty()) continue;
    ADD_FAILURE() << b.compiler << " " << b.flags << "\n" << different << "\n" << text;
    return;
  }
}

inline Argument ints(std::vector<std::int64_t> v, DType d = DType::i32) {
  auto m = std::make_shared<Memory>(Memory{d, {}});
  for (auto x : v) m->data.push_back(Number::of(d, x));
  return m;
}
inline Argument reals(std::vector<double> v) { return buffer(v); }

}  // namespace tlaloc::ir::test
