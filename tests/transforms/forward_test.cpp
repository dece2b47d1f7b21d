// SPDX-License-Identifier: Apache-2.0
//
// Tangents against closed forms and central differences of the source run by the interpreter.
#include "transforms/forward.hpp"
#include "transforms/reverse_support.hpp"

#include "random_program.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace tlaloc::ir {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

struct Made {
  Program program;
  Function f{""};
  std::vector<double> operator()(std::vector<Argument> args) const { return doubles(interpret(program, f, args)); }
};
// The forward function of the program's function "f".
Made forward_of(const std::string& text, std::vector<int> wanted, bool value = true) {
  Made m{parse(text)};
  verify(m.program);
  m.f = forward(m.program, *m.program.find("f"), {std::move(wanted), value}, "f_jvp");
  verify(m.f, &m.program);
  verify(m.program);
  return m;
}
Argument i64(std::int64_t x) { return integer(x, DType::i64); }

TEST(Forward, StraightLine) {
  const Made m = forward_of(R"(func f(%x: f64, %y: f64) -> ["r"] {
    %a = mul %x, %y : f64
    %b = sin %a : f64
    %c = sub %b, %y : f64
    yield %c
  })", {0, 1});
  EXPECT_THAT(m({number(0.7), number(-1.3), number(2), number(3)}),
              ElementsAre(DoubleNear(std::sin(-0.91) + 1.3, 1e-15), DoubleNear(std::cos(-0.91) * (2 * -1.3 + 3 * 0.7) - 3, 1e-14)));
  EXPECT_THAT(m.f.result_names, ElementsAre("r", "d_r"));
  EXPECT_EQ(m.f.body->params[2]->name, "d_x");
  EXPECT_EQ(m.f.body->yields[1]->name, "d_c");
}

TEST(Forward, OnlyWhatIsWantedAndInItsOrder) {
  const std::string text = R"(func f(%x: f64, %n: i32, %y: f64) {
    %k = cast %n {dtype = f64} : f64
    %a = mul %x, %k : f64
    %b = div %a, %y : f64
    yield %b, %n
  })";
  EXPECT_THAT(forward_of(text, {2}, false)({number(3), integer(2), number(4), number(1)}), ElementsAre(-3 * 2 / 16.0));
  EXPECT_THAT(forward_of(text, {2, 0}, false)({number(3), integer(2), number(4), number(0), number(1)}), ElementsAre(2 / 4.0)) << "d_y, then d_x";
  EXPECT_THAT(forward_of(text, {}, true)({number(3), integer(2), number(4)}), ElementsAre(1.5, 2, 0));
  Program p = parse(text);
  EXPECT_THROW(forward(p, p.functions[0], {{1}}, "g"), Error);
}

TEST(Forward, IfCarriesTangentsOfBothSides) {
  const Made m = forward_of(R"(func f(%x: f64, %c: bool) {
    %r = if %c () {
      %a = mul %x, %x : f64
      yield %a
    } () {
      %k = constant {value = 7.0:f64} : f64
      yield %k
    } : f64
    yield %r
  })", {0});
  EXPECT_THAT(m({number(3), integer(1, DType::boolean), number(1)}), ElementsAre(9, 6));
  EXPECT_THAT(m({number(3), integer(0, DType::boolean), number(1)}), ElementsAre(7, 0));
}

// y = x; for i < n: y = y * a + x, with two values of which one turns active only through the other.
TEST(Forward, ForCarriesWhatBecomesActive) {
  const Made m = forward_of(R"(func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1.0:f64} : f64
    %y, %z = for %zero, %n, %one, %one {step = 1} (%i: i64, %u: f64, %v: f64) {
      %a = mul %v, %x : f64
      %b = add %a, %one : f64
      yield %v, %b
    } : f64, f64
    yield %y, %z
  })", {0});
  // v_n = x v_{n-1} + 1: 1, x + 1, x^2 + x + 1, ...; u_n = v_{n-1}
  EXPECT_THAT(m({number(2), i64(0), number(1)}), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(m({number(2), i64(3), number(1)}), ElementsAre(7, 15, 2 * 2 + 1, 3 * 4 + 2 * 2 + 1));
}

