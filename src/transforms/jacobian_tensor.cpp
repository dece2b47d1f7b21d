// SPDX-License-Identifier: Apache-2.0
#include "transforms/jacobian_tensor.hpp"

#include "ir/tensor.hpp"
#include "transforms/batch.hpp"
#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"
#include "transforms/simplify.hpp"

namespace tlaloc::ir {
namespace {

/// The unit vectors of a type, one after the other: [elements, dims...].
X units(Builder& b, const Type& t) {
  const Extent n = elements(t.dims);
  const Shape square{n, n};
  return reshape(convert(iota(b, square, DType::i64, 0) == iota(b, square, DType::i64, 1), t.dtype),
                 joined({{n}, t.dims}));
}
/// What `pass`, whose last parameter is a tangent or cotangent, gives for all unit vectors of that:
/// [elements, ...] each.
std::vector<X> all_passes(Program& program, const Function& pass, Builder& b) {
  const auto& params = pass.body->params;
  const Type& last = params.back()->type;
  std::vector<int> axes(params.size(), -1);
  axes.back() = 0;
  const Function mapped = batch(program, pass, {axes, {}, elements(last.dims)}, pass.name);
  Cloner c{b};
  for (std::size_t i = 0; i + 1 < params.size(); ++i)
    c.map[mapped.body->params[i]] = b.block->params[i];
  c.map[mapped.body->params.back()] = units(b, last).v;
  c.block(*mapped.body);
  std::vector<X> out;
  for (auto* y : mapped.body->yields)
    out.push_back({&b, c.at(y)});
  return out;
}
const Type& only_result(const Function& f) {
  if (f.body->yields.size() != 1)
    throw Error("'" + f.name + "' has " + std::to_string(f.body->yields.size()) +
                " results, not one");
  return f.body->yields[0]->type;
}

}  // namespace

Function tensor_jacobian(Program& program, const Function& f, const std::vector<int>& wanted,
                         bool by_rows, std::string name) {
  const Shape rows = only_result(f).dims;
  Function out(std::move(name));
  Builder b{out};
  for (auto* p : f.body->params)
    param(b, p->type, p->name);
  auto give = [&](int i, X jacobian) {
    out.body->yields.push_back(jacobian.v);
    out.result_names.push_back("jacobian_" + f.body->params[std::size_t(i)]->name);
  };
  auto shape = [&](int i) { return joined({rows, f.body->params[std::size_t(i)]->type.dims}); };
  if (by_rows) {
    const Function pass =
        reverse(program, f, {.wanted = wanted, .seeds = true}, out.name + "_pass");
    const auto all = all_passes(program, pass, b);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      give(wanted[k], reshape(all.at(k), shape(wanted[k])));
  } else {
    for (int i : wanted) {
      const Function pass = forward(program, f, {.wanted = {i}}, out.name + "_pass");
      const X columns = all_passes(program, pass, b).at(0);
      give(i, reshape(moved(columns, 0, int(rows.size())), shape(i)));
    }
  }
  simplify(out, &program);
  return out;
}
Function tensor_hessian(Program& program, const Function& f, int wanted, std::string name) {
  only_result(f);
  Function gradient = reverse(program, f, {.wanted = {wanted}}, name + "_gradient");
  simplify(gradient, &program);
  return tensor_jacobian(program, gradient, {wanted}, false, std::move(name));
}
Function tensor_hessian_product(Program& program, const Function& f, const std::vector<int>& wanted,
                                std::string name) {
  only_result(f);
  Function gradient = reverse(program, f, {.wanted = wanted}, name + "_gradient");
  simplify(gradient, &program);
  Function out = forward(program, gradient, {.wanted = wanted}, std::move(name));
  simplify(out, &program);
  return out;
}

}  // namespace tlaloc::ir
