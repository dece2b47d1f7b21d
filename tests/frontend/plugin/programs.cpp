// SPDX-License-Identifier: Apache-2.0
//
// Programs as scientists write them in C++20: filters, solvers, networks, random draws, views and
// iterators of their own. Against central differences.
#include "differences.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

// --- finite volumes with ghost cells, through a view of two indices ---
template <class T> class View2 {
public:
  View2(T* p, std::size_t r, std::size_t c) : p_(p), r_(r), c_(c) {}
  T& operator()(std::size_t i, std::size_t j) const { return p_[i * c_ + j]; }
#if __cplusplus > 202100
  T& operator[](std::size_t i, std::size_t j) const { return p_[i * c_ + j]; }
#endif
  std::size_t extent(int k) const { return k ? c_ : r_; }

private:
  T* p_;
  std::size_t r_, c_;
};
double finite_volumes(double x, double y) {
  constexpr int n = 8;
  std::vector<double> u((n + 2) * 2), f((n + 1) * 2);
  View2<double> U(u.data(), n + 2, 2), F(f.data(), n + 1, 2);
  for (int i = 1; i <= n; ++i) {
    U(i, 0) = 1 + 0.1 * x * i;
    U(i, 1) = y / i;
  }
  for (int step = 0; step < 3; ++step) {
    for (int k = 0; k < 2; ++k) {
      U(0, k) = U(1, k);
      U(n + 1, k) = U(n, k);
    }
    for (int i = 0; i <= n; ++i) {
      auto flux = [&](int c) {
        return std::array<double, 2>{U(c, 1),
                                     U(c, 1) * U(c, 1) / U(c, 0) + 0.5 * U(c, 0) * U(c, 0)};
      };
      const auto [m0, p0] = flux(i);
      const auto [m1, p1] = flux(i + 1);
      const double a = std::max(std::abs(U(i, 1) / U(i, 0)) + std::sqrt(U(i, 0)),
                                std::abs(U(i + 1, 1) / U(i + 1, 0)) + std::sqrt(U(i + 1, 0)));
      F(i, 0) = 0.5 * (m0 + m1) - 0.5 * a * (U(i + 1, 0) - U(i, 0));
      F(i, 1) = 0.5 * (p0 + p1) - 0.5 * a * (U(i + 1, 1) - U(i, 1));
    }
    for (int i = 1; i <= n; ++i)
      for (int k = 0; k < 2; ++k)
        U(i, k) -= 0.05 * (F(i, k) - F(i - 1, k));
  }
  double s = 0;
  for (int i = 1; i <= n; ++i)
    s += U(i, 0) * U(i, 0) + U(i, 1);
  return s;
}

// --- a Kalman filter on small matrices ---
template <std::size_t R, std::size_t C> struct Mat {
  std::array<std::array<double, C>, R> a{};
  constexpr double& operator()(std::size_t i, std::size_t j) { return a[i][j]; }
  constexpr const double& operator()(std::size_t i, std::size_t j) const { return a[i][j]; }
  friend Mat operator+(Mat l, const Mat& r) {
    for (std::size_t i = 0; i < R; ++i)
      std::ranges::transform(l.a[i], r.a[i], l.a[i].begin(), std::plus<>{});
    return l;
  }
  friend Mat operator-(const Mat& l, const Mat& r) {
    Mat o;
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t j = 0; j < C; ++j)
        o(i, j) = l(i, j) - r(i, j);
    return o;
  }
};
template <std::size_t R, std::size_t K, std::size_t C>
Mat<R, C> operator*(const Mat<R, K>& l, const Mat<K, C>& r) {
  Mat<R, C> o;
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j)
      for (std::size_t k = 0; k < K; ++k)
        o(i, j) += l(i, k) * r(k, j);
  return o;
}
template <std::size_t R, std::size_t C> Mat<C, R> transpose(const Mat<R, C>& m) {
  Mat<C, R> t;
  for (std::size_t i = 0; i < R; ++i)
    for (std::size_t j = 0; j < C; ++j)
      t(j, i) = m(i, j);
  return t;
}
struct Kalman {
  Mat<2, 1> x;
  Mat<2, 2> P;
  double q, r;
  double update(double z) {
    const Mat<2, 2> F{{{{1, 1}, {0, 1}}}};
    x = F * x;
    P = F * P * transpose(F) + Mat<2, 2>{{{{q / 4, q / 2}, {q / 2, q}}}};
    const Mat<1, 2> H{{{{1, 0}}}};
    const double S = (H * P * transpose(H))(0, 0) + r, e = z - (H * x)(0, 0);
    Mat<2, 1> K = P * transpose(H);
    for (auto& row : K.a)
      for (auto& v : row)
        v /= S;
    for (std::size_t i = 0; i < 2; ++i)
      x(i, 0) += K(i, 0) * e;
    P = P - K * H * P;
    return -0.5 * (std::log(2 * std::numbers::pi * S) + e * e / S);
  }
};
double kalman(double x, double y) {
  Kalman k{{}, {{{{1, 0}, {0, 1}}}}, x * x, y * y};
  double l = 0;
  for (double z : {1.0, 1.9, 3.2, 4.1, 4.7})
    l += k.update(z);
  return l;
}

