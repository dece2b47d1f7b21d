// SPDX-License-Identifier: Apache-2.0
#include "ir/sparse.hpp"

namespace tlaloc::ir {
namespace {
X vectors(Builder& b, const Ints& index) { return literal(b, Shape{std::int64_t(index.size()), 1}, DType::i64, index); }
}  // namespace

X taken(X x, const Ints& index, std::int64_t axis) {
  if (index.empty()) return sliced(x, axis, 0, 0);
  Shape sizes = x.type().dims;
  sizes[std::size_t(axis)] = 1;
  return ops::gather(x, vectors(*x.b, index), without(axes_up_to(x.type().rank()), {axis}), {axis}, {}, {}, {axis}, sizes);
}
X gathered_sums(X x, const Ints& index, std::int64_t axis, std::int64_t n) {
  Type t = x.type();
  t.dims[std::size_t(axis)] = n;
  if (index.empty()) return zero(*x.b, t);
  return ops::scatter_add(zero(*x.b, t), vectors(*x.b, index), x, without(axes_up_to(t.rank()), {axis}), {axis}, {}, {}, {axis});
}
Ints rows_of(const Ints& row_start) {
  Ints rows;
  for (std::size_t r = 0; r + 1 < row_start.size(); ++r) rows.insert(rows.end(), std::size_t(row_start[r + 1] - row_start[r]), std::int64_t(r));
  return rows;
}

}  // namespace tlaloc::ir
