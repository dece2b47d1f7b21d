// SPDX-License-Identifier: Apache-2.0
//
// Linear algebra on matrices along the last two axes, with equal axes of a batch in front; f32 and f64, computed in double.
// Forward derivatives are stated, reverse ones are their transposes. Formulas: Giles, "An extended collection of matrix
// derivative results for forward and reverse mode" (2008); Murray, "Differentiation of the Cholesky decomposition" (2016);
// for QR and SVD also Townsend, "Differentiating the singular value decomposition" (2016).
#include "ir/linalg.hpp"
#include "ir/ops/linalg_kernels.hpp"
#include "ir/ops/linalg_loops.hpp"
#include "ir/ops/tensors.hpp"

namespace tlaloc::ir {
namespace {

using Xs = std::span<const X>;
// --- types ---
const Type& matrices(const Op& op, int i = 0) {
  need_tensor(op, i);
  const Type& t = in(op, i);
  if (t.dtype != DType::f32 && t.dtype != DType::f64) refuse(op, "needs f32 or f64, not " + text(t.dtype));
  if (t.rank() < 2) refuse(op, "needs a matrix, not " + text(t));
  return t;
}
const Type& square(const Op& op) {
  const Type& t = matrices(op);
  if (t.dims.end()[-1] != t.dims.end()[-2]) refuse(op, "needs a square matrix, not " + text(t));
  return t;
}
std::vector<Type> like_square(const Op& op) { return {square(op)}; }
Ints front(const Type& t) { return Ints(t.dims.begin(), t.dims.end() - 2); }
std::vector<Type> number_of_square(const Op& op) { return {Type{square(op).dtype, front(in(op, 0))}}; }
std::vector<Type> like_right_side(const Op& op) {
  const Type &a = square(op), &b = matrices(op, 1);
  if (a.dtype != b.dtype) refuse(op, "operands of " + text(a.dtype) + " and " + text(b.dtype));
  if (front(a) != front(b) || a.dims.back() != b.dims.end()[-2]) refuse(op, "extents differ: " + text(a) + " and " + text(b));
  return {b};
}
Extent fewer(const Type& t) { return std::min(t.dims.end()[-1], t.dims.end()[-2]); }

// --- kernels ---
/// Calls f(matrices of the operands, matrix of the result) for each of the batch; a result of rank less is a 1 x n or 1 x 1.
template <class F> void each_matrix(std::span<const Array> x, Array& y, std::size_t rows, std::size_t columns, F f) {
  const std::size_t n = rows * columns, count = n ? y.size() / n : 0;
  with_storage(y.type.dtype, [&]<class T>(T) {
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<dense::Matrix> in;
      for (auto& a : x) {
        const auto& d = a.type.dims;
        dense::Matrix m(std::size_t(d.end()[-2]), std::size_t(d.end()[-1]));
        for (std::size_t i = 0; i < m.a.size(); ++i) m.a[i] = double(a.data<T>()[k * m.a.size() + i]);
        in.push_back(std::move(m));
      }
      const std::vector<double> out = f(in);
      for (std::size_t i = 0; i < n; ++i) y.data<T>()[k * n + i] = T(out[i]);
    }
  });
}
std::size_t extent(const Array& a, int from_end) { return std::size_t(a.type.dims.end()[-from_end]); }
template <class F> void to_matrix(std::span<const Array> x, Array& y, F f) { each_matrix(x, y, extent(y, 2), extent(y, 1), f); }
template <class F> void to_vector(std::span<const Array> x, Array& y, F f) { each_matrix(x, y, 1, extent(y, 1), f); }
using Matrices = std::vector<dense::Matrix>;
/// A number from the pivots of LU, one after the other, beginning with the sign of the exchanges or with 0.
template <class F> void over_pivots(std::span<const Array> x, Array& y, bool from_sign, F f) {
  each_matrix(x, y, 1, 1, [&](const Matrices& m) {
    const dense::Pivots p = dense::pivots(m[0]);
    double r = from_sign ? p.sign : 0;
    for (double x : p.values) r = f(r, x);
    return std::vector<double>{r};
  });
}

// --- what the rules share ---
X summed(X a, std::int64_t from_end) { return reduced(ops::reduce_sum, a, {a.type().rank() - from_end}); }
X over_matrix(X a) { return reduced(ops::reduce_sum, a, {a.type().rank() - 2, a.type().rank() - 1}); }
X columns_times(X a, X v) { return a * broadcast(v, a.type().dims, [&] { Ints d = axes_up_to(a.type().rank()); d.erase(d.end() - 2); return d; }()); }
X rows_times(X a, X v) { return a * broadcast(v, a.type().dims, axes_up_to(a.type().rank() - 1)); }
X inverse_transposed(X a) { return ops::solve(a, identity(*a.b, a.type().dtype, a.type().dims), 1); }
X trace_of_solution(X a, X da) { return over_matrix(inverse_transposed(a) * da); }     // tr(a^-1 da)
X difference_or(X a, X b) { return !a ? -b : !b ? a : a - b; }
/// 1 / (c_j - c_i) with zeros on the diagonal.
X inverse_gaps(X c) {
  const Shape dims = joined({c.type().dims, {c.type().dims.back()}});
  Ints as_columns = axes_up_to(c.type().rank() + 1), as_rows = axes_up_to(c.type().rank());
  as_columns.erase(as_columns.end() - 2);
  const X one = identity(*c.b, c.type().dtype, dims);
  return 1 / (broadcast(c, dims, as_columns) - broadcast(c, dims, as_rows) + one) - one;
}
X rows_from(X a, Extent from, Extent to) { return sliced(a, a.type().rank() - 2, from, to); }

X cholesky_tangent(const Op&, Xs, X l, Xs d) {
  const X s = lower_part(d[0]) + transposed(lower_part(d[0], -1));
  const X inner = transposed(ops::triangular_solve(l, transposed(ops::triangular_solve(l, s, 1, 0, 0)), 1, 0, 0));
  return product(l, lower_part(inner) - identity(*l.b, l.type().dtype, l.type().dims) * inner * 0.5);
}
X triangular_solve_tangent(const Op& op, Xs in, X x, Xs d) {
  const bool lower = op.at(key::lower), transpose = op.at(key::transpose_a), unit = op.at(key::unit);
  X moved;
  if (d[0]) {
    const X t = lower ? lower_part(d[0], unit ? -1 : 0) : upper_part(d[0], unit ? 1 : 0);
    moved = product(transpose ? transposed(t) : t, x);
  }
  return ops::triangular_solve(in[0], moved ? difference_or(d[1], moved) : d[1], lower, transpose, unit);
}
X solve_tangent(const Op& op, Xs in, X x, Xs d) {
  const bool transpose = op.at(key::transpose_a);
  const X moved = d[0] ? product(transpose ? transposed(d[0]) : d[0], x) : X{};
  return ops::solve(in[0], moved ? difference_or(d[1], moved) : d[1], transpose);
}
X qr_tangent(const Op&, Xs in, X q, Xs d) {
  const X r = upper_part(product(transposed(q), in[0]));
  const X by_r = transposed(ops::triangular_solve(r, transposed(d[0]), 0, 1, 0));       // da r^-1
  const X inner = product(transposed(q), by_r), below = lower_part(inner, -1);
  return product(q, below - transposed(below) - inner) + by_r;
}
X eigenvalues_tangent(const Op&, Xs in, X, Xs d) {
  const X v = ops::eigh_vectors(in[0]);
  return summed(v * product(symmetric_part(d[0]), v), 2);
}
X eigenvectors_tangent(const Op&, Xs in, X v, Xs d) {
  const X moved = product(transposed(v), product(symmetric_part(d[0]), v));
  return product(v, inverse_gaps(ops::eigh_values(in[0])) * moved);
}
X singular_values_tangent(const Op&, Xs in, X, Xs d) {
  const X both = ops::svd_vectors(in[0]);
  const Extent m = in[0].type().dims.end()[-2], n = in[0].type().dims.end()[-1];
  return summed(rows_from(both, 0, m) * product(d[0], rows_from(both, m, m + n)), 2);
}
X singular_vectors_tangent(const Op&, Xs in, X both, Xs d) {
  const Extent m = in[0].type().dims.end()[-2], n = in[0].type().dims.end()[-1];
  const X u = rows_from(both, 0, m), v = rows_from(both, m, m + n), s = ops::svd_values(in[0]);
  const X inner = product(transposed(u), product(d[0], v)), gaps = inverse_gaps(s * s);
  const X by_columns = columns_times(inner, s), by_rows = rows_times(inner, s);
  X du = product(u, gaps * (by_columns + transposed(by_columns))), dv = product(v, gaps * (by_rows + transposed(by_rows)));
  auto outside = [&](X basis, X x) { return columns_times(x - product(basis, product(transposed(basis), x)), 1 / s); };
  if (m > n) du = du + outside(u, product(d[0], v));
  if (n > m) dv = dv + outside(v, product(transposed(d[0]), u));
  const X parts[] = {du, dv};
  return concatenate(parts, both.type().rank() - 2);
}

/// XLA leaves what it likes above the diagonal.
std::string cholesky_text(const Op& op) {
  const int r = rank(op, 0);
  auto count = [&](const char* to, int axis) { return std::string(to) + " = stablehlo.iota dim = " + std::to_string(axis) + " : {type}\n"; };
  return "{0} = stablehlo.cholesky {x}, lower = true : {type}\n" + count("{1}", r - 2) + count("{2}", r - 1) +
         "{3} = stablehlo.compare GE, {1}, {2} : ({type}, {type}) -> {truths}\n{4} = stablehlo.constant dense<{zero}> : {type}\n"
         "{result} = stablehlo.select {3}, {0}, {4} : ({truths}, {type}, {type}) -> {type}";
}
std::string triangular_solve_text(const Op& op) {
  auto flag = [&](auto key) { return op.at(key) ? "true" : "false"; };
  return std::string("\"stablehlo.triangular_solve\"({a}, {b}) <{{left_side = true, lower = ") + flag(key::lower) + ", unit_diagonal = " + flag(key::unit) +
         ", transpose_a = #stablehlo<transpose " + (op.at(key::transpose_a) ? "TRANSPOSE" : "NO_TRANSPOSE") + ">}}> : {signature}";
}

}  // namespace

