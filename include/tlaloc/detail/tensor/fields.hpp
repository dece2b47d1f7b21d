// SPDX-License-Identifier: Apache-2.0
//
// The tensors of an aggregate, with their names, without registration: a structured binding gives the fields, and the text of
// a pointer to a field as a template argument its name. Containers are walked by index, pairs and tuples by position.
#pragma once

#include "tlaloc/detail/fields.hpp"
#include "tlaloc/detail/tensor/typed.hpp"

#include <string>
#include <tuple>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

namespace tlaloc {
namespace detail {

template <class S> struct holder { S value; };
template <class S> extern const holder<S> static_instance;      // never defined: only the text of its fields' addresses is of use
template <class T> struct field_pointer { const T* p; };
template <class S, int I> constexpr auto pointer_to_field() {
  return with_fields(static_instance<S>.value, [](auto&... f) {
    return std::get<I>(std::tuple<field_pointer<std::remove_cvref_t<decltype(f)>>...>{{&f}...});
  });
}
template <auto P> consteval axis_label name_in_text() {
  const char* f = __PRETTY_FUNCTION__;
  int end = 0;
  while (f[end]) ++end;
  for (int i = 0; i < end; ++i)
    if (f[i] == ';') end = i;                     // g++ tells the types behind it
  auto is_name = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0; };
  while (!is_name(f[end - 1])) --end;
  int begin = end;
  while (is_name(f[begin - 1])) --begin;
  return {f + begin, end - begin};
}
template <class S, int I> std::string field_name() {
  constexpr axis_label l = name_in_text<pointer_to_field<S, I>()>();
  return std::string(l.text, std::size_t(l.size));
}

template <class T> inline constexpr bool is_leaf = is_typed<T> || std::is_same_v<T, AnyTensor>;
template <class T> concept tuple_like = requires { std::tuple_size<T>::value; };
template <class T> concept container = requires(T& x) { x.begin(); x.end(); };
inline std::string below(const std::string& prefix, const std::string& name) {
  return prefix.empty() || name.empty() ? prefix + name : prefix + "." + name;
}

template <class X, class F> void each_leaf(X& x, const std::string& name, F& f);
template <class X, class F, int... I> void each_field(X& x, const std::string& name, F& f, std::integer_sequence<int, I...>) {
  with_fields(x, [&](auto&... m) { (each_leaf(m, below(name, field_name<std::remove_const_t<X>, I>()), f), ...); });
}
template <class X, class F> void each_leaf(X& x, const std::string& name, F& f) {
  using U = std::remove_const_t<X>;
  if constexpr (is_leaf<U>) {
    f(name, x);
  } else if constexpr (!std::is_class_v<U>) {     // numbers, enums, pointers hold no tensor
    if constexpr (requires { f.number(x); }) f.number(x);
  } else if constexpr (container<U>) {
    std::size_t i = 0;
    for (auto& y : x) each_leaf(y, below(name, std::to_string(i++)), f);
  } else if constexpr (tuple_like<U>) {
    std::size_t i = 0;
    std::apply([&](auto&... y) { (each_leaf(y, below(name, std::to_string(i++)), f), ...); }, x);
  } else {
    static_assert(std::is_aggregate_v<U>, "tensors are found in aggregates, containers, pairs and tuples; this class is none of them");
    each_field(x, name, f, std::make_integer_sequence<int, field_count<U>()>{});
  }
}

}  // namespace detail

/// Calls f(name, tensor) for every tensor in x: `first.weight`, `layers.0.bias`. A tensor by itself has the empty name.
template <class X, class F> void leaves(X& x, F f) { detail::each_leaf(x, "", f); }

/// Calls f(tensor of x, tensor of y) for every tensor of two values of one type: the shape of every optimiser.
template <class X, class F> void zip_leaves(X& x, const X& y, F f) {
  using detail::is_leaf;
  if constexpr (is_leaf<X>) {
    f(x, y);
  } else if constexpr (!std::is_class_v<X>) {
  } else if constexpr (detail::container<X>) {
    auto other = y.begin();
    for (auto& a : x) zip_leaves(a, *other++, f);
  } else if constexpr (detail::tuple_like<X>) {
    std::apply([&](auto&... a) { std::apply([&](auto&... b) { (zip_leaves(a, b, f), ...); }, y); }, x);
  } else {
    detail::with_fields(x, [&](auto&... a) { detail::with_fields(y, [&](auto&... b) { (zip_leaves(a, b, f), ...); }); });
  }
}

}  // namespace tlaloc

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
