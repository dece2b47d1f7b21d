// SPDX-License-Identifier: Apache-2.0
#include "backend/interpreter/interpreter.hpp"

namespace tlaloc::ir {
namespace {

std::vector<Datum> interpret_body(const Program& program, const Function& f, std::span<const Argument> args, int depth,
                        const std::function<void(const Op&, std::span<const Number>)>& output) {
  if (!f.external.empty()) throw Error("'" + f.external + "' is defined outside the program");
  if (depth > 2000) throw Error("'" + f.name + "' recurses too deeply");
  if (args.size() != f.body->params.size()) throw Error("'" + f.name + "' takes " + std::to_string(f.body->params.size()) + " arguments");
  Run state;
  state.output = output;
  state.call = [&](std::string_view callee, std::span<const Argument> a) {
    const Function* g = program.find(callee);
    if (!g) throw Error("no function '" + std::string(callee) + "'");
    return interpret_body(program, *g, a, depth + 1, output);
  };
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Value* p = f.body->params[i];
    if (auto* m = std::get_if<std::shared_ptr<Memory>>(&args[i])) {
      if (!p->type.buffer || (*m)->dtype != p->type.dtype) throw Error("argument '" + p->name + "' is not " + text(p->type));
      state.buffers[p] = *m;
    } else if (auto* a = std::get_if<Array>(&args[i])) {
      if (p->type != a->type) throw Error("argument '" + p->name + "' is not " + text(p->type) + " but " + text(a->type));
      state.arrays[p] = *a;
    } else {
      if (p->type.buffer || std::get<Number>(args[i]).dtype != p->type.dtype) throw Error("argument '" + p->name + "' is not " + text(p->type));
      state.numbers[p] = std::get<Number>(args[i]);
    }
  }
  return state.block(*f.body, {});
}
Function kernels_only(const Function& f) {
  Function expanded = copy(f, f.name);
  expand(expanded, [](const Op& op) { return op.kind->kernel.form == Kernel::expand; });
  return expanded;
}

}  // namespace

std::vector<Number> interpret(const Program& program, const Function& f, std::span<const Argument> args,
                              std::function<void(const Op&, std::span<const Number>)> output) {
  std::vector<Number> results;
  for (auto& d : interpret_body(program, kernels_only(f), args, 0, output)) {
    if (!std::holds_alternative<Number>(d)) throw Error("'" + f.name + "' gives tensors: run() it");
    results.push_back(std::get<Number>(d));
  }
  return results;
}
std::vector<Array> run(const Program& program, const Function& f, std::span<const Array> args) {
  if (args.size() != f.body->params.size()) throw Error("'" + f.name + "' takes " + std::to_string(f.body->params.size()) + " arguments");
  Bindings symbols;
  for (std::size_t i = 0; i < args.size(); ++i) bind_symbols(symbols, f.body->params[i]->type.dims, args[i].type.dims);
  std::vector<Argument> in;
  for (auto& a : args) {
    Datum d = as_datum(a);
    if (auto* n = std::get_if<Number>(&d)) in.emplace_back(*n); else in.emplace_back(a);
  }
  std::vector<Array> out;
  for (auto& d : interpret_body(program, kernels_only(symbols.empty() ? copy(f, f.name) : specialize(f, symbols)), in, 0, {})) out.push_back(as_array(d));
  return out;
}
std::shared_ptr<Memory> buffer(std::span<const double> xs) {
  auto m = std::make_shared<Memory>(Memory{DType::f64, {}});
  for (double x : xs) m->data.push_back(Number::of(DType::f64, x));
  return m;
}
std::vector<double> contents(const Memory& m) {
  std::vector<double> r;
  for (auto& n : m.data) r.push_back(n.as_double());
  return r;
}

}  // namespace tlaloc::ir
