// SPDX-License-Identifier: Apache-2.0
#include "ir/extent.hpp"
#include "ir/kind.hpp"
#include "tlaloc/detail/tensor/dtype.hpp"

#include <cmath>
#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace tlaloc::ir {

static constexpr std::string_view dtype_names[] = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"};
std::string text(DType d) { return std::string(dtype_names[int(d)]); }
int bit_width(DType d) {
  constexpr int widths[] = {1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64};
  return widths[int(d)];
}

std::string text(const Type& t) {
  std::string s = (t.buffer ? "buffer " : "") + text(t.dtype);
  for (std::size_t i = 0; i < t.dims.size(); ++i) s += (i ? "," : "[") + extent_text(t.dims[i]);
  return t.dims.empty() ? s : s + "]";
}

// --- numbers ---
namespace {

std::uint64_t extended(DType d, std::uint64_t bits) {       // keeps the low bits that the dtype has
  if (d == DType::boolean) return bits != 0;
  const int w = bit_width(d);
  if (w == 64) return bits;
  const std::uint64_t low = bits & ((std::uint64_t(1) << w) - 1);
  return is_signed(d) && (low >> (w - 1)) ? low | ~((std::uint64_t(1) << w) - 1) : low;
}
double half(double x) {                                     // round to nearest even at 11 bits, subnormals from 2^-14 down
  if (x == 0 || std::isnan(x) || std::isinf(x)) return x;
  int e = 0;
  std::frexp(x, &e);
  const double ulp = std::ldexp(1.0, std::max(e - 11, -24));
  const double r = std::nearbyint(x / ulp) * ulp;
  return std::fabs(r) > 65504 ? std::copysign(INFINITY, x) : r;
}

}  // namespace

Number Number::of(DType d, double x) {
  switch (d) {
    case DType::f64: return {d, x, 0};
    case DType::f32: return {d, double(float(x)), 0};
    case DType::bf16: return {d, double(float(tlaloc::bf16(float(x)))), 0};
    case DType::f16: return {d, half(x), 0};
    case DType::boolean: return {d, 0, x != 0};
    default: break;
  }
  if (std::isnan(x)) return {d, 0, 0};
  if (is_signed(d)) return {d, 0, extended(d, x >= -0x1p63 && x < 0x1p63 ? std::uint64_t(std::int64_t(x)) : std::uint64_t(1) << 63)};
  return {d, 0, extended(d, x >= 0 && x < 0x1p64 ? std::uint64_t(x) : x < 0 && x > -0x1p63 ? std::uint64_t(std::int64_t(x)) : 0)};
}
// An integer becomes an f32 in one rounding, not by way of a double.
Number Number::of(DType d, std::int64_t x) {
  if (d == DType::f32) return {d, double(float(x)), 0};
  return is_real(d) ? of(d, double(x)) : Number{d, 0, extended(d, std::uint64_t(x))};
}
Number Number::of(DType d, std::uint64_t x) {
  if (d == DType::f32) return {d, double(float(x)), 0};
  return is_real(d) ? of(d, double(x)) : Number{d, 0, extended(d, x)};
}

std::string_view intern(std::string_view s) {
  static std::mutex guard;
  static std::unordered_set<std::string> all;
  std::lock_guard lock(guard);
  return *all.emplace(s).first;
}

// --- ops ---
const Attr& Op::attr(std::string_view name) const {
  for (int i = 0; i < kind->attrs.size(); ++i) if (kind->attrs[i].name == name) return attrs[std::size_t(i)];
  refuse(*this, "has no attribute " + std::string(name));
}
void Op::set(std::string_view name, Attr value) { const_cast<Attr&>(attr(name)) = std::move(value); }

Function* Program::find(std::string_view name) {
  for (auto& f : functions) if (f.name == name) return &f;
  return nullptr;
}

// --- walking ---
void walk(const Block& b, const std::function<void(Op*)>& visit) {
  for (auto* op : b.ops) {
    visit(op);
    for (auto* r : op->regions) walk(*r, visit);
  }
}
bool inside(const Block* inner, const Block* outer) {
  while (inner && inner != outer) inner = inner->owner ? inner->owner->block : nullptr;
  return inner == outer;
}
void for_each_read(const Op& op, const std::function<void(Value*)>& visit) {
  for (auto* v : op.operands) visit(v);
  for (auto* r : op.regions) {
    auto outer = [&](Value* v) { if (!inside(v->block, r)) visit(v); };
    for (auto* o : r->ops) for_each_read(*o, outer);
    for (auto* y : r->yields) outer(y);
  }
}
void substitute(Block& b, const std::map<const Value*, Value*>& with) {
  auto swap = [&](Value*& v) { if (auto it = with.find(v); it != with.end()) v = it->second; };
  for (auto* op : b.ops) {
    for (auto*& v : op->operands) swap(v);
    for (auto* r : op->regions) substitute(*r, with);
  }
  for (auto*& v : b.yields) swap(v);
}

}  // namespace tlaloc::ir
