// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <cstdio>

static double cup(double r) { return area(r) * r; }
int main() {
  const double d_cup = tlaloc::grad(cup)(2.0);                         // 600 r r + 3 r r
  const bool right = d_shell(5.0) == 600 && d_bowl(2.0) == 2400 + 600 + 600 && d_cup == 2400 + 12;
  std::printf(right ? "right\n" : "shell %g bowl %g cup %g\n", d_shell(5.0), d_bowl(2.0), d_cup);
  return !right;
}
