// SPDX-License-Identifier: Apache-2.0
//
// Jacobians and Hessians that are mostly zero, in compressed rows:
//
//   auto J = tlaloc::sparse_jacobian(residuals)(x, r);   // void residuals(std::span<const double> x, std::span<double> r)
//
// Which entries may be other than zero is read off the program: it runs on sets of inputs in place of tangents. Columns that
// share no row have one colour, and one tangent serves all of a colour.
#pragma once

#include "tlaloc/ad.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tlaloc {

/// Where a sparse matrix has entries: those of row i are at k from starts[i] to starts[i + 1], in the columns column_of[k],
/// which ascend. Two columns of one colour share no row.
struct SparsePattern {
  std::size_t width = 0, colours = 0;
  std::vector<std::size_t> starts = {0}, column_of = {}, colour_of = {};

  std::size_t rows() const { return starts.size() - 1; }
  std::size_t entries() const { return column_of.size(); }
  std::span<const std::size_t> row(std::size_t i) const { return std::span(column_of).subspan(starts[i], starts[i + 1] - starts[i]); }
};

/// A matrix in compressed rows.
template <class T_> struct SparseMatrix {
  SparsePattern pattern;
  std::vector<T_> values;                         // in the order of pattern.column_of

  /// Zero where there is no entry.
  T_ at(std::size_t i, std::size_t j) const {
    const auto row = pattern.row(i);
    const auto it = std::lower_bound(row.begin(), row.end(), j);
    return it != row.end() && *it == j ? values[pattern.starts[i] + std::size_t(it - row.begin())] : T_();
  }
};

namespace detail {

/// Gives each column the first colour that no column with a row in common has.
inline void colour(SparsePattern& p) {
  std::vector<std::size_t> starts(p.width + 1), row_of(p.entries());
  for (std::size_t j : p.column_of) ++starts[j + 1];
  for (std::size_t j = 0; j < p.width; ++j) starts[j + 1] += starts[j];
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < p.rows(); ++i)
    for (std::size_t j : p.row(i)) row_of[next[j]++] = i;
  const std::size_t none = std::size_t(-1);
  p.colours = 0;
  p.colour_of.assign(p.width, none);
  std::vector<std::size_t> taken_by;              // the last column for which a colour was seen
  for (std::size_t j = 0; j < p.width; ++j) {
    for (std::size_t k = starts[j]; k < starts[j + 1]; ++k)
      for (std::size_t other : p.row(row_of[k]))
        if (p.colour_of[other] != none) taken_by[p.colour_of[other]] = j;
    std::size_t c = 0;
    while (c < taken_by.size() && taken_by[c] == j) ++c;
    if (c == taken_by.size()) taken_by.push_back(none);
    p.colour_of[j] = c;
    p.colours = std::max(p.colours, c + 1);
  }
}

/// The numbers that a set in a double can hold, and the tangents in a pass.
inline constexpr std::size_t set_size = 53, lanes = 8;

}  // namespace detail

