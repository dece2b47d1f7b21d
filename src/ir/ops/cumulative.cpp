// SPDX-License-Identifier: Apache-2.0
//
// Running sums, products and extremes along an axis. Compiled, each is a number of shifted steps that doubles: n log n work,
// but all of it in parallel. Their derivatives but that of the sum are those of the steps.
#include "ir/ops/tensors.hpp"

#include <limits>

namespace tlaloc::ir {
namespace {

std::vector<Type> cumulative_type(const Op& op) {
  need_tensor(op, 0);
  need_axes(op, {op.at(key::axis)}, rank(op, 0));
  if (in(op, 0).dtype == DType::boolean) refuse(op, "needs numbers");
  return {in(op, 0)};
}
template <auto& kind> X cumulative_batched(const Op& op, std::span<const X> in, const Batch&) { return kind(in[0], op.at(key::axis) + 1, op.at(key::reverse)); }

double least(DType d) { return is_real(d) ? -std::numeric_limits<double>::infinity() : is_signed(d) ? -std::ldexp(1.0, bit_width(d) - 1) : 0; }
double most(DType d) { return is_real(d) ? std::numeric_limits<double>::infinity() : std::ldexp(1.0, bit_width(d) - is_signed(d)); }

// The steps below where only the run tells how many there are.
std::vector<X> loop_of_steps(X x, std::int64_t axis, bool from_end, const Kind& kind,
                             double neutral) {
  const Shape dims = x.type().dims;
  const X n = extent(*x.b, Ints{dims[std::size_t(axis)]}),
          place = iota(*x.b, dims, index_type, axis);
  return {loop_while(
      *x.b, {x, index(*x.b, 1)},
      [&](Builder& b, std::span<const X> now) { return std::vector<X>{now[1] < X{&b, n.v}}; },
      [&](Builder& b, std::span<const X> now) {
        auto all = [&](X number) { return broadcast({&b, number.v}, dims, {}); };
        const X here{&b, place.v}, from = from_end ? here + all(now[1]) : here - all(now[1]);
        const X inside = from_end ? from < all(n) : from >= 0;
        const X pair[] = {
            now[0],
            ops::select(inside, take_along_axis(now[0], ops::select(inside, from, here), axis),
                        like(now[0], neutral))};
        return std::vector<X>{build(kind, b, pair, {}), now[1] + now[1]};
      })[0]};
}
// y[i] = f(y[i], y[i - k]) for k = 1, 2, 4, ...; the neutral element comes in from outside.
std::vector<X> steps(const Op& op, X x, const Kind& kind, double neutral) {
  const auto axis = std::size_t(op.at(key::axis));
  const Extent n = x.type().dims[axis];
  if (!is_number(n))
    return loop_of_steps(x, op.at(key::axis), op.at(key::reverse), kind, neutral);
  const Ints none(x.type().dims.size(), 0);
  for (std::int64_t k = 1; k < n; k *= 2) {
    Ints in_from = none, out_of = none;
    in_from[axis] = k, out_of[axis] = -k;
    const X pair[] = {x, op.at(key::reverse) ? padded(x, neutral, out_of, in_from, none) : padded(x, neutral, in_from, out_of, none)};
    x = build(kind, *x.b, pair, {});
  }
  return {x};
}
template <class F> void accumulate(const Op& op, const Array& x, Array& y, F f) {
  const auto axis = std::size_t(op.at(key::axis));
  const Ints all = row_major(x.type.dims);
  const std::int64_t n = x.type.dims[axis], step = op.at(key::reverse) ? -all[axis] : all[axis], first = op.at(key::reverse) ? (n - 1) * all[axis] : 0;
  Ints others = x.type.dims;
  others[axis] = n ? 1 : 0;
  with_storage(y.type.dtype, [&]<class T>(T) {
    using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
    each_offset<1>(others, {all}, {first}, [&](auto& at) {
      std::int64_t k = at[0];
      Sum sum = Sum(x.data<T>()[k]);
      y.data<T>()[k] = T(sum);
      for (std::int64_t i = 1; i < n; ++i) {
        k += step;
        sum = Sum(f(sum, Sum(x.data<T>()[k])));
        y.data<T>()[k] = T(sum);
      }
    });
  });
}

}  // namespace

FACTS(cumsum) {
  .name = "cumsum", .doc = "Running sum of x along `axis`, from its end where `reverse` is 1.",
  .operands = {"x"}, .attrs = {key::axis, key::reverse},
  .type = cumulative_type,
  .expansion = {[](const Op& op, std::span<const X> x) { return steps(op, x[0], add, 0); }},
  .derivative = linear([](const Op& op, std::span<const X>, X d) -> std::vector<X> { return {cumsum(d, op.at(key::axis), 1 - op.at(key::reverse))}; }),
  .batching = cumulative_batched<ops::cumsum>,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) { accumulate(op, x[0], y, [](auto a, auto b) { return a + b; }); },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 2,
};

#define CUMULATIVE(NAME, DOC, STEP, NEUTRAL, FUNCTION)                                                                            \
  FACTS(NAME) {                                                                                                                   \
    .name = #NAME, .doc = DOC, .operands = {"x"}, .attrs = {key::axis, key::reverse}, .type = cumulative_type,                    \
    .expansion = {[](const Op& op, std::span<const X> x) { return steps(op, x[0], STEP, NEUTRAL); }}, .derivative = by_expansion, \
    .batching = cumulative_batched<ops::NAME>,                                                                                    \
    .kernel = [](const Op& op, std::span<const Array> x, Array& y) { accumulate(op, x[0], y, FUNCTION); },                        \
    .cpp = by_name, .stablehlo = by_expansion, .effect = Effect::pure, .cost = 2,                                           \
  }
CUMULATIVE(cumprod, "Running product of x along `axis`, from its end where `reverse` is 1.", ops::mul, 1, [](auto a, auto b) { return a * b; });
CUMULATIVE(cummax, "Running maximum of x along `axis`, from its end where `reverse` is 1.", ops::maximum, least(x[0].type().dtype), [](auto a, auto b) { return a != a || !(b != b || a < b) ? a : b; });
CUMULATIVE(cummin, "Running minimum of x along `axis`, from its end where `reverse` is 1.", ops::minimum, most(x[0].type().dtype), [](auto a, auto b) { return a != a || !(b != b || b < a) ? a : b; });
#undef CUMULATIVE

}  // namespace tlaloc::ir
