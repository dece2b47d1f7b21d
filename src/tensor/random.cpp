// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/random.hpp"

#include "ir/random.hpp"
#include "tensor/node.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tlaloc::random {

namespace ops = ir::ops;
using namespace dynamic;
using detail::outcome, detail::sig;
using Xs = std::span<const ir::X>;

namespace {

ir::Stream form(stream s) { return s == stream::classic ? ir::Stream::classic : ir::Stream::partitionable; }
ir::Shape extents(const char* op, const Shape& s) {
  ir::Shape dims = shape_of(s);
  need_extents(op, dims);
  return dims;
}
void need_key(const char* op, const AnyTensor& key) {
  if (element_of(key) != ir::DType::u32 || dims_of(key) != ir::Shape{2})
    refuse("INVALID_OPERATION", std::string(op) + ": a key is two numbers of u32, not " + ir::text(type_of(key)));
}
void need_floating(const char* op, dtype d) {
  if (!is_floating(d)) refuse("DTYPE_MISMATCH", std::string(op) + ": gives floating-point numbers, not " + ir::text(ir_type(d)));
}
AnyTensor drawn(const char* op, const AnyTensor& key, dtype d, const Shape& shape, const std::function<ir::X(ir::X key, const ir::Shape&, ir::DType)>& f) {
  need_key(op, key);
  need_floating(op, d);
  const ir::Shape dims = extents(op, shape);
  return composed({key}, [&](Xs x) { return f(x[0], dims, ir_type(d)); });
}
double epsilon(ir::DType d) { return d == ir::DType::f64 ? 0x1p-52 : d == ir::DType::f32 ? 0x1p-23 : d == ir::DType::f16 ? 0x1p-10 : 0x1p-7; }
double smallest(ir::DType d) { return d == ir::DType::f64 ? 0x1p-1022 : d == ir::DType::f16 ? 0x1p-14 : 0x1p-126; }
ir::X between(ir::X key, const ir::Shape& shape, ir::DType d, double low, double high, stream s) {
  return random_uniform(key, shape, constant(*key.b, d, low), constant(*key.b, d, high), form(s));
}

AnyTensor gamma(const char* op, const AnyTensor& key, const AnyTensor& alpha, bool log_space, stream s) {
  need_key(op, key);
  const sig in[] = {sig_of(alpha)};
  const outcome o = allowed(op, op::random_gamma::apply(in));
  return named(composed({key, alpha}, [&](Xs x) {
    return ops::random_gamma(random_split(x[0], x[1].type().dims, form(s)), x[1], log_space, std::int64_t(form(s)));
  }), o);
}

}  // namespace

AnyTensor key(const AnyTensor& seed) {
  if (element_of(seed) != ir::DType::u64 || seed.rank())
    refuse("INVALID_OPERATION", "key: takes one number of u64, not " + ir::text(type_of(seed)));
  return composed({seed}, [](Xs x) {
    auto word = [](ir::X w) { return reshape(convert(w, ir::DType::u32), {1}); };
    const ir::X words[] = {word(ops::shift_right(x[0], like(x[0], 32))), word(x[0])};
    return ir::concatenate(words, 0);
  }); }

