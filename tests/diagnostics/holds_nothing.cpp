// SPDX-License-Identifier: Apache-2.0
//
// NOT_DIFFERENTIABLE: a selected struct without any number that has a derivative, until it is passive.
#include "tlaloc/ad.hpp"

struct Config {
  int steps;
};
struct Quiet {
  int steps;
};
template <> inline constexpr bool tlaloc::passive<Quiet> = true;
double f(double x, Config c) { return c.steps * x; }
double g(double x, Quiet c) { return c.steps * x; }
double use(double x) { return std::get<0>(tlaloc::grad(f)(x, Config{2})) + tlaloc::grad(g)(x, Quiet{2}); }

// expect: 15:43 NOT_DIFFERENTIABLE ... 'c' ... tlaloc::passive<Config>
