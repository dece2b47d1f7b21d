// SPDX-License-Identifier: Apache-2.0
//
// Macros and pragmas in force at the end of the file must not reach the derivatives, nor those in force at the start the
// headers.
#define A broken(
#define B broken(
#define C broken(
#define D broken(
#define E broken(
#define F broken(
#define G broken(
#define H broken(
#define I broken(
#define J broken(
#define K broken(
#define L broken(
#define M broken(
#define N broken(
#define O broken(
#define P broken(
#define Q broken(
#define R broken(
#define S broken(
#define T broken(
#define U broken(
#define V broken(
#define W broken(
#define X broken(
#define Y broken(
#define Z broken(
#include <tlaloc/ad.hpp>
#include <tlaloc/check_grads.hpp>
#include <tlaloc/checkpoint.hpp>
#include <tlaloc/integral.hpp>
#include <tlaloc/ode.hpp>
#include <tlaloc/root.hpp>
#include <tlaloc/sparse_jacobian.hpp>

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
