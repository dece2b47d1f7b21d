// SPDX-License-Identifier: Apache-2.0
#include "transforms/simplify.hpp"

#include "pass_support.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tlaloc::ir {
namespace {

using namespace test;

void fold_and_clean(Function& f) { fold(f); eliminate_dead_code(f); }
// What the value named %r of these lines folds to, as text: an operand by name, a constant by its digits, or "op(...)".
std::string text_of(const Value* v, int depth = 3) {
  if (auto* n = constant_of(v)) return is_real(n->dtype) ? (std::signbit(n->real) ? "-" : "") + std::to_string(std::fabs(n->real)).substr(0, 5) : is_signed(n->dtype) ? std::to_string(n->as_int()) : std::to_string(n->bits);
  if (!v->def || depth == 0) return v->name;
  std::string s = std::string(v->def->kind->name);
  if (v->def->kind == &ops::compare) { const char* names[] = {"eq", "ne", "lt", "le", "gt", "ge"}; s = names[int(v->def->at(key::direction))]; }
  if (v->def->kind == &ops::cast) s += " " + text(v->def->at(key::dtype));
  s += "(";
  for (auto* o : v->def->operands) s += (s.back() == '(' ? "" : ", ") + text_of(o, depth - 1);
  return s + ")";
}
std::string folded(const std::string& type, const std::string& lines) {
  Function f = parse_function("func f(%x: " + type + ", %y: " + type + ", %c: bool, %d: bool, %m: i32, %k: i32) {\n" + lines + "\nyield %r }");
  verify(f);
  fold_and_clean(f);
  verify(f);
  return text_of(f.body->yields[0]);
}
std::string with_constant(const std::string& type, const std::string& c, const std::string& op) {
  return folded(type, "%k1 = constant {value = " + c + ":" + type + "} : " + type + "\n%r = " + op + " : " + type);
}

TEST(Fold, ConstantsOfEveryType) {
  auto binary = [](const std::string& type, const std::string& a, const std::string& op, const std::string& b) {
    return with_constant(type, a, "add %k1, %k1") != "" ? folded(type, "%p = constant {value = " + a + ":" + type + "} : " + type + "\n%q = constant {value = " + b + ":" + type + "} : " + type + "\n%r = " + op + " %p, %q : " + type) : "";
  };
  EXPECT_EQ(binary("i8", "127", "add", "1"), "-128");
  EXPECT_EQ(binary("u8", "3", "sub", "5"), "254");
  EXPECT_EQ(binary("i32", "-7", "div", "2"), "-3");
  EXPECT_EQ(binary("i32", "-7", "rem", "2"), "-1");
  EXPECT_EQ(binary("u32", "0", "sub", "1"), "4294967295");
  EXPECT_EQ(binary("i64", "9007199254740993", "mul", "1"), "9007199254740993");
  EXPECT_EQ(binary("u64", "18446744073709551615", "div", "10"), "1844674407370955161");
  EXPECT_EQ(binary("f64", "1.5", "mul", "-3"), "-4.500");
  EXPECT_EQ(binary("i32", "1", "div", "0"), "div(1, 0)") << "undefined: left to the run";
  EXPECT_EQ(binary("i32", "1", "shift_left", "40"), "shift_left(1, 40)");
  EXPECT_EQ(binary("f64", "0", "div", "0"), "div(0.000, 0.000)") << "a NaN has no portable bits";
}
TEST(Fold, LibraryFunctionsAreTheHosts) {
  Function f = parse_function(R"(func f() {
    %a = constant {value = 0.1:f64} : f64
    %b = constant {value = 0.1:f32} : f32
    %r = exp %a : f64
    %s = exp %b : f32
    yield %r, %s
  })");
  fold_and_clean(f);
  EXPECT_EQ(constant_of(f.body->yields[0])->real, std::exp(0.1));
  EXPECT_EQ(constant_of(f.body->yields[1])->real, double(std::exp(0.1f)));
}

