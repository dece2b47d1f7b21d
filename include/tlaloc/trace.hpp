// SPDX-License-Identifier: Apache-2.0
//
// Programs from functions of tensors, without the plugin: trace(f, spec<X>(shape)...) runs f once on values that have a type
// and no numbers, and keeps what f did. Programs are data: they print, run, and are transformed.
#pragma once

#include "tlaloc/detail/tensor/fields.hpp"
#include "tlaloc/tensor.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tlaloc {

struct Trace;                                     // a program that is being recorded

inline constexpr int none = -1;

/// An extent that only the run tells, by a name: spec<Tensor<float, Batch, Pixel>>({symbolic("n"), 784}). The program then takes every
/// n, and inputs with one name have one. x.extent(0) of such an axis is refused as NOT_TRACEABLE.
extent_t symbolic(const char* name);

/// What a module says beside the program itself.
struct stablehlo_options {
  /// Inputs whose memory a result of the same type may take: tensors, counted through. One without such a result is refused.
  std::vector<int> donate = {};
  /// A mesh of devices: {{"data", 4}, {"model", 2}}.
  std::vector<std::pair<std::string, extent_t>> mesh = {};
  /// Tensors' axes that are spread over an axis of the mesh, by name: {{"Batch", "data"}}. The devices hold all of every other.
  std::vector<std::pair<std::string, std::string>> spread = {};
  /// Instead of that: for each input and each result the axis of the mesh for each of its own, empty for none.
  std::vector<std::vector<std::string>> inputs = {}, outputs = {};
};

class Program {
 public:
  /// The program as text, which reads back to the same program.
  std::string source() const;
  /// The program as a StableHLO module, for every device that runs those; symbolic extents are `?`. The text depends on the program
  /// and the options alone.
  std::string stablehlo(const stablehlo_options& = {}) const;
  /// Results for arguments of the types it was recorded with, computed here or on the device of a PJRT plugin, which is named by
  /// its path; there the memory of inputs that are donated is used again. Arguments that are traced themselves are recorded where they are.
  std::vector<AnyTensor> run(std::span<const AnyTensor>, const std::string& device = {}, const std::vector<int>& donate = {}) const;
  std::vector<AnyTensor> run(std::initializer_list<AnyTensor> in, const std::string& device = {}, const std::vector<int>& donate = {}) const {
    return run(std::span(in.begin(), in.size()), device, donate);
  }
  int inputs() const;
  int outputs() const;

  // Transforms. `wrt`: the inputs that are differentiated, in the order of the results; empty: every real one.
  /// (inputs...) -> gradients. The program has one real result of rank 0.
  Program grad(std::vector<int> wrt = {}) const;
  /// (inputs...) -> results, gradients
  Program value_and_grad(std::vector<int> wrt = {}) const;
  /// (inputs..., a cotangent for each real result) -> gradients
  Program vjp(std::vector<int> wrt = {}) const;
  Program value_and_vjp(std::vector<int> wrt = {}) const;
  /// (inputs..., a tangent for each of wrt) -> a tangent for each real result
  Program jvp(std::vector<int> wrt = {}) const;
  Program value_and_jvp(std::vector<int> wrt = {}) const;
  /// For n examples at once: in_axes says where the new axis stands in each input (none: shared by all), out_axes where in
  /// each output (empty: in front).
  Program vmap(extent_t n, std::vector<int> in_axes, std::vector<int> out_axes = {}) const;

  struct Recorded;
  explicit Program(std::shared_ptr<const Recorded> r) : recorded_(std::move(r)) {}
  const Recorded& recorded() const { return *recorded_; }

 private:
  std::shared_ptr<const Recorded> recorded_;
};

namespace detail {

/// A tensor with a type and no elements, for spec.
AnyTensor shape_only(const sig&, const extent_t* shape);

[[noreturn]] void extents_of_mapped_axis_differ(extent_t, extent_t);

/// Is a program being recorded on this thread?
bool recording();

class Recorder {
 public:
  Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();
  /// A new input like x.
  AnyTensor input(const AnyTensor& x, const std::string& name);
  void output(const AnyTensor&, const std::string& name);
  Program finish();

