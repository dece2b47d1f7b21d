// SPDX-License-Identifier: Apache-2.0
//
// Operations with a body of numbers. A body that the op table has a name for becomes that op; any other is built on whole
// tensors, once for each step of the reduction or window.
#include "frontend/stablehlo/build.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace tlaloc::stablehlo {
namespace {

namespace ops = ir::ops;

/// The one operation of the body, on its two parameters; or empty.
std::string single(const Region& r) {
  if (r.operations.size() != 2 || r.params.size() != 2) return "";
  const auto &op = r.operations[0], &back = r.operations[1];
  std::vector<std::string> sorted = op.operands, params = r.params;
  std::ranges::sort(sorted);
  std::ranges::sort(params);
  return sorted == params && back.operands == op.results ? op.name : "";
}
bool accepts(const ir::Kind& k, const Type& x, std::vector<ir::Attr> attrs) {
  try {
    ir::type_of(k, std::array{x}, std::move(attrs));
    return true;
  } catch (const ir::Error&) {
    return false;
  }
}
const ir::Kind* reduction(const std::string& name) {
  static const std::map<std::string, const ir::Kind*, std::less<>> kinds = {
      {"stablehlo.add", &ops::reduce_sum},     {"stablehlo.multiply", &ops::reduce_prod}, {"stablehlo.maximum", &ops::reduce_max},
      {"stablehlo.minimum", &ops::reduce_min}, {"stablehlo.and", &ops::reduce_and},       {"stablehlo.or", &ops::reduce_or}};
  const auto it = kinds.find(name);
  return it == kinds.end() ? nullptr : it->second;
}
X in_builder(ir::Builder& b, X x) { return {&b, x.v}; }

Xs reduce(Build& build, const Operation& op, const Xs& in) {
  const Region& body = op.regions.at(0);
  const std::size_t n = in.size() / 2;
  const Ints axes = integers(build, op, "dimensions");
  const Shape dims = in[0].type().dims;
  for (auto a : axes) if (a < 0 || a >= std::int64_t(dims.size())) build.fail(op, "reduces an axis that is not there");
  const Ints kept = ir::without(ir::axes_up_to(int(dims.size())), axes);
  const Shape rest = ir::picked(dims, kept);
  Xs state;
  for (std::size_t i = n; i < in.size(); ++i) state.push_back(ir::broadcast(in[i], rest, {}));

  const ir::Kind* kind = n == 1 ? reduction(single(body)) : nullptr;
  if (kind && accepts(*kind, in[0].type(), {axes})) {
    return build.region(body, std::array{state[0], ir::reduced(*kind, in[0], axes)}, build.b, &rest);
  }
  // Element by element of the reduced axes, which become one in front.
  Ints order = axes;
  order.insert(order.end(), kept.begin(), kept.end());
  const std::int64_t count = ir::elements(ir::picked(dims, axes));
  Shape rows = rest, row = rest;
  rows.insert(rows.begin(), count);
  row.insert(row.begin(), 1);
  Xs all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(ir::reshape(ir::transpose(in[i], order), rows));
  return ir::loop(build.b, ir::index(build.b, 0), ir::index(build.b, count), 1, state, [&](ir::Builder& inner, std::span<const X> now) {
    Xs arguments(now.begin() + 1, now.end());
    Xs starts{now[0]};
    for (std::size_t k = 0; k < rest.size(); ++k) starts.push_back(ir::index(inner, 0));
    for (const X& x : all) arguments.push_back(ir::reshape(ir::dynamic_slice(in_builder(inner, x), starts, row), rest));
    return build.region(body, arguments, inner, &rest);
  });
}

constexpr std::int64_t most_steps = 4096;         // of a window, or elements of a sort: what is built for each

Xs reduce_window(Build& build, const Operation& op, const Xs& in) {
  const Region& body = op.regions.at(0);
  const std::size_t n = in.size() / 2, rank = std::size_t(in[0].type().rank());
  const Ints ones = ir::repeated(rank, 1);
  const Ints window = integers(build, op, "window_dimensions"), strides = integers(build, op, "window_strides", ones);
  const Ints base = integers(build, op, "base_dilations", ones), dilations = integers(build, op, "window_dilations", ones);
  const Ints padding = integers(build, op, "padding", ir::repeated(2 * rank, 0));
  if (window.size() != rank || strides.size() != rank || base.size() != rank || dilations.size() != rank || padding.size() != 2 * rank || build.type(op).dims.size() != rank) {
    build.fail(op, "has a window of another rank");
  }
  Ints low, high, interior;
  for (std::size_t k = 0; k < rank; ++k) {
    low.push_back(padding[2 * k]);
    high.push_back(padding[2 * k + 1]);
    interior.push_back(base[k] - 1);
  }
  const Shape out = build.type(op).dims;
  const std::string name = n == 1 && base == ones ? single(body) : "";
  const ir::Number* start = ir::splat_of(in[n].v);
  const double neutral = name == "stablehlo.maximum" ? -INFINITY : name == "stablehlo.minimum" ? INFINITY : 0;
  if (start && in[0].type().real() && start->real == neutral) {
    const auto& x = in[0];
    if (name == "stablehlo.add") return {ops::reduce_window_sum(x, window, strides, dilations, low, high)};
    if (name == "stablehlo.maximum") return {ops::reduce_window_max(x, window, strides, dilations, low, high)};
    if (name == "stablehlo.minimum") return {ops::reduce_window_min(x, window, strides, dilations, low, high)};
  }
  std::int64_t steps = 1;
  for (auto w : window) steps *= w;
  if (steps > most_steps) build.fail(op, "has a window of " + std::to_string(steps) + " elements with a body of its own; 4096 are allowed", "NOT_LOWERABLE");
  Xs padded, state;
  for (std::size_t i = 0; i < n; ++i) {
    padded.push_back(ops::pad(in[i], in[n + i], low, high, interior));
    state.push_back(ir::broadcast(in[n + i], out, {}));
  }
  Ints at(rank, 0);
  for (std::int64_t step = 0; step < steps; ++step) {
    Ints from(rank);
    Shape to(rank, 0);
    for (std::size_t k = 0; k < rank; ++k) {
      from[k] = at[k] * dilations[k];
      to[k] = from[k] + (out[k] - 1) * strides[k] + 1;
    }
    Xs arguments = state;
    for (const X& x : padded) arguments.push_back(ops::slice(x, from, to, strides));
    state = build.region(body, arguments, build.b, &out);
    for (std::size_t k = rank; k-- > 0 && ++at[k] == window[k];) at[k] = 0;
  }
  return state;
}

/// How a value of the body comes about, with every parameter written as "it"; and which parameters those are.
std::string derivation(const Region& r, const std::string& name, std::set<std::size_t>& params) {
  if (const auto p = std::ranges::find(r.params, name); p != r.params.end()) {
    params.insert(std::size_t(p - r.params.begin()));
    return "it";
  }
  for (auto& op : r.operations) {
    if (std::ranges::find(op.results, name) == op.results.end()) continue;
    std::string out = op.name + "(";
    for (auto& o : op.operands) out += derivation(r, o, params) + ",";
    for (auto& [key, value] : op.attributes) {
      out += key;
      if (auto* w = std::get_if<std::string>(&value.value)) out += "=" + *w;
      if (auto* d = std::get_if<Dense>(&value.value)) for (auto& x : d->numbers) out += "=" + x;
    }
    return out + ")";
  }
  return name;                                    // from outside
}
struct Order { std::size_t operand; bool descending; };
/// A comparator "f(a) < f(b)" of one operand, f being what JAX does to signed zeros and NaN, or nothing.
std::optional<Order> plain_order(const Region& r) {
  const auto& result = r.operations.back().operands;
  const auto last = std::ranges::find_if(r.operations, [&](auto& op) { return op.results == result; });
  if (last == r.operations.end() || last->name != "stablehlo.compare" || last->operands.size() != 2) return {};
  const Attribute* found = find(last->attributes, "comparison_direction");
  const auto* direction = found ? std::get_if<std::string>(&found->value) : nullptr;
  if (!direction || (*direction != "LT" && *direction != "GT")) return {};
  std::set<std::size_t> left, right;
  const std::string a = derivation(r, last->operands[0], left), b = derivation(r, last->operands[1], right);
  if (a != b || left.size() != 1 || right.size() != 1 || *left.begin() % 2 || *right.begin() != *left.begin() + 1) return {};
  const std::size_t operand = *left.begin() / 2;
  const bool total = last->attributes.contains("TOTALORDER") && r.types[2 * operand].real();
  const bool canonical = a.find("0x7F") != a.npos && a.starts_with("stablehlo.select");
  if (a == "it" ? total : !canonical) return {};
  return Order{operand, *direction == "GT"};
}

Xs sort(Build& build, const Operation& op, const Xs& in) {
  const Region& body = op.regions.at(0);
  const std::int64_t rank = in[0].type().rank(), given = integer(build, op, "dimension", -1), axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank || body.params.size() != 2 * in.size()) build.fail(op, "sorts along an axis that is not there, or compares something else");
  X order;
  if (const auto plain = plain_order(body)) {
    order = ops::sort_indices(in[plain->operand], axis, std::int64_t(plain->descending));
  } else {
    // The place of an element is the number of those that come before it: all pairs are compared.
    const std::int64_t n = in[0].type().dims[std::size_t(axis)];
    if (n > most_steps) build.fail(op, "sorts " + std::to_string(n) + " elements by a comparator of its own; 4096 are allowed", "NOT_LOWERABLE");
    Shape pairs;
    Xs arguments;
    for (const X& x : in) {
      const X last = ir::moved(x, axis, rank - 1);
      pairs = last.type().dims;
      pairs.push_back(n);
      const Ints front = ir::axes_up_to(int(rank) - 1);
      arguments.push_back(ir::broadcast(last, pairs, ir::joined({front, {rank - 1}})));
      arguments.push_back(ir::broadcast(last, pairs, ir::joined({front, {rank}})));
    }
    const X before = build.region(body, arguments, build.b, &pairs).at(0);
    const X after = ir::moved(before, rank - 1, rank);
    const X earlier = ir::iota(build.b, pairs, DType::i32, rank - 1) < ir::iota(build.b, pairs, DType::i32, rank);
    const X first = ops::bit_or(before, ops::bit_and(earlier, ops::logical_not(after)));
    const X place = ir::reduced(ops::reduce_sum, convert(first, DType::i32), {rank - 1});
    order = ops::sort_indices(ir::moved(place, rank - 1, axis), axis, std::int64_t(0));
  }
  Xs out;
  for (const X& x : in) out.push_back(ir::take_along_axis(x, order, axis));
  return out;
}

