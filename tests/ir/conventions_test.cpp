// SPDX-License-Identifier: Apache-2.0
//
// docs/conventions.md is true: each row of its table, by the rule, in forward and in reverse mode, with all arguments unknown
// and with all but one constant.
#include "ir/straight_line.hpp"
#include "transforms/forward.hpp"
#include "transforms/reverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace tlaloc::ir {
namespace {

using Cells = std::vector<std::string>;

std::string trimmed(std::string s) {
  while (!s.empty() && s.back() == ' ') s.pop_back();
  return s.substr(std::min(s.find_first_not_of(' '), s.size()));
}
Cells split(const std::string& s, char at) {
  Cells cells;
  std::string cell;
  for (char c : s + at) if (c == at) { cells.push_back(trimmed(cell)); cell.clear(); } else cell += c;
  return cells;
}
double decimal(const std::string& s) {             // not std::stod, which throws for subnormals
  char* end = nullptr;
  const double x = std::strtod(s.c_str(), &end);
  EXPECT_EQ(end, s.c_str() + s.size()) << "'" << s << "' is no number";
  return x;
}
struct Row {
  const Kind* kind;
  std::vector<double> at;
  double value;
  Cells by;                                       // one per operand
  std::string text;
};
std::vector<Row> table() {
  std::ifstream file(TLALOC_SOURCE_DIR "/docs/conventions.md");
  EXPECT_TRUE(file) << "docs/conventions.md cannot be read";
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const Cells c = split(line, '|');             // "", name, at, value, derivatives, ""
    Row row{find_kind(split(c[1], '`')[1]), {}, decimal(c[3]), Cells(c.begin() + 4, c.end() - 1), line};
    for (auto& x : split(c[2], ',')) row.at.push_back(decimal(x));
    row.by.resize(row.at.size());
    rows.push_back(row);
  }
  return rows;
}
bool same(double got, double expected) {
  if (std::isnan(expected) || std::isinf(expected)) return std::isnan(expected) ? std::isnan(got) : got == expected;
  return std::fabs(got - expected) <= 1e-14 * std::fabs(expected);
}
bool has_derivative(const Kind& k, int operand) { return !k.integers.find(k.operands[operand]) && !k.passive.find(k.operands[operand]); }

enum class Mode { rule, forward, reverse };

/// Value and derivative by operand `by`; the others are parameters, or constants.
std::vector<double> evaluate(const Row& row, int by, bool constants, Mode mode) {
  const Kind& k = *row.kind;
  Program p;
  Function& f = p.add(Function("f"));
  Builder b{f};
  std::vector<X> in;
  std::vector<Argument> args;
  int wanted = 0;
  for (int i = 0; i < k.operands.size(); ++i) {
    const Number x = Number::of(operand_dtype(k, i, DType::f64), row.at[std::size_t(i)]);
    if (i != by && constants) { in.push_back(constant(b, x)); continue; }
    if (i == by) wanted = int(args.size());
    in.push_back(param(b, {x.dtype}, std::string(k.operands[i])));
    args.push_back(x);
  }
  const X y = build(k, b, in, {});
  f.body->yields = {y.v};
  if (mode == Mode::rule) {
    const X d = test::all_partials(y)[std::size_t(by)];
    f.body->yields.push_back((d ? d : like(y, 0)).v);
  }
  if (mode == Mode::forward) args.push_back(number(1));                 // the tangent
  const Function& g = mode == Mode::rule ? f : mode == Mode::forward ? p.add(forward(p, f, {{wanted}, true}, "g")) : p.add(reverse(p, f, {{wanted}, true}, "g"));
  verify(p);
  const auto out = interpret(p, g, args);
  return {out[0].real, out[1].real};
}