 private:
  std::shared_ptr<Trace> trace_;
  std::vector<AnyTensor> inputs_, outputs_;
  std::vector<std::string> output_names_;
};

template <class X> std::vector<AnyTensor> leaves_of(const X& x) {
  std::vector<AnyTensor> out;
  leaves(x, [&](const std::string&, const auto& t) {
    if constexpr (is_typed<std::remove_cvref_t<decltype(t)>>) out.push_back(t.any());
    else out.push_back(t);
  });
  return out;
}
/// x with its tensors replaced, in order; `at` counts on.
template <class X> X with_leaves(X x, std::span<const AnyTensor> list, std::size_t& at) {
  leaves(x, [&](const std::string&, auto& t) {
    using T = std::remove_cvref_t<decltype(t)>;
    if constexpr (is_typed<T>) t = T::adopt(list[at++]);
    else t = list[at++];
  });
  return x;
}
template <class X> X recorded_like(Recorder& r, X x, const std::string& name) {
  leaves(x, [&](const std::string& leaf, auto& t) {
    using T = std::remove_cvref_t<decltype(t)>;
    if constexpr (is_typed<T>) t = T::adopt(r.input(t.any(), below(name, leaf)));
    else t = r.input(t, below(name, leaf));
  });
  return x;
}
inline std::string argument_name(std::size_t i) { return std::string(1, "xyzuvw"[i % 6]) + (i < 6 ? "" : std::to_string(i / 6)); }

}  // namespace detail

/// What a parameter will be: something that has the tensors of a value ...
template <class X> struct spec {
  X like;
  explicit spec(X x) : like(std::move(x)) {}
};
/// ... or a tensor of this shape.
template <class T, class... A> struct spec<Tensor<T, A...>> {
  using X = Tensor<T, A...>;
  X like;
  explicit spec(const typename X::shape_type& shape = X::static_extents)
      : like(X::adopt(detail::shape_only(detail::sig_of<X>, shape.data()))) {}
};
/// Like a value: spec_of(params).
template <class X> spec<X> spec_of(const X& x) {
  if constexpr (typed_tensor<X>) {
    typename X::shape_type shape;
    for (int k = 0; k < X::rank; ++k) shape[std::size_t(k)] = x.extent(k);
    return spec<X>(shape);
  } else {
    return spec<X>(x);
  }
}

/// A program that takes and gives what the function took and gave.
template <class R, class... X> class TypedProgram : public Program {
 public:
  TypedProgram(Program p, R like) : Program(std::move(p)), like_(std::move(like)) {}
  R operator()(const X&... x) const {
    std::vector<AnyTensor> in;
    auto add = [&](std::vector<AnyTensor> l) { in.insert(in.end(), l.begin(), l.end()); };
    (add(detail::leaves_of(x)), ...);
    const std::vector<AnyTensor> out = run(in);
    std::size_t at = 0;
    return detail::with_leaves(like_, out, at);
  }
  /// A result with traced values for tensors.
  const R& like() const { return like_; }

 private:
  R like_;
};

namespace detail {
template <class F, class... X, std::size_t... I> auto trace(F& f, std::index_sequence<I...>, const spec<X>&... s) {
  Recorder recorder;
  std::tuple<X...> arguments{recorded_like(recorder, s.like, argument_name(I))...};
  auto result = std::apply(f, arguments);
  leaves(result, [&](const std::string& name, const auto& t) {
    const std::string shown = name.empty() ? "result" : name;
    if constexpr (is_typed<std::remove_cvref_t<decltype(t)>>) recorder.output(t.any(), shown);
    else recorder.output(t, shown);
  });
  return TypedProgram<decltype(result), X...>(recorder.finish(), result);
}
}  // namespace detail

template <class F, class... X> auto trace(F&& f, const spec<X>&... s) { return detail::trace(f, std::index_sequence_for<X...>(), s...); }

