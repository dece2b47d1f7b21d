// SPDX-License-Identifier: Apache-2.0
//
// Operations without a body.
#include "frontend/stablehlo/build.hpp"

#include "ir/linalg.hpp"
#include "ir/array.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace tlaloc::stablehlo {
namespace {

namespace ops = ir::ops;

/// Every op whose StableHLO text is "dialect.name {a}, {b} : types".
std::multimap<std::string, const ir::Kind*, std::less<>> elementwise_kinds() {
  std::multimap<std::string, const ir::Kind*, std::less<>> out;
  auto add = [&](const ir::Kind& k) {
    const std::string_view text = k.stablehlo.text;
    if (text.empty() || k.attrs.size() || k.operands.variadic()) return;
    std::string arguments;
    for (std::string_view o : k.operands) arguments += (arguments.empty() ? " {" : ", {") + std::string(o) + "}";
    const auto name = text.substr(0, text.find(' '));
    if (text.substr(name.size()).starts_with(arguments + " : ")) out.emplace(name, &k);
  };
  for (const ir::Kind* k : ir::all_kinds()) add(*k);
  return out;
}

ir::Number number(const Build& build, const Operation& op, const std::string& text, DType d) {
  if (text == "true" || text == "false") return ir::Number::of(d, std::uint64_t(text == "true"));
  const char *begin = text.data(), *end = begin + text.size();
  if (text.starts_with("0x")) {                   // the bits
    std::uint64_t bits = 0;
    const bool whole = !ir::is_real(d) || text.size() == 2 + 2 * ir::byte_width(d);
    if (!whole || std::from_chars(begin + 2, end, bits, 16).ptr != end) build.fail(op, "has the malformed number " + text);
    ir::Array a(Type{d});
    std::memcpy(a.bytes.get(), &bits, ir::byte_width(d));
    return a.at(0);
  }
  auto parsed = [&](auto x) {
    const auto r = std::from_chars(begin, end, x);
    if (r.ptr != end || r.ec != std::errc{}) build.fail(op, "has the number " + text + ", which is no " + ir::text(d));
    return x;
  };
  if (ir::is_real(d) && text.find_first_of(".eE") == text.npos) build.fail(op, "has the number " + text + ", which is no " + ir::text(d));
  if (d == DType::f64) return ir::Number::of(d, parsed(0.0));
  if (ir::is_real(d)) return ir::Number::of(d, double(parsed(0.0f)));
  if (ir::is_signed(d)) return ir::Number::of(d, parsed(std::int64_t{}));
  return ir::Number::of(d, parsed(std::uint64_t{}));
}

/// StableHLO also stretches axes of one element.
X broadcast(Build& build, const Operation& op, X x, const Shape& to, const Ints& dims) {
  const Shape from = x.type().dims;
  if (dims.size() != from.size()) build.fail(op, "says of " + std::to_string(dims.size()) + " axes where they go and has " + std::to_string(from.size()));
  Shape kept;
  Ints kept_dims;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (dims[k] < 0 || dims[k] >= std::int64_t(to.size())) build.fail(op, "sends an axis to where none is");
    if (from[k] == 1 && to[std::size_t(dims[k])] != 1) continue;
    kept.push_back(from[k]);
    kept_dims.push_back(dims[k]);
  }
  return ir::broadcast(ir::reshape(x, kept), to, kept_dims);
}

X clamped(X x, X low, X high) { return ops::minimum(ops::maximum(x, low), high); }

/// Shifts by more than the width give what is shifted in; the table's shifts are undefined there.
X shifted(const Operation& op, X a, X by) {
  const DType d = a.type().dtype;
  const int width = ir::bit_width(d);
  const bool left = op.name.ends_with("left"), arithmetic = op.name.ends_with("arithmetic");
  const DType as = left ? d : DType(int(arithmetic ? DType::i8 : DType::u8) + (width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3));
  auto shift = [&](X x, X n) {
    if (left) return X(ops::shift_left(x, n));
    return convert(ops::shift_right(convert(x, as), convert(n, as)), d);
  };
  if (const ir::Number* n = ir::splat_of(by.v); n && n->bits < std::uint64_t(width)) return shift(a, by);
  const X far = by < ir::like(by, 0), most = ir::like(by, width - 1);
  const X over = ops::bit_or(far, by > most);
  const X inside = ops::select(over, most, by);
  const X edge = arithmetic ? shift(a, most) : ir::like(a, 0);
  return ops::select(over, edge, shift(a, inside));
}

