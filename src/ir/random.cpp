// SPDX-License-Identifier: Apache-2.0
#include "ir/random.hpp"

#include "ir/array.hpp"

#include <cmath>

namespace tlaloc::ir {
namespace {

Shape blocks(X keys) { return Ints(keys.type().dims.begin(), keys.type().dims.end() - 1); }
X part(X keys, std::int64_t i) {                  // one of the things along the last axis
  const int last = keys.type().rank() - 1;
  return reshape(sliced(keys, last, i, i + 1), blocks(keys));
}
/// Words of every key for every counter: [2, keys..., counters...].
X words(X keys, X high, X low) {
  const Shape front = blocks(keys), shape = joined({front, high.type().dims});
  const int n = int(front.size());
  auto key_word = [&](int i) { return broadcast(part(keys, i), shape, axes_up_to(n)); };
  auto counter = [&](X c) { return broadcast(c, shape, shifted(axes_up_to(c.type().rank()), n)); };
  return ops::threefry2x32(key_word(0), key_word(1), counter(high), counter(low));
}
X word(X both, std::int64_t i) {
  const Shape rest = Ints(both.type().dims.begin() + 1, both.type().dims.end());
  return reshape(sliced(both, 0, i, i + 1), rest);
}
/// Words for the counters of a shape, 64 bits for each element.
X counted(X keys, const Shape& shape) {
  const X all = reshape(iota(*keys.b, Shape{elements(shape)}, DType::u64, 0), shape);
  return words(keys, convert(ops::shift_right(all, like(all, 32)), DType::u32), convert(all, DType::u32));
}
/// n words for the counters 0, 1, ... in two halves, the last filled up with a zero: [keys..., n].
X halved(X keys, std::int64_t n) {
  if (n > 0xFFFFFFFF) throw Error("a classic stream has at most 2^32 - 1 words");
  const std::int64_t half = (n + 1) / 2;
  const X low = iota(*keys.b, Shape{half}, DType::u32, 0);
  X high = low + like(low, double(half));
  if (n % 2) high = padded(sliced(high, 0, 0, half - 1), 0, {0}, {1}, {0});
  const X both = moved(words(keys, low, high), 0, keys.type().rank() - 1);
  return sliced(reshape(both, joined({blocks(keys), {2 * half}})), keys.type().rank() - 1, 0, n);
}
DType unsigned_of(int width) { return width == 8 ? DType::u8 : width == 16 ? DType::u16 : width == 32 ? DType::u32 : DType::u64; }

struct FloatBits { int mantissa; double one; };        // bits of the mantissa, and of 1.0 as an integer
FloatBits float_bits(DType d) {
  switch (d) {
    case DType::f16: return {10, 0x3C00};
    case DType::bf16: return {7, 0x3F80};
    case DType::f32: return {23, 0x3F800000};
    default: return {52, 0x3FF0000000000000};
  }
}
X any_of(X mask) { return reduced(ops::reduce_or, mask, axes_up_to(mask.type().rank())); }
X chosen(X mask, X yes, X no) { return ops::select(broadcast(mask, yes.type().dims, axes_up_to(mask.type().rank())), yes, no); }

/// A loop for each element: those whose test fails keep what they have while others go on.
std::vector<X> each_while(std::vector<X> init, const std::function<X(std::span<const X>)>& test, const std::function<std::vector<X>(std::span<const X>)>& turn) {
  return loop_while(*init[0].b, init, [&](Builder&, std::span<const X> xs) { return std::vector<X>{any_of(test(xs))}; },
                    [&](Builder&, std::span<const X> xs) {
                      const X goes_on = test(xs);
                      std::vector<X> ys = turn(xs);
                      for (std::size_t k = 0; k < ys.size(); ++k) ys[k] = chosen(goes_on, ys[k], xs[k]);
                      return ys;
                    });
}

}  // namespace

X random_split(X keys, const Shape& shape, Stream s) {
  const int front = keys.type().rank() - 1;
  if (s == Stream::classic) return reshape(halved(keys, 2 * elements(shape)), joined({blocks(keys), shape, {2}}));
  return moved(counted(keys, shape), 0, front + int(shape.size()));
}
X random_fold_in(X keys, X data) {
  const X low = broadcast_to(data, blocks(keys)), high = like(low, 0);
  return moved(ops::threefry2x32(part(keys, 0), part(keys, 1), high, low), 0, keys.type().rank() - 1);
}
X random_bits(X keys, const Shape& shape, int width, Stream s) {
  const std::int64_t n = elements(shape);
  const DType to = unsigned_of(width);
  if (s == Stream::partitionable) {
    const X both = counted(keys, shape), a = word(both, 0), b = word(both, 1);
    if (width < 64) return convert(ops::bit_xor(a, b), to);
    const X high = convert(a, to);
    return ops::bit_or(ops::shift_left(high, like(high, 32)), convert(b, to));
  }
  const int front = keys.type().rank() - 1;
  const Shape all = joined({blocks(keys), shape});
  if (width == 32) return reshape(halved(keys, n), all);
  if (width == 64) {
    const X both = convert(halved(keys, 2 * n), to), high = sliced(both, front, 0, n);
    return reshape(ops::bit_or(ops::shift_left(high, like(high, 32)), sliced(both, front, n, 2 * n)), all);
  }
  const std::int64_t parts = 32 / width, count = (n + parts - 1) / parts;
  const Shape cut = joined({blocks(keys), {count, parts}});
  const X from = broadcast(halved(keys, count), cut, axes_up_to(front + 1)), place = iota(*keys.b, cut, DType::u32, front + 1);
  const X pieces = convert(ops::shift_right(from, place * like(place, width)), to);
  return reshape(sliced(reshape(pieces, joined({blocks(keys), {count * parts}})), front, 0, n), all);
}

// The mantissa is random, the exponent that of [1, 2).
X random_uniform(X keys, const Shape& shape, DType d, Stream s) {
  const FloatBits r = float_bits(d);
  const int width = bit_width(d), drawn = r.mantissa < 8 ? 8 : width;
  const X bits = convert(random_bits(keys, shape, drawn, s), unsigned_of(width));
  const X mantissa = ops::shift_right(bits, like(bits, drawn - r.mantissa));
  return ops::bitcast(ops::bit_or(mantissa, like(bits, r.one)), d) - 1;
}
X random_uniform(X keys, const Shape& shape, X low, X high, Stream s) {
  const X u = random_uniform(keys, shape, low.type().dtype, s);
  auto all = [&](X x) { return broadcast_to(x, u.type().dims); };
  return ops::maximum(all(low), u * all(high - low) + all(low));
}
X random_normal(X keys, const Shape& shape, DType d, Stream s) {
  const double low = -1 + std::ldexp(1.0, -1 - float_bits(d).mantissa);      // the number after -1
  const X u = random_uniform(keys, shape, constant(*keys.b, d, low), constant(*keys.b, d, 1), s);
  return ops::erf_inv(u) * std::sqrt(2.0);
}

// Below 1, alpha + 1 is drawn and the draw scaled by a power of another uniform number.
X random_gamma_by_rejection(X keys, X alpha, bool log_space, Stream s) {
  const DType d = alpha.type().dtype;
  const int at_key = keys.type().rank() - 1;
  auto halves = [&](X key, std::int64_t n) {
    const X all = random_split(key, {n}, s);
    std::vector<X> out;
    for (std::int64_t i = 0; i < n; ++i) out.push_back(reshape(sliced(all, at_key, i, i + 1), key.type().dims));
    return out;
  };
  auto c = [&](double x) { return like(alpha, x); };
  const X whole = alpha >= 1, boosted = ops::select(whole, alpha, alpha + 1);
  const X shift = boosted - c(1. / 3), scale = c(1. / 3) / ops::sqrt(shift);
  const auto start = halves(keys, 2);
  const X zero = c(0);
  auto rejected = [&](std::span<const X> now) {   // key, squared normal, cubed scale, uniform
    auto in = [&](X x) { return X{now[0].b, x.v}; };
    const X x = now[1], v = now[2], u = now[3], one = like(x, 1);
    const X squeeze = u >= one - like(x, 0.0331) * (x * x);
    return ops::bit_and(squeeze, ops::log(u) >= x * 0.5 + in(shift) * ((one - v) + ops::log(v)));
  };
  const auto drawn = each_while({start[0], zero, c(1), c(2)}, rejected, [&](std::span<const X> now) -> std::vector<X> {
    const auto next = halves(now[0], 3);
    const auto normal = each_while({next[1], like(now[1], 0), like(now[1], -1)}, [](std::span<const X> t) { return t[2] <= 0; },
                                   [&](std::span<const X> t) -> std::vector<X> {
                                     const auto keys_now = halves(t[0], 2);
                                     const X x = random_normal(keys_now[1], {}, d, s);
                                     return {keys_now[0], x, like(x, 1) + x * X{x.b, scale.v}};
                                   });
    const X x = normal[1], v = normal[2];
    return {next[0], x * x, v * v * v, random_uniform(next[2], {}, d, s)};
  });
  const X u = random_uniform(start[1], {}, d, s);
  if (log_space) {
    const X log_u = ops::log1p(-u);
    const X boost = ops::select(ops::bit_or(whole, log_u == zero), zero, log_u * (c(1) / alpha));
    return (ops::log(shift) + ops::log(drawn[2])) + boost;
  }
  const X boost = ops::select(whole, c(1), ops::pow(1 - u, c(1) / alpha));
  return shift * drawn[2] * boost;
}

}  // namespace tlaloc::ir
