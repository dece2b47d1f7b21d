// SPDX-License-Identifier: Apache-2.0
#include "transforms/simplify.hpp"

#include "pass_support.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace tlaloc::ir {
namespace {

using namespace test;

// How deep in regions the first op of the kind stands.
int depth(const Function& f, const Kind& kind) {
  int d = 0;
  for (const Block* b = find(f, kind)->block; b->owner; b = b->owner->block) ++d;
  return d;
}
Function hoisted(const std::string& text, const std::vector<std::vector<Argument>>& calls = {}) {
  return after([](Function& f) { hoist(f); }, text, calls);
}
// An op in the middle of two loops of which the inner one runs from `from` to `to`.
Function in_loops(const std::string& lines, const std::string& from = "%zero", const std::string& to = "%n") {
  return hoisted(R"(func f(%x: f64, %n: i64, %m: i64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %two = constant {value = 2:i64} : i64
    %r = for %zero, %m, %x {step = 1} (%i: i64, %u: f64) {
      %s = for )" + from + ", " + to + R"(, %u {step = 1} (%j: i64, %v: f64) {
        )" + lines + R"(
        %w = add %v, %a : f64
        yield %w
      } : f64
      yield %s
    } : f64
    yield %r
  })");
}

TEST(Hoist, InvariantsGoAsFarOutAsTheyCan) {
  EXPECT_EQ(depth(in_loops("%b = sin %x : f64\n%a = exp %b : f64"), ops::exp), 0);
  EXPECT_EQ(depth(in_loops("%b = cast %i {dtype = f64} : f64\n%a = exp %b : f64"), ops::exp), 1);
  EXPECT_EQ(depth(in_loops("%b = cast %j {dtype = f64} : f64\n%a = exp %b : f64"), ops::exp), 2);
}
TEST(Hoist, IntegersGoOnlyWithARealThatNeedsThem) {
  EXPECT_EQ(depth(in_loops("%b = mul %n, %n : i64\n%c = mul %b, %j : i64\n%a = cast %c {dtype = f64} : f64"), ops::mul), 2);
  EXPECT_EQ(depth(in_loops("%b = mul %n, %n : i64\n%c = cast %b {dtype = f64} : f64\n%a = exp %c : f64"), ops::mul), 0);
}
TEST(Hoist, WhatMayNotRunStays) {
  EXPECT_EQ(depth(in_loops("%a = load %p, %zero : f64"), ops::load), 2) << "n may be 0, and p empty";
  EXPECT_EQ(depth(in_loops("%a = load %p, %zero : f64", "%zero", "%two"), ops::load), 1);
  EXPECT_EQ(depth(in_loops("%a = load %p, %zero : f64", "%zero", "%m"), ops::load), 1) << "the outer loop runs just as far";
  EXPECT_EQ(depth(in_loops("%a = load %p, %j : f64", "%zero", "%two"), ops::load), 2);
  EXPECT_EQ(depth(in_loops("%a = load %p, %zero : f64\nstore %p, %one, %a", "%zero", "%two"), ops::load), 2);
  EXPECT_EQ(depth(in_loops("%b = div %one, %n : i64\n%a = cast %b {dtype = f64} : f64"), ops::div), 2) << "n may be 0";
  EXPECT_EQ(depth(in_loops("%b = div %one, %n : i64\n%a = cast %b {dtype = f64} : f64", "%zero", "%two"), ops::div), 1);
  EXPECT_EQ(depth(in_loops("%c = compare %v, %x {direction = lt} : bool\n%a = if %c () { %b = sin %x : f64\nyield %b } () { yield %x } : f64"), ops::sin), 3);
}
TEST(Hoist, PureRegionsMoveWhole) {
  EXPECT_EQ(depth(in_loops("%c = compare %n, %m {direction = lt} : bool\n%a = if %c () { %b = sin %x : f64\nyield %b } () { yield %x } : f64"), ops::if_), 0);
}
TEST(Hoist, ATestRunsAtLeastOnce) {
  const Function f = hoisted(R"(func f(%x: f64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %half = constant {value = 0.5:f64} : f64
    %r = while %x (%u: f64) {
      %a = load %p, %zero : f64
      %c = compare %u, %a {direction = gt} : bool
      yield %c
    } (%u: f64) {
      %v = mul %u, %half : f64
      yield %v
    } : f64
    yield %r
  })", {{number(5), buffer(std::vector<double>{1})}});
  EXPECT_EQ(depth(f, ops::load), 0);
}

// --- tidy ---
std::string tidied(const std::string& text) {
  Function f = parse_function(text);
  tidy(f);
  verify(f);
  return print(f);
}
TEST(Tidy, OrderDependsOnTheGraphAlone) {
  const std::vector<std::string> lines = {"%a = sin %x : f64\n", "%b = cos %y : f64\n", "%c = exp %x : f64\n"};
  std::vector<int> order = {0, 1, 2};
  std::set<std::string> texts;
  do {
    std::string text = "func f(%x: f64, %y: f64) {\n";
    for (int i : order) text += lines[std::size_t(i)];
    texts.insert(tidied(text + "%d = mul %b, %c : f64\n%e = add %a, %d : f64\nyield %e }"));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(texts.size(), 1u);
}
TEST(Tidy, MemoryKeepsItsOrder) {
  const std::string text = R"(func f(%x: f64, %p: buffer f64, %q: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %a = load %p, %zero : f64
    %b = load %q, %zero : f64
    store %p, %zero, %x
    %c = load %p, %zero : f64
    store %q, %zero, %c
    %d = sub %a, %b : f64
    yield %d
  })";
  const Function before = parse_function(text), f = after([](Function& g) { tidy(g); }, text);
  for (const Function* g : {&before, &f}) {
    auto p = buffer(std::vector<double>{3}), q = buffer(std::vector<double>{5});
    EXPECT_THAT(results(*g, {number(7), p, q}), testing::ElementsAre(-2));
    EXPECT_THAT(contents(*q), testing::ElementsAre(7));
  }
}
TEST(Tidy, LongChainsNeedNoDeepStack) {
  Function f("f");
  Builder b{f};
  X x = param(b, Type{}, "x");
  for (int i = 0; i < 200'000; ++i) x = ops::sin(x);
  f.body->yields = {x.v};
  tidy(f);
  EXPECT_EQ(f.body->ops.size(), 200'000u);
}

}  // namespace
}  // namespace tlaloc::ir
