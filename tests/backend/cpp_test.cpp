// SPDX-License-Identifier: Apache-2.0
//
// The printed C++: how it looks, and that it means what the representation means.
#include "backend/compiled.hpp"
#include "backend/cpp_fixtures.hpp"
#include "backend/random_function.hpp"

#include "ir/ops.hpp"
#include "transforms/simplify.hpp"

#include <gmock/gmock.h>

namespace {

using namespace tlaloc::ir;
using namespace tlaloc::ir::test;
using testing::HasSubstr;
using testing::Not;

std::string body_of(const std::string& ir) {
  Program p = parse(ir);
  verify(p);
  CppPrinter printer("test.cpp", Linkage::shared);
  const std::vector<std::string> names = {p.functions.back().name};
  const std::string s = printer.print(p, names);
  const auto from = s.find("inline ");
  return s.substr(from, s.rfind("\n}  // namespace") - from);
}

// --- the look ---

TEST(Look, LoopIsTheUsersLoop) {
  EXPECT_EQ(body_of(fixtures()[0].text), R"(inline double loop(int n, double a, double b, double start) {
  double y = start;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    y = std::sin(a * y) + b * std::exp(-y * y);
    sum += y;
  }
  return sum / n;
}
)");
}

TEST(Look, ParenthesesOnlyWhereTheyMatter) {
  EXPECT_THAT(body_of(R"(func f(%a: f64, %b: f64, %c: f64, %n: i32, %x: buffer f64) {
  %.1 = add %b, %c : f64
  %.2 = add %a, %.1 : f64
  %.3 = mul %a, %b : f64
  %.4 = add %.3, %c : f64
  %minus_two = constant {value = -2:f64} : f64
  %.5 = add %.4, %minus_two : f64
  %.6 = mul %.5, %.2 : f64
  %minus_one = constant {value = -1:i32} : i32
  %.7 = add %n, %minus_one : i32
  %.8 = cast %.7 {dtype = i64} : i64
  store %x, %.8, %.6
  %.9 = neg %.3 : f64
  accum %x, %.8, %.9
})"), HasSubstr("  x[n - 1] = (a_b + c - 2.0) * (a + (b + c));\n  x[n - 1] -= a_b;\n"));
}

TEST(Look, CommentsNameWhatIsReversed) {
  const auto s = body_of(R"(func f(%x: f64, %d_y: f64) {
  %.1 = cos %x : f64 reverse at "src/a.cpp":12:3 "y = sin(x) * x;"
  %.2 = mul %d_y, %.1 : f64 reverse at "src/a.cpp":12:9 "y = sin(x) * x;"
  %d_x = mul %.2, %x : f64 reverse at "src/a.cpp":12:9 "y = sin(x) * x;"
  %.3 = mul %d_x, %d_x : f64 at "src/a.cpp":13:3 "z = y * y;"
  yield %.3
})");
  EXPECT_THAT(s, HasSubstr("  // reverse of a.cpp:12: y = sin(x) * x;\n  const double d_x = d_y * std::cos(x) * x;\n"));
  EXPECT_THAT(s, Not(HasSubstr("13")));
}

TEST(Look, NamesAreTheUsersUniqueAndFree) {
  const auto s = body_of(R"(func f(%class: f64, %signgam: f64, %a.x: f64, %unused: i32) {
  %.0 = constant {value = 0:i32} : i32
  %n = constant {value = 3:i32} : i32
  %a = sin %class : f64
  %.1 = for %.0, %n, %a {step = 1} (%i: i32, %s: f64) {
    %b = mul %s, %a : f64
    %.2 = for %.0, %n, %b {step = 1} (%i: i32, %q: f64) {
      %.3 = mul %q, %signgam : f64
      yield %.3
    } : f64
    yield %.2
  } : f64
  yield %.1
})");
  EXPECT_THAT(s, HasSubstr("(double class_2, double signgam_2, [[maybe_unused]] double a,\n    [[maybe_unused]] int unused) {\n"));
  EXPECT_THAT(s, HasSubstr("for (int i_2 = 0; i_2 < 3; ++i_2)"));
}

