// SPDX-License-Identifier: Apache-2.0
//
// Reductions and operations along one axis. Those that are no op of the table are composed here, 16-bit floats in f32.
#include "tlaloc/detail/tensor/reduce.hpp"

#include "tensor/node.hpp"

namespace tlaloc::dynamic {

namespace ops = ir::ops;
using detail::outcome;

namespace {

struct Reduction {
  outcome o;
  ir::Ints axes;
  ir::Shape shape;                                // of the result
  ir::Extent n = 1;                               // elements that become one
};
template <class Op> Reduction reduction(const char* name, const AnyTensor& x, const Axes& k, bool keep) {
  const detail::sig s[] = {sig_of(x), k};
  Reduction r{allowed(name, Op::apply(s)), {}, {}};
  r.axes = axes_in(r.o.mask, x.rank());
  r.n = count(dims_of(x), r.axes);
  if (keep) {
    outcome kept = detail::of(s[0]);
    for (int d = 0; d < x.rank(); ++d) detail::push(kept, r.o.mask >> d & 1 ? detail::number_ax(1) : s[0].a[d]);
    kept.type = r.o.type, kept.mask = r.o.mask;
    r.o = kept;
  }
  r.shape = shape_of(r.o);
  return r;
}
AnyTensor finish(const AnyTensor& y, const Reduction& r) { return named(reshaped(y, r.shape), r.o); }
AnyTensor with(const ir::Kind& k, const AnyTensor& x, const Reduction& r) { return finish(reduced(k, x, r.axes), r); }

/// What a reduction over `axes` gave, repeated along them again.
AnyTensor back(const AnyTensor& y, const AnyTensor& x, const ir::Ints& axes) {
  return broadcast(y, dims_of(x), ir::without(ir::axes_up_to(x.rank()), axes));
}
void need_elements(const char* name, const Reduction& r) {
  if (!r.n) refuse("TENSOR_SHAPE_MISMATCH", std::string(name) + ": there is no element to choose from");
}

// log(sum(exp(x))) about a maximum that is finite, so that infinities come out as infinities.
struct Shifted {
  AnyTensor max, exps, sum;
  Shifted(const AnyTensor& x, const ir::Ints& axes)
      : max(finite(reduced(ops::reduce_max, x, axes))), exps(dispatch(ops::exp, {zip(ops::sub, x, back(max, x, axes))})),
        sum(reduced(ops::reduce_sum, exps, axes)) {}
  static AnyTensor finite(const AnyTensor& m) { return chosen(dispatch(ops::isfinite, {m}), m, 0); }
};

AnyTensor variance(const AnyTensor& x, const ir::Ints& axes, ir::Extent n, double ddof) {
  const AnyTensor mean = divided(reduced(ops::reduce_sum, x, axes), n);
  const AnyTensor off = zip(ops::sub, x, back(mean, x, axes));
  return divided(reduced(ops::reduce_sum, zip(ops::mul, off, off), axes), n, ddof);
}
template <class Op> outcome along(const char* name, const AnyTensor& x, const Axis& k) {
  const detail::sig s[] = {sig_of(x), k};
  return allowed(name, Op::apply(s));
}

}  // namespace

AnyTensor sum(const AnyTensor& x, const Axes& k, bool keep) { return with(ops::reduce_sum, x, reduction<op::sum>("sum", x, k, keep)); }
AnyTensor prod(const AnyTensor& x, const Axes& k, bool keep) { return with(ops::reduce_prod, x, reduction<op::prod>("prod", x, k, keep)); }
AnyTensor any(const AnyTensor& x, const Axes& k, bool keep) { return with(ops::reduce_or, x, reduction<op::any>("any", x, k, keep)); }
AnyTensor all(const AnyTensor& x, const Axes& k, bool keep) { return with(ops::reduce_and, x, reduction<op::all>("all", x, k, keep)); }
AnyTensor max(const AnyTensor& x, const Axes& k, bool keep) {
  const Reduction r = reduction<op::max>("max", x, k, keep);
  need_elements("max", r);
  return with(ops::reduce_max, x, r);
}
AnyTensor min(const AnyTensor& x, const Axes& k, bool keep) {
  const Reduction r = reduction<op::min>("min", x, k, keep);
  need_elements("min", r);
  return with(ops::reduce_min, x, r);
}
AnyTensor mean(const AnyTensor& x, const Axes& k, bool keep) {
  const Reduction r = reduction<op::mean>("mean", x, k, keep);
  return in_f32(x, [&](const AnyTensor& y) { return finish(divided(reduced(ops::reduce_sum, y, r.axes), r.n), r); });
}
AnyTensor var(const AnyTensor& x, const Axes& k, double ddof, bool keep) {
  const Reduction r = reduction<op::var>("var", x, k, keep);
  return in_f32(x, [&](const AnyTensor& y) { return finish(variance(y, r.axes, r.n, ddof), r); });
}
AnyTensor stddev(const AnyTensor& x, const Axes& k, double ddof, bool keep) {
  const Reduction r = reduction<op::stddev>("stddev", x, k, keep);
  return in_f32(x, [&](const AnyTensor& y) { return finish(dispatch(ops::sqrt, {variance(y, r.axes, r.n, ddof)}), r); });
}
AnyTensor norm(const AnyTensor& x, const Axes& k, norm_order order, bool keep) {
  const Reduction r = reduction<op::norm>("norm", x, k, keep);
  return in_f32(x, [&](const AnyTensor& y) {
    if (order == norm_order::two) return finish(dispatch(ops::sqrt, {reduced(ops::reduce_sum, zip(ops::mul, y, y), r.axes)}), r);
    const AnyTensor magnitude = dispatch(ops::abs, {y});
    if (order == norm_order::infinity) need_elements("norm", r);
    return with(order == norm_order::one ? static_cast<const ir::Kind&>(ops::reduce_sum) : ops::reduce_max, magnitude, r);
  });
}
AnyTensor logsumexp(const AnyTensor& x, const Axes& k, bool keep) {
  const Reduction r = reduction<op::logsumexp>("logsumexp", x, k, keep);
  need_elements("logsumexp", r);
  return in_f32(x, [&](const AnyTensor& y) {
    const Shifted e(y, r.axes);
    return finish(zip(ops::add, dispatch(ops::log, {e.sum}), e.max), r);
  });
}

AnyTensor softmax(const AnyTensor& x, const Axis& k) {
  const outcome o = along<op::softmax>("softmax", x, k);
  return named(in_f32(x, [&](const AnyTensor& y) {
    const ir::Ints axes{o.axis};
    const Shifted e(y, axes);
    return zip(ops::div, e.exps, back(e.sum, y, axes));
  }), o);
}
AnyTensor log_softmax(const AnyTensor& x, const Axis& k) {
  const outcome o = along<op::log_softmax>("log_softmax", x, k);
  return named(in_f32(x, [&](const AnyTensor& y) {
    const ir::Ints axes{o.axis};
    const Shifted e(y, axes);
    return zip(ops::sub, zip(ops::sub, y, back(e.max, y, axes)), back(dispatch(ops::log, {e.sum}), y, axes));
  }), o);
}

AnyTensor argmax(const AnyTensor& x, const Axis& k) {
  const Reduction r = reduction<op::argmax>("argmax", x, k, false);
  need_elements("argmax", r);
  return named(dispatch(ops::argmax, {x}, {r.axes[0], ir::DType::i32}), r.o);
}
AnyTensor argmin(const AnyTensor& x, const Axis& k) {
  const Reduction r = reduction<op::argmin>("argmin", x, k, false);
  need_elements("argmin", r);
  return named(dispatch(ops::argmin, {x}, {r.axes[0], ir::DType::i32}), r.o);
}
AnyTensor cumsum(const AnyTensor& x, const Axis& k) {
  const outcome o = along<op::cumsum>("cumsum", x, k);
  return named(dispatch(ops::cumsum, {x}, {std::int64_t(o.axis), std::int64_t(0)}), o);
}
AnyTensor cumprod(const AnyTensor& x, const Axis& k) {
  const outcome o = along<op::cumprod>("cumprod", x, k);
  return named(dispatch(ops::cumprod, {x}, {std::int64_t(o.axis), std::int64_t(0)}), o);
}
AnyTensor sort(const AnyTensor& x, const Axis& k, bool descending) {
  const outcome o = along<op::sort>("sort", x, k);
  return named(dispatch(ops::sort, {x}, {std::int64_t(o.axis), std::int64_t(descending)}), o);
}
AnyTensor argsort(const AnyTensor& x, const Axis& k, bool descending) {
  const outcome o = along<op::argsort>("argsort", x, k);
  return named(dispatch(ops::sort_indices, {x}, {std::int64_t(o.axis), std::int64_t(descending)}), o);
}
AnyTensor top_k(const AnyTensor& x, extent_t n, const Axis& k) {
  const detail::sig s[] = {numbers_of(x), k};
  const outcome o = allowed("top_k", detail::rules::top_k(s, n, dtype::none));
  return named(sliced(sort(x, k, true), o.axis, 0, n), o);
}
AnyTensor top_k_indices(const AnyTensor& x, extent_t n, const Axis& k) {
  const detail::sig s[] = {numbers_of(x), k};
  const outcome o = allowed("top_k_indices", detail::rules::top_k(s, n, dtype::i32));
  return named(sliced(argsort(x, k, true), o.axis, 0, n), o);
}
AnyTensor roll(const AnyTensor& x, extent_t shift, const Axis& k) {
  const outcome o = along<op::roll>("roll", x, k);
  const extent_t n = extent_of(x, o.axis);
  if (!ir::is_number(n))
    return named(
        composed({x},
                 [&](std::span<const ir::X> in) {
                   const ir::X place = iota(*in[0].b, in[0].type().dims, ir::index_type, o.axis);
                   const ir::X count =
                       broadcast(ir::extent(*in[0].b, ir::Ints{n}), place.type().dims, {});
                   return take_along_axis(
                       in[0], ops::rem(ops::rem(place - double(shift), count) + count, count),
                       o.axis);
                 }),
        o);
  const extent_t s = n ? (shift % n + n) % n : 0;
  if (!s) return x;
  return named(dispatch(ops::concatenate, {sliced(x, o.axis, n - s, n), sliced(x, o.axis, 0, n - s)}, {std::int64_t(o.axis)}), o);
}

}  // namespace tlaloc::dynamic
