// SPDX-License-Identifier: Apache-2.0
#include "backend/stablehlo/numbers.hpp"

#include "ir/array.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace tlaloc::ir {

std::string stablehlo_dtype(DType d) {
  if (d == DType::boolean) return "i1";
  const std::string s = text(d);
  return is_unsigned(d) ? "ui" + s.substr(1) : s;
}

static std::string bits_text(const Number& n) {
  Array a = Array::of(n);
  const int bytes = int(byte_width(n.dtype));
  std::string s = "0x";
  for (int i = bytes; i-- > 0;) {
    constexpr char digits[] = "0123456789ABCDEF";
    const auto b = unsigned(a.bytes.get()[i]);
    s += digits[b >> 4], s += digits[b & 15];
  }
  return s;
}
std::string stablehlo_number(const Number& n) {
  if (n.dtype == DType::boolean) return n.bits ? "true" : "false";
  if (!is_real(n.dtype)) return is_signed(n.dtype) ? std::to_string(n.as_int()) : std::to_string(n.bits);
  if (!std::isfinite(n.real)) return bits_text(n);
  char digits[40];
  const auto end = n.dtype == DType::f64 ? std::to_chars(digits, digits + 40, n.real, std::chars_format::scientific).ptr
                                         : std::to_chars(digits, digits + 40, float(n.real), std::chars_format::scientific).ptr;
  std::string s(digits, end);
  if (s.find('.') == s.npos) s.insert(s.find('e'), ".0");
  return s;
}

static std::string nested(const Shape& dims, const Numbers& values, std::size_t axis, std::size_t& at) {
  if (axis == dims.size()) return stablehlo_number(values[at++]);
  std::string s = "[";
  for (std::int64_t i = 0; i < dims[axis]; ++i) s += (i ? ", " : "") + nested(dims, values, axis + 1, at);
  return s + "]";
}
std::string stablehlo_dense(const Shape& dims, const Numbers& values) {
  std::size_t at = 0;
  return values.empty() ? "dense<>" : "dense<" + nested(dims, values, 0, at) + ">";
}

Number lowest_number(DType d) {
  if (is_real(d)) return Number::of(d, -std::numeric_limits<double>::infinity());
  return is_signed(d) ? Number::of(d, std::int64_t(std::uint64_t(-1) << (bit_width(d) - 1))) : Number::of(d, 0);
}
Number highest_number(DType d) {
  if (is_real(d)) return Number::of(d, std::numeric_limits<double>::infinity());
  return Number::of(d, std::uint64_t(-1) >> (64 - bit_width(d) + is_signed(d)));
}

}  // namespace tlaloc::ir
