// SPDX-License-Identifier: Apache-2.0
#include "transforms/poly.hpp"

#include <algorithm>
#include <deque>

namespace tlaloc::ir {
namespace {

constexpr std::int64_t largest = std::int64_t(1) << 40;     // beyond it a number is no index
constexpr std::size_t longest = 64;

bool is_slack(const Value* v) { return !v->block && !v->def; }
/// The k-th slack: one value for all Facts, which never meet in a polynomial.
const Value* slack(int k) {
  static std::deque<Value> pool = [] {
    std::deque<Value> d;
    for (int i = 0; i < 256; ++i) d.push_back(Value{(1 << 30) + i, {index_type}, ""});
    return d;
  }();
  return k < int(pool.size()) ? &pool[std::size_t(k)] : nullptr;
}
bool never_negative(const Value* v) { return is_slack(v) || is_unsigned(v->type.dtype) || v->type.dtype == DType::boolean || (v->def && v->def->kind == &ops::length); }
bool positive(const Poly& p) {
  for (auto& [m, c] : p.terms) {
    if (c < 0) return false;
    for (auto* v : m) if (!never_negative(v)) return false;
  }
  return true;
}
/// A cast through which a number passes unchanged.
bool keeps_number(DType from, DType to) {
  if (is_real(from) || is_real(to) || from == DType::boolean || to == DType::boolean) return false;
  if (is_signed(from)) return bit_width(to) >= bit_width(from) && (is_signed(to) || bit_width(to) == 64);
  return bit_width(to) > bit_width(from) || (bit_width(to) == 64 && bit_width(from) == 64);
}
/// Whether sums and products of this type are those of the integers (as far as an index may tell).
bool exact(DType d) { return d == DType::i32 || d == DType::i64 || d == DType::u64; }

}  // namespace

Poly Poly::of(const Value* v) {
  if (auto* n = constant_of(v)) return is_real(n->dtype) || n->as_int() > largest || n->as_int() < -largest ? symbol(v) : Poly(n->as_int());
  const Op* op = v->def;
  if (!op || v->type.real() || v->type.buffer) return symbol(v);
  Poly p;
  if (op->kind == &ops::cast && keeps_number(op->operands[0]->type.dtype, v->type.dtype)) return of(op->operands[0]);
  if (op->kind == &ops::cast && op->operands[0]->type.dtype == DType::boolean) return symbol(op->operands[0]);
  if (!exact(v->type.dtype)) return symbol(v);
  if (op->kind == &ops::neg) p = Poly() - of(op->operands[0]);
  else if (op->kind == &ops::add) p = of(op->operands[0]) + of(op->operands[1]);
  else if (op->kind == &ops::sub) p = of(op->operands[0]) - of(op->operands[1]);
  else if (op->kind == &ops::mul) p = of(op->operands[0]) * of(op->operands[1]);
  else return symbol(v);
  if (p.terms.size() > longest) return symbol(v);
  for (auto& [m, c] : p.terms) if (c > largest || c < -largest || m.size() > 8) return symbol(v);
  return p;
}
std::optional<std::int64_t> Poly::constant() const {
  if (terms.empty()) return 0;
  if (terms.size() == 1 && terms.begin()->first.empty()) return terms.begin()->second;
  return std::nullopt;
}
std::set<const Value*, ById> Poly::symbols() const {
  std::set<const Value*, ById> s;
  for (auto& [m, c] : terms) s.insert(m.begin(), m.end());
  return s;
}
bool Poly::has(const Value* v) const {
  return std::any_of(terms.begin(), terms.end(), [&](auto& t) { return std::find(t.first.begin(), t.first.end(), v) != t.first.end(); });
}
static void add(Poly& p, const Poly::Monomial& m, std::int64_t c) {
  auto it = p.terms.try_emplace(m, 0).first;
  if (!(it->second += c)) p.terms.erase(it);
}
X value_of(Builder& b, const Poly& p, const std::function<X(Value*)>& at) {
  X sum = index(b, 0);
  for (auto& [m, c] : p.terms) {
    X t = index(b, c);
    for (auto* v : m) t = t * convert(at(const_cast<Value*>(v)), index_type);
    sum = sum + t;
  }
  return sum;
}
X value_of(Builder& b, const Poly& p) { return value_of(b, p, [&](Value* v) { return X{&b, v}; }); }

Poly operator+(const Poly& a, const Poly& b) { Poly r = a; for (auto& [m, c] : b.terms) add(r, m, c); return r; }
Poly operator-(const Poly& a, const Poly& b) { Poly r = a; for (auto& [m, c] : b.terms) add(r, m, -c); return r; }
Poly operator*(const Poly& a, const Poly& b) {
  Poly r;
  for (auto& [m, c] : a.terms) for (auto& [n, d] : b.terms) {
    Poly::Monomial k(m.size() + n.size());
    std::merge(m.begin(), m.end(), n.begin(), n.end(), k.begin(), ById{});
    std::int64_t product = 0;
    add(r, k, __builtin_mul_overflow(c, d, &product) ? 4 * largest : product);     // too large: of() gives up on it
  }
  return r;
}
std::optional<std::pair<Poly, Poly>> Poly::split(const Value* v) const {
  std::pair<Poly, Poly> r;
  for (auto& [m, c] : terms) {
    const auto n = std::count(m.begin(), m.end(), v);
    if (n > 1) return std::nullopt;
    Monomial rest = m;
    std::erase(rest, v);
    add(n ? r.first : r.second, rest, c);
  }
  return r;
}
Poly Poly::at(const Value* v, const Poly& by) const {
  Poly r;
  for (auto& [m, c] : terms) {
    Monomial rest = m;
    std::erase(rest, v);
    Poly t;
    t.terms[rest] = c;
    for (auto n = std::count(m.begin(), m.end(), v); n > 0; --n) t = t * by;
    r = r + t;
  }
  return r;
}

Poly Facts::reduced(const Poly& p) const {
  Poly r = p;
  for (auto& [v, by] : as_) if (r.has(v)) r = r.at(v, by);
  return r;
}
void Facts::nonnegative(const Poly& p) {
  const Poly q = reduced(p);
  if (positive(q)) return;
  const Value* best = nullptr;
  for (auto& [m, c] : q.terms) {
    if (m.size() != 1 || c != 1) continue;
    const Poly rest = q - Poly::symbol(m[0]);
    if (rest.has(m[0])) continue;
    // A number that is known to be >= 0 must stay so: it is replaced only by a sum that shows it.
    if (never_negative(m[0]) ? !positive(Poly() - rest) : false) continue;
    if (!best || (never_negative(best) && !never_negative(m[0])) || (never_negative(best) == never_negative(m[0]) && best->id < m[0]->id)) best = m[0];
  }
  const Value* fresh = best ? slack(slacks_) : nullptr;
  if (!fresh) { more_.push_back(q); return; }
  ++slacks_;
  const Poly by = Poly::symbol(fresh) - (q - Poly::symbol(best));
  as_.emplace_back(best, by);
  for (auto& m : more_) m = m.at(best, by);
}
bool Facts::proves(const Poly& p) const {
  const Poly q = reduced(p);
  if (positive(q)) return true;
  for (auto& m : more_) if (positive(q - m)) return true;
  return false;
}

}  // namespace tlaloc::ir
