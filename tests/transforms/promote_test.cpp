// SPDX-License-Identifier: Apache-2.0
#include "transforms/simplify.hpp"

#include "pass_support.hpp"

#include <gmock/gmock.h>

namespace tlaloc::ir {
namespace {

using namespace test;

int memory_ops(const Function& f) {
  int n = 0;
  for (const Kind* k : std::initializer_list<const Kind*>{&ops::alloc, &ops::load, &ops::store, &ops::accum, &ops::fill}) n += count(f, *k);
  return n;
}
Function promoted(const std::string& text, const std::vector<std::vector<Argument>>& calls) {
  return after([](Function& f) { promote(f); }, text, calls);
}

TEST(Promote, StraightLine) {
  const Function f = promoted(R"(func f(%x: f64) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %y = alloc %one {dtype = f64} : buffer f64
    store %y, %zero, %x
    %a = load %y, %zero : f64
    %t = mul %a, %a : f64
    store %y, %zero, %t
    accum %y, %zero, %x
    %b = load %y, %zero : f64
    yield %b
  })", {{number(3)}, {number(-0.5)}});
  EXPECT_EQ(memory_ops(f), 0) << print(f);
  EXPECT_EQ(f.body->yields[0]->name, "y");
}

TEST(Promote, ElementsOfAnArrayAreNamedByPlace) {
  const Function f = promoted(R"(func f(%x: f64) {
    %n = constant {value = 3:i64} : i64
    %c0 = constant {value = 0:i64} : i64
    %c2 = constant {value = 2:i64} : i64
    %v = alloc %n {dtype = f64} : buffer f64
    fill %v, %x
    %9 = sin %x : f64
    store %v, %c2, %9
    %a = load %v, %c0 : f64
    %b = load %v, %c2 : f64
    yield %a, %b
  })", {{number(0.7)}});
  EXPECT_EQ(memory_ops(f), 0);
  EXPECT_EQ(f.body->yields[0]->name, "x");
  EXPECT_EQ(f.body->yields[1]->name, "v_2");
}

// x <- (c ? x + 1 : x); a second variable that both sides leave alone gets no result.
TEST(Promote, IfGivesResultsOnlyForWhatDiffers) {
  const Function f = promoted(R"(func f(%x: f64, %c: bool) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %y = alloc %one {dtype = f64} : buffer f64
    %z = alloc %one {dtype = f64} : buffer f64
    store %y, %zero, %x
    store %z, %zero, %x
    if %c () {
      %a = load %y, %zero : f64
      %k = constant {value = 1.0:f64} : f64
      %s = add %a, %k : f64
      store %y, %zero, %s
      store %z, %zero, %x
    } () {
    }
    %b = load %y, %zero : f64
    %d = load %z, %zero : f64
    yield %b, %d
  })", {{number(3), integer(1, DType::boolean)}, {number(3), integer(0, DType::boolean)}});
  EXPECT_EQ(memory_ops(f), 0);
  const Op* branch = nullptr;
  walk(*f.body, [&](Op* op) { if (op->kind == &ops::if_) branch = op; });
  ASSERT_EQ(branch->results.size(), 1u);
  EXPECT_EQ(branch->results[0]->name, "y");
}

TEST(Promote, LoopsCarryWhatTheyWrite) {
  const Function f = promoted(R"(func f(%x: f64, %n: i64) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %y = alloc %one {dtype = f64} : buffer f64
    store %y, %zero, %x
    for %zero, %n {step = 1} (%i: i64) {
      %t = alloc %one {dtype = f64} : buffer f64
      %a = load %y, %zero : f64
      store %t, %zero, %a
      %b = load %t, %zero : f64
      %s = sin %b : f64
      store %y, %zero, %s
    }
    %r = load %y, %zero : f64
    yield %r
  })", {{number(3), i64(0)}, {number(3), i64(4)}});
  EXPECT_EQ(memory_ops(f), 0);
  const Op* loop = nullptr;
  walk(*f.body, [&](Op* op) { if (op->kind == &ops::for_) loop = op; });
  ASSERT_EQ(loop->results.size(), 1u) << "what a body allocates is not carried";
}

