// SPDX-License-Identifier: Apache-2.0
//
// NO_SIGNATURE: a generic lambda has parameters of no type, and an overloaded name or a template is no single function.
#include "tlaloc/ad.hpp"

#include <cmath>

auto square = [](auto x) { return x * x; };
auto df = tlaloc::grad(square);
auto right = tlaloc::grad(tlaloc::as<double(double)>(square));
double use(double x) { return right(x); }

double scaled(double x) { return 2 * x; }
float scaled(float x) { return 2 * x; }
template <class T> T cubed(T x) { return x * x * x; }
auto of_overloads = tlaloc::grad(scaled)(1.0);
auto of_template = tlaloc::jvp<0>(cubed);
auto of_library = tlaloc::hessian(std::sin);
auto with_argument = tlaloc::grad(use, 1.0);
auto one_of_them = tlaloc::grad(tlaloc::as<float(float)>(scaled))(1.0f) + tlaloc::grad(tlaloc::as<double(double)>(cubed))(1.0);

// expect: 9:19 NO_SIGNATURE ... tlaloc::as
// expect: 16:29 NO_SIGNATURE ... tlaloc::as
// expect: 17:28 NO_SIGNATURE ... tlaloc::as
// expect: 18:27 NO_SIGNATURE ... tlaloc::as
// expect: 19:30 NO_SIGNATURE ... tlaloc::as
