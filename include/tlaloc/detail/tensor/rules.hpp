// SPDX-License-Identifier: Apache-2.0
//
// What every shape rule works with. A rule is a plain constexpr function from signatures to an outcome. The typed operations
// call it while compiling, with the extents that types know; the untyped ones call the same function when they run, with all.
#pragma once

#include "tlaloc/detail/tensor/axes.hpp"

#include <initializer_list>

namespace tlaloc {

/// Why an operation is refused; printed inside the message types.
enum class because : unsigned char {
  none, extents_differ, inner_extents_differ, names_differ, no_shared_name, several_shared_names, axis_absent, axis_repeated,
  element_counts_differ, ranks_differ, rank_unsupported, channels_differ, groups_do_not_divide, above_the_bound,
  outside_the_axis, window_too_large, extent_unknown, dtypes_differ, dtype_unsupported, letter_has_two_extents,
  letter_unknown, spec_unreadable, option_invalid
};

namespace detail {

enum class code : unsigned char { ok, poisoned, names, shapes, dtypes, bounds };

/// C++ numbers take the dtype of the tensor that they meet.
enum class weak : unsigned char { no, boolean, integer, floating };

struct sig {
  dtype type = dtype::none;
  signed char rank = 0;
  weak number = weak::no;
  bool poisoned = false;
  ax a[max_rank];
};

struct outcome {
  code c = code::ok;
  because why = because::none;
  dtype type = dtype::none;
  signed char rank = 0;
  signed char axis = -1;                    // the one that softmax, concat, slice ... work on; reshape: the inferred one
  signed char perm[max_rank] = {};          // transpose
  unsigned mask = 0;                        // reductions
  ax a[max_rank];
  ax left, right;                           // of a refusal
  char in[3][max_rank + 1] = {}, out[max_rank + 1] = {};   // einsum letters
};

constexpr outcome refuse(outcome o, code c, because w, ax l = {}, ax r = {}) {
  o.c = c, o.why = w, o.left = l, o.right = r;
  return o;
}
constexpr outcome refuse_dtypes(outcome o) { return refuse(o, code::dtypes, because::dtypes_differ); }
constexpr outcome refuse_ranks(outcome o, extent_t l, extent_t r, because w = because::ranks_differ) {
  return refuse(o, code::shapes, w, number_ax(l), number_ax(r));
}
constexpr bool ok(const outcome& o) { return o.c == code::ok; }
constexpr void push(outcome& o, ax a) { o.a[int(o.rank++)] = a; }
constexpr outcome of(const sig& x) {
  outcome o;
  o.type = x.type;
  return o;
}
constexpr outcome same(const sig& x) {
  outcome o = of(x);
  for (int k = 0; k < x.rank; ++k) push(o, x.a[k]);
  return o;
}
constexpr int find(const sig& x, const ax& k, int from = 0) {
  for (int i = from; i < x.rank; ++i)
    if (k.id && x.a[i].id == k.id) return i;
  return -1;
}

/// Whether a program that is recorded may take two extents as one, of which one at least is known only when it runs: a number
/// below dyn, which stands for an expression.
bool same_extent(extent_t, extent_t);
constexpr bool extents_fit(extent_t l, extent_t r) {
  if (l == r || l == dyn || r == dyn) return true;
  return (l < dyn || r < dyn) && same_extent(l, r);
}

/// The axis that two aligned ones become. Names first: equal where both are there, and then equal extents too. Only an unnamed
/// extent of 1 stretches.
constexpr bool meet(outcome& o, ax l, ax r, bool stretch, ax& both, because why = because::extents_differ) {
  if (l.id && r.id && l.id != r.id) return o = refuse(o, code::names, because::names_differ, l, r), false;
  const bool l_stretches = stretch && !l.id && l.extent == 1, r_stretches = stretch && !r.id && r.extent == 1;
  if (l_stretches) return both = r, true;
  if (r_stretches) return both = l, true;
  if (!extents_fit(l.extent, r.extent)) return o = refuse(o, code::shapes, why, l, r), false;
  if (l.id && !r.id) both = l;
  else if (r.id && !l.id) both = r;
  else both = l.extent != dyn ? l : r;
  const extent_t known = l.extent != dyn ? l.extent : r.extent;
  if (both.max != dyn && known > both.max)
    return o = refuse(o, code::bounds, because::above_the_bound, number_ax(known), number_ax(both.max)), false;
  return true;
}

/// Broadcasting, aligned at the right.
constexpr outcome spread(outcome o, const sig& x, const sig& y) {
  const int n = x.rank > y.rank ? x.rank : y.rank;
  for (int k = 0; k < n; ++k) {
    const int i = k - (n - x.rank), j = k - (n - y.rank);
    ax both = i < 0 ? y.a[j] : x.a[i];
    if (i >= 0 && j >= 0 && !meet(o, x.a[i], y.a[j], true, both)) return o;
    push(o, both);
  }
  return o;
}
constexpr sig sig_from(const outcome& o) {
  sig s;
  s.type = o.type, s.rank = o.rank;
  for (int k = 0; k < o.rank; ++k) s.a[k] = o.a[k];
  return s;
}

/// Lists of axes hold positions as well as names: sum<0, -1>. Negative ones count from the end.
inline constexpr extent_t position_mark = -2;
constexpr ax position_ax(extent_t p) { return {nullptr, p, position_mark}; }
constexpr bool is_position(const ax& k) { return k.max == position_mark; }

/// Position of the axis k of x, which must be there once.
constexpr int the_axis(outcome& o, const sig& x, const ax& k) {
  if (is_position(k)) {
    const extent_t i = k.extent < 0 ? k.extent + x.rank : k.extent;
    if (i >= 0 && i < x.rank) return int(i);
    return o = refuse(o, code::shapes, because::outside_the_axis, number_ax(k.extent), number_ax(x.rank)), -1;
  }
  const int i = find(x, k);
  if (i < 0) return o = refuse(o, code::names, because::axis_absent, k, x.rank ? x.a[x.rank - 1] : number_ax(0)), -1;
  if (find(x, k, i + 1) >= 0) return o = refuse(o, code::names, because::axis_repeated, x.a[i], k), -1;
  return i;
}
/// The axes listed in k as a mask; an empty list means all.
constexpr bool the_axes(outcome& o, const sig& x, const sig& k) {
  o.mask = k.rank ? 0 : (1u << x.rank) - 1;
  for (int n = 0; n < k.rank; ++n) {
    const int i = the_axis(o, x, k.a[n]);
    if (i < 0) return false;
    if (o.mask >> i & 1) return o = refuse(o, code::names, because::axis_repeated, x.a[i], x.a[i]), false;
    o.mask |= 1u << i;
  }
  return true;
}

constexpr weak kind_of(dtype t) {
  return is_floating(t) ? weak::floating : t == dtype::boolean ? weak::boolean : weak::integer;
}
/// A number fits a tensor of its own kind; an integer number fits a tensor of floats, too.
constexpr bool number_fits(weak number, dtype t) {
  return number == kind_of(t) || (number == weak::integer && is_floating(t));
}
constexpr bool dtypes_fit(const sig& x, const sig& y) {
  if (x.number != weak::no) return number_fits(x.number, y.type);
  if (y.number != weak::no) return number_fits(y.number, x.type);
  return x.type == y.type;
}

// --- sets of dtypes ---
constexpr unsigned bit(dtype t) { return 1u << int(t); }
inline constexpr unsigned floats = 0xfu << int(dtype::f16), integers = 0xffu << int(dtype::i8), booleans = 1,
                          numbers = floats | integers, everything = numbers | booleans;

/// Positions as an operand of a rule that wants a list of axes.
template <int... P> struct at {};

consteval outcome call(outcome (*rule)(const sig*), std::initializer_list<sig> list) {
  sig s[8];
  int n = 0;
  for (const sig& x : list) {
    s[n] = x;
    if (x.poisoned) {
      outcome o;
      o.c = code::poisoned;
      return o;
    }
    for (int k = 0; k < x.rank; ++k) s[n].a[k].src = (signed char)n, s[n].a[k].pos = (signed char)k;
    ++n;
  }
  return rule(s);
}

}  // namespace detail
}  // namespace tlaloc
