// SPDX-License-Identifier: Apache-2.0
//
// A file of generated functions: what comes in it and in which order.
#include "backend/cpp/print.hpp"

#include "backend/cpp/function.hpp"
#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

using cpp::Needs;

const Function& need(const Program& p, std::string_view name) {
  if (auto* f = p.find(name)) return *f;
  throw Error("the program has no function '" + std::string(name) + "'");
}

using cpp::ParamFacts;
using AllFacts = std::map<std::string, ParamFacts>;

/// What each function does with its buffer parameters, itself or through its callees: grown until nothing changes.
AllFacts all_facts(const Program& program) {
  AllFacts all;
  for (auto& f : program.functions) all[f.name].written.resize(f.body->params.size()), all[f.name].resized.resize(f.body->params.size());
  auto facts_of = [&](const std::string& name) -> const ParamFacts& {
    auto it = all.find(name);
    if (it == all.end()) throw Error("the program has no function '" + name + "', which it calls");
    return it->second;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& f : program.functions) {
      auto& facts = all[f.name];
      auto mark = [&](std::vector<bool>& flags, const Value* v) {
        const auto at = std::find(f.body->params.begin(), f.body->params.end(), v);
        if (at == f.body->params.end() || flags[std::size_t(at - f.body->params.begin())]) return;
        flags[std::size_t(at - f.body->params.begin())] = changed = true;
      };
      walk(*f.body, [&](Op* op) {
        if (op->kind == &ops::call) {
          const auto& written = facts_of(op->at(key::callee)).written;
          for (std::size_t i = 0; i < op->operands.size() && i < written.size(); ++i) if (written[i]) mark(facts.written, op->operands[i]);
        } else if (op->kind->effect == Effect::writes) {
          mark(facts.written, op->operands[0]);
        }
      });
      for (auto* v : cpp::growing_buffers(f, facts_of)) mark(facts.resized, v);
    }
  }
  return all;
}

/// Distinct identifiers for all functions, in the order of the program.
std::string function_name(const Program& program, const Function& f) {
  if (!f.external.empty()) return "::" + f.external;
  cpp::Scopes taken;
  for (auto* n : {"math", "glue"}) taken.reserve(n);             // namespaces there
  for (auto& g : program.functions) {
    std::string n = taken.declare(g.name);
    if (&g == &f || g.name == f.name) return n;
  }
  return taken.declare(f.name);
}

CppSignature signature(const Program& program, const Function& f, const ParamFacts& facts) {
  CppSignature s;
  s.name = function_name(program, f);
  for (std::size_t i = 0; i < f.body->params.size(); ++i) {
    const Type& t = f.body->params[i]->type;
    if (t.buffer && facts.resized[i]) s.params.push_back("Kept<" + cpp_type(t.dtype) + ">&");
    else s.params.push_back(t.buffer ? (facts.written[i] ? "" : "const ") + cpp_type(t.dtype) + "* __restrict" : t.tensor() ? "const AnyTensor&" : cpp_type(t.dtype));
  }
  const auto& ys = f.body->yields;
  s.result_type = ys.empty() ? "void" : ys.size() == 1 ? cpp::variable_type(ys[0]->type) : s.name + "_result";
  cpp::Scopes fields;
  for (std::size_t i = 0; i < ys.size() && ys.size() > 1; ++i) {
    std::string n = i < f.result_names.size() ? f.result_names[i] : ys[i]->name;
    s.fields.push_back(fields.declare(cpp::identifier(n).empty() ? "result" : n));
  }
  return s;
}

struct Order {
  const Program& program;
  const std::set<std::string, std::less<>>& printed;
  std::vector<const Function*> functions = {};    // callees first
  std::vector<const Function*> declared = {};     // called before they can be defined
  std::set<const Function*> open = {}, done = {};

