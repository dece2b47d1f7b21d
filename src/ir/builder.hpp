// SPDX-License-Identifier: Apache-2.0
//
// Builder appends ops to a block; X is a value with the builder that it grows in, so that rules read like maths.
#pragma once

#include "ir/ir.hpp"

#include <concepts>

namespace tlaloc::ir {

struct Builder {
  Function& function;
  Block* block = function.body;
  Location where = {};
  /// Appends the op after checking it against its record; its results have the types of the record's rule.
  Op* append(const Kind&, std::vector<Value*> operands, std::vector<Attr> = {}, std::vector<Block*> regions = {});
};

struct X {
  Builder* b = nullptr;
  Value* v = nullptr;
  const Type& type() const { return v->type; }
  explicit operator bool() const { return v; }
  X named(std::string n) const { if (v->name.empty()) v->name = std::move(n); return *this; }
};
struct Regions {};                                // marks ops with regions in ops.def

X build(const Kind&, Builder&, std::span<const X> in, std::vector<Attr> attrs);   // one result, or none
X constant(Builder&, Number);
X constant(Builder&, DType, double);
X index(Builder&, std::int64_t);                  // an i64 constant
X like(X x, double c);                            // the constant c with x's type, repeated where that is a tensor
X splat(Builder&, const Type&, double);           // the same without an x
X zero(Builder&, const Type&);
X param(Builder&, Type, std::string name);        // a new parameter of the builder's block
X convert(X, DType);                              // a cast unless the type is there already; folds constants

/// Region parameters -> yields. The builder given is the region's own.
using Body = std::function<std::vector<X>(Builder&, std::span<const X>)>;
/// for (i = from; i < to; i += step), or > when step < 0: body gets i, then the carried values. Empty names are allowed.
std::vector<X> loop(Builder&, X from, X to, std::int64_t step, std::vector<X> init, const Body&);
/// while (test(carried)) carried = body(carried)
std::vector<X> loop_while(Builder&, std::vector<X> init, const Body& test, const Body& body);
std::vector<X> branch(Builder&, X condition, const Body& yes, const Body& no);

/// The constant's number, or null.
const Number* constant_of(const Value*);
/// The number that a scalar is, or all elements of a tensor are, when that is a constant; or null.
const Number* splat_of(const Value*);
bool is_constant(const Value*, double);           // or a splat

// Fold only what is exact: x + 0, x - 0, x * 1, x * -1, x / 1, constants of integers.
X operator+(X, X); X operator-(X, X); X operator*(X, X); X operator/(X, X); X operator-(X);
X operator<(X, X); X operator<=(X, X); X operator>(X, X); X operator>=(X, X); X operator==(X, X); X operator!=(X, X);
inline X operator+(X a, double c) { return a + like(a, c); }
inline X operator-(X a, double c) { return a - like(a, c); }
inline X operator*(X a, double c) { return a * like(a, c); }
inline X operator/(X a, double c) { return a / like(a, c); }
inline X operator+(double c, X a) { return like(a, c) + a; }
inline X operator-(double c, X a) { return like(a, c) - a; }
inline X operator*(double c, X a) { return like(a, c) * a; }
inline X operator/(double c, X a) { return like(a, c) / a; }
inline X operator<(X a, double c) { return a < like(a, c); }
inline X operator>(X a, double c) { return a > like(a, c); }
inline X operator>=(X a, double c) { return a >= like(a, c); }
inline X operator<=(X a, double c) { return a <= like(a, c); }
inline X operator==(X a, double c) { return a == like(a, c); }

/// Copies ops into another function or block under a mapping of values; the base of every transform.
struct Cloner {
  Builder b;
  std::map<const Value*, Value*> map = {};
  Value* at(const Value*) const;                  // the copy; throws Error for a value that was not copied
  X operator[](const Value* v) { return {&b, at(v)}; }
  void params(const Block& from);                 // gives the builder's block the same parameters
  Op* clone(const Op&);                           // with its regions; maps the results, keeps names and place
  void block(const Block& from);                  // every op
  void yields(const Block& from);
};
Function copy(const Function&, std::string name);

}  // namespace tlaloc::ir
