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
#include <utility>
#include <vector>

namespace tlaloc::detail {

template <class T_, class V_> void put(T_& to, V_ v) { to = static_cast<T_>(v); }
template <class T_, class V_> void add(T_& to, V_ v) { to += static_cast<T_>(v); }
/// Moves all that it is given into a pair or tuple: finding their constructors is dear, so calls that give alike share it.
template <class R_, class... T_> R_ packed(T_&&... parts) { return R_(std::move(parts)...); }

/// The real or imaginary part of a complex number, whose memory is that of an array of two.
template <class Z_> auto real(const Z_& z) {
  if constexpr (requires { z.real(); }) return z.real();
  else return __real__ z;
}
template <int K_, class Z_> auto& part(Z_& z) {
  using Part = decltype(real(z));
  return reinterpret_cast<std::conditional_t<std::is_const_v<Z_>, const Part, Part>*>(&z)[K_];
}

/// A derivative that is longer or shorter than what it belongs to is a mistake of the caller's; found unless NDEBUG is set.
static inline void check_lengths([[maybe_unused]] std::size_t x, [[maybe_unused]] std::size_t dx) {
#if !defined(NDEBUG)
  if (x == dx) return;
  std::fprintf(stderr, "tlaloc: an argument has %zu elements and its derivative %zu\n", x, dx);
  std::abort();
#endif
}

template <class V_> void check_rows(const V_& x, const V_& dx) {
  check_lengths(x.size(), dx.size());
  for (std::size_t i = 0; i < x.size(); ++i) check_lengths(x[i].size(), dx[i].size());
}

/// The elements of a vector of vectors one after the other, each made of Each_ numbers; what a derivative writes goes back.
template <std::size_t Each_, class V_> class Rows {
 public:
  using Row = typename V_::value_type;
  explicit Rows(V_& rows) : rows_(rows) {
    for (const Row& row : rows) all_.insert(all_.end(), row.begin(), row.end());
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() {
    if constexpr (!std::is_const_v<V_>) {
      auto from = all_.begin();
      for (Row& row : rows_)
        for (auto& x : row) x = *from++;
    }
  }
  auto* data() { return all_.data(); }
  std::size_t size() const { return all_.size(); }

 private:
  V_& rows_;
  Row all_ = {};
};
template <std::size_t Each_, class V_> Rows<Each_, V_> rows(V_& x) { return Rows<Each_, V_>(x); }
template <std::size_t Each_, class V_> std::vector<std::int64_t> row_starts(const V_& x) {
  std::vector<std::int64_t> out;
  std::int64_t next = 0;
  for (auto& row : x) out.push_back(next), next += std::int64_t(row.size() * Each_);
  return out;
}
template <class V_> std::vector<std::int64_t> row_sizes(const V_& x) {
  std::vector<std::int64_t> out;
  for (auto& row : x) out.push_back(std::int64_t(row.size()));
  return out;
}

/// The function inside a derivative.
struct Inside {
  template <class D_> static constexpr const auto& callable(const D_& d) { return d.f_; }
};
template <class D_> constexpr const auto& callable(const D_& d) { return Inside::callable(d); }

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
template <std::size_t N_> void check_apart([[maybe_unused]] const Extent (&all)[N_]) {
#if !defined(NDEBUG)
  for (std::size_t i = 0; i < N_; ++i) {
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

template <class E_, std::size_t N_> auto zeros_like(std::span<E_, N_> s) {
  if constexpr (N_ == std::dynamic_extent) return tangent_t<std::span<E_, N_>>(s.size());
  else return tangent_t<std::span<E_, N_>>{};
}

/// Gives a matrix its size; numbers and arrays have theirs.
template <class T_> void size(T_&, std::size_t, std::size_t) {}
template <class T_> void size(DenseMatrix<T_>& m, std::size_t rows, std::size_t columns) { m = DenseMatrix<T_>(rows, columns); }

}  // namespace tlaloc::detail
