// SPDX-License-Identifier: Apache-2.0
//
// What the reader refuses, and forms of the text that JAX does not write. Whole programs with their numbers are in
// tests/runtime/jax_interpreter_test.cpp.
#include "frontend/stablehlo/read.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "ir/array.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc {
namespace {

using ir::Array;
using ir::DType;
using testing::HasSubstr;

std::string function(const std::string& body) { return "module {\nfunc.func @main(%x: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<2x3xf32> {\n" + body + "\n}\n}\n"; }
std::string error_of(const std::string& text) {
  try {
    read_stablehlo(text, "p.mlir");
  } catch (const ir::Refusal& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with(e.code + ": p.mlir")) << e.what();
    return e.what();
  }
  return "no error";
}
std::vector<double> run(const std::string& text, const std::vector<Array>& in) {
  const ir::Program p = read_stablehlo(text);
  std::vector<double> out;
  for (const Array& a : ir::run(p, *p.find("main"), in)) for (std::size_t i = 0; i < a.size(); ++i) out.push_back(a.at(i).as_double());
  return out;
}
Array floats(ir::Ints dims, std::vector<float> v) {
  Array a(ir::Type{DType::f32, dims});
  std::ranges::copy(v, a.data<float>());
  return a;
}

TEST(StableHloReader, MalformedPrograms) {
  const std::pair<std::string, const char*> cases[] = {
      {"", ""},
      {"module", "'{' is expected"},
      {"module {", "a function (func.func) is expected"},
      {"module {} x", "something follows"},
      {function("return %x : tensor<2x3xf32>") + "func.func", "something follows"},
      {function("%0 = stablehlo.add %x, %x : tensor<2x3xf32>"), "does not end with a return"},
      {function("return %y : tensor<2x3xf32>"), "uses %y, which nothing before it defines"},
      {function("return %i : tensor<i32>"), "does not return what the function's type says"},
      {function("%0 = stablehlo.add %x, %x : tensor<2x3xf32>\n%0 = stablehlo.add %x, %x : tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"), "defines %0 again"},
      {function("%0 = stablehlo.add %x, %i : tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"), "p.mlir:3:1: stablehlo.add does not fit"},
      {function("%0 = stablehlo.add %x, %x : tensor<2x4xf32>\nreturn %0 : tensor<2x3xf32>"), "p.mlir:3:1: stablehlo.add gives f32[2,3], which is not the type that is written"},
      {function("%0:2 = stablehlo.add %x, %x : tensor<2x3xf32>\nreturn %0#0 : tensor<2x3xf32>"), "has 1 results and 2 are named"},
      {function("%0 = stablehlo.add %x %x : tensor<2x3xf32\nreturn %0 : tensor<2x3xf32>"), "'>' is expected"},
      {function("%0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<7xf32>\nreturn %x : tensor<2x3xf32>"), "stablehlo.reshape does not fit"},
      {function("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>\nreturn %x : tensor<2x3xf32>"), "has 2 numbers for a f32[3]"},
      {function("%0 = stablehlo.constant dense<1.5> : tensor<i32>\nreturn %x : tensor<2x3xf32>"), "1.5, which is no i32"},
      {function("%0 = stablehlo.constant dense<\"0x00\"> : tensor<3xf32>\nreturn %x : tensor<2x3xf32>"), "has bytes that are not those of"},
      {function("%0 = func.call @f(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"), "f"},
      {function("%0 = stablehlo.constant dense<\"abc"), "a string has no end"},
      {function("%0 = stablehlo.slice %x [0:1:1, 0:9999999999999999999] : (tensor<2x3xf32>) -> tensor<1x1xf32>"), "no integer that fits"},
      {function("%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [5] : (tensor<2x3xf32>, tensor<i32>) -> tensor<f32>\nreturn %x : tensor<2x3xf32>"), "an axis that is not there"},
      {function("%0 = stablehlo.compare XX, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\nreturn %x : tensor<2x3xf32>"), "has no direction"},
  };
  for (auto& [text, why] : cases) {
    if (text.empty()) continue;
    const std::string e = error_of(text);
    EXPECT_THAT(e, testing::StartsWith("MALFORMED_PROGRAM: p.mlir")) << text;
    EXPECT_THAT(e, HasSubstr(why)) << text;
  }
}

