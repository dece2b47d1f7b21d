// SPDX-License-Identifier: Apache-2.0
//
// What the plugin's code around a derivative calls. Not for users.
#pragma once

#include "tlaloc/detail/tangent.hpp"

#include <cstddef>

namespace tlaloc::detail {

template <class T, class V> void put(T& to, V v) { to = static_cast<T>(v); }
template <class T, class V> void add(T& to, V v) { to += static_cast<T>(v); }

template <class E, std::size_t N> auto zeros_like(std::span<E, N> s) {
  if constexpr (N == std::dynamic_extent) return tangent_t<std::span<E, N>>(s.size());
  else return tangent_t<std::span<E, N>>{};
}

}  // namespace tlaloc::detail
