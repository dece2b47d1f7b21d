// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/linalg.hpp"

#include "ir/linalg.hpp"
#include "tensor/node.hpp"

#include <algorithm>

namespace tlaloc::linalg {

namespace ops = ir::ops;
using namespace dynamic;
using detail::outcome, detail::sig;
using ir::X;
using Xs = std::span<const X>;

namespace {

template <class Op> outcome checked(const char* name, const AnyTensor& a) {
  const sig in[] = {sig_of(a)};
  return allowed(name, Op::apply(in));
}
template <class Op> outcome checked(const char* name, const AnyTensor& a, const AnyTensor& b) {
  const sig in[] = {sig_of(a), sig_of(b)};
  return allowed(name, Op::apply(in));
}
X ones_like(X a) { return ir::identity(*a.b, a.type().dtype, a.type().dims); }
X factor(X a) { return ops::cholesky(ir::symmetric_part(a)); }
/// f on b with its right sides as columns.
template <class F> X on_columns(X a, X b, F f) {
  if (b.type().rank() == a.type().rank()) return f(b);
  const ir::Shape column = ir::joined({b.type().dims, {1}});
  const X y = f(reshape(b, column));
  return reshape(y, ir::Ints(y.type().dims.begin(), y.type().dims.end() - 1));
}
X by_factor(X l, X b) { return ops::triangular_solve(l, ops::triangular_solve(l, b, 1, 0, 0), 1, 1, 0); }
X triangle_of(X q, X a) { return ir::upper_part(ir::product(ir::transposed(q), a)); }
// r^-1 q^T b of a = q r; of a wide matrix q r^-T b of a^T = q r.
X least_squares(X a, X b) {
  const bool wide = a.type().dims.end()[-2] < a.type().dims.end()[-1];
  const X tall = wide ? ir::transposed(a) : a, q = ops::qr_q(tall), r = triangle_of(q, tall);
  return wide ? ir::product(q, ops::triangular_solve(r, b, 0, 1, 0)) : ops::triangular_solve(r, ir::product(ir::transposed(q), b), 0, 0, 0);
}
X rows(X a, std::int64_t from, std::int64_t to) { return sliced(a, a.type().rank() - 2, from, to); }
X leading_columns(X a, std::int64_t n) { return sliced(a, a.type().rank() - 1, 0, n); }

}  // namespace

AnyTensor cholesky(const AnyTensor& a) {
  const outcome o = checked<op::square_matrix>("cholesky", a);
  return named(composed({a}, [](Xs x) { return factor(x[0]); }), o);
}
AnyTensor solve_triangular(const AnyTensor& a, const AnyTensor& b, triangular form) {
  const outcome o = checked<op::linear_solve>("solve_triangular", a, b);
  return named(composed({a, b}, [&](Xs x) {
    return on_columns(x[0], x[1], [&](X c) { return ops::triangular_solve(x[0], c, form.lower, form.transpose, form.unit_diagonal); });
  }), o);
}
AnyTensor solve(const AnyTensor& a, const AnyTensor& b) {
  const outcome o = checked<op::linear_solve>("solve", a, b);
  return named(composed({a, b}, [](Xs x) { return on_columns(x[0], x[1], [&](X c) { return ops::solve(x[0], c, 0); }); }), o);
}
AnyTensor solve_spd(const AnyTensor& a, const AnyTensor& b) {
  const outcome o = checked<op::linear_solve>("solve_spd", a, b);
  return named(composed({a, b}, [](Xs x) { return on_columns(x[0], x[1], [&](X c) { return by_factor(factor(x[0]), c); }); }), o);
}
AnyTensor inv(const AnyTensor& a) {
  const outcome o = checked<op::square_matrix>("inv", a);
  return named(composed({a}, [](Xs x) { return ops::solve(x[0], ones_like(x[0]), 0); }), o);
}
AnyTensor inv_spd(const AnyTensor& a) {
  const outcome o = checked<op::square_matrix>("inv_spd", a);
  return named(composed({a}, [](Xs x) { return by_factor(factor(x[0]), ones_like(x[0])); }), o);
}
AnyTensor det(const AnyTensor& a) {
  const outcome o = checked<op::determinant>("det", a);
  return named(dispatch(ops::det, {a}), o);
}
Slogdet<AnyTensor> slogdet(const AnyTensor& a) {
  const outcome o = checked<op::determinant>("slogdet", a);
  return {named(dispatch(ops::sign_det, {a}), o), named(dispatch(ops::log_abs_det, {a}), o)};
}
AnyTensor log_det_spd(const AnyTensor& a) {
  const outcome o = checked<op::determinant>("log_det_spd", a);
  return named(composed({a}, [](Xs x) {
    const X logs = ops::log(ir::diagonal(factor(x[0])));
    return 2 * reduced(ops::reduce_sum, logs, {logs.type().rank() - 1});
  }), o);
}
Qr<AnyTensor, AnyTensor> qr(const AnyTensor& a) {
  const outcome left = checked<op::left_factor>("qr", a), right = checked<op::right_factor>("qr", a);
  const std::int64_t k = std::min(a.extent(-2), a.extent(-1));
  const AnyTensor q = composed({a}, [&](Xs x) { return ops::qr_q(leading_columns(x[0], k)); });
  const AnyTensor r = composed({q, a}, [](Xs x) { return triangle_of(x[0], x[1]); });
  return {named(q, left), named(r, right)};
}
Eigh<AnyTensor, AnyTensor> eigh(const AnyTensor& a) {
  const outcome o = checked<op::square_matrix>("eigh", a);
  return {eigvalsh(a), named(dispatch(ops::eigh_vectors, {a}), o)};
}
AnyTensor eigvalsh(const AnyTensor& a) {
  const outcome o = checked<op::eigenvalues>("eigvalsh", a);
  return named(dispatch(ops::eigh_values, {a}), o);
}
Svd<AnyTensor, AnyTensor, AnyTensor> svd(const AnyTensor& a) {
  const outcome left = checked<op::left_factor>("svd", a), right = checked<op::right_factor>("svd", a);
  const AnyTensor both = dispatch(ops::svd_vectors, {a});
  const std::int64_t m = a.extent(-2), n = a.extent(-1);
  return {named(composed({both}, [&](Xs x) { return rows(x[0], 0, m); }), left), svdvals(a),
          named(composed({both}, [&](Xs x) { return ir::transposed(rows(x[0], m, m + n)); }), right)};
}
AnyTensor svdvals(const AnyTensor& a) {
  const outcome o = checked<op::singular_values>("svdvals", a);
  return named(dispatch(ops::svd_values, {a}), o);
}
AnyTensor lstsq(const AnyTensor& a, const AnyTensor& b) {
  const outcome o = checked<op::least_squares>("lstsq", a, b);
  return named(composed({a, b}, [](Xs x) { return on_columns(x[0], x[1], [&](X c) { return least_squares(x[0], c); }); }), o);
}
AnyTensor pinv(const AnyTensor& a) {
  checked<op::left_factor>("pinv", a);
  return composed({a}, [](Xs x) {
    const std::int64_t m = x[0].type().dims.end()[-2];
    const ir::Shape dims = ir::joined({ir::Ints(x[0].type().dims.begin(), x[0].type().dims.end() - 2), {m, m}});
    return least_squares(x[0], ir::identity(*x[0].b, x[0].type().dtype, dims));
  });
}
AnyTensor norm(const AnyTensor& a, matrix_norm kind) {
  const outcome o = checked<op::matrix_norm>("norm", a);
  return named(composed({a}, [&](Xs x) {
    const int r = x[0].type().rank();
    if (kind == matrix_norm::frobenius) return ops::sqrt(reduced(ops::reduce_sum, x[0] * x[0], {r - 2, r - 1}));
    const X s = ops::svd_values(x[0]);
    return reduced(kind == matrix_norm::spectral ? static_cast<const ir::Kind&>(ops::reduce_max) : ops::reduce_sum, s, {r - 2});
  }), o);
}
AnyTensor trace(const AnyTensor& a) {
  const outcome o = checked<op::matrix_trace>("trace", a);
  return named(composed({a}, [](Xs x) { return reduced(ops::reduce_sum, ir::diagonal(x[0]), {x[0].type().rank() - 2}); }), o);
}
AnyTensor diagonal(const AnyTensor& a) {
  const outcome o = checked<op::diagonal>("diagonal", a);
  return named(composed({a}, [](Xs x) { return ir::diagonal(x[0]); }), o);
}
AnyTensor diag(const AnyTensor& a) {
  const outcome o = checked<op::diag>("diag", a);
  return named(composed({a}, [](Xs x) { return ir::with_diagonal(x[0]); }), o);
}
AnyTensor tril(const AnyTensor& a, extent_t k) {
  const outcome o = checked<op::triangle>("tril", a);
  return named(composed({a}, [&](Xs x) { return ir::lower_part(x[0], k); }), o);
}
AnyTensor triu(const AnyTensor& a, extent_t k) {
  const outcome o = checked<op::triangle>("triu", a);
  return named(composed({a}, [&](Xs x) { return ir::upper_part(x[0], k); }), o);
}
AnyTensor scale_triangles(const AnyTensor& a, double lower, double diagonal, double upper) {
  const outcome o = checked<op::triangle>("scale_triangles", a);
  return named(composed({a}, [&](Xs x) {
    auto times = [](X part, double c) { return c == 0 ? like(part, 0) : part * c; };
    const X below = ir::lower_part(x[0], -1), above = ir::upper_part(x[0], 1), middle = ir::lower_part(ir::upper_part(x[0]));
    return times(below, lower) + times(middle, diagonal) + times(above, upper);
  }), o);
}
AnyTensor outer(const AnyTensor& a, const AnyTensor& b) {
  const outcome o = checked<op::outer>("outer", a, b);
  return named(dispatch(ops::dot_general, {a, b}, {ir::Ints{}, ir::Ints{}, ir::Ints{}, ir::Ints{}}), o);
}
AnyTensor kron(const AnyTensor& a, const AnyTensor& b) {
  const outcome o = checked<op::kron>("kron", a, b);
  const AnyTensor blocks = permuted(dispatch(ops::dot_general, {a, b}, {ir::Ints{}, ir::Ints{}, ir::Ints{}, ir::Ints{}}), {0, 2, 1, 3});
  const ir::Shape &m = dims_of(a), &n = dims_of(b);
  return named(reshaped(blocks, {ir::times(m[0], n[0]), ir::times(m[1], n[1])}), o);
}

}  // namespace tlaloc::linalg
