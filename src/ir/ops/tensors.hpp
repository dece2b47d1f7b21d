// SPDX-License-Identifier: Apache-2.0
//
// What the families of tensor ops share: walking over indices, and the words of their records.
#pragma once

#include "ir/array.hpp"
#include "ir/ops/rules.hpp"
#include "ir/tensor.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace tlaloc::ir {

inline int rank(const Op& op, int i) { return in(op, i).rank(); }
/// NOT_LOWERABLE: what is done with numbers only, an extent that only the run tells.
[[noreturn]] void refuse_symbolic(const Op&, std::string_view what);
void need_tensor(const Op&, int operand);         // a number or a tensor, not a buffer
void need_axes(const Op&, const Ints&, int rank); // in range, each once
void need_size(const Op&, const Ints&, std::size_t, std::string_view what);

/// Steps of the flat index when each axis' index grows by one.
Ints row_major(const Ints& dims);
std::int64_t flat(const Ints& dims, const Ints& index);

/// Calls visit(index) for every index of a shape, in row-major order.
template <class F> void each_index(const Ints& dims, F visit) {
  Ints at(dims.size(), 0);
  for (std::int64_t n = elements(dims); n-- > 0;) {
    visit(std::as_const(at));
    for (std::size_t k = dims.size(); k-- > 0;) {
      if (++at[k] < dims[k]) break;
      at[k] = 0;
    }
  }
}
/// Calls visit(offsets) for every index, with N flat offsets that start at `base` and move by `steps` along the axes.
template <std::size_t N, class F> void each_offset(const Ints& dims, const std::array<Ints, N>& steps, std::array<std::int64_t, N> base, F visit) {
  Ints at(dims.size(), 0);
  for (std::int64_t n = elements(dims); n-- > 0;) {
    visit(std::as_const(base));
    for (std::size_t k = dims.size(); k-- > 0;) {
      for (std::size_t j = 0; j < N; ++j) base[j] += steps[j][k];
      if (++at[k] < dims[k]) break;
      for (std::size_t j = 0; j < N; ++j) base[j] -= steps[j][k] * dims[k];
      at[k] = 0;
    }
  }
}
/// to[index * to_steps] = from[index * from_steps] for every index of `dims`; the arrays have one dtype.
void copy(const Ints& dims, const Array& from, std::int64_t from_base, const Ints& from_steps, Array& to, std::int64_t to_base, const Ints& to_steps);
void fill(Array&, const Number&);

/// Calls visit with a value of the type in which the dtype is stored. f16 and bf16 never come here: see evaluate().
template <class F> void with_storage(DType d, F visit) { with_type(d, [&]<class T>(T x) { visit(x); }); }

}  // namespace tlaloc::ir
