// SPDX-License-Identifier: Apache-2.0
//
// Memory and control ops, run on small programs; and every place where C++ would be undefined, which the interpreter refuses.
#include "backend/interpreter/interpreter.hpp"
#include "ir/ops.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tlaloc::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> values(const std::vector<Number>& ns) {
  std::vector<double> r;
  for (auto& n : ns) r.push_back(n.as_double());
  return r;
}
std::vector<double> run(const std::string& text, const std::vector<Argument>& args) {
  const Program p = parse(text);
  verify(p);
  return values(interpret(p, p.functions.front(), args));
}
std::string refusal(const std::string& text, const std::vector<Argument>& args) {
  try { run(text, args); } catch (const Error& e) { return e.what(); }
  return "accepted";
}
std::shared_ptr<Memory> data(std::vector<double> xs) { return buffer(xs); }
Argument at(std::int64_t i) { return integer(i, DType::i64); }

// --- memory ---
TEST(Memory, StoreLoadAccumFill) {
  const auto d = data({1, 2, 3});
  const auto y = run(R"(func f(%d: buffer f64, %i: i64, %x: f64) {
    %old = load %d, %i : f64
    store %d, %i, %x
    accum %d, %i, %old
    %new = load %d, %i : f64
    %n = length %d : i64
    yield %old, %new, %n
  })", {d, at(1), number(10)});
  EXPECT_THAT(y, ElementsAre(2, 12, 3));
  EXPECT_THAT(contents(*d), ElementsAre(1, 12, 3));
  run("func f(%d: buffer f64, %x: f64) {\n fill %d, %x\n}", {d, number(7)});
  EXPECT_THAT(contents(*d), ElementsAre(7, 7, 7));
}
TEST(Memory, GrowsAndShrinks) {
  const auto d = data({1});
  const auto y = run(R"(func f(%d: buffer f64, %x: f64, %n: i64) {
    append %d, %x
    append %d, %x
    %last = pop %d : f64
    resize %d, %n, %x
    yield %last
  })", {d, number(5), at(4)});
  EXPECT_THAT(y, ElementsAre(5));
  EXPECT_THAT(contents(*d), ElementsAre(1, 5, 5, 5));
  run("func f(%d: buffer f64, %n: i64, %x: f64) {\n resize %d, %n, %x\n}", {d, at(1), number(0)});
  EXPECT_THAT(contents(*d), ElementsAre(1));
}
TEST(Memory, AllocationsAndTables) {
  const std::string text = R"(func f(%i: i64, %x: f64) {
    %n = constant {value = 2:i64} : i64
    %scratch = alloc %n {dtype = f64} : buffer f64
    %zero = constant {value = 0:i64} : i64
    store %scratch, %zero, %x
    %a = load %scratch, %i : f64
    %t = table {dtype = f64, values = [0.5:f64, 0.25:f64]} : buffer f64
    %b = load %t, %i : f64
    yield %a, %b
  })";
  EXPECT_THAT(run(text, {at(0), number(3)}), ElementsAre(3, 0.5));
  const auto unwritten_element = run(text, {at(1), number(3)});
  EXPECT_TRUE(std::isnan(unwritten_element[0]));                // shows a missing store at once
  EXPECT_EQ(unwritten_element[1], 0.25);
}
TEST(Memory, RefusesWhatCppLeavesUndefined) {
  const std::string load = "func f(%d: buffer f64, %i: i64) {\n %y = load %d, %i : f64\n yield %y\n}";
  EXPECT_THAT(refusal(load, {data({1, 2}), at(2)}), HasSubstr("index 2 is outside the 2 elements of 'd'"));
  EXPECT_THAT(refusal(load, {data({1, 2}), at(-1)}), HasSubstr("index -1 is outside the 2 elements of 'd'"));
  EXPECT_THAT(refusal("func f(%d: buffer f64) {\n %y = pop %d : f64\n yield %y\n}", {data({})}), HasSubstr("pops an empty buffer"));
  EXPECT_THAT(refusal("func f(%n: i64) {\n %d = alloc %n {dtype = f64} : buffer f64\n}", {at(-1)}), HasSubstr("negative size"));
  EXPECT_THAT(refusal("func f(%d: buffer f64, %n: i64, %x: f64) {\n resize %d, %n, %x\n}", {data({}), at(-1), number(0)}), HasSubstr("negative size"));
  EXPECT_THAT(refusal(load, {at(0), at(0)}), HasSubstr("argument 'd' is not buffer f64"));
  EXPECT_THAT(refusal(load, {data({1})}), HasSubstr("'f' takes 2 arguments"));
}

