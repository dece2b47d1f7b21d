// SPDX-License-Identifier: Apache-2.0
//
// Constants and buffers. Their derivatives are structural: forward and reverse own these few by design.
#include "ir/ops/rules.hpp"

namespace tlaloc::ir {
namespace {

const Type index_scalar{index_type};

void need_buffer(const Op& op) { if (!in(op, 0).buffer) refuse(op, "needs a buffer"); }
void need_writable(const Op& op) {
  need_buffer(op);
  if (auto* def = op.operands[0]->def; def && def->kind == &ops::table) refuse(op, "a table is read-only");
}
std::vector<Type> element(const Op& op) {
  need_buffer(op);
  if (in(op, 1) != index_scalar) refuse(op, "needs an i64 index");
  if (auto* def = op.operands[0]->def; def && def->kind == &ops::cell) return {def->at(key::results)[0]};
  return {Type{in(op, 0).dtype}};
}
std::vector<Type> writes_element(const Op& op) {
  need_writable(op);
  if (in(op, 2) != element(op)[0]) refuse(op, "the value differs from the buffer's element");
  return {};
}
std::vector<Type> writes_value(const Op& op) {
  need_writable(op);
  if (in(op, 1) != Type{in(op, 0).dtype}) refuse(op, "the value differs from the buffer's element");
  return {};
}
Number& element_of(Run& run, const Op& op) {
  auto& data = run.memory(op.operands[0]).data;
  const auto i = run[op.operands[1]].as_int();
  if (i < 0 || std::size_t(i) >= data.size()) refuse(op, "index " + std::to_string(i) + " is outside the " + std::to_string(data.size()) + " elements of '" + op.operands[0]->name + "'");
  return data[std::size_t(i)];
}

}  // namespace

FACTS(constant) {
  .name = "constant", .doc = "A number.",
  .operands = none, .attrs = {key::value},
  .type = [](const Op& op) -> std::vector<Type> { return {Type{op.at(key::value).dtype}}; },
  .derivative = zero("a constant"),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Number>) -> Number { return op.at(key::value); },
  .cpp = "{value}",
  .stablehlo = structural,
  .effect = Effect::pure, .cost = 0,
};

FACTS(table) {
  .name = "table", .doc = "A read-only buffer that holds the numbers given.",
  .operands = none, .attrs = {key::dtype, key::values},
  .type = [](const Op& op) -> std::vector<Type> {
    for (auto& n : op.at(key::values)) if (n.dtype != op.at(key::dtype)) refuse(op, "holds a number of another type");
    return {buffer_of(op.at(key::dtype))};
  },
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { run.buffers[op.results[0]] = std::make_shared<Memory>(Memory{op.at(key::dtype), op.at(key::values)}); },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::allocates, .cost = 0,
};

FACTS(alloc) {
  .name = "alloc", .doc = "A new buffer of `size` elements, whose contents are undefined; it lives as long as its block runs.",
  .operands = {"size"}, .attrs = {key::dtype},
  .type = [](const Op& op) -> std::vector<Type> {
    if (in(op, 0) != index_scalar) refuse(op, "needs an i64 size");
    return {buffer_of(op.at(key::dtype))};
  },
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) {
    const auto n = run[op.operands[0]].as_int();
    if (n < 0) refuse(op, "negative size");
    run.buffers[op.results[0]] = std::make_shared<Memory>(Memory{op.at(key::dtype), Numbers(std::size_t(n), unwritten(op.at(key::dtype)))});
  },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::allocates, .cost = 2,
};

FACTS(cell) {
  .name = "cell", .doc = "A variable that holds one tensor at a time. Front ends make it; `promote` makes values of what it holds.",
  .operands = none, .attrs = {key::results},
  .type = [](const Op& op) -> std::vector<Type> {
    if (op.at(key::results).size() != 1 || op.at(key::results)[0].buffer) refuse(op, "holds one tensor");
    return {buffer_of(op.at(key::results)[0].dtype)};
  },
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run&, const Op& op) { refuse(op, "is no value: promote() has not run"); },
  .cpp = refused("a variable that could not be made a value"),
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::allocates, .cost = 0,
};

FACTS(load) {
  .name = "load", .doc = "The element of a buffer at an index.",
  .operands = {"buffer", "index"},
  .type = element,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { run.numbers[op.results[0]] = element_of(run, op); },
  .cpp = "{buffer}[{index}]",
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::reads, .cost = 1,
};

FACTS(store) {
  .name = "store", .doc = "buffer[index] = value.",
  .operands = {"buffer", "index", "value"},
  .type = writes_element,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { element_of(run, op) = run[op.operands[2]]; },
  .cpp = "{buffer}[{index}] = {value}",
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 1,
};

FACTS(accum) {
  .name = "accum", .doc = "buffer[index] += value; the old value is not observed, so that a reverse sweep need not keep it.",
  .operands = {"buffer", "index", "value"},
  .type = writes_element,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) {
    Number& c = element_of(run, op);
    const Number x = run[op.operands[2]];
    c = is_real(c.dtype) ? Number::of(c.dtype, c.real + x.real) : Number::of(c.dtype, std::uint64_t(c.bits + x.bits));
  },
  .cpp = "{buffer}[{index}] += {value}",
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 2,
};

FACTS(fill) {
  .name = "fill", .doc = "Every element of the buffer becomes the value.",
  .operands = {"buffer", "value"},
  .type = writes_value,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { for (auto& x : run.memory(op.operands[0]).data) x = run[op.operands[1]]; },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 10,
};

FACTS(length) {
  .name = "length", .doc = "The number of elements of a buffer, an i64.",
  .operands = {"buffer"},
  .type = [](const Op& op) -> std::vector<Type> { need_buffer(op); return {index_scalar}; },
  .derivative = zero("a length is an integer"),
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { run.numbers[op.results[0]] = Number::of(index_type, std::int64_t(run.memory(op.operands[0]).data.size())); },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::reads, .cost = 1,
};

FACTS(append) {
  .name = "append", .doc = "Makes the buffer one element longer; the new one holds the value.",
  .operands = {"buffer", "value"},
  .type = writes_value,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) { run.memory(op.operands[0]).data.push_back(run[op.operands[1]]); },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 4,
};

FACTS(pop) {
  .name = "pop", .doc = "The last element of the buffer, which becomes one shorter.",
  .operands = {"buffer"},
  .type = [](const Op& op) -> std::vector<Type> { need_writable(op); return {Type{in(op, 0).dtype}}; },
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) {
    auto& data = run.memory(op.operands[0]).data;
    if (data.empty()) refuse(op, "pops an empty buffer");
    run.numbers[op.results[0]] = data.back();
    data.pop_back();
  },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 4,
};

FACTS(resize) {
  .name = "resize", .doc = "Gives the buffer `length` elements: drops the last ones or appends `value`.",
  .operands = {"buffer", "length", "value"},
  .type = writes_element,
  .derivative = structural,
  .batching = refused("a buffer has no batch axis"),
  .kernel = [](Run& run, const Op& op) {
    const auto n = run[op.operands[1]].as_int();
    if (n < 0) refuse(op, "negative size");
    run.memory(op.operands[0]).data.resize(std::size_t(n), run[op.operands[2]]);
  },
  .cpp = structural,
  .stablehlo = refused("StableHLO has no mutable buffers"),
  .effect = Effect::writes, .cost = 20,
};

}  // namespace tlaloc::ir
