// SPDX-License-Identifier: Apache-2.0
#include "ir/ops/linalg_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tlaloc::ir::dense {
namespace {

// The largest entry of each column becomes positive; `along` turns with it.
void orient(Matrix& m, Matrix* along) {
  for (std::size_t j = 0; j < m.columns; ++j) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < m.rows; ++i) if (std::fabs(m(i, j)) > std::fabs(m(most, j))) most = i;
    if (!m.rows || !(m(most, j) < 0)) continue;
    for (std::size_t i = 0; i < m.rows; ++i) m(i, j) = -m(i, j);
    if (along) for (std::size_t i = 0; i < along->rows; ++i) (*along)(i, j) = -(*along)(i, j);
  }
}
Matrix picked(const Matrix& m, const std::vector<std::size_t>& columns) {
  Matrix r(m.rows, columns.size());
  for (std::size_t i = 0; i < m.rows; ++i) for (std::size_t j = 0; j < columns.size(); ++j) r(i, j) = m(i, columns[j]);
  return r;
}
// The rotation of columns p and q that makes the symmetric [[a, b], [b, c]] diagonal.
struct Rotation {
  double c = 1, s = 0;
  Rotation(double a, double b, double d) {
    const double ratio = (d - a) / (2 * b), t = std::copysign(1.0, ratio) / (std::fabs(ratio) + std::hypot(1.0, ratio));
    c = 1 / std::hypot(1.0, t), s = t * c;
  }
  void operator()(double& x, double& y) const {
    const double u = x, v = y;
    x = c * u - s * v, y = s * u + c * v;
  }
};
bool finite(const Matrix& m) { return std::all_of(m.a.begin(), m.a.end(), [](double x) { return std::isfinite(x); }); }
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int sweeps = 60;                        // convergence is quadratic: ten are many

// A column of m that is orthogonal to the k before it, where the matrix has no more of its own.
void complete(Matrix& m, std::size_t k) {
  for (std::size_t e = 0; e < m.rows; ++e) {
    std::vector<double> x(m.rows);
    x[e] = 1;
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t j = 0; j < k; ++j) {
        double dot = 0;
        for (std::size_t i = 0; i < m.rows; ++i) dot += m(i, j) * x[i];
        for (std::size_t i = 0; i < m.rows; ++i) x[i] -= dot * m(i, j);
      }
    const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    if (length < 0.5 / std::sqrt(double(m.rows))) continue;
    for (std::size_t i = 0; i < m.rows; ++i) m(i, k) = x[i] / length;
    return;
  }
}

}  // namespace

Matrix transposed(const Matrix& m) {
  Matrix t(m.columns, m.rows);
  for (std::size_t i = 0; i < m.rows; ++i) for (std::size_t j = 0; j < m.columns; ++j) t(j, i) = m(i, j);
  return t;
}

Matrix cholesky(const Matrix& a) {
  const std::size_t n = a.rows;
  Matrix l(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (i == j && !(sum > 0)) return l.a.assign(n * n, nan), l;
      l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
    }
  return l;
}

void solve_triangular(const Matrix& a, bool lower, bool transpose, bool unit, Matrix& b) {
  const std::size_t n = a.rows;
  const bool downwards = lower != transpose;
  for (std::size_t c = 0; c < b.columns; ++c)
    for (std::size_t step = 0; step < n; ++step) {
      const std::size_t i = downwards ? step : n - 1 - step;
      double sum = b(i, c);
      for (std::size_t k = downwards ? 0 : i + 1; k < (downwards ? i : n); ++k) sum -= (transpose ? a(k, i) : a(i, k)) * b(k, c);
      b(i, c) = unit ? sum : sum / a(i, i);
    }
}

Lu::Lu(Matrix a) : lu(std::move(a)), order(lu.rows) {
  std::iota(order.begin(), order.end(), std::size_t(0));
  const std::size_t n = lu.rows;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) if (std::fabs(lu(i, k)) > std::fabs(lu(best, k))) best = i;
    if (best != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(lu(k, j), lu(best, j));
      std::swap(order[k], order[best]);
      sign = -sign;
    }
    if (lu(k, k) == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = lu(i, k) /= lu(k, k);
      for (std::size_t j = k + 1; j < n; ++j) lu(i, j) -= factor * lu(k, j);
    }
  }
}
void Lu::solve(bool transpose, Matrix& b) const {
  Matrix x(b.rows, b.columns);
  if (!transpose) {
    for (std::size_t i = 0; i < b.rows; ++i) for (std::size_t c = 0; c < b.columns; ++c) x(i, c) = b(order[i], c);
    solve_triangular(lu, true, false, true, x);
    solve_triangular(lu, false, false, false, x);
    b = std::move(x);
  } else {
    solve_triangular(lu, false, true, false, b);
    solve_triangular(lu, true, true, true, b);
    for (std::size_t i = 0; i < b.rows; ++i) for (std::size_t c = 0; c < b.columns; ++c) x(order[i], c) = b(i, c);
    b = std::move(x);
  }
}

