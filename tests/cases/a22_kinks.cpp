// SPDX-License-Identifier: Apache-2.0
//
// A22: Kinks: a value on either side, and the tie.
#include "case.hpp"

#include <cmath>

double f(double x, double y) {
  return std::fabs(x - 1) * 2 + std::fmax(x, y) * 3 + std::fmin(x * x, y);
}

// At a tie either branch or a mix of weight w in [0, 1] is right, the same one in both modes.
template <class Grad, class Jvp>
void at(cases::Run& run, const Grad& grad, const Jvp& jvp, double x, double y, double least, double most) {
  x = cases::opaque(x);
  y = cases::opaque(y);
  run.number("f", f(x, y), 2.75, 1e-12);
  for (int round = 0; round < 2; ++round) {
    const std::vector<double> g = cases::numbers(grad(x, y));
    if (g.size() != 2) return run.fail("the gradient has not two entries");
    run.record("df/dx", g[0]);
    run.number("df/dx + df/dy", g[0] + g[1], 2, 1e-11);
    if (!(g[0] >= least && g[0] <= most)) run.fail("df/dx is no mix of the branches");
    run.number("jvp[0]", jvp(x, y, 1.0, 0.0), g[0], 1e-11);
    run.number("jvp[1]", jvp(x, y, 0.0, 1.0), g[1], 1e-11);
  }
}

int main(int argc, char** argv) {
  cases::Run run(argc, argv);
  const auto grad = GRAD(f);
  const auto jvp = JVP(f);
  at(run, grad, jvp, 0.5, 0.25, 1, 2);  // x * x == y ties in fmin: df/dx = 1 + w
  at(run, grad, jvp, 0.5, 0.5, -1, 2);  // x == y ties in fmax: df/dx = -1 + 3 w
  return run.done();
}