TEST(Conventions, TableHolds) {
  const auto rows = table();
  ASSERT_GT(rows.size(), 60u);
  for (auto& row : rows) {
    ASSERT_TRUE(row.kind) << row.text;
    ASSERT_EQ(int(row.at.size()), row.kind->operands.size()) << row.text;
    for (int by = 0; by < row.kind->operands.size(); ++by) {
      const auto& cell = row.by[std::size_t(by)];
      EXPECT_EQ(cell != "-", has_derivative(*row.kind, by)) << row.text;
      if (cell == "-") continue;
      for (Mode mode : {Mode::rule, Mode::forward, Mode::reverse}) for (bool constants : {false, true}) {
        const char* names[] = {"the rule", "forward mode", "reverse mode"};
        const auto got = evaluate(row, by, constants, mode);
        EXPECT_TRUE(same(got[0], row.value)) << row.text << " gives " << got[0];
        EXPECT_TRUE(same(got[1], decimal(cell))) << row.text << " by " << by << ": " << names[int(mode)] << (constants ? ", the others constant, gives " : " gives ") << got[1];
      }
    }
  }
}

// The derivative of a derivative at a guarded edge is a number, not the NaN of a branch that was not taken.
TEST(Conventions, SecondDerivativesAtGuardedEdges) {
  struct Case { const char* op; std::vector<double> at; int first, second; double expected; };
  const Case cases[] = {
      {"pow", {0, 3}, 0, 0, 0},   {"pow", {0, 2}, 0, 0, 2},         {"pow", {0, 0}, 0, 0, 0},           {"pow", {0, 2}, 0, 1, 0},
      {"pow", {2, 0}, 0, 1, 0.5}, {"pow", {0, 2}, 1, 1, 0},         {"legendre", {3, 1}, 1, 1, 15},     {"cyl_bessel_j", {2, 0}, 1, 1, 0.25},
      {"abs", {0}, 0, 0, 0},      {"cyl_bessel_j", {0, 0}, 1, 1, -0.5}, {"sph_bessel", {2, 0}, 1, 1, 2. / 15}, {"comp_ellint_2", {0}, 0, 0, -0.7853981633974483},
      {"fmax", {2, 2}, 0, 1, 0},  {"assoc_legendre", {2, 2, 1}, 2, 2, -6},
  };
  for (auto& c : cases) {
    const Kind& k = *find_kind(c.op);
    Function f("f");
    Builder b{f};
    std::vector<X> in;
    for (int i = 0; i < k.operands.size(); ++i) in.push_back(param(b, {operand_dtype(k, i, DType::f64)}, ""));
    const X y = build(k, b, in, {}), d = test::ChainRule(in[std::size_t(c.first)])(y), dd = test::ChainRule(in[std::size_t(c.second)])(d);
    f.body->yields.push_back((dd ? dd : like(y, 0)).v);
    EXPECT_TRUE(same(test::run(f, c.at)[0].real, c.expected)) << c.op << " gives " << test::run(f, c.at)[0].real << ", not " << c.expected;
  }
}

// Operands without a derivative are refused by name, at the op's place; others are not.
TEST(Conventions, PassiveOperandsAreRefused) {
  Function f("f");
  Builder b{f, f.body, {"bessel.cpp", 7, 3, "y = j(n, x)"}};
  const X x = param(b, {DType::f64}, "x");
  const X j = ops::cyl_bessel_j(x, x), z = ops::riemann_zeta(x), p = ops::pow(x, x);
  EXPECT_NO_THROW(check_differentiable(*j.v->def, 1));
  EXPECT_NO_THROW(check_differentiable(*p.v->def, 0));
  try {
    check_differentiable(*j.v->def, 0);
    FAIL() << "the order of a Bessel function was accepted";
  } catch (const Refusal& r) {
    EXPECT_EQ(r.code, "NOT_DIFFERENTIABLE");
    EXPECT_EQ(r.where.line, 7);
    EXPECT_STREQ(r.what(), "cyl_bessel_j by nu: the derivative of a Bessel function by its order has no closed form");
  }
  EXPECT_THROW(check_differentiable(*z.v->def, 0), Refusal);
}

}  // namespace
}  // namespace tlaloc::ir
