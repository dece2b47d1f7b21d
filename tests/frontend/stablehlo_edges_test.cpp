// SPDX-License-Identifier: Apache-2.0
//
// Programs whose edges servers meet: literals as bits, padding that trims, slices out of range, reductions over pairs, NaN.
// The numbers are JAX's.
#include "frontend/stablehlo/read.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "backend/stablehlo/print.hpp"
#include "ir/array.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc {
namespace {

using ir::Array;
using ir::DType;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

std::vector<Array> results(const std::string& body, const std::vector<Array>& in = {}) {
  const ir::Program p = read_stablehlo("module {\n" + body + "\n}\n", "p.mlir");
  return ir::run(p, *p.find("main"), in);
}
std::vector<double> numbers(const Array& a) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(a.at(i).as_double());
  return out;
}
std::string constant_of(const std::string& dense, const std::string& type) {
  return "func.func @main() -> " + type + " {\n%0 = stablehlo.constant " + dense + " : " + type + "\nreturn %0 : " + type + "\n}";
}
Array constant(const std::string& dense, const std::string& type) { return results(constant_of(dense, type))[0]; }
std::string refusal(const std::string& dense, const std::string& type) {
  try {
    constant(dense, type);
  } catch (const ir::Refusal& e) {
    return e.what();
  }
  return "nothing";
}
Array tensor(DType d, ir::Ints dims, std::vector<double> v) {
  Array a(ir::Type{d, std::move(dims)});
  for (std::size_t i = 0; i < v.size(); ++i) a.set(i, ir::is_real(d) ? ir::Number::of(d, v[i]) : ir::Number::of(d, std::int64_t(v[i])));
  return a;
}

TEST(Literals, AreBitsOrText) {
  EXPECT_EQ(numbers(constant("dense<0xFF800000>", "tensor<f32>"))[0], -inf);
  EXPECT_EQ(numbers(constant("dense<0x7F80>", "tensor<bf16>"))[0], inf);
  EXPECT_TRUE(std::isnan(numbers(constant("dense<0x7FC0>", "tensor<bf16>"))[0]));
  EXPECT_THAT(numbers(constant("dense<\"0x0000803F00000040\">", "tensor<2xf32>")), ElementsAre(1, 2));
  const auto splat = numbers(constant("dense<-3>", "tensor<64xi16>"));
  EXPECT_EQ(splat.size(), 64u);
  EXPECT_EQ(splat[63], -3);
  EXPECT_EQ(constant("dense<>", "tensor<0xf32>").size(), 0u);
  EXPECT_THAT(numbers(constant("dense<true>", "tensor<i1>")), ElementsAre(1));
}
TEST(Literals, ThatDoNotFitAreRefused) {
  EXPECT_THAT(refusal("dense<0x7F800>", "tensor<bf16>"), HasSubstr("the malformed number 0x7F800"));
  EXPECT_THAT(refusal("dense<0xFF8000>", "tensor<f32>"), HasSubstr("the malformed number"));
  EXPECT_THAT(refusal("dense<1>", "tensor<f32>"), HasSubstr("the number 1, which is no f32"));
  EXPECT_THAT(refusal("dense<1.5>", "tensor<i32>"), HasSubstr("the number 1.5, which is no i32"));
}
// What is printed reads back to the same bits.
TEST(Literals, KeepEveryBit) {
  const std::tuple<const char*, const char*> bits[] = {{"0x80000000", "f32"}, {"0x7FC01234", "f32"}, {"0xFFC00001", "f32"}, {"0x7FF8000000ABCDEF", "f64"}, {"0x8000000000000000", "f64"},
                                                       {"0x7E15", "f16"}, {"0x8000", "f16"}, {"0xFE01", "f16"}, {"0x7FC1", "bf16"}, {"0x8000", "bf16"}, {"0x00000001", "f32"}, {"0x0001", "f16"}};
  for (auto& [text, type] : bits) {
    const std::string t = std::string("tensor<") + type + ">";
    const ir::Program p = read_stablehlo("module {\n" + constant_of(std::string("dense<") + text + ">", t) + "\n}\n");
    const Array first = ir::run(p, *p.find("main"), {})[0];
    const ir::Program again = read_stablehlo(ir::stablehlo(p, *p.find("main")));
    const Array second = ir::run(again, *again.find("main"), {})[0];
    const std::size_t width = ir::byte_width(first.type.dtype);
    std::uint64_t want = std::strtoull(text, nullptr, 16), a = 0, b = 0;
    std::memcpy(&a, first.bytes.get(), width);
    std::memcpy(&b, second.bytes.get(), width);
    EXPECT_EQ(a, want) << text;
    EXPECT_EQ(b, want) << text;
  }
}

