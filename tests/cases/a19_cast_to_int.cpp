// SPDX-License-Identifier: Apache-2.0
//
// A19: A cast to int cuts the dependence.
#include "case.hpp"

double f(double x) {
  int k = (int)x;
  double rest = x - k;
  return k * x + rest * rest;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 11.8125, .gradient = {4.5}}, 3.75);
  return run.done();
}