// while (--n > 0) x = x * 0.5 + n;
TEST(Promote, TestThatWritesRunsAsOftenAsBefore) {
  const std::string text = R"(func f(%x: f64, %n: i32) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %m = alloc %one {dtype = i32} : buffer i32
    %y = alloc %one {dtype = f64} : buffer f64
    store %m, %zero, %n
    store %y, %zero, %x
    while () {
      %a = load %m, %zero : i32
      %k = constant {value = 1:i32} : i32
      %b = sub %a, %k : i32
      store %m, %zero, %b
      %z = constant {value = 0:i32} : i32
      %more = compare %b, %z {direction = gt} : bool
      yield %more
    } () {
      %a = load %y, %zero : f64
      %h = constant {value = 0.5:f64} : f64
      %c = mul %a, %h : f64
      %d = load %m, %zero : i32
      %e = cast %d {dtype = f64} : f64
      %g = add %c, %e : f64
      store %y, %zero, %g
    }
    %r = load %y, %zero : f64
    %s = load %m, %zero : i32
    yield %r, %s
  })";
  const Function f = promoted(text, {{number(3), integer(0)}, {number(3), integer(1)}, {number(3), integer(6)}});
  EXPECT_EQ(memory_ops(f), 0);
  EXPECT_THAT(results(f, {number(1), integer(3)}), testing::ElementsAre((1 * 0.5 + 2) * 0.5 + 1, 0));
}

TEST(Promote, TestThatOnlyReadsStaysAsItIs) {
  const Function f = promoted(R"(func f(%n: i32) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %m = alloc %one {dtype = i32} : buffer i32
    store %m, %zero, %n
    while () {
      %a = load %m, %zero : i32
      %z = constant {value = 10:i32} : i32
      %more = compare %a, %z {direction = lt} : bool
      yield %more
    } () {
      %a = load %m, %zero : i32
      %k = constant {value = 3:i32} : i32
      %b = add %a, %k : i32
      store %m, %zero, %b
    }
    %s = load %m, %zero : i32
    yield %s
  })", {{integer(0)}, {integer(12)}});
  EXPECT_EQ(memory_ops(f), 0);
  EXPECT_EQ(count(f, ops::compare), 1);
}

// An uninitialised variable that one side sets: the other side, which C++ never reads, gives 0.
TEST(Promote, UndefinedIsZero) {
  const Function f = promoted(R"(func f(%x: f64, %c: bool) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %y = alloc %one {dtype = f64} : buffer f64
    if %c () {
      store %y, %zero, %x
    } () {
    }
    %b = load %y, %zero : f64
    yield %b
  })", {{number(3), integer(1, DType::boolean)}});
  EXPECT_THAT(results(f, {number(3), integer(0, DType::boolean)}), testing::ElementsAre(0));
}

TEST(Promote, OtherUsesKeepTheBuffer) {
  const std::string head = R"(func f(%x: f64, %i: i64) {
    %one = constant {value = 1:i64} : i64
    %two = constant {value = 2:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %y = alloc %two {dtype = f64} : buffer f64
    fill %y, %x
  )";
  for (const char* use : {"%a = load %y, %i : f64", "store %y, %i, %x", "append %y, %x", "%a = pop %y : f64", "%a = length %y : i64",
                          "resize %y, %one, %x", "call %y {callee = \"g\", results = []}"}) {
    Function f = parse_function(head + use + "\n%b = load %y, %zero : f64\n yield %b }");
    promote(f);
    verify(f);
    EXPECT_EQ(count(f, ops::alloc), 1) << use;
  }
  Function outside = parse_function(head + "%b = load %y, %two : f64\n yield %b }");   // undefined in C++: left to the run
  promote(outside);
  EXPECT_EQ(count(outside, ops::alloc), 1);
}

}  // namespace
}  // namespace tlaloc::ir
