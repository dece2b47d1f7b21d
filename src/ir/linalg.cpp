// SPDX-License-Identifier: Apache-2.0
#include "ir/linalg.hpp"

namespace tlaloc::ir {
namespace {
/// The index along one of the last two axes, counted from the end, for every element.
X index_along(Builder& b, const Shape& dims, int from_end) { return iota(b, dims, DType::i32, std::int64_t(dims.size()) - from_end); }
/// Which elements are on the diagonal.
X on_diagonal(Builder& b, const Shape& dims) { return index_along(b, dims, 2) == index_along(b, dims, 1); }
}  // namespace

X product(X a, X b) {
  const int n = a.type().rank();
  const Ints batch = axes_up_to(n - 2);
  return ops::dot_general(a, b, batch, batch, {n - 1}, {n - 2});
}
X transposed(X a) {
  Ints order = axes_up_to(a.type().rank());
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(a, order);
}
X identity(Builder& b, DType d, const Shape& dims) { return convert(on_diagonal(b, dims), d); }
X lower_part(X a, std::int64_t k) {
  const X row = index_along(*a.b, a.type().dims, 2), column = index_along(*a.b, a.type().dims, 1);
  return ops::select(row + like(row, double(k)) >= column, a, like(a, 0));
}
X upper_part(X a, std::int64_t k) {
  const X row = index_along(*a.b, a.type().dims, 2), column = index_along(*a.b, a.type().dims, 1);
  return ops::select(row + like(row, double(k)) <= column, a, like(a, 0));
}
X diagonal(X a) {
  const auto& dims = a.type().dims;
  const std::size_t r = dims.size();
  const Extent m = dims[r - 2], n = dims[r - 1], k = std::min(m, n);
  const X square = sliced(sliced(a, std::int64_t(r) - 2, 0, k), std::int64_t(r) - 1, 0, k);
  return reduced(ops::reduce_sum, ops::select(on_diagonal(*a.b, square.type().dims), square, like(square, 0)), {std::int64_t(r) - 1});
}
X with_diagonal(X v) {
  const Shape dims = joined({v.type().dims, {v.type().dims.back()}});
  const X all = broadcast(v, dims, axes_up_to(v.type().rank()));
  return ops::select(on_diagonal(*v.b, dims), all, like(all, 0));
}
X symmetric_part(X a) { return (a + transposed(a)) * 0.5; }

}  // namespace tlaloc::ir
