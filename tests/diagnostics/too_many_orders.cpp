// SPDX-License-Identifier: Apache-2.0
//
// NOT_DIFFERENTIABLE: a solution of an equation is differentiated more often than its call asks for, at that call.
#include "tlaloc/root.hpp"

double once(double a) { return tlaloc::root<1>([=](double x) { return x * x * x - a; }, 1.0) * a * a; }
double twice(double a) { return tlaloc::root([=](double x) { return x * x * x - a; }, 1.0) * a; }

double first(double a) { return tlaloc::grad(once)(a); }                                            // fine
double second(double a) { return tlaloc::grad(tlaloc::grad(twice))(a); }                            // fine
double second_of_one(double a) { return tlaloc::jvp(tlaloc::grad(once))(a, 1.0); }
double third_of_two(double a) { return tlaloc::grad(tlaloc::grad(tlaloc::grad(twice)))(a); }

// expect: 6:32 NOT_DIFFERENTIABLE ... more often than its call allows ... root<4>
// expect: 7:33 NOT_DIFFERENTIABLE ... more often than its call allows ... root<4>
