// SPDX-License-Identifier: Apache-2.0
//
// Solutions of equations, integrals and differential equations inside differentiated code, against JAX and SciPy
// (tests/golden/solvers.py has the same functions in Python).
#include "tlaloc/integral.hpp"
#include "tlaloc/ode.hpp"
#include "tlaloc/root.hpp"

#include "golden.hpp"

#include <map>
#include <string>

namespace {

const golden::Rows expect{{
#include "golden/solvers.inc"
}};

using V2 = std::array<double, 2>;
using V3 = std::array<double, 3>;
using V7 = std::array<double, 7>;
using tlaloc::grad, tlaloc::hessian, tlaloc::jvp, tlaloc::integral;

// --- solutions ---
double cubic(double a) { return tlaloc::root<4>([&](double x) { return x * x * x - a * x - 1; }, 1.0) * a; }
double pair(const V2& p) {
  const V2 z = tlaloc::fixed_point([p](const V2& z) { return V2{std::tanh(0.5 * z[0] - p[0] * z[1] + 1), std::tanh(p[1] * z[0] + 0.3 * z[1])}; }, V2{});
  return z[0] * z[1] + z[1] * p[0];
}
double chain(const std::vector<double>& w) {
  const std::size_t n = w.size();
  const auto z = tlaloc::root([&](const std::vector<double>& x) {
    std::vector<double> r(n);
    for (std::size_t i = 0; i < n; ++i) r[i] = x[i] * x[i] * x[i] + x[i] - w[i] - (i > 0 ? 0.3 * x[i - 1] : 0.0) - (i + 1 < n ? 0.2 * x[i + 1] : 0.0);
    return r;
  }, std::vector<double>(n));
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += z[i] * z[i];
  return s;
}
double nested(double a) {
  const double y = tlaloc::root([&](double at) { return at - tlaloc::root<3>([&](double x) { return x * x * x + x - a * at; }, 1.0) - a; }, 1.0);
  return y * y;
}

TEST(Solvers, RootOfOneNumber) {
  expect("cubic", std::array{cubic(0.7), grad(cubic)(0.7), grad(grad(cubic))(0.7), jvp(grad(grad(cubic)))(0.7, 1.0), grad<0>(jvp<0>(grad(grad(cubic))))(0.7, 1.0)}, 1e-11);
  EXPECT_NEAR(jvp(cubic)(0.7, 2.0), 2 * expect.at("cubic")[1], 1e-13);
  EXPECT_THROW(tlaloc::root([](double x) { return x * x + 1; }, 0.3), std::runtime_error);
  EXPECT_THROW(tlaloc::root([](double) { return 1.0; }, 0.3), std::runtime_error);
  EXPECT_THROW(tlaloc::root([](const V2& x) { return V2{x[0] + x[1] - 1, 2 * (x[0] + x[1])}; }, V2{}), std::runtime_error);
}
TEST(Solvers, FixedPointOfAnArray) {
  const V2 at{0.4, 0.6};
  EXPECT_NEAR(pair(at), expect.at("pair")[0], 1e-13);
  expect("pair_gradient", grad(pair)(at));
  expect("pair_gradient", tlaloc::jacfwd(pair)(at));
  expect("pair_hessian", hessian(pair)(at));
  EXPECT_THROW(tlaloc::fixed_point([](double x) { return 2 * x + 1; }, 1.0), std::runtime_error);
}
TEST(Solvers, RootOfAVector) {
  const std::vector at{1.0, -2.0, 3.0, 0.5, 1.5};
  EXPECT_NEAR(chain(at), expect.at("chain")[0], 1e-13);
  expect("chain_gradient", grad(chain)(at));
  expect("chain_hessian", hessian(chain)(at));
}
TEST(Solvers, RootInsideARoot) { expect("nested", std::array{nested(0.3), grad(nested)(0.3), grad(grad(nested))(0.3)}, 1e-11); }
// What the iteration did is neither kept nor run backwards.
TEST(Solvers, TheIterationHasNoReverse) {
  const auto d = grad(cubic);
  d(0.7);
  EXPECT_EQ(d.source().find("append"), std::string_view::npos) << d.source();
}

// --- integrals ---
double bell(const V3& z) { return integral(z[0], z[1], [&](double x) { return std::exp(-z[2] * x * x); }); }
double beta(const V2& z) { return integral(0, 1, [&](double x) { return std::pow(x, z[0] - 1) * std::pow(1 - x, z[1] - 1); }); }
double gamma(const V2& z) { return integral(0, INFINITY, [&](double x) { return std::pow(x, z[0] - 1) * std::exp(-x / z[1]); }); }
double line(const V2& z) {
  return integral(-INFINITY, INFINITY, [&](double x) { const double u = (x - z[0]) / z[1]; return std::exp(-u * u / 2) * std::cos(x); });
}
double upward(const V2& z) { return integral(0, z[0], [&](double x) { return x * x + z[1] * x; }); }
double chirp(double k, double b) { return integral(0, b, [=](double x) { return std::sin(k * x * x) / (1 + x); }); }

TEST(Integrals, AreThoseOfClosedForms) {
  const V3 at{-0.5, 1.2, 0.8};
  EXPECT_NEAR(bell(at), expect.at("bell")[0], 1e-14);
  expect("bell_gradient", grad(bell)(at));
  expect("bell_gradient", tlaloc::jacfwd(bell)(at));
  expect("bell_hessian", hessian(bell)(at));
  EXPECT_NEAR(bell({1.2, -0.5, 0.8}), -expect.at("bell")[0], 1e-14);
  EXPECT_EQ(bell({0.3, 0.3, 0.8}), 0);
  EXPECT_NEAR(grad(bell)(V3{0.3, 0.3, 0.8})[1], std::exp(-0.8 * 0.09), 1e-14);
  expect("upward_hessian", hessian(upward)(V2{1.1, 0.6}));
  const auto by_limit = [](double b, double k) { return bell({-0.5, b, k}); };
  const auto four = grad<0>(grad<0>(grad<1>(jvp<1>(by_limit))));
  EXPECT_NEAR(four(1.2, 0.8, 1.0), expect.at("bell_bbkk")[0], 1e-11);
}
TEST(Integrals, SingularAtALimitOrInfinite) {
  EXPECT_NEAR(integral(0, 1, [](double x) { return 1 / std::sqrt(x); }), 2, 1e-14);
  const V2 b{0.5, 0.7};                           // near 1 the distance to the limit is rounded
  EXPECT_NEAR(beta(b), expect.at("beta")[0], 1e-9);
  expect("beta_gradient", grad(beta)(b), 1e-9);
  expect("beta_hessian", hessian(beta)(b), 1e-8);
  EXPECT_NEAR(gamma({1.7, 0.6}), expect.at("gamma")[0], 1e-13);
  expect("gamma_gradient", grad(gamma)(V2{1.7, 0.6}));
  EXPECT_NEAR(line({0.4, 1.3}), expect.at("line")[0], 1e-13);
  expect("line_gradient", grad(line)(V2{0.4, 1.3}));
  EXPECT_GT(grad([](double b) { return integral(0.5, b, [](double x) { return 1 / std::sqrt(1 - x); }); })(1.0), 1e4);        // infinite
}
TEST(Integrals, WithoutAClosedForm) {
  const auto [by_k, by_b] = grad(chirp)(3.0, 2.5);
  expect("chirp", std::array{chirp(3.0, 2.5), by_k, by_b});
  EXPECT_THROW(integral(0, 1, [](double x) { return x < 0.3 ? 0.0 : 1.0; }), std::runtime_error);
  EXPECT_THROW(integral(0, NAN, [](double x) { return x; }), std::invalid_argument);
}
TEST(Integrals, OfIntegrals) {                    // the volume of a quarter of a ball over its radius: pi r^3 / 6 in an octant
  const auto octant = [](double r) {
    return integral(0, r, [=](double x) { const double h = std::sqrt(r * r - x * x); return integral(0, h, [=](double y) { return std::sqrt(h * h - y * y); }); });
  };
  EXPECT_NEAR(octant(1.5), M_PI * 1.5 * 1.5 * 1.5 / 6, 1e-9);
  EXPECT_NEAR(grad(octant)(1.5), M_PI * 1.5 * 1.5 / 2, 1e-6);
}

// --- differential equations ---
template <class P> V2 field(const P& p, const V2& y) { return {p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - y[1]}; }
double preys(const V7& z) {
  const V2 y = tlaloc::ode::rk4([&](double t, const V2& y) { V2 d = field(z, y); d[0] += 0.1 * std::sin(t); return d; }, V2{z[3], z[4]}, z[5], z[6], 12);
  return y[0] + 2 * y[1];
}
double growth(const V2& z) { return tlaloc::ode::rk4([&](double t, double y) { return z[0] * y * (1 - y) + t; }, z[1], 0, 1.5, 10); }
std::vector<double> adaptive(const std::array<double, 6>& z, const tlaloc::ode::step_options& o) {
  std::vector<double> y{z[3], z[4]};
  y = tlaloc::ode::dopri5([&](double, const std::vector<double>& at) { const V2 d = field(z, {at[0], at[1]}); return std::vector<double>{d[0], d[1]}; }, y, 0, z[5], o);
  return y;
}
double part(const std::array<double, 6>& z, int k, double tolerance) {
  const V2 y = tlaloc::ode::dopri5([&](double, const V2& at) { return field(z, at); }, V2{z[3], z[4]}, 0, z[5], {.relative = tolerance, .absolute = tolerance});
  return y[std::size_t(k)];
}

TEST(Ode, RungeKuttaIsDifferentiatedStepByStep) {
  const V7 z{1.1, 0.4, 0.1, 3.0, 2.0, 0.2, 2.5};
  EXPECT_NEAR(preys(z), expect.at("preys")[0], 1e-13);
  expect("preys_gradient", grad(preys)(z));
  expect("preys_gradient", tlaloc::jacfwd(preys)(z));
  expect("preys_hessian", hessian(preys)(z));
  const V2 g{1.3, 0.2};
  EXPECT_NEAR(growth(g), expect.at("growth")[0], 1e-15);
  expect("growth_gradient", grad(growth)(g));
  EXPECT_THROW(tlaloc::ode::rk4([](double, double y) { return y; }, 1.0, 0, 1, 0), std::invalid_argument);
}
TEST(Ode, OrderFour) {
  auto error = [](int steps) { return std::fabs(tlaloc::ode::rk4([](double, double y) { return -y; }, 1.0, 0, 2, steps) - std::exp(-2)); };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.1);
}
TEST(Ode, DormandPrinceAgainstTheVariationalEquations) {
  const std::array z{1.1, 0.4, 0.1, 10.0, 5.0, 6.0};
  const auto& want = expect.at("sensitivities");
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(part(z, k, 1e-11), want[std::size_t(k)], 1e-9);
    const auto reverse = grad<0>(part)(z, k, 1e-11);
    const auto forward = tlaloc::jacfwd<0>(part)(z, k, 1e-11);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(reverse[i], want[2 + 6 * std::size_t(k) + i], 1e-8) << k << " " << i;
      EXPECT_NEAR(forward.at(0, i), reverse[i], 1e-10) << k << " " << i;
    }
  }
}
TEST(Ode, StatesOfAnyKindTakeTheSameSteps) {
  const std::array z{1.1, 0.4, 0.1, 10.0, 5.0, 6.0};
  const auto y = adaptive(z, {.relative = 1e-6, .absolute = 1e-6});
  EXPECT_EQ(y[0], part(z, 0, 1e-6));
  EXPECT_EQ(y[1], part(z, 1, 1e-6));
  const auto d = grad<0>([](const std::array<double, 6>& p) { return adaptive(p, {.relative = 1e-6, .absolute = 1e-6})[1]; })(z), same = grad<0>(part)(z, 1, 1e-6);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(d[i], same[i], 1e-12 * std::fabs(same[i]));
  // Backwards in time, and a stiff moment that needs rejected steps.
  EXPECT_NEAR(tlaloc::ode::dopri5([](double t, double y) { return -40 * (y - std::cos(t)); }, 0.0, 0, 1), (1600 * std::cos(1) + 40 * std::sin(1)) / 1601, 1e-8);
  EXPECT_NEAR(tlaloc::ode::dopri5([](double, double y) { return y; }, std::exp(1.0), 1, 0), 1, 1e-8);
  EXPECT_THROW(tlaloc::ode::dopri5([](double, double y) { return y * y; }, 1.0, 0, 2), std::runtime_error);    // infinite at 1
}

}  // namespace