TEST(Look, LoopLeftEarlyHasABreak) {
  const auto s = body_of(R"(func f(%u: f64) {
  %c0 = constant {value = 0:i32} : i32
  %f0 = constant {value = 0:f64} : f64
  %no = constant {value = 0:bool} : bool
  %i.1, %total.1, %broken.1 = while %c0, %f0, %no (%i: i32, %total: f64, %broken: bool) {
    %.1 = logical_not %broken : bool
    %.2 = constant {value = 6:i32} : i32
    %.3 = compare %i, %.2 {direction = lt} : bool
    %.4 = bit_and %.1, %.3 : bool
    yield %.4
  } (%i: i32, %total: f64, %broken: bool) {
    %total.2 = add %total, %u : f64
    %.5 = constant {value = 4:f64} : f64
    %.6 = compare %total.2, %.5 {direction = gt} : bool
    %broken.2 = bit_or %.6, %broken : bool
    %.7 = constant {value = 1:i32} : i32
    %.8 = add %i, %.7 : i32
    yield %.8, %total.2, %broken.2
  } : i32, f64, bool
  yield %total.1
})");
  EXPECT_THAT(s, HasSubstr("  for (int i = 0; i < 6; ++i) {\n    total += u;\n    if (total > 4.0) break;\n  }\n"));
}

TEST(Look, SameTextEveryTime) {
  Program p = parse(fixtures()[0].text);
  p.add(RandomFunction(7).make("random"));
  const std::vector<std::string> names = {"random", "loop"};
  EXPECT_EQ(CppPrinter("a.cpp").print(p, names), CppPrinter("a.cpp").print(p, names));
  Program q = parse(print(p));
  EXPECT_EQ(CppPrinter("a.cpp").print(p, names), CppPrinter("a.cpp").print(q, names));
}

TEST(Look, RoundsPrintEachThingOnce) {
  Program p;
  for (auto& f : fixtures()) for (auto& g : parse(f.text).functions) p.add(copy(g, g.name));
  CppPrinter printer("a.cpp");
  const std::vector<std::string> first = {"even", "rooms"}, second = {"odd", "rooms", "calls"};
  EXPECT_THAT(printer.print(p, first), HasSubstr("class Scratch"));
  const auto s = printer.print(p, second);
  EXPECT_THAT(s, Not(HasSubstr("class Scratch")));
  EXPECT_THAT(s, Not(HasSubstr("int even(int")));
  EXPECT_THAT(s, HasSubstr("struct sums_result {\n  double sum;\n  double squares;\n};"));
  EXPECT_EQ(printer.print(p, second), "");
}

TEST(Look, SignatureTellsHowToCall) {
  Program p;
  for (auto& f : fixtures()) for (auto& g : parse(f.text).functions) p.add(copy(g, g.name));
  const auto sums = cpp_signature(p, *p.find("sums"));
  EXPECT_EQ(sums.result_type, "sums_result");
  EXPECT_THAT(sums.fields, testing::ElementsAre("sum", "squares"));
  EXPECT_THAT(sums.params, testing::ElementsAre("double* __restrict", "int", "double"));
  EXPECT_THAT(cpp_signature(p, *p.find("push")).params, testing::ElementsAre("Kept<double>&", "double"));
  EXPECT_TRUE(cpp_signature(p, *p.find("even")).fields.empty());
}

TEST(Refused, WhatCppCannotSay) {
  Program p = parse("func f(%x: f16) {\n  yield %x\n}\nfunc g(%x: f64) {\n  output %x {callee = \"mystery\", format = \"\"}\n}\n");
  const std::vector<std::string> f = {"f"}, g = {"g"};
  EXPECT_THROW(CppPrinter("a.cpp").print(p, f), Error);
  EXPECT_THROW(CppPrinter("a.cpp").print(p, g), Error);
}

// --- the meaning ---

TEST(Meaning, Fixtures) {
  Program p;
  std::vector<Call> calls;
  for (auto& f : fixtures()) {
    for (auto& g : parse(f.text).functions) p.add(copy(g, g.name));
    calls.insert(calls.end(), f.calls.begin(), f.calls.end());
  }
  check(p, calls);
}

