// SPDX-License-Identifier: Apache-2.0
//
// Which loops of adjoint code become one, and that what they give stays right.
#include "transforms/pass_support.hpp"
#include "transforms/reverse_support.hpp"

using namespace tlaloc::ir;

namespace {

int adjoint_loops(const char* text, const std::vector<int>& wanted) {
  Program p = parse(text);
  const Function g = reverse(p, p.functions.back(), {wanted}, "g");
  int n = 0;
  walk(*g.body, [&](Op* op) { n += op->kind == &ops::for_ && op->where.adjoint; });
  return n;
}

// a[i] = x[i]^2, then b[i] = a[<index>] x[i], then the sum of b[i]^2.
std::string chain(const std::string& index) {
  return R"(func f(%n: i64, %x: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %none = constant {value = 0.0:f64} : f64
    %a = alloc %n {dtype = f64} : buffer f64
    %b = alloc %n {dtype = f64} : buffer f64
    for %zero, %n {step = 1} (%i: i64) {
      %e = load %x, %i : f64
      %q = mul %e, %e : f64
      store %a, %i, %q
    }
    for %zero, %n {step = 1} (%i: i64) {
      %last = sub %n, %one : i64
      %mirrored = sub %last, %i : i64
      %e = load %a, %)" + index + R"( : f64
      %y = load %x, %i : f64
      %q = mul %e, %y : f64
      store %b, %i, %q
    }
    %s.1 = for %zero, %n, %none {step = 1} (%i: i64, %s: f64) {
      %e = load %b, %i : f64
      %q = mul %e, %e : f64
      %t = add %s, %q : f64
      yield %t
    } : f64
    yield %s.1
  })";
}
TEST(Fuse, SameElementInTheSameTurn) {
  const std::string text = chain("i");
  EXPECT_EQ(adjoint_loops(text.c_str(), {1}), 1);
  for (double n : {0.0, 1.0, 6.0}) agrees_in_every_mode(text, {n, wave(6)}, {1});
}
// The adjoint of a[n - 1 - i] is complete only when all of the second loop's adjoint has run.
TEST(Fuse, ElementOfAnotherTurnKeepsLoopsApart) {
  const std::string text = chain("mirrored");
  EXPECT_EQ(adjoint_loops(text.c_str(), {1}), 2);
  for (double n : {0.0, 1.0, 2.0, 5.0, 6.0}) agrees_in_every_mode(text, {n, wave(6)}, {1});
}

}  // namespace
