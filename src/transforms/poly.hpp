// SPDX-License-Identifier: Apache-2.0
//
// Integer polynomials over the integer values of a function, and what is known of their sign at a place. Index equality,
// disjointness, extents and trip counts are decided on them.
#pragma once

#include "ir/ops.hpp"

#include <optional>
#include <set>
#include <unordered_map>

namespace tlaloc::ir {

struct ById {
  bool operator()(const Value* a, const Value* b) const { return a->id < b->id; }
  bool operator()(const Op* a, const Op* b) const { return a->id < b->id; }
};

/// sum of coefficient * product of values. Symbols are values that are no sum, difference or product of others; a cast
/// that keeps the number is seen through (signed overflow is undefined, an i64 and a u64 differ by nothing that a valid
/// index shows).
struct Poly {
  using Monomial = std::vector<const Value*>;      // sorted
  struct Less {
    bool operator()(const Monomial& a, const Monomial& b) const { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), ById{}); }
  };
  std::map<Monomial, std::int64_t, Less> terms = {};

  Poly() = default;
  Poly(std::int64_t c) { if (c) terms[{}] = c; }
  static Poly symbol(const Value* v) { Poly p; p.terms[{v}] = 1; return p; }
  static Poly of(const Value* v);

  bool operator==(const Poly&) const = default;
  bool zero() const { return terms.empty(); }
  std::optional<std::int64_t> constant() const;
  std::set<const Value*, ById> symbols() const;
  bool has(const Value* v) const;
  /// this = first * v + second, or nothing when v occurs in a higher power.
  std::optional<std::pair<Poly, Poly>> split(const Value* v) const;
  /// with v replaced
  Poly at(const Value* v, const Poly& by) const;
};
/// The polynomial as a value; `at` gives each symbol's.
X value_of(Builder&, const Poly&, const std::function<X(Value*)>& at);
X value_of(Builder&, const Poly&);
Poly operator+(const Poly&, const Poly&);
Poly operator-(const Poly&, const Poly&);
Poly operator*(const Poly&, const Poly&);

/// What is known at a place: polynomials that are not negative there. Kept as a substitution of symbols by sums of
/// "slacks", unnamed numbers >= 0: a polynomial whose coefficients are then all positive is not negative.
class Facts {
 public:
  void nonnegative(const Poly&);                  // learn p >= 0
  bool proves(const Poly&) const;                 // p >= 0 follows
 private:
  Poly reduced(const Poly&) const;
  std::vector<std::pair<const Value*, Poly>> as_; // applied in order
  std::vector<Poly> more_;                        // what could not be solved for a symbol
  int slacks_ = 0;
};

}  // namespace tlaloc::ir