/// What sparse_jacobian() makes.
template <class F_> class SparseJacobian {
  static_assert(std::is_invocable_v<const F_&, std::span<const double>, std::span<double>>, "a function with a sparse Jacobian is void f(std::span<const double> x, std::span<double> r)");
  F_ f_;

 public:
  explicit SparseJacobian(F_ f) : f_(static_cast<F_&&>(f)) {}

  /// The entries that depend on x on the way that f takes at x; r is filled. Inputs are asked for in groups, ever smaller
  /// ones, and a pass takes all groups of one colour apart.
  SparsePattern pattern(std::span<const double> x, std::span<double> r) const {
    const std::size_t n = x.size();
    if (n == 0) return {.starts = std::vector<std::size_t>(r.size() + 1)};
    std::size_t group = detail::set_size;
    while (group < n) group *= detail::set_size;
    SparsePattern found{.width = 1, .starts = std::vector<std::size_t>(r.size() + 1), .column_of = std::vector<std::size_t>(r.size())};
    for (std::size_t i = 0; i < r.size(); ++i) found.starts[i + 1] = i + 1;
    std::vector<double> sets(n), reached(r.size());
    for (; group > 1; group /= detail::set_size) {
      detail::colour(found);
      const std::size_t part = group / detail::set_size;
      std::vector<std::vector<std::size_t>> rows(r.size());
      for (std::size_t c = 0; c < found.colours; ++c) {
        for (std::size_t j = 0; j < n; ++j) sets[j] = found.colour_of[j / group] == c ? double(std::uint64_t(1) << j % group / part) : 0;
        std::fill(reached.begin(), reached.end(), 0.0);
        dependence(f_)(shadow(x, std::span(sets)), shadow(r, std::span(reached)));
        for (std::size_t i = 0; i < r.size(); ++i)
          for (std::size_t g : found.row(i))
            for (std::size_t b = 0; b < detail::set_size && found.colour_of[g] == c; ++b)
              if (std::uint64_t(reached[i]) >> b & 1) rows[i].push_back(g * detail::set_size + b);
      }
      found = {.width = (n + part - 1) / part};
      for (auto& row : rows) {
        std::sort(row.begin(), row.end());
        found.column_of.insert(found.column_of.end(), row.begin(), row.end());
        found.starts.push_back(found.column_of.size());
      }
    }
    detail::colour(found);
    return found;
  }

  /// The Jacobian at x, whose pattern is known; r is filled with f(x).
  SparseMatrix<double> operator()(const SparsePattern& p, std::span<const double> x, std::span<double> r) const {
    SparseMatrix<double> m{p, std::vector<double>(p.entries())};
    const F_& f = f_;
    for (std::size_t first = 0; first < p.colours; first += detail::lanes) {
      const auto along = [&](const std::array<double, detail::lanes>& t, std::span<double> out) {
        std::vector<double> z(x.size());
        for (std::size_t j = 0; j < x.size(); ++j) {
          const std::size_t c = p.colour_of[j] - first;            // colours before `first` wrap around
          z[j] = x[j] + (c < detail::lanes ? t[c] : 0.0);
        }
        f(std::span<const double>(z), out);
      };
      const DenseMatrix<double> d = jacfwd(along)(std::array<double, detail::lanes>{}, r);
      for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = p.starts[i]; k < p.starts[i + 1]; ++k)
          if (const std::size_t c = p.colour_of[p.column_of[k]] - first; c < detail::lanes) m.values[k] = d.at(i, c);
    }
    return m;
  }
  SparseMatrix<double> operator()(std::span<const double> x, std::span<double> r) const { return (*this)(pattern(x, r), x, r); }
};

/// What sparse_hessian() makes.
template <class F_> class SparseHessian {
  static_assert(std::is_invocable_r_v<double, const F_&, std::span<const double>>, "a function with a sparse Hessian is double f(std::span<const double> x)");
  struct Gradient {
    F_ f;
    void operator()(std::span<const double> x, std::span<double> g) const {
      for (double& e : g) e = 0;
      grad(f)(shadow(x, g));
    }
  };
  SparseJacobian<Gradient> gradient_;

 public:
  explicit SparseHessian(F_ f) : gradient_(Gradient{static_cast<F_&&>(f)}) {}

  /// The entries that the program of the gradient does not leave out.
  SparsePattern pattern(std::span<const double> x) const {
    std::vector<double> g(x.size());
    return gradient_.pattern(x, g);
  }
  SparseMatrix<double> operator()(const SparsePattern& p, std::span<const double> x) const {
    std::vector<double> g(x.size());
    return gradient_(p, x, g);
  }
  SparseMatrix<double> operator()(std::span<const double> x) const { return (*this)(pattern(x), x); }
};

/// (x, r) -> the Jacobian of r by x as a SparseMatrix; .pattern(x, r) and (pattern, x, r) do it in two steps, for many x. A
/// pattern holds wherever f takes the same way as at its x. f is a lambda or function object; a function: tlaloc::fn<f>.
template <class F_> SparseJacobian<F_> sparse_jacobian(F_ f) { return SparseJacobian<F_>(static_cast<F_&&>(f)); }
/// (x) -> the Hessian of a number, the same way.
template <class F_> SparseHessian<F_> sparse_hessian(F_ f) { return SparseHessian<F_>(static_cast<F_&&>(f)); }

}  // namespace tlaloc
