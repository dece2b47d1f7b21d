// SPDX-License-Identifier: Apache-2.0
//
// Extents of tensors: a number, or a polynomial in symbols ("n", "2*n+1") that parameters of the function bind when it runs.
// An expression is interned, as a negative number, so that equal expressions are equal numbers.
#pragma once

#include "ir/ir.hpp"

namespace tlaloc::ir {

using Extent = std::int64_t;
using Bindings = std::map<std::string, std::int64_t, std::less<>>;      // symbols to numbers

constexpr bool is_number(Extent e) { return e >= 0; }
bool is_static(const Shape&);
Extent symbol(std::string_view name);
Extent plus(Extent, Extent);
Extent minus(Extent, Extent);                     // throws Error when it is a negative number
Extent times(Extent, Extent);
std::optional<Extent> divided(Extent, Extent by); // where the quotient is an extent, too, and `by` one product
Extent elements(const Shape&);                    // the product
std::string extent_text(Extent);
Extent parse_extent(std::string_view);            // throws Error
/// The sum that the extent is: coefficients of products of symbols (of none: the constant).
std::map<std::vector<std::string>, std::int64_t> terms(Extent);
/// With the symbols that are bound replaced.
Extent bound(Extent, const Bindings&);
Shape bound(const Shape&, const Bindings&);
/// Adds what a parameter's shape says about its symbols when an argument has the shape `actual`; throws Error when they differ.
void bind_symbols(Bindings&, const Shape& declared, const Shape& actual);
/// The function for known numbers of its symbols: every shape in it has them in place.
Function specialize(const Function&, const Bindings&);
/// Every extent of a tensor in the function as `with` gives it.
void replace_extents(Function&, const std::function<Extent(Extent)>& with);
/// The extent with a symbol replaced by another extent.
Extent replaced(Extent, std::string_view symbol, Extent by);

}  // namespace tlaloc::ir
