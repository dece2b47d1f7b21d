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
Array as_array(const Datum& d) {
  if (auto* a = std::get_if<Array>(&d)) return *a;
  return Array::of(std::get<Number>(d));
}
Datum as_datum(Array a) {
  if (a.type.dims.empty()) return a.at(0);
  return a;
}
Datum Run::datum(const Value* v) const {
  if (v->type.dims.empty()) return (*this)[v];
  auto it = arrays.find(v);
  if (it == arrays.end()) throw Error("'" + v->name + "' is read before it has contents");
  return it->second;
}
void Run::set(const Value* v, Datum d) {
  if (auto* n = std::get_if<Number>(&d)) numbers[v] = *n;
  else arrays[v] = std::get<Array>(std::move(d));
}
Memory& Run::memory(const Value* v) const {
  auto it = buffers.find(v);
  if (it == buffers.end()) throw Error("'" + v->name + "' is used before it has memory");
  return *it->second;
}
Argument Run::argument(const Value* v) const {
  if (v->type.buffer) return buffers.at(v);
  if (v->type.tensor()) return std::get<Array>(datum(v));
  return (*this)[v];
}
std::vector<Datum> Run::block(const Block& b, std::span<const Datum> params) {
  for (std::size_t i = 0; i < params.size(); ++i) set(b.params[i], params[i]);
  for (auto* op : b.ops) {
    if (--steps_left < 0) throw Error("the program ran for too many steps");
    const Kernel& k = op->kind->kernel;
    if (k.form == Kernel::control) { k.run(*this, *op); continue; }
    if (k.form == Kernel::expand) refuse(*op, "is expanded before it is interpreted");
    if (k.form == Kernel::arrays || op->results[0]->type.tensor()) {
      std::vector<Array> in;
      for (auto* v : op->operands) in.push_back(as_array(datum(v)));
      set(op->results[0], as_datum(evaluate(*op, in)));
      continue;
    }
    std::vector<Number> in;
    for (auto* v : op->operands) in.push_back((*this)[v]);
    numbers[op->results[0]] = k.number(*op, in);
  }
  std::vector<Datum> out;
  for (auto* y : b.yields) out.push_back(datum(y));
  return out;
}

}  // namespace tlaloc::ir
