// SPDX-License-Identifier: Apache-2.0
#include "ir/extent.hpp"

#include "ir/builder.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>

namespace tlaloc::ir {
namespace {

using Monomial = std::vector<std::string>;        // its factors, sorted; empty for the constant
using Polynomial = std::map<Monomial, std::int64_t>;
constexpr Extent first_expression = -2;           // and downwards: to front ends -1 is an extent that is not known

// Longer monomials first, the constant last, as one writes them.
std::string polynomial_text(const Polynomial& p) {
  std::vector<std::pair<Monomial, std::int64_t>> terms(p.begin(), p.end());
  std::sort(terms.begin(), terms.end(), [](auto& a, auto& b) { return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first; });
  std::string s;
  for (auto& [factors, c] : terms) {
    s += c < 0 ? "-" : s.empty() ? "" : "+";
    std::string term = std::abs(c) != 1 || factors.empty() ? std::to_string(std::abs(c)) : "";
    for (auto& f : factors) term += (term.empty() ? "" : "*") + f;
    s += term;
  }
  return s;
}

struct Table {
  std::mutex guard;
  std::deque<Polynomial> all;
  std::map<Polynomial, Extent> numbers;
};
Table& table() { static Table t; return t; }

Extent interned(Polynomial p) {
  std::erase_if(p, [](auto& term) { return term.second == 0; });
  if (p.empty()) return 0;
  if (p.size() == 1 && p.begin()->first.empty()) {
    if (p.begin()->second < 0) throw Error("an extent of " + std::to_string(p.begin()->second));
    return p.begin()->second;
  }
  Table& t = table();
  std::lock_guard lock(t.guard);
  auto [it, fresh] = t.numbers.try_emplace(p, first_expression - std::int64_t(t.all.size()));
  if (fresh) t.all.push_back(std::move(p));
  return it->second;
}
Polynomial polynomial(Extent e) {
  if (is_number(e)) return {{{}, e}};
  Table& t = table();
  std::lock_guard lock(t.guard);
  return t.all[std::size_t(first_expression - e)];
}
Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial r;
  for (auto& [f, c] : a) for (auto& [g, d] : b) {
    Monomial m = f;
    m.insert(m.end(), g.begin(), g.end());
    std::sort(m.begin(), m.end());
    r[m] += c * d;
  }
  return r;
}

}  // namespace

bool is_static(const Shape& s) { return std::all_of(s.begin(), s.end(), is_number); }
Extent symbol(std::string_view name) { return interned({{{std::string(name)}, 1}}); }
Extent plus(Extent a, Extent b) {
  if (is_number(a) && is_number(b)) return a + b;
  Polynomial p = polynomial(a);
  for (auto& [f, c] : polynomial(b)) p[f] += c;
  return interned(std::move(p));
}
Extent minus(Extent a, Extent b) {
  Polynomial p = polynomial(a);
  for (auto& [f, c] : polynomial(b)) p[f] -= c;
  return interned(std::move(p));
}
Extent times(Extent a, Extent b) { return is_number(a) && is_number(b) ? a * b : interned(product(polynomial(a), polynomial(b))); }
std::optional<Extent> divided(Extent e, Extent by) {
  const Polynomial divisor = polynomial(by);
  if (divisor.size() != 1 || divisor.begin()->second == 0) return {};
  auto& [factors, n] = *divisor.begin();
  Polynomial quotient;
  for (auto& [product, c] : polynomial(e)) {
    Monomial monomial = product;
    for (auto& f : factors) {
      const auto at = std::find(monomial.begin(), monomial.end(), f);
      if (at == monomial.end()) return {};
      monomial.erase(at);
    }
    if (c % n) return {};
    quotient[monomial] = c / n;
  }
  return interned(std::move(quotient));
}
Extent elements(const Shape& s) {
  Extent n = 1;
  for (auto d : s) n = times(n, d);
  return n;
}
std::string extent_text(Extent e) { return is_number(e) ? std::to_string(e) : polynomial_text(polynomial(e)); }

std::map<std::vector<std::string>, std::int64_t> terms(Extent e) { return polynomial(e); }

Extent parse_extent(std::string_view s) {
  Polynomial p;
  std::size_t at = 0;
  auto fail = [&] { throw Error("'" + std::string(s) + "' is no extent"); };
  if (s.empty()) fail();
  while (at < s.size()) {
    std::int64_t sign = 1;
    if (s[at] == '-' || s[at] == '+') sign = s[at++] == '-' ? -1 : 1;
    else if (at > 0) fail();
    const auto term = at, end = std::min(s.size(), s.find_first_of("+-", at));
    Monomial factors;
    while (at < end) {
      const auto stop = std::min(end, s.find('*', at));
      const auto word = s.substr(at, stop - at);
      if (word.empty() || stop + 1 == end || !std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; })) fail();
      std::int64_t number = 0;
      const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error == std::errc() && last == word.data() + word.size()) sign *= number;
      else if (std::isdigit((unsigned char)word[0])) fail();
      else factors.emplace_back(word);
      at = stop + (stop < end);
    }
    if (term == end) fail();
    std::sort(factors.begin(), factors.end());
    p[factors] += sign;
    at = end;
  }
  return interned(std::move(p));
}

Extent bound(Extent e, const Bindings& with) {
  if (is_number(e)) return e;
  Polynomial r;
  for (auto& [factors, c] : polynomial(e)) {
    std::int64_t k = c;
    Monomial left;
    for (auto& f : factors) if (auto it = with.find(f); it != with.end()) k *= it->second; else left.push_back(f);
    r[left] += k;
  }
  return interned(std::move(r));
}
Shape bound(const Shape& s, const Bindings& with) {
  Shape r;
  for (auto e : s) r.push_back(bound(e, with));
  return r;
}
void bind_symbols(Bindings& known, const Shape& declared, const Shape& actual) {
  auto differs = [&] {
    std::string d, a;
    for (auto e : declared) d += (d.empty() ? "" : ",") + extent_text(e);
    for (auto e : actual) a += (a.empty() ? "" : ",") + extent_text(e);
    throw Error("an argument of shape [" + a + "] where [" + d + "] is declared");
  };
  if (declared.size() != actual.size()) differs();
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const Polynomial p = polynomial(declared[i]);
    const bool alone = !is_number(declared[i]) && p.size() == 1 && p.begin()->first.size() == 1 && p.begin()->second == 1;
    if (alone) known.emplace(p.begin()->first[0], actual[i]);
  }
  if (bound(declared, known) != actual) differs();
}

void replace_extents(Function& f, const std::function<Extent(Extent)>& with) {
  auto in_place = [&](Shape& s) { for (auto& e : s) e = with(e); };
  for (auto& v : f.values) if (!v.type.buffer) in_place(v.type.dims);
  for (auto& op : f.ops)
    for (auto& a : op.attrs) {
      if (auto* s = std::get_if<Shape>(&a)) in_place(*s);
      if (auto* ts = std::get_if<Types>(&a)) for (auto& t : *ts) in_place(t.dims);
    }
}
Function specialize(const Function& f, const Bindings& known) {
  Function out = copy(f, f.name);
  replace_extents(out, [&](Extent e) { return bound(e, known); });
  return out;
}
Extent replaced(Extent e, std::string_view name, Extent by) {
  if (is_number(e)) return e;
  Extent sum = 0;
  for (auto& [factors, c] : polynomial(e)) {
    Extent term = std::abs(c);
    for (auto& f : factors) term = times(term, f == name ? by : symbol(f));
    sum = c < 0 ? minus(sum, term) : plus(sum, term);
  }
  return sum;
}

}  // namespace tlaloc::ir
