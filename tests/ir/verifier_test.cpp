// SPDX-License-Identifier: Apache-2.0
//
// One broken program for each rule of the verifier and of the ops' type rules, refused with a message that names it.
#include "ir/ops.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tlaloc::ir {
namespace {

using testing::HasSubstr;

std::string refusal(const std::function<void()>& f) {
  try { f(); } catch (const Error& e) { return e.what(); }
  return "accepted";
}

// --- structure: programs that no builder makes ---
struct Broken : testing::Test {
  Function f{"f"};
  Builder b{f};
  X x = param(b, {DType::f64}, "x");
  X y = (x * x).named("y");
  X z = (y + 1.0).named("z");
  Op* branch_op = nullptr;
  Broken() {
    const X r = branch(b, x > 0, [&](Builder& in, std::span<const X>) { return std::vector<X>{ops::mul({&in, y.v}, {&in, x.v}).named("inner")}; },
                       [&](Builder&, std::span<const X>) { return std::vector<X>{x}; })[0];
    branch_op = r.v->def;
    f.body->yields = {r.v};
    verify(f);
  }
  std::string said() { return refusal([&] { verify(f); }); }
};
TEST_F(Broken, UseBeforeDefinition) { std::swap(f.body->ops[0], f.body->ops[2]); EXPECT_THAT(said(), HasSubstr("add: reads 'y' before its definition")); }
TEST_F(Broken, UseOfAnotherRegionsValue) { f.body->yields[0] = branch_op->regions[0]->yields[0]; EXPECT_THAT(said(), HasSubstr("yields 'inner' before its definition")); }
TEST_F(Broken, RegionReadsALaterValue) {
  auto& ops = f.body->ops;
  std::rotate(ops.begin(), ops.begin() + 1, ops.end());                       // y after all others
  EXPECT_THAT(said(), HasSubstr("before its definition"));
}
TEST_F(Broken, OpTwice) { f.body->ops.insert(f.body->ops.begin() + 1, f.body->ops[0]); EXPECT_THAT(said(), HasSubstr("'y' is defined twice")); }
TEST_F(Broken, OpInAnotherBlock) { f.body->ops[0]->block = branch_op->regions[0]; EXPECT_THAT(said(), HasSubstr("mul: stands in a block that it does not name")); }
TEST_F(Broken, ForeignRegion) { branch_op->regions[0]->owner = f.body->ops[0]; EXPECT_THAT(said(), HasSubstr("if: does not own its region")); }
TEST_F(Broken, ForeignParameter) { x.v->block = branch_op->regions[0]; EXPECT_THAT(said(), HasSubstr("a parameter named 'x' is not its block's own")); }
TEST_F(Broken, ResultOfAnotherType) { y.v->type.dtype = DType::f32; EXPECT_THAT(said(), HasSubstr("mul: a result's type differs from the rule's")); }
TEST_F(Broken, ResultOfAnotherOp) { y.v->def = z.v->def; EXPECT_THAT(said(), HasSubstr("mul: a result does not name its definition")); }
TEST_F(Broken, TooFewResults) { branch_op->results.clear(); EXPECT_THAT(said(), HasSubstr("if: wrong number of results")); }
TEST_F(Broken, TooFewOperands) { z.v->def->operands.pop_back(); EXPECT_THAT(said(), HasSubstr("add: takes 2 operands, not 1")); }
TEST_F(Broken, TooManyOperands) { z.v->def->operands.push_back(x.v); EXPECT_THAT(said(), HasSubstr("add: takes 2 operands, not 3")); }
TEST_F(Broken, MissingOperand) { z.v->def->operands[0] = nullptr; EXPECT_THAT(said(), HasSubstr("add: lacks an operand")); }
TEST_F(Broken, TooManyAttributes) { z.v->def->attrs.push_back(std::int64_t(1)); EXPECT_THAT(said(), HasSubstr("add: takes 0 attributes")); }
TEST_F(Broken, TooManyRegions) { z.v->def->regions.push_back(f.new_block()); f.blocks.back().owner = z.v->def; EXPECT_THAT(said(), HasSubstr("add: takes 0 regions")); }
TEST_F(Broken, AttributeOfAnotherType) {
  const X c = x > 0;
  c.v->def->attrs[0] = std::int64_t(1);
  EXPECT_THAT(said(), HasSubstr("compare: wrong type of attribute direction"));
}
TEST_F(Broken, YieldsABuffer) {
  f.body->yields[0] = param(b, buffer_of(DType::f64), "data").v;
  EXPECT_THAT(said(), HasSubstr("yields the buffer 'data'"));
}
TEST(Place, StandsBeforeTheMessage) {
  Function f("f");
  Builder b{f, f.body, {"user.cpp", 12, 5, ""}};
  const X x = param(b, {DType::f64}, "x");
  EXPECT_EQ(refusal([&] { ops::rem(x, x); }), "user.cpp:12: rem: needs integer operands");
}

// --- calls ---
std::string call_refusal(const std::string& arguments, const std::string& results, const std::string& types) {
  const std::string text = std::string("func g(%a: f64, %d: buffer f64) {\n  yield %a\n}\nfunc f(%x: f64, %n: i32, %d: buffer f64, %e: buffer f32) {\n  ") +
                           (types.empty() ? "" : "%r = ") + "call " + arguments + " {callee = \"g\", results = [" + results + "]}" + (types.empty() ? "" : " : " + types) + "\n}\n";
  return refusal([&] { verify(parse(text)); });
}
TEST(Calls, MustFitTheirCallee) {
  EXPECT_EQ(call_refusal("%x, %d", "f64", "f64"), "accepted");
  EXPECT_THAT(call_refusal("%x", "f64", "f64"), HasSubstr("wrong number of arguments for 'g'"));
  EXPECT_THAT(call_refusal("%n, %d", "f64", "f64"), HasSubstr("argument 0 of 'g' is i32, not f64"));
  EXPECT_THAT(call_refusal("%x, %x", "f64", "f64"), HasSubstr("argument 1 of 'g' is f64, not buffer f64"));
  EXPECT_THAT(call_refusal("%x, %e", "f64", "f64"), HasSubstr("argument 1 of 'g' is buffer f32, not buffer f64"));
  EXPECT_THAT(call_refusal("%x, %d", "", ""), HasSubstr("wrong number of results of 'g'"));
  EXPECT_THAT(call_refusal("%x, %d", "i32", "i32"), HasSubstr("wrong type of result of 'g'"));
  EXPECT_THAT(call_refusal("%x, %d", "buffer f64", "buffer f64"), HasSubstr("a buffer cannot be carried"));
  EXPECT_THAT(refusal([] { verify(parse("func f() {\n  call {callee = \"h\", results = []}\n}\n")); }), HasSubstr("calls 'h', which the program lacks"));
}

// --- the ops' own rules, through the parser, which builds ---
TEST(TypeRules, RefuseByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"%r = add %x, %n : f64", "add: operands must have one number type"},
      {"%r = add %d, %d : f64", "add: operands must have one number type"},
      {"%r = rem %x, %x : f64", "rem: needs integer operands"},
      {"%r = bit_and %x, %x : f64", "bit_and: needs integer operands"},
      {"%r = logical_not %n : bool", "logical_not: needs a bool"},
      {"%r = compare %x, %n {direction = lt} : bool", "compare: operands must have one number type"},
      {"%r = select %n, %x, %x : f64", "select: needs a bool mask and two numbers of one type"},
      {"%r = select %c, %x, %n : f64", "select: needs a bool mask and two numbers of one type"},
      {"%r = select %c, %d, %d : f64", "select: needs a bool mask and two numbers of one type"},
      {"%r = cast %d {dtype = f32} : f32", "cast: needs a number"},
      {"%r = sin %n : i32", "sin: needs floating operands"},
      {"%r = sin %d : f64", "sin: needs floating operands"},
      {"%r = pow %x, %s : f64", "pow: operands must have one number type"},
      {"%r = ldexp %x, %i : f64", "ldexp: n must be i32"},
      {"%r = hermite %n, %x : f64", "hermite: n must be u32"},
      {"%r = abs %u : u32", "abs: needs a signed operand"},
      {"%r = polygamma %x {order = 0} : f64", "polygamma: the order must lie within 1 and 100"},
      {"%r = polygamma %x {order = 101} : f64", "polygamma: the order must lie within 1 and 100"},
      {"%r = table {dtype = f64, values = [1:i32]} : buffer f64", "table: holds a number of another type"},
      {"%r = alloc %n {dtype = f64} : buffer f64", "alloc: needs an i64 size"},
      {"%r = load %x, %i : f64", "load: needs a buffer"},
      {"%r = load %d, %n : f64", "load: needs an i64 index"},
      {"store %d, %i, %s", "store: the value differs from the buffer's element"},
      {"store %d, %n, %x", "store: needs an i64 index"},
      {"accum %d, %i, %n", "accum: the value differs from the buffer's element"},
      {"fill %d, %n", "fill: the value differs from the buffer's element"},
      {"fill %x, %x", "fill: needs a buffer"},
      {"append %d, %n", "append: the value differs from the buffer's element"},
      {"%r = length %x : i64", "length: needs a buffer"},
      {"%r = pop %x : f64", "pop: needs a buffer"},
      {"resize %d, %i, %s", "resize: the value differs from the buffer's element"},
      {"%t = table {dtype = f64, values = [1:f64]} : buffer f64\nstore %t, %i, %x", "store: a table is read-only"},
      {"%t = table {dtype = f64, values = [1:f64]} : buffer f64\nfill %t, %x", "fill: a table is read-only"},
      {"%t = table {dtype = f64, values = [1:f64]} : buffer f64\n%r = pop %t : f64", "pop: a table is read-only"},
      {"for %x, %x {step = 1} (%k: f64) {\n}", "for: both bounds must be one integer type"},
      {"for %n, %i {step = 1} (%k: i32) {\n}", "for: both bounds must be one integer type"},
      {"for %n, %n {step = 0} (%k: i32) {\n}", "for: a step of zero"},
      {"for %n, %n {step = 1} () {\n}", "for: the region's parameters must be the counter and the carried values"},
      {"%r = for %n, %n, %x {step = 1} (%k: i32, %a: f64) {\n} : f64", "for: the yields differ from the carried values"},
      {"%r = for %n, %n, %x {step = 1} (%k: i32, %a: f64) {\nyield %k\n} : f64", "for: the yields differ from the carried values"},
      {"%r = for %n, %n, %d {step = 1} (%k: i32, %a: buffer f64) {\nyield %a\n} : buffer f64", "for: a buffer cannot be carried"},
      {"%r = while %x (%a: f64) {\nyield %a\n} (%a: f64) {\nyield %a\n} : f64", "while: the first region yields one bool"},
      {"%r = while %x (%a: f64) {\nyield %c\n} (%a: f64) {\n} : f64", "while: the yields differ from the carried values"},
      {"%r = while %x () {\nyield %c\n} (%a: f64) {\nyield %a\n} : f64", "while: both regions take the carried values"},
      {"%r = while %d (%a: buffer f64) {\nyield %c\n} (%a: buffer f64) {\nyield %a\n} : buffer f64", "while: a buffer cannot be carried"},
      {"%r = if %n () {\nyield %x\n} () {\nyield %x\n} : f64", "if: the condition must be a bool"},
      {"%r = if %c (%a: f64) {\nyield %x\n} () {\nyield %x\n} : f64", "if: its regions take nothing"},
      {"%r = if %c () {\nyield %x\n} () {\nyield %n\n} : f64", "if: both regions must yield the same types"},
      {"%r = if %c () {\nyield %d\n} () {\nyield %d\n} : buffer f64", "if: a buffer cannot be carried"},
  };
  for (auto& [line, message] : cases) {
    const auto text = "func f(%x: f64, %s: f32, %n: i32, %i: i64, %u: u32, %c: bool, %d: buffer f64) {\n" + std::string(line) + "\n}\n";
    EXPECT_EQ(refusal([&] { parse_function(text); }), message) << line;
  }
}

TEST(Parser, SaysWhatItExpectsAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"function f() {\n}", "line 1: expected func "},
      {"func f(%x: f65) {\n}", "line 1: expected a number type"},
      {"func f(%x: f64) {\n%y = sine %x : f64\n}", "line 2: expected the name of an op"},
      {"func f(%x: f64) {\n%y = sin %z : f64\n}", "line 2: expected a defined value"},
      {"func f(%x: f64) {\n%y = sin %x : f32\n}", "line 2: expected f64 as the result's type"},
      {"func f(%x: f64) {\nsin %x\n}", "line 2: expected as many results as the op has"},
      {"func f(%x: f64) {\n%y = compare %x, %x {direction = less} : bool\n}", "line 2: expected a relation"},
      {"func f() {\n%y = constant {value = one:f64} : f64\n}", "line 2: expected a real number"},
      {"func f() {\n%y = constant {value = 1.5:i32} : i32\n}", "line 2: expected an integer"},
      {"func f() {\n", "line 1: expected a word"},
  };
  for (auto& [text, message] : cases) EXPECT_THAT(refusal([&] { parse_function(text); }), HasSubstr(message)) << text;
}

}  // namespace
}  // namespace tlaloc::ir