// --- bodies that attract each other ---
struct Vec3 {
  double x, y, z;
  Vec3& operator+=(const Vec3& o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  friend Vec3 operator-(Vec3 a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(double s, const Vec3& v) { return {s * v.x, s * v.y, s * v.z}; }
  friend double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  auto operator<=>(const Vec3&) const = default;
};
struct Body {
  Vec3 p, v;
  double m;
};
double bodies(double x, double y) {
  std::vector<Body> bodies{
      {{0, 0, 0}, {0, 0, 0}, y}, {{1, 0, 0}, {0, x, 0}, 1e-1}, {{0, 1.5, 0.1}, {-x, 0, 0}, 1e-2}};
  auto energy = [&] {
    return std::accumulate(bodies.begin(), bodies.end(), 0.0,
                           [](double e, const Body& b) { return e + 0.5 * b.m * dot(b.v, b.v); });
  };
  for (int s = 0; s < 5; ++s) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Vec3 a{};
      for (std::size_t j = 0; j < bodies.size(); ++j)
        if (i != j) {
          const Vec3 d = bodies[j].p - bodies[i].p;
          const double r2 = dot(d, d) + 1e-3;
          a += (bodies[j].m / (r2 * std::sqrt(r2))) * d;
        }
      bodies[i].v += 0.01 * a;
    }
    std::ranges::for_each(bodies, [](Body& b) { b.p += 0.01 * b.v; });
  }
  return energy() + bodies[1].p.x;
}

// --- a Runge-Kutta method with steps of its own, on vectors ---
template <class F>
concept Field = requires(F f, double t, const std::vector<double>& y) {
  { f(t, y) } -> std::convertible_to<std::vector<double>>;
};
std::vector<double>
axpy(std::vector<double> y,
     std::initializer_list<std::pair<double, const std::vector<double>*>> terms) {
  for (auto& [c, k] : terms)
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] += c * (*k)[i];
  return y;
}
template <Field F>
std::vector<double> rkf45(F f, std::vector<double> y, double t, double end, double tol) {
  double h = 0.1;
  int steps = 0;
  while (t < end && steps++ < 200) {
    if (t + h > end)
      h = end - t;
    const auto k1 = f(t, y);
    const auto k2 = f(t + h / 4, axpy(y, {{h / 4, &k1}}));
    const auto k3 = f(t + 3 * h / 8, axpy(y, {{3 * h / 32, &k1}, {9 * h / 32, &k2}}));
    const auto z = axpy(y, {{h / 9 * 2, &k1}, {h / 3, &k2}, {h / 9 * 4, &k3}});
    double err = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      err = std::max(err, std::abs(h * (k1[i] - 2 * k2[i] + k3[i])));
    if (err <= tol) {
      t += h;
      y = z;
    }
    h *= std::clamp(0.9 * std::pow(tol / (err + 1e-300), 0.25), 0.2, 4.0);
  }
  return y;
}
double runge_kutta(double x, double y) {
  auto u = rkf45(
      [=](double, const std::vector<double>& s) {
        return std::vector{s[1], x * (1 - s[0] * s[0]) * s[1] - s[0]};
      },
      {y, 0.0}, 0, 1, 1e30);
  return u[0] + u[1] * u[1];
}

// --- a hidden Markov model ---
double hidden_markov(double x, double y) {
  constexpr std::size_t S = 3;
  const std::array<std::array<double, S>, S> A{{{x, 0.2, 0.3}, {0.1, y, 0.4}, {0.3, 0.3, x * y}}};
  std::array<double, S> alpha;
  alpha.fill(std::log(1.0 / S));
  for (const int o : std::vector{0, 2, 1, 1, 0}) {
    std::array<double, S> next{};
    for (std::size_t j = 0; j < S; ++j) {
      std::array<double, S> terms;
      std::ranges::transform(std::views::iota(std::size_t{0}, S), terms.begin(),
                             [&](std::size_t i) { return alpha[i] + A[i][j]; });
      const double m = *std::ranges::max_element(terms);
      next[j] = m +
                std::log(std::transform_reduce(terms.begin(), terms.end(), 0.0, std::plus{},
                                               [m](double t) { return std::exp(t - m); })) -
                0.1 * (o == int(j));
    }
    std::swap(alpha, next);
  }
  double s = 0;
  for (double a : alpha | std::views::transform([](double v) { return std::exp(v); }))
    s += a;
  return s;
}

