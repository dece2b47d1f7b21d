// SPDX-License-Identifier: Apache-2.0
//
// The verifier: definitions before uses, and for each op the same check that the builder ran. No second set of rules.
#include "ir/ops.hpp"

#include <unordered_set>

namespace tlaloc::ir {
namespace {

struct Verifier {
  const Program* program;

  void call(const Op& op) const {
    const Function* f = program->find(op.at(key::callee));
    if (!f) refuse(op, "calls '" + op.at(key::callee) + "', which the program lacks");
    if (f->body->params.size() != op.operands.size()) refuse(op, "wrong number of arguments for '" + f->name + "'");
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const Type &a = op.operands[i]->type, &p = f->body->params[i]->type;
      if (a.buffer != p.buffer || a.dtype != p.dtype) refuse(op, "argument " + std::to_string(i) + " of '" + f->name + "' is " + text(a) + ", not " + text(p));
    }
    if (f->body->yields.size() != op.results.size()) refuse(op, "wrong number of results of '" + f->name + "'");
    for (std::size_t i = 0; i < op.results.size(); ++i) if (f->body->yields[i]->type != op.results[i]->type) refuse(op, "wrong type of result of '" + f->name + "'");
  }
  std::unordered_set<const Value*> seen = {};     // what may be read here

  void block(const Block& b) {
    std::vector<const Value*> own;
    auto define = [&](const Value* v) {
      if (!seen.insert(v).second) throw Error("'" + v->name + "' is defined twice");
      own.push_back(v);
    };
    for (auto* v : b.params) {
      if (v->block != &b || v->def) throw Error("a parameter named '" + v->name + "' is not its block's own");
      define(v);
    }
    for (auto* op : b.ops) {
      if (op->block != &b) refuse(*op, "stands in a block that it does not name");
      for (auto* v : op->operands) if (v && !seen.contains(v)) refuse(*op, "reads '" + v->name + "' before its definition");
      for (auto* r : op->regions) {
        if (r->owner != op) refuse(*op, "does not own its region");
        block(*r);
      }
      const auto types = result_types(*op);
      if (types.size() != op->results.size()) refuse(*op, "wrong number of results");
      for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i] != op->results[i]->type) refuse(*op, "a result's type differs from the rule's");
        if (op->results[i]->def != op || op->results[i]->block != &b) refuse(*op, "a result does not name its definition");
      }
      if (program && op->kind == &ops::call) call(*op);
      for (auto* v : op->results) define(v);
    }
    for (auto* v : b.yields) {
      if (!seen.contains(v)) throw Error("yields '" + v->name + "' before its definition");
      if (v->type.buffer) throw Error("yields the buffer '" + v->name + "'");
    }
    for (auto* v : own) seen.erase(v);            // out of scope
  }
};

}  // namespace

void verify(const Function& f, const Program* p) { Verifier{p}.block(*f.body); }
void verify(const Program& p) { for (auto& f : p.functions) verify(f, &p); }

}  // namespace tlaloc::ir