std::vector<double> padded(std::vector<double> x, double value, int low, int high, int interior) {
  const std::size_t n = x.size();
  const int out = int(n) + (int(n) - 1) * interior + low + high;
  const std::string from = "tensor<" + std::to_string(n) + "xf32>", to = "tensor<" + std::to_string(out) + "xf32>";
  const std::string body = "func.func @main(%x: " + from + ", %v: tensor<f32>) -> " + to + " {\n%0 = stablehlo.pad %x, %v, low = [" + std::to_string(low) + "], high = [" +
                           std::to_string(high) + "], interior = [" + std::to_string(interior) + "] : (" + from + ", tensor<f32>) -> " + to + "\nreturn %0 : " + to + "\n}";
  return numbers(results(body, {tensor(DType::f32, {std::int64_t(n)}, x), tensor(DType::f32, {}, {value})})[0]);
}
TEST(Padding, Trims) {
  EXPECT_THAT(padded({1, 2, 3, 4, 5}, 0, -1, -2, 0), ElementsAre(2, 3));
  EXPECT_THAT(padded({1, 2, 3}, 9, -1, 1, 1), ElementsAre(9, 2, 9, 3, 9));
  EXPECT_THAT(padded({1, 2}, 0, 2, -4, 2), ElementsAre(0, 0));
}

TEST(Slices, OutOfRangeAreMovedInside) {
  auto slice = [](int at) {
    const char* body = "func.func @main(%x: tensor<5xf32>, %i: tensor<i32>) -> tensor<3xf32> {\n"
                       "%0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>\nreturn %0 : tensor<3xf32>\n}";
    return numbers(results(body, {tensor(DType::f32, {5}, {0, 1, 2, 3, 4}), tensor(DType::i32, {}, {double(at)})})[0]);
  };
  EXPECT_THAT(slice(4), ElementsAre(2, 3, 4));
  EXPECT_THAT(slice(-7), ElementsAre(0, 1, 2));
  const char* update = "func.func @main(%x: tensor<5xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<5xf32> {\n"
                       "%0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<5xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>\nreturn %0 : tensor<5xf32>\n}";
  EXPECT_THAT(numbers(results(update, {tensor(DType::f32, {5}, {0, 0, 0, 0, 0}), tensor(DType::f32, {2}, {1, 1}), tensor(DType::i32, {}, {9})})[0]), ElementsAre(0, 0, 0, 1, 1));
}

