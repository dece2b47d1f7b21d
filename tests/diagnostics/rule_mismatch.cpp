// SPDX-License-Identifier: Apache-2.0
//
// RULE_MISMATCH: rules that do not have the signature of the derivative that they replace.
#include "tlaloc/ad.hpp"

auto one = [](double x, double y) { return x * y; };

auto wrong_result = tlaloc::custom_vjp(one, [](double x, double, double d) { return x * d; });
auto no_cotangent = tlaloc::custom_vjp(one, [](double x, double y) { return std::tuple{y, x}; });
auto no_tangents = tlaloc::custom_jvp(one, [](double x, double y) { return x + y; });
auto no_pair = tlaloc::custom_vjp(one, [](double x, double y) { return x * y; }, [](double k, double d) { return std::tuple{k * d, k}; });
auto of_pointers = tlaloc::custom_vjp([](const double* x) { return *x; }, [](const double*, double d) { return d; });

// expect: 8:29 RULE_MISMATCH ... vjp rule
// expect: 9:29 RULE_MISMATCH
// expect: 10:28 RULE_MISMATCH
// expect: 11:24 RULE_MISMATCH ... residuals
// expect: 12:28 RULE_MISMATCH ... numbers, arrays of fixed size