// --- a cubic spline ---
struct Spline {
  std::vector<double> x, y, m;
  Spline(std::vector<double> xs, std::vector<double> ys)
      : x(std::move(xs)), y(std::move(ys)), m(x.size(), 0.0) {
    const std::size_t n = x.size();
    std::vector<double> c(n), d(n);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
      const double w = 2 * (h0 + h1) - h0 * c[i - 1];
      c[i] = h1 / w;
      d[i] = (6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0) - h0 * d[i - 1]) / w;
    }
    for (std::size_t i = n - 1; i-- > 1;)
      m[i] = d[i] - c[i] * m[i + 1];
  }
  [[nodiscard]] double operator()(double t) const {
    const auto it = std::upper_bound(x.begin() + 1, x.end() - 1, t);
    const auto i = std::distance(x.begin(), it);
    const double h = x[i] - x[i - 1], a = (x[i] - t) / h, b = 1 - a;
    return a * y[i - 1] + b * y[i] +
           ((a * a * a - a) * m[i - 1] + (b * b * b - b) * m[i]) * h * h / 6;
  }
};
double spline(double x, double y) {
  const Spline s({0, 1, 2, 3, 4}, {0, x, y, x * y, 1});
  return s(0.5) + s(1.7) * s(3.2) + s(2 + 0.1 * x);
}

// --- a network in a differential equation ---
struct Layer {
  virtual ~Layer() = default;
  virtual std::vector<double> operator()(const std::vector<double>&) const = 0;
};
struct Dense final : Layer {
  std::vector<std::vector<double>> w;
  std::vector<double> b;
  Dense(std::size_t in, std::size_t out, double s) : w(out, std::vector<double>(in)), b(out, 0.1) {
    for (std::size_t i = 0; i < out; ++i)
      for (std::size_t j = 0; j < in; ++j)
        w[i][j] = s * std::sin(double(i + 2 * j + 1));
  }
  std::vector<double> operator()(const std::vector<double>& x) const override {
    std::vector<double> y;
    y.reserve(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      y.push_back(std::tanh(std::inner_product(x.begin(), x.end(), w[i].begin(), b[i])));
    return y;
  }
};
double neural_field(double x, double y) {
  const Dense l1(2, 4, x), l2(4, 2, 0.7);
  std::vector<double> s{y, 0.3};
  for (int i = 0; i < 5; ++i) {
    const auto d = l2(l1(s));
    std::transform(s.begin(), s.end(), d.begin(), s.begin(),
                   [](double a, double b) { return a + 0.1 * b; });
  }
  return std::reduce(s.begin(), s.end());
}

// --- an option by simulation ---
double option(double x, double y) {
  std::mt19937_64 gen(42);
  double sum = 0;
  for (int i = 0; i < 16; ++i) {
    const double u1 = (gen() >> 11) * 0x1p-53 + 1e-12, u2 = (gen() >> 11) * 0x1p-53;
    const double z = std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2);
    const double st = (1 + x * x) * std::exp(-0.5 * y * y + y * z);
    sum += std::max(st - 1.0, 0.0);
  }
  return sum / 16;
}

double drawn(double x, double y) {
  std::mt19937 generator{7};
  std::normal_distribution<double> normal{0.0, 1.0};
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  double s = 0;
  for (int i = 0; i < 8; ++i)
    s += std::exp(x * normal(generator)) * y * uniform(generator);
  return s;
}

