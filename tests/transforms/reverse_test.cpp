// SPDX-License-Identifier: Apache-2.0
#include "transforms/reverse_support.hpp"

using namespace tlaloc::ir;

namespace {

const std::vector<double> xs{0.3, -0.7, 0.9, 0.25, -0.4};

class Reverse : public testing::TestWithParam<Sample> {};
TEST_P(Reverse, Sample) { agrees_in_every_mode(GetParam().text, {GetParam().x, GetParam().y}, {0, 1}); }
INSTANTIATE_TEST_SUITE_P(All, Reverse, testing::ValuesIn(samples), [](auto& p) { return std::string(p.param.name); });

TEST(ReversePrograms, SeveralResults) {
  agrees_in_every_mode(R"(func f(%x: f64, %n: i32, %y: f64) {
    %p = mul %x, %y : f64
    %q = div %x, %y : f64
    yield %p, %n, %q, %x
  })", {0.7, 3.0, 1.3}, {0, 2});
}
TEST(ReversePrograms, SwapOfCarried) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64, %a: f64, %b: f64) {
    %from = constant {value = 0:i32} : i32
    %p.1, %q.1 = for %from, %n, %a, %b {step = 1} (%i: i32, %p: f64, %q: f64) {
      %k = cast %i {dtype = i64} : i64
      %e = load %x, %k : f64
      %u = mul %q, %e : f64
      %v = add %p, %q : f64
      yield %u, %v
    } : f64, f64
    yield %p.1
  })", {5.0, xs, 1.0, 2.0}, {1, 2, 3});
}
TEST(ReversePrograms, Steps) {
  for (int n : {0, 1, 2, 7, 8, 9}) for (const char* loop : {
      "%from = constant {value = 1:i32} : i32\n %s.1 = for %from, %n, %y {step = 3}", "%from = constant {value = -1:i32} : i32\n %s.1 = for %n, %from, %y {step = -1}",
      "%from = constant {value = -3:i32} : i32\n %s.1 = for %n, %from, %y {step = -2}"})
    agrees_in_every_mode(std::string("func f(%n: i32, %x: f64, %y: f64) {\n") + loop + R"((%i: i32, %s: f64) {
      %k = cast %i {dtype = f64} : f64
      %p = mul %s, %k : f64
      %q = mul %p, %x : f64
      %r = sin %q : f64
      %t = add %r, %s : f64
      yield %t
    } : f64
    yield %s.1
  })", {double(n), 0.1, 0.3}, {1, 2});
}
TEST(ReversePrograms, UnsignedCounter) {
  for (int n : {0, 1, 6}) for (const char* loop : {
      "%from = constant {value = 0:u64} : u64\n %s.1 = for %from, %n, %y {step = 1}", "%from = constant {value = 0:u64} : u64\n %s.1 = for %n, %from, %y {step = -1}",
      "%from = constant {value = 0:u64} : u64\n %s.1 = for %from, %n, %y {step = 4}"})
    agrees_in_every_mode(std::string("func f(%n: u64, %x: f64, %y: f64) {\n") + loop + R"((%i: u64, %s: f64) {
      %k = cast %i {dtype = f64} : f64
      %p = mul %s, %k : f64
      %q = mul %p, %x : f64
      %r = sin %q : f64
      %t = add %r, %s : f64
      yield %t
    } : f64
    yield %s.1
  })", {double(n), 0.1, 0.3}, {1, 2});
}
TEST(ReversePrograms, LocalScratchAndTriangle) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64) {
    %from = constant {value = 0:i32} : i32
    %zero = constant {value = 0.0:f64} : f64
    %one = constant {value = 1:i32} : i32
    %size = cast %n {dtype = i64} : i64
    %y = alloc %size {dtype = f64} : buffer f64
    fill %y, %zero
    %sum.1 = for %from, %n, %zero {step = 1} (%i: i32, %sum: f64) {
      %k = cast %i {dtype = i64} : i64
      %xi = load %x, %k : f64
      %low = add %i, %one : i32
      for %low, %n {step = 1} (%j: i32) {
        %l = cast %j {dtype = i64} : i64
        %xj = load %x, %l : f64
        %p = mul %xi, %xj : f64
        %e = exp %p : f64
        accum %y, %l, %e
      }
      %yi = load %y, %k : f64
      %q = mul %yi, %yi : f64
      %r = sin %q : f64
      %s = add %sum, %r : f64
      yield %s
    } : f64
    yield %sum.1
  })", {5.0, xs}, {1});
}
// A local array made anew in each iteration, and an array whose length varies with the data.
TEST(ReversePrograms, ScratchInsideALoop) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64, %m: buffer i32) {
    %from = constant {value = 0:i32} : i32
    %zero = constant {value = 0.0:f64} : f64
    %sum.1 = for %from, %n, %zero {step = 1} (%i: i32, %sum: f64) {
      %k = cast %i {dtype = i64} : i64
      %rows = load %m, %k : i32
      %size = cast %rows {dtype = i64} : i64
      %y = alloc %size {dtype = f64} : buffer f64
      for %from, %rows {step = 1} (%j: i32) {
        %l = cast %j {dtype = i64} : i64
        %a = load %x, %l : f64
        %b = load %x, %k : f64
        %p = mul %a, %b : f64
        store %y, %l, %p
      }
      %t.1 = for %from, %rows, %sum {step = 1} (%j: i32, %t: f64) {
        %l = cast %j {dtype = i64} : i64
        %a = load %y, %l : f64
        %b = mul %a, %t : f64
        %c = sin %b : f64
        %d = add %c, %a : f64
        yield %d
      } : f64
      yield %t.1
    } : f64
    yield %sum.1
  })", {5.0, xs, std::vector<double>{2, 0, 5, 1, 3}}, {1});
}
// A loop left early: a counter and a flag are carried, and the inner loop's length differs each time.
TEST(ReversePrograms, FlagsAndNestedWhiles) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64) {
    %i0 = constant {value = 0:i32} : i32
    %one = constant {value = 1:i32} : i32
    %go0 = constant {value = 1:bool} : bool
    %f0 = constant {value = 0.1:f64} : f64
    %limit = constant {value = 1.5:f64} : f64
    %i.1, %go.1, %s.1 = while %i0, %go0, %f0 (%i: i32, %go: bool, %s: f64) {
      %c = compare %i, %n {direction = lt} : bool
      %b = bit_and %c, %go : bool
      yield %b
    } (%i: i32, %go: bool, %s: f64) {
      %k = cast %i {dtype = i64} : i64
      %e = load %x, %k : f64
      %j.1, %t.1 = while %i0, %s (%j: i32, %t: f64) {
        %c = compare %j, %i {direction = le} : bool
        yield %c
      } (%j: i32, %t: f64) {
        %m = mul %t, %e : f64
        %w = sin %m : f64
        %v = add %w, %t : f64
        %jj = add %j, %one : i32
        yield %jj, %v
      } : i32, f64
      %big = compare %t.1, %limit {direction = gt} : bool
      %u, %stop = if %big () {
        %h = mul %t.1, %e : f64
        %no = constant {value = 0:bool} : bool
        yield %h, %no
      } () {
        %h = add %t.1, %e : f64
        yield %h, %go
      } : f64, bool
      %ii = add %i, %one : i32
      yield %ii, %stop, %u
    } : i32, bool, f64
    %r = mul %s.1, %s.1 : f64
    yield %r
  })", {5.0, std::vector<double>{0.3, 0.7, 0.9, 0.25, 0.4}}, {1});
}

// The partial of the sine is the cosine beside it, and the other way round: neither is computed twice.
TEST(ReversePrograms, SineAndCosineOfOneAngleAreComputedOnce) {
  const char* const text = R"(func f(%n: i64, %x: f64) {
    %zero = constant {value = 0:i64} : i64
    %y.1 = for %zero, %n, %x {step = 1} (%i: i64, %y: f64) {
      %a = sin %y : f64
      %b = cos %y : f64
      %c = sinh %y : f64
      %d = cosh %y : f64
      %e = mul %a, %b : f64
      %g = mul %c, %d : f64
      %h = add %e, %g : f64
      %half = constant {value = 0.25:f64} : f64
      %z = mul %h, %half : f64
      yield %z
    } : f64
    yield %y.1
  })";
  Program p = parse(text);
  const Function g = reverse(p, p.functions.back(), {{1}}, "g");
  int computed = 0;
  walk(*g.body, [&](Op* op) { computed += op->kind == &ops::sin || op->kind == &ops::cos || op->kind == &ops::sinh || op->kind == &ops::cosh; });
  EXPECT_EQ(computed, 4) << print(g);
  agrees_in_every_mode(text, {3.0, 0.3}, {1});
}

}  // namespace
