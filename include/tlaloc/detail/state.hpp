// SPDX-License-Identifier: Apache-2.0
//
// Numbers, arrays and vectors seen alike: a state of an equation has `count` parts.
#pragma once

#include <concepts>
#include <cstddef>

namespace tlaloc::detail {

template <std::floating_point T> constexpr std::size_t count(const T&) { return 1; }
template <std::floating_point T> constexpr T& part(T& x, std::size_t) { return x; }
template <std::floating_point T> constexpr T part(const T& x, std::size_t) { return x; }
template <class X> constexpr std::size_t count(const X& x) { return x.size(); }
template <class X> constexpr auto& part(X& x, std::size_t i) { return x[i]; }

}  // namespace tlaloc::detail
