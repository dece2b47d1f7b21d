// SPDX-License-Identifier: Apache-2.0
//
// Functions of tensors, and their derivatives, as programs that are made while the program runs:
//
//   auto g = tlaloc::jit(tlaloc::grad(loss))(params, batch);      // of params' own type
//
// No plugin is needed. A call traces the function on values shaped like the arguments, transforms what was recorded by the same
// rules, and runs it. Numbers among the arguments are constants of that recording; tensors that the function captures, too. The
// object that jit() gives keeps its recordings: it records again for other shapes or numbers.
#pragma once

#include "tlaloc/ad.hpp"
#include "tlaloc/detail/tensor/glue.hpp"
#include "tlaloc/trace.hpp"

#include <map>
#include <mutex>

namespace tlaloc {
namespace detail {

/// All that a recording takes from the arguments: types and names of tensors, and the bytes of everything else.
struct RecordingKey {
  std::string text;
  template <class T> void append(const T& x) { text.append(reinterpret_cast<const char*>(&x), sizeof x); }
  template <class T> void operator()(const std::string&, const T& t) {
    const AnyTensor& x = t;
    append(x.type()), append(x.rank());
    for (int k = 0; k < x.rank(); ++k) append(x.extent(k)), append(x.name(k).text);
  }
  template <class T> requires std::is_trivially_copyable_v<T> void number(const T& x) { append(x); }
};
template <class... X> std::string recording_key(const X&... x) {
  RecordingKey key;
  ((key.append(leaves_of(x).size()), each_leaf(x, "", key)), ...);
  return key.text;
}

/// The recordings of one jit, for all its copies.
class Recordings {
 public:
  /// What `make` gives for this key, the first time. While a program is being recorded f may see its values: nothing is kept.
  template <class Make> auto get(const std::string& key, Make make) -> std::shared_ptr<const decltype(make())> {
    using P = decltype(make());
    static constexpr char type = 0;               // one for each type of programs
    if (recording()) return std::make_shared<const P>(make());
    const std::lock_guard hold(lock_);
    auto& kept = all_[{&type, key}];
    if (!kept) kept = std::make_shared<const P>(make());
    return std::static_pointer_cast<const P>(kept);
  }

