// SPDX-License-Identifier: Apache-2.0
#include "ir/array.hpp"

#include "ir/ops.hpp"
#include "ir/run.hpp"
#include "tlaloc/detail/tensor/dtype.hpp"

#include <cstring>

namespace tlaloc::ir {
namespace {

template <class T> T load(const std::byte* p) { T x; std::memcpy(&x, p, sizeof x); return x; }
template <class T> void store(std::byte* p, T x) { std::memcpy(p, &x, sizeof x); }

}  // namespace

std::size_t byte_width(DType d) { return d == DType::boolean ? 1 : std::size_t(bit_width(d)) / 8; }

Array::Array(Type t) : type(std::move(t)) {
  if (!is_static(type.dims) || type.buffer) throw Error("an array of type " + text(type));
  const std::size_t n = std::max<std::size_t>(1, size() * byte_width(type.dtype));
  bytes = std::shared_ptr<std::byte>(static_cast<std::byte*>(::operator new(n, std::align_val_t(64))),
                                     [](std::byte* p) { ::operator delete(p, std::align_val_t(64)); });
  std::memset(bytes.get(), 0, n);
}
Array Array::of(const Number& n) {
  Array a{Type{n.dtype}};
  a.set(0, n);
  return a;
}
Number Array::at(std::size_t i) const {
  const DType d = type.dtype;
  const std::byte* p = bytes.get() + i * byte_width(d);
  switch (d) {
    case DType::boolean: case DType::u8: return {d, 0, load<std::uint8_t>(p)};
    case DType::i8: return {d, 0, std::uint64_t(load<std::int8_t>(p))};
    case DType::i16: return {d, 0, std::uint64_t(load<std::int16_t>(p))};
    case DType::i32: return {d, 0, std::uint64_t(load<std::int32_t>(p))};
    case DType::i64: case DType::u64: return {d, 0, load<std::uint64_t>(p)};
    case DType::u16: return {d, 0, load<std::uint16_t>(p)};
    case DType::u32: return {d, 0, load<std::uint32_t>(p)};
    case DType::f16: return {d, double(float(load<f16>(p))), 0};
    case DType::bf16: return {d, double(float(load<bf16>(p))), 0};
    case DType::f32: return {d, double(load<float>(p)), 0};
    case DType::f64: break;
  }
  return {d, load<double>(p), 0};
}
void Array::set(std::size_t i, const Number& n) {
  std::byte* p = bytes.get() + i * byte_width(type.dtype);
  switch (type.dtype) {
    case DType::boolean: case DType::i8: case DType::u8: return store(p, std::uint8_t(n.bits));
    case DType::i16: case DType::u16: return store(p, std::uint16_t(n.bits));
    case DType::i32: case DType::u32: return store(p, std::uint32_t(n.bits));
    case DType::i64: case DType::u64: return store(p, n.bits);
    case DType::f16: return store(p, f16(float(n.real)));
    case DType::bf16: return store(p, bf16(float(n.real)));
    case DType::f32: return store(p, float(n.real));
    case DType::f64: return store(p, n.real);
  }
}

Array widened(const Array& a) {
  if (a.type.dtype != DType::f16 && a.type.dtype != DType::bf16) return a;
  Array r{Type{DType::f32, a.type.dims}};
  for (std::size_t i = 0, n = a.size(); i < n; ++i) r.data<float>()[i] = float(a.at(i).real);
  return r;
}
Array narrowed(const Array& a, DType to) {
  Array r{Type{to, a.type.dims}};
  for (std::size_t i = 0, n = a.size(); i < n; ++i) r.set(i, Number::of(to, a.at(i).real));
  return r;
}

static Array pointwise(const Op& op, std::span<const Array> in, Array out) {
  const Kernel& k = op.kind->kernel;
  if (k.loop && k.loop(op, in, out)) return out;
  std::vector<Number> xs(in.size());
  for (std::size_t i = 0, n = out.size(); i < n; ++i) {
    for (std::size_t j = 0; j < in.size(); ++j) xs[j] = in[j].at(i);
    out.set(i, k.number(op, xs));
  }
  return out;
}
Array evaluate(const Op& op, std::span<const Array> in) {
  const Kernel& k = op.kind->kernel;
  const Type& type = op.results[0]->type;
  if (k.form == Kernel::numbers) return pointwise(op, in, Array(type));
  if (k.form != Kernel::arrays) refuse(op, "is not evaluated by itself");
  const bool narrow = type.dtype == DType::f16 || type.dtype == DType::bf16;
  std::vector<Array> wide;
  for (auto& a : in) wide.push_back(widened(a));
  Array out{Type{narrow ? DType::f32 : type.dtype, type.dims}};
  k.whole(op, wide, out);
  return narrow ? narrowed(out, type.dtype) : out;
}
Array evaluate(const Kind& kind, std::span<const Array> in, std::vector<Attr> attrs) {
  Function f(std::string(kind.name));
  Builder b{f};
  std::vector<Value*> operands;
  for (auto& a : in) operands.push_back(param(b, a.type, "").v);
  Op* op = b.append(kind, operands, std::move(attrs));
  if (op->results.size() != 1) refuse(*op, "is not evaluated by itself");
  if (kind.kernel.form != Kernel::expand) return evaluate(*op, in);
  f.body->yields = op->results;
  expand(f, [](const Op& op) { return op.kind->kernel.form == Kernel::expand; });
  Run run;
  std::vector<Datum> args(in.begin(), in.end());
  return as_array(run.block(*f.body, args)[0]);
}

Type type_of(const Kind& kind, std::span<const Type> operands, std::vector<Attr> attrs) {
  Function f(std::string(kind.name));
  Builder b{f};
  std::vector<Value*> in;
  for (auto& t : operands) in.push_back(param(b, t, "").v);
  return b.append(kind, in, std::move(attrs))->results.at(0)->type;
}

}  // namespace tlaloc::ir
