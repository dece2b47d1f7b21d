// SPDX-License-Identifier: Apache-2.0
//
// The fields of an aggregate, without registration: by a structured binding of as many names as it has fields.
#pragma once

#include <type_traits>
#include <utility>

namespace tlaloc::detail {

struct any_field {
  template <class T_> operator T_() const;
};
template <class S_, int... I_> consteval bool takes(std::integer_sequence<int, I_...>) {
  return requires { S_{(void(I_), any_field{})...}; };
}
inline constexpr int most_fields = 16;
/// The LARGEST number that works: a field without a default, a tensor say, is missing in every smaller one.
template <class S_, int N_ = most_fields + 1> consteval int field_count() {
  if constexpr (N_ == 0 || takes<S_>(std::make_integer_sequence<int, N_>{})) return N_;
  else return field_count<S_, N_ - 1>();
}

template <class S_, class F_> constexpr decltype(auto) with_fields(S_& s, F_&& f) {
  constexpr int n = field_count<std::remove_const_t<S_>>();
  static_assert(n <= most_fields, "an aggregate that is taken apart has at most 16 fields; group them");
  // clang-format off
  if constexpr (n == 0) { return f(); }
  else if constexpr (n == 1) { auto& [a] = s; return f(a); }
  else if constexpr (n == 2) { auto& [a, b] = s; return f(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = s; return f(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = s; return f(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = s; return f(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = s; return f(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = s; return f(a, b, c, d, e, g, h); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, g, h, i] = s; return f(a, b, c, d, e, g, h, i); }
  else if constexpr (n == 9) { auto& [a, b, c, d, e, g, h, i, j] = s; return f(a, b, c, d, e, g, h, i, j); }
  else if constexpr (n == 10) { auto& [a, b, c, d, e, g, h, i, j, k] = s; return f(a, b, c, d, e, g, h, i, j, k); }
  else if constexpr (n == 11) { auto& [a, b, c, d, e, g, h, i, j, k, l] = s; return f(a, b, c, d, e, g, h, i, j, k, l); }
  else if constexpr (n == 12) { auto& [a, b, c, d, e, g, h, i, j, k, l, m] = s; return f(a, b, c, d, e, g, h, i, j, k, l, m); }
  else if constexpr (n == 13) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o] = s; return f(a, b, c, d, e, g, h, i, j, k, l, m, o); }
  else if constexpr (n == 14) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p] = s; return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p); }
  else if constexpr (n == 15) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q] = s; return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q); }
  else { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r] = s; return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r); }
  // clang-format on
}

}  // namespace tlaloc::detail