// Newton's square root runs until it is close; the derivative of sqrt.
TEST(Forward, While) {
  const Made m = forward_of(R"(func f(%x: f64) {
    %tiny = constant {value = 1e-12:f64} : f64
    %half = constant {value = 0.5:f64} : f64
    %r = while %x (%s: f64) {
      %q = mul %s, %s : f64
      %d = sub %q, %x : f64
      %e = abs %d : f64
      %more = compare %e, %tiny {direction = gt} : bool
      yield %more
    } (%s: f64) {
      %q = div %x, %s : f64
      %t = add %s, %q : f64
      %u = mul %t, %half : f64
      yield %u
    } : f64
    yield %r
  })", {0});
  EXPECT_THAT(m({number(2), number(1)}), ElementsAre(DoubleNear(std::sqrt(2.0), 1e-12), DoubleNear(0.5 / std::sqrt(2.0), 1e-8)));
}

TEST(Forward, ShadowsFollowTheirBuffers) {
  const std::string text = R"(func f(%x: f64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %a = load %p, %zero : f64
    %b = mul %a, %x : f64
    store %p, %one, %b
    accum %p, %zero, %x
    %c = load %p, %zero : f64
    yield %c
  })";
  const Made m = forward_of(text, {0, 1});
  auto p = buffer(std::vector<double>{5, 6}), d = buffer(std::vector<double>{10, 20});
  EXPECT_THAT(m({number(2), p, number(1), d}), ElementsAre(7, 11));
  EXPECT_THAT(contents(*p), ElementsAre(7, 10));
  EXPECT_THAT(contents(*d), ElementsAre(11, 5 + 2 * 10)) << "of the final contents";
}

TEST(Forward, LocalBuffersOfAnySize) {
  const Made m = forward_of(R"(func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %k = constant {value = 3.0:f64} : f64
    %v = alloc %zero {dtype = f64} : buffer f64
    append %v, %x
    append %v, %k
    for %zero, %n {step = 1} (%i: i64) {
      %at = add %i, %one : i64
      %a = load %v, %i : f64
      %b = load %v, %at : f64
      %c = mul %a, %b : f64
      append %v, %c
    }
    %l = length %v : i64
    resize %v, %l, %x
    %last = pop %v : f64
    %before = pop %v : f64
    %r = sub %last, %before : f64
    yield %r
  })", {0});
  // x, 3, 3x, 9x, 27x^2: last two after three turns
  const double x = 1.5;
  EXPECT_THAT(m({number(x), i64(3), number(1)}), ElementsAre(27 * x * x - 9 * x, DoubleNear(54 * x - 9, 1e-12)));
}

TEST(Forward, StoreIntoAParameterWithoutShadowIsRefused) {
  Program p = parse(R"(func f(%x: f64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %n = constant {value = 4:i64} : i64
    for %zero, %n {step = 1} (%i: i64) {
      %a = load %p, %i : f64
      %b = mul %a, %x : f64
      store %p, %i, %b at "f.cpp":7:3 "p[i] = b;"
    }
    %r = load %p, %zero : f64
    yield %r
  })");
  try {
    forward(p, p.functions[0], {{0}}, "g");
    FAIL() << "accepted";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.code, "NOT_DIFFERENTIABLE");
    EXPECT_EQ(e.where.line, 7);
    EXPECT_THAT(e.what(), testing::HasSubstr("'p'"));
  }
  EXPECT_NO_THROW(forward(p, p.functions[0], {{0, 1}}, "g"));
}

