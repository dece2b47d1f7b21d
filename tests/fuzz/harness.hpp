// SPDX-License-Identifier: Apache-2.0
//
// What the programs that compute derivatives (by the plugin, by the printed text, by dual numbers, by differences) have in
// common: the type single<T>, and lines of numbers that run.py compares.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fuzz {

/// The type that plays float beside T: double -> float.
template <class T> struct single_of { using type = float; };
template <class T> using single = typename single_of<T>::type;

/// The number as the compiler cannot know it.
template <class T> T opaque(T x) {
  volatile T hidden = x;
  return hidden;
}

/// Of a Hessian, which is a number for one number.
template <class H> double element(const H& h, int i, int j) {
  if constexpr (std::is_arithmetic_v<H>) return h;
  else return h.at(i, j);
}

class Out {
 public:
  explicit Out(std::FILE* file) : file_(file) {}
  void begin(int program, int point) { program_ = program, point_ = point; }
  void line(const char* what, double x) { std::fprintf(file_, "%d %d %s %a\n", program_, point_, what, x); std::fflush(file_); }
  void line(const char* what, double x, double size) { std::fprintf(file_, "%d %d %s %a %a\n", program_, point_, what, x, size); }
  void line(const char* what, int at, double x, double size) { std::fprintf(file_, "%d %d %s[%d] %a %a\n", program_, point_, what, at, x, size); }
  void entry(const char* what, int at, double x) { std::fprintf(file_, "%d %d %s[%d] %a\n", program_, point_, what, at, x); std::fflush(file_); }
  void note(const char* text) { std::fprintf(file_, "%d %d %s\n", program_, point_, text); std::fflush(file_); }

  /// Every number of a result: a number, tuple, pair or plain struct of such.
  template <class R> void entries(const char* what, int& at, const R& r) {
    if constexpr (std::is_arithmetic_v<R>)
      entry(what, at++, double(r));
    else if constexpr (requires { r.data(); })
      for (const auto& x : r) entries(what, at, x);
    else if constexpr (requires { std::tuple_size<R>::value; })
      std::apply([&](const auto&... x) { (entries(what, at, x), ...); }, r);
    else
      fields(what, at, r);
  }
  void array(const char* what, int& at, const double* x, int n) {
    for (int i = 0; i < n; ++i) entry(what, at++, x[i]);
  }

 private:
  struct Any {
    template <class T>
      requires std::is_arithmetic_v<T>
    operator T() const;
  };
  template <class R> void fields(const char* what, int& at, const R& r) {
    const auto all = [&](const auto&... x) { (entries(what, at, x), ...); };
    if constexpr (requires { R{Any{}, Any{}, Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
      const auto& [a, b, c, d, e, f, g] = r;
      all(a, b, c, d, e, f, g);
    } else if constexpr (requires { R{Any{}, Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
      const auto& [a, b, c, d, e, f] = r;
      all(a, b, c, d, e, f);
    } else if constexpr (requires { R{Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
      const auto& [a, b, c, d, e] = r;
      all(a, b, c, d, e);
    } else if constexpr (requires { R{Any{}, Any{}, Any{}, Any{}}; }) {
      const auto& [a, b, c, d] = r;
      all(a, b, c, d);
    } else if constexpr (requires { R{Any{}, Any{}, Any{}}; }) {
      const auto& [a, b, c] = r;
      all(a, b, c);
    } else {
      const auto& [a, b] = r;
      all(a, b);
    }
  }

  std::FILE* file_;
  int program_ = 0, point_ = 0;
};

/// main() of every driver: arguments are the output file and the first program to run.
inline int run(int argc, char** argv, std::size_t count, void (*const* programs)(Out&, int), int points) {
  if (argc != 3) return 2;
  std::FILE* file = std::fopen(argv[1], "a");
  if (!file) return 2;
  Out out(file);
  for (std::size_t i = std::size_t(std::atoi(argv[2])); i < count; ++i)
    for (int point = 0; point < points; ++point) {
      out.begin(int(i), point);
      out.note("begin");
      programs[i](out, point);
      out.note("end");
    }
  return std::fclose(file) == 0 ? 0 : 2;
}

}  // namespace fuzz
