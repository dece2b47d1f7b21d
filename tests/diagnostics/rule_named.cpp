// SPDX-License-Identifier: Apache-2.0
//
// RULE_MISMATCH: what TLALOC_VJP names is not there, or computes with other numbers.
#include "tlaloc/ad.hpp"

TLALOC_VJP(missing) double named(double x);
TLALOC_VJP(other_numbers) double numbers(double x);
float other_numbers(float x, float d) { return x * d; }

double f(double x) { return tlaloc::grad([](double y) { return named(y); })(x); }
double g(double x) { return tlaloc::grad(numbers)(x); }

// expect: 6:28 RULE_MISMATCH ... 'missing' of 'named' is no function with 2 parameters
// expect: 8:7 RULE_MISMATCH ... 'other_numbers' takes other numbers
