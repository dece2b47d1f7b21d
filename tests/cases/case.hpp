// SPDX-License-Identifier: Apache-2.0
//
// What every differentiation case checks. A case is compiled twice:
//  - by clang with the plugin: the derivatives come from tlaloc::grad and its relatives, and are compared with the
//    expected numbers;
//  - by g++ alone with TLALOC_CASE_PRINTED naming the printed file: the derivatives are the printed functions.
// Both write every number they got to the file in argv[1]; run_case.py compares the two files byte by byte.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef TLALOC_CASE_PRINTED
#include TLALOC_CASE_PRINTED
#define CASE_PRINTED(name) [](auto&&... a) { return tlaloc::generated::name(a...); }
#define GRAD(f) CASE_PRINTED(f##_grad)
#define VALUE_AND_GRAD(f) CASE_PRINTED(f##_value_and_grad)
#define JVP(f) CASE_PRINTED(f##_jvp)
#else
#include "tlaloc/ad.hpp"
#define GRAD(f) tlaloc::grad(f)
#define VALUE_AND_GRAD(f) tlaloc::value_and_grad(f)
#define JVP(f) tlaloc::jvp(f)
#endif
#define DERIVATIVES(f) f, GRAD(f), VALUE_AND_GRAD(f), JVP(f)

namespace cases {

struct Expected {
  double value;
  std::vector<double> gradient;      // one entry per differentiable argument
  double value_tolerance = 1e-12;    // relative
  double gradient_tolerance = 1e-11;
};

/// All numbers of a result in order: a number, a pair, a tuple, an array, a vector or a plain struct of such.
inline void flatten(double x, std::vector<double>& out) { out.push_back(x); }
template <class T> void flatten(const std::vector<T>& v, std::vector<double>& out) {
  for (const T& x : v) flatten(x, out);
}
template <class T>
  requires requires { std::tuple_size<T>::value; }
void flatten(const T& t, std::vector<double>& out) {
  std::apply([&](const auto&... x) { (flatten(x, out), ...); }, t);
}
/// The result of a printed function with several results: a struct of numbers.
struct AnyNumber {
  template <class T>
    requires std::is_arithmetic_v<T>
  operator T() const;
};
template <class T>
  requires(std::is_aggregate_v<T> && !requires { std::tuple_size<T>::value; })
void flatten(const T& t, std::vector<double>& out) {
  if constexpr (requires { T{AnyNumber{}, AnyNumber{}, AnyNumber{}, AnyNumber{}}; })
    static_assert(sizeof(T) == 0, "a case has at most three results");
  else if constexpr (requires { T{AnyNumber{}, AnyNumber{}, AnyNumber{}}; }) {
    const auto& [a, b, c] = t;
    for (double x : {double(a), double(b), double(c)}) out.push_back(x);
  } else if constexpr (requires { T{AnyNumber{}, AnyNumber{}}; }) {
    const auto& [a, b] = t;
    for (double x : {double(a), double(b)}) out.push_back(x);
  } else {
    const auto& [a] = t;
    out.push_back(a);
  }
}
template <class T> std::vector<double> numbers(const T& result) {
  std::vector<double> out;
  flatten(result, out);
  return out;
}

/// The number as the compiler cannot know it, so that it computes at run time what the other compiler does.
template <class T> T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}

class Run {
 public:
  Run(int argc, char** argv) : out_(argc == 2 ? std::fopen(argv[1], "w") : nullptr) {
    if (!out_) fail("usage: case FILE (where the numbers go)");
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  int done() {
    if (!out_ || std::fclose(out_) != 0) return 2;
    return failures_ == 0 ? 0 : 1;
  }

  /// A scalar function of numbers: value, gradient and forward mode, each asked for twice.
  template <class F, class Grad, class ValueAndGrad, class Jvp, class... A>
  void check(F f, const Grad& grad, const ValueAndGrad& value_and_grad, const Jvp& jvp, const Expected& want, A... a) {
    const double before = f(opaque(a)...);
    number("f", before, want.value, want.value_tolerance);
    for (int run = 0; run < 2; ++run) {
      gradient("grad", numbers(grad(opaque(a)...)), want);
      std::vector<double> both = numbers(value_and_grad(opaque(a)...));
      if (both.empty()) return fail("value_and_grad returned nothing");
      number("value_and_grad.value", both.front(), want.value, want.value_tolerance);
      both.erase(both.begin());
      gradient("value_and_grad.gradient", both, want);
      forward(jvp, want, a...);
    }
    if (f(opaque(a)...) != before) fail("f returns another value after differentiation");
  }

  void gradient(const std::string& what, const std::vector<double>& got, const Expected& want) {
    if (got.size() != want.gradient.size())
      return fail(what + " has " + std::to_string(got.size()) + " entries, expected " +
                  std::to_string(want.gradient.size()));
    for (std::size_t i = 0; i < got.size(); ++i)
      number(what + "[" + std::to_string(i) + "]", got[i], want.gradient[i], want.gradient_tolerance);
  }

  void number(const std::string& what, double got, double want, double tolerance) {
    record(what, got);
    if (!(std::fabs(got - want) <= tolerance * std::fabs(want) + 1e-14)) {  // also fails for NaN
      char text[120];
      std::snprintf(text, sizeof text, ": got %.17g, expected %.17g", got, want);
      fail(what + text);
    }
  }

  void record(const std::string& what, double got) {
    if (out_) std::fprintf(out_, "%s %a\n", what.c_str(), got);
  }

  void fail(const std::string& why) {
    std::fprintf(stderr, "FAIL %s\n", why.c_str());
    ++failures_;
  }

 private:
  /// One tangent per floating-point argument, of its type; the others have none.
  template <class T> static auto tangent(const std::vector<double>& seeds, std::size_t& next) {
    if constexpr (std::is_floating_point_v<T>)
      return std::tuple<T>(static_cast<T>(seeds.at(next++)));
    else
      return std::tuple<>();
  }

  template <class Jvp, class... A>
  void forward_along(const Jvp& jvp, const std::string& what, const std::vector<double>& seeds, const Expected& want,
                     A... a) {
    double slope = 0, scale = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      slope += seeds[i] * want.gradient[i];
      scale += std::fabs(seeds[i] * want.gradient[i]);
    }
    std::size_t next = 0;
    const std::tuple<decltype(tangent<A>(seeds, next))...> parts{tangent<A>(seeds, next)...};  // braces: left to right
    const auto tangents = std::apply([](const auto&... part) { return std::tuple_cat(part...); }, parts);
    const double got = std::apply([&](auto... t) { return static_cast<double>(jvp(opaque(a)..., opaque(t)...)); }, tangents);
    const double allowed = want.gradient_tolerance * (slope == 0 ? 1 : scale / std::fabs(slope));
    number(what, got, slope, allowed);
  }

  template <class Jvp, class... A> void forward(const Jvp& jvp, const Expected& want, A... a) {
    const std::size_t inputs = want.gradient.size();
    for (std::size_t i = 0; i < inputs; ++i) {
      std::vector<double> unit(inputs, 0.0);
      unit[i] = 1;
      forward_along(jvp, "jvp[" + std::to_string(i) + "]", unit, want, a...);
    }
    std::vector<double> slanted;
    for (std::size_t i = 0; i < inputs; ++i) slanted.push_back(0.75 - 1.25 * static_cast<double>(i));
    forward_along(jvp, "jvp along a slanted line", slanted, want, a...);
  }

  std::FILE* out_;
  int failures_ = 0;
};

}  // namespace cases