TEST(Fold, ExactAlgebraOfReals) {
  EXPECT_EQ(with_constant("f64", "0.0", "sub %x, %k1"), "x");
  EXPECT_EQ(with_constant("f64", "-0.0", "add %x, %k1"), "x");
  EXPECT_EQ(with_constant("f64", "0.0", "add %x, %k1"), "add(x, 0.000)") << "-0.0 + 0.0 is 0.0";
  EXPECT_EQ(with_constant("f64", "0.0", "sub %k1, %x"), "sub(0.000, x)");
  EXPECT_EQ(with_constant("f64", "-0.0", "sub %k1, %x"), "neg(x)");
  EXPECT_EQ(with_constant("f64", "0.0", "mul %x, %k1"), "mul(x, 0.000)");
  EXPECT_EQ(with_constant("f64", "1", "mul %k1, %x"), "x");
  EXPECT_EQ(with_constant("f64", "-1", "mul %x, %k1"), "neg(x)");
  EXPECT_EQ(with_constant("f64", "1", "div %x, %k1"), "x");
  EXPECT_EQ(folded("f64", "%n = neg %y : f64\n%r = add %x, %n : f64"), "sub(x, y)");
  EXPECT_EQ(folded("f64", "%n = neg %y : f64\n%r = sub %x, %n : f64"), "add(x, y)");
  EXPECT_EQ(folded("f64", "%n = neg %x : f64\n%r = neg %n : f64"), "x");
  EXPECT_EQ(folded("f64", "%n = neg %x : f64\n%r = mul %n, %y : f64"), "neg(mul(x, y))");
  EXPECT_EQ(folded("f64", "%n = neg %x : f64\n%p = mul %n, %y : f64\n%r = add %y, %p : f64"), "sub(y, mul(x, y))");
  EXPECT_EQ(folded("f64", "%s = sub %x, %y : f64\n%r = neg %s : f64"), "neg(sub(x, y))") << "x - x is 0.0, its negation is not";
  EXPECT_EQ(folded("f64", "%z = constant {value = 0.0:f64} : f64\n%s = mul %x, %x : f64\n%r = add %s, %z : f64"), "mul(x, x)");
  EXPECT_EQ(folded("f64", "%r = add %x, %x : f64"), "mul(2.000, x)");
  EXPECT_EQ(folded("f64", "%n = neg %x : f64\n%r = sub %n, %x : f64"), "mul(-2.000, x)");
  EXPECT_EQ(folded("f64", "%r = sub %x, %x : f64"), "sub(x, x)") << "NaN for NaN and infinity";
}
TEST(Fold, PowersThatCompilersRewrite) {
  auto to_the = [](const std::string& c) { return with_constant("f64", c, "pow %x, %k1"); };
  auto power_of = [](const std::string& c) { return with_constant("f64", c, "pow %k1, %x"); };
  EXPECT_EQ(to_the("2"), "mul(x, x)");
  EXPECT_EQ(to_the("1"), "x");
  EXPECT_EQ(to_the("0"), "1.000");
  EXPECT_EQ(to_the("-1"), "div(1.000, x)");
  EXPECT_EQ(to_the("0.5"), "pow(x, 0.500)") << "not sqrt at -infinity and -0";
  EXPECT_EQ(to_the("3"), "pow(x, 3.000)");
  EXPECT_EQ(power_of("1"), "1.000");
  EXPECT_EQ(power_of("2"), "exp2(x)");
  EXPECT_EQ(power_of("8"), "exp2(mul(3.000, x))");
  EXPECT_EQ(power_of("0.25"), "exp2(mul(-2.000, x))");
  EXPECT_EQ(power_of("10"), "pow(10.00, x)");
  EXPECT_EQ(power_of("-2"), "pow(-2.000, x)");
}
TEST(Fold, Integers) {
  EXPECT_EQ(with_constant("i64", "0", "add %k1, %x"), "x");
  EXPECT_EQ(with_constant("i64", "0", "mul %x, %k1"), "0");
  EXPECT_EQ(with_constant("i64", "5", "add %k1, %x"), "add(x, 5)");
  EXPECT_EQ(with_constant("i64", "-5", "add %x, %k1"), "sub(x, 5)");
  EXPECT_EQ(with_constant("i64", "-9223372036854775808", "add %x, %k1"), "add(x, -9223372036854775808)");
  EXPECT_EQ(folded("i64", "%p = constant {value = 3:i64} : i64\n%q = constant {value = 5:i64} : i64\n%a = add %x, %p : i64\n%r = sub %a, %q : i64"), "sub(x, 2)");
  EXPECT_EQ(folded("i32", "%p = constant {value = 2147483647:i32} : i32\n%q = constant {value = 1:i32} : i32\n%a = add %x, %p : i32\n%r = add %a, %q : i32"),
            "add(add(x, 2147483647), 1)") << "x + -2147483648 overflows where this does not";
  EXPECT_EQ(folded("i64", "%r = sub %x, %x : i64"), "0");
  EXPECT_EQ(folded("i64", "%a = sub %x, %y : i64\n%r = add %a, %y : i64"), "x");
  EXPECT_EQ(folded("i64", "%p = constant {value = 3:i64} : i64\n%a = mul %x, %p : i64\n%r = mul %a, %p : i64"), "mul(x, 9)");
  EXPECT_EQ(folded("u32", "%p = constant {value = 1:u32} : u32\n%r = sub %x, %p : u32"), "sub(x, 1)");
  EXPECT_EQ(folded("i64", "%r = bit_and %x, %x : i64"), "x");
  EXPECT_EQ(folded("i64", "%r = bit_xor %x, %x : i64"), "0");
  EXPECT_EQ(with_constant("i32", "-1", "bit_and %x, %k1"), "x");
}
TEST(Fold, Truth) {
  auto b = [](const std::string& lines) { return folded("f64", lines); };
  EXPECT_EQ(b("%n = logical_not %c : bool\n%r = logical_not %n : bool"), "c");
  EXPECT_EQ(b("%n = logical_not %c : bool\n%r = bit_and %n, %c : bool"), "0");
  EXPECT_EQ(b("%t = constant {value = 1:bool} : bool\n%r = bit_or %c, %t : bool"), "1");
  EXPECT_EQ(b("%a = compare %m, %k {direction = lt} : bool\n%r = logical_not %a : bool"), "ge(m, k)");
  EXPECT_EQ(b("%a = compare %x, %y {direction = lt} : bool\n%r = logical_not %a : bool"), "logical_not(lt(x, y))") << "neither holds for NaN";
  EXPECT_EQ(b("%p = constant {value = 3:i32} : i32\n%r = compare %p, %m {direction = lt} : bool"), "gt(m, 3)");
  EXPECT_EQ(b("%r = compare %x, %x {direction = eq} : bool"), "eq(x, x)") << "false for NaN";
  EXPECT_EQ(b("%r = compare %m, %m {direction = le} : bool"), "1");
  EXPECT_EQ(b("%a = cast %m {dtype = i64} : i64\n%q = cast %k {dtype = i64} : i64\n%r = compare %a, %q {direction = lt} : bool"), "lt(m, k)");
  EXPECT_EQ(b("%a = cast %m {dtype = u64} : u64\n%q = cast %k {dtype = u64} : u64\n%r = compare %a, %q {direction = lt} : bool"), "lt(cast u64(m), cast u64(k))");
  EXPECT_EQ(b("%r = select %c, %x, %x : f64"), "x");
  EXPECT_EQ(b("%n = logical_not %c : bool\n%r = select %n, %x, %y : f64"), "select(c, y, x)");
  EXPECT_EQ(b("%f = constant {value = 0:bool} : bool\n%r = select %c, %d, %f : bool"), "bit_and(c, d)");
}
TEST(Fold, Casts) {
  auto through = [](const std::string& from, const std::string& between, const std::string& to) {
    return folded(from, "%a = cast %x {dtype = " + between + "} : " + between + "\n%r = cast %a {dtype = " + to + "} : " + to);
  };
  EXPECT_EQ(through("i32", "i64", "i32"), "x");
  EXPECT_EQ(through("i32", "f64", "i32"), "x");
  EXPECT_EQ(through("f32", "f64", "f32"), "x");
  EXPECT_EQ(through("i32", "f32", "i32"), "cast i32(cast f32(x))") << "f32 rounds large ones";
  EXPECT_EQ(through("f64", "f32", "f64"), "cast f64(cast f32(x))");
  EXPECT_EQ(through("u32", "i64", "f64"), "cast f64(x)");
  EXPECT_EQ(through("i32", "u32", "i64"), "cast i64(cast u32(x))");
}

