// SPDX-License-Identifier: Apache-2.0
//
// Shapes of linear algebra: matrices along the last two axes, with axes of a batch in front.
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

namespace tlaloc::detail::rules {

inline constexpr unsigned f32_and_f64 = bit(dtype::f32) | bit(dtype::f64);

constexpr bool matrix(outcome& o, const sig& x, bool square) {
  if (!(f32_and_f64 & bit(x.type))) return o = refuse(o, code::dtypes, because::dtype_unsupported), false;
  if (x.rank < 2) return o = refuse_ranks(o, x.rank, 2, because::rank_unsupported), false;
  const ax l = x.a[x.rank - 2], r = x.a[x.rank - 1];
  if (square && l.extent != dyn && r.extent != dyn && l.extent != r.extent) return o = refuse(o, code::shapes, because::extents_differ, l, r), false;
  return true;
}
/// A matrix of the same axes: a factor, an inverse.
constexpr outcome like_matrix(const sig* s, bool square) {
  outcome o = same(s[0]);
  matrix(o, s[0], square);
  return o;
}
/// A number for each matrix.
constexpr outcome of_matrix(const sig* s, bool square) {
  outcome o = of(s[0]);
  if (!matrix(o, s[0], square)) return o;
  for (int k = 0; k < s[0].rank - 2; ++k) push(o, s[0].a[k]);
  return o;
}
/// x of a x = b: b[..., rows] for one right side, b[..., rows, n] for several.
constexpr outcome solution(const sig* s, bool square) {
  const sig &a = s[0], &b = s[1];
  outcome o = of(a);
  if (!matrix(o, a, square)) return o;
  if (a.type != b.type) return refuse_dtypes(o);
  const bool one = b.rank == a.rank - 1;
  if (!one && b.rank != a.rank) return refuse_ranks(o, a.rank, b.rank);
  for (int k = 0; k < a.rank - 2; ++k) {
    ax both;
    if (!meet(o, a.a[k], b.a[k], false, both)) return o;
    push(o, both);
  }
  ax rows;
  if (!meet(o, a.a[a.rank - 2], b.a[a.rank - 2], false, rows, because::inner_extents_differ)) return o;
  push(o, a.a[a.rank - 1]);
  if (!one) push(o, b.a[b.rank - 1]);
  return o;
}
/// The part of a factorisation that has the smaller of the two extents: [..., rows, k], [..., k, columns], [..., k].
enum class factor : unsigned char { left, right, values };
constexpr outcome factors(const sig* s, factor f) {
  const sig& x = s[0];
  outcome o = of(x);
  if (!matrix(o, x, false)) return o;
  const ax rows = x.a[x.rank - 2], columns = x.a[x.rank - 1];
  const extent_t k = rows.extent == dyn || columns.extent == dyn ? dyn : rows.extent < columns.extent ? rows.extent : columns.extent;
  for (int i = 0; i < x.rank - 2; ++i) push(o, x.a[i]);
  if (f == factor::left) push(o, rows);
  push(o, number_ax(k));
  if (f == factor::right) push(o, columns);
  return o;
}
constexpr outcome diagonal(const sig* s) {
  const sig& x = s[0];
  outcome o = of(x);
  if (x.rank < 2) return refuse_ranks(o, x.rank, 2, because::rank_unsupported);
  for (int i = 0; i < x.rank - 2; ++i) push(o, x.a[i]);
  const ax rows = x.a[x.rank - 2], columns = x.a[x.rank - 1];
  if (rows.extent == dyn || columns.extent == dyn) push(o, number_ax(dyn));
  else push(o, rows.extent <= columns.extent ? rows : columns);
  return o;
}
constexpr outcome with_diagonal(const sig* s) {
  const sig& x = s[0];
  outcome o = same(x);
  if (x.rank < 1) return refuse_ranks(o, x.rank, 1, because::rank_unsupported);
  if (x.rank + 1 > max_rank) return refuse_ranks(o, x.rank + 1, max_rank, because::rank_unsupported);
  push(o, x.a[x.rank - 1]);
  return o;
}
constexpr outcome outer(const sig* s) {
  outcome o = of(s[0]);
  if (s[0].type != s[1].type) return refuse_dtypes(o);
  if (s[0].rank != 1 || s[1].rank != 1) return refuse_ranks(o, s[0].rank, s[1].rank, because::rank_unsupported);
  push(o, s[0].a[0]), push(o, s[1].a[0]);
  return o;
}
constexpr outcome kron(const sig* s) {
  outcome o = of(s[0]);
  if (s[0].type != s[1].type) return refuse_dtypes(o);
  if (s[0].rank != 2 || s[1].rank != 2) return refuse_ranks(o, s[0].rank, s[1].rank, because::rank_unsupported);
  for (int k = 0; k < 2; ++k) {
    const extent_t m = s[0].a[k].extent, n = s[1].a[k].extent;
    push(o, number_ax(m == dyn || n == dyn ? dyn : m * n));
  }
  return o;
}
constexpr outcome part_of_matrix(const sig* s) {
  outcome o = same(s[0]);
  if (s[0].rank < 2) return refuse_ranks(o, s[0].rank, 2, because::rank_unsupported);
  return o;
}

}  // namespace tlaloc::detail::rules
