// SPDX-License-Identifier: Apache-2.0
//
// What of the standard library and around it is refused where its relatives are not.
#include "tlaloc/ad.hpp"

#include <complex>
#include <functional>
#include <variant>
#include <vector>

double inverse(double x) { return std::real(std::asin(std::complex<double>(x, 1))); }
double deep(const std::vector<std::vector<std::vector<double>>>& v) { return v[0][0][0]; }
double function_in_function(double x) {
  std::function<double(double)> f = [](double t) { return t; };
  std::function<double(double)> g = [f](double t) { return f(t) + 1; };
  return g(x);
}
double either(double x) {
  std::variant<float, double> v = x;
  return std::visit([&x](auto&) -> double& { return x; }, v);
}
double caught(double x) {
  try {
    return std::vector<double>{x}.at(1);
  } catch (...) {
    return 0;
  }
}
double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
double around_recursion(double x) {
  try {
    return power(x, 3);
  } catch (...) {
    return 0;
  }
}
double parallel(double x, int n) {
  double s = 0;
#pragma omp task shared(s)
  s += x * n;
  return s;
}
struct Sum {
  double value = 0;
};
#pragma omp declare reduction(add : Sum : omp_out.value += omp_in.value)
double reduced(double x, int n) {
  Sum s;
#pragma omp parallel for reduction(add : s)
  for (int i = 0; i < n; ++i) s.value += x * i;
  return s.value;
}
double stepped(double x, int n) {
  int k = 0;
#pragma omp simd linear(k : 2)
  for (int i = 0; i < n; ++i) k += 2;
  return x * k;
}

void use(const std::vector<std::vector<std::vector<double>>>& v) {
  tlaloc::grad(inverse)(0.5);
  tlaloc::grad(deep)(v);
  tlaloc::grad(function_in_function)(1.0);
  tlaloc::grad(either)(1.0);
  tlaloc::grad(caught)(1.0);
  tlaloc::grad(around_recursion)(1.0);
  tlaloc::grad(parallel)(1.0, 3);
  tlaloc::grad(reduced)(1.0, 3);
  tlaloc::grad(stepped)(1.0, 3);
}

// flags: -fopenmp
// expect: 11:45 NOT_LOWERABLE ... 'std::asin' of a complex number
// expect: 12:66 NOT_LOWERABLE ... 'v' is a 'std::vector<std::vector<std::vector<double>>>'
// expect: 15:37 NOT_LOWERABLE ... a std::function that holds an object with a std::function in it
// expect: 20:10 NOT_LOWERABLE ... a std::visit that gives a reference
// expect: 23:3 NOT_LOWERABLE ... try around something that throws ... in line 24
// expect: 31:3 NOT_LOWERABLE ... try around something that throws ('power', which is not noexcept, in line 32)
// expect: 39:1 NOT_LOWERABLE ... this OpenMP directive is not supported
// expect: 49:26 NOT_LOWERABLE ... a reduction with an operation of the user's
// expect: 55:18 NOT_LOWERABLE ... the OpenMP clause 'linear(k : 2)'
