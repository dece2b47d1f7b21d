// SPDX-License-Identifier: Apache-2.0
//
//   op_table reference FILE    writes docs/ops.md
//   op_table program           prints a C++ program that calls the spelling of each op with a helper at some points
//   op_table numbers           prints what that program must print, from the ops' kernels
#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>

using namespace tlaloc::ir;

namespace {

constexpr double reals[] = {-20.4, -3.3, -0.6, 0.02, 0.4, 0.9, 1.4616, 2.75, 9.99, 60.0, 1e6};
constexpr std::int64_t orders[] = {1, 2, 5};

struct Call { const Kind* kind; std::vector<double> in; std::int64_t order; };

std::vector<Call> calls() {
  std::vector<Call> all;
  for (auto* k : all_kinds()) {
    if (!k->helper) continue;
    for (std::size_t i = 0; i < std::size(reals); ++i) for (auto order : orders) {
      if (k->attrs.size() == 0 && order > 1) continue;
      Call c{k, {}, order};
      for (int j = 0; j < k->operands.size(); ++j) c.in.push_back(k->integers.find(k->operands[j]) ? double(8 - 3 * j) : reals[(i + 4 * std::size_t(j)) % std::size(reals)]);
      all.push_back(c);
    }
  }
  return all;
}

// Numbers go through a volatile array: nothing is known when the program is compiled.
void print_program() {
  std::string helpers, body, data;
  std::set<const Helper*> printed;
  int at = 0;
  for (auto& c : calls()) {
    if (printed.insert(c.kind->helper).second) helpers += std::string(c.kind->helper->source) + "\n";
    std::string text(c.kind->cpp.text);
    auto put = [&](std::string_view word, const std::string& with) {
      const auto p = text.find("{" + std::string(word) + "}");
      text.replace(p, word.size() + 2, with);
    };
    for (int j = 0; j < c.kind->operands.size(); ++j) {
      const bool whole = c.kind->integers.find(c.kind->operands[j]);
      put(c.kind->operands[j], (whole ? "unsigned(x[" : "(x[") + std::to_string(at++) + "])");
      char digits[40];
      std::snprintf(digits, sizeof digits, "%a, ", c.in[std::size_t(j)]);
      data += digits;
    }
    if (c.kind->attrs.size()) put("order", std::to_string(c.order));
    body += "  std::printf(\"%a\\n\", double(" + text + "));\n";
  }
  std::cout << "#include <cmath>\n#include <cstdio>\n#include <limits>\nnamespace math {\n" << helpers << "}\nvolatile double source[] = {" << data
            << "};\nint main() {\n  static double x[" << at << "];\n  for (int i = 0; i < " << at << "; ++i) x[i] = source[i];\n" << body << "}\n";
}
void print_numbers() {
  for (auto& c : calls()) {
    Function f("f");
    Builder b{f};
    std::vector<X> in;
    for (int j = 0; j < c.kind->operands.size(); ++j) in.push_back(constant(b, operand_dtype(*c.kind, j, DType::f64), c.in[std::size_t(j)]));
    f.body->yields.push_back(build(*c.kind, b, in, c.kind->attrs.size() ? std::vector<Attr>{c.order} : std::vector<Attr>{}).v);
    std::printf("%a\n", interpret({}, f, {})[0].as_double());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view job = argc > 1 ? argv[1] : "";
  if (job == "program") return print_program(), 0;
  if (job == "numbers") return print_numbers(), 0;
  if (job != "reference" || argc != 3) return std::fputs("usage: op_table reference FILE | program | numbers\n", stderr), 2;
  std::ofstream file(argv[2]);
  file << op_reference();
  return file.flush() ? 0 : 1;
}
