// SPDX-License-Identifier: Apache-2.0
#include "backend/cpp/text.hpp"

#include <charconv>
#include <cmath>

namespace tlaloc::ir::cpp {
namespace {

constexpr Operator operators[] = {
  {"+", sum, Operator::arithmetic}, {"-", sum, Operator::arithmetic},
  {"*", product, Operator::arithmetic}, {"/", product, Operator::arithmetic}, {"%", product, Operator::arithmetic},
  {"<<", shift, Operator::arithmetic}, {">>", shift, Operator::arithmetic},
  {"&", bit_and, Operator::arithmetic}, {"|", bit_or, Operator::arithmetic}, {"^", bit_xor, Operator::arithmetic},
  {"<", relation, Operator::comparison}, {"<=", relation, Operator::comparison}, {">", relation, Operator::comparison},
  {">=", relation, Operator::comparison}, {"==", equality, Operator::comparison}, {"!=", equality, Operator::comparison},
  {"&&", logical_and, Operator::logic}, {"||", logical_or, Operator::logic},
  {"?", ternary, Operator::choice}, {":", ternary, Operator::choice},
  {"=", loosest, Operator::assignment}, {"+=", loosest, Operator::assignment}, {"-=", loosest, Operator::assignment},
};

std::string limit(DType d, const char* which) { return "std::numeric_limits<" + type_name(d) + ">::" + which + "()"; }

Text real_literal(const Number& n) {
  if (std::isnan(n.real) || std::isinf(n.real)) {
    const bool minus = std::signbit(n.real);
    return {(minus ? "-" : "") + limit(n.dtype, std::isnan(n.real) ? "quiet_NaN" : "infinity"), minus ? unary : primary, n.dtype};
  }
  char digits[32];
  const char* end = n.dtype == DType::f32 ? std::to_chars(digits, digits + 32, float(n.real)).ptr : std::to_chars(digits, digits + 32, n.real).ptr;
  std::string s(static_cast<const char*>(digits), end);
  if (s.find_first_of(".e") == s.npos) s += ".0";
  if (n.dtype == DType::f32) s += "f";
  return {s, s[0] == '-' ? unary : primary, n.dtype};
}

Text integer_literal(const Number& n, bool loose) {
  const DType d = n.dtype;
  if (is_signed(d) && bit_width(d) >= 32 && n.as_int() == std::int64_t(-1) << (bit_width(d) - 1)) return {limit(d, "min"), primary, d};
  std::string s = is_signed(d) ? std::to_string(n.as_int()) : std::to_string(n.bits);
  const bool fits_int = is_signed(d) ? n.as_int() == std::int32_t(n.as_int()) : n.bits <= 0x7fffffff;
  const int binding = s[0] == '-' ? unary : primary;
  if (d == DType::i32 || (loose && fits_int)) return {s, binding, DType::i32};
  if (d == DType::u32) return {s + "u", binding, d};
  return {type_name(d) + "(" + s + (is_unsigned(d) && !fits_int ? "u" : "") + ")", primary, d};
}

}  // namespace

const Operator* find_operator(std::string_view symbol) {
  for (auto& o : operators) if (o.symbol == symbol) return &o;
  return nullptr;
}

std::string type_name(DType d) {
  switch (d) {
    case DType::boolean: return "bool";
    case DType::i8: return "std::int8_t";
    case DType::i16: return "std::int16_t";
    case DType::i32: return "int";
    case DType::i64: return "std::int64_t";
    case DType::u8: return "std::uint8_t";
    case DType::u16: return "std::uint16_t";
    case DType::u32: return "unsigned";
    case DType::u64: return "std::uint64_t";
    case DType::f32: return "float";
    case DType::f64: return "double";
    case DType::f16: case DType::bf16: break;
  }
  throw Error("C++20 has no type for " + text(d));
}

Text literal(const Number& n, bool loose) {
  if (n.dtype == DType::boolean) return {n.bits ? "true" : "false", primary, DType::boolean};
  return is_real(n.dtype) ? real_literal(n) : integer_literal(n, loose);
}

DType promoted(DType d) { return is_real(d) || bit_width(d) >= 32 ? d : DType::i32; }

DType common(DType a, DType b) {
  a = promoted(a), b = promoted(b);
  if (is_real(a) || is_real(b)) return std::max(is_real(a) ? a : b, is_real(b) ? b : a);
  if (bit_width(a) != bit_width(b)) return bit_width(a) > bit_width(b) ? a : b;
  return is_unsigned(a) ? a : b;
}

bool widens(DType from, DType to) {
  if (from == to) return true;
  if (is_real(from) || is_real(to) || to == DType::boolean) return from == DType::f32 && to == DType::f64;
  if (is_unsigned(from) || from == DType::boolean) return bit_width(from) < bit_width(to);
  return is_signed(to) && bit_width(from) < bit_width(to);
}

Text exactly(Text t, DType d) {
  if (t.type == d) return t;
  return {type_name(d) + "(" + t.s + ")", primary, d};
}

std::string within(const Text& t, int binding) { return t.binding < binding ? "(" + t.s + ")" : t.s; }

}  // namespace tlaloc::ir::cpp