X triangular_solve(Build& build, const Operation& op, const Xs& in) {
  if (in.size() != 2) build.fail(op, "needs two tensors");
  const Attribute* how = find(op.attributes, "transpose_a");
  const auto* word = how ? std::get_if<std::string>(&how->value) : nullptr;
  if (!word || (*word != "TRANSPOSE" && *word != "ADJOINT" && *word != "NO_TRANSPOSE")) build.fail(op, "has no 'transpose_a'");
  const std::int64_t lower = integer(build, op, "lower"), unit = integer(build, op, "unit_diagonal"), transpose = *word != "NO_TRANSPOSE";
  if (integer(build, op, "left_side")) return ops::triangular_solve(in[0], in[1], lower, transpose, unit);
  return ir::transposed(ops::triangular_solve(in[0], ir::transposed(in[1]), lower, 1 - transpose, unit));   // y op(a) = b
}

X convolution(Build& build, const Operation& op, const Xs& in) {
  if (in.size() != 2 || in[0].type().rank() < 2 || in[0].type().rank() != in[1].type().rank()) build.fail(op, "needs two tensors of one rank");
  const std::size_t rank = std::size_t(in[0].type().rank()), spatial = rank - 2;
  const Attribute* numbers = find(op.attributes, "dim_numbers");
  const auto* three = numbers ? std::get_if<std::vector<Attribute>>(&numbers->value) : nullptr;
  if (!three || three->size() != 3) build.fail(op, "has no dim_numbers");
  // Where b, f (or o, i) and the spatial axes stand: in the order that the op table has them.
  auto layout = [&](std::size_t i, const char* first, const char* second) {
    const auto* list = std::get_if<std::vector<Attribute>>(&(*three)[i].value);
    Ints out(rank, -1);
    if (!list || list->size() != rank) build.fail(op, "has dim_numbers for another rank");
    for (std::size_t k = 0; k < rank; ++k) {
      const auto& v = (*list)[k].value;
      if (auto* w = std::get_if<std::string>(&v); w && (*w == first || *w == second)) out[*w == second] = std::int64_t(k);
      else if (auto* axis = std::get_if<std::int64_t>(&v); axis && *axis >= 0 && std::size_t(*axis) < spatial) out[std::size_t(*axis) + 2] = std::int64_t(k);
      else build.fail(op, "has dim_numbers for another rank");
    }
    return out;
  };
  const Ints x_axes = layout(0, "b", "f"), w_axes = layout(1, "o", "i"), y_axes = layout(2, "b", "f");
  for (auto* axes : {&x_axes, &w_axes, &y_axes}) for (auto a : *axes) if (a < 0) build.fail(op, "has dim_numbers that lack an axis");

  const Attribute* found = find(op.attributes, "window");
  const Attributes window = found && std::holds_alternative<Attributes>(found->value) ? std::get<Attributes>(found->value) : Attributes{};
  auto each = [&](const char* name, std::int64_t or_else) {
    const Attribute* a = find(window, name);
    return a ? integers(build, op, *a) : ir::repeated(spatial, or_else);
  };
  Ints low(spatial, 0), high(spatial, 0);
  if (const Attribute* pads = find(window, "pad")) {
    const Ints all = integers(build, op, *pads);
    if (all.size() != 2 * spatial) build.fail(op, "has padding for another rank");
    for (std::size_t k = 0; k < spatial; ++k) low[k] = all[2 * k], high[k] = all[2 * k + 1];
  }
  X x = ir::transpose(in[0], x_axes), w = ir::transpose(in[1], w_axes);
  const Ints reverse = each("reverse", 0);
  Ints turned;
  for (std::size_t k = 0; k < spatial; ++k) if (reverse[k]) turned.push_back(std::int64_t(k) + 2);
  w = ir::reversed(w, turned);
  std::int64_t groups = integer(build, op, "feature_group_count", 1);
  if (const std::int64_t batches = integer(build, op, "batch_group_count", 1); batches != 1) {
    // A group of examples for a group of output channels: the same as groups of channels, once they stand there.
    Shape dims = x.type().dims, wide = dims;
    if (batches < 1 || groups != 1 || dims[0] % batches) build.fail(op, "has a batch_group_count that does not divide the batch");
    dims[0] /= batches;
    dims.insert(dims.begin(), batches);
    wide[0] /= batches;
    wide[1] *= batches;
    x = ir::reshape(ir::moved(ir::reshape(x, dims), 0, 1), wide);
    groups = batches;
  }
  const DType to = build.type(op).dtype;
  const X y = ops::convolution(convert(x, to), convert(w, to), each("stride", 1), low, high, each("lhs_dilate", 1), each("rhs_dilate", 1), groups);
  return ir::transpose(y, ir::inverse(y_axes));
}

}  // namespace

