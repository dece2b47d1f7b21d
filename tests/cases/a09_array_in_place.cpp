// SPDX-License-Identifier: Apache-2.0
//
// A09: Array overwritten in place through a pointer.
#include "case.hpp"

void scan(double* a, int n) {
  for (int i = 1; i < n; ++i) a[i] = a[i - 1] * a[i] + a[i];
}
double f(const double* x, int n) {
  double a[8];
  for (int i = 0; i < n; ++i) a[i] = x[i];
  scan(a, n);
  scan(a, n);
  return a[n - 1];
}

// A raw pointer gets its length from tlaloc::view, or a shadow that the derivative is added to. The printed functions
// take the shadow after the arguments.
int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  const cases::Expected want{.value = 0.82684800000000007,
                             .gradient = {-0.646272, 1.3780800000000001, -1.2988799999999999, 0.75168}};
  double x[4];
  const double given[4] = {0.5, -1.2, 0.8, 1.1};
  for (int i = 0; i < 4; ++i) x[i] = cases::opaque(given[i]);
  const int n = cases::opaque(4);
  const double* in = x;

  const double before = f(in, n);
  run.number("f", before, want.value, want.value_tolerance);
  for (int round = 0; round < 2; ++round) {
    std::vector<double> dx(4, 0.0);
    double* out = dx.data();
#ifdef TLALOC_CASE_PRINTED
    tlaloc::generated::f_grad(in, n, out);
#else
    tlaloc::grad(f)(tlaloc::shadow(in, out), n);
    run.gradient("grad by view", cases::numbers(tlaloc::grad<"x">(f)(tlaloc::view(in, 4), n)), want);
#endif
    run.gradient("grad", dx, want);
#ifdef TLALOC_CASE_PRINTED
    tlaloc::generated::f_grad(in, n, out);
#else
    tlaloc::grad(f)(tlaloc::shadow(in, out), n);
#endif
    for (double& d : dx) d /= 2;  // reverse adds to what the shadow holds
    run.gradient("grad added twice", dx, want);

    for (int i = 0; i < 4; ++i) {
      double seeds[4] = {0, 0, 0, 0};
      seeds[i] = 1;
      double* seed = seeds;
#ifdef TLALOC_CASE_PRINTED
      const double slope = tlaloc::generated::f_jvp(in, n, seed);
#else
      const double slope = tlaloc::jvp(f)(tlaloc::shadow(in, seed), n);
#endif
      run.number("jvp[" + std::to_string(i) + "]", slope, want.gradient[i], want.gradient_tolerance);
    }
  }
  if (f(in, n) != before) run.fail("f returns another value after differentiation");
  return run.done();
}
