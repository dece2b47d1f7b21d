// SPDX-License-Identifier: Apache-2.0
//
// Matrices along the last two axes, with axes of a batch in front: the words of linear algebra.
#pragma once

#include "ir/tensor.hpp"

namespace tlaloc::ir {

X product(X a, X b);                              // a b
X transposed(X a);
X identity(Builder&, DType, const Shape&);        // ones where the last two indices agree
/// The part on and below the k-th diagonal above the main one; the rest is zero.
X lower_part(X a, std::int64_t k = 0);
X upper_part(X a, std::int64_t k = 0);            // on and above it
X diagonal(X a);                                  // [..., min(m, n)]
X with_diagonal(X v);                             // the matrix that has v on its diagonal and else zeros
X symmetric_part(X a);                            // (a + a^T) / 2

}  // namespace tlaloc::ir
