// SPDX-License-Identifier: Apache-2.0
#include "ir/run.hpp"

#include <limits>

namespace tlaloc::ir {

Number unwritten(DType d) {
  if (is_real(d)) return Number::of(d, std::numeric_limits<double>::quiet_NaN());
  return Number::of(d, std::int64_t(0x5EED5EED5EED5EED));
}
Number Run::operator[](const Value* v) const {
  auto it = numbers.find(v);
  if (it == numbers.end()) throw Error("'" + v->name + "' is read before it has a number");
  return it->second;
}
Memory& Run::memory(const Value* v) const {
  auto it = buffers.find(v);
  if (it == buffers.end()) throw Error("'" + v->name + "' is used before it has memory");
  return *it->second;
}
Argument Run::argument(const Value* v) const {
  if (v->type.buffer) return buffers.at(v);
  return (*this)[v];
}
std::vector<Number> Run::block(const Block& b, std::span<const Number> params) {
  for (std::size_t i = 0; i < params.size(); ++i) numbers[b.params[i]] = params[i];
  for (auto* op : b.ops) {
    if (--steps_left < 0) throw Error("the program ran for too many steps");
    const Kernel& k = op->kind->kernel;
    if (k.form == Kernel::control) { k.run(*this, *op); continue; }
    if (k.form == Kernel::expand) refuse(*op, "is expanded before it is interpreted");
    std::vector<Number> in;
    for (auto* v : op->operands) in.push_back((*this)[v]);
    numbers[op->results[0]] = k.number(*op, in);
  }
  std::vector<Number> out;
  for (auto* y : b.yields) out.push_back((*this)[y]);
  return out;
}

}  // namespace tlaloc::ir