// As JAX writes argmax: one reduction over pairs of a value and its index.
TEST(Reductions, OverPairs) {
  const std::string body = R"(func.func @main(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i32>) {
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %least), (%i init: %none) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>)  {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
})";
  const auto plain = results(body, {tensor(DType::f32, {4}, {1, 3, 3, 2})});
  EXPECT_EQ(numbers(plain[0])[0], 3);
  EXPECT_EQ(numbers(plain[1])[0], 1);
  EXPECT_EQ(numbers(results(body, {tensor(DType::f32, {4}, {1, nan, 3, nan})})[1])[0], 1);
}
TEST(Reductions, HandNaNThrough) {
  for (const std::string type : {"f32", "f64", "bf16", "f16"}) {
    for (const int n : {2, 3, 17, 64}) {
      const std::string full = "tensor<" + std::to_string(n) + "x" + type + ">", one = "tensor<" + type + ">";
      const std::string tail = "%z = stablehlo.constant dense<" + std::string(type == "f32" ? "0xFF800000" : type == "f64" ? "0xFFF0000000000000" : type == "f16" ? "0xFC00" : "0xFF80") + "> : " + one +
                               "\n%0 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (" + full + ", " + one + ") -> " + one + "\nreturn %0 : " + one + "\n}";
      const DType d = type == "f32" ? DType::f32 : type == "f64" ? DType::f64 : type == "f16" ? DType::f16 : DType::bf16;
      std::vector<double> values(std::size_t(n), 1.0);
      for (const std::size_t at : {std::size_t(0), values.size() - 1}) {
        auto with = values;
        with[at] = nan;
        EXPECT_TRUE(std::isnan(numbers(results("func.func @main(%x: " + full + ") -> " + one + " {\n" + tail, {tensor(d, {n}, with)})[0])[0])) << type << " " << n;
        std::string dense = "[";
        for (double v : with) dense += (dense.size() > 1 ? ", " : "") + std::string(v == v ? "1.0" : type == "f32" ? "0x7FC00000" : type == "f64" ? "0x7FF8000000000000" : type == "f16" ? "0x7E00" : "0x7FC0");
        EXPECT_TRUE(std::isnan(numbers(results("func.func @main() -> " + one + " {\n%x = stablehlo.constant dense<" + dense + "]> : " + full + "\n" + tail)[0])[0])) << type << " " << n;
      }
    }
  }
  const char* both = "func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {\n%0 = stablehlo.exponential %x : tensor<3xf32>\n%1 = stablehlo.tanh %x : tensor<3xf32>\n"
                     "return %0, %1 : tensor<3xf32>, tensor<3xf32>\n}";
  for (auto& a : results(both, {tensor(DType::f32, {3}, {0, nan, 1})})) EXPECT_TRUE(std::isnan(numbers(a)[1]));
}

// The solutions are checked by hand.
TEST(LinearAlgebra, IsRead) {
  const Array a = tensor(DType::f64, {2, 2}, {4, 6, 2, 10}), b = tensor(DType::f64, {2, 2}, {8, 4, 22, 12});
  auto factor = [&](const char* lower) {
    return numbers(results(std::string("func.func @main(%x: tensor<2x2xf64>) -> tensor<2x2xf64> {\n%0 = stablehlo.cholesky %x, lower = ") + lower +
                           " : tensor<2x2xf64>\nreturn %0 : tensor<2x2xf64>\n}", {a})[0]);
  };
  EXPECT_THAT(factor("true"), ElementsAre(2, 0, 1, 3));              // of [[4, 2], [2, 10]]
  EXPECT_THAT(factor("false"), ElementsAre(2, 3, 0, 1));                 // of [[4, 6], [6, 10]]
  auto solve = [&](const char* left, const char* lower, const char* unit, const char* transpose) {
    return numbers(results(std::string("func.func @main(%a: tensor<2x2xf64>, %b: tensor<2x2xf64>) -> tensor<2x2xf64> {\n%0 = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = ") +
                           left + ", lower = " + lower + ", unit_diagonal = " + unit + ", transpose_a = #stablehlo<transpose " + transpose +
                           ">}> : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>\nreturn %0 : tensor<2x2xf64>\n}", {a, b})[0]);
  };
  EXPECT_THAT(solve("true", "true", "false", "NO_TRANSPOSE"), ElementsAre(2, 1, 1.8, 1));      // [[4, 0], [2, 10]] y = b
  EXPECT_THAT(solve("true", "true", "true", "TRANSPOSE"), ElementsAre(-36, -20, 22, 12));              // [[1, 2], [0, 1]] y = b
  EXPECT_THAT(solve("false", "false", "true", "NO_TRANSPOSE"), ElementsAre(8, -44, 22, -120));       // y [[1, 6], [0, 1]] = b
  EXPECT_THAT(solve("false", "true", "true", "ADJOINT"), ElementsAre(8, -12, 22, -32));              // y [[1, 2], [0, 1]] = b
}

}  // namespace
}  // namespace tlaloc
