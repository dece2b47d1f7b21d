// SPDX-License-Identifier: Apache-2.0
//
// Shapes and dtypes of elementwise operations, reductions and operations along one axis.
#pragma once

#include "tlaloc/detail/tensor/rules.hpp"

namespace tlaloc::detail::rules {

/// n operands that are broadcast against each other, with one dtype of the set `domain`; `to` is the result's dtype, or none for theirs.
constexpr outcome elementwise(const sig* s, int n, unsigned domain, dtype to) {
  int t = 0;
  while (t + 1 < n && s[t].number != weak::no) ++t;
  outcome o = of(s[t]);
  for (int k = 0; k < n; ++k)
    if (!dtypes_fit(s[t], s[k])) return refuse_dtypes(o);
  if (!(domain & bit(o.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  outcome r = same(s[0]);
  for (int k = 1; k < n; ++k) {
    r = spread(of(s[t]), sig_from(r), s[k]);
    if (!ok(r)) return r;
  }
  r.type = to == dtype::none ? o.type : to;
  return r;
}

constexpr outcome where(const sig* s) {  // condition, then two values
  outcome o = of(s[1].number != weak::no ? s[2] : s[1]);
  if (s[0].type != dtype::boolean || !dtypes_fit(s[1], s[2])) return refuse_dtypes(o);
  const outcome v = spread(o, s[1], s[2]);
  return ok(v) ? spread(o, s[0], sig_from(v)) : v;
}

/// s[1] lists the axes. `keep` leaves them as unnamed ones of extent 1.
constexpr outcome reduce(const sig* s, unsigned domain, dtype to, bool keep = false) {
  outcome o = of(s[0]);
  if (!(domain & bit(o.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  if (!the_axes(o, s[0], s[1])) return o;
  for (int k = 0; k < s[0].rank; ++k) {
    if (!(o.mask >> k & 1)) push(o, s[0].a[k]);
    else if (keep) push(o, number_ax(1));
  }
  if (to != dtype::none) o.type = to;
  return o;
}

/// Operations along one axis, s[1], that keep the shape.
constexpr outcome along(const sig* s, unsigned domain, dtype to = dtype::none) {
  outcome o = same(s[0]);
  if (!(domain & bit(o.type))) return refuse(o, code::dtypes, because::dtype_unsupported);
  o.axis = (signed char)the_axis(o, s[0], s[1].a[0]);
  if (to != dtype::none) o.type = to;
  return o;
}

/// Reductions over exactly one axis, s[1].
constexpr outcome reduce_one(const sig* s, unsigned domain, dtype to) {
  outcome o = reduce(s, domain, to);
  if (ok(o)) o.axis = (signed char)the_axis(o, s[0], s[1].a[0]);
  return o;
}

constexpr outcome top_k(const sig* s, extent_t k, dtype to) {
  outcome o = along(s, numbers, to);
  if (!ok(o)) return o;
  ax& a = o.a[int(o.axis)];
  if (k < 1 || (a.extent != dyn && k > a.extent)) return refuse(o, code::shapes, because::outside_the_axis, number_ax(k), a);
  if (a.max != dyn && k > a.max) return refuse(o, code::bounds, because::above_the_bound, number_ax(k), number_ax(a.max));
  a.extent = k;
  return o;
}

}  // namespace tlaloc::detail::rules
