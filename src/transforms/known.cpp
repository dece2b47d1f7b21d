// SPDX-License-Identifier: Apache-2.0
#include "transforms/known.hpp"

#include <algorithm>

namespace tlaloc::ir {
namespace {

constexpr std::size_t most_remembered = 64;         // per buffer; older ones are forgotten, so that a write stays cheap

std::size_t mix(std::size_t h, std::size_t x) { return (h ^ x) * 0x9E3779B97F4A7C15ull + (h >> 29); }
std::size_t hash(const Attr& a) {
  struct {
    std::size_t operator()(std::int64_t x) { return std::size_t(x); }
    std::size_t operator()(const Number& x) { return mix(x.bits, std::bit_cast<std::uint64_t>(x.real)); }
    std::size_t operator()(DType x) { return std::size_t(x); }
    std::size_t operator()(Compare x) { return std::size_t(x); }
    std::size_t operator()(const Ints& x) { return x.size(); }
    std::size_t operator()(const Shape& x) { return x.size(); }
    std::size_t operator()(const Numbers& x) { return x.size(); }
    std::size_t operator()(const Types& x) { return x.size(); }
    std::size_t operator()(const std::string& x) { return x.size(); }
  } visit;
  return std::visit(visit, a);
}
bool commutes(const Kind& k) {
  return &k == &ops::add || &k == &ops::mul || &k == &ops::bit_and || &k == &ops::bit_or || &k == &ops::bit_xor;
}
std::vector<Value*> ordered(const Kind& kind, std::vector<Value*> operands) {
  if (commutes(kind) && operands[0]->id > operands[1]->id) std::swap(operands[0], operands[1]);
  return operands;
}
std::size_t hash(const Kind& kind, const std::vector<Value*>& operands, const std::vector<Attr>& attrs) {
  std::size_t h = std::hash<const void*>{}(&kind);
  for (auto* v : operands) h = mix(h, std::size_t(v->id));
  for (auto& a : attrs) h = mix(h, hash(a));
  return h;
}
// Surely two different places.
bool apart(const Value* i, const Value* j) {
  const Offset a = offset_of(i), b = offset_of(j);
  return a.base == b.base && a.by != b.by;
}

}  // namespace

void Known::enter() { scopes_.emplace_back(); }
void Known::leave() {
  for (auto h : scopes_.back().entries) entries_[h].pop_back();
  for (auto& [buffer, contents] : scopes_.back().before) memory_[buffer] = std::move(contents);
  scopes_.pop_back();
}

Value* Known::equal(const Op& op) const {
  const auto operands = ordered(*op.kind, op.operands);
  auto it = entries_.find(hash(*op.kind, operands, op.attrs));
  if (it == entries_.end()) return nullptr;
  for (auto e = it->second.rbegin(); e != it->second.rend(); ++e)
    if (e->kind == op.kind && e->operands == operands && e->attrs == op.attrs) return e->value;
  return nullptr;
}
void Known::remember(const Kind& kind, std::vector<Value*> operands, std::vector<Attr> attrs, Value* value) {
  operands = ordered(kind, std::move(operands));
  const std::size_t h = hash(kind, operands, attrs);
  entries_[h].push_back({&kind, std::move(operands), std::move(attrs), value});
  scopes_.back().entries.push_back(h);
}

Known::Contents& Known::change(const Value* buffer) {
  Contents& c = memory_[buffer];
  scopes_.back().before.try_emplace(buffer, c);
  return c;
}
Value* Known::element(const Value* buffer, const Value* index) const {
  auto it = memory_.find(buffer);
  if (it == memory_.end()) return nullptr;
  for (auto& [i, v] : it->second.elements) if (i == index) return v;
  return it->second.all;
}
Value* Known::length(const Value* buffer) const {
  auto it = memory_.find(buffer);
  return it == memory_.end() ? nullptr : it->second.length;
}
void Known::set_element(const Value* buffer, const Value* index, Value* value) {
  auto& e = change(buffer).elements;
  if (e.size() == most_remembered) e.erase(e.begin());
  e.push_back({index, value});
}
void Known::set_all(const Value* buffer, Value* value) {
  Contents& c = change(buffer);
  c.elements.clear();
  c.all = value;
}
void Known::set_length(const Value* buffer, Value* length) { change(buffer).length = length; }
void Known::forget_element(const Value* buffer, const Value* index) {
  Contents& c = change(buffer);
  std::erase_if(c.elements, [&](auto& e) { return !apart(e.first, index); });
  c.all = nullptr;
}
void Known::forget_elements(const Value* buffer) {
  Contents& c = change(buffer);
  c.elements.clear();
  c.all = nullptr;
}
void Known::forget(const Value* buffer) { change(buffer) = {}; }

}  // namespace tlaloc::ir