Xs scatter(Build& build, const Operation& op, const Xs& in) {
  const Region& body = op.regions.at(0);
  if (in.size() != 3 || body.params.size() != 2) build.fail(op, "of several tensors at once has no counterpart", "NOT_LOWERABLE");
  const Attribute* numbers = find(op.attributes, "scatter_dimension_numbers");
  if (!numbers || !std::holds_alternative<Attributes>(numbers->value)) build.fail(op, "has no scatter_dimension_numbers");
  const auto& n = std::get<Attributes>(numbers->value);
  auto part = [&](const char* key) { auto* a = find(n, key); return a ? integers(build, op, *a) : Ints{}; };
  const Ints vector = part("index_vector_dim");
  const X indices = index_vectors_last(build, op, in[1], vector.empty() ? 0 : vector[0]);
  const Ints window = part("update_window_dims"), inserted = part("inserted_window_dims"), batch = part("input_batching_dims"),
             batch_indices = part("scatter_indices_batching_dims"), map = part("scatter_dims_to_operand_dims");
  const bool sets = body.operations.size() == 1 && body.operations[0].operands == std::vector{body.params[1]};
  if (sets) return {ops::scatter(in[0], indices, in[2], window, inserted, batch, batch_indices, map)};
  if (single(body) == "stablehlo.add") return {ops::scatter_add(in[0], indices, in[2], window, inserted, batch, batch_indices, map)};
  build.fail(op, "may set or add; another body has no counterpart", "NOT_LOWERABLE");
}

