// SPDX-License-Identifier: Apache-2.0
//
// Rows and columns are picked by masks and not by position, so that extents may be symbols where the algorithm allows it.
// Jacobi's rotations go in rounds of pairs that share no index, as in a tournament (Brent and Luk, "The solution of singular-value
// and symmetric eigenvalue problems on multiprocessor arrays", 1985): the pairs are (i, i + h), and after each round all
// indices but the first move on by one place.
#include "ir/ops/linalg_loops.hpp"

#include "ir/linalg.hpp"

#include <algorithm>
#include <limits>

namespace tlaloc::ir::loops {
namespace {

constexpr int most_sweeps = 30;

const Shape& dims(X a) { return a.type().dims; }
int rank(X a) { return a.type().rank(); }
/// The index along an axis that is counted from the end.
X count(X a, int from_end) { return iota(*a.b, dims(a), DType::i64, rank(a) - from_end); }
X sum(X a, int from_end) { return reduced(ops::reduce_sum, a, {rank(a) - from_end}); }
X where(X mask, X a, double otherwise) { return ops::select(mask, a, like(a, otherwise)); }
/// v, which lacks one of the last two axes, repeated along it; a number repeated along both.
X along_rows(X v, const Shape& to) { return broadcast(v, to, without(axes_up_to(int(to.size())), {std::int64_t(to.size()) - 1})); }
X along_columns(X v, const Shape& to) { return broadcast(v, to, without(axes_up_to(int(to.size())), {std::int64_t(to.size()) - 2})); }
X repeated(X v, const Shape& to) { return broadcast(v, to, axes_up_to(rank(v))); }
/// The part of a where the index along an axis is k, without that axis; k is a number or one for each of the batch.
X pick(X a, int from_end, X k) { return sum(where(count(a, from_end) == repeated(k, dims(a)), a, 0), from_end); }
X either(X condition, double yes, double no, X as) { return ops::select(condition, splat(*as.b, as.type(), yes), splat(*as.b, as.type(), no)); }
X largest(X a) { return reduced(ops::reduce_max, ops::abs(a), {rank(a) - 2, rank(a) - 1}); }
X nonzero(X a) { return a != like(a, 0); }
X safe(X condition, X x) { return where(condition, x, 1); }
double unit_roundoff(DType d) { return d == DType::f64 ? 0x1p-53 : 0x1p-24; }

/// a by the magnitude of its largest element, so that squares neither vanish nor overflow.
struct Scaled {
  X a, by, guard;                                 // guard: NaN where an element is not finite, else 0
  explicit Scaled(X x) {
    const X most = largest(x);
    by = safe(ops::bit_and(most > 0, ops::isfinite(most)), most);
    a = x / repeated(by, dims(x));
    guard = sum(sum(x * 0, 1), 1);
  }
};

/// p' = c p - s q, q' = s p + c q makes the entry pq of [[pp, pq], [pq, qq]] zero.
struct Rotation {
  X c, s;
  Rotation(X pp, X pq, X qq, X active) {
    const X ratio = (qq - pp) / (safe(active, pq) * 2);
    const X t = where(active, either(ratio < 0, -1, 1, pq) / (ops::abs(ratio) + ops::sqrt(ratio * ratio + 1)), 0);
    c = 1 / ops::sqrt(t * t + 1), s = c * t;
  }
};
struct Halves { X first, second; };
Halves halves(X a, int from_end, std::int64_t h) {
  const std::int64_t axis = rank(a) - from_end;
  return {sliced(a, axis, 0, h), sliced(a, axis, h, 2 * h)};
}
/// Turns the pairs of rows (from_end 2) or columns (1).
X rotated(X a, int from_end, std::int64_t h, const Rotation& by) {
  const auto [p, q] = halves(a, from_end, h);
  auto factor = [&](X v) { return from_end == 2 ? along_rows(v, dims(p)) : along_columns(v, dims(p)); };
  const X c = factor(by.c), s = factor(by.s), parts[] = {c * p - s * q, s * p + c * q};
  return concatenate(parts, rank(a) - from_end);
}
/// All indices but the first move to the next place.
X moved_on(X a, int from_end, std::int64_t h) {
  const std::int64_t axis = rank(a) - from_end;
  std::vector<X> parts;
  for (auto [from, to] : {std::pair{std::int64_t(0), std::int64_t(1)}, {h, h + 1}, {std::int64_t(1), h - 1}, {h + 1, 2 * h}, {h - 1, h}})
    if (from < to) parts.push_back(sliced(a, axis, from, to));
  return h > 1 ? concatenate(parts, axis) : a;
}
/// Rounds, a sweep at a time, until the greatest of what those of a sweep measure is small: round(values) gives the next ones and the measure.
using Round = std::function<std::pair<std::vector<X>, X>(std::span<const X>)>;
std::vector<X> sweeps(Builder& b, std::vector<X> values, DType d, std::int64_t rounds, double small, const Round& round) {
  const std::size_t n = values.size();
  values.push_back(constant(b, d, std::numeric_limits<double>::infinity()));
  values.push_back(index(b, 0));
  auto out = loop_while(
      b, values, [&](Builder&, std::span<const X> x) { return std::vector<X>{ops::bit_and(x[n] > small, x[n + 1] < double(most_sweeps))}; },
      [&](Builder& in, std::span<const X> x) {
        std::vector<X> start(x.begin(), x.begin() + std::ptrdiff_t(n));
        start.push_back(constant(in, d, 0));
        auto next = loop(in, index(in, 0), index(in, rounds), 1, start, [&](Builder&, std::span<const X> y) {
          auto [z, measure] = round(y.subspan(1, n));
          z.push_back(ops::maximum(y[n + 1], measure));
          return z;
        });
        next.push_back(x[n + 1] + 1);
        return next;
      });
  out.resize(n);
  return out;
}
X greatest(X a) { return reduced(ops::reduce_max, a, axes_up_to(rank(a))); }

X in_order(X a, X order) { return take_along_axis(a, dims(a).size() == dims(order).size() ? order : along_columns(order, dims(a)), rank(a) - 1); }
/// For each column the sign that makes its largest entry positive, the first of equals.
X signs(X v) {
  const X entry = pick(v, 2, along_columns(ops::argmax(ops::abs(v), rank(v) - 2, DType::i64), dims(v)));
  return either(entry < 0, -1, 1, entry);
}
X by_columns(X a, X v) { return a * along_columns(v, dims(a)); }
Extent number(X a, int from_end) {
  const Extent n = dims(a).end()[-from_end];
  if (!is_number(n)) throw Error("Jacobi's rotations take a matrix whose extents are numbers, not " + text(a.type()));
  return n;
}

}  // namespace

Eliminated eliminate(X a, X b) {
  Builder& out = *a.b;
  const Shape front(dims(a).begin(), dims(a).end() - 2);
  std::vector<X> start{a, splat(out, Type{a.type().dtype, front}, 1)};
  if (b) start.push_back(b);
  const auto done = loop(out, index(out, 0), extent(out, {dims(a).back()}), 1, start, [&](Builder&, std::span<const X> x) {
    const X k = x[0], m = x[1], column = pick(m, 1, k), at = count(column, 1), here = repeated(k, dims(column));
    const X best = ops::argmax(where(at >= here, ops::abs(column), -1), rank(column) - 1, DType::i64);
    const X pivot = pick(column, 1, best), there = repeated(best, dims(column));
    const X exchanged = ops::select(at == there, repeated(pick(column, 1, k), dims(column)), column);
    const X usable = repeated(nonzero(pivot), dims(column));
    const X factor = where(ops::bit_and(at > here, usable), exchanged / repeated(pivot, dims(column)), 0);
    auto stepped = [&](X y) {
      const X row = count(y, 2), to = repeated(k, dims(y)), from = repeated(best, dims(y));
      const X upper = along_columns(pick(y, 2, k), dims(y)), lower = along_columns(pick(y, 2, best), dims(y));
      const X moved = ops::select(row == to, lower, ops::select(row == from, upper, y));
      return ops::select(along_rows(nonzero(factor), dims(y)), moved - along_rows(factor, dims(y)) * lower, moved);
    };
    std::vector<X> next{stepped(m), ops::select(best == repeated(k, dims(best)), x[2], -x[2])};
    if (b) next.push_back(stepped(x[3]));
    return next;
  });
  return {upper_part(done[0]), b ? done[2] : X{}, done[1]};
}

X orthonormal(X a) {
  Builder& out = *a.b;
  const Extent n = dims(a).back();
  Shape square = dims(a);
  square.back() = square.end()[-2];
  const auto done = loop(out, index(out, 0), extent(out, {n}), 1, {a, identity(out, a.type().dtype, square)}, [&](Builder&, std::span<const X> x) {
    const X k = x[0], r = x[1], q = x[2], column = pick(r, 1, k), at = count(column, 1), here = repeated(k, dims(column));
    const X alpha = pick(column, 1, k), part = where(at > here, column, 0), most = reduced(ops::reduce_max, ops::abs(part), {rank(part) - 1});
    const X scale = safe(most > 0, most), scaled = part / repeated(scale, dims(part));
    const X below = where(most > 0, scale * ops::sqrt(sum(scaled * scaled, 1)), 0), reflects = nonzero(below);
    const X beta = -ops::copysign(ops::hypot(alpha, below), alpha);
    const X tau = where(reflects, (beta - alpha) / safe(reflects, beta), 0);
    const X rest = part / repeated(safe(reflects, alpha - beta), dims(part)), v = ops::select(at == here, like(rest, 1), rest);
    const X scaled_v = v * repeated(tau, dims(v));
    const X over_rows = sum(along_rows(v, dims(r)) * r, 2), over_columns = sum(along_columns(v, dims(q)) * q, 1);
    return std::vector<X>{r - along_rows(scaled_v, dims(r)) * along_columns(over_rows, dims(r)),
                          q - along_rows(over_columns, dims(q)) * along_columns(scaled_v, dims(q))};
  });
  return sliced(done[1], rank(a) - 1, 0, n);
}

Eigen eigen(X given) {
  Builder& b = *given.b;
  const DType d = given.type().dtype;
  const std::int64_t n = number(given, 1), h = (n + 1) / 2, r = rank(given);
  const X symmetric = symmetric_part(given);
  if (n < 2) return {diagonal(symmetric), identity(b, d, dims(given))};
  const Scaled scaled(symmetric);
  Ints none(std::size_t(r), 0), more = none;
  more.end()[-1] = more.end()[-2] = 2 * h - n;
  const X a = padded(scaled.a, 0, none, more, none);
  const auto done = sweeps(b, {a, identity(b, d, dims(a))}, d, 2 * h - 1, unit_roundoff(d) * unit_roundoff(d), [&](std::span<const X> x) {
    const auto [top, bottom] = halves(x[0], 2, h);
    const auto [pp_block, pq_block] = halves(top, 1, h);
    const X pp = diagonal(pp_block), pq = diagonal(pq_block), qq = diagonal(halves(bottom, 1, h).second);
    const Rotation by(pp, pq, qq, nonzero(pq));
    const X row = count(x[0], 2), column = count(x[0], 1);
    const X paired = ops::bit_or(row == column + double(h), column == row + double(h));
    const X both = rotated(rotated(x[0], 2, h, by), 1, h, by), next = ops::select(paired, like(both, 0), both);
    return std::pair(std::vector<X>{moved_on(moved_on(next, 2, h), 1, h), moved_on(rotated(x[1], 1, h, by), 1, h)}, greatest(ops::abs(pq)));
  });
  const X values = diagonal(sliced(sliced(done[0], r - 2, 0, n), r - 1, 0, n)), vectors = sliced(sliced(done[1], r - 2, 0, n), r - 1, 0, n);
  const X order = ops::sort_indices(values, r - 2, 0), v = in_order(vectors, order);
  auto guarded = [&](X x) { return x + repeated(scaled.guard, dims(x)); };
  return {guarded(in_order(values, order) * repeated(scaled.by, dims(values))), guarded(by_columns(v, signs(v)))};
}

Singular singular(X given) {
  Builder& b = *given.b;
  const DType d = given.type().dtype;
  const std::int64_t m = number(given, 2), n = number(given, 1), h = (n + 1) / 2, r = rank(given);
  if (m < n) {
    const Singular t = singular(transposed(given));
    const X sign = signs(t.v);
    return {t.values, by_columns(t.v, sign), by_columns(t.u, sign)};
  }
  const Scaled scaled(given);
  Ints none(std::size_t(r), 0), more = none;
  more.back() = 2 * h - n;
  const X a = padded(scaled.a, 0, none, more, none);
  Shape square = dims(a);
  square.end()[-2] = 2 * h;
  const auto done = sweeps(b, {a, identity(b, d, square)}, d, std::max<std::int64_t>(2 * h - 1, 1), unit_roundoff(d), [&](std::span<const X> x) {
    const auto [p, q] = halves(x[0], 1, h);
    const X pp = sum(p * p, 2), pq = sum(p * q, 2), qq = sum(q * q, 2), lengths = ops::sqrt(pp) * ops::sqrt(qq);
    const X angle = where(nonzero(lengths), ops::abs(pq) / safe(nonzero(lengths), lengths), 0);
    const Rotation by(pp, pq, qq, angle > unit_roundoff(d));
    return std::pair(std::vector<X>{moved_on(rotated(x[0], 1, h, by), 1, h), moved_on(rotated(x[1], 1, h, by), 1, h)}, greatest(angle));
  });
  const X columns = sliced(done[0], r - 1, 0, n), length = ops::sqrt(sum(columns * columns, 2)), order = ops::sort_indices(length, r - 2, 1);
  const X s = in_order(length, order), picked = in_order(columns, order), v = in_order(sliced(sliced(done[1], r - 2, 0, n), r - 1, 0, n), order);
  const X most = reduced(ops::reduce_max, s, {r - 2}), present = s > repeated(most, dims(s)) * (2 * unit_roundoff(d));
  const X shown = along_columns(present, dims(picked)), unit = where(shown, picked / along_columns(safe(present, s), dims(picked)), 0);
  // the reflections of qr complete a basis where a column is zero, and keep the others up to their sign
  const X u = ops::select(shown, unit, ops::qr_q(unit)), sign = signs(u);
  auto guarded = [&](X x) { return x + repeated(scaled.guard, dims(x)); };
  return {guarded(s * repeated(scaled.by, dims(s))), guarded(by_columns(u, sign)), guarded(by_columns(v, sign))};
}

}  // namespace tlaloc::ir::loops