TEST(Fold, SharesWithinAndBelowButNotBeside) {
  const Function f = after(fold_and_clean, R"(func f(%x: f64, %c: bool) {
    %a = sin %x : f64
    %r = if %c () {
      %b = sin %x : f64
      %e = cos %x : f64
      yield %e
    } () {
      %e = cos %x : f64
      %g = add %e, %x : f64
      %h = add %x, %e : f64
      %i = mul %g, %h : f64
      yield %i
    } : f64
    %s = sin %x : f64
    %t = add %a, %s : f64
    yield %r, %t
  })", {{number(0.3), truth(true)}, {number(0.3), truth(false)}});
  EXPECT_EQ(count(f, ops::sin), 1);
  EXPECT_EQ(count(f, ops::cos), 2);
  EXPECT_EQ(count(f, ops::add), 1) << "a + s is 2 * a";
}

TEST(Fold, MemoryWhileNothingIsWrittenBetween) {
  auto loads_left = [](const std::string& between) {
    Function f = parse_function(R"(func f(%p: buffer f64, %q: buffer f64, %i: i64, %x: f64, %c: bool) {
      %zero = constant {value = 0:i64} : i64
      %one = constant {value = 1:i64} : i64
      %at = add %i, %one : i64
      store %p, %i, %x
      )" + between + R"(
      %a = load %p, %i : f64
      %b = load %p, %i : f64
      %r = add %a, %b : f64
      yield %r
    })");
    verify(f);
    fold_and_clean(f);
    verify(f);
    return count(f, ops::load);
  };
  EXPECT_EQ(loads_left(""), 0);
  EXPECT_EQ(loads_left("store %q, %i, %x"), 0) << "distinct buffers do not overlap";
  EXPECT_EQ(loads_left("store %p, %at, %x"), 0) << "i + 1 is not i";
  EXPECT_EQ(loads_left("store %p, %zero, %x"), 1) << "i may be 0";
  EXPECT_EQ(loads_left("accum %p, %i, %x"), 1);
  EXPECT_EQ(loads_left("fill %p, %x"), 0);
  EXPECT_EQ(loads_left("call %p {callee = \"g\", results = []}"), 1);
  EXPECT_EQ(loads_left("call %q {callee = \"g\", results = []}"), 0);
  EXPECT_EQ(loads_left("if %c () { accum %p, %i, %x } () { }"), 1);
  EXPECT_EQ(loads_left("if %c () { accum %q, %i, %x } () { }"), 0);
  EXPECT_EQ(loads_left("for %zero, %i {step = 1} (%j: i64) { store %p, %j, %x }"), 1);
  EXPECT_EQ(loads_left("resize %p, %at, %x"), 1);
}
TEST(Fold, LoadsInsideALoopSeeItsWrites) {
  const Function f = after(fold_and_clean, R"(func f(%n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %k = constant {value = 1.0:f64} : f64
    %p = alloc %one {dtype = f64} : buffer f64
    store %p, %zero, %k
    for %zero, %n {step = 1} (%i: i64) {
      %a = load %p, %zero : f64
      %b = add %a, %k : f64
      store %p, %zero, %b
    }
    %r = load %p, %zero : f64
    yield %r
  })", {{i64(0)}, {i64(3)}});
  EXPECT_EQ(count(f, ops::load), 2);
}
TEST(Fold, TablesAndLengths) {
  const Function f = after(fold_and_clean, R"(func f(%n: i64) {
    %two = constant {value = 2:i64} : i64
    %t = table {dtype = i32, values = [5:i32, 6:i32, 7:i32]} : buffer i32
    %a = load %t, %two : i32
    %l = length %t : i64
    %p = alloc %n {dtype = f64} : buffer f64
    %m = length %p : i64
    yield %a, %l, %m
  })", {{i64(4)}});
  EXPECT_EQ(ops_in(f), 0) << print(f);
}

