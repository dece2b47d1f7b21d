// SPDX-License-Identifier: Apache-2.0
//
// Every real op against mpmath: value, first derivatives, and second derivatives by applying the rules twice. Each row runs
// with all operands unknown and with all but the differentiated ones constant, since rules look at constants.
#include "ir/straight_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tlaloc::ir {
namespace {

struct Row {
  const char* op;
  std::int64_t order;
  std::vector<double> in;
  double value;
  std::vector<double> first, second;
};
const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#include "golden/math.inc"
  };
  return all;
}
std::string text(const Row& r) {
  std::string s = r.op;
  if (r.order) s += "[" + std::to_string(r.order) + "]";
  for (double x : r.in) s += (x == r.in[0] && s.find('(') == s.npos ? "(" : ", ") + std::to_string(x);
  return s + ")";
}
/// Operands that are differentiated: real and not passive.
std::vector<int> active(const Kind& k) {
  std::vector<int> is;
  for (int i = 0; i < k.operands.size(); ++i) if (!k.integers.find(k.operands[i]) && !k.passive.find(k.operands[i])) is.push_back(i);
  return is;
}
/// Relative to `expected`, or to `least` where that is smaller; exact zeros may be off by a rounding error of numbers near 1.
bool close(double got, double expected, double tolerance, double least = 0) {
  if (std::isinf(expected)) return got == expected;
  return std::fabs(got - expected) <= tolerance * (expected == 0 ? 1e-3 : std::max(std::fabs(expected), least));
}

/// The function (value, first derivatives, second derivatives) of a row; `unknown` says which operands are parameters.
Function derivatives(const Row& row, DType real, const std::set<int>& unknown) {
  const Kind& k = *find_kind(row.op);
  Function f("f");
  Builder b{f};
  std::vector<X> in;
  for (int i = 0; i < k.operands.size(); ++i) {
    const DType d = operand_dtype(k, i, real);
    in.push_back(unknown.contains(i) ? param(b, {d}, "") : constant(b, d, row.in[std::size_t(i)]));
  }
  const X y = build(k, b, in, k.attrs.size() ? std::vector<Attr>{row.order} : std::vector<Attr>{});
  std::vector<X> out{y}, second;
  for (int i : active(k)) {
    if (!unknown.contains(i)) continue;
    const X d = k.derivative.form == Derivative::refused ? X{} : test::ChainRule(in[std::size_t(i)])(y);
    out.push_back(d ? d : like(y, 0));
    for (int j : active(k)) {
      if (j < i || !unknown.contains(j)) continue;
      const X dd = d ? test::ChainRule(in[std::size_t(j)])(d) : X{};
      second.push_back(dd ? dd : like(y, 0));
    }
  }
  out.insert(out.end(), second.begin(), second.end());
  for (X x : out) f.body->yields.push_back(x.v);
  verify(f);
  return f;
}
std::vector<double> results(const Row& row, DType real, const std::set<int>& unknown) {
  const Function f = derivatives(row, real, unknown);
  std::vector<double> args, out;
  for (int i : unknown) args.push_back(row.in[std::size_t(i)]);
  for (auto& n : test::run(f, args)) out.push_back(n.as_double());
  return out;
}
std::set<int> every_operand(const Row& row) {
  std::set<int> all;
  for (std::size_t i = 0; i < row.in.size(); ++i) all.insert(int(i));
  return all;
}
bool refused(const Row& row) { return find_kind(row.op)->derivative.form == Derivative::refused; }

// 1 - y * y, the short form of tanh's derivative, loses digits as the derivative goes to zero.
double tolerance(const Row& row) { return row.op == std::string_view("tanh") ? 1e-11 : 1e-12; }

TEST(Math, ValuesAndDerivativesOfUnknownOperands) {
  for (auto& row : rows()) {
    const auto got = results(row, DType::f64, every_operand(row));
    std::vector<double> expected{row.value};
    if (refused(row)) { EXPECT_TRUE(close(got[0], row.value, tolerance(row))) << text(row); continue; }
    expected.insert(expected.end(), row.first.begin(), row.first.end());
    expected.insert(expected.end(), row.second.begin(), row.second.end());
    ASSERT_EQ(got.size(), expected.size()) << text(row);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(close(got[i], expected[i], tolerance(row))) << text(row) << " result " << i << ": " << got[i] << ", not " << expected[i];
  }
}

TEST(Math, ConstantOperands) {
  for (auto& row : rows()) {
    if (refused(row)) continue;
    const auto by = active(*find_kind(row.op));
    std::size_t pair = 0;
    for (std::size_t i = 0; i < by.size(); ++i) {
      const auto got = results(row, DType::f64, {by[i]});
      ASSERT_EQ(got.size(), 3u);
      EXPECT_TRUE(close(got[1], row.first[i], tolerance(row))) << text(row) << " by " << i << ": " << got[1] << ", not " << row.first[i];
      EXPECT_TRUE(close(got[2], row.second[pair], tolerance(row))) << text(row) << " twice by " << i << ": " << got[2] << ", not " << row.second[pair];
      pair += by.size() - i;
    }
  }
}

TEST(Math, SinglePrecision) {
  for (auto& row : rows()) {
    const auto got = results(row, DType::f32, every_operand(row));
    EXPECT_TRUE(close(got[0], float(row.value), 1e-4, 1e-3)) << text(row) << ": " << got[0] << ", not " << row.value;
    for (std::size_t i = 0; !refused(row) && i < row.first.size(); ++i)
      EXPECT_TRUE(close(got[i + 1], float(row.first[i]), 1e-4, 1e-3)) << text(row) << " by " << i << ": " << got[i + 1] << ", not " << row.first[i];
  }
}

// The functions that we compute ourselves, also where they vanish or are huge.
TEST(Math, OwnFunctionsKeepTheirDigits) {
  for (auto& row : rows()) {
    const std::string_view op = row.op;
    if (op != "digamma" && op != "polygamma" && op != "ellint_d" && op != "comp_ellint_d" && op != "legendre_derivative") continue;
    const double got = results(row, DType::f64, every_operand(row))[0];
    const bool reflected = op == "digamma" && row.in[0] < 0;                       // near a zero of its own
    EXPECT_TRUE(close(got, row.value, reflected ? 1e-13 : 1e-14)) << text(row) << ": " << got << ", not " << row.value;
  }
}

// A new op with partials, or of the standard library with a real result, needs golden rows; what C++ does not spell has them
// in tests/tensor.
TEST(Math, EveryRealOpHasRows) {
  std::map<std::string_view, int> count;
  for (auto& row : rows()) ++count[row.op];
  for (auto* k : all_kinds()) {
    const bool integer_result = k->derivative.form == Derivative::zero && k->name != "floor";
    if ((k->derivative.form == Derivative::pointwise && !k->cpp.text.empty()) || (k->cpp.text.starts_with("std::") && !integer_result)) EXPECT_GE(count[k->name], 3) << k->name;
  }
}

}  // namespace
}  // namespace tlaloc::ir
