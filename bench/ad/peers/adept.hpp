// SPDX-License-Identifier: Apache-2.0
#include <adept_source.h>

#include <array>
#include <cstddef>
#include <vector>

namespace peer {

using Real = adept::adouble;

/// The Jacobian of f at x, row after row; z is where f reads its inputs.
template <class F> void jacobian(const std::vector<double>& x, std::vector<Real>& z, const F& f, double* out) {
  adept::Stack& stack = *adept::active_stack();
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = x[i];
  stack.new_recording();
  auto y = f();
  for (Real& r : y) {
    stack.clear_gradients();
    r.set_gradient(1.0);
    stack.compute_adjoint();
    for (Real& e : z) *out++ = e.get_gradient();
  }
}

inline adept::Stack stack;                        // the constructor makes it the thread's active one

}  // namespace peer