// --- vmap<Batch, in<0, none>, out<0>>(f): f over examples, its arguments with the axis Batch where `in` says ---
template <int... A> struct in {};
template <int A = 0> struct out {};

namespace detail {

template <class Axis, int At, class X> struct without_axis { using type = X; static constexpr bool fits = At == none; };
template <class Axis, int At, class T, class... A> requires(At != none)
struct without_axis<Axis, At, Tensor<T, A...>> {
  static constexpr int rank = sizeof...(A);
  static constexpr bool fits = At >= 0 && At < rank && std::is_same_v<nth<(At < rank ? At : 0), A...>, Axis>;
  template <int... I> static Tensor<T, nth<(I < At ? I : I + 1), A...>...> of(std::integer_sequence<int, I...>);
  using type = decltype(of(std::make_integer_sequence<int, rank - 1>()));
};
template <class Axis, int At, class X> struct with_axis;
template <class Axis, int At, class T, class... A> struct with_axis<Axis, At, Tensor<T, A...>> {
  static constexpr int rank = sizeof...(A);
  static_assert(At >= 0 && At <= rank, "out<>: the result has no such axis");
  template <int... I> static Tensor<T, nth<(I == At ? rank : I < At ? I : I - 1), A..., Axis>...> of(std::integer_sequence<int, I...>);
  using type = decltype(of(std::make_integer_sequence<int, rank + 1>()));
};

/// The argument without the new axis: what f is traced on.
template <class Axis, int At, class X> auto example_of(const X& x) {
  if constexpr (At == none) {
    return spec_of(x);
  } else {
    using Y = typename without_axis<Axis, At, X>::type;
    typename Y::shape_type shape{};
    for (int k = 0; k < Y::rank; ++k) shape[std::size_t(k)] = x.extent(k < At ? k : k + 1);
    return spec<Y>(shape);
  }
}

/// The program knows the other axes' names only.
template <class T, class... A> Tensor<T, A...> with_names(std::type_identity<Tensor<T, A...>>, const AnyTensor& y) {
  return Tensor<T, A...>::adopt(dynamic::rename(y, axes_of<A...>));
}

}  // namespace detail

template <class Axis, class In, class Out, class F> class Vmap;
template <class Axis, int... I, int O, class F> class Vmap<Axis, in<I...>, out<O>, F> {
 public:
  explicit Vmap(F f) : f_(std::move(f)) {}
  template <class... X> auto operator()(const X&... x) const {
    static_assert(sizeof...(X) == sizeof...(I), "in<> lists one axis, or none, for each argument");
    static_assert((detail::without_axis<Axis, I, X>::fits && ...),
                  "NAMED_INDEX_MISMATCH: an argument does not have the mapped axis where in<> says, or is no tensor");
    static_assert(((I != none) || ...), "vmap: no argument has the new axis");
    const auto program = trace(f_, detail::example_of<Axis, I>(x)...);
    extent_t n = dyn;
    ([&] {
      if constexpr (I != none) {
        if (n != dyn && n != x.extent(I)) detail::extents_of_mapped_axis_differ(n, x.extent(I));
        n = x.extent(I);
      }
    }(), ...);
    std::vector<AnyTensor> inputs;
    std::vector<int> axes;
    auto add = [&](int axis, std::vector<AnyTensor> l) {
      inputs.insert(inputs.end(), l.begin(), l.end());
      axes.insert(axes.end(), l.size(), axis);
    };
    (add(I, detail::leaves_of(x)), ...);
    using R = std::remove_cvref_t<decltype(program.like())>;
    static_assert(typed_tensor<R>, "vmap of a function that gives an aggregate: map its Program");
    using Y = typename detail::with_axis<Axis, O, R>::type;
    return detail::with_names(std::type_identity<Y>(), program.vmap(n, axes, {O}).run(inputs)[0]);
  }

 private:
  F f_;
};
template <class Axis, class In, class Out = out<0>, class F> Vmap<Axis, In, Out, F> vmap(F f) { return Vmap<Axis, In, Out, F>(std::move(f)); }

}  // namespace tlaloc
