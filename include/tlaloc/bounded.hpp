// SPDX-License-Identifier: Apache-2.0
//
// Functions on axes that have a bound, for devices that want static extents: inputs are padded with zeros to one of a few lengths,
// and results are cut back.
//
//   struct Seq : axis<at_most{512}> {};
//   auto f = bounded<Seq>([](const Valid<Seq>& there, const Tensor<float, Seq>& x) {
//     return sum(where(there.mask, x, 0)) / cast<float>(there.count);
//   });
//   f(x);                                        // one recording for each of 16, 32, ... 512
//   f.write("folder", "mean", x);                // one module for each, and a manifest
#pragma once

#include "tlaloc/jit.hpp"

namespace tlaloc {

/// What of a padded axis there is.
template <class K> struct Valid {
  Tensor<bool, K> mask;
  Scalar<int> count;
};

namespace detail {

/// Powers of two from 16 up to the bound, which is the last.
std::vector<extent_t> ladder(extent_t most);
struct BoundedModule {
  std::vector<extent_t> extents;
  std::string text;
};
/// NAME.16.mlir ... and NAME.json.
void write_bounded(const std::string& folder, const std::string& name, const std::vector<std::string>& axes, const std::vector<BoundedModule>&);
[[noreturn]] void refuse_bounded(const std::string& axis, extent_t one, extent_t other);
/// Throws unless all numbers agree to within this, relative to the largest.
void need_same(const std::vector<AnyTensor>&, const std::vector<AnyTensor>&, double within);

template <class K> std::string name_of() { return {label_of<K>.text, std::size_t(label_of<K>.size)}; }

/// Calls f(tensor, position) for each axis K in x.
template <class K, class X, class F> void each_axis(X& x, F f) {
  leaves(x, [&](const std::string&, auto& t) {
    for (int k = 0; k < AnyTensor(t).rank(); ++k)
      if (AnyTensor(t).name(k).text == label_of<K>.text) f(t, k);
  });
}
template <class K, class... X> extent_t extent_of_all(const X&... x) {
  extent_t n = dyn;
  (each_axis<K>(x, [&](const auto& t, int k) {
    const extent_t e = AnyTensor(t).extent(k);
    if (n != dyn && n != e) refuse_bounded(name_of<K>(), n, e);
    n = e;
  }), ...);
  if (n == dyn) refuse_bounded(name_of<K>(), dyn, dyn);
  return n;
}
/// x with each axis K at another length, zeros behind what is there.
template <class K, class X> X at_length(X x, extent_t n) {
  each_axis<K>(x, [&](auto& t, int k) {
    using T = std::remove_cvref_t<decltype(t)>;
    const AnyTensor y = t;
    const dynamic::Operand zero = y.type() == dtype::boolean ? dynamic::Operand(false) : dynamic::Operand(0);
    const AnyTensor z = y.extent(k) < n ? dynamic::pad(y, k, 0, n - y.extent(k), zero) : dynamic::slice(y, k, 0, n);
    if constexpr (is_typed<T>) t = T::adopt(z);
    else t = z;
  });
  return x;
}
template <class K> Valid<K> valid(extent_t n, extent_t length) {
  return {typed<bool, K>(dynamic::compare("lt", dynamic::arange(dtype::i32, length), int(n))), Scalar<int>(int(n))};
}

}  // namespace detail

template <class F, class... K> class Bounded {
  static_assert(((detail::ax_of<K>.max != dyn) && ...), "bounded: an axis without a bound: struct Seq : axis<at_most{512}> {}");

 public:
  Bounded(F f, jit_options o) : f_(f), jit_(std::move(f), std::move(o)) {}
  /// f(Valid<K>..., x...) on padded inputs, the result cut back.
  template <class... X> auto operator()(const X&... x) const { return at(lengths(x...), bucket(x...), x...); }
  /// The same without padding.
  template <class... X> auto exact(const X&... x) const { return at(lengths(x...), lengths(x...), x...); }
  /// Throws where padding matters on these inputs: by more than this, relative to the largest number of a result.
  template <class... X> void check(double within, const X&... x) const {
    detail::need_same(detail::leaves_of((*this)(x...)), detail::leaves_of(exact(x...)), within);
  }
  /// Writes a StableHLO module for each combination of lengths, and a manifest that says which is which. Padding is checked first.
  template <class... X> void write(const std::string& folder, const std::string& name, const X&... x) const {
    check(1e-5, x...);
    std::vector<detail::BoundedModule> modules;
    Lengths n{};
    each_combination(n, 0, [&] {
      const auto p = std::apply([&](auto... k) { return trace(f_, spec_of(detail::valid<K>(k, k))..., spec_of(resized(x, n))...); }, n);
      modules.push_back({{n.begin(), n.end()}, p.stablehlo()});
    });
    detail::write_bounded(folder, name, {detail::name_of<K>()...}, modules);
  }

 private:
  using Lengths = std::array<extent_t, sizeof...(K)>;
  template <class... X> static Lengths lengths(const X&... x) { return {detail::extent_of_all<K>(x...)...}; }
  template <class... X> static Lengths bucket(const X&... x) {
    auto next = [](extent_t n, extent_t most) {
      for (extent_t b : detail::ladder(most))
        if (b >= n) return b;
      return most;
    };
    return {next(detail::extent_of_all<K>(x...), detail::ax_of<K>.max)...};
  }
  template <class X> static X resized(X x, const Lengths& n) {
    std::size_t at = 0;
    ((x = detail::at_length<K>(std::move(x), n[at++])), ...);
    return x;
  }
  template <class... X> auto at(const Lengths& there, const Lengths& length, const X&... x) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return resized(jit_(detail::valid<K>(there[I], length[I])..., resized(x, length)...), there);
    }(std::index_sequence_for<K...>());
  }
  template <class Do> static void each_combination(Lengths& lengths, std::size_t at, Do f) {
    static const std::vector<extent_t> ladders[] = {detail::ladder(detail::ax_of<K>.max)...};
    if (at == sizeof...(K)) return f();
    for (extent_t n : ladders[at]) {
      lengths[at] = n;
      each_combination(lengths, at + 1, f);
    }
  }
  F f_;
  Jit<F> jit_;
};

template <class... K, class F> Bounded<F, K...> bounded(F f, jit_options o = {}) { return {std::move(f), std::move(o)}; }

}  // namespace tlaloc