TEST(Forward, OpWithoutDerivativeIsRefusedOnlyWhereActive) {
  Program p = parse(R"(func f(%x: f64, %y: f64) {
    %a = riemann_zeta %x : f64 at "f.cpp":3:5 "a = zeta(x);"
    %b = mul %a, %y : f64
    yield %b
  })");
  try {
    forward(p, p.functions[0], {{0}}, "g");
    FAIL() << "accepted";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.code, "NOT_DIFFERENTIABLE");
    EXPECT_EQ(e.where.line, 3);
  }
  const Function g = forward(p, p.functions[0], {{1}}, "g");
  EXPECT_THAT(doubles(interpret(p, g, std::vector<Argument>{number(2), number(5), number(1)})), ElementsAre(DoubleNear(M_PI * M_PI / 6, 1e-12)));
}

const std::string recursion = power_function + R"(func f(%x: f64, %n: i64) {
    %a = call %x, %n {callee = "power", results = [f64]} : f64
    %b = call %a, %n {callee = "power", results = [f64]} : f64
    yield %b
  })";
TEST(Forward, RecursionIsOneFunctionMore) {
  const Made m = forward_of(recursion, {0}, false);
  EXPECT_THAT(m({number(1.1), i64(3), number(1)}), ElementsAre(DoubleNear(9 * std::pow(1.1, 8), 1e-12)));
  EXPECT_EQ(m.program.functions.size(), 3u);
  EXPECT_NE(m.program.find("power_jvp_x"), nullptr);
}

// Two functions that call each other; the buffer becomes active only inside.
TEST(Forward, MutualRecursionThroughABuffer) {
  const std::string text = R"(func even(%x: f64, %n: i64, %p: buffer f64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %c = compare %n, %zero {direction = gt} : bool
    if %c () {
      accum %p, %zero, %x
      %m = sub %n, %one : i64
      call %x, %m, %p {callee = "odd", results = []}
    } () {
    }
  }
  func odd(%x: f64, %n: i64, %p: buffer f64) {
    %one = constant {value = 1:i64} : i64
    %y = mul %x, %x : f64
    %m = sub %n, %one : i64
    call %y, %m, %p {callee = "even", results = []}
  }
  func f(%x: f64, %n: i64) {
    %zero = constant {value = 0:i64} : i64
    %one = constant {value = 1:i64} : i64
    %k = constant {value = 0.0:f64} : f64
    %p = alloc %one {dtype = f64} : buffer f64
    store %p, %zero, %k
    call %x, %n, %p {callee = "even", results = []}
    %r = load %p, %zero : f64
    yield %r
  })";
  const double x = 0.9;
  EXPECT_THAT(forward_of(text, {0})({number(x), i64(5), number(1)}),
              ElementsAre(DoubleNear(x + x * x + std::pow(x, 4), 1e-14), DoubleNear(1 + 2 * x + 4 * x * x * x, 1e-13)));
}

TEST(Forward, OutputsRunOnce) {
  const Made m = forward_of(R"(func f(%x: f64) {
    %a = mul %x, %x : f64
    output %a {callee = "log", format = ""}
    yield %a
  })", {0});
  int n = 0;
  const std::vector<Argument> args{number(3), number(1)};
  interpret(m.program, m.f, args, [&](const Op&, std::span<const Number> in) { ++n; EXPECT_EQ(in[0].real, 9); });
  EXPECT_EQ(n, 1);
}

TEST(Forward, SinglePrecisionStaysSingle) {
  const Made m = forward_of(R"(func f(%x: f32, %y: f64) {
    %a = mul %x, %x : f32
    %b = cast %a {dtype = f64} : f64
    %c = mul %b, %y : f64
    %i = cast %c {dtype = i32} : i32
    %k = cast %i {dtype = f32} : f32
    %d = cast %c {dtype = f32} : f32
    %e = add %d, %k : f32
    yield %e
  })", {0, 1}, false);
  EXPECT_EQ(m.f.body->yields[0]->type.dtype, DType::f32);
  const float x = 1.3f;
  const auto r = m({Number::of(DType::f32, double(x)), number(2), Number::of(DType::f32, 1.0), number(0)});
  EXPECT_THAT(r, ElementsAre(double(float(double(x + x) * 2))));
}

