// SPDX-License-Identifier: Apache-2.0
//
// Products of tensors. Each rule gives the letters of an einsum, which is all that runs.
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

namespace tlaloc::detail::rules {

/// Letters that rules choose; those of a and b that are still free get new ones.
struct letters {
  signed char a[max_rank], b[max_rank];
  int n = 0;
  constexpr letters() {
    for (auto& x : a) x = -1;
    for (auto& x : b) x = -1;
  }
  constexpr void pair(int i, int j) { a[i] = b[j] = (signed char)n++; }
  constexpr void finish(outcome& o, const sig& x, const sig& y) {
    for (int i = 0; i < x.rank; ++i) o.in[0][i] = char('a' + (a[i] < 0 ? a[i] = (signed char)n++ : a[i]));
    for (int j = 0; j < y.rank; ++j) o.in[1][j] = char('a' + (b[j] < 0 ? b[j] = (signed char)n++ : b[j]));
  }
};
constexpr void push(outcome& o, ax a, char letter) {
  o.out[int(o.rank)] = letter;
  push(o, a);
}
constexpr bool dtypes_of_product(outcome& o, const sig& a, const sig& b) {
  if (a.type != b.type) return o = refuse_dtypes(o), false;
  if (!(numbers & bit(a.type))) return o = refuse(o, code::dtypes, because::dtype_unsupported), false;
  return true;
}

/// The last axis of a with the last but one of b; axes before are batch axes and broadcast. Vectors as in NumPy.
constexpr outcome matmul(const sig* s) {
  const sig &a = s[0], &b = s[1];
  outcome o = of(a);
  if (!dtypes_of_product(o, a, b)) return o;
  if (a.rank < 1 || b.rank < 1) return refuse_ranks(o, a.rank, b.rank, because::rank_unsupported);
  const int i = a.rank - 1, j = b.rank == 1 ? 0 : b.rank - 2;
  ax both;
  if (!meet(o, a.a[i], b.a[j], false, both, because::inner_extents_differ)) return o;
  letters l;
  l.pair(i, j);
  const int batch_a = a.rank > 2 ? a.rank - 2 : 0, batch_b = b.rank > 2 ? b.rank - 2 : 0;
  const int batch = batch_a > batch_b ? batch_a : batch_b;
  ax shared[max_rank];
  for (int k = 0; k < batch; ++k) {
    const int p = k - (batch - batch_a), q = k - (batch - batch_b);
    shared[k] = p < 0 ? b.a[q] : a.a[p];
    if (p >= 0 && q >= 0) {
      if (!meet(o, a.a[p], b.a[q], true, shared[k])) return o;
      l.pair(p, q);
    }
  }
  if (batch + (a.rank > 1) + (b.rank > 1) > max_rank) return refuse_ranks(o, a.rank, b.rank, because::rank_unsupported);
  l.finish(o, a, b);
  for (int k = 0; k < batch; ++k) {
    const int p = k - (batch - batch_a), q = k - (batch - batch_b);
    push(o, shared[k], p >= 0 ? o.in[0][p] : o.in[1][q]);
  }
  if (a.rank > 1) push(o, a.a[a.rank - 2], o.in[0][a.rank - 2]);
  if (b.rank > 1) push(o, b.a[b.rank - 1], o.in[1][b.rank - 1]);
  return o;
}

/// s[2] = the names that are summed over; none: the one that both have. The other shared names are batch axes.
constexpr outcome contract(const sig* s) {
  const sig &a = s[0], &b = s[1];
  sig k = s[2];
  outcome o = of(a);
  if (!dtypes_of_product(o, a, b)) return o;
  int shared = 0;
  ax first;
  for (int i = 0; i < a.rank; ++i) {
    const int j = find(b, a.a[i]);
    if (j < 0) continue;
    if (find(a, a.a[i], i + 1) >= 0 || find(b, a.a[i], j + 1) >= 0)
      return refuse(o, code::names, because::axis_repeated, a.a[i], b.a[j]);
    if (shared++ && !k.rank) return refuse(o, code::names, because::several_shared_names, first, a.a[i]);
    first = a.a[i];
  }
  if (!shared) {
    const ax none = number_ax(0);
    return refuse(o, code::names, because::no_shared_name, a.rank ? a.a[a.rank - 1] : none, b.rank ? b.a[0] : none);
  }
  if (!k.rank) k.rank = 1, k.a[0] = first;
  bool summed[max_rank] = {};
  for (int q = 0; q < k.rank; ++q) {
    const int i = the_axis(o, a, k.a[q]);
    if (i < 0 || the_axis(o, b, k.a[q]) < 0) return o;
    summed[i] = true;
  }
  letters l;
  ax both[max_rank];
  for (int i = 0; i < a.rank; ++i)
    if (const int j = find(b, a.a[i]); j >= 0) {
      if (!meet(o, a.a[i], b.a[j], false, both[i])) return o;
      l.pair(i, j);
    }
  l.finish(o, a, b);
  int rank = 0;
  for (int i = 0; i < a.rank; ++i) rank += !summed[i];
  for (int j = 0; j < b.rank; ++j) rank += find(a, b.a[j]) < 0;
  if (rank > max_rank) return refuse_ranks(o, rank, max_rank, because::rank_unsupported);
  for (int i = 0; i < a.rank; ++i)
    if (find(b, a.a[i]) >= 0 && !summed[i]) push(o, both[i], o.in[0][i]);
  for (int i = 0; i < a.rank; ++i)
    if (find(b, a.a[i]) < 0) push(o, a.a[i], o.in[0][i]);
  for (int j = 0; j < b.rank; ++j)
    if (find(a, b.a[j]) < 0) push(o, b.a[j], o.in[1][j]);
  return o;
}

/// "ij,jk->ik" for one to three operands; without "->" the letters that stand once, in order of the alphabet. A letter that
/// stands twice in one operand takes its diagonal.
constexpr outcome einsum(const sig* s, int n, const char* spec) {
  outcome o = of(s[0]);
  ax seen[26];
  int times[26] = {}, part = 0, d = 0;
  bool result = false;
  for (int t = 1; t < n; ++t)
    if (!dtypes_of_product(o, s[0], s[t])) return o;
  for (const char* p = spec; *p; ++p) {
    if (*p == ' ') continue;
    if (*p == ',' || (*p == '-' && p[1] == '>')) {
      if (result || part >= n || (*p == ',' && part + 1 >= n)) return refuse(o, code::shapes, because::spec_unreadable, number_ax(part + 1), number_ax(n));
      if (d != s[part].rank) return refuse_ranks(o, d, s[part].rank);
      result = *p == '-';
      p += result;
      d = 0;
      ++part;
      continue;
    }
    const int c = *p - 'a';
    if (c < 0 || c > 25 || d >= max_rank) return refuse(o, code::shapes, because::spec_unreadable, number_ax(d), number_ax(max_rank));
    if (result) {
      if (times[c] <= 0) return refuse(o, code::shapes, because::letter_unknown, number_ax(c), number_ax(d));
      times[c] = -1;
      push(o, seen[c], *p);
      ++d;
      continue;
    }
    if (d >= s[part].rank) return refuse_ranks(o, d + 1, s[part].rank);
    if (!times[c]) seen[c] = s[part].a[d];
    else if (!meet(o, seen[c], s[part].a[d], false, seen[c], because::letter_has_two_extents)) return o;
    ++times[c];
    o.in[part][d++] = *p;
  }
  if (!result) {
    if (d != s[part].rank) return refuse_ranks(o, d, s[part].rank);
    ++part;
    for (int c = 0; c < 26; ++c)
      if (times[c] == 1) {
        if (o.rank == max_rank) return refuse_ranks(o, max_rank + 1, max_rank, because::rank_unsupported);
        push(o, seen[c], char('a' + c));
      }
  }
  return part == n ? o : refuse(o, code::shapes, because::spec_unreadable, number_ax(part), number_ax(n));
}

}  // namespace tlaloc::detail::rules
