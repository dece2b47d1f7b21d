// SPDX-License-Identifier: Apache-2.0
//
// Where adjoint sums are formed: which adjoint code changes, and that what it gives stays right for every trip count.
#include "transforms/pass_support.hpp"
#include "transforms/reverse_support.hpp"

using namespace tlaloc::ir;

namespace {

Function gradient(Program& p, const std::vector<int>& wanted) { return reverse(p, p.functions.back(), {wanted}, "g"); }
int fours(const Function& g) {
  int n = 0;
  walk(*g.body, [&](Op* op) { n += op->kind == &ops::for_ && op->at(key::step) == 4; });
  return n;
}

// The adjoint of x[j] is a sum over i beside an update of d_l.
const std::string from_x = triangle("%e = load %x, %i : f64\n store %y, %i, %e");
TEST(ReverseSums, TriangleSumsInLanes) {
  Program p = parse(from_x);
  EXPECT_EQ(fours(gradient(p, {1, 2})), 1);
  for (std::size_t n = 0; n < 14; ++n) agrees_in_every_mode(from_x, {double(n), wave(n * n), wave(n)}, {1, 2});
}
// The loop reads the element that it adds to by way of another index: nothing may be held back.
TEST(ReverseSums, ElementThatTheLoopReadsStays) {
  const char* const text = R"(func f(%n: i64, %m: buffer i64, %x: buffer f64[3]) {
    %zero = constant {value = 0:i64} : i64
    %none = constant {value = 0.0:f64} : f64
    %s.1 = for %zero, %n, %none {step = 1} (%i: i64, %s: f64) {
      %k = load %m, %i : i64
      %a = load %x, %zero : f64
      %b = load %x, %k : f64
      %c = mul %a, %b : f64
      %d = sin %c : f64
      store %x, %k, %d
      %t = add %s, %d : f64
      yield %t
    } : f64
    yield %s.1
  })";
  agrees_in_every_mode(text, {5.0, std::vector<double>{1, 0, 2, 0, 1}, wave(3)}, {2});
}
TEST(ReverseSums, ElementOnlyAddedToIsAddedOnce) {
  const char* const text = R"(func f(%n: i64, %x: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %none = constant {value = 0.0:f64} : f64
    %s.1 = for %one, %n, %none {step = 1} (%i: i64, %s: f64) {
      %a = load %x, %zero : f64
      %b = load %x, %i : f64
      %c = mul %a, %b : f64
      %t = add %s, %c : f64
      yield %t
    } : f64
    yield %s.1
  })";
  Program p = parse(text);
  const Function g = gradient(p, {1});
  int inside_loops = 0;
  walk(*g.body, [&](Op* op) { inside_loops += op->kind == &ops::accum && op->block->owner && op->block->owner->kind == &ops::for_; });
  EXPECT_EQ(inside_loops, 1) << print(g);          // of d_x[i]
  for (double n : {1.0, 2.0, 5.0}) agrees_in_every_mode(text, {n, wave(5)}, {1});
  // No turn: the element need not exist.
  p.add(copy(g, "g"));
  EXPECT_NO_THROW(interpret(p, g, make(g, {0.0, std::vector<double>{}, std::vector<double>{}})));
}
TEST(ReverseSums, ClearedAndAddedToIsStored) {
  const char* const text = R"(func f(%y: buffer f64, %x: f64) {
    %zero = constant {value = 0:i64} : i64
    %a = load %y, %zero : f64
    %b = mul %a, %x : f64
    %c = sin %b : f64
    store %y, %zero, %c
    yield %c
  })";
  Program p = parse(text);
  const Function g = gradient(p, {0, 1});
  EXPECT_EQ(test::count(g, ops::accum), 0) << print(g);
  EXPECT_EQ(test::count(g, ops::store), 2) << print(g);        // of y and d_y
  agrees_in_every_mode(text, {std::vector<double>{0.7}, 0.4}, {0, 1});
}

// Each point adds to three elements by a loop of three turns: written out, its sums are those of the loop over points.
TEST(ReverseSums, ShortInnerLoopIsWrittenOut) {
  const char* const text = R"(func f(%n: i32, %w: buffer f64[3], %x: buffer f64) {
    %zero = constant {value = 0:i32} : i32
    %three = constant {value = 3:i32} : i32
    %start = constant {value = 0:i64} : i64
    %size = constant {value = 1:i64} : i64
    %none = constant {value = 0.0:f64} : f64
    %total = alloc %size {dtype = f64} : buffer f64
    store %total, %start, %none
    for %zero, %three {step = 1} (%round: i32) {
      for %zero, %n {step = 1} (%i: i32) {
        %row = mul %i, %three : i32
        for %zero, %three {step = 1} (%k: i32) {
          %at = add %row, %k : i32
          %from = cast %at {dtype = i64} : i64
          %column = cast %k {dtype = i64} : i64
          %a = load %w, %column : f64
          %b = load %x, %from : f64
          %c = mul %a, %b : f64
          %d = mul %c, %c : f64
          accum %total, %start, %d
        }
      }
    }
    %again = load %total, %start : f64
    yield %again
  })";
  Program p = parse(text);
  EXPECT_EQ(fours(gradient(p, {1})), 1) << print(gradient(p, {1}));
  for (double n : {0.0, 1.0, 3.0, 4.0, 9.0}) agrees_in_every_mode(text, {n, wave(3), wave(27)}, {1, 2});
}

}  // namespace
