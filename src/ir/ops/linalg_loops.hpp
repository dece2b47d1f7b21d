// SPDX-License-Identifier: Apache-2.0
//
// Factorisations as loops over operations on whole tensors, for whom has no factorisation of its own: matrices along the last
// two axes, all of a batch at once, computed in their own dtype. What they give is what ops/linalg_kernels.hpp says.
#pragma once

#include "ir/tensor.hpp"

namespace tlaloc::ir::loops {

/// Gaussian elimination with exchanged rows: u is what is left of a, b has gone through the same steps.
struct Eliminated { X u, b, sign; };
Eliminated eliminate(X a, X b = {});

X orthonormal(X a);
struct Eigen { X values, vectors; };
Eigen eigen(X a);
struct Singular { X values, u, v; };
Singular singular(X a);

}  // namespace tlaloc::ir::loops
