// SPDX-License-Identifier: Apache-2.0
#include "axes.hpp"

#include <tlaloc/jit.hpp>

Scalar<float> f(const Rows& x) { return sum(x * x); }

void a() { jit(hessian(f)); } // refused: deleted jit
void b() { jit(hvp(f)); }     // refused: deleted jit
void c() { jit(jacrev(f)); }  // refused: deleted jit