AnyTensor split(const AnyTensor& key, const Shape& shape, stream s) {
  need_key("split", key);
  const ir::Shape dims = extents("split", shape);
  return composed({key}, [&](Xs x) { return random_split(x[0], dims, form(s)); });
}
AnyTensor fold_in(const AnyTensor& key, const AnyTensor& number) {
  need_key("fold_in", key);
  if (element_of(number) != ir::DType::u32 || number.rank()) refuse("INVALID_OPERATION", "fold_in: takes one number of u32, not " + ir::text(type_of(number)));
  return composed({key, number}, [&](Xs x) { return random_fold_in(x[0], x[1]); });
}
AnyTensor bits(const AnyTensor& key, dtype d, const Shape& shape, stream s) {
  need_key("bits", key);
  if (!is_unsigned(ir_type(d))) refuse("DTYPE_MISMATCH", "bits: gives unsigned integers, not " + ir::text(ir_type(d)));
  const ir::Shape dims = extents("bits", shape);
  return composed({key}, [&](Xs x) { return random_bits(x[0], dims, bit_width(ir_type(d)), form(s)); });
}
AnyTensor uniform(const AnyTensor& key, dtype d, const Shape& shape, interval i, stream s) {
  return drawn("uniform", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) { return between(k, dims, t, i.low, i.high, s); });
}
AnyTensor normal(const AnyTensor& key, dtype d, const Shape& shape, normal_form how, stream s) {
  return drawn("normal", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) {
    if (how == normal_form::inverse_erf) return random_normal(k, dims, t, form(s));
    const std::int64_t n = ir::elements(dims);
    const ir::X u = convert(random_uniform(k, {2 * n}, t, form(s)), ir::DType::f64);
    const ir::X radius = ops::sqrt(-2.0 * ops::log1p(-sliced(u, 0, 0, n))), angle = 2 * std::numbers::pi * sliced(u, 0, n, 2 * n);
    return reshape(convert(radius * ops::cos(angle), t), dims);
  });
}
AnyTensor truncated_normal(const AnyTensor& key, dtype d, const Shape& shape, interval i, stream s) {
  if (!(i.low < i.high)) refuse("INVALID_OPERATION", "truncated_normal: the interval is empty");
  return drawn("truncated_normal", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) {
    auto quantile = [&](double x) { return ops::erf(constant(*k.b, t, x) / constant(*k.b, t, std::numbers::sqrt2)); };
    const ir::X x = std::numbers::sqrt2 * ops::erf_inv(random_uniform(k, dims, quantile(i.low), quantile(i.high), form(s)));
    // rounding may reach the ends, which do not belong to it
    const double inf = std::numeric_limits<double>::infinity();
    auto inside = [&](double end, double towards) { return broadcast(ops::nextafter(constant(*k.b, t, end), constant(*k.b, t, towards)), dims, {}); };
    return ops::minimum(ops::maximum(x, inside(i.low, inf)), inside(i.high, -inf));
  });
}
AnyTensor exponential(const AnyTensor& key, dtype d, const Shape& shape, stream s) {
  return drawn("exponential", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) { return -ops::log1p(-random_uniform(k, dims, t, form(s))); });
}
AnyTensor cauchy(const AnyTensor& key, dtype d, const Shape& shape, stream s) {
  return drawn("cauchy", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) {
    return ops::tan(std::numbers::pi * (between(k, dims, t, epsilon(t), 1, s) - 0.5));
  });
}
AnyTensor gumbel(const AnyTensor& key, dtype d, const Shape& shape, stream s) {
  return drawn("gumbel", key, d, shape, [&](ir::X k, const ir::Shape& dims, ir::DType t) {
    return -ops::log(-ops::log(between(k, dims, t, smallest(t), 1, s)));
  });
}
AnyTensor gamma(const AnyTensor& key, const AnyTensor& alpha, stream s) { return gamma("gamma", key, alpha, false, s); }
AnyTensor log_gamma(const AnyTensor& key, const AnyTensor& alpha, stream s) { return gamma("log_gamma", key, alpha, true, s); }
AnyTensor chi_square(const AnyTensor& key, const AnyTensor& freedom, stream s) {
  return named(zip(ops::mul, dispatch(ops::exp, {gamma("chi_square", key, zip(ops::div, freedom, 2.0), true, s)}), 2.0), sig_of(freedom));
}
// gamma(a) / (gamma(a) + gamma(b)), scaled by the greater one
AnyTensor beta(const AnyTensor& key, const Operand& a, const Operand& b, stream s) {
  need_key("beta", key);
  const sig in[] = {sig_of(a), sig_of(b)};
  const outcome o = allowed("beta", op::random_beta::apply(in));
  const AnyTensor p = spread(a, ir_type(o.type), shape_of(o)), q = spread(b, ir_type(o.type), shape_of(o));
  return named(composed({key, p, q}, [&](Xs x) {
    const ir::X keys = random_split(x[0], {2}, form(s));
    auto draw = [&](std::int64_t i, ir::X shape) {
      const ir::X k = reshape(sliced(keys, 0, i, i + 1), {2});
      return ops::random_gamma(random_split(k, shape.type().dims, form(s)), shape, 1, std::int64_t(form(s)));
    };
    const ir::X g = draw(0, x[1]), h = draw(1, x[2]), most = ops::maximum(g, h), up = ops::exp(g - most);
    return up / (up + ops::exp(h - most));
  }), o);
}
AnyTensor bernoulli(const AnyTensor& key, const AnyTensor& p, stream s) {
  const sig in[] = {sig_of(p)};
  const outcome o = allowed("bernoulli", op::bernoulli::apply(in));
  return named(compared(ir::Compare::lt, uniform(key, p.type(), p.shape(), {}, s), p), o);
}
AnyTensor categorical(const AnyTensor& key, const AnyTensor& logits, const Axis& k, stream s) {
  const sig in[] = {sig_of(logits), k};
  allowed("categorical", op::categorical::apply(in));
  const AnyTensor noise = gumbel(key, logits.type(), logits.shape(), s);
  return argmax(named(zip(ops::add, noise, logits), sig_of(logits)), k);
}
// Sorted by random numbers, often enough that equal ones leave no trace.
AnyTensor permutation(const AnyTensor& key, const AnyTensor& x, const Axis& k, stream s) {
  need_key("permutation", key);
  const sig in[] = {sig_of(x), k};
  const outcome o = allowed("permutation", op::permutation::apply(in));
  const std::int64_t n = x.extent(o.axis);
  const int rounds = int(std::ceil(3 * std::log(double(std::max<std::int64_t>(1, n))) / std::log(4294967295.0)));
  const AnyTensor order = composed({key}, [&](Xs xs) {
    ir::X now = xs[0], index = iota(*now.b, ir::Shape{n}, ir::DType::i32, 0);
    for (int i = 0; i < rounds; ++i) {
      const ir::X both = random_split(now, {2}, form(s));
      now = reshape(sliced(both, 0, 0, 1), {2});
      const ir::X place = random_bits(reshape(sliced(both, 0, 1, 2), {2}), {n}, 32, form(s));
      index = take_along_axis(index, ops::sort_indices(place, 0, 0), 0);
    }
    return index;
  });
  return named(gather(x, order, Axis(o.axis)), detail::same(sig_of(x)));
}

}  // namespace tlaloc::random
