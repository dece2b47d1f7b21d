// SPDX-License-Identifier: Apache-2.0
//
// What the type rules of tensor ops refuse, storage of arrays, and Threefry's known answers. Values
// are tests/jax's matter.
#include "backend/interpreter/interpreter.hpp"
#include "ir/tensor.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

using testing::HasSubstr;

struct Wrong {
  const char* line;
  const char* message;
};
// Operands: s f64, i i64, v f64[3], m f64[2,3], k f64[3,4], h f32[2,3], b bool[2,3], n f64[n,3], t
// i32[4,1], g f64[1,4,5,5], w f64[6,2,3,3].
const Wrong wrong[] = {
    {"add %v, %m : f64[3]", "one number type"},
    {"add %m, %h : f64[2,3]", "one number type"},
    {"select %b, %v, %v : f64[3]", "bool mask"},
    {"broadcast_in_dim %v {shape = [3,2], dims = [1]} : f64[3,2]", "another extent"},
    {"broadcast_in_dim %m {shape = [3,2], dims = [1, 0]} : f64[3,2]", "dims must increase"},
    {"broadcast_in_dim %v {shape = [3], dims = []} : f64[3]", "needs 1 dims"},
    {"reshape %m {shape = [5]} : f64[5]", "number of elements"},
    {"reshape %n {shape = [n]} : f64[n]", "number of elements"},
    {"transpose %m {dims = [0, 0]} : f64[2,2]", "axis 0 twice"},
    {"transpose %m {dims = [0]} : f64[2]", "needs 2 dims"},
    {"reverse %m {axes = [2]} : f64[2,3]", "axis 2 of a tensor of rank 2"},
    {"concatenate %m, %k {axis = 0} : f64[5,3]", "operand 1 differs"},
    {"concatenate %m, %v {axis = 0} : f64[5,3]", "one rank"},
    {"slice %m {start = [0, 1], limit = [2,4], strides = [1, 1]} : f64[2,3]",
     "lies outside axis 1"},
    {"slice %m {start = [0, 1], limit = [2,3], strides = [0, 1]} : f64[2,2]", "a stride below 1"},
    {"slice %n {start = [0, 0], limit = [n,3], strides = [2, 1]} : f64[n,3]", "symbolic extent"},
    {"pad %m, %v {low = [0, 0], high = [0, 0], interior = [0, 0]} : f64[2,3]", "must be a scalar"},
    {"pad %m, %s {low = [-3, 0], high = [0, 0], interior = [0, 0]} : f64[2,3]",
     "shorter than nothing"},
    {"dynamic_slice %m, %i {sizes = [1,1]} : f64[1,1]", "one start for each axis"},
    {"dynamic_slice %m, %i, %s {sizes = [1,1]} : f64[1,1]", "integers of one type"},
    {"dynamic_slice %m, %i, %i {sizes = [1,4]} : f64[1,4]", "exceeds its axis"},
    {"dynamic_update_slice %m, %k, %i, %i : f64[2,3]", "exceeds an axis"},
    {"reduce_sum %m {axes = [0, 0]} : f64[3]", "axis 0 twice"},
    {"reduce_sum %b {axes = [0]} : bool[3]", "needs numbers"},
    {"reduce_and %m {axes = [0]} : f64[3]", "needs bools"},
    {"argmax %m {axis = 1, dtype = f64} : f64[2]", "gives integers"},
    {"cumsum %m {axis = 2, reverse = 0} : f64[2,3]", "axis 2"},
    {"dot_general %m, %m {batch_a = [], batch_b = [], contract_a = [1], contract_b = [0]} : "
     "f64[2,3]",
     "contracted extents differ: f64[2,3] and f64[2,3]"},
    {"dot_general %m, %k {batch_a = [0], batch_b = [0], contract_a = [], contract_b = []} : f64[2]",
     "batch extents differ"},
    {"dot_general %m, %h {batch_a = [], batch_b = [], contract_a = [0], contract_b = [0]} : "
     "f64[3,3]",
     "operands of f64 and f32"},
    {"convolution %g, %w {strides = [1, 1], low = [0, 0], high = [0, 0], dilate_x = [1, 1], "
     "dilate_w = [1, 1], groups = 1} : f64[1,6,3,3]",
     "x has 4 channels, w 2 for each of 1 groups"},
    {"convolution %g, %w {strides = [1, 1], low = [0, 0], high = [0, 0], dilate_x = [1, 1], "
     "dilate_w = [1, 1], groups = 4} : f64[1,6,3,3]",
     "no multiple of 4 groups"},
    {"convolution %g, %w {strides = [0, 1], low = [0, 0], high = [0, 0], dilate_x = [1, 1], "
     "dilate_w = [1, 1], groups = 2} : f64[1,6,3,3]",
     "below 1"},
    {"gather %m, %m {offset_dims = [1], collapsed = [0], batch_x = [], batch_indices = [], "
     "index_map = [0], sizes = [1,3]} : f64[2,3]",
     "tensor of integers"},
    {"gather %m, %t {offset_dims = [1], collapsed = [0], batch_x = [], batch_indices = [], "
     "index_map = [0, 1], sizes = [1,3]} : f64[4,3]",
     "as many elements as index_map"},
    {"gather %m, %t {offset_dims = [1], collapsed = [0], batch_x = [], batch_indices = [], "
     "index_map = [0], sizes = [2,3]} : f64[4,3]",
     "must be 1"},
    {"scatter_add %m, %t, %m {window_dims = [1], inserted = [0], batch_x = [], batch_indices = [], "
     "index_map = [0]} : f64[2,3]",
     "updates of f64[2,3]"},
    {"reduce_window_sum %m {window = [3, 1], strides = [1, 1], dilations = [1, 1], low = [-1, 0], "
     "high = [0, 0]} : f64[0,3]",
     "negative padding"},
    {"threefry2x32 %m, %m, %m, %m : f64[2,2,3]", "needs u32"},
    {"iota {shape = [2,3], dtype = bool, axis = 0} : bool[2,3]", "does not count in bool"},
    {"literal {shape = [2], dtype = f64, values = [1:f64]} : f64[2]", "has 1 numbers"},
    {"literal {shape = [1], dtype = f64, values = [1:i64]} : f64[1]", "another type"},
};

