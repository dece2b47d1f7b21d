// SPDX-License-Identifier: Apache-2.0
#include "ir/array.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tlaloc::ir {
namespace {

std::uint16_t half_bits(double x) {               // of a number that f16 has
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  x = std::fabs(x);
  if (std::isnan(x)) return sign | 0x7E00;
  if (std::isinf(x)) return sign | 0x7C00;
  if (x < 0x1p-14) return sign | std::uint16_t(std::ldexp(x, 24));
  int e = 0;
  const double m = std::frexp(x, &e);             // x = m * 2^e, 0.5 <= m < 1
  return std::uint16_t(sign | ((e + 14) << 10) | (std::uint16_t(std::ldexp(m, 11)) & 0x3FF));
}
double half_number(std::uint16_t b) {
  const int e = (b >> 10) & 31, m = b & 0x3FF;
  const double x = e == 31 ? (m ? NAN : INFINITY) : e ? std::ldexp(m | 0x400, e - 25) : std::ldexp(m, -24);
  return b & 0x8000 ? -x : x;
}
template <class T> T load(const std::byte* p) { T x; std::memcpy(&x, p, sizeof x); return x; }
template <class T> void store(std::byte* p, T x) { std::memcpy(p, &x, sizeof x); }

}  // namespace

std::size_t byte_width(DType d) { return d == DType::boolean ? 1 : std::size_t(bit_width(d)) / 8; }

Array::Array(Type t) : type(std::move(t)) {
  if (std::ranges::any_of(type.dims, [](std::int64_t d) { return d < 0; }) || type.buffer) throw Error("an array of type " + text(type));
  const std::size_t n = std::max<std::size_t>(1, size() * byte_width(type.dtype));
  bytes = std::shared_ptr<std::byte>(static_cast<std::byte*>(::operator new(n, std::align_val_t(64))),
                                     [](std::byte* p) { ::operator delete(p, std::align_val_t(64)); });
  std::memset(bytes.get(), 0, n);
}
std::size_t Array::size() const {
  std::size_t n = 1;
  for (std::int64_t d : type.dims) n *= std::size_t(d);
  return n;
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
    case DType::f16: return {d, half_number(load<std::uint16_t>(p)), 0};
    case DType::bf16: return {d, double(std::bit_cast<float>(std::uint32_t(load<std::uint16_t>(p)) << 16)), 0};
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
    case DType::f16: return store(p, half_bits(n.real));
    case DType::bf16: return store(p, std::uint16_t(std::bit_cast<std::uint32_t>(float(n.real)) >> 16));
    case DType::f32: return store(p, float(n.real));
    case DType::f64: return store(p, n.real);
  }
}

}  // namespace tlaloc::ir
