// SPDX-License-Identifier: Apache-2.0
#include "transforms/inline_calls.hpp"

#include "ir/ops.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

struct Inliner {
  const Program& program;
  std::vector<std::string> around = {};           // the callees whose bodies we are in

  void block(const Block& from, Cloner& to) {
    for (auto* op : from.ops) {
      if (op->kind == &ops::call) call(*op, to);
      else if (op->regions.empty()) to.clone(*op);
      else region_op(*op, to);
    }
  }
  void call(const Op& op, Cloner& to) {
    const std::string& name = op.at(key::callee);
    const Function* f = program.find(name);
    if (!f) refuse(op, "calls '" + name + "', which the program lacks");
    if (f->rule || !f->external.empty()) throw Refusal("NOT_DIFFERENTIABLE", op.where, "'" + name + "' has a rule or a definition of its own, which a program of tensors cannot call");
    if (std::find(around.begin(), around.end(), name) != around.end()) throw Refusal("NOT_DIFFERENTIABLE", op.where, "'" + name + "' calls itself in a program of tensors");
    around.push_back(name);
    Cloner inner{to.b};
    for (std::size_t i = 0; i < op.operands.size(); ++i) inner.map[f->body->params[i]] = to.at(op.operands[i]);
    block(*f->body, inner);
    for (std::size_t k = 0; k < op.results.size(); ++k) to.map[op.results[k]] = inner.at(f->body->yields[k]);
    around.pop_back();
  }
  void region_op(const Op& op, Cloner& to) {
    std::vector<Value*> in;
    for (auto* v : op.operands) in.push_back(to.at(v));
    std::vector<Block*> regions;
    for (auto* r : op.regions) {
      Cloner inner{{to.b.function, to.b.function.new_block(), to.b.where}, std::move(to.map)};
      inner.params(*r);
      block(*r, inner);
      inner.yields(*r);
      to.map = std::move(inner.map);
      regions.push_back(inner.b.block);
    }
    to.b.where = op.where;
    Op* made = to.b.append(*op.kind, std::move(in), op.attrs, std::move(regions));
    for (std::size_t k = 0; k < op.results.size(); ++k) made->results[k]->name = op.results[k]->name, to.map[op.results[k]] = made->results[k];
  }
};

}  // namespace

Function inlined(const Program& program, const Function& f) {
  Function out(f.name);
  Cloner c{{out}};
  c.params(*f.body);
  Inliner{program}.block(*f.body, c);
  c.yields(*f.body);
  out.result_names = f.result_names;
  return out;
}

}  // namespace tlaloc::ir
