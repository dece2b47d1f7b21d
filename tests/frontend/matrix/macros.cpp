// SPDX-License-Identifier: Apache-2.0
//
// Macros and pragmas in force at the end of the file must not reach the derivatives.
#include <tlaloc/ad.hpp>

#include <cstdio>

double f(double x) {
  double s = 0;
  for (int i = 0; i < 3; ++i) s += x * x * i;
  return s;
}
double use(double v) { return tlaloc::grad(f)(v); }
int main() {
  const bool right = use(2) == 12;
  std::puts(right ? "right" : "wrong");
  return !right;
}
#define s 5
#define x 6
#define d_x oops(
#define i 7
#define value nothing
#define f_grad 8
#pragma pack(push, 1)
#pragma clang fp contract(fast)
#pragma STDC FENV_ACCESS ON