FACTS(cholesky) {
  .name = "cholesky", .doc = "The lower factor l with l l^T = x, read below the diagonal; NaN throughout where x is not positive definite.",
  .operands = {"x"},
  .type = like_square,
  .derivative = differential(cholesky_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { to_matrix(x, y, [](const Matrices& m) { return dense::cholesky(m[0]).a; }); },
  .cpp = by_name,
  .stablehlo = cholesky_text,
  .effect = Effect::pure, .cost = 100,
};

FACTS(triangular_solve) {
  .name = "triangular_solve", .doc = "y with a y = b, or a^T y = b where `transpose_a` is 1; a is read below the diagonal where `lower` is 1, else above, its diagonal as ones where `unit` is 1.",
  .operands = {"a", "b"}, .attrs = {key::lower, key::transpose_a, key::unit},
  .type = like_right_side,
  .derivative = differential(triangular_solve_tangent, [](const Op& op, Xs in, X d) -> std::vector<X> {
    return {X{}, triangular_solve(in[0], d, op.at(key::lower), 1 - op.at(key::transpose_a), op.at(key::unit))};
  }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    to_matrix(x, y, [&](Matrices& m) {
      dense::solve_triangular(m[0], op.at(key::lower), op.at(key::transpose_a), op.at(key::unit), m[1]);
      return m[1].a;
    });
  },
  .cpp = by_name,
  .stablehlo = triangular_solve_text,
  .effect = Effect::pure, .cost = 50,
};

FACTS(solve) {
  .name = "solve", .doc = "y with a y = b, or a^T y = b where `transpose_a` is 1, by LU with exchanged rows.",
  .operands = {"a", "b"}, .attrs = {key::transpose_a},
  .type = like_right_side,
  .expansion = {[](const Op& op, Xs in) -> std::vector<X> {
    const auto e = loops::eliminate(op.at(key::transpose_a) ? transposed(in[0]) : in[0], in[1]);
    return {triangular_solve(e.u, e.b, 0, 0, 0)};
  }},
  .derivative = differential(solve_tangent, [](const Op& op, Xs in, X d) -> std::vector<X> { return {X{}, solve(in[0], d, 1 - op.at(key::transpose_a))}; }),
  .batching = elementwise,
  .kernel = [](const Op& op, std::span<const Array> x, Array& y) {
    to_matrix(x, y, [&](Matrices& m) {
      dense::solve(m[0], op.at(key::transpose_a), m[1]);
      return m[1].a;
    });
  },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 100,
};

FACTS(det) {
  .name = "det", .doc = "The determinant; exactly 0 where elimination meets a zero pivot, and then its derivative is NaN.",
  .operands = {"x"},
  .type = number_of_square,
  .expansion = {[](const Op&, Xs in) -> std::vector<X> {
    const auto e = loops::eliminate(in[0]);
    const X pivots = diagonal(e.u);
    return {e.sign * reduced(ops::reduce_prod, pivots, {pivots.type().rank() - 1})};
  }},
  .derivative = differential([](const Op&, Xs in, X y, Xs d) { return y * trace_of_solution(in[0], d[0]); }),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    over_pivots(x, y, true, [](double det, double pivot) { return det * pivot; });
  },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 100,
};

