// SPDX-License-Identifier: Apache-2.0
//
// <cmath> from the user's side: the gradient of each function, called by its C++ name and compiled by the plugin, against
// mpmath. The rules themselves are tested in tests/ir/math_test.cpp; here it is that each name reaches its rule.
#include <tlaloc/ad.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Row {
  const char* op;
  int order;
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

using Numbers = std::vector<double>;
struct Entry { std::function<double(const Numbers&)> value; std::function<Numbers(const Numbers&)> gradient; };
std::map<std::string, Entry>& entries() { static std::map<std::string, Entry> all; return all; }
struct Register { Register(const char* name, Entry e) { entries()[name] = std::move(e); } };

Numbers numbers(double x) { return {x}; }
template <class... T> Numbers numbers(const std::tuple<T...>& t) { return std::apply([](auto... x) { return Numbers{double(x)...}; }, t); }

// One, two or three reals; an unsigned or two before a real; a real that is not differentiated before a real; an integer after a real.
#define ONE(name) double f_##name(double x) { return std::name(x); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(v[0]); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(v[0])); }});
#define TWO(name) double f_##name(double x, double y) { return std::name(x, y); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(v[0], v[1]); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(v[0], v[1])); }});
#define THREE(name, call) double f_##name(double x, double y, double z) { return std::call(x, y, z); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(v[0], v[1], v[2]); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(v[0], v[1], v[2])); }});
#define DEGREE(name) double f_##name(unsigned n, double x) { return std::name(n, x); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(unsigned(v[0]), v[1]); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(unsigned(v[0]), v[1])); }});
#define DEGREE_ORDER(name) double f_##name(unsigned n, unsigned m, double x) { return std::name(n, m, x); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(unsigned(v[0]), unsigned(v[1]), v[2]); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(unsigned(v[0]), unsigned(v[1]), v[2])); }});
#define ORDER(name) double f_##name(double nu, double x) { return std::name(nu, x); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(v[0], v[1]); }, [](const Numbers& v) { return numbers(tlaloc::grad<"x">(f_##name)(v[0], v[1])); }});
#define SCALED(name) double f_##name(double x, int n) { return std::name(x, n); } \
  const Register r_##name(#name, {[](const Numbers& v) { return f_##name(v[0], int(v[1])); }, [](const Numbers& v) { return numbers(tlaloc::grad(f_##name)(v[0], int(v[1]))); }});

ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(sqrt) ONE(cbrt) TWO(pow) TWO(hypot) THREE(hypot3, hypot) THREE(fma, fma) THREE(lerp, lerp)
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) TWO(atan2) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)
ONE(abs) TWO(fmax) TWO(fmin) TWO(fdim) TWO(copysign) ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(nearbyint) ONE(rint) ONE(logb)
TWO(fmod) TWO(remainder) SCALED(ldexp) SCALED(scalbn) SCALED(scalbln) TWO(nextafter) ONE(erf) ONE(erfc) ONE(tgamma) ONE(lgamma) TWO(beta) ONE(expint)
ONE(comp_ellint_1) ONE(comp_ellint_2) TWO(comp_ellint_3) TWO(ellint_1) TWO(ellint_2) THREE(ellint_3, ellint_3)
ORDER(cyl_bessel_j) ORDER(cyl_bessel_i) ORDER(cyl_bessel_k) ORDER(cyl_neumann) DEGREE(sph_bessel) DEGREE(sph_neumann)
DEGREE(hermite) DEGREE(laguerre) DEGREE(legendre) DEGREE_ORDER(assoc_laguerre) DEGREE_ORDER(assoc_legendre) DEGREE_ORDER(sph_legendre)

double f_modf(double x) { double whole; const double part = std::modf(x, &whole); return part + 3 * whole; }
double f_frexp(double x) { int exponent; const double part = std::frexp(x, &exponent); return part * exponent; }
double f_remquo(double x, double y) { int quotient; const double rest = std::remquo(x, y, &quotient); return rest * quotient; }
float f_single(float x) { return std::sin(x) * std::sqrt(x) + std::pow(x, 2.0f); }
double f_promoted(double x, int n, float y) { return std::pow(x, n) + std::pow(y, n) + std::cyl_bessel_j(1, x) + std::fmax(x, y); }
double f_questions(double x) { return std::isnan(x) || std::signbit(x) || !std::isfinite(x) ? x : std::isless(x, 2.0) ? x * x : 3 * x; }
double f_whole(double x) { return double(std::lround(x)) * x + double(std::ilogb(x)) + std::abs(-3) * x + std::fpclassify(x); }

bool close(double got, double expected) { return std::fabs(got - expected) <= 1e-11 * std::max(std::fabs(expected), 1e-3); }

TEST(Cmath, GradientsOfEveryFunction) {
  std::set<std::string> met;
  for (auto& row : rows()) {
    auto at = entries().find(row.op);
    if (at == entries().end()) continue;
    met.insert(row.op);
    EXPECT_TRUE(close(at->second.value(row.in), row.value)) << row.op;
    const auto got = at->second.gradient(row.in);
    ASSERT_EQ(got.size(), row.first.size()) << row.op;
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(close(got[i], row.first[i])) << row.op << " at " << row.in[0] << " by " << i << ": " << got[i] << ", not " << row.first[i];
  }
  for (auto& [name, entry] : entries()) EXPECT_TRUE(met.contains(name)) << name << " has no golden rows";
}

TEST(Cmath, FunctionsWithTwoResults) {
  EXPECT_EQ(tlaloc::grad(f_modf)(-2.75), 1);
  EXPECT_EQ(tlaloc::grad(f_frexp)(5.0), 0.375);                              // 3 / 8
  const auto [dx, dy] = tlaloc::grad(f_remquo)(7.9, 0.75);                   // 11 and a rest: the low bits are 3
  int quotient = 0;
  std::remquo(7.9, 0.75, &quotient);
  EXPECT_EQ(dx, quotient);
  EXPECT_EQ(dy, -11.0 * quotient);
}

TEST(Cmath, Promotions) {
  EXPECT_NEAR(tlaloc::grad(f_single)(0.7f), std::cos(0.7) * std::sqrt(0.7) + std::sin(0.7) / (2 * std::sqrt(0.7)) + 1.4, 1e-6);
  const auto [dx, dy] = tlaloc::grad(f_promoted)(1.5, 3, 0.5f);
  EXPECT_NEAR(dx, 3 * 2.25 + (std::cyl_bessel_j(0, 1.5) - std::cyl_bessel_j(2, 1.5)) / 2 + 1, 1e-12);
  EXPECT_EQ(dy, 0.75f);
}

TEST(Cmath, QuestionsAndWholeNumbers) {
  EXPECT_EQ(tlaloc::grad(f_questions)(1.5), 3);
  EXPECT_EQ(tlaloc::grad(f_questions)(2.5), 3);
  EXPECT_EQ(tlaloc::grad(f_questions)(-2.5), 1);
  EXPECT_EQ(tlaloc::grad(f_whole)(2.6), 6);
}

}  // namespace