  void visit(const Function& f) {
    if (printed.contains(f.name) || done.contains(&f)) return;
    open.insert(&f);
    walk(*f.body, [&](Op* op) {
      if (op->kind != &ops::call) return;
      const Function& callee = need(program, op->at(key::callee));
      if (!open.contains(&callee)) visit(callee);
      else if (&callee != &f && std::find(declared.begin(), declared.end(), &callee) == declared.end()) declared.push_back(&callee);
    });
    open.erase(&f);
    done.insert(&f);
    functions.push_back(&f);
  }
};

std::string result_struct(const CppSignature& s, const Function& f) {
  if (f.body->yields.size() < 2) return "";
  std::string out = "struct " + s.result_type + " {\n";
  for (std::size_t i = 0; i < s.fields.size(); ++i) out += "  " + cpp::variable_type(f.body->yields[i]->type) + " " + s.fields[i] + ";\n";
  return out + "};\n";
}

}  // namespace

std::string cpp_type(DType d) { return cpp::type_name(d); }

CppSignature cpp_signature(const Program& program, const Function& f) {
  return signature(program, f, all_facts(program).at(f.name));
}

CppPrinter::CppPrinter(std::string source_name, Linkage linkage) : source_(std::move(source_name)), linkage_(linkage) {
  printed_ = {"<cmath>", "<cstddef>", "<cstdint>"};
}

std::string CppPrinter::head() const {
  return "// Generated by Tlaloc from " + source_ + ". Do not edit.\n"
         "// Compiled with -ffp-contract=off it gives the same bits in every compiler and at every optimisation level.\n"
         "// The pointers that a function takes must not overlap.\n"
         "#pragma once\n\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n";
}

std::string CppPrinter::print(const Program& program, std::span<const std::string> functions) {
  const auto facts = all_facts(program);
  auto signature_of = [&](const std::string& name) { return signature(program, need(program, name), facts.at(name)); };
  auto facts_of = [&](const std::string& name) -> const ParamFacts& { return facts.at(name); };
  const std::string linkage = linkage_ == Linkage::internal ? "static inline " : linkage_ == Linkage::shared ? "inline " : "";
  Order order{program, printed_};
  for (auto& name : functions) order.visit(need(program, name));

  Needs needs;
  std::string bodies, declarations, externals;
  for (auto* f : order.declared) {
    const auto s = signature_of(f->name);
    std::string params;
    for (auto& p : s.params) params += (params.empty() ? "" : ", ") + p;
    declarations += result_struct(s, *f) + linkage + s.result_type + " " + s.name + "(" + params + ");\n\n";
  }
  for (auto* f : order.functions) {
    if (!f->external.empty()) {
      externals += f->declaration + "\n";
      printed_.insert(f->name);
      continue;
    }
    const bool known = std::find(order.declared.begin(), order.declared.end(), f) != order.declared.end();
    const auto prepared = cpp::prepare(*f, facts_of);
    cpp::FunctionText text(prepared, facts_of, signature_of, needs);
    if (!known) if (auto s = result_struct(signature_of(f->name), *f); !s.empty()) bodies += s + "\n";
    bodies += text.print(linkage) + "\n";
    printed_.insert(f->name);
  }
  if (bodies.empty()) return "";
  std::string helpers, includes;
  for (auto* h : needs.helpers) {
    if (!printed_.insert("helper " + std::string(h->name)).second) continue;
    helpers += cpp::text(*h) + "\n";
    if (cpp::of_mathematics(*h)) needs.includes.insert("<limits>");
  }
  for (auto& i : needs.includes) if (printed_.insert(i).second) includes += "#include " + i + "\n";
  if (!with_helpers) helpers.clear(), includes.clear();
  if (!externals.empty()) externals = "// Defined elsewhere.\n" + externals + "\n";
  std::string s = includes + (includes.empty() ? "" : "\n") + externals + "namespace tlaloc::generated {\n\n" + helpers + declarations + bodies + "}  // namespace tlaloc::generated\n";
  return format ? format(std::move(s)) : s;
}

}  // namespace tlaloc::ir