TEST(Meaning, OutputIsPrinted) {
  Program p = parse(R"ir(func shout(%n: i32, %x: f64, %big: i64) {
  %c0 = constant {value = 0:i32} : i32
  for %c0, %n {step = 1} (%i: i32) {
    output %i, %x {callee = "std::printf", format = "%d: \"%g\" 100%%\n"}
  }
  output %big {callee = "std::printf", format = "%lld\n"}
  output {callee = "std::fprintf(stderr)", format = "done\n"}
  output {callee = "std::puts", format = "end"}
  output {callee = "std::fflush(stdout)", format = ""}
  %less = compare %n, %c0 {direction = lt} : bool
  output %less, %x {callee = "std::cout", format = "50%% \"%{}%{} %{std::flush}\n"}
})ir");
  const Folder folder;
  const std::vector<Call> calls = {{"shout", {integer(2), number(0.5), integer(-7, DType::i64)}}};
  folder.write("generated.hpp", printed(p, calls));
  const auto source = folder.write("driver.cpp", driver(p, calls));
  for (auto* compiler : {"g++", "clang++-22"}) {
    output_of(std::string(compiler) + warnings + source + " -o " + (folder.path / "program").string());
    EXPECT_EQ(output_of("cd " + folder.path.string() + " && ./program 2>errors && cat errors"), "0: \"0.5\" 100%\n1: \"0.5\" 100%\n-7\nend\n50% \"00.5 \nshout\ndone\n");
  }
}

// A buffer is named after what is stored there, which may tell of a buffer that is declared later.
TEST(Meaning, KeptWhatALaterVectorHas) {
  Program p = parse(R"ir(func f(%x: f64) {
  %c0 = constant {value = 0:i64} : i64
  %c4 = constant {value = 4:i64} : i64
  %0 = alloc %c4 {dtype = bool} : buffer bool
  %grown = alloc %c0 {dtype = f64} : buffer f64
  append %grown, %x
  %1 = length %grown : i64
  %2 = compare %1, %c4 {direction = lt} : bool
  store %0, %c0, %2
  %3 = load %0, %c0 : bool
  %4 = load %grown, %c0 : f64
  %5 = select %3, %4, %x : f64
  yield %5
})ir");
  check(p, {{"f", {number(2.5)}}}, {{"g++", "-O1"}});
}

// Compilers make other functions of these from -O1 on; at these points the results differ in the last bit.
TEST(Meaning, PowersAreThoseOfEveryLevel) {
  std::string text = "func f(%x: f64) {\n";
  int n = 0;
  auto constant = [&](const char* c) { text += "%c" + std::to_string(n) + " = constant {value = " + std::string(c) + ":f64} : f64\n"; return "%c" + std::to_string(n); };
  for (auto* exponent : {"2", "1", "0", "-1"}) { const auto c = constant(exponent); text += "%r" + std::to_string(n++) + " = pow %x, " + c + " : f64\n"; }
  for (auto* base : {"1", "2", "8", "0.25"}) { const auto c = constant(base); text += "%r" + std::to_string(n++) + " = pow " + c + ", %x : f64\n"; }
  Program p = parse(text + "yield %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7\n}\n");
  simplify(p.functions.front());
  std::vector<Call> calls;
  for (double x : {2.697673, 3.282769, 9.853915, 6.311528, 7.048957}) calls.push_back({"f", {number(x)}});
  check(p, calls);
}

// --- random functions ---

// TLALOC_FUZZ_SEED and TLALOC_FUZZ_COUNT choose others.
TEST(Meaning, RandomFunctions) {
  auto setting = [](const char* name, int otherwise) { const char* s = std::getenv(name); return s ? std::atoi(s) : otherwise; };
  const int from = setting("TLALOC_FUZZ_SEED", 1), count = setting("TLALOC_FUZZ_COUNT", 15);
  Program p;
  std::vector<Call> calls;
  for (int seed = from; seed < from + count; ++seed) {
    const std::string name = "fuzz" + std::to_string(seed);
    p.add(RandomFunction(unsigned(seed)).make(name));
    for (double shift : {0.0, 1.7})
      calls.push_back({name, {integer(3 + int(shift)), integer(5), number(0.3 + shift), number(-1.1), number(2.5 - shift), Number::of(DType::f32, 0.7 + shift),
                              integer(200, DType::u8), reals({1, -0.5, 0.25, 3, -2}), reals({0, 1, 2, 3, 4}), ints({3, 1, 4, 1, 5})}});
  }
  check(p, calls, {{"g++", "-O3"}, {"clang++-22", "-O0"}});
}

}  // namespace