TEST(Fold, KnownConditions) {
  const Function f = after(fold_and_clean, R"(func f(%x: f64, %m: i32, %k: i32) {
    %c = compare %m, %k {direction = lt} : bool
    %r = if %c () {
      %again = compare %m, %k {direction = lt} : bool
      %not = compare %m, %k {direction = ge} : bool
      %s = if %again () {
        yield %x
      } () {
        %b = sin %x : f64
        yield %b
      } : f64
      %t = select %not, %x, %s : f64
      yield %t
    } () {
      %n = logical_not %c : bool
      %s = if %n () {
        %b = cos %x : f64
        yield %b
      } () {
        yield %x
      } : f64
      yield %s
    } : f64
    yield %r
  })", {{number(2), integer(1), integer(2)}, {number(2), integer(3), integer(2)}});
  EXPECT_EQ(count(f, ops::if_), 1);
  EXPECT_EQ(count(f, ops::sin) + count(f, ops::select) + count(f, ops::logical_not), 0);
}
TEST(Fold, LoopsThatRunNeverOrOnce) {
  const Function f = after(fold_and_clean, R"(func f(%x: f64) {
    %a = constant {value = 3:i64} : i64
    %b = constant {value = 4:i64} : i64
    %never = for %b, %a, %x {step = 1} (%i: i64, %u: f64) {
      %v = sin %u : f64
      yield %v
    } : f64
    %once = for %a, %b, %never {step = 2} (%i: i64, %u: f64) {
      %d = cast %i {dtype = f64} : f64
      %v = mul %u, %d : f64
      yield %v
    } : f64
    yield %once
  })", {{number(2)}});
  EXPECT_EQ(count(f, ops::for_) + count(f, ops::sin), 0);
  EXPECT_EQ(count(f, ops::mul), 1);
}
TEST(Fold, CarriedValuesThatNeverChangeOrGoTogether) {
  const Function f = after([](Function& g) { simplify(g); }, R"(func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %r, %s, %p, %q = for %zero, %n, %x, %x, %zero, %zero {step = 1} (%i: i64, %u: f64, %same: f64, %j: i64, %k: i64) {
      %v = mul %u, %same : f64
      %d = cast %j {dtype = f64} : f64
      %e = cast %k {dtype = f64} : f64
      %w = add %v, %d : f64
      %y = add %w, %e : f64
      %jj = add %j, %one : i64
      %kk = add %one, %k : i64
      yield %y, %same, %jj, %kk
    } : f64, f64, i64, i64
    %sum = add %p, %q : i64
    yield %r, %s, %sum
  })", {{number(2), i64(0)}, {number(2), i64(3)}});
  ASSERT_EQ(count(f, ops::for_), 1);
  EXPECT_EQ(find(f, ops::for_)->results.size(), 2u) << print(f);
}
TEST(Fold, FlagsOfAWhile) {
  // A flag that the loop sets and its test asks; what the body asks again is known.
  const Function f = after([](Function& g) { simplify(g); }, R"(func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %yes = constant {value = 1:bool} : bool
    %i, %go, %s = while %zero, %yes, %x (%i: i64, %go: bool, %s: f64) {
      %c = compare %i, %n {direction = lt} : bool
      %d = bit_and %c, %go : bool
      yield %d
    } (%i: i64, %go: bool, %s: f64) {
      %t = if %go () {
        %a = mul %s, %x : f64
        yield %a
      } () {
        %a = sin %s : f64
        yield %a
      } : f64
      %j = add %i, %one : i64
      yield %j, %go, %t
    } : i64, bool, f64
    yield %s, %i
  })", {{number(2), i64(0)}, {number(2), i64(4)}, {number(2), i64(-4)}});
  EXPECT_EQ(count(f, ops::while_) + count(f, ops::if_) + count(f, ops::sin), 0) << print(f);
  EXPECT_EQ(count(f, ops::for_), 1);
}

