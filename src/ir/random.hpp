// SPDX-License-Identifier: Apache-2.0
//
// Random numbers as functions of a key, bit for bit those of JAX. A key is two u32, the last axis of `keys`; each of the keys
// in front of it draws a block of its own, so that the batch of a function of one key is the same function of several.
#pragma once

#include "ir/tensor.hpp"

namespace tlaloc::ir {

/// How counters become words: of 64 bits each, one for an element (JAX's default), or halves of one sequence (its older form).
enum class Stream : std::int64_t { classic, partitionable };

X random_split(X keys, const Shape&, Stream);     // [keys..., shape..., 2]
X random_fold_in(X keys, X data);                 // data: u32, of the shape of the keys or a scalar
X random_bits(X keys, const Shape&, int width, Stream);   // u8, u16, u32 or u64
/// In [low, high), of their dtype; low and high are scalars.
X random_uniform(X keys, const Shape&, X low, X high, Stream);
X random_uniform(X keys, const Shape&, DType, Stream);    // in [0, 1)
X random_normal(X keys, const Shape&, DType, Stream);     // by the inverse of erf
/// One draw from Gamma(alpha, 1), or its logarithm, for each key, by Marsaglia and Tsang (2000).
X random_gamma_by_rejection(X keys, X alpha, bool log_space, Stream);

}  // namespace tlaloc::ir
