// SPDX-License-Identifier: Apache-2.0
#include "backend/interpreter/interpreter.hpp"

namespace tlaloc::ir {
namespace {

std::vector<Number> run(const Program& program, const Function& f, std::span<const Argument> args, int depth,
                        const std::function<void(const Op&, std::span<const Number>)>& output) {
  if (!f.external.empty()) throw Error("'" + f.external + "' is defined outside the program");
  if (depth > 2000) throw Error("'" + f.name + "' recurses too deeply");
  if (args.size() != f.body->params.size()) throw Error("'" + f.name + "' takes " + std::to_string(f.body->params.size()) + " arguments");
  Run state;
  state.output = output;
  state.call = [&](std::string_view callee, std::span<const Argument> a) {
    const Function* g = program.find(callee);
    if (!g) throw Error("no function '" + std::string(callee) + "'");
    return run(program, *g, a, depth + 1, output);
  };
  std::vector<Number> none;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Value* p = f.body->params[i];
    if (auto* m = std::get_if<std::shared_ptr<Memory>>(&args[i])) {
      if (!p->type.buffer || (*m)->dtype != p->type.dtype) throw Error("argument '" + p->name + "' is not " + text(p->type));
      state.buffers[p] = *m;
    } else {
      if (p->type.buffer || std::get<Number>(args[i]).dtype != p->type.dtype) throw Error("argument '" + p->name + "' is not " + text(p->type));
      state.numbers[p] = std::get<Number>(args[i]);
    }
  }
  return state.block(*f.body, none);
}

}  // namespace

std::vector<Number> interpret(const Program& program, const Function& f, std::span<const Argument> args,
                              std::function<void(const Op&, std::span<const Number>)> output) {
  Function expanded = copy(f, f.name);
  expand(expanded, [](const Kind& k) { return k.kernel.form == Kernel::expand; });
  return run(program, expanded, args, 0, output);
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
