// SPDX-License-Identifier: Apache-2.0
//
// Convolution and pooling over 1 to 3 spatial axes. Layout: x[N, C, spatial...], w[O, C / groups, spatial...].
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

namespace tlaloc {

/// One number for all spatial axes, or one for each: `.stride = 2`, `.stride = {1, 2}`.
struct per_axis {
  extent_t v[3];
  constexpr per_axis(extent_t all) : v{all, all, all} {}
  constexpr per_axis(extent_t a, extent_t b, extent_t c = 0) : v{a, b, c} {}
  constexpr extent_t operator[](int i) const { return v[i]; }
};

struct conv_options {
  per_axis stride = 1, pad = 0;           // zeros on both sides
  per_axis dilation = 1;                  // of the window
  extent_t groups = 1;
};
struct conv_transpose_options {
  per_axis stride = 1, pad = 0;           // pad: elements cut off both sides of the result
  per_axis output_pad = 0;                // added at its end
  per_axis dilation = 1;
  extent_t groups = 1;
};
struct pool_options {
  per_axis window = 2, stride = 0;        // stride 0: the window's
  per_axis pad = 0;
  bool count_pad = true;                  // avg_pool divides by the whole window, padding included
  bool ceil = false;                      // the last window may reach beyond the padding, by elements that are not there
};

namespace detail::rules {

template <class Options> constexpr bool options_valid(const Options& o, int spatial) {
  for (int k = 0; k < spatial; ++k)
    if (o.stride[k] < 1 || o.pad[k] < 0 || o.dilation[k] < 1) return false;
  return o.groups >= 1;
}
constexpr bool conv_operands(outcome& o, const sig* s, int spatial) {
  const sig &x = s[0], &w = s[1];
  if (x.type != w.type) return o = refuse_dtypes(o), false;
  if (!(floats & bit(x.type))) return o = refuse(o, code::dtypes, because::dtype_unsupported), false;
  if (x.rank != spatial + 2 || w.rank != spatial + 2) return o = refuse_ranks(o, x.rank, w.rank, because::rank_unsupported), false;
  return true;
}
constexpr bool resize(outcome& o, ax& a, extent_t n) {
  a.extent = n;
  if (a.max != dyn && n > a.max) return o = refuse(o, code::bounds, because::above_the_bound, number_ax(n), number_ax(a.max)), false;
  return true;
}

/// The spatial axes of a convolution's result. `length(k, e, q)`: that of axis k for e positions and a window of q; below 1
/// the window does not fit.
template <class Length> constexpr outcome push_spatial(outcome o, const sig* s, int spatial, bool known, Length length) {
  for (int k = 0; k < spatial; ++k) {
    ax a = s[0].a[k + 2];
    const ax& w = s[1].a[k + 2];
    if (!known || a.extent == dyn || w.extent == dyn) {
      a.extent = dyn;
    } else {
      const extent_t n = length(k, a.extent, w.extent);
      if (n < 1) return refuse(o, code::shapes, because::window_too_large, w, a);
      if (!resize(o, a, n)) return o;
    }
    push(o, a);
  }
  return o;
}

/// `known`: whether the options are known while the types are computed.
constexpr outcome conv(const sig* s, int spatial, const conv_options& p, bool known) {
  const sig &x = s[0], &w = s[1];
  outcome o = of(x);
  if (!conv_operands(o, s, spatial)) return o;
  const ax cx = x.a[1], cw = w.a[1], co = w.a[0];
  if (cx.id && cw.id && cx.id != cw.id) return refuse(o, code::names, because::names_differ, cx, cw);
  if (known) {
    if (!options_valid(p, spatial)) return refuse(o, code::shapes, because::option_invalid, number_ax(p.stride[0]), number_ax(p.pad[0]));
    if (cx.extent != dyn && cw.extent != dyn && cx.extent != cw.extent * p.groups) return refuse(o, code::shapes, because::channels_differ, cx, cw);
    if (co.extent != dyn && co.extent % p.groups) return refuse(o, code::shapes, because::groups_do_not_divide, co, number_ax(p.groups));
  }
  push(o, x.a[0]);
  push(o, co);
  return push_spatial(o, s, spatial, known, [&](int k, extent_t e, extent_t q) -> extent_t {
    const extent_t room = e + 2 * p.pad[k], reach = p.dilation[k] * (q - 1) + 1;
    return q < 1 || reach > room ? 0 : (room - reach) / p.stride[k] + 1;
  });
}

/// w[C, O / groups, spatial...]: the transpose of conv by its input.
constexpr outcome conv_transpose(const sig* s, int spatial, const conv_transpose_options& p, bool known) {
  const sig &x = s[0], &w = s[1];
  outcome o = of(x);
  if (!conv_operands(o, s, spatial)) return o;
  const ax cx = x.a[1], cw = w.a[0];
  ax co = w.a[1];
  if (cx.id && cw.id && cx.id != cw.id) return refuse(o, code::names, because::names_differ, cx, cw);
  if (cx.extent != dyn && cw.extent != dyn && cx.extent != cw.extent) return refuse(o, code::shapes, because::channels_differ, cx, cw);
  if (known) {
    bool valid = options_valid(p, spatial);
    for (int k = 0; k < spatial; ++k) valid = valid && p.output_pad[k] >= 0 && (p.output_pad[k] < p.stride[k] || p.output_pad[k] < p.dilation[k]);
    if (!valid) return refuse(o, code::shapes, because::option_invalid, number_ax(p.stride[0]), number_ax(p.output_pad[0]));
    if (cx.extent != dyn && cx.extent % p.groups) return refuse(o, code::shapes, because::groups_do_not_divide, cx, number_ax(p.groups));
  }
  if (!known) co.extent = dyn;
  else if (co.extent != dyn && !resize(o, co, co.extent * p.groups)) return o;
  push(o, x.a[0]);
  push(o, co);
  return push_spatial(o, s, spatial, known, [&](int k, extent_t e, extent_t q) {
    return (e - 1) * p.stride[k] - 2 * p.pad[k] + p.dilation[k] * (q - 1) + p.output_pad[k] + 1;
  });
}

/// How many windows there are along axis k of e elements. By `ceil` too each begins in x or in front of it.
constexpr extent_t windows_along(const pool_options& p, int k, extent_t e) {
  const extent_t stride = p.stride[k] ? p.stride[k] : p.window[k], room = e + 2 * p.pad[k] - p.window[k];
  if (!p.ceil) return room / stride + 1;
  const extent_t n = (room + stride - 1) / stride + 1;
  return (n - 1) * stride >= e + p.pad[k] ? n - 1 : n;
}
constexpr outcome pool(const sig* s, int spatial, const pool_options& p, bool known) {
  const sig& x = s[0];
  outcome o = same(x);
  if (!(floats & bit(x.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (x.rank != spatial + 2) return refuse_ranks(o, x.rank, spatial + 2);
  for (int k = 0; k < spatial; ++k) {
    ax& a = o.a[k + 2];
    if (!known) {
      a.extent = dyn;
      continue;
    }
    const extent_t stride = p.stride[k] ? p.stride[k] : p.window[k];
    if (p.window[k] < 1 || stride < 1 || p.pad[k] < 0 || 2 * p.pad[k] > p.window[k])
      return refuse(o, code::shapes, because::option_invalid, number_ax(p.window[k]), number_ax(p.pad[k]));
    if (a.extent == dyn) continue;
    const extent_t room = a.extent + 2 * p.pad[k];
    if (p.window[k] > room) return refuse(o, code::shapes, because::window_too_large, number_ax(p.window[k]), x.a[k + 2]);
    a.extent = windows_along(p, k, a.extent);
  }
  return o;
}
/// To `to` windows along each spatial axis: as equal as they can be, the next beginning where one ends or one before.
constexpr outcome adaptive_pool(const sig* s, const extent_t* to, int spatial) {
  const sig& x = s[0];
  outcome o = same(x);
  if (!(floats & bit(x.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (x.rank != spatial + 2) return refuse_ranks(o, x.rank, spatial + 2);
  for (int k = 0; k < spatial; ++k) {
    if (to[k] < 1 || x.a[k + 2].extent == 0) return refuse(o, code::shapes, because::option_invalid, number_ax(to[k]), x.a[k + 2]);
    if (!resize(o, o.a[k + 2], to[k])) return o;
  }
  return o;
}

/// x, then n - 1 vectors along its last axis.
constexpr outcome normalise(const sig* s, int n) {
  outcome o = same(s[0]);
  if (!(floats & bit(o.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (o.rank < 1) return refuse_ranks(o, o.rank, 1, because::rank_unsupported);
  for (int k = 1; k < n; ++k) {
    if (s[k].type != o.type) return refuse_dtypes(o);
    if (s[k].rank != 1) return refuse_ranks(o, s[k].rank, 1);
    if (ax both; !meet(o, s[0].a[o.rank - 1], s[k].a[0], false, both)) return o;
  }
  return o;
}

/// x[N, C, ...], scale[C], shift[C].
/// x[N, C, ...] and n numbers for each channel.
constexpr outcome per_channel(const sig* s, int n) {
  outcome o = same(s[0]);
  if (!(floats & bit(o.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (o.rank < 2) return refuse_ranks(o, o.rank, 2, because::rank_unsupported);
  const ax c = s[0].a[1];
  for (int k = 1; k <= n; ++k) {
    if (s[k].type != o.type) return refuse_dtypes(o);
    if (s[k].rank != 1) return refuse_ranks(o, s[k].rank, 1);
    if (ax both; !meet(o, c, s[k].a[0], false, both, because::channels_differ)) return o;
  }
  return o;
}
constexpr outcome group_norm(const sig* s, extent_t groups) {
  outcome o = per_channel(s, 2);
  if (!ok(o)) return o;
  const ax c = s[0].a[1];
  if (groups < 1 || (c.extent != dyn && c.extent % groups)) return refuse(o, code::shapes, because::groups_do_not_divide, c, number_ax(groups));
  return o;
}

}  // namespace detail::rules
}  // namespace tlaloc
