// SPDX-License-Identifier: Apache-2.0
//
// What the code around a derivative calls, made by the plugin or by `tlaloc gen`, and every standard header that a generated
// function may need: at the end of the unit, where they are parsed, no header is included any more. Not for users.
#pragma once

#include "tlaloc/detail/tangent.hpp"
#include "tlaloc/matrix.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace tlaloc::detail {

template <class T, class V> void put(T& to, V v) { to = static_cast<T>(v); }
template <class T, class V> void add(T& to, V v) { to += static_cast<T>(v); }

/// A derivative that is longer or shorter than what it belongs to is a mistake of the caller's; found unless NDEBUG is set.
static inline void check_lengths([[maybe_unused]] std::size_t x, [[maybe_unused]] std::size_t dx) {
#if !defined(NDEBUG)
  if (x == dx) return;
  std::fprintf(stderr, "tlaloc: an argument has %zu elements and its derivative %zu\n", x, dx);
  std::abort();
#endif
}

/// The function inside a derivative.
struct Inside {
  template <class D> static constexpr const auto& callable(const D& d) { return d.f_; }
};
template <class D> constexpr const auto& callable(const D& d) { return Inside::callable(d); }

/// Names a private member: reach(Key()) is Member. Access is not checked in an explicit instantiation.
template <class Key, auto Member> struct Reach {
  friend constexpr auto reach(Key) { return Member; }
};

/// Memory that a call of a derivative is given. `bytes`: 0 where its length is not known.
struct Extent {
  const char* name;
  const volatile void* from;
  std::size_t bytes;
  bool written;
};
/// Derivatives assume that memory which they or f write overlaps no other: found, where lengths are known, unless NDEBUG is set.
template <std::size_t N> void check_apart([[maybe_unused]] const Extent (&all)[N]) {
#if !defined(NDEBUG)
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Extent &a = all[k], &b = all[i];
      const auto x = reinterpret_cast<std::uintptr_t>(a.from), y = reinterpret_cast<std::uintptr_t>(b.from);
      if (!(a.written || b.written) || x + a.bytes <= y || y + b.bytes <= x || a.bytes == 0 || b.bytes == 0) continue;
      std::fprintf(stderr, "tlaloc: '%s' and '%s' overlap, and '%s' is written\n", a.name, b.name, b.written ? b.name : a.name);
      std::abort();
    }
  }
#endif
}

template <class E, std::size_t N> auto zeros_like(std::span<E, N> s) {
  if constexpr (N == std::dynamic_extent) return tangent_t<std::span<E, N>>(s.size());
  else return tangent_t<std::span<E, N>>{};
}

/// Gives a matrix its size; numbers and arrays have theirs.
template <class T> void size(T&, std::size_t, std::size_t) {}
template <class T> void size(DenseMatrix<T>& m, std::size_t rows, std::size_t columns) { m = DenseMatrix<T>(rows, columns); }

}  // namespace tlaloc::detail