X index_vectors_last(Build& build, const Operation& op, X indices, std::int64_t axis) {
  const int rank = indices.type().rank();
  if (axis < 0 || axis > rank) build.fail(op, "has no axis index_vector_dim");
  if (axis < rank) return ir::moved(indices, axis, rank - 1);
  Shape dims = indices.type().dims;
  dims.push_back(1);
  return ir::reshape(indices, dims);
}

const Attribute* find(const Attributes& all, std::string_view name) {
  const auto it = all.find(name);
  return it == all.end() ? nullptr : &it->second;
}
std::int64_t integer(const Build& build, const Operation& op, std::string_view name, std::int64_t or_else) {
  const Attribute* a = find(op.attributes, name);
  if (!a) return or_else;
  if (auto* n = std::get_if<std::int64_t>(&a->value)) return *n;
  build.fail(op, "has a '" + std::string(name) + "' that is no integer");
}
std::int64_t integer(const Build& build, const Operation& op, std::string_view name) {
  if (!find(op.attributes, name)) build.fail(op, "has no '" + std::string(name) + "'");
  return integer(build, op, name, 0);
}
Ints integers(const Build& build, const Operation& op, const Attribute& a) {
  Ints out;
  if (auto* n = std::get_if<std::int64_t>(&a.value)) return {*n};
  if (auto* list = std::get_if<std::vector<Attribute>>(&a.value)) {
    for (auto& x : *list) for (auto i : integers(build, op, x)) out.push_back(i);
    return out;
  }
  if (auto* dense = std::get_if<Dense>(&a.value); dense && !dense->bytes && !dense->type.real()) {
    for (auto& n : dense->numbers) out.push_back(number(build, op, n, dense->type.dtype).as_int());
    if (out.size() == 1) out.resize(std::size_t(ir::elements(dense->type.dims)), out[0]);
    return out;
  }
  build.fail(op, "has an attribute that should be a list of integers");
}
Ints integers(const Build& build, const Operation& op, std::string_view name, const Ints& or_else) {
  const Attribute* a = find(op.attributes, name);
  return a ? integers(build, op, *a) : or_else;
}
Ints integers(const Build& build, const Operation& op, std::string_view name) {
  if (!find(op.attributes, name)) build.fail(op, "has no '" + std::string(name) + "'");
  return integers(build, op, name, {});
}

const ir::Kind* elementwise(std::string_view name, std::span<const Type> operands) {
  static const auto kinds = elementwise_kinds();
  const auto [begin, end] = kinds.equal_range(name);
  for (auto it = begin; it != end; ++it) {
    if (it->second->operands.fixed() != int(operands.size())) continue;
    try {
      ir::type_of(*it->second, operands);         // one name may be two ops, for bools and for integers, say
      return it->second;
    } catch (const ir::Error&) {
      if (std::next(it) == end) throw;
    }
  }
  return nullptr;
}

