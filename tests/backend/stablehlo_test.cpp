// SPDX-License-Identifier: Apache-2.0
//
// The text itself, and what is refused. That JAX's parser reads it and XLA computes the right numbers is tests/jax's matter.
#include "backend/stablehlo/numbers.hpp"
#include "backend/stablehlo/print.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

using testing::HasSubstr;

TEST(StableHlo, TextIsStable) {
  const Function f = parse_function(
      "func f(%x: f32[2,3], %w: f32[3]) {\n"
      "  %y = dot_general %x, %w {batch_a = [], batch_b = [], contract_a = [1], contract_b = [0]} : f32[2]\n"
      "  %z = tanh %y : f32[2]\n"
      "  %c = constant {value = 0.5:f32} : f32\n"
      "  %s = reduce_sum %z {axes = [0]} : f32\n"
      "  %r = mul %s, %c : f32\n"
      "  yield %r\n}\n");
  EXPECT_EQ(stablehlo({}, f, {.donated = {{1, 0}}}),
            "module {\n"
            "  func.func public @main(%x: tensor<2x3xf32>, %w: tensor<3xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<f32>) {\n"
            "    %y = stablehlo.dot_general %x, %w, batching_dims = [] x [], contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
            "    %z = stablehlo.tanh %y : tensor<2xf32>\n"
            "    %c = stablehlo.constant dense<5.0e-01> : tensor<f32>\n"
            "    %.0 = stablehlo.constant dense<0.0e+00> : tensor<f32>\n"
            "    %s = stablehlo.reduce(%z init: %.0) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>\n"
            "    %r = stablehlo.multiply %s, %c : tensor<f32>\n"
            "    return %r : tensor<f32>\n"
            "  }\n"
            "}\n");
}
TEST(StableHlo, NumbersReadBack) {
  EXPECT_EQ(stablehlo_number(Number::of(DType::f64, 0.1)), "1.0e-01");
  EXPECT_EQ(stablehlo_number(Number::of(DType::f32, 0.1)), "1.0e-01");
  EXPECT_EQ(stablehlo_number(Number::of(DType::f64, 1.0 / 3)), "3.333333333333333e-01");
  EXPECT_EQ(stablehlo_number(Number::of(DType::f64, -INFINITY)), "0xFFF0000000000000");
  EXPECT_EQ(stablehlo_number(Number::of(DType::bf16, INFINITY)), "0x7F80");
  EXPECT_EQ(stablehlo_number(Number::of(DType::u64, std::uint64_t(-1))), "18446744073709551615");
  EXPECT_EQ(stablehlo_number(lowest_number(DType::i8)), "-128");
  EXPECT_EQ(stablehlo_number(highest_number(DType::u16)), "65535");
  EXPECT_EQ(stablehlo_number(highest_number(DType::i64)), "9223372036854775807");
  EXPECT_EQ(stablehlo_type(Type{DType::u8, {2, 3}}), "tensor<2x3xui8>");
}
TEST(StableHlo, Refuses) {
  auto refused = [](const std::string& text, const char* message) {
    try {
      stablehlo({}, parse_function(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(message));
    }
  };
  refused("func f(%x: f64) {\n  %n = constant {value = 1:f64} : f64\n  %y = cyl_bessel_j %n, %x : f64\n  yield %y\n}\n", "StableHLO has no such function");
  refused("func f(%x: buffer f64) {\n  %i = constant {value = 0:i64} : i64\n  %y = load %x, %i : f64\n  yield %y\n}\n", "no mutable buffers");
  refused("func f(%x: f64[n]) {\n  %y = sort_indices %x {axis = 0, descending = 0} : i32[n]\n  yield %y\n}\n", "sort_indices: a symbolic extent");
  refused("func f(%x: f64[2*n]) {\n  %y = extent {shape = [n]} : i64\n  yield %y\n}\n", "no parameter has 'n' as an extent");
  refused("func f(%x: f64) {\n  %y = call %x {callee = \"g\", results = [f64]} : f64\n  yield %y\n}\n", "no function 'g'");
}

}  // namespace
}  // namespace tlaloc::ir
