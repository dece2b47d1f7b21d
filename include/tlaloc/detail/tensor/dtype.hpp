// SPDX-License-Identifier: Apache-2.0
//
// Element types. The 16-bit floats are storage: arithmetic on their tensors is done in float and rounded once per operation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tlaloc {

/// In the order of ir::DType.
enum class dtype : unsigned char {
  boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64,
  none = 255
};
constexpr bool is_floating(dtype t) { return t >= dtype::f16 && t <= dtype::f64; }
constexpr bool is_integer(dtype t) { return t >= dtype::i8 && t <= dtype::u64; }
constexpr int size_of(dtype t) {
  constexpr signed char bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return bytes[int(t)];
}

/// The upper half of a float.
struct bf16 {
  std::uint16_t bits = 0;
  bf16() = default;
  explicit constexpr bf16(float x) {
    const auto b = __builtin_bit_cast(std::uint32_t, x);
    bits = x != x ? std::uint16_t((b >> 16) | 0x40) : std::uint16_t((b + 0x7fff + (b >> 16 & 1)) >> 16);
  }
  constexpr operator float() const { return __builtin_bit_cast(float, std::uint32_t(bits) << 16); }
};

/// IEEE 754 binary16.
struct f16 {
  std::uint16_t bits = 0;
  f16() = default;
  explicit constexpr f16(float x) {
    const auto b = __builtin_bit_cast(std::uint32_t, x);
    const std::uint32_t sign = b >> 16 & 0x8000, mag = b & 0x7fffffff;
    std::uint32_t h;
    if (mag > 0x7f800000) {
      h = 0x7e00 | (mag >> 13 & 0x3ff);
    } else if (mag >= 0x477ff000) {  // rounds to 65536 or more
      h = 0x7c00;
    } else if (mag >= 0x38800000) {
      h = (mag - 0x38000000 + 0xfff + (mag >> 13 & 1)) >> 13;
    } else {  // subnormal: the sum with 0.5 is rounded by the hardware's own rule
      h = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, mag) + 0.5f) - 0x3f000000;
    }
    bits = std::uint16_t(sign | h);
  }
  constexpr operator float() const {
    const std::uint32_t sign = std::uint32_t(bits & 0x8000) << 16, mag = bits & 0x7fff;
    if (mag >= 0x7c00) return __builtin_bit_cast(float, sign | 0x7f800000 | (mag & 0x3ff) << 13);
    if (mag >= 0x400) return __builtin_bit_cast(float, sign | ((mag << 13) + 0x38000000));
    const float tiny = float(mag) * 0x1p-24f;
    return sign ? -tiny : tiny;
  }
};

template <class T> inline constexpr dtype dtype_of = dtype::none;
template <> inline constexpr dtype dtype_of<bool> = dtype::boolean;
template <> inline constexpr dtype dtype_of<std::int8_t> = dtype::i8;
template <> inline constexpr dtype dtype_of<std::int16_t> = dtype::i16;
template <> inline constexpr dtype dtype_of<std::int32_t> = dtype::i32;
template <> inline constexpr dtype dtype_of<std::int64_t> = dtype::i64;
template <> inline constexpr dtype dtype_of<std::uint8_t> = dtype::u8;
template <> inline constexpr dtype dtype_of<std::uint16_t> = dtype::u16;
template <> inline constexpr dtype dtype_of<std::uint32_t> = dtype::u32;
template <> inline constexpr dtype dtype_of<std::uint64_t> = dtype::u64;
template <> inline constexpr dtype dtype_of<f16> = dtype::f16;
template <> inline constexpr dtype dtype_of<bf16> = dtype::bf16;
template <> inline constexpr dtype dtype_of<float> = dtype::f32;
template <> inline constexpr dtype dtype_of<double> = dtype::f64;
template <class T> concept element = dtype_of<T> != dtype::none;

namespace detail {
template <dtype> struct element_of;
template <> struct element_of<dtype::boolean> { using type = bool; };
template <> struct element_of<dtype::i8> { using type = std::int8_t; };
template <> struct element_of<dtype::i16> { using type = std::int16_t; };
template <> struct element_of<dtype::i32> { using type = std::int32_t; };
template <> struct element_of<dtype::i64> { using type = std::int64_t; };
template <> struct element_of<dtype::u8> { using type = std::uint8_t; };
template <> struct element_of<dtype::u16> { using type = std::uint16_t; };
template <> struct element_of<dtype::u32> { using type = std::uint32_t; };
template <> struct element_of<dtype::u64> { using type = std::uint64_t; };
template <> struct element_of<dtype::f16> { using type = f16; };
template <> struct element_of<dtype::bf16> { using type = bf16; };
template <> struct element_of<dtype::f32> { using type = float; };
template <> struct element_of<dtype::f64> { using type = double; };
}  // namespace detail

}  // namespace tlaloc