X constant(Build& build, const Operation& op, const Dense& dense) {
  const auto& [texts, bytes, type] = dense;
  const std::size_t size = std::size_t(ir::elements(type.dims));
  ir::Numbers numbers;
  if (bytes) {
    const std::string_view hex = std::string_view(texts[0]).substr(std::min<std::size_t>(2, texts[0].size()));
    const std::size_t width = ir::byte_width(type.dtype), count = hex.size() / 2;
    if (type.dtype == DType::boolean || (count != size * width && count != width)) build.fail(op, "has bytes that are not those of a " + text(type));
    ir::Array a(Type{type.dtype, {std::int64_t(count / width)}});
    for (std::size_t i = 0; i < count; ++i) {
      if (std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, a.data<unsigned char>()[i], 16).ptr != hex.data() + 2 * i + 2) build.fail(op, "has malformed bytes");
    }
    for (std::size_t i = 0; i < count / width; ++i) numbers.push_back(a.at(i));
  } else {
    for (auto& t : texts) numbers.push_back(number(build, op, t, type.dtype));
  }
  if (numbers.size() == 1) return ir::broadcast(ir::constant(build.b, numbers[0]), type.dims, {});
  if (numbers.size() != size) build.fail(op, "has " + std::to_string(numbers.size()) + " numbers for a " + text(type));
  return {&build.b, build.b.append(ops::literal, {}, {type.dims, type.dtype, numbers})->results[0]};
}

const Type& Build::type(const Operation& op) const {
  if (op.types.empty()) fail(op, "has no type");
  return op.types[0];
}

