// SPDX-License-Identifier: Apache-2.0
#include "backend/interpreter/interpreter.hpp"
#include "ir/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

TEST(Extent, ExpressionsAreCanonical) {
  const Extent n = symbol("n"), m = symbol("m");
  EXPECT_EQ(plus(n, m), plus(m, n));
  EXPECT_EQ(times(plus(n, 1), plus(n, 1)), plus(plus(times(n, n), times(2, n)), 1));
  EXPECT_EQ(minus(plus(n, 3), n), 3);
  EXPECT_EQ(extent_text(plus(times(2, times(n, m)), minus(n, 1))), "2*m*n+n-1");
  for (auto* s : {"n", "2*n+1", "m*n-4", "7", "-n+12"}) EXPECT_EQ(extent_text(parse_extent(s)), s);
  for (auto* s : {"", "n++m", "2n", "n*", "-3", "n m"}) EXPECT_THROW(parse_extent(s), Error) << s;
}
TEST(Extent, BindsWhatArgumentsSay) {
  const Extent n = symbol("n");
  Bindings known;
  bind_symbols(known, {n, 3}, {5, 3});
  EXPECT_EQ(bound(plus(times(2, n), 1), known), 11);
  EXPECT_THROW(bind_symbols(known, {n}, {6}), Error);
  EXPECT_THROW(bind_symbols(known, {4}, {3}), Error);
  EXPECT_THROW(bind_symbols(known, {n}, {5, 1}), Error);
  EXPECT_THROW(bound(minus(n, 9), known), Error);           // an extent below zero
}
TEST(Extent, OneFunctionRunsAtAnySize) {
  const std::string text =
      "func f(%x: f64[n,3], %y: f64[n,3]) -> [\"mean\"] {\n"
      "  %z = concatenate %x, %y {axis = 0} : f64[2*n,3]\n"
      "  %s = reduce_sum %z {axes = [0, 1]} : f64\n"
      "  %k = extent {shape = [2*n,3]} : i64\n"
      "  %c = cast %k {dtype = f64} : f64\n"
      "  %m = div %s, %c : f64\n"
      "  yield %m\n}\n";
  const Function f = parse_function(text);
  for (std::int64_t n : {1, 4, 7}) {
    Array x(Type{DType::f64, {n, 3}}), y(Type{DType::f64, {n, 3}});
    for (std::size_t i = 0; i < x.size(); ++i) x.set(i, Number::of(DType::f64, double(i))), y.set(i, Number::of(DType::f64, 2.0));
    const Array in[] = {x, y};
    EXPECT_DOUBLE_EQ(run({}, f, in)[0].at(0).real, ((3.0 * double(n) - 1) / 2 + 2) / 2);
  }
  const Array odd[] = {Array(Type{DType::f64, {2, 3}}), Array(Type{DType::f64, {3, 3}})};
  EXPECT_THROW(run({}, f, odd), Error);
}

}  // namespace
}  // namespace tlaloc::ir
