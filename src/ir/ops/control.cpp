// SPDX-License-Identifier: Apache-2.0
//
// Structured control flow and calls.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {
namespace {

std::vector<Type> types(std::span<Value* const> vs) {
  std::vector<Type> r;
  for (auto* v : vs) r.push_back(v->type);
  return r;
}
void need_carried_numbers(const Op& op, const std::vector<Type>& ts) { for (auto& t : ts) if (t.buffer) refuse(op, "a buffer cannot be carried"); }

}  // namespace

FACTS(for_) {
  .name = "for", .doc = "Counts from `from` up to but without `to` in steps of the constant `step` (down when it is negative); the region takes the counter and the carried values and yields the next ones. Its results are the last carried values.",
  .operands = {"from", "to", "init..."}, .attrs = {key::step}, .regions = 1,
  .type = [](const Op& op) -> std::vector<Type> {
    auto carried = types(std::span(op.operands).subspan(2)), expected = carried;
    expected.insert(expected.begin(), in(op, 0));
    if (!in(op, 0).integer() || !in(op, 0).scalar() || in(op, 1) != in(op, 0)) refuse(op, "both bounds must be one integer type");
    if (op.at(key::step) == 0) refuse(op, "a step of zero");
    if (types(op.regions[0]->params) != expected) refuse(op, "the region's parameters must be the counter and the carried values");
    if (types(op.regions[0]->yields) != carried) refuse(op, "the yields differ from the carried values");
    need_carried_numbers(op, carried);
    return carried;
  },
  .derivative = structural,
  .batching = structural,
  .kernel = [](Run& run, const Op& op) {
    const Number from = run[op.operands[0]], to = run[op.operands[1]];
    const auto step = op.at(key::step);
    std::vector<Datum> state{from};
    for (std::size_t i = 2; i < op.operands.size(); ++i) state.push_back(run.datum(op.operands[i]));
    const bool as_unsigned = is_unsigned(from.dtype);
    auto more = [&](std::uint64_t i) {
      if (as_unsigned) return step > 0 ? i < to.bits : i > to.bits;
      return step > 0 ? std::int64_t(i) < to.as_int() : std::int64_t(i) > to.as_int();
    };
    for (auto i = from.bits; more(i); i += std::uint64_t(step)) {
      state[0] = Number::of(from.dtype, std::int64_t(i));
      auto next = run.block(*op.regions[0], state);
      std::move(next.begin(), next.end(), state.begin() + 1);
      if (as_unsigned && step < 0 && i < std::uint64_t(-step)) break;      // would wrap; C++ code prints the same test
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) run.set(op.results[i], std::move(state[i + 1]));
  },
  .cpp = structural,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 1,                // of a turn; the region's ops count for themselves
};

FACTS(while_) {
  .name = "while", .doc = "While the first region, given the carried values, yields true, the second region maps them to the next ones. Its results are the last carried values.",
  .operands = {"init..."}, .regions = 2,
  .type = [](const Op& op) -> std::vector<Type> {
    auto carried = types(op.operands);
    for (auto* r : op.regions) if (types(r->params) != carried) refuse(op, "both regions take the carried values");
    if (types(op.regions[0]->yields) != std::vector<Type>{{DType::boolean}}) refuse(op, "the first region yields one bool");
    if (types(op.regions[1]->yields) != carried) refuse(op, "the yields differ from the carried values");
    need_carried_numbers(op, carried);
    return carried;
  },
  .derivative = structural,
  .batching = structural,
  .kernel = [](Run& run, const Op& op) {
    std::vector<Datum> state;
    for (auto* v : op.operands) state.push_back(run.datum(v));
    while (std::get<Number>(run.block(*op.regions[0], state)[0]).bits) state = run.block(*op.regions[1], state);
    for (std::size_t i = 0; i < op.results.size(); ++i) run.set(op.results[i], std::move(state[i]));
  },
  .cpp = structural,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 1,
};

FACTS(if_) {
  .name = "if", .doc = "The yields of the first region where the condition holds, else of the second; only that one runs.",
  .operands = {"condition"}, .regions = 2,
  .type = [](const Op& op) -> std::vector<Type> {
    if (in(op, 0) != Type{DType::boolean}) refuse(op, "the condition must be a bool");
    for (auto* r : op.regions) if (!r->params.empty()) refuse(op, "its regions take nothing");
    auto a = types(op.regions[0]->yields);
    if (a != types(op.regions[1]->yields)) refuse(op, "both regions must yield the same types");
    need_carried_numbers(op, a);
    return a;
  },
  .derivative = structural,
  .batching = structural,
  .kernel = [](Run& run, const Op& op) {
    auto y = run.block(*op.regions[run[op.operands[0]].bits ? 0 : 1], {});
    for (std::size_t i = 0; i < y.size(); ++i) run.set(op.results[i], std::move(y[i]));
  },
  .cpp = structural,
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 1,
};

FACTS(call) {
  .name = "call", .doc = "The results of another function of the program; it may write the buffers among its arguments.",
  .operands = {"args..."}, .attrs = {key::callee, key::results},
  .type = [](const Op& op) -> std::vector<Type> { need_carried_numbers(op, op.at(key::results)); return op.at(key::results); },
  .derivative = structural,
  .batching = structural,
  .kernel = [](Run& run, const Op& op) {
    std::vector<Argument> args;
    for (auto* v : op.operands) args.push_back(run.argument(v));
    auto y = run.call(op.at(key::callee), args);
    for (std::size_t i = 0; i < y.size(); ++i) run.set(op.results[i], std::move(y[i]));
  },
  .cpp = structural,
  .stablehlo = structural,
  .effect = Effect::writes, .cost = 50,
};

FACTS(output) {
  .name = "output", .doc = "Calls a function of the outside world for its effect: `callee(format, args...)`, without the format where it is empty; of a stream, `callee << ...` as the format says. Runs exactly as often and in the order of the primal.",
  .operands = {"args..."}, .attrs = {key::callee, key::format},
  .type = [](const Op&) -> std::vector<Type> { return {}; },
  .derivative = zero("an effect on the world has no derivative"),
  .batching = refused("an effect on the world runs once"),
  .kernel = [](Run& run, const Op& op) {
    std::vector<Number> args;
    for (auto* v : op.operands) args.push_back(run[v]);
    if (run.output) run.output(op, args);
  },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no effects on the world"),
  .effect = Effect::outputs, .cost = 100,
};

}  // namespace tlaloc::ir
