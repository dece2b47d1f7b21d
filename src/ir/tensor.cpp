// SPDX-License-Identifier: Apache-2.0
#include "ir/tensor.hpp"

#include <algorithm>
#include <numeric>

namespace tlaloc::ir {

Ints axes_up_to(int n) { Ints v(std::size_t(n), 0); std::iota(v.begin(), v.end(), 0); return v; }
bool holds(const Ints& v, std::int64_t x) { return std::find(v.begin(), v.end(), x) != v.end(); }
Ints without(const Ints& all, const Ints& drop) { Ints r; for (auto x : all) if (!holds(drop, x)) r.push_back(x); return r; }
Ints picked(const Ints& from, const Ints& at) { Ints r; for (auto i : at) r.push_back(from[std::size_t(i)]); return r; }
Ints joined(std::initializer_list<Ints> parts) { Ints r; for (auto& p : parts) r.insert(r.end(), p.begin(), p.end()); return r; }
Ints shifted(Ints v, std::int64_t by) { for (auto& x : v) x += by; return v; }
Ints inverse(const Ints& p) { Ints r(p.size()); for (std::size_t i = 0; i < p.size(); ++i) r[std::size_t(p[i])] = std::int64_t(i); return r; }
Ints repeated(std::size_t n, std::int64_t x) { return Ints(n, x); }

static X of(Builder& b, const Kind& kind, std::vector<Attr> attrs) { return {&b, b.append(kind, {}, std::move(attrs))->results[0]}; }
static X of(const Kind& kind, std::span<const X> in, std::vector<Attr> attrs) { return build(kind, *in[0].b, in, std::move(attrs)); }

X literal(Builder& b, const Shape& shape, DType d, std::span<const std::int64_t> values) {
  Numbers ns;
  for (auto v : values) ns.push_back(is_real(d) ? Number::of(d, double(v)) : Number::of(d, v));
  return of(b, ops::literal, {shape, d, ns});
}
X iota(Builder& b, const Shape& shape, DType d, std::int64_t axis) { return of(b, ops::iota, {shape, d, axis}); }
X extent(Builder& b, const Shape& shape) {
  const Extent n = elements(shape);
  return is_number(n) ? index(b, n) : of(b, ops::extent, {shape});
}

X broadcast(X x, const Shape& shape, const Ints& dims) {
  return x.type().dims == shape ? x : ops::broadcast_in_dim(x, shape, dims);
}
X broadcast_to(X x, const Shape& shape) {
  const Shape from = x.type().dims;
  const std::size_t lead = shape.size() - from.size();
  Ints dims, kept;
  Shape squeezed;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 1 && shape[lead + i] != 1) continue;
    dims.push_back(std::int64_t(lead + i));
    squeezed.push_back(from[i]);
  }
  return broadcast(reshape(x, squeezed), shape, dims);
}
X reshape(X x, const Shape& shape) { return x.type().dims == shape ? x : ops::reshape(x, shape); }
X transpose(X x, const Ints& p) { return p == axes_up_to(int(p.size())) ? x : ops::transpose(x, p); }
X moved(X x, std::int64_t from, std::int64_t to) {
  Ints p = without(axes_up_to(x.type().rank()), {from});
  p.insert(p.begin() + to, from);
  return transpose(x, p);
}
X reversed(X x, const Ints& axes) { return axes.empty() ? x : ops::reverse(x, axes); }
X concatenate(std::span<const X> xs, std::int64_t axis) { return xs.size() == 1 ? xs[0] : of(ops::concatenate, xs, {axis}); }
X sliced(X x, std::int64_t axis, std::int64_t from, Extent to, std::int64_t stride) {
  const Type& t = x.type();
  if (from == 0 && to == t.dims[std::size_t(axis)] && stride == 1) return x;
  Ints start(t.dims.size(), 0), strides(t.dims.size(), 1);
  Shape limit = t.dims;
  start[std::size_t(axis)] = from, limit[std::size_t(axis)] = to, strides[std::size_t(axis)] = stride;
  return ops::slice(x, start, limit, strides);
}
X padded(X x, double value, const Ints& low, const Ints& high, const Ints& interior) {
  const auto nothing = [](const Ints& v) { return std::all_of(v.begin(), v.end(), [](auto i) { return i == 0; }); };
  return nothing(low) && nothing(high) && nothing(interior) ? x : ops::pad(x, constant(*x.b, x.type().dtype, value), low, high, interior);
}
X dynamic_slice(X x, std::span<const X> starts, const Shape& sizes) {
  std::vector<X> in{x};
  in.insert(in.end(), starts.begin(), starts.end());
  return of(ops::dynamic_slice, in, {sizes});
}
X dynamic_update_slice(X x, X update, std::span<const X> starts) {
  std::vector<X> in{x, update};
  in.insert(in.end(), starts.begin(), starts.end());
  return of(ops::dynamic_update_slice, in, {});
}
X reduced(const Kind& kind, X x, const Ints& axes) { return axes.empty() ? x : of(kind, std::span(&x, 1), {axes}); }
X matmul(X a, X b) { return ops::dot_general(a, b, {}, {}, {1}, {0}); }

X take_along_axis(X x, X indices, std::int64_t axis) {
  const Ints others = without(axes_up_to(x.type().rank()), {axis});
  Shape with_vector = indices.type().dims;
  with_vector.push_back(1);
  return ops::gather(x, reshape(indices, with_vector), {}, {axis}, others, others, {axis}, Shape(repeated(x.type().dims.size(), 1)));
}

X with_batch(X x, bool marked, Extent n) {
  if (marked) return x;
  return broadcast(x, joined({{n}, x.type().dims}), shifted(axes_up_to(x.type().rank())));
}

}  // namespace tlaloc::ir
