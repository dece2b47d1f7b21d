// SPDX-License-Identifier: Apache-2.0
//
// Building tensor programs: what rules and front ends share above the single ops. A builder that would change nothing gives
// its operand back.
#pragma once

#include "ir/extent.hpp"
#include "ir/ops.hpp"

namespace tlaloc::ir {

// --- lists of axes ---
Ints axes_up_to(int n);                           // 0, 1, ... n - 1
bool holds(const Ints&, std::int64_t);
Ints without(const Ints& all, const Ints& drop);
Ints picked(const Ints& from, const Ints& at);
Ints joined(std::initializer_list<Ints>);
Ints shifted(Ints, std::int64_t by = 1);          // axes behind a new one in front
Ints inverse(const Ints& permutation);
Ints repeated(std::size_t n, std::int64_t x);
/// Shape operand of a literal or index constant.
X literal(Builder&, const Shape&, DType, std::span<const std::int64_t>);
X iota(Builder&, const Shape&, DType, std::int64_t axis);
X extent(Builder&, const Shape&);                 // an i64

X broadcast(X x, const Shape&, const Ints& dims); // axis i of x becomes axis dims[i]
X broadcast_to(X x, const Shape&);                // x's axes are the last ones; extents of 1 stretch
X reshape(X x, const Shape&);
X transpose(X x, const Ints& permutation);
X moved(X x, std::int64_t from, std::int64_t to); // one axis
X reversed(X x, const Ints& axes);
X concatenate(std::span<const X>, std::int64_t axis);
X sliced(X x, std::int64_t axis, std::int64_t from, Extent to, std::int64_t stride = 1);
X padded(X x, double value, const Ints& low, const Ints& high, const Ints& interior);
X dynamic_slice(X x, std::span<const X> starts, const Shape& sizes);
X dynamic_update_slice(X x, X update, std::span<const X> starts);
X reduced(const Kind&, X x, const Ints& axes);    // reduce_sum and its like
X matmul(X a, X b);                               // of matrices
/// x[..., indices[i...], ...] along one axis, for indices of x's shape but for that axis.
X take_along_axis(X x, X indices, std::int64_t axis);

/// An operand of a batching rule with the new axis in front, repeated along it where it has none.
X with_batch(X x, bool marked, Extent);

}  // namespace tlaloc::ir