// --- control ---
std::string counting(const std::string& type, int step) {       // how often, and the sum of the counters
  return "func f(%a: " + type + ", %b: " + type + ") {\n %zero = constant {value = 0:f64} : f64\n %one = constant {value = 1:f64} : f64\n"
         " %turns, %sum = for %a, %b, %zero, %zero {step = " + std::to_string(step) + "} (%i: " + type + ", %t: f64, %s: f64) {\n"
         "  %more = add %t, %one : f64\n  %x = cast %i {dtype = f64} : f64\n  %next = add %s, %x : f64\n  yield %more, %next\n } : f64, f64\n yield %turns, %sum\n}";
}
TEST(Control, ForCountsEitherWayInEveryType) {
  EXPECT_THAT(run(counting("i32", 1), {integer(0), integer(4)}), ElementsAre(4, 6));
  EXPECT_THAT(run(counting("i32", 3), {integer(0), integer(7)}), ElementsAre(3, 9));
  EXPECT_THAT(run(counting("i32", 1), {integer(4), integer(0)}), ElementsAre(0, 0));
  EXPECT_THAT(run(counting("i64", -2), {at(5), at(-1)}), ElementsAre(3, 9));
  EXPECT_THAT(run(counting("u8", 1), {integer(250, DType::u8), integer(255, DType::u8)}), ElementsAre(5, 250 + 251 + 252 + 253 + 254));
  EXPECT_THAT(run(counting("u32", -1), {integer(3, DType::u32), integer(0, DType::u32)}), ElementsAre(3, 6));
  EXPECT_THAT(run(counting("u64", -2), {integer(5, DType::u64), integer(0, DType::u64)}), ElementsAre(3, 9));        // 5 3 1, then it would wrap
  EXPECT_THAT(run(counting("u64", 1), {integer(-3, DType::u64), integer(-1, DType::u64)})[0], 2);                    // close to the largest
}
TEST(Control, WhileAndIf) {
  const std::string text = R"(func f(%x: f64, %n: i32) {
    %zero = constant {value = 0:i32} : i32
    %left, %y = while %n, %x (%i: i32, %a: f64) {
      %go = compare %i, %zero {direction = gt} : bool
      yield %go
    } (%i: i32, %a: f64) {
      %one = constant {value = 1:i32} : i32
      %less = sub %i, %one : i32
      %odd = rem %i, %less : i32
      yield %less, %a
    } : i32, f64
    yield %left, %y
  })";
  EXPECT_THAT(refusal(text, {number(1), integer(1)}), HasSubstr("integer division by zero"));
  EXPECT_THAT(run(text, {number(2), integer(0)}), ElementsAre(0, 2));
  const std::string guarded = R"(func f(%a: i32, %b: i32) {
    %zero = constant {value = 0:i32} : i32
    %nonzero = compare %b, %zero {direction = ne} : bool
    %y = if %nonzero () {
      %q = div %a, %b : i32
      yield %q
    } () {
      yield %zero
    } : i32
    yield %y
  })";
  EXPECT_THAT(run(guarded, {integer(7), integer(2)}), ElementsAre(3));
  EXPECT_THAT(run(guarded, {integer(7), integer(0)}), ElementsAre(0));        // only one region runs
}
TEST(Control, CallsPassBuffersByReferenceAndStopSomewhere) {
  const auto d = data({0});
  run(R"(func f(%d: buffer f64, %x: f64) {
    call %d, %x {callee = "g", results = []}
  }
  func g(%e: buffer f64, %y: f64) {
    %i = constant {value = 0:i64} : i64
    store %e, %i, %y
  })", {d, number(4)});
  EXPECT_THAT(contents(*d), ElementsAre(4));
  EXPECT_THAT(refusal("func f() {\n call {callee = \"f\", results = []}\n}", {}), HasSubstr("'f' recurses too deeply"));
}
TEST(Control, OutputsInOrder) {
  const Program p = parse(R"(func f(%x: f64) {
    %two = constant {value = 2:i32} : i32
    output %x, %two {callee = "printf", format = "%g %d\n"}
    output %x {callee = "note", format = ""}
  })");
  std::vector<std::string> seen;
  interpret(p, p.functions.front(), std::vector<Argument>{number(1.5)}, [&](const Op& op, std::span<const Number> args) {
    seen.push_back(op.at(key::callee) + op.at(key::format) + std::to_string(args.size()) + ":" + std::to_string(args[0].real));
  });
  EXPECT_THAT(seen, ElementsAre("printf%g %d\n2:1.500000", "note1:1.500000"));
}

}  // namespace
}  // namespace tlaloc::ir
