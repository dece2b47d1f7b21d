// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of straight-line expressions for tests of the op table: the chain rule over an expression's graph and nothing
// else, so that a wrong rule cannot hide behind a transform.
#pragma once

#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <map>

namespace tlaloc::ir::test {

/// The partials of y's op by each operand, whatever the form of its derivative; X{} where there is none.
inline std::vector<X> all_partials(X y) {
  const Op& op = *y.v->def;
  std::vector<X> in;
  for (auto* v : op.operands) in.push_back({y.b, v});
  const auto& d = op.kind->derivative;
  if (d.form == Derivative::pointwise) return partials(op, in, y);
  if (d.form == Derivative::linear) return d.transpose(op, in, like(y, 1));
  return std::vector<X>(in.size());
}

/// dy / dx, built behind y; X{} when y does not depend on x.
class ChainRule {
 public:
  explicit ChainRule(X x) : x_(x) {}
  X operator()(X y) {
    if (y.v == x_.v) return like(x_, 1);
    if (!y.v->def || !y.type().real()) return {};
    auto [at, fresh] = known_.try_emplace(y.v);
    if (fresh) { X d = of(y); known_[y.v] = d; return d; }
    return at->second;
  }

 private:
  X of(X y) {
    const auto ps = all_partials(y);
    X sum;
    for (std::size_t i = 0; i < ps.size(); ++i) {
      const X d = (*this)({y.b, y.v->def->operands[i]});
      if (d && ps[i]) sum = sum ? sum + ps[i] * d : ps[i] * d;
    }
    return sum;
  }
  X x_;
  std::map<const Value*, X> known_;
};

/// Runs the function on numbers, each converted to its parameter's type.
inline std::vector<Number> run(const Function& f, const std::vector<double>& xs) {
  std::vector<Argument> args;
  for (std::size_t i = 0; i < xs.size(); ++i) args.push_back(Number::of(f.body->params[i]->type.dtype, xs[i]));
  return interpret({}, f, args);
}

}  // namespace tlaloc::ir::test