TEST(Tensor, TypeRulesRefuse) {
  for (auto& w : wrong) {
    const std::string text =
        std::string("func f(%s: f64, %i: i64, %v: f64[3], %m: f64[2,3], %k: f64[3,4], %h: "
                    "f32[2,3], %b: bool[2,3], %n: f64[n,3], %t: i32[4,1], %g: f64[1,4,5,5], %w: "
                    "f64[6,2,3,3]) {\n  %y = ") +
        w.line + "\n  yield %y\n}\n";
    try {
      parse_function(text);
      ADD_FAILURE() << "accepted: " << w.line;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(w.message)) << w.line;
    }
  }
}
TEST(Tensor, ArraysKeepEveryType) {
  for (int d = 0; d <= int(DType::f64); ++d) {
    Array a(Type{DType(d), {5}});
    const double xs[] = {0, 1, d >= int(DType::f16) || is_signed(DType(d)) ? -2.0 : 1.0, 0.625, 3};
    for (std::size_t i = 0; i < 5; ++i)
      a.set(i, Number::of(DType(d), xs[i]));
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(a.at(i), Number::of(DType(d), xs[i])) << text(DType(d)) << " " << xs[i];
  }
  // Every f16: the number goes back to its bits.
  Array h(Type{DType::f16, {1}});
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    h.data<std::uint16_t>()[0] = std::uint16_t(bits);
    const Number n = h.at(0);
    if (std::isnan(n.real))
      continue;
    Array back(Type{DType::f16, {1}});
    back.set(0, n);
    ASSERT_EQ(back.data<std::uint16_t>()[0], bits);
  }
}
TEST(Tensor, EvaluatesSingleOps) {
  Array a(Type{DType::f32, {2, 2}});
  for (std::size_t i = 0; i < 4; ++i)
    a.set(i, Number::of(DType::f32, double(i + 1)));
  const Array two[] = {a, a}, one[] = {a};
  const Array y = evaluate(ops::dot_general, two, {Ints{}, Ints{}, Ints{1}, Ints{0}});
  EXPECT_EQ(std::vector<float>(y.data<float>(), y.data<float>() + 4),
            (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(evaluate(ops::argmax, one, {std::int64_t(1), DType::i32}).at(1).bits,
            1u); // through its expansion
  EXPECT_EQ(type_of(ops::transpose, std::vector<Type>{{DType::i8, {2, 5}}}, {Ints{1, 0}}),
            (Type{DType::i8, {5, 2}}));
  EXPECT_THROW(evaluate(ops::add, std::vector<Array>{a, Array(Type{DType::f32, {2}})}), Error);
}
// Both tails and the middle, by what it inverts.
TEST(Tensor, InverseOfErf) {
  for (double x = -0.9999; x < 1; x += 0.0007) {
    Array a(Type{DType::f64, {1}});
    a.set(0, Number::of(DType::f64, x));
    const double y = evaluate(ops::erf_inv, std::vector<Array>{a}).data<double>()[0];
    ASSERT_NEAR(std::erf(y), x, 4e-16) << y;
  }
}
// The answers that the authors of Random123 publish.
TEST(Tensor, ThreefryKnownAnswers) {
  const std::uint32_t rows[][6] = {
      {0, 0, 0, 0, 0x6b200159, 0x99ba4efe},
      {~0u, ~0u, ~0u, ~0u, 0x1cb996fc, 0xbb002be7},
      {0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0}};
  for (auto& r : rows) {
    Function f("f");
    Builder b{f};
    std::vector<X> in;
    for (int i = 0; i < 4; ++i)
      in.push_back(constant(b, Number::of(DType::u32, std::uint64_t(r[i]))));
    f.body->yields = {ops::threefry2x32(in[0], in[1], in[2], in[3]).v};
    Function expanded = copy(f, "g");
    expand(expanded, [](const Op& op) { return op.kind == &ops::threefry2x32; });
    for (auto* g : {&f, &expanded}) {
      const Array y = run({}, *g, {})[0];
      EXPECT_EQ(y.data<std::uint32_t>()[0], r[4]);
      EXPECT_EQ(y.data<std::uint32_t>()[1], r[5]);
    }
  }
}

} // namespace
} // namespace tlaloc::ir