 private:
  std::mutex lock_;
  std::map<std::pair<const void*, std::string>, std::shared_ptr<const void>> all_;
};

template <class X> std::vector<int> real_leaves(const X& x) {
  std::vector<int> out;
  int i = 0;
  for (auto& t : leaves_of(x)) {
    if (is_floating(t.type())) out.push_back(i);
    ++i;
  }
  return out;
}
/// Puts derivatives into the real tensors of a value, in order, and zeros into all that has none.
struct PutDerivatives {
  std::span<const AnyTensor> list;
  std::size_t at = 0;
  template <class T> void operator()(const std::string&, T& t) {
    const AnyTensor& x = t;
    const bool real = is_floating(x.type());
    const AnyTensor d = real ? list[at++] : dynamic::full(x.type(), x.shape(), zero_of(x.type()));
    if constexpr (is_typed<T>) t = T::adopt(d);
    else t = d;
  }
  template <class T> void number(T& x) {
    static_assert(!std::is_floating_point_v<T>, "a number inside an aggregate is a constant of the recording: make it a tlaloc::Scalar<T>");
    if constexpr (std::is_arithmetic_v<T>) x = T();
  }
  static dynamic::Operand zero_of(dtype t) { return t == dtype::boolean ? dynamic::Operand(false) : dynamic::Operand(0); }
};
template <class X> X derivative_like(X x, PutDerivatives& put) {
  static_assert(!std::is_arithmetic_v<X>, "a number among the arguments is a constant of the recording: pass a tlaloc::Scalar<T>, or select the tensors by position");
  each_leaf(x, "", put);
  return x;
}
template <class X> void append_leaves(std::vector<AnyTensor>& to, const X& x) {
  for (auto& t : leaves_of(x)) to.push_back(t);
}
template <class X> void append_real(std::vector<AnyTensor>& to, const X& x) {
  for (auto& t : leaves_of(x))
    if (is_floating(t.type())) to.push_back(t);
}

/// The tensors of these arguments; those of argument i are numbered from first[i] on.
std::vector<int> leaves_between(const std::vector<int>& first, const std::vector<int>& arguments);

}  // namespace detail

struct jit_options {
  std::string device = {};                        // the path of a PJRT plugin; empty: here
  std::vector<int> donate = {};                   // arguments whose memory on the device results of the same type take over
};

/// What jit(f) gives: calls take what f takes.
template <class F> class Jit {
 public:
  explicit Jit(F f, jit_options o = {}) : f_(std::move(f)), options_(std::move(o)) {}
  template <class... X> auto operator()(const X&... x) const {
    const auto program = recordings_->get(detail::recording_key(x...), [&] { return trace(f_, spec_of(x)...); });
    std::vector<AnyTensor> in;
    std::vector<int> first{0};
    ((detail::append_leaves(in, x), first.push_back(int(in.size()))), ...);
    std::size_t at = 0;
    return detail::with_leaves(program->like(), program->run(in, options_.device, detail::leaves_between(first, options_.donate)), at);
  }

 private:
  F f_;
  jit_options options_;
  std::shared_ptr<detail::Recordings> recordings_ = std::make_shared<detail::Recordings>();
};

/// Of a derivative: f is traced, the recording is differentiated.
template <detail::mode M, class F, class Site, arg... W> class Jit<Derivative<M, F, Site, W...>> {
  using Sig = detail::signature_t<F>;
  static_assert(!detail::by_name<W...>, "names of parameters are known to the plugin only: select by position");
  static constexpr auto plan = detail::make_plan<M, Sig, W...>::plain();

 public:
  explicit Jit(Derivative<M, F, Site, W...> d, jit_options o = {}) : d_(std::move(d)), options_(std::move(o)) {}
  template <class... B> auto operator()(const B&... b) const { return call(static_cast<Sig*>(nullptr), std::tuple<const B&...>(b...)); }

 private:
  static constexpr bool forward = detail::is_jvp(M), value = detail::with_value(M), seeded = detail::is_vjp(M);

  template <class R, class... A, class Given> auto call(R (*)(A...), const Given& given) const {
    constexpr std::size_t n = sizeof...(A), extra = forward ? std::size_t(plan.returned) : seeded ? 1 : 0;
    static_assert(std::tuple_size_v<Given> == n + extra, "a derivative takes the function's arguments, then its tangents or cotangent");
    return run<R, A...>(given, std::make_index_sequence<n>(), std::make_index_sequence<std::size_t(plan.returned)>());
  }
  template <class R, class... A, class Given, std::size_t... I, std::size_t... K>
  auto run(const Given& given, std::index_sequence<I...>, std::index_sequence<K...>) const {
    const std::tuple<std::remove_cvref_t<A>...> x(std::get<I>(given)...);
    std::vector<AnyTensor> in;
    std::vector<int> first{0}, wrt;
    (first.push_back(first.back() + int(detail::leaves_of(std::get<I>(x)).size())), ...);
    auto select = [&](std::size_t i, const auto& argument) {
      for (int k : detail::real_leaves(argument)) wrt.push_back(first[i] + k);
    };
    (select(std::size_t(plan.order[K]), std::get<std::size_t(plan.order[K])>(x)), ...);
    (detail::append_leaves(in, std::get<I>(x)), ...);
    if constexpr (forward) (detail::append_real(in, std::get<sizeof...(A) + K>(given)), ...);
    if constexpr (seeded) detail::append_real(in, std::get<sizeof...(A)>(given));

    const auto recorded = recordings_->get(detail::recording_key(std::get<I>(x)...), [&] {
      auto program = trace(inner(), spec_of(std::get<I>(x))...);
      Program derivative = transformed(program, wrt);
      return std::pair(std::move(program), std::move(derivative));
    });
    const auto& program = recorded->first;
    const std::vector<AnyTensor> out = recorded->second.run(in, options_.device, detail::leaves_between(first, options_.donate));
    std::size_t at = 0;
    using Result = std::remove_cvref_t<R>;
    auto value_part = [&] { return detail::with_leaves(program.like(), out, at); };
    auto derivative_part = [&](std::size_t begin) {
      detail::PutDerivatives put{std::span(out).subspan(begin)};
      if constexpr (forward) return detail::derivative_like(program.like(), put);
      else if constexpr (sizeof...(K) == 1) return (detail::derivative_like(std::get<std::size_t(plan.order[K])>(x), put), ...);
      else return std::tuple{detail::derivative_like(std::get<std::size_t(plan.order[K])>(x), put)...};
    };
    if constexpr (value) {
      Result y = value_part();
      return std::pair(std::move(y), derivative_part(at));
    } else {
      return derivative_part(0);
    }
  }
  static Program transformed(const Program& p, const std::vector<int>& wrt) {
    using detail::mode;
    switch (M) {
      case mode::grad: return p.grad(wrt);
      case mode::value_and_grad: return p.value_and_grad(wrt);
      case mode::jvp: return p.jvp(wrt);
      case mode::value_and_jvp: return p.value_and_jvp(wrt);
      case mode::vjp: return p.vjp(wrt);
      case mode::value_and_vjp: return p.value_and_vjp(wrt);
    }
  }
  /// f itself; a derivative is made by recording, too.
  decltype(auto) inner() const {
    if constexpr (requires(const F& f) { f.function(); }) return Jit<F>(d_.function());
    else return (d_.function());
  }
  Derivative<M, F, Site, W...> d_;
  jit_options options_;
  std::shared_ptr<detail::Recordings> recordings_ = std::make_shared<detail::Recordings>();
};

template <class F> Jit<F> jit(F f, jit_options o = {}) { return Jit<F>(std::move(f), std::move(o)); }
/// Jacobians, Hessians and their products are the plugin's; recorded ones are written with `vmap`, as in docs/tensors.md.
template <detail::mode M, class F, class Site, arg... W> requires(detail::is_closed(M)) void jit(Derivative<M, F, Site, W...>, jit_options = {}) = delete;

}  // namespace tlaloc