TEST(Fold, ShortCircuits) {
  // while (!done && i < n) { if (a && b) { if (!a) sin; if (a || done) ...; done = done || x > 4 } }
  const Function f = after([](Function& g) { simplify(g); }, R"(func f(%x: f64, %n: i64, %a: bool) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %no = constant {value = 0:bool} : bool
    %yes = constant {value = 1:bool} : bool
    %four = constant {value = 4:f64} : f64
    %i, %done, %s = while %zero, %no, %x (%i: i64, %done: bool, %s: f64) {
      %go = logical_not %done : bool
      %c = if %go () {
        %less = compare %i, %n {direction = lt} : bool
        yield %less
      } () {
        yield %no
      } : bool
      yield %c
    } (%i: i64, %done: bool, %s: f64) {
      %t = add %s, %x : f64
      %big = compare %t, %four {direction = gt} : bool
      %both = if %a () { %in = compare %i, %n {direction = lt} : bool
        %b = bit_and %in, %big : bool
        yield %b } () { yield %no } : bool
      %u = if %both () {
        %v = if %a () { yield %t } () { %w = sin %t : f64 yield %w } : f64
        yield %v
      } () {
        yield %t
      } : f64
      %after = if %big () { yield %yes } () { yield %done } : bool
      %j = add %i, %one : i64
      yield %j, %after, %u
    } : i64, bool, f64
    yield %s, %i
  })", {{number(1), i64(2), truth(true)}, {number(1.5), i64(9), truth(true)}, {number(1), i64(9), truth(false)}});
  EXPECT_EQ(count(f, ops::sin) + count(f, ops::bit_or), 0) << print(f);
}

