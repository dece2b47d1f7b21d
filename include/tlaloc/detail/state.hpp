// SPDX-License-Identifier: Apache-2.0
//
// Numbers, arrays and vectors seen alike: a state of an equation has `count` parts.
#pragma once

#include <concepts>
#include <cstddef>

namespace tlaloc::detail {

template <std::floating_point T_> constexpr std::size_t count(const T_&) { return 1; }
template <std::floating_point T_> constexpr T_& part(T_& x, std::size_t) { return x; }
template <std::floating_point T_> constexpr T_ part(const T_& x, std::size_t) { return x; }
template <class X_> constexpr std::size_t count(const X_& x) { return x.size(); }
template <class X_> constexpr auto& part(X_& x, std::size_t i) { return x[i]; }

}  // namespace tlaloc::detail
