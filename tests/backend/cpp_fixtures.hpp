// SPDX-License-Identifier: Apache-2.0
//
// Small programs that were hard to print right, each with the calls that tell.
#pragma once

#include "backend/compiled.hpp"

namespace tlaloc::ir::test {

struct Fixture { const char* text; std::vector<Call> calls; };

inline std::vector<Fixture> fixtures() {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Fixture> all;
  auto add = [&](const char* text, std::vector<Call> calls) { all.push_back({text, std::move(calls)}); };

  add(R"(func loop(%n: i32, %a: f64, %b: f64, %start: f64) {
  %c0 = constant {value = 0:i32} : i32
  %zero = constant {value = 0:f64} : f64
  %y.1, %sum.1 = for %c0, %n, %start, %zero {step = 1} (%i: i32, %y: f64, %sum: f64) {
    %.3 = mul %a, %y : f64
    %.4 = sin %.3 : f64
    %.5 = neg %y : f64
    %.6 = mul %.5, %y : f64
    %.7 = exp %.6 : f64
    %.8 = mul %b, %.7 : f64
    %y.2 = add %.4, %.8 : f64
    %sum.2 = add %sum, %y.2 : f64
    yield %y.2, %sum.2
  } : f64, f64
  %.9 = cast %n {dtype = f64} : f64
  %.10 = div %sum.1, %.9 : f64
  yield %.10
})", {{"loop", {integer(20), number(0.7), number(1.1), number(0.3)}}, {"loop", {integer(1), number(2), number(1e-3), number(-4)}}});