TEST(StableHloReader, WhatProgramsHereDoNotHave) {
  const std::pair<std::string, const char*> cases[] = {
      {"func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }", "p.mlir:1:28: an extent that is known only at run time"},
      {"func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<f32> { return %x : tensor<f32> }", "a dtype that programs here do not have"},
      {"func.func @main(%x: tensor<2xf8E4M3FN>) -> tensor<f32> { return %x : tensor<f32> }", "a dtype"},
      {function("%0 = stablehlo.custom_call @LAPACK(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"), "p.mlir:3:1: stablehlo.custom_call has no counterpart"},
      {function("%0 = stablehlo.fft %x, type = RFFT, length = [3] : (tensor<2x3xf32>) -> tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"), "stablehlo.fft has no counterpart"},
      {function("%0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\nreturn %x : tensor<2x3xf32>"), "total order"},
      {function("%0 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x2xi16>\nreturn %x : tensor<2x3xf32>"), "stablehlo.bitcast_convert between types of different width"},
      {function("%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "%0 = \"stablehlo.reduce\"(%x, %z) <{dimensions = array<i64: 1>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                "%c = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>\n%s = stablehlo.add %c, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n"
                "}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\nreturn %x : tensor<2x3xf32>"), "may only have elementwise operations"},
  };
  for (auto& [text, why] : cases) {
    const std::string e = error_of(text);
    EXPECT_THAT(e, testing::StartsWith("NOT_LOWERABLE: p.mlir")) << text;
    EXPECT_THAT(e, HasSubstr(why)) << text;
  }
}

/// MLIR's generic form, comments, locations, attributes of no meaning here, names in quotes.
TEST(StableHloReader, OtherForms) {
  const std::string text = R"(#loc1 = loc("model.py":3:1)
module @m attributes {mhlo.num_partitions = 1 : i32, a.b = "{ \" }"} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<2x3xf32> {tf.aliasing_output = 0 : i32} loc("x"), %arg1: tensor<i1>) -> (tensor<3x2xf32> {jax.result_info = "r"}) attributes {llvm.emit_c_interface} {
    // twice
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc(#loc1)
    %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %c = "stablehlo.constant"() <{value = dense<"0x0000803F000000400000404000008040000000C00000C0C0"> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %2 = "stablehlo.if"(%arg1) ({
      %3 = stablehlo.multiply %1, %c {mhlo.frontend_attributes = {k = "v"}} : tensor<3x2xf32>
      stablehlo.return %3 : tensor<3x2xf32>
    }, {
      %3 = stablehlo.subtract %1, %c : tensor<3x2xf32>
      stablehlo.return %3 : tensor<3x2xf32>
    }) : (tensor<i1>) -> tensor<3x2xf32>
    func.return %2 : tensor<3x2xf32>
  }
})";
  Array yes(ir::Type{DType::boolean, {}});
  const Array x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(run(text, {x, yes}), testing::ElementsAre(2 - 1, 8 - 2, 4 - 3, 10 - 4, 6 + 2, 12 + 6));
  yes.data<bool>()[0] = true;
  EXPECT_THAT(run(text, {x, yes}), testing::ElementsAre(2, 16, 12, 40, -12, -72));
}

/// Truncated and damaged text is refused or read; nothing else happens (the sanitizers watch).
TEST(StableHloReader, RandomDamage) {
  const std::string right = function(
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%0 = stablehlo.reduce(%x init: %z) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>\n"
      " reducer(%a: tensor<f32>, %b: tensor<f32>)  {\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}\n"
      "%1:2 = stablehlo.while(%p = %i, %q = %x) : tensor<i32>, tensor<2x3xf32>\ncond {\n%c = stablehlo.compare LT, %p, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "stablehlo.return %c : tensor<i1>\n} do {\nstablehlo.return %p, %q : tensor<i32>, tensor<2x3xf32>\n}\n"
      "%2 = stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xf32>) -> tensor<2x2xf32>\nreturn %1#1 : tensor<2x3xf32>");
  ASSERT_EQ(error_of(right), "no error");
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = right;
    if (i % 3) for (int k = int(random() % 3); k >= 0; --k) text[random() % text.size()] = "%<>(){}[]:,=x0a\"@-"[random() % 18];
    else text.resize(random() % text.size());
    refused += error_of(text) != "no error";
  }
  EXPECT_GT(refused, 2500);
}

}  // namespace
}  // namespace tlaloc