FACTS(log_abs_det) {
  .name = "log_abs_det", .doc = "The logarithm of the determinant's magnitude.",
  .operands = {"x"},
  .type = number_of_square,
  .expansion = {[](const Op&, Xs in) -> std::vector<X> { return {summed(log(abs(diagonal(loops::eliminate(in[0]).u))), 1)}; }},
  .derivative = differential([](const Op&, Xs in, X, Xs d) { return trace_of_solution(in[0], d[0]); }),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    over_pivots(x, y, false, [](double sum, double pivot) { return sum + std::log(std::fabs(pivot)); });
  },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 100,
};

FACTS(sign_det) {
  .name = "sign_det", .doc = "The sign of the determinant: -1, 0 or 1.",
  .operands = {"x"},
  .type = number_of_square,
  .expansion = {[](const Op&, Xs in) -> std::vector<X> {
    const auto e = loops::eliminate(in[0]);
    const X signs = sign(diagonal(e.u));
    return {e.sign * reduced(ops::reduce_prod, signs, {signs.type().rank() - 1})};
  }},
  .derivative = zero("piecewise constant"),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    over_pivots(x, y, true, [](double sign, double pivot) { return sign * (pivot > 0 ? 1 : pivot < 0 ? -1 : pivot); });
  },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 100,
};

