// SPDX-License-Identifier: Apache-2.0
//
// A13: Recursion with an integer exponent.
#include "case.hpp"

double power(double x, int n) {
  if (n == 0) return 1;
  double half = power(x, n / 2);
  return n % 2 == 0 ? half * half : half * half * x;
}
double f(double x, double y) { return power(x, 11) * power(y, 4) + power(x * y, 3); }

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 2.8422288708787732, .gradient = {21.365568708787728, 11.554018315016769}}, 1.1, 0.9);
  return run.done();
}
