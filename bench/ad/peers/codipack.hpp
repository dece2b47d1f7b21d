// SPDX-License-Identifier: Apache-2.0
#include <codi.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace peer {

using Real = codi::RealReverse;

/// The Jacobian of f at x, row after row; z is where f reads its inputs.
template <class F> void jacobian(const std::vector<double>& x, std::vector<Real>& z, const F& f, double* out) {
  auto& tape = Real::getTape();
  tape.reset();
  tape.setActive();
  for (std::size_t i = 0; i < x.size(); ++i) tape.registerInput(z[i] = x[i]);
  auto y = f();
  for (Real& r : y) tape.registerOutput(r);
  tape.setPassive();
  for (Real& r : y) {
    r.setGradient(1.0);
    tape.evaluate();
    for (Real& e : z) *out++ = e.getGradient();
    tape.clearAdjoints();
  }
}

}  // namespace peer