/// Each window of the operand sends its element of the source to the place that `select` prefers, where `scatter` (an
/// addition) collects them: the derivative of pooling by the maximum.
Xs select_and_scatter(Build& build, const Operation& op, const Xs& in) {
  if (in.size() != 3 || op.regions.size() != 2 || single(op.regions[1]) != "stablehlo.add") build.fail(op, "may only add what it scatters", "NOT_LOWERABLE");
  const std::size_t rank = std::size_t(in[0].type().rank());
  const Ints ones = ir::repeated(rank, 1), window = integers(build, op, "window_dimensions", ones), strides = integers(build, op, "window_strides", ones);
  for (auto p : integers(build, op, "padding", {})) if (p != 0) build.fail(op, "with padding has no counterpart; way out: pad the operand", "NOT_LOWERABLE");
  std::int64_t steps = 1;
  for (auto w : window) steps *= w;
  if (window.size() != rank || strides.size() != rank || in[1].type().dims.size() != rank || steps > most_steps) build.fail(op, "has a window of another rank or of more than 4096 elements", "NOT_LOWERABLE");
  const Shape dims = in[0].type().dims, out = in[1].type().dims;
  auto each = [&](auto visit) {
    Ints at(rank, 0);
    for (std::int64_t step = 0; step < steps; ++step) {
      visit(at, step);
      for (std::size_t k = rank; k-- > 0 && ++at[k] == window[k];) at[k] = 0;
    }
  };
  auto reach = [&](const Ints& at, std::size_t k) { return at[k] + (out[k] - 1) * strides[k] + 1; };
  X best, place;
  each([&](const Ints& at, std::int64_t step) {
    Shape to(rank, 0);
    for (std::size_t k = 0; k < rank; ++k) to[k] = reach(at, k);
    const X here = ops::slice(in[0], at, to, strides);
    const X now = ir::splat(build.b, Type{DType::i32, out}, double(step));
    if (!best) return void((best = here, place = now));
    const X keep = build.region(op.regions[0], std::array{best, here}, build.b, &out).at(0);
    best = ops::select(keep, best, here);
    place = ops::select(keep, place, now);
  });
  X sum = ir::broadcast(in[2], dims, {});
  each([&](const Ints& at, std::int64_t step) {
    Ints high(rank), interior(rank);
    for (std::size_t k = 0; k < rank; ++k) high[k] = dims[k] - reach(at, k), interior[k] = strides[k] - 1;
    sum = sum + ir::padded(ops::select(place == ir::like(place, double(step)), in[1], ir::like(in[1], 0)), 0, at, high, interior);
  });
  return {sum};
}

}  // namespace

Xs Build::with_body(const Operation& op, const Xs& in) {
  if (op.name == "stablehlo.select_and_scatter") return select_and_scatter(*this, op, in);
  if (op.regions.size() != 1 || in.empty()) fail(op, "needs operands and one body");
  if (op.name == "stablehlo.sort") return sort(*this, op, in);
  if (op.name == "stablehlo.scatter") return scatter(*this, op, in);
  if (in.size() % 2 || op.regions[0].params.size() != in.size()) fail(op, "needs an initial value for each operand");
  return op.name == "stablehlo.reduce" ? reduce(*this, op, in) : reduce_window(*this, op, in);
}

}  // namespace tlaloc::stablehlo
