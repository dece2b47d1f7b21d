// SPDX-License-Identifier: Apache-2.0
//
// Which loops take two turns at once, and that no bit of what they compute changes.
#include "transforms/jam.hpp"
#include "transforms/pass_support.hpp"
#include "transforms/reverse_support.hpp"

using namespace tlaloc::ir;

namespace {

int twos(const Function& f) {
  int n = 0;
  walk(*f.body, [&](Op* op) { n += op->kind == &ops::for_ && op->at(key::step) == 2; });
  return n;
}
/// y[<at>] += a[j, i] * x[j] for i from <from> to <to>, for j from 0 to n; the rows of a have m elements.
std::string product(const std::string& from, const std::string& to, const std::string& at = "i", const std::string& factor = "x", const std::string& also = "") {
  return R"(func f(%n: i64, %m: i64, %a: buffer f64, %x: buffer f64, %y: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    for %zero, %n {step = 1} (%j: i64) {
      %row = mul %j, %m : i64
      %next = add %j, %one : i64
      %b = load %)" + factor + R"(, %j : f64
      for %)" + from + ", %" + to + R"( {step = 1} (%i: i64) {
        %k = add %row, %i : i64
        %mirrored = sub %m, %next : i64
        %shifted = add %i, %j : i64
        %e = load %a, %k : f64
        %c = mul %e, %b : f64
        accum %y, %)" + at + ", %c" + also + R"(
      }
    }
  })";
}
/// Runs the text with and without the pass: what is in y must have the same bits. Returns the loops of two turns.
int jammed(const std::string& text, std::size_t rows, std::size_t columns) {
  Program p = parse(text);
  const Function& f = p.functions.back();
  Function g = copy(f, "g");
  jam_loops(p, g);
  verify(g, &p);
  for (std::size_t n = 0; n <= rows; ++n) for (std::size_t m = 0; m <= columns; ++m) {
    std::vector<std::vector<Number>> after;
    for (auto* which : {&f, static_cast<const Function*>(&g)}) {
      auto args = make(*which, {double(n), double(m), wave(rows * columns), wave(rows + columns), std::vector<double>(rows + columns, 0.1)});
      interpret(p, *which, args);
      after.push_back(std::get<std::shared_ptr<Memory>>(args[4])->data);
    }
    EXPECT_EQ(after[0], after[1]) << n << " by " << m << print(g);
  }
  return twos(g);
}

TEST(Jam, Rectangle) { EXPECT_EQ(jammed(product("zero", "m"), 7, 5), 1); }
TEST(Jam, Triangle) { EXPECT_EQ(jammed(product("next", "m"), 6, 6), 1); }
TEST(Jam, TriangleOfMoreRowsThanColumns) { EXPECT_EQ(jammed(product("j", "m"), 8, 5), 1); }
TEST(Jam, TriangleThatShrinksFromAboveStays) { EXPECT_EQ(jammed(product("zero", "j"), 6, 6), 0); }
TEST(Jam, ElementsThatMoveWithTheOuterLoopStay) { EXPECT_EQ(jammed(product("zero", "m", "shifted"), 6, 6), 0); }
TEST(Jam, OneElementForAllTurnsStays) { EXPECT_EQ(jammed(product("zero", "m", "zero"), 6, 6), 0); }
TEST(Jam, SumsThatTheLoopReadsStay) { EXPECT_EQ(jammed(product("zero", "m", "i", "y"), 6, 6), 0); }
TEST(Jam, OtherWritesStay) { EXPECT_EQ(jammed(product("zero", "m", "i", "x", "\n        store %a, %k, %c"), 6, 6), 0); }

// The product of a triangular matrix in a loop over points: it is replayed there.
TEST(Jam, InAGradient) {
  const std::string text = triangle("store %y, %i, %none");
  Program p = parse(text);
  EXPECT_EQ(twos(reverse(p, p.functions.back(), {{1, 2}}, "g")), 1);
  for (std::size_t n = 0; n < 10; ++n) agrees_in_every_mode(text, {double(n), wave(n * n), wave(n)}, {1, 2});
}

}  // namespace