X Build::data(const Operation& op, const Xs& given) {
  const std::string_view name = op.name;
  Xs in = given;
  auto need = [&](std::size_t n) {
    if (in.size() != n) fail(op, "has " + std::to_string(in.size()) + " operands and needs " + std::to_string(n));
  };
  auto attribute = [&](const char* key) { return integers(*this, op, key); };
  auto either = [&](const char* own, const char* generic) { return integers(*this, op, find(op.attributes, own) ? own : generic); };

  if (name == "stablehlo.constant") {
    const Attribute* value = find(op.attributes, "value");
    if (!value || !std::holds_alternative<Dense>(value->value)) fail(op, "has no dense<...> value");
    return constant(*this, op, std::get<Dense>(value->value));
  }
  // In a reduction's body numbers meet tensors.
  if (lifted) for (X& x : in) x = ir::broadcast_to(x, *lifted);

  if (name == "stablehlo.compare") {
    need(2);
    static constexpr std::string_view names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    const Attribute* direction = find(op.attributes, "comparison_direction");
    const auto* word = direction ? std::get_if<std::string>(&direction->value) : nullptr;
    const auto at = word ? std::ranges::find(names, *word) : std::end(names);
    if (at == std::end(names)) fail(op, "has no direction");
    if (op.attributes.contains("TOTALORDER") && in[0].type().real()) fail(op, "in the total order of floats has no counterpart outside a sort", "NOT_LOWERABLE");
    if (in[0].type().dtype == DType::boolean) for (X& x : in) x = convert(x, DType::u8);
    return ops::compare(in[0], in[1], ir::Compare(at - std::begin(names)));
  }
  if (name == "stablehlo.select") {
    need(3);
    return ops::select(ir::broadcast_to(in[0], in[1].type().dims), in[1], in[2]);
  }
  if (name == "stablehlo.clamp") {
    need(3);
    const Shape& dims = in[1].type().dims;
    return clamped(in[1], ir::broadcast_to(in[0], dims), ir::broadcast_to(in[2], dims));
  }
  if (name == "stablehlo.convert") return need(1), convert(in[0], type(op).dtype);
  if (name.starts_with("stablehlo.shift_")) return need(2), shifted(op, in[0], in[1]);
  if (name == "stablehlo.sign" && !in.empty() && in[0].type().integer()) {
    const X none = ir::like(in[0], 0), one = ir::like(in[0], 1);
    const X sign = ops::select(in[0] > none, one, none);
    return ir::is_signed(in[0].type().dtype) ? X(ops::select(in[0] < none, -one, sign)) : sign;
  }
  if (name == "stablehlo.bitcast_convert") {
    need(1);
    const DType from = in[0].type().dtype, to = type(op).dtype;
    if (from == to) return in[0];
    if (ir::bit_width(from) != ir::bit_width(to)) fail(op, "between types of different width has no counterpart", "NOT_LOWERABLE");
    return ops::bitcast(in[0], to);
  }
  if (name == "chlo.square") return need(1), in[0] * in[0];
  {
    std::vector<Type> types;
    for (const X& x : in) types.push_back(x.type());
    if (const ir::Kind* kind = elementwise(name, types)) return ir::build(*kind, b, in, {});
  }
  if (lifted) fail(op, "in the body of a reduction, which may only have elementwise operations", "NOT_LOWERABLE");

  if (name == "stablehlo.iota") return ir::iota(b, type(op).dims, type(op).dtype, integer(*this, op, find(op.attributes, "dim") ? "dim" : "iota_dimension"));
  if (name == "stablehlo.broadcast_in_dim") return need(1), broadcast(*this, op, in[0], type(op).dims, either("dims", "broadcast_dimensions"));
  if (name == "stablehlo.reshape") return need(1), ir::reshape(in[0], type(op).dims);
  if (name == "stablehlo.transpose") return need(1), ir::transpose(in[0], either("dims", "permutation"));
  if (name == "stablehlo.reverse") return need(1), ir::reversed(in[0], either("dims", "dimensions"));
  if (name == "stablehlo.concatenate") return ir::concatenate(in, integer(*this, op, find(op.attributes, "dim") ? "dim" : "dimension"));
  if (name == "stablehlo.slice") {
    need(1);
    return ops::slice(in[0], attribute("start_indices"), Shape(attribute("limit_indices")), attribute("strides"));
  }
  if (name == "stablehlo.pad") {
    need(2);
    return ops::pad(in[0], in[1], either("low", "edge_padding_low"), either("high", "edge_padding_high"), either("interior", "interior_padding"));
  }
  if (name == "stablehlo.dynamic_slice") {
    if (in.empty()) need(1);
    return ir::dynamic_slice(in[0], std::span(in).subspan(1), Shape(either("sizes", "slice_sizes")));
  }
  if (name == "stablehlo.dynamic_update_slice") {
    if (in.size() < 2) need(2);
    return ir::dynamic_update_slice(in[0], in[1], std::span(in).subspan(2));
  }
  if (name == "stablehlo.dot_general") {
    need(2);
    auto pair = [&](const char* own, const char* left, const char* right) {
      const Attribute* dims = find(op.attributes, "dot_dimension_numbers");
      const Attributes* generic = dims ? std::get_if<Attributes>(&dims->value) : nullptr;
      const Attribute* both = find(op.attributes, own);
      const auto* list = both ? std::get_if<std::vector<Attribute>>(&both->value) : nullptr;
      auto one = [&](const char* key, std::size_t i) {
        const Attribute* a = generic ? find(*generic, key) : list && list->size() == 2 ? &(*list)[i] : nullptr;
        return a ? integers(*this, op, *a) : Ints{};
      };
      return std::pair(one(left, 0), one(right, 1));
    };
    const auto batch = pair("batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions");
    const auto contract = pair("contracting_dims", "lhs_contracting_dimensions", "rhs_contracting_dimensions");
    const DType to = type(op).dtype;                // a wider result is a wider sum
    return ops::dot_general(convert(in[0], to), convert(in[1], to), batch.first, batch.second, contract.first, contract.second);
  }
  if (name == "stablehlo.cholesky") {
    need(1);
    if (integer(*this, op, "lower", 0)) return ops::cholesky(in[0]);
    return ir::transposed(ops::cholesky(ir::transposed(in[0])));
  }
  if (name == "stablehlo.triangular_solve") return triangular_solve(*this, op, in);
  if (name == "stablehlo.convolution") return convolution(*this, op, in);
  if (name == "stablehlo.gather") {
    need(2);
    const Attribute* numbers = find(op.attributes, "dimension_numbers");
    if (!numbers || !std::holds_alternative<Attributes>(numbers->value)) fail(op, "has no dimension_numbers");
    const auto& n = std::get<Attributes>(numbers->value);
    auto part = [&](const char* key) { auto* a = find(n, key); return a ? integers(*this, op, *a) : Ints{}; };
    const Ints vector = part("index_vector_dim");
    const X indices = index_vectors_last(*this, op, in[1], vector.empty() ? 0 : vector[0]);
    return ops::gather(in[0], indices, part("offset_dims"), part("collapsed_slice_dims"), part("operand_batching_dims"), part("start_indices_batching_dims"),
                       part("start_index_map"), Shape(attribute("slice_sizes")));
  }
  fail(op, "has no counterpart", "NOT_LOWERABLE");
}

}  // namespace tlaloc::stablehlo