struct CountCase { const char *type, *from, *to, *relation, *op, *step; bool counts; };
class Counting : public testing::TestWithParam<CountCase> {};
TEST_P(Counting, While) {
  const auto [type, from, to, relation, op, step, counts] = GetParam();
  const std::string t = type;
  const Function f = after([](Function& g) { simplify(g); }, "func f(%a: " + t + ", %b: " + t + ", %x: f64) {\n%k = constant {value = " + step + ":" + t + "} : " + t + R"(
    %i, %s = while %a, %x (%i: )" + t + R"(, %s: f64) {
      %c = compare %i, %b {direction = )" + relation + R"(} : bool
      yield %c
    } (%i: )" + t + R"(, %s: f64) {
      %d = cast %i {dtype = f64} : f64
      %e = mul %s, %d : f64
      %j = )" + op + " %i, %k : " + t + R"(
      yield %j, %e
    } : )" + t + R"(, f64
    yield %i, %s
  })", {{integer(std::atoi(from), parse_function("func g(%x: " + t + ") { }").body->params[0]->type.dtype), integer(std::atoi(to), parse_function("func g(%x: " + t + ") { }").body->params[0]->type.dtype), number(1.5)}});
  EXPECT_EQ(count(f, ops::for_), counts ? 1 : 0) << print(f);
  EXPECT_EQ(count(f, ops::while_), counts ? 0 : 1) << print(f);
}
INSTANTIATE_TEST_SUITE_P(Fold, Counting, testing::Values(
    CountCase{"i64", "0", "5", "lt", "add", "1", true}, CountCase{"i64", "5", "5", "lt", "add", "1", true}, CountCase{"i32", "9", "5", "lt", "add", "1", true},
    CountCase{"i32", "0", "5", "le", "add", "1", true}, CountCase{"i32", "0", "7", "lt", "add", "3", true}, CountCase{"i32", "0", "6", "lt", "add", "3", true},
    CountCase{"i32", "5", "0", "gt", "sub", "1", true}, CountCase{"i32", "5", "0", "ge", "sub", "2", true}, CountCase{"i64", "0", "4", "ne", "add", "1", true},
    CountCase{"u32", "0", "4", "lt", "add", "1", true}, CountCase{"u32", "4", "0", "gt", "sub", "1", true}, CountCase{"u64", "4", "0", "gt", "sub", "1", true},
    CountCase{"u32", "4", "0", "ne", "sub", "1", false}, CountCase{"u32", "0", "5", "lt", "add", "2", false}, CountCase{"i64", "0", "4", "ne", "add", "2", false}));

TEST(Fold, TruthResultsBecomeLogic) {
  const Function f = after(fold_and_clean, R"(func f(%x: f64, %c: bool, %d: bool) {
    %yes = constant {value = 1:bool} : bool
    %r, %s = if %c () {
      %a = sin %x : f64
      yield %yes, %a
    } () {
      yield %d, %x
    } : bool, f64
    yield %r, %s
  })", {{number(2), truth(true), truth(false)}, {number(2), truth(false), truth(false)}, {number(2), truth(false), truth(true)}});
  EXPECT_EQ(find(f, ops::if_)->results.size(), 1u);
  EXPECT_EQ(count(f, ops::bit_or), 1);
}

}  // namespace
}  // namespace tlaloc::ir