// --- folds, tuples, ranges, static constants ---
template <class... T> double norm2(T... v) { return (... + (v * v)); }
template <std::size_t... I> double pick(const std::array<double, 3>& a, std::index_sequence<I...>) {
  return ((a[I] * double(I + 1)) + ... + 0.0);
}
double folds(double x, double y) {
  static const double table[] = {0.5, 1.5, 2.5};
  static constexpr std::array k{1.0, 2.0, 3.0};
  static const auto w = [] {
    std::array<double, 3> a{};
    for (int i = 0; i < 3; ++i)
      a[i] = std::sin(i + 1.0);
    return a;
  }();
  const auto t = std::tuple{x, y, x * y};
  auto [a, b, c] = t;
  auto pr = std::minmax(a, b);
  return norm2(a, b, c) * table[1] + k[2] * pick({x, y, a}, std::make_index_sequence<3>{}) +
         std::apply([](auto... v) { return (v + ...); }, t) * w[2] + pr.first;
}
double ranges(double x, double y) {
  const std::array c{1.0, y, 0.5, x};
  std::vector<std::pair<double, int>> pts;
  for (int i = 0; i < 4; ++i)
    pts.emplace_back(c[i] * x, i);
  std::ranges::sort(pts, {}, &std::pair<double, int>::first);
  double s = 0;
  for (auto& [v, i] : pts | std::views::filter([](auto& p) { return p.second != 2; }))
    s += v * (i + 1);
  for (auto it = c.rbegin(); it != c.rend(); ++it)
    s = s * x + *it;
  for (double v : c | std::views::drop(1) | std::views::take(2) | std::views::reverse)
    s += v * v;
  std::partial_sum(c.begin(), c.end(),
                   pts.size() ? std::vector<double>(4).begin() : std::vector<double>(4).begin());
  return s;
}

// --- iterators, static polymorphism, expression templates ---
class Grid {
  int n_;
  double h_;

public:
  Grid(int n, double h) : n_(n), h_(h) {}
  struct iterator {
    int i;
    double h;
    double operator*() const { return i * h; }
    iterator& operator++() {
      ++i;
      return *this;
    }
    bool operator!=(const iterator& o) const { return i != o.i; }
  };
  iterator begin() const { return {0, h_}; }
  iterator end() const { return {n_, h_}; }
};
double trapez(double x, double y) {
  double s = 0;
  for (double t : Grid(10, x / 10))
    s += std::exp(-t * y) * x / 10;
  return s;
}
template <class D> struct Model {
  double eval(double t) const { return static_cast<const D*>(this)->rate(t) * t; }
};
struct Arr : Model<Arr> {
  double A, E;
  Arr(double a, double e) : A(a), E(e) {}
  double rate(double T) const { return A * std::exp(-E / T); }
};
template <class L, class R> struct Sum {
  const L& l;
  const R& r;
  double operator[](std::size_t i) const { return l[i] + r[i]; }
};
struct Vec {
  std::vector<double> d;
  double operator[](std::size_t i) const { return d[i]; }
  template <class Ex> Vec& operator=(const Ex& e) {
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] = e[i];
    return *this;
  }
};
template <class L, class R> Sum<L, R> add(const L& l, const R& r) { return {l, r}; }
double crtp(double x, double y) {
  const Arr m(x, y);
  Vec a{{x, y}}, b{{y, 1}}, c{{0, 0}};
  c = add(add(a, b), a);
  return m.eval(1.5) + c[0] * c[1];
}

// --- a grid in two dimensions, and texts that choose ---
enum class Bc { periodic, wall };
double lookup(std::string_view name, double x) {
  if (name == "a")
    return x;
  return x * x;
}
double strings(double x, double y) { return lookup("a", x) * lookup("b", y); }
double diffusion(double x, double y) {
  const int n = 12;
  const Bc bc = x > 1 ? Bc::periodic : Bc::wall;
  std::vector<std::vector<double>> u(n, std::vector<double>(n, 0.0)), v = u;
  u[n / 2][n / 2] = y;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        auto at = [&](int a, int b) -> double {
          switch (bc) {
          case Bc::periodic:
            return u[(a + n) % n][(b + n) % n];
          case Bc::wall:
            return a < 0 || b < 0 || a >= n || b >= n ? 0.0 : u[a][b];
          }
          return 0;
        };
        v[i][j] =
            u[i][j] +
            0.1 * x * (at(i + 1, j) + at(i - 1, j) + at(i, j + 1) + at(i, j - 1) - 4 * at(i, j));
      }
    std::swap(u, v);
  }
  return std::hypot(u[n / 2][n / 2], u[n / 2 - 1][n / 2 + 1]);
}

TEST(Programs, Simulations) {
  differentiates<finite_volumes>();
  differentiates<bodies>();
  differentiates<runge_kutta>();
  differentiates<diffusion>();
}
TEST(Programs, Statistics) {
  differentiates<kalman>();
  differentiates<hidden_markov>();
  differentiates<option>();
  differentiates<drawn>();
}
TEST(Programs, Models) {
  differentiates<spline>();
  differentiates<neural_field>();
}
TEST(Programs, Language) {
  differentiates<folds>();
  differentiates<ranges>();
  differentiates<trapez>();
  differentiates<crtp>();
  differentiates<strings>();
}

} // namespace

int main() { return check::run(); }
