// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices whose structure is known and whose stored values are not: what is taken and put at fixed positions.
#pragma once

#include "ir/tensor.hpp"

namespace tlaloc::ir {

/// x[..., index[i], ...] along one axis.
X taken(X x, const Ints& index, std::int64_t axis);
/// Zeros of extent n along the axis, to which x[..., i, ...] is added at index[i].
X gathered_sums(X x, const Ints& index, std::int64_t axis, std::int64_t n);
/// The row of each stored value, of where each row starts.
Ints rows_of(const Ints& row_start);

}  // namespace tlaloc::ir
