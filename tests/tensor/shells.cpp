// SPDX-License-Identifier: Apache-2.0
//
//   tensor_shells FILE OPS    writes include/tlaloc/detail/tensor/elementwise.hpp and include/tlaloc/ops.hpp
//
// The elementwise operations on tensors are those of the table. Whether one is elementwise, and for which dtypes, is found by
// asking its record, so that nothing about it is stated twice.
#include "ir/ops.hpp"

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

using namespace tlaloc::ir;

namespace {

const std::map<std::string_view, const char*> operators = {
    {"neg", "-"}, {"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}, {"rem", "%"}, {"bit_not", "~"}, {"bit_and", "&"},
    {"bit_or", "|"}, {"bit_xor", "^"}, {"shift_left", "<<"}, {"shift_right", ">>"}, {"logical_not", "!"}};

// Comparisons that operators spell, `where`, and halves of C functions with two results.
const std::set<std::string_view> left_out = {
    "select", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered", "fpclassify",
    "lround", "llround", "lrint", "llrint", "ilogb", "remquo_quotient", "frexp_significand", "frexp_exponent", "modf_fraction"};
// C++ promotes bool to int here, which tensors never do.
const std::set<std::string_view> not_of_bool = {"neg", "add", "sub", "mul", "div", "rem", "shift_left", "shift_right", "bit_not"};

struct Shell {
  const Kind* kind;
  unsigned domain = 0;          // bits by dtype
  std::optional<DType> to = {}; // empty: that of the operands
};

std::optional<DType> result_for(const Kind& k, DType d) {
  Function f("f");
  Builder b{f};
  std::vector<X> in;
  for (int i = 0; i < k.operands.fixed(); ++i) in.push_back(param(b, Type{d}, ""));
  try {
    const X y = build(k, b, in, {});
    return y.type().scalar() ? std::optional(y.type().dtype) : std::nullopt;
  } catch (const Error&) {      // the record refuses the dtype
    return {};
  }
}

std::optional<Shell> shell_of(const Kind& k) {
  if (k.operands.variadic() || !k.operands.fixed() || k.operands.fixed() > 3 || k.attrs.size() || k.regions || k.integers.size() || left_out.contains(k.name)) return {};
  if (k.effect != Effect::pure && k.effect != Effect::guarded) return {};
  Shell s{&k};
  bool same = true, one = true;
  for (int d = not_of_bool.contains(k.name); d <= int(DType::f64); ++d)
    if (auto r = result_for(k, DType(d))) {
      s.domain |= 1u << d;
      same &= *r == DType(d);
      one &= !s.to || *s.to == *r;
      if (!s.to) s.to = r;
    }
  if (!s.domain) return {};
  if (same) s.to.reset();
  else if (!one) throw Error(std::string(k.name) + ": the result's dtype follows no rule that a shell can state");
  return s;
}

std::string domain_text(unsigned d) {
  constexpr unsigned boolean = 1, integers = 0xff << 1, floats = 0xf << 9;
  if (d == floats) return "floats";
  if (d == integers) return "integers";
  if (d == (integers | floats)) return "numbers";
  if (d == (integers | floats | boolean)) return "everything";
  if (d == boolean) return "booleans";
  if (d == (integers | boolean)) return "integers | booleans";
  std::ostringstream s;
  s << "0x" << std::hex << d;
  return s.str();
}

std::string text_of(const Shell& s) {
  const Kind& k = *s.kind;
  const std::string name(k.name), result = !s.to ? "" : ", dtype::" + (*s.to == DType::boolean ? "boolean" : text(*s.to));
  const auto op = operators.find(k.name);
  const std::string function = op == operators.end() ? name : "operator" + std::string(op->second);
  const int n = k.operands.fixed();
  const char* letters[] = {"a", "b", "c"};
  std::string typed, passed, untyped, given, params, args;
  for (int i = 0; i < n; ++i) {
    const std::string l = letters[i], upper(1, char('A' + i)), comma = i ? ", " : "";
    typed += comma + "const " + upper + "& " + l;
    passed += comma + (n == 1 ? l + ".any()" : "detail::lift(" + l + ")");
    untyped += comma + (n == 1 ? "const AnyTensor& " : "const Operand& ") + l;
    given += comma + l;
    args += ", " + upper;
  }
  params = n == 1 ? "typed_tensor A" : n == 2 ? "class A, detail::operand_beside<A> B" : "detail::operand A, detail::operand B, detail::operand_among<A, B> C";
  std::string out;
  out += "\n// " + std::string(k.doc) + "\n";
  out += "namespace op { struct " + name + " : elementwise<" + std::to_string(n) + ", " + domain_text(s.domain) + result + "> {}; }\n";
  out += "namespace dynamic { inline AnyTensor " + function + "(" + untyped + ") { return elementwise(\"" + name + "\", &op::" + name + "::apply, {" + given + "}); } }\n";
  out += "TLALOC_OP(" + function + "(" + typed + "), dynamic::" + function + "(" + passed + "),\n          " + params + ", class R = detail::result<op::" + name + args + ">)\n";
  return out;
}

/// An operation that C++ calls by its name, with its attributes as arguments.
std::string text_of(const Kind& k) {
  constexpr std::string_view types[] = {"extent_t", "", "dtype", "", "Extents", "Extents", "", "", ""};     // of the alternatives of Attr
  std::string params, operands, attrs;
  auto add = [](std::string& to, const std::string& s) { to += (to.empty() ? "" : ", ") + s; };
  for (int i = 0; i < k.operands.fixed(); ++i) {
    const std::string name(k.operands[i]);
    add(params, "const AnyTensor& " + name);
    add(operands, name);
  }
  if (k.operands.variadic()) {
    std::string name(k.operands[k.operands.size() - 1]);
    name.resize(name.size() - 3);
    add(params, "std::initializer_list<AnyTensor> " + name);
    operands = "{" + operands + "}, " + name;
  } else {
    operands = "{" + operands + "}, {}";
  }
  for (auto& a : k.attrs) {
    const std::string type(types[a.type]);
    if (type.empty()) throw Error(std::string(k.name) + ": the attribute " + std::string(a.name) + " has no C++ type");
    const std::string name(a.name == "dtype" ? "type" : a.name);
    add(params, type + " " + name);
    add(attrs, name);
  }
  return "/// " + std::string(k.doc) + "\ninline AnyTensor " + std::string(k.name) + "(" + params + ") { return detail::of_table(\"" + std::string(k.name) +
         "\", " + operands + ", {" + attrs + "}); }\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: tensor_shells FILE OPS\n", stderr), 2;
  std::ofstream named(argv[2]);
  named << "// SPDX-License-Identifier: Apache-2.0\n"
           "//\n"
           "// The operations of the table that neither an operator nor <cmath> names: what every other is made of, and what printed\n"
           "// programs call. Attributes are those of docs/ops.md. Written by the target `tensor_shells`; not edited by hand.\n"
           "#pragma once\n\n"
           "#include \"tlaloc/detail/tensor/table.hpp\"\n\n"
           "namespace tlaloc::ops {\n\n"
           "using detail::Extents;\n\n";
  for (auto* k : all_kinds())
    if (k->cpp.by_name && k->name != "literal" && k->name != "extent") named << text_of(*k);
  named << "\n}  // namespace tlaloc::ops\n";
  std::ofstream file(argv[1]);
  file << "// SPDX-License-Identifier: Apache-2.0\n"
          "//\n"
          "// Elementwise operations, written by the target `tensor_shells` from the table of operations. Not edited by hand.\n"
          "#pragma once\n\n"
          "#include \"tlaloc/detail/tensor/rules_elementwise.hpp\"\n"
          "#include \"tlaloc/detail/tensor/typed.hpp\"\n\n"
          "namespace tlaloc {\n\n"
          "namespace op {\n"
          "using detail::outcome, detail::sig, detail::floats, detail::integers, detail::numbers, detail::booleans, detail::everything;\n"
          "template <int N, unsigned Domain, dtype To = dtype::none> struct elementwise {\n"
          "  static constexpr outcome apply(const sig* s) { return detail::rules::elementwise(s, N, Domain, To); }\n"
          "};\n"
          "}  // namespace op\n\n"
          "TLALOC_BEGIN_OPS\n";
  for (auto* k : all_kinds())
    if (auto s = shell_of(*k)) file << text_of(*s);
  file << "\nTLALOC_END_OPS\n\n}  // namespace tlaloc\n";
  return file.flush() && named.flush() ? 0 : 1;
}
