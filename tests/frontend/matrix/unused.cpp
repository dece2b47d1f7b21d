// SPDX-License-Identifier: Apache-2.0
#include <tlaloc/ad.hpp>

#include <cstdio>

double f(double x) { return x; }
int main() {
  [[maybe_unused]] auto d = tlaloc::grad(f);  // made, never called: nothing to do
  std::puts("right");
}
