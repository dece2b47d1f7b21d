// SPDX-License-Identifier: Apache-2.0
//
// Operations that move elements: reshape, transpose, slice, concat, pad, broadcast; and those that take or put them by index.
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

namespace tlaloc::detail::rules {

/// s[1] = the new axes. An extent that is not known is taken from the axis of the same name in x; `given` more are arguments
/// of the call, and one is inferred.
constexpr outcome reshape(const sig* s, int given = 0) {
  const sig &x = s[0], &y = s[1];
  outcome o = of(x);
  extent_t count_x = 1, count_y = 1;
  int unknown_x = 0, unknown_y = 0;
  for (int k = 0; k < x.rank; ++k) {
    if (x.a[k].extent != dyn) count_x *= x.a[k].extent;
    else if (find(y, x.a[k]) < 0) ++unknown_x;
  }
  for (int k = 0; k < y.rank; ++k) {
    push(o, y.a[k]);
    if (y.a[k].extent != dyn) count_y *= y.a[k].extent;
    else if (const int i = find(x, y.a[k]); i < 0) ++unknown_y, o.axis = (signed char)k;
    else if (x.a[i].extent != dyn) o.a[k].extent = x.a[i].extent, count_y *= x.a[i].extent;
  }
  for (int k = 0; k < x.rank; ++k)  // named, static in x, dynamic in y: counted on both sides above
    if (x.a[k].extent == dyn && find(y, x.a[k]) >= 0 && y.a[find(y, x.a[k])].extent != dyn) ++unknown_x;
  if (unknown_y > 1 + given) return refuse(o, code::shapes, because::extent_unknown, y.a[int(o.axis)], number_ax(unknown_y));
  if (!unknown_x && (unknown_y ? (count_y ? count_x % count_y : count_x) != 0 : count_x != count_y))
    return refuse(o, code::shapes, because::element_counts_differ, number_ax(count_x), number_ax(count_y));
  if (!unknown_x && unknown_y && !given && count_y) {
    ax& a = o.a[int(o.axis)];
    if (a.max != dyn && count_x / count_y > a.max)
      return refuse(o, code::bounds, because::above_the_bound, number_ax(count_x / count_y), number_ax(a.max));
    if (!a.id) a.extent = count_x / count_y;
  }
  if (!unknown_y) o.axis = -1;
  return o;
}

/// s[1] = the new axes, one for each of x; the elements stay.
constexpr outcome rename(const sig* s) {
  const sig &x = s[0], &y = s[1];
  outcome o = of(x);
  if (x.rank != y.rank) return refuse_ranks(o, x.rank, y.rank);
  for (int k = 0; k < x.rank; ++k) {
    ax l = x.a[k], r = y.a[k];
    if (l.extent != dyn && r.extent != dyn && l.extent != r.extent) return refuse(o, code::shapes, because::extents_differ, l, r);
    if (r.extent == dyn && r.max != dyn && l.extent > r.max)
      return refuse(o, code::bounds, because::above_the_bound, number_ax(l.extent), number_ax(r.max));
    if (r.extent == dyn) r.extent = l.extent;
    push(o, r);
  }
  return o;
}

/// s[1] = the old axis, s[2] = the new one.
constexpr outcome relabel(const sig* s) {
  outcome o = same(s[0]);
  const int i = the_axis(o, s[0], s[1].a[0]);
  if (i < 0) return o;
  sig list = s[0];
  list.a[i] = s[2].a[0];
  const sig both[] = {s[0], list};
  return rename(both);
}

/// s[1] = all axes of x in their new order.
constexpr outcome transpose(const sig* s) {
  outcome o = of(s[0]);
  if (s[0].rank != s[1].rank) return refuse_ranks(o, s[0].rank, s[1].rank);
  if (!the_axes(o, s[0], s[1])) return o;
  for (int k = 0; k < s[1].rank; ++k) {
    const int i = the_axis(o, s[0], s[1].a[k]);
    o.perm[k] = (signed char)i;
    push(o, s[0].a[i]);
  }
  return o;
}

constexpr outcome reverse_axes(const sig* s) {
  outcome o = same(s[0]);
  the_axes(o, s[0], s[1]);
  return o;
}

/// n tensors along the axis k.
constexpr outcome concat(const sig* s, int n, const ax& k) {
  outcome o = same(s[0]);
  const int i = the_axis(o, s[0], k);
  if (i < 0) return o;
  for (int t = 1; t < n; ++t) {
    if (s[t].type != o.type) return refuse_dtypes(o);
    if (s[t].rank != o.rank) return refuse_ranks(o, o.rank, s[t].rank);
    const int j = the_axis(o, s[t], k);
    if (j < 0) return o;
    if (i != j) return refuse(o, code::names, because::names_differ, s[0].a[j], s[t].a[j]);
    for (int d = 0; d < o.rank; ++d) {
      ax both = o.a[d];
      if (d == i) both.extent = both.extent == dyn || s[t].a[d].extent == dyn ? dyn : both.extent + s[t].a[d].extent;
      else if (!meet(o, o.a[d], s[t].a[d], false, both)) return o;
      o.a[d] = both;
    }
  }
  const ax& a = o.a[i];
  if (a.max != dyn && a.extent > a.max) return refuse(o, code::bounds, because::above_the_bound, number_ax(a.extent), number_ax(a.max));
  o.axis = (signed char)i;
  return o;
}

/// Every `step`-th element of [first, last) of the axis s[1]; first == dyn: known when it runs.
constexpr outcome slice(const sig* s, extent_t first, extent_t last, extent_t step) {
  outcome o = same(s[0]);
  const int i = the_axis(o, s[0], s[1].a[0]);
  if (i < 0) return o;
  ax& a = o.a[i];
  o.axis = (signed char)i;
  if (first == dyn) return a.extent = dyn, o;
  if (a.extent == dyn && a.max != dyn && last > a.max)
    return refuse(o, code::bounds, because::above_the_bound, number_ax(last), number_ax(a.max));
  if (step < 1) return refuse(o, code::shapes, because::option_invalid, number_ax(step), a);
  if (first < 0 || last < first || (a.extent != dyn && last > a.extent))
    return refuse(o, code::shapes, because::outside_the_axis, number_ax(last), a);
  a.extent = (last - first + step - 1) / step;
  return o;
}

constexpr outcome pad(const sig* s, extent_t low, extent_t high) {
  outcome o = same(s[0]);
  const int i = the_axis(o, s[0], s[1].a[0]);
  if (i < 0) return o;
  ax& a = o.a[i];
  o.axis = (signed char)i;
  if (low < 0 || high < 0) return refuse(o, code::shapes, because::option_invalid, number_ax(low), number_ax(high));
  if (a.extent == dyn) return o;
  a.extent += low + high;
  if (a.max != dyn && a.extent > a.max) return refuse(o, code::bounds, because::above_the_bound, number_ax(a.extent), number_ax(a.max));
  return o;
}

/// s[1] = all axes of the result.
constexpr outcome broadcast_to(const sig* s) {
  outcome o = of(s[0]);
  if (s[0].rank > s[1].rank) return refuse_ranks(o, s[0].rank, s[1].rank);
  const outcome both = spread(o, s[1], s[0]);
  if (!ok(both)) return both;
  for (int k = 0; k < s[1].rank; ++k) {
    ax a = s[1].a[k];
    if (both.a[k].extent != dyn && a.extent != dyn && both.a[k].extent != a.extent)
      return refuse(o, code::shapes, because::extents_differ, both.a[k], a);
    if (a.extent == dyn) a.extent = both.a[k].extent;
    push(o, a);
  }
  return o;
}

// --- axes that come and go ---
constexpr bool insert_axis(outcome& o, int at, ax a) {
  if (o.rank == max_rank) return o = refuse_ranks(o, max_rank, max_rank + 1, because::rank_unsupported), false;
  for (int k = o.rank++; k > at; --k) o.a[k] = o.a[k - 1];
  o.a[at] = a;
  return true;
}
/// `at` among the axes of a result of this rank; negative ones count from its end.
constexpr bool place_of(outcome& o, extent_t at, int rank, int& place) {
  place = int(at < 0 ? at + rank : at);
  return (place >= 0 && place < rank) || (o = refuse(o, code::shapes, because::outside_the_axis, number_ax(at), number_ax(rank)), false);
}
/// s[1] = axes of extent 1, which go.
constexpr outcome squeeze(const sig* s) {
  outcome o = of(s[0]);
  if (!s[1].rank) return refuse(o, code::names, because::axis_absent, number_ax(0), number_ax(s[0].rank));
  if (!the_axes(o, s[0], s[1])) return o;
  for (int k = 0; k < s[0].rank; ++k) {
    const ax& a = s[0].a[k];
    if (!(o.mask >> k & 1)) push(o, a);
    else if (a.extent != dyn && a.extent != 1) return refuse(o, code::shapes, because::extents_differ, a, number_ax(1));
  }
  return o;
}
constexpr outcome expand_dims(const sig* s, extent_t at) {
  outcome o = same(s[0]);
  if (int place = 0; place_of(o, at, s[0].rank + 1, place)) insert_axis(o, place, number_ax(1));
  return o;
}
/// The axes from `from` on become one.
constexpr outcome flatten(const sig* s, extent_t from) {
  outcome o = of(s[0]);
  int place = 0;
  if (!place_of(o, from, s[0].rank ? s[0].rank : 1, place)) return o;
  extent_t n = 1;
  for (int k = 0; k < s[0].rank; ++k) {
    if (k < place) push(o, s[0].a[k]);
    else if (s[0].a[k].extent == dyn) n = dyn;
    else if (n != dyn) n *= s[0].a[k].extent;
  }
  if (place + 1 == s[0].rank) push(o, s[0].a[place]);
  else push(o, number_ax(n));
  return o;
}
/// n tensors of one type side by side along the new axis k, which stands at the position `at`.
constexpr outcome stack(const sig* s, int n, ax k, extent_t at) {
  outcome o = same(s[0]);
  for (int t = 1; t < n; ++t) {
    if (s[t].type != o.type) return refuse_dtypes(o);
    if (s[t].rank != o.rank) return refuse_ranks(o, o.rank, s[t].rank);
    for (int d = 0; d < o.rank; ++d)
      if (!meet(o, o.a[d], s[t].a[d], false, o.a[d])) return o;
  }
  if (k.extent != dyn && k.extent != n) return refuse(o, code::shapes, because::extents_differ, k, number_ax(n));
  if (k.max != dyn && n > k.max) return refuse(o, code::bounds, because::above_the_bound, number_ax(n), number_ax(k.max));
  if (!k.id) k.extent = n;
  if (int place = 0; place_of(o, at, o.rank + 1, place) && insert_axis(o, place, k)) o.axis = (signed char)place;
  return o;
}
/// One of n equal parts along the axis s[1].
constexpr outcome split(const sig* s, extent_t n) {
  outcome o = same(s[0]);
  const int i = the_axis(o, s[0], s[1].a[0]);
  if (i < 0) return o;
  ax& a = o.a[i];
  o.axis = (signed char)i;
  if (n < 1 || (a.extent != dyn && a.extent % n)) return refuse(o, code::shapes, because::element_counts_differ, a, number_ax(n));
  if (a.extent != dyn) a.extent /= n;
  return o;
}
constexpr bool is_position_of_start(const sig& s) {
  return s.number == weak::integer || (s.number == weak::no && s.rank == 0 && is_integer(s.type));
}
/// n elements along the axis s[2] from the start s[1] on.
constexpr outcome slice_at(const sig* s, extent_t n) {
  outcome o = same(s[0]);
  if (!is_position_of_start(s[1])) return refuse(o, code::dtypes, because::dtype_unsupported);
  const int i = the_axis(o, s[0], s[2].a[0]);
  if (i < 0) return o;
  ax& a = o.a[i];
  o.axis = (signed char)i;
  if (n < 0 || (a.extent != dyn && n > a.extent)) return refuse(o, code::shapes, because::outside_the_axis, number_ax(n), a);
  a.extent = n;
  return o;
}
/// s[1] put into s[0] along the axis s[3] from the start s[2] on.
constexpr outcome update_slice(const sig* s) {
  outcome o = same(s[0]);
  if (s[1].type != o.type) return refuse_dtypes(o);
  if (!is_position_of_start(s[2])) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (s[1].rank != o.rank) return refuse_ranks(o, o.rank, s[1].rank);
  const int i = the_axis(o, s[0], s[3].a[0]);
  if (i < 0) return o;
  o.axis = (signed char)i;
  for (int d = 0; d < o.rank; ++d) {
    const ax &x = s[0].a[d], &u = s[1].a[d];
    if (ax both; d != i && !meet(o, x, u, false, both)) return o;
    if (d != i) continue;
    if (x.id && u.id && x.id != u.id) return refuse(o, code::names, because::names_differ, x, u);
    if (x.extent != dyn && u.extent != dyn && u.extent > x.extent) return refuse(o, code::shapes, because::outside_the_axis, u, x);
  }
  return o;
}

/// Adds the axis s[1] at the end.
constexpr outcome one_hot(const sig* s, dtype to) {
  outcome o = same(s[0]);
  if (!is_integer(s[0].type)) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (s[0].rank == max_rank) return refuse_ranks(o, max_rank, max_rank + 1, because::rank_unsupported);
  push(o, s[1].a[0]);
  o.type = to;
  return o;
}

/// table[V, D...], indices: D... for each index.
constexpr outcome embedding(const sig* s) {
  outcome o = of(s[0]);
  if (!is_integer(s[1].type)) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (s[0].rank < 1 || s[0].rank + s[1].rank - 1 > max_rank) return refuse_ranks(o, s[0].rank, s[1].rank, because::rank_unsupported);
  for (int k = 0; k < s[1].rank; ++k) push(o, s[1].a[k]);
  for (int k = 1; k < s[0].rank; ++k) push(o, s[0].a[k]);
  return o;
}

/// The axis s[2] of x is replaced by the axes of the indices s[1].
constexpr outcome gather(const sig* s) {
  outcome o = of(s[0]);
  if (!is_integer(s[1].type)) return refuse(o, code::dtypes, because::dtype_unsupported);
  const int i = the_axis(o, s[0], s[2].a[0]);
  if (i < 0) return o;
  if (s[0].rank + s[1].rank - 1 > max_rank) return refuse_ranks(o, s[0].rank, s[1].rank, because::rank_unsupported);
  for (int k = 0; k < i; ++k) push(o, s[0].a[k]);
  for (int k = 0; k < s[1].rank; ++k) push(o, s[1].a[k]);
  for (int k = i + 1; k < s[0].rank; ++k) push(o, s[0].a[k]);
  o.axis = (signed char)i;
  return o;
}

/// Indices of x's rank, one for each element of the result; all axes but s[2] are those of x.
constexpr outcome take_along(const sig* s) {
  outcome o = of(s[0]);
  if (!is_integer(s[1].type)) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (s[0].rank != s[1].rank) return refuse_ranks(o, s[0].rank, s[1].rank);
  const int i = the_axis(o, s[0], s[2].a[0]);
  if (i < 0) return o;
  for (int k = 0; k < s[0].rank; ++k) {
    ax both = s[1].a[k];
    if (k != i && !meet(o, s[0].a[k], s[1].a[k], false, both)) return o;
    push(o, both);
  }
  o.axis = (signed char)i;
  return o;
}

/// x with updates s[2] put (or added) at the indices s[1] of the axis s[3]: the updates have the shape that gather would give.
constexpr outcome scatter(const sig* s) {
  const sig taken[] = {s[0], s[1], s[3]};
  outcome o = gather(taken);
  if (!ok(o)) return o;
  if (s[2].type != s[0].type) return refuse_dtypes(o);
  if (s[2].rank != o.rank) return refuse_ranks(o, o.rank, s[2].rank);
  for (int k = 0; k < o.rank; ++k)
    if (ax both; !meet(o, o.a[k], s[2].a[k], false, both)) return o;
  outcome r = same(s[0]);
  r.axis = o.axis;
  return r;
}

}  // namespace tlaloc::detail::rules