  // Sums and products grouped to the right, and a reciprocal that is no division.
  add(R"(func grouped(%a: f64, %b: f64, %c: f64) {
  %.1 = add %b, %c : f64
  %.2 = add %a, %.1 : f64
  %.3 = mul %b, %c : f64
  %.4 = mul %a, %.3 : f64
  %.5 = sub %a, %b : f64
  %.6 = sub %c, %.5 : f64
  %.7 = div %a, %b : f64
  %.8 = div %c, %.7 : f64
  %.9 = constant {value = 1:f64} : f64
  %.10 = div %.9, %b : f64
  %.11 = mul %a, %.10 : f64
  %.12 = neg %.4 : f64
  %.13 = sub %.2, %.12 : f64
  %.14 = neg %.5 : f64
  %.15 = neg %.14 : f64
  yield %.2, %.4, %.6, %.8, %.11, %.13, %.15
})", {{"grouped", {number(0.1), number(0.7), number(-1e-3)}}, {"grouped", {number(1e300), number(1e-300), number(3)}}, {"grouped", {number(-0.0), number(inf), number(nan)}}});

  // Carried values that change places.
  add(R"(func places(%n: i32, %a: f64, %b: f64, %c: f64) {
  %c0 = constant {value = 0:i32} : i32
  %p.1, %q.1 = for %c0, %n, %a, %b {step = 1} (%i: i32, %p: f64, %q: f64) {
    %.1 = add %p, %q : f64
    yield %q, %.1
  } : f64, f64
  %x.1, %y.1, %z.1 = for %c0, %n, %a, %b, %c {step = 1} (%j: i32, %x: f64, %y: f64, %z: f64) {
    %.2 = sub %z, %x : f64
    yield %y, %.2, %x
  } : f64, f64, f64
  %u.1, %v.1 = for %c0, %n, %b, %a {step = 1} (%k: i32, %u: f64, %v: f64) {
    yield %v, %u
  } : f64, f64
  yield %p.1, %q.1, %x.1, %y.1, %z.1, %u.1, %v.1
})", {{"places", {integer(7), number(1), number(2), number(5)}}, {"places", {integer(0), number(1), number(2), number(5)}}});

  // A value read before its memory changes, and one read after.
  add(R"(func over(%i: i32, %x: buffer f64, %k: f64) {
  %.1 = cast %i {dtype = i64} : i64
  %old = load %x, %.1 : f64
  %.2 = load %x, %.1 : f64
  %.3 = mul %.2, %k : f64
  store %x, %.1, %k
  %.4 = load %x, %.1 : f64
  %.5 = add %.3, %.4 : f64
  %one = constant {value = 1:i64} : i64
  store %x, %one, %.5
  %.6 = neg %k : f64
  accum %x, %one, %.6
  yield %old, %.3
})", {{"over", {integer(2), reals({1, 2, 3}), number(10)}}, {"over", {integer(1), reals({1, 2, 3}), number(-0.1)}}});

  add(R"(func literals(%x: f64, %f: f32, %n: i32) {
  %.1 = constant {value = inf:f64} : f64
  %.2 = constant {value = nan:f64} : f64
  %.3 = constant {value = -0:f64} : f64
  %.4 = constant {value = 5e-324:f64} : f64
  %.5 = constant {value = 1e+300:f64} : f64
  %.6 = constant {value = -2147483648:i32} : i32
  %.7 = constant {value = -9223372036854775808:i64} : i64
  %.8 = constant {value = 18446744073709551615:u64} : u64
  %.9 = constant {value = 4294967295:u32} : u32
  %.10 = constant {value = 0.1:f32} : f32
  %.11 = mul %f, %.10 : f32
  %.12 = sin %.11 : f32
  %.13 = cast %.12 {dtype = f64} : f64
  %.14 = mul %x, %.13 : f64
  %.15 = constant {value = -inf:f32} : f32
  %.16 = constant {value = -3:i64} : i64
  %.17 = cast %n {dtype = i64} : i64
  %.18 = constant {value = 4000000000:i64} : i64
  %.19 = mul %.17, %.18 : i64
  %.20 = constant {value = 1:i64} : i64
  %.21 = sub %.17, %.20 : i64
  %.22 = cast %.8 {dtype = f64} : f64
  %.23 = add %.3, %x : f64
  yield %.1, %.2, %.3, %.4, %.5, %.6, %.7, %.8, %.9, %.11, %.12, %.14, %.15, %.16, %.19, %.21, %.22, %.23
})", {{"literals", {number(0.3), Number::of(DType::f32, 0.7), integer(5)}}, {"literals", {number(-0.0), Number::of(DType::f32, 1e30), integer(-2147483648)}}});

  // Integers narrower than int wrap at their own width.
  add(R"(func narrow(%a: u8, %b: i8, %c: u16, %d: i16, %e: u32) {
  %.1 = add %a, %a : u8
  %.2 = mul %b, %b : i8
  %.3 = mul %c, %c : u16
  %.4 = sub %d, %d : i16
  %.5 = neg %b : i8
  %.6 = bit_not %a : u8
  %s = constant {value = 3:u8} : u8
  %.7 = shift_left %a, %s : u8
  %two = constant {value = 2:i8} : i8
  %.8 = shift_right %b, %two : i8
  %.9 = mul %e, %e : u32
  %.10 = compare %.1, %a {direction = lt} : bool
  %.11 = div %b, %.5 : i8
  %.12 = cast %.3 {dtype = i8} : i8
  %.13 = neg %e : u32
  %.14 = cast %b {dtype = u64} : u64
  yield %.1, %.2, %.3, %.4, %.5, %.6, %.7, %.8, %.9, %.10, %.11, %.12, %.13, %.14
})", {{"narrow", {integer(200, DType::u8), integer(-100, DType::i8), integer(65535, DType::u16), integer(-30000, DType::i16), integer(4000000000, DType::u32)}}});

  add(R"(func counts(%n: u32, %m: i32) {
  %z = constant {value = 0:u32} : u32
  %f0 = constant {value = 0:f64} : f64
  %down.1 = for %n, %z, %f0 {step = -2} (%i: u32, %down: f64) {
    %.1 = cast %i {dtype = f64} : f64
    %.2 = add %down, %.1 : f64
    yield %.2
  } : f64
  %.3 = constant {value = -1:i32} : i32
  %.4 = constant {value = 1:i32} : i32
  %.5 = sub %m, %.4 : i32
  %three = constant {value = 3:i32} : i32
  %up.1 = for %.3, %m, %f0 {step = 3} (%j: i32, %up: f64) {
    %.6 = cast %j {dtype = f64} : f64
    %.7 = add %up, %.6 : f64
    yield %.7
  } : f64
  %back.1 = for %.5, %.3, %f0 {step = -1} (%k: i32, %back: f64) {
    %.8 = cast %k {dtype = f64} : f64
    %.9 = sub %back, %.8 : f64
    yield %.9
  } : f64
  yield %down.1, %up.1, %back.1
})", {{"counts", {integer(9, DType::u32), integer(10)}}, {"counts", {integer(4, DType::u32), integer(0)}}, {"counts", {integer(0, DType::u32), integer(-5)}}});

  // A loop left early, its test cut short, and a chain of ifs.
  add(R"(func early(%x: buffer f64, %n: i32, %limit: f64) {
  %c0 = constant {value = 0:i32} : i32
  %one = constant {value = 1:i32} : i32
  %no = constant {value = 0:bool} : bool
  %f0 = constant {value = 0:f64} : f64
  %i.1, %s.1, %broken.1 = while %c0, %f0, %no (%i: i32, %s: f64, %broken: bool) {
    %go = if %broken () {
      %.1 = constant {value = 0:bool} : bool
      yield %.1
    } () {
      %.2 = compare %i, %n {direction = lt} : bool
      yield %.2
    } : bool
    yield %go
  } (%i: i32, %s: f64, %broken: bool) {
    %.3 = cast %i {dtype = i64} : i64
    %xi = load %x, %.3 : f64
    %.4 = compare %xi, %limit {direction = gt} : bool
    %s.2, %broken.2 = if %.4 () {
      %.5 = constant {value = 1:bool} : bool
      yield %s, %.5
    } () {
      %.6 = add %s, %xi : f64
      yield %.6, %broken
    } : f64, bool
    %.7 = add %i, %one : i32
    yield %.7, %s.2, %broken.2
  } : i32, f64, bool
  %at = constant {value = 0:i64} : i64
  %.8 = compare %s.1, %limit {direction = lt} : bool
  %kind = if %.8 () {
    %.9 = constant {value = 1:i32} : i32
    store %x, %at, %s.1
    yield %.9
  } () {
    %.10 = compare %s.1, %f0 {direction = eq} : bool
    %k2 = if %.10 () {
      %.11 = constant {value = 2:i32} : i32
      store %x, %at, %limit
      yield %.11
    } () {
      %.12 = constant {value = 3:i32} : i32
      accum %x, %at, %limit
      yield %.12
    } : i32
    yield %k2
  } : i32
  yield %s.1, %kind, %i.1
})", {{"early", {reals({1, 2, 9, 4}), integer(4), number(5)}}, {"early", {reals({1, 2, 3, 4}), integer(4), number(5)}}, {"early", {reals({9, 2, 3, 4}), integer(4), number(0)}}});

  // Calls: several results, recursion through two functions, buffers written and resized by the callee.
  add(R"(func sums(%x: buffer f64, %n: i32, %scale: f64) -> ["sum", "squares"] {
  %c0 = constant {value = 0:i32} : i32
  %f0 = constant {value = 0:f64} : f64
  %s.1, %q.1 = for %c0, %n, %f0, %f0 {step = 1} (%i: i32, %s: f64, %q: f64) {
    %.1 = cast %i {dtype = i64} : i64
    %xi = load %x, %.1 : f64
    %.2 = add %s, %xi : f64
    %.3 = mul %xi, %xi : f64
    %.4 = add %q, %.3 : f64
    %.5 = mul %xi, %scale : f64
    store %x, %.1, %.5
    yield %.2, %.4
  } : f64, f64
  yield %s.1, %q.1
}
func even(%n: i32) {
  %c0 = constant {value = 0:i32} : i32
  %one = constant {value = 1:i32} : i32
  %.1 = compare %n, %c0 {direction = eq} : bool
  %r = if %.1 () {
    yield %one
  } () {
    %.2 = sub %n, %one : i32
    %.3 = call %.2 {callee = "odd", results = [i32]} : i32
    yield %.3
  } : i32
  yield %r
}
func odd(%n: i32) {
  %c0 = constant {value = 0:i32} : i32
  %one = constant {value = 1:i32} : i32
  %.1 = compare %n, %c0 {direction = eq} : bool
  %r = if %.1 () {
    yield %c0
  } () {
    %.2 = sub %n, %one : i32
    %.3 = call %.2 {callee = "even", results = [i32]} : i32
    yield %.3
  } : i32
  yield %r
}
func push(%v: buffer f64, %x: f64) {
  append %v, %x
  %.1 = neg %x : f64
  append %v, %.1
}
func calls(%x: buffer f64, %n: i32, %k: f64) {
  %z = constant {value = 0:i64} : i64
  %.1 = load %x, %z : f64
  %sum, %squares = call %x, %n, %k {callee = "sums", results = [f64, f64]} : f64, f64
  %.2 = load %x, %z : f64
  %.3 = mul %.1, %.2 : f64
  %.4 = add %sum, %squares : f64
  %.5 = call %n {callee = "even", results = [i32]} : i32
  %none = constant {value = 0:i64} : i64
  %v = alloc %none {dtype = f64} : buffer f64
  call %v, %.3 {callee = "push", results = []}
  call %v, %.4 {callee = "push", results = []}
  %last = pop %v : f64
  %count = length %v : i64
  %c0 = constant {value = 0:i32} : i32
  %.6, %.7 = call %v, %c0, %k {callee = "sums", results = [f64, f64]} : f64, f64
  yield %.3, %.4, %.5, %last, %count
})", {{"calls", {reals({1, 2, 3}), integer(3), number(0.5)}}, {"calls", {reals({-1, 2, 3}), integer(2), number(3)}}});

  // Memory: taken again in every turn, sizes that differ from turn to turn, growth, tables, fills.
  add(R"(func rooms(%n: i32, %x: f64) {
  %c0 = constant {value = 0:i32} : i32
  %zero = constant {value = 0:i64} : i64
  %one = constant {value = 1:i64} : i64
  %f0 = constant {value = 0:f64} : f64
  %primes = table {dtype = i32, values = [2:i32, 3:i32, 5:i32, 7:i32]} : buffer i32
  %kept = alloc %zero {dtype = f64} : buffer f64
  %four = constant {value = 4:i64} : i64
  %small = alloc %four {dtype = f64} : buffer f64
  fill %small, %x
  %s.1 = for %c0, %n, %f0 {step = 1} (%i: i32, %s: f64) {
    %i64 = cast %i {dtype = i64} : i64
    %.1 = mul %i64, %i64 : i64
    %.2 = mul %.1, %.1 : i64
    %size = add %.2, %one : i64
    %a = alloc %size {dtype = f64} : buffer f64
    fill %a, %x
    %b = alloc %size {dtype = i32} : buffer i32
    store %b, %zero, %i
    %last = sub %size, %one : i64
    accum %a, %last, %x
    append %kept, %x
    %.3 = load %a, %last : f64
    %.4 = load %b, %zero : i32
    %.5 = cast %.4 {dtype = f64} : f64
    %.6 = add %.3, %.5 : f64
    %.7 = add %s, %.6 : f64
    %four64 = constant {value = 4:i64} : i64
    %.8 = rem %i64, %four64 : i64
    accum %small, %.8, %.7
    %.9 = load %primes, %.8 : i32
    %.10 = cast %.9 {dtype = f64} : f64
    %.11 = add %.7, %.10 : f64
    yield %.11
  } : f64
  %two = constant {value = 2:i64} : i64
  resize %kept, %two, %s.1
  %len = length %kept : i64
  %.12 = load %kept, %one : f64
  %.13 = pop %kept : f64
  fill %kept, %s.1
  %.14 = load %kept, %zero : f64
  %.15 = load %small, %one : f64
  yield %s.1, %len, %.12, %.13, %.14, %.15
})", {{"rooms", {integer(9), number(0.5)}}, {"rooms", {integer(1), number(2)}}, {"rooms", {integer(0), number(2)}}});

  // A function that the standard library lacks.
  add(R"(func helped(%x: f64, %f: f32) {
  %.1 = digamma %x : f64
  %.2 = digamma %f : f32
  %.3 = polygamma %x {order = 2} : f64
  yield %.1, %.2, %.3
})", {{"helped", {number(2.5), Number::of(DType::f32, 0.3)}}, {"helped", {number(-1.5), Number::of(DType::f32, 20)}}});
  return all;
}

}  // namespace tlaloc::ir::test
