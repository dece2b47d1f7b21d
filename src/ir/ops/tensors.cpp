// SPDX-License-Identifier: Apache-2.0
#include "ir/ops/tensors.hpp"

#include <algorithm>

namespace tlaloc::ir {

void refuse_symbolic(const Op& op, std::string_view what) {
  throw Refusal("NOT_LOWERABLE", op.where, std::string(op.kind->name) + ": " + std::string(what) + "; give it a number in the type");
}
void need_tensor(const Op& op, int i) { if (in(op, i).buffer) refuse(op, "needs tensors, not buffers"); }
void need_axes(const Op& op, const Ints& axes, int rank) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= rank) refuse(op, "axis " + std::to_string(axes[i]) + " of a tensor of rank " + std::to_string(rank));
    if (std::find(axes.begin(), axes.begin() + std::ptrdiff_t(i), axes[i]) != axes.begin() + std::ptrdiff_t(i)) refuse(op, "axis " + std::to_string(axes[i]) + " twice");
  }
}
void need_size(const Op& op, const Ints& v, std::size_t n, std::string_view what) {
  if (v.size() != n) refuse(op, "needs " + std::to_string(n) + " " + std::string(what) + ", not " + std::to_string(v.size()));
}

Ints row_major(const Ints& dims) {
  Ints r(dims.size(), 1);
  for (std::size_t k = dims.size(); k-- > 1;) r[k - 1] = r[k] * dims[k];
  return r;
}
std::int64_t flat(const Ints& dims, const Ints& index) {
  std::int64_t r = 0;
  for (std::size_t k = 0; k < dims.size(); ++k) r = r * dims[k] + index[k];
  return r;
}

template <class T> static void copy_as(const Ints& dims, const Array& from, std::int64_t from_base, const Ints& from_steps, Array& to, std::int64_t to_base, const Ints& to_steps) {
  const T* x = from.data<T>();
  T* y = to.data<T>();
  each_offset<2>(dims, {from_steps, to_steps}, {from_base, to_base}, [&](auto& at) { y[at[1]] = x[at[0]]; });
}
void copy(const Ints& dims, const Array& from, std::int64_t from_base, const Ints& from_steps, Array& to, std::int64_t to_base, const Ints& to_steps) {
  switch (byte_width(from.type.dtype)) {
    case 1: return copy_as<std::uint8_t>(dims, from, from_base, from_steps, to, to_base, to_steps);
    case 2: return copy_as<std::uint16_t>(dims, from, from_base, from_steps, to, to_base, to_steps);
    case 4: return copy_as<std::uint32_t>(dims, from, from_base, from_steps, to, to_base, to_steps);
    default: return copy_as<std::uint64_t>(dims, from, from_base, from_steps, to, to_base, to_steps);
  }
}
void fill(Array& a, const Number& n) { for (std::size_t i = 0, size = a.size(); i < size; ++i) a.set(i, n); }

}  // namespace tlaloc::ir