// Second derivatives: forward of forward.
TEST(Forward, Nests) {
  Made m = forward_of(recursion, {0}, false);
  m.program.add(copy(m.f, "g"));
  const Function second = forward(m.program, *m.program.find("g"), {{0}}, "g_jvp");
  verify(second, &m.program);
  // d/dx of 9 x^8 dx
  EXPECT_THAT(doubles(interpret(m.program, second, std::vector<Argument>{number(1.1), i64(3), number(1), number(1)})).back(), DoubleNear(72 * std::pow(1.1, 7), 1e-11));
}

// --- random programs against central differences ---
// A point or a direction: x, y and the four elements of p.
std::vector<double> run(const Program& program, const Function& f, const Point& at, const Point* d, std::vector<double>* shadow) {
  auto elements = [](const Point& v) { return buffer(std::vector<double>(v.begin() + 2, v.end())); };
  auto p = elements(at), q = std::make_shared<Memory>(Memory{DType::i64, {}}), dp = d ? elements(*d) : nullptr;
  for (int i : {1, -2, 0, 3}) q->data.push_back(Number::of(DType::i64, i));
  std::vector<Argument> args{number(at[0]), number(at[1]), Number::of(DType::f32, 0.5), integer(2, DType::i64), integer(3), integer(1, DType::boolean), p, q};
  if (d) args.insert(args.end(), {number((*d)[0]), number((*d)[1]), dp});
  auto r = doubles(interpret(program, f, args));
  if (shadow) *shadow = contents(*dp);
  else for (double v : contents(*p)) r.push_back(v);
  return r;
}
TEST(Forward, RandomPrograms) {
  const char* s = std::getenv("TLALOC_PROGRAMS");
  const unsigned programs = s ? unsigned(std::atoi(s)) : 150;
  int compared = 0, nonzero = 0, singular = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    Program program = test::RandomProgram(seed, false).make(14);
    const Function jvp = forward(program, *program.find("f"), {{0, 1, 6}}, "f_jvp");
    ASSERT_NO_THROW(verify(jvp, &program)) << print(jvp);
    ASSERT_NO_THROW(verify(program));
    const Function& f = *program.find("f");
    std::mt19937 rng(seed);
    auto real = [&] { return std::uniform_real_distribution<double>(-2, 2)(rng); };
    const Point at{real(), real(), real(), real(), real(), real()}, d{real(), real(), real(), real(), real(), real()};
    auto difference = [&](double h) {
      auto a = run(program, f, moved(at, h, d), nullptr, nullptr), b = run(program, f, moved(at, -h, d), nullptr, nullptr);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] - b[i]) / (2 * h);
      return a;
    };
    std::vector<double> shadow;
    const auto tangents = run(program, jvp, at, &d, &shadow);             // of the results x, y, z and then of p
    const auto fine = difference(1e-6), coarse = difference(4e-6);
    auto compare = [&](double got, std::size_t i) {
      const double scale = 1 + std::fabs(fine[i]);
      if (!std::isfinite(fine[i]) || std::fabs(fine[i] - coarse[i]) > 1e-6 * scale) return;       // not smooth here
      if (!std::isfinite(got)) { ++singular; return; }          // y / 0.0 on the way to a result that hides it
      ++compared;
      nonzero += got != 0;
      EXPECT_NEAR(got, fine[i], 1e-5 * scale) << "seed " << seed << " number " << i << "\n" << print(f) << print(jvp);
    };
    for (std::size_t i = 0; i < 2; ++i) compare(tangents[i], i);
    for (std::size_t i = 0; i < 4; ++i) compare(shadow[i], 6 + i);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LT(singular * 100, compared);
  EXPECT_GT(compared, int(programs) * 4);
  EXPECT_GT(nonzero, int(programs) * 3);
}

}  // namespace
}  // namespace tlaloc::ir