FACTS(qr_q) {
  .name = "qr_q", .doc = "The orthonormal columns q of x = q r, for at least as many rows as columns, with the signs of LAPACK; r is q^T x.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> {
    const Type& t = matrices(op);
    if (t.dims.end()[-2] < t.dims.end()[-1]) refuse(op, "needs at least as many rows as columns, not " + text(t));
    return {t};
  },
  .expansion = {[](const Op&, Xs in) -> std::vector<X> { return {loops::orthonormal(in[0])}; }},
  .derivative = differential(qr_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { to_matrix(x, y, [](const Matrices& m) { return dense::orthonormal(m[0]).a; }); },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 200,
};

FACTS(eigh_values) {
  .name = "eigh_values", .doc = "The eigenvalues of (x + x^T) / 2, ascending.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> { Type t = square(op); t.dims.pop_back(); return {t}; },
  .expansion = {[](const Op&, Xs in) -> std::vector<X> { return {loops::eigen(in[0]).values}; }},
  .derivative = differential(eigenvalues_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { to_vector(x, y, [](const Matrices& m) { return dense::eigen(m[0]).values; }); },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(eigh_vectors) {
  .name = "eigh_vectors", .doc = "The eigenvectors of (x + x^T) / 2 as columns, in the order of their values, the largest entry of each positive.",
  .operands = {"x"},
  .type = like_square,
  .expansion = {[](const Op&, Xs in) -> std::vector<X> { return {loops::eigen(in[0]).vectors}; }},
  .derivative = differential(eigenvectors_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { to_matrix(x, y, [](const Matrices& m) { return dense::eigen(m[0]).vectors.a; }); },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(svd_values) {
  .name = "svd_values", .doc = "The singular values of x, descending.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> { const Type& t = matrices(op); return {Type{t.dtype, joined({front(t), {fewer(t)}})}}; },
  .expansion = {[](const Op&, Xs in) -> std::vector<X> { return {loops::singular(in[0]).values}; }},
  .derivative = differential(singular_values_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) { to_vector(x, y, [](const Matrices& m) { return dense::singular(m[0]).values; }); },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

FACTS(svd_vectors) {
  .name = "svd_vectors", .doc = "u above v, of x = u diag(s) v^T, columns in the order of the singular values, the largest entry of each column of u positive.",
  .operands = {"x"},
  .type = [](const Op& op) -> std::vector<Type> {
    const Type& t = matrices(op);
    return {Type{t.dtype, joined({front(t), {plus(t.dims.end()[-2], t.dims.end()[-1]), fewer(t)}})}};
  },
  .expansion = {[](const Op&, Xs in) -> std::vector<X> {
    const auto f = loops::singular(in[0]);
    const X parts[] = {f.u, f.v};
    return {ir::concatenate(parts, in[0].type().rank() - 2)};
  }},
  .derivative = differential(singular_vectors_tangent),
  .batching = elementwise,
  .kernel = [](const Op&, std::span<const Array> x, Array& y) {
    to_matrix(x, y, [](const Matrices& m) {
      auto f = dense::singular(m[0]);
      f.u.a.insert(f.u.a.end(), f.v.a.begin(), f.v.a.end());
      return f.u.a;
    });
  },
  .cpp = by_name,
  .stablehlo = by_expansion,
  .effect = Effect::pure, .cost = 1000,
};

}  // namespace tlaloc::ir
