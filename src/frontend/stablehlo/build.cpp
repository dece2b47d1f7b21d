// SPDX-License-Identifier: Apache-2.0
#include "frontend/stablehlo/build.hpp"

#include "frontend/stablehlo/read.hpp"

#include <algorithm>

namespace tlaloc::stablehlo {

ir::Value* Scope::find(std::string_view name) const {
  for (const Scope* s = this; s; s = s->outer) {
    if (auto it = s->values.find(name); it != s->values.end()) return it->second;
  }
  return nullptr;
}

void Build::fail(const Operation& op, const std::string& why, const char* code) const {
  const std::string place = std::string(file) + ":" + std::to_string(op.line) + ":" + std::to_string(op.column);
  throw ir::Refusal(code, {file, op.line, op.column, ir::intern(op.name)}, std::string(code) + ": " + place + ": " + op.name + " " + why);
}

Xs Build::operands(const Operation& op) {
  Xs out;
  for (auto& name : op.operands) {
    ir::Value* v = scope.find(name);
    if (!v) fail(op, "uses " + name + ", which nothing before it defines");
    out.push_back({&b, v});
  }
  return out;
}

void Build::operations(const std::vector<Operation>& all) {
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Operation& op = all[i];
    b.where = {file, op.line, op.column, ir::intern(op.name)};
    Xs made;
    try {
      made = results(op, operands(op));
    } catch (const ir::Refusal&) {
      throw;
    } catch (const ir::Error& e) {                // the op table's own checks
      fail(op, std::string("does not fit: ") + e.what());
    }
    if (made.size() != op.results.size()) fail(op, "has " + std::to_string(made.size()) + " results and " + std::to_string(op.results.size()) + " are named");
    for (std::size_t k = 0; k < made.size(); ++k) {
      if (!lifted && (k >= op.types.size() || !(op.types[k] == made[k].type()))) {
        fail(op, "gives " + text(made[k].type()) + ", which is not the type that is written");
      }
      if (!scope.values.emplace(op.results[k], made[k].v).second) fail(op, "defines " + op.results[k] + " again");
    }
  }
  if (all.empty() || !(all.back().name == "stablehlo.return" || all.back().name == "func.return")) {
    throw ir::Refusal("MALFORMED_PROGRAM", {}, "MALFORMED_PROGRAM: " + std::string(file) + ": a region or function does not end with a return");
  }
}

Xs Build::region(const Region& r, std::span<const X> arguments, ir::Builder& into, const Shape* lift) const {
  if (r.operations.empty() || (!r.params.empty() && r.params.size() != arguments.size())) {
    throw ir::Refusal("MALFORMED_PROGRAM", b.where, "MALFORMED_PROGRAM: " + std::string(file) + ":" + std::to_string(b.where.line) +
                                                        ": a region has the wrong number of parameters, or nothing in it");
  }
  Scope inner{&scope};
  for (std::size_t i = 0; i < r.params.size(); ++i) inner.values[r.params[i]] = arguments[i].v;
  Build build{into, inner, file, lift};
  build.operations(r.operations);
  return build.operands(r.operations.back());
}

Xs Build::results(const Operation& op, const Xs& in) {
  static constexpr std::string_view bodies[] = {"stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.sort", "stablehlo.scatter", "stablehlo.select_and_scatter"};
  static constexpr std::string_view structures[] = {"stablehlo.while", "stablehlo.if", "stablehlo.case", "func.call", "stablehlo.optimization_barrier", "chlo.top_k"};
  auto is = [&](std::string_view name) { return op.name == name; };
  if (!lifted && std::ranges::any_of(bodies, is)) return with_body(op, in);
  if (!lifted && std::ranges::any_of(structures, is)) return control(op, in);
  return {data(op, in)};
}

Xs Build::control(const Operation& op, const Xs& in) {
  auto regions = [&](std::size_t n) {
    if (op.regions.size() < n) fail(op, "has too few regions");
  };
  // Builders of regions are made deep inside; what they throw passes through.
  auto body = [&](std::size_t i) -> ir::Body {
    return [this, &op, i](ir::Builder& inner, std::span<const X> state) { return region(op.regions[i], state, inner); };
  };
  if (op.name == "stablehlo.while") {
    regions(2);
    return loop_while(b, in, body(0), body(1));
  }
  if (op.name == "stablehlo.if") {
    regions(2);
    if (in.size() != 1) fail(op, "needs a condition");
    return branch(b, in[0], body(0), body(1));
  }
  if (op.name == "stablehlo.case") {
    regions(1);
    if (in.size() != 1) fail(op, "needs an index");
    // Any other index means the last branch.
    std::function<Xs(ir::Builder&, std::size_t)> from = [&](ir::Builder& at, std::size_t i) -> Xs {
      if (i + 1 == op.regions.size()) return region(op.regions[i], {}, at);
      const X index{&at, in[0].v};
      return branch(at, index == ir::like(index, double(i)), body(i), [&, i](ir::Builder& inner, std::span<const X>) { return from(inner, i + 1); });
    };
    return from(b, 0);
  }
  if (op.name == "func.call") {
    const Attribute* callee = find(op.attributes, "callee");
    if (!callee || !std::holds_alternative<std::string>(callee->value)) fail(op, "names no function");
    std::vector<ir::Value*> values;
    for (const X& x : in) values.push_back(x.v);
    ir::Op* call = b.append(ir::ops::call, values, {std::get<std::string>(callee->value), op.types});
    Xs out;
    for (ir::Value* v : call->results) out.push_back({&b, v});
    return out;
  }
  if (op.name == "chlo.top_k") {
    if (in.size() != 1 || in[0].type().dims.empty()) fail(op, "needs a tensor");
    const std::int64_t last = in[0].type().rank() - 1, k = integer(*this, op, "k");
    const X order = ir::sliced(ir::ops::sort_indices(in[0], last, std::int64_t(1)), last, 0, k);
    return {ir::take_along_axis(in[0], order, last), order};
  }
  return in;                                      // optimization_barrier
}

}  // namespace tlaloc::stablehlo

namespace tlaloc {

ir::Program read_stablehlo(std::string_view text, std::string_view file) {
  using namespace stablehlo;
  file = ir::intern(file);
  const std::vector<FunctionText> functions = parse(text, file);
  ir::Program out;
  for (auto& f : functions) {
    ir::Function& made = out.add(ir::Function(f.name));
    ir::Builder b{made};
    Scope scope;
    for (std::size_t i = 0; i < f.body.params.size(); ++i) {
      scope.values[f.body.params[i]] = param(b, f.body.types[i], f.body.params[i].substr(1)).v;
    }
    Build build{b, scope, file};
    build.operations(f.body.operations);
    for (const X& x : build.operands(f.body.operations.back())) made.body->yields.push_back(x.v);
    bool fits = made.body->yields.size() == f.results.size();
    for (std::size_t i = 0; fits && i < f.results.size(); ++i) fits = made.body->yields[i]->type == f.results[i];
    if (!fits) build.fail(f.body.operations.back(), "of @" + f.name + " does not return what the function's type says");
  }
  try {
    verify(out);                                  // calls above all
  } catch (const ir::Refusal&) {
    throw;
  } catch (const ir::Error& e) {
    throw ir::Refusal("MALFORMED_PROGRAM", {file, 0, 0, {}}, "MALFORMED_PROGRAM: " + std::string(file) + ": " + e.what());
  }
  return out;
}

}  // namespace tlaloc
