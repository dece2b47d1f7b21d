// SPDX-License-Identifier: Apache-2.0
//
// From the names of C and C++ functions to ops.
#include "ir/ops.hpp"

#include <gtest/gtest.h>

namespace tlaloc::ir {

TEST(FindFunction, KnowsNamesOfEveryPrecision) {
  struct Case { const char* name; int arguments; const Kind* expected; };
  const Case cases[] = {
      {"sin", 1, &ops::sin},    {"sinf", 1, &ops::sin},     {"fabs", 1, &ops::abs},    {"fabsf", 1, &ops::abs},  {"abs", 1, &ops::abs},       {"llabs", 1, &ops::abs},
      {"erf", 1, &ops::erf},    {"erff", 1, &ops::erf},     {"hypot", 2, &ops::hypot}, {"hypotf", 2, &ops::hypot}, {"hypot", 3, &ops::hypot3}, {"cyl_bessel_jf", 2, &ops::cyl_bessel_j},
      {"logb", 1, &ops::logb},  {"logf", 1, &ops::log},     {"finite", 1, &ops::isfinite}, {"ldexp", 2, &ops::ldexp},
  };
  for (auto& c : cases) EXPECT_EQ(find_function(c.name, c.arguments), c.expected) << c.name;
}
// Ops that are no functions of the library, other arguments, functions with two results.
TEST(FindFunction, KnowsNothingElse) {
  for (auto [name, arguments] : {std::pair{"add", 2}, {"load", 2}, {"rem", 2}, {"digamma", 1}, {"legendre_derivative", 3}, {"sin", 2}, {"f", 1}, {"", 0}, {"modf", 2}, {"frexp", 2}, {"remquo", 3}})
    EXPECT_EQ(find_function(name, arguments), nullptr) << name;
}
TEST(OperandDtype, IntegersKeepTheirOwn) {
  EXPECT_EQ(operand_dtype(ops::hermite, 0, DType::f32), DType::u32);
  EXPECT_EQ(operand_dtype(ops::hermite, 1, DType::f32), DType::f32);
  EXPECT_EQ(operand_dtype(ops::scalbln, 1, DType::f64), DType::i64);
  EXPECT_EQ(operand_dtype(ops::pow, 1, DType::f64), DType::f64);
}

}  // namespace tlaloc::ir
