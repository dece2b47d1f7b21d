// SPDX-License-Identifier: Apache-2.0
#include "transforms/simplify.hpp"

#include "pass_support.hpp"

#include <gmock/gmock.h>

namespace tlaloc::ir {
namespace {

using namespace test;

Function cleaned(const std::string& text, const std::vector<std::vector<Argument>>& calls = {}) {
  return after([](Function& f) { eliminate_dead_code(f); }, text, calls);
}

TEST(DeadCode, PureOpsAndLoads) {
  const Function f = cleaned(R"(func f(%x: f64, %m: i32, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %a = sin %x : f64
    %b = load %p, %zero : f64
    %c = div %m, %m : i32
    %d = alloc %zero {dtype = f64} : buffer f64
    %r = mul %x, %x : f64
    yield %r
  })");
  EXPECT_EQ(ops_in(f), 1);
  EXPECT_EQ(count(f, ops::constant), 0);
}

// u and v feed each other and nothing else; w is read.
TEST(DeadCode, RingsOfCarriedValues) {
  const Function f = cleaned(R"(func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %a, %b, %c = for %zero, %n, %x, %x, %x {step = 1} (%i: i64, %u: f64, %v: f64, %w: f64) {
      %p = sin %v : f64
      %q = cos %u : f64
      %r = mul %w, %x : f64
      yield %p, %q, %r
    } : f64, f64, f64
    yield %c
  })", {{number(2), i64(3)}});
  EXPECT_EQ(find(f, ops::for_)->results.size(), 1u);
  EXPECT_EQ(count(f, ops::sin) + count(f, ops::cos), 0);
}
TEST(DeadCode, WhileKeepsWhatItsTestNeeds) {
  const Function f = cleaned(R"(func f(%x: f64, %n: i64) {
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0:i64} : i64
    %a, %b, %c = while %n, %x, %x (%i: i64, %u: f64, %v: f64) {
      %more = compare %i, %zero {direction = gt} : bool
      yield %more
    } (%i: i64, %u: f64, %v: f64) {
      %j = sub %i, %one : i64
      %p = sin %u : f64
      %q = cos %v : f64
      yield %j, %p, %q
    } : i64, f64, f64
    yield %b
  })", {{number(2), i64(3)}});
  EXPECT_EQ(find(f, ops::while_)->results.size(), 2u);
  EXPECT_EQ(count(f, ops::cos), 0);
  EXPECT_EQ(count(f, ops::sin), 1);
}
TEST(DeadCode, ResultsOfIf) {
  const Function f = cleaned(R"(func f(%x: f64, %c: bool) {
    %r, %s = if %c () {
      %a = sin %x : f64
      %b = cos %x : f64
      yield %a, %b
    } () {
      yield %x, %x
    } : f64, f64
    %t = if %c () { yield %r } () { yield %x } : f64
    yield %s
  })", {{number(2), truth(true)}, {number(2), truth(false)}});
  EXPECT_EQ(count(f, ops::if_), 1);
  EXPECT_EQ(find(f, ops::if_)->results.size(), 1u);
  EXPECT_EQ(count(f, ops::sin), 0);
}

TEST(DeadCode, WritesToBuffersThatNobodyReads) {
  auto writes = [](const std::string& buffer, const std::string& use) {
    return count(cleaned("func f(%x: f64, %n: i64, %p: buffer f64) {\n" + buffer + R"(
      %zero = constant {value = 0:i64} : i64
      for %zero, %n {step = 1} (%i: i64) {
        store %b, %i, %x
      }
      )" + use + "\nyield %x }"), ops::store);
  };
  const std::string local = "%b = alloc %n {dtype = f64} : buffer f64";
  EXPECT_EQ(writes(local, ""), 0);
  EXPECT_EQ(writes(local, "%a = load %b, %zero : f64"), 0) << "a dead load";
  EXPECT_EQ(writes(local, "%a = load %b, %zero : f64\nstore %p, %zero, %a"), 2);
  EXPECT_EQ(writes(local, "call %b {callee = \"g\", results = []}"), 1);
  EXPECT_EQ(writes(local, "%c = alloc %n {dtype = f64} : buffer f64\n%a = load %b, %zero : f64\nstore %c, %zero, %a"), 0) << "a chain of dead buffers";
  EXPECT_EQ(cleaned("func f(%x: f64, %p: buffer f64) {\n%zero = constant {value = 0:i64} : i64\nstore %p, %zero, %x }").body->ops.size(), 2u) << "a parameter is seen outside";
}
TEST(DeadCode, AWriteKeepsWhatDecidesOnIt) {
  const Function f = cleaned(R"(func f(%x: f64, %n: i64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %last = for %zero, %n, %zero {step = 1} (%i: i64, %j: i64) {
      %odd = bit_and %i, %one : i64
      %c = compare %odd, %one {direction = eq} : bool
      if %c () {
        accum %p, %j, %x
      } () {
        %dead = sin %x : f64
      }
      %k = bit_xor %j, %one : i64
      yield %k
    } : i64
  })");
  EXPECT_EQ(count(f, ops::accum), 1);
  EXPECT_EQ(count(f, ops::bit_xor), 1);
  EXPECT_EQ(count(f, ops::sin), 0);
}
TEST(DeadCode, PopsAndAppendsOfOneBuffer) {
  const std::string text = R"(func f(%x: f64) {
    %zero = constant {value = 0:i64} : i64
    %v = alloc %zero {dtype = f64} : buffer f64
    append %v, %x
    append %v, %x
    %a = pop %v : f64
    %b = pop %v : f64
    yield )";
  EXPECT_EQ(ops_in(cleaned(text + "%b }", {{number(2)}})), 5) << "a pop that nobody reads still shortens";
  EXPECT_EQ(ops_in(cleaned(text + "%x }")), 0);
}

Program calling(const std::string& body) {
  return parse("func g(%x: f64, %p: buffer f64) {\n" + body + R"(
      yield %x
    }
    func h(%x: f64, %p: buffer f64) {
      %r = call %x, %p {callee = "g", results = [f64]} : f64
      yield %r
    }
    func f(%x: f64, %p: buffer f64) {
      %r = call %x, %p {callee = "h", results = [f64]} : f64
      yield %x
    })");
}
TEST(DeadCode, CallsAreJudgedByTheirBodies) {
  auto calls = [](const std::string& body, bool informed) {
    Program p = calling(body);
    verify(p);
    Function& f = *p.find("f");
    eliminate_dead_code(f, informed ? &p : nullptr);
    return count(f, ops::call);
  };
  const std::string zero = "%zero = constant {value = 0:i64} : i64\n";
  EXPECT_EQ(calls("", true), 0);
  EXPECT_EQ(calls("", false), 1) << "without the program a call may do anything";
  EXPECT_EQ(calls(zero + "%a = load %p, %zero : f64", true), 0);
  EXPECT_EQ(calls(zero + "store %p, %zero, %x", true), 1);
  EXPECT_EQ(calls(zero + "%q = alloc %zero {dtype = f64} : buffer f64\nfill %q, %x", true), 0) << "its own buffer";
  EXPECT_EQ(calls("output %x {callee = \"log\", format = \"\"}", true), 1);
  EXPECT_EQ(calls("%s = call %x, %p {callee = \"f\", results = [f64]} : f64", true), 0) << "around in a ring of calls";
}

}  // namespace
}  // namespace tlaloc::ir
