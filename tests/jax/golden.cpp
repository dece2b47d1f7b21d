// SPDX-License-Identifier: Apache-2.0
//
//   jax_golden check FILE         runs each case by the interpreter and compares with the numbers that the file has
//   jax_golden stablehlo FILE DIR writes DIR/<n>.mlir for the n-th case
//
// A case of a file (written by golden.py):
//   case vjp/dot_general/f64
//   func f(%a: f64[2,3], %b: f64[3]) { ... }
//   do vjp 0,1               transforms in order: jvp, vjp (by these parameters, seeds given), vmap EXTENT IN_AXES
//   in f64[2,3] 1.0 2.0 ...  the arguments
//   out f64[2] 1e-12 0.5 ... the results, and by how much an element may differ
//   end
#include "backend/interpreter/interpreter.hpp"
#include "backend/stablehlo/print.hpp"
#include "transforms/batch.hpp"
#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace tlaloc::ir;

namespace {

struct Expected { Array array; double within; };
struct Case {
  std::string name, program;
  std::vector<std::string> steps;
  std::vector<Array> in;
  std::vector<Expected> out;
};

Type type_named(const std::string& s) { return parse_function("func t(%x: " + s + ") {\n}\n").body->params[0]->type; }
Array array(Type type, std::istringstream& numbers) {
  Array a(type);
  std::string word;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(numbers >> word)) throw Error("too few numbers");
    if (is_real(type.dtype)) a.set(i, Number::of(type.dtype, std::strtod(word.c_str(), nullptr)));
    else if (is_signed(type.dtype)) a.set(i, Number::of(type.dtype, std::int64_t(std::strtoll(word.c_str(), nullptr, 10))));
    else a.set(i, Number::of(type.dtype, std::uint64_t(std::strtoull(word.c_str(), nullptr, 10))));
  }
  return a;
}
Ints listed(std::string s) {
  Ints r;
  for (char& c : s) if (c == ',') c = ' ';
  std::istringstream in(s);
  for (std::int64_t x; in >> x;) r.push_back(x);
  return r;
}
std::vector<Case> read(const char* path) {
  std::ifstream file(path);
  if (!file) throw Error(std::string("cannot read ") + path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string word, type;
    words >> word;
    if (word == "case") {
      cases.emplace_back();
      words >> cases.back().name;
    } else if (word == "do") {
      cases.back().steps.push_back(line.substr(3));
    } else if (word == "in") {
      words >> type;
      cases.back().in.push_back(array(type_named(type), words));
    } else if (word == "out") {
      double within = 0;
      words >> type >> within;
      cases.back().out.push_back({array(type_named(type), words), within});
    } else if (word != "end") {
      cases.back().program += line + "\n";
    }
  }
  return cases;
}

Function transformed(Program& program, const Case& c) {
  Function f = parse_function(c.program);
  int n = 0;
  for (auto& step : c.steps) {
    std::istringstream words(step);
    std::string how, first, second;
    words >> how >> first >> second;
    const std::string name = "f" + std::to_string(++n);
    std::vector<int> list;
    for (auto i : listed(how == "vmap" ? second : first)) list.push_back(int(i));
    if (how == "jvp") f = forward(program, f, {list, false}, name);
    else if (how == "vjp") f = reverse(program, f, {.wanted = list, .value = false, .seeds = true}, name);
    else if (how == "vmap") f = batch(program, f, {.in_axes = list, .extent = listed(first)[0]}, name);
    else throw Error("no transform '" + how + "'");
    verify(f, &program);
    if (print(parse_function(print(f))) != print(f)) throw Error("the text of " + name + " does not read back");
  }
  return f;
}
std::string difference(const Array& got, const Expected& want) {
  if (got.type != want.array.type) return text(got.type) + " instead of " + text(want.array.type);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Number a = got.at(i), b = want.array.at(i);
    const double x = a.as_double(), y = b.as_double();
    const bool same = is_real(a.dtype) ? (std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= want.within : a == b;
    if (!same) {
      char s[160];
      std::snprintf(s, sizeof s, "element %zu is %.17g, not %.17g (off by %.3g, allowed %.3g)", i, x, y, std::fabs(x - y), want.within);
      return s;
    }
  }
  return "";
}

int check(const char* path) {
  int failed = 0;
  const auto cases = read(path);
  for (auto& c : cases) {
    std::string what;
    Program program;
    try {
      const Function f = transformed(program, c);
      const auto out = run(program, f, c.in);
      if (out.size() != c.out.size()) what = std::to_string(out.size()) + " results instead of " + std::to_string(c.out.size());
      for (std::size_t k = 0; k < out.size() && what.empty(); ++k) if (const auto d = difference(out[k], c.out[k]); !d.empty()) what = "result " + std::to_string(k) + ": " + d;
    } catch (const std::exception& e) {
      what = e.what();
    }
    if (!what.empty()) ++failed, std::cout << c.name << ": " << what << "\n";
  }
  std::cout << cases.size() - std::size_t(failed) << " of " << cases.size() << " cases hold\n";
  return failed || cases.empty() ? 1 : 0;
}
int write_stablehlo(const char* path, const std::string& folder) {
  int n = 0;
  for (auto& c : read(path)) {
    Program program;
    std::ofstream out(folder + "/" + std::to_string(n++) + ".mlir");
    try {
      const Function f = transformed(program, c);
      out << stablehlo(program, f);
    } catch (const std::exception& e) {
      out << "// " << c.name << ": " << e.what() << "\n";
    }
    if (!out.flush()) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && !std::strcmp(argv[1], "check")) return check(argv[2]);
    if (argc == 4 && !std::strcmp(argv[1], "stablehlo")) return write_stablehlo(argv[2], argv[3]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
  std::cerr << "usage: jax_golden check FILE | stablehlo FILE DIR\n";
  return 2;
}
