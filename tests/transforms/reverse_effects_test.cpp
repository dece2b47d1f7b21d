// SPDX-License-Identifier: Apache-2.0
//
// Reverse mode and what happens besides numbers: calls, recursion, outputs, parameters that are written, vectors, refusals.
#include "transforms/reverse_support.hpp"
#include "transforms/simplify.hpp"

using namespace tlaloc::ir;

namespace {

const std::vector<double> xs{0.3, -0.7, 0.9, 0.25, -0.4};

// Two functions that call each other, one of them in a loop; the array is written by both.
TEST(ReverseEffects, MutualRecursionThroughMemory) {
  agrees_in_every_mode(R"(func even(%n: i32, %a: buffer f64[3], %x: f64) {
    %zero = constant {value = 0:i32} : i32
    %c = compare %n, %zero {direction = gt} : bool
    %r = if %c () {
      %one = constant {value = 1:i32} : i32
      %i = constant {value = 1:i64} : i64
      %m = sub %n, %one : i32
      %e = load %a, %i : f64
      %p = mul %e, %x : f64
      %s = sin %p : f64
      accum %a, %i, %s
      %y = call %m, %a, %s {callee = "odd", results = [f64]} : f64
      %q = mul %y, %e : f64
      yield %q
    } () {
      yield %x
    } : f64
    yield %r
  }
  func odd(%n: i32, %a: buffer f64[3], %x: f64) {
    %i = constant {value = 0:i64} : i64
    %one = constant {value = 1:i32} : i32
    %m = sub %n, %one : i32
    %e = load %a, %i : f64
    %p = mul %e, %x : f64
    store %a, %i, %p
    %y = call %m, %a, %p {callee = "even", results = [f64]} : f64
    %z = load %a, %i : f64
    %w = mul %y, %z : f64
    yield %w
  }
  func f(%a: buffer f64[3], %x: f64) {
    %zero = constant {value = 0:i32} : i32
    %three = constant {value = 3:i32} : i32
    %s.1 = for %zero, %three, %x {step = 1} (%i: i32, %s: f64) {
      %y = call %i, %a, %s {callee = "even", results = [f64]} : f64
      %k = cast %i {dtype = i64} : i64
      %e = load %a, %k : f64
      %t = add %y, %e : f64
      yield %t
    } : f64
    yield %s.1
  })", {std::vector<double>{0.6, 0.9, -0.3}, 0.7}, {0, 1});
}
TEST(ReverseEffects, LocalArrayPassedToACallInALoop) {
  agrees_in_every_mode(R"(func g(%n: i32, %a: buffer f64, %x: f64) {
    %zero = constant {value = 0:i64} : i64
    %e = load %a, %zero : f64
    %p = mul %e, %x : f64
    %q = sin %p : f64
    store %a, %zero, %q
    yield %p
  }
  func f(%n: i32, %x: buffer f64) {
    %from = constant {value = 0:i32} : i32
    %first = constant {value = 0:i64} : i64
    %two = constant {value = 2:i64} : i64
    %start = constant {value = 1.0:f64} : f64
    %s.1 = for %from, %n, %start {step = 1} (%i: i32, %s: f64) {
      %k = cast %i {dtype = i64} : i64
      %e = load %x, %k : f64
      %a = alloc %two {dtype = f64} : buffer f64
      store %a, %first, %e
      %y = call %i, %a, %s {callee = "g", results = [f64]} : f64
      %z = load %a, %first : f64
      %t = mul %z, %y : f64
      %u = add %t, %e : f64
      yield %u
    } : f64
    yield %s.1
  })", {5.0, xs}, {1});
}
TEST(ReverseEffects, InOutParameters) {
  // y = x y elementwise in place, twice, then a result from it; both the result and the final contents have cotangents.
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64, %y: buffer f64[5]) {
    %from = constant {value = 0:i32} : i32
    %two = constant {value = 2:i32} : i32
    %zero = constant {value = 0.0:f64} : f64
    for %from, %two {step = 1} (%r: i32) {
      for %from, %n {step = 1} (%i: i32) {
        %k = cast %i {dtype = i64} : i64
        %a = load %x, %k : f64
        %b = load %y, %k : f64
        %p = mul %a, %b : f64
        %q = sin %p : f64
        store %y, %k, %q
      }
    }
    %s.1 = for %from, %n, %zero {step = 1} (%i: i32, %s: f64) {
      %k = cast %i {dtype = i64} : i64
      %b = load %y, %k : f64
      %p = mul %b, %b : f64
      %t = add %s, %p : f64
      yield %t
    } : f64
    yield %s.1
  })", {5.0, xs, std::vector<double>{1, 2, 3, 4, 5}}, {1, 2});
}
TEST(ReverseEffects, OutputParameterAlone) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64, %y: buffer f64) {
    %from = constant {value = 0:i32} : i32
    for %from, %n {step = 1} (%i: i32) {
      %k = cast %i {dtype = i64} : i64
      %a = load %x, %k : f64
      %e = exp %a : f64
      store %y, %k, %e
    }
  })", {5.0, xs, std::vector<double>(5)}, {1, 2});
}
TEST(ReverseEffects, GrowingVector) {
  agrees_in_every_mode(R"(func f(%n: i32, %x: buffer f64) {
    %from = constant {value = 0:i32} : i32
    %none = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %zero = constant {value = 0.0:f64} : f64
    %v = alloc %none {dtype = f64} : buffer f64
    for %from, %n {step = 1} (%i: i32) {
      %k = cast %i {dtype = i64} : i64
      %a = load %x, %k : f64
      %s = sin %a : f64
      %c = compare %a, %zero {direction = gt} : bool
      if %c () {
        append %v, %s
        append %v, %a
      } () {
      }
    }
    %last = pop %v : f64
    %l = length %v : i64
    %more = add %l, %one : i64
    %filler = mul %last, %last : f64
    resize %v, %more, %filler
    %m = length %v : i64
    %s.1 = for %none, %m, %zero {step = 1} (%k: i64, %s: f64) {
      %b = load %v, %k : f64
      %p = mul %b, %b : f64
      %t = add %s, %p : f64
      yield %t
    } : f64
    yield %s.1
  })", {5.0, xs}, {1});
}
TEST(ReverseEffects, SmallFloats) {
  Program p = parse(R"(func f(%x: f32, %y: f64) {
    %a = cast %x {dtype = f64} : f64
    %b = mul %a, %y : f64
    %c = cast %b {dtype = f32} : f32
    %d = mul %c, %x : f32
    yield %d
  })");
  ReverseOptions o;
  o.wanted = {0, 1};
  const Function g = reverse(p, p.functions.front(), o, "g");
  verify(g, &p);
  const Argument in[] = {Number::of(DType::f32, 0.5), Number::of(DType::f64, 3.0)};
  const auto d = interpret(p, g, in);
  ASSERT_EQ(d.size(), 2u);
  EXPECT_EQ(d[0].dtype, DType::f32);
  EXPECT_EQ(d[0].real, 3.0);                       // 2 x y
  EXPECT_EQ(d[1].dtype, DType::f64);
  EXPECT_EQ(d[1].real, 0.25);                      // x x
}
/// What is printed, as text.
std::vector<std::string> outputs(const Program& p, const Function& f, std::span<const Argument> in) {
  std::vector<std::string> lines;
  interpret(p, f, in, [&](const Op& op, std::span<const Number> args) {
    std::string s = op.at(key::format);
    for (auto& n : args) s += " " + std::to_string(n.as_double());
    lines.push_back(s);
  });
  return lines;
}
TEST(ReverseEffects, OutputsHappenOnceAndInOrder) {
  const char* text = R"(func g(%x: f64, %n: i32) {
    output %x, %n {callee = "printf", format = "g"}
    %zero = constant {value = 0:i32} : i32
    %c = compare %n, %zero {direction = gt} : bool
    %r = if %c () {
      %one = constant {value = 1:i32} : i32
      %m = sub %n, %one : i32
      %s = sin %x : f64
      %y = call %s, %m {callee = "g", results = [f64]} : f64
      yield %y
    } () {
      yield %x
    } : f64
    output %r {callee = "printf", format = "back"}
    yield %r
  }
  func f(%n: i32, %x: f64) {
    %from = constant {value = 0:i32} : i32
    %s.1 = for %from, %n, %x {step = 1} (%i: i32, %s: f64) {
      %c = mul %s, %s : f64
      output %i, %c {callee = "printf", format = "turn"}
      %y = call %c, %i {callee = "g", results = [f64]} : f64
      %w.1 = while %i (%w: i32) {
        output %w {callee = "printf", format = "test"}
        %b = compare %w, %from {direction = gt} : bool
        yield %b
      } (%w: i32) {
        %one = constant {value = 1:i32} : i32
        %v = sub %w, %one : i32
        yield %v
      } : i32
      %e = exp %y : f64
      yield %e
    } : f64
    output %s.1 {callee = "printf", format = "end"}
    yield %s.1
  })";
  for (int mode = 0; mode < 3; ++mode) {
    Program p = parse(text);
    const Argument in[] = {integer(3), number(0.3)};
    const auto expected = outputs(p, *p.find("f"), in);
    ReverseOptions o;
    o.wanted = {1};
    ReverseTuning t;
    t.replay = [&](int) { return mode == 1; };
    const Function g = mode == 2 ? reverse(p, *p.find("f"), o, "d") : reverse_tuned(p, *p.find("f"), o, t, "d");
    EXPECT_EQ(outputs(p, g, in), expected) << print(g);
  }
  agrees_in_every_mode(text, {3.0, 0.3}, {1});
}
// The branch that is not taken has an infinite partial: it must not be multiplied by zero.
TEST(ReverseEffects, BranchesStayBranches) {
  Program p = parse(R"(func f(%x: f64) {
    %zero = constant {value = 0.0:f64} : f64
    %c = compare %x, %zero {direction = gt} : bool
    %r = if %c () {
      %s = sqrt %x : f64
      yield %s
    } () {
      %m = neg %x : f64
      yield %m
    } : f64
    yield %r
  })");
  ReverseOptions o;
  o.wanted = {0};
  const Function g = reverse(p, p.functions.front(), o, "g");
  EXPECT_EQ(interpret(p, g, std::vector<Argument>{number(0.0)})[0].real, -1);
}
std::string refusal(std::string_view text, const std::vector<int>& wanted) {
  Program p = parse(text);
  ReverseOptions o;
  o.wanted = wanted;
  try { reverse(p, p.functions.back(), o, "g"); } catch (Refusal& r) { return r.code + " " + std::to_string(r.where.line) + " " + r.what(); }
  return "accepted";
}
TEST(ReverseEffects, StoreWithoutShadowIsRefused) {
  const char* text = R"(func f(%x: f64, %y: buffer f64) {
    %k = constant {value = 0:i64} : i64
    %p = mul %x, %x : f64
    store %y, %k, %p at "f.cpp":7:3 "y[0] = x * x;"
    yield %p
  })";
  EXPECT_EQ(refusal(text, {0}).substr(0, 20), "NOT_DIFFERENTIABLE 7");
  EXPECT_EQ(refusal(text, {0, 1}), "accepted");
}
TEST(ReverseEffects, CallWithoutBodyIsRefused) {
  EXPECT_EQ(refusal(R"(func f(%x: f64) {
    %p = call %x {callee = "outside", results = [f64]} : f64 at "f.cpp":3:3 "outside"
    yield %p
  })", {0}).substr(0, 20), "NOT_DIFFERENTIABLE 3");
}
// Differentiating a derivative: its kept arrays, stacks and reverse loops are programs like any other.
TEST(ReverseEffects, DerivativeOfADerivative) {
  Program p = parse(R"(func f(%n: i32, %a: f64, %y0: f64) {
    %from = constant {value = 0:i32} : i32
    %limit = constant {value = 3.0:f64} : f64
    %y.1 = for %from, %n, %y0 {step = 1} (%i: i32, %y: f64) {
      %ay = mul %a, %y : f64
      %s = sin %ay : f64
      %z = add %s, %y : f64
      yield %z
    } : f64
    %w.1 = while %y.1 (%w: f64) {
      %c = compare %w, %limit {direction = lt} : bool
      yield %c
    } (%w: f64) {
      %e = mul %w, %w : f64
      %g = exp %a : f64
      %h = add %e, %g : f64
      yield %h
    } : f64
    yield %w.1
  })");
  ReverseOptions o;
  o.wanted = {1};
  p.add(reverse(p, *p.find("f"), o, "df"));
  EXPECT_TRUE(agrees(p, *p.find("df"), {4.0, 0.7, 0.4}, {1, 2}));
}

}  // namespace