Matrix orthonormal(Matrix a) {
  const std::size_t m = a.rows, n = a.columns;
  std::vector<double> tau(n);
  for (std::size_t k = 0; k < n; ++k) {           // the reflection's vector stays below the diagonal, its first entry is 1
    double below = 0;
    for (std::size_t i = k + 1; i < m; ++i) below = std::hypot(below, a(i, k));
    if (below == 0) continue;
    const double alpha = a(k, k), beta = -std::copysign(std::hypot(alpha, below), alpha);
    tau[k] = (beta - alpha) / beta;
    for (std::size_t i = k + 1; i < m; ++i) a(i, k) /= alpha - beta;
    for (std::size_t j = k + 1; j < n; ++j) {
      double dot = a(k, j);
      for (std::size_t i = k + 1; i < m; ++i) dot += a(i, k) * a(i, j);
      a(k, j) -= tau[k] * dot;
      for (std::size_t i = k + 1; i < m; ++i) a(i, j) -= tau[k] * dot * a(i, k);
    }
    a(k, k) = beta;
  }
  Matrix q(m, n);
  for (std::size_t j = 0; j < n; ++j) q(j, j) = 1;
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t j = k; j < n; ++j) {
      double dot = q(k, j);
      for (std::size_t i = k + 1; i < m; ++i) dot += a(i, k) * q(i, j);
      q(k, j) -= tau[k] * dot;
      for (std::size_t i = k + 1; i < m; ++i) q(i, j) -= tau[k] * dot * a(i, k);
    }
  return q;
}

Eigen eigen(Matrix a) {
  const std::size_t n = a.rows;
  for (std::size_t i = 0; i < n; ++i) for (std::size_t j = 0; j < i; ++j) a(i, j) = a(j, i) = (a(i, j) + a(j, i)) / 2;
  Eigen out{std::vector<double>(n, nan), Matrix(n, n)};
  if (!finite(a)) return out.vectors.a.assign(n * n, nan), out;
  Matrix v(n, n);
  for (std::size_t i = 0; i < n; ++i) v(i, i) = 1;
  bool turning = true;
  for (int sweep = 0; turning && sweep < sweeps; ++sweep) {
    turning = false;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double off = a(p, q);
        if (std::fabs(off) <= 0x1p-56 * std::sqrt(std::fabs(a(p, p)) * std::fabs(a(q, q))) || std::fabs(off) < 1e-300) continue;
        turning = true;
        const Rotation turn(a(p, p), off, a(q, q));
        for (std::size_t i = 0; i < n; ++i) turn(a(i, p), a(i, q));
        for (std::size_t i = 0; i < n; ++i) turn(a(p, i), a(q, i));
        for (std::size_t i = 0; i < n; ++i) turn(v(i, p), v(i, q));
        a(p, q) = a(q, p) = 0;
      }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return a(i, i) < a(j, j) || (a(i, i) == a(j, j) && i < j); });
  for (std::size_t i = 0; i < n; ++i) out.values[i] = a(order[i], order[i]);
  out.vectors = picked(v, order);
  orient(out.vectors, nullptr);
  return out;
}

Singular singular(const Matrix& given) {
  if (given.rows < given.columns) {
    Singular t = singular(transposed(given));
    std::swap(t.u, t.v);
    orient(t.u, &t.v);
    return t;
  }
  Matrix a = given, v(a.columns, a.columns);
  const std::size_t m = a.rows, n = a.columns;
  Singular out{std::vector<double>(n, nan), Matrix(m, n), Matrix(n, n)};
  if (!finite(a)) return out.u.a.assign(m * n, nan), out.v.a.assign(n * n, nan), out;
  for (std::size_t i = 0; i < n; ++i) v(i, i) = 1;
  auto dot = [&](std::size_t p, std::size_t q) {
    double s = 0;
    for (std::size_t i = 0; i < m; ++i) s += a(i, p) * a(i, q);
    return s;
  };
  bool turning = true;
  for (int sweep = 0; turning && sweep < sweeps; ++sweep) {
    turning = false;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double pp = dot(p, p), pq = dot(p, q), qq = dot(q, q);
        if (std::fabs(pq) <= 0x1p-53 * std::sqrt(pp * qq) || std::fabs(pq) < 1e-300) continue;
        turning = true;
        const Rotation turn(pp, pq, qq);
        for (std::size_t i = 0; i < m; ++i) turn(a(i, p), a(i, q));
        for (std::size_t i = 0; i < n; ++i) turn(v(i, p), v(i, q));
      }
  }
  std::vector<double> length(n);
  for (std::size_t j = 0; j < n; ++j) length[j] = std::sqrt(dot(j, j));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return length[i] > length[j] || (length[i] == length[j] && i < j); });
  out.v = picked(v, order);
  out.u = picked(a, order);
  for (std::size_t j = 0; j < n; ++j) {
    const double s = out.values[j] = length[order[j]];
    if (s > 0x1p-52 * length[order[0]]) for (std::size_t i = 0; i < m; ++i) out.u(i, j) /= s;
    else complete(out.u, j);
  }
  orient(out.u, &out.v);
  return out;
}

}  // namespace tlaloc::ir::dense
