// SPDX-License-Identifier: Apache-2.0
//
// A17: Std::vector grown with push_back and read back.
#include "case.hpp"

#include <cstddef>
#include <vector>

double f(double x, int n) {
  std::vector<double> v;
  v.push_back(x);
  for (int i = 1; i < n; ++i) v.push_back(v[i - 1] * x + v.back() / i);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i];
  return sum;
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  run.check(DERIVATIVES(f), {.value = 9.8207193749999994, .gradient = {28.853093749999998}}, 0.85, 5);
  return run.done();
}
