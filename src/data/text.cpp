// SPDX-License-Identifier: Apache-2.0
#include "data/text.hpp"

#include <charconv>

namespace tlaloc::data {
namespace {

template <class T> std::string shortest(T x) {
  char out[40];
  return {out, std::to_chars(out, out + sizeof out, x).ptr};
}

std::string to_text(const ir::Number& n) {
  switch (n.dtype) {
    case ir::DType::boolean: return n.bits ? "true" : "false";
    case ir::DType::f64: return shortest(n.real);
    default: break;
  }
  // The narrow floats read back from the digits of f32.
  if (ir::is_real(n.dtype)) return shortest(float(n.real));
  return ir::is_signed(n.dtype) ? shortest(std::int64_t(n.bits)) : shortest(n.bits);
}

void append(std::string& out, const ir::Array& a, std::size_t axis, std::size_t begin, std::size_t step, bool shorten, std::int64_t edge) {
  if (axis == a.type.dims.size()) {
    out += to_text(a.at(begin));
    return;
  }
  const std::int64_t extent = a.type.dims[axis];
  const std::size_t inner = extent ? step / std::size_t(extent) : 0;
  out += "[";
  for (std::int64_t i = 0; i < extent; ++i) {
    if (i) out += ", ";
    if (shorten && extent > 2 * edge && i == edge) {
      out += "..., ";
      i = extent - edge;
    }
    append(out, a, axis + 1, begin + std::size_t(i) * inner, inner, shorten, edge);
  }
  out += "]";
}

}  // namespace

std::string to_text(const ir::Array& a, std::size_t limit, std::int64_t edge) {
  std::string out;
  append(out, a, 0, 0, a.size(), a.size() > limit, edge);
  return out;
}

}  // namespace tlaloc::data
