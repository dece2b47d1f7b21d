// SPDX-License-Identifier: Apache-2.0
//
// Linear algebra on matrices along the last two axes; f32 and f64, computed in double.
#pragma once

#include "tlaloc/detail/tensor/rules_linalg.hpp"
#include "tlaloc/detail/tensor/typed.hpp"

namespace tlaloc {

namespace op {
using detail::outcome, detail::sig;
struct square_matrix { static constexpr outcome apply(const sig* s) { return detail::rules::like_matrix(s, true); } };
struct determinant { static constexpr outcome apply(const sig* s) { return detail::rules::of_matrix(s, true); } };
struct matrix_norm { static constexpr outcome apply(const sig* s) { return detail::rules::of_matrix(s, false); } };
struct matrix_trace { static constexpr outcome apply(const sig* s) { return detail::rules::of_matrix(s, false); } };
struct linear_solve { static constexpr outcome apply(const sig* s) { return detail::rules::solution(s, true); } };
struct least_squares { static constexpr outcome apply(const sig* s) { return detail::rules::solution(s, false); } };
struct left_factor { static constexpr outcome apply(const sig* s) { return detail::rules::factors(s, detail::rules::factor::left); } };
struct right_factor { static constexpr outcome apply(const sig* s) { return detail::rules::factors(s, detail::rules::factor::right); } };
struct singular_values { static constexpr outcome apply(const sig* s) { return detail::rules::factors(s, detail::rules::factor::values); } };
struct eigenvalues {
  static constexpr outcome apply(const sig* s) {
    outcome o = detail::rules::like_matrix(s, true);
    if (detail::ok(o)) --o.rank;
    return o;
  }
};
struct diagonal { static constexpr outcome apply(const sig* s) { return detail::rules::diagonal(s); } };
struct diag { static constexpr outcome apply(const sig* s) { return detail::rules::with_diagonal(s); } };
struct outer { static constexpr outcome apply(const sig* s) { return detail::rules::outer(s); } };
struct kron { static constexpr outcome apply(const sig* s) { return detail::rules::kron(s); } };
struct triangle { static constexpr outcome apply(const sig* s) { return detail::rules::part_of_matrix(s); } };
}  // namespace op

namespace linalg {

struct triangular { bool lower = true, transpose = false, unit_diagonal = false; };
/// The square root of the sum of squares; the largest singular value; their sum.
enum class matrix_norm : unsigned char { frobenius, spectral, nuclear };
template <class Q, class R> struct Qr { Q q; R r; };
template <class L, class V> struct Eigh { L values; V vectors; };
template <class U, class S, class V> struct Svd { U u; S s; V vt; };
template <class S> struct Slogdet { S sign, log_abs; };

// --- untyped ---
TLALOC_BEGIN_ENTRIES
AnyTensor cholesky(const AnyTensor&);             // of (a + a^T) / 2; NaN where that is not positive definite
AnyTensor solve_triangular(const AnyTensor& a, const AnyTensor& b, triangular = {});
AnyTensor solve(const AnyTensor& a, const AnyTensor& b);
AnyTensor solve_spd(const AnyTensor& a, const AnyTensor& b);   // symmetric and positive definite, by cholesky
AnyTensor inv(const AnyTensor&);
AnyTensor inv_spd(const AnyTensor&);
AnyTensor det(const AnyTensor&);
Slogdet<AnyTensor> slogdet(const AnyTensor&);
AnyTensor log_det_spd(const AnyTensor&);
Qr<AnyTensor, AnyTensor> qr(const AnyTensor&);    // reduced
Eigh<AnyTensor, AnyTensor> eigh(const AnyTensor&);
AnyTensor eigvalsh(const AnyTensor&);
Svd<AnyTensor, AnyTensor, AnyTensor> svd(const AnyTensor&);    // reduced
AnyTensor svdvals(const AnyTensor&);
/// The least |a x - b|, and of those the least |x|, for a of full rank.
AnyTensor lstsq(const AnyTensor& a, const AnyTensor& b);
AnyTensor pinv(const AnyTensor&);                 // of full rank
AnyTensor norm(const AnyTensor&, matrix_norm = matrix_norm::frobenius);
AnyTensor trace(const AnyTensor&);
AnyTensor diagonal(const AnyTensor&);
AnyTensor diag(const AnyTensor&);                 // the matrix with this diagonal
AnyTensor tril(const AnyTensor&, extent_t k = 0);
AnyTensor triu(const AnyTensor&, extent_t k = 0);
/// The part below the diagonal, the diagonal and the part above it, each times a number; a 0 drops even NaN.
AnyTensor scale_triangles(const AnyTensor&, double lower, double diagonal, double upper);
AnyTensor outer(const AnyTensor&, const AnyTensor&);
AnyTensor kron(const AnyTensor&, const AnyTensor&);
TLALOC_END_ENTRIES

// --- typed ---
#define TLALOC_OF_MATRIX(name, rule, parameters, passed)                                                                 \
  TLALOC_OP(name(const A& a TLALOC_UNPACK parameters), linalg::name(a.any() TLALOC_UNPACK passed),                       \
            typed_tensor A, class R = detail::result<op::rule, A>)
#define TLALOC_OF_TWO(name, rule, parameters, passed)                                                                    \
  TLALOC_OP(name(const A& a, const B& b TLALOC_UNPACK parameters), linalg::name(a.any(), b.any() TLALOC_UNPACK passed),  \
            typed_tensor A, typed_tensor B, class R = detail::result<op::rule, A, B>)
TLALOC_BEGIN_OPS
TLALOC_OF_MATRIX(cholesky, square_matrix, (), ())
TLALOC_OF_MATRIX(inv, square_matrix, (), ())
TLALOC_OF_MATRIX(inv_spd, square_matrix, (), ())
TLALOC_OF_MATRIX(det, determinant, (), ())
TLALOC_OF_MATRIX(log_det_spd, determinant, (), ())
TLALOC_OF_MATRIX(eigvalsh, eigenvalues, (), ())
TLALOC_OF_MATRIX(svdvals, singular_values, (), ())
TLALOC_OF_MATRIX(norm, matrix_norm, (, matrix_norm kind = matrix_norm::frobenius), (, kind))
TLALOC_OF_MATRIX(trace, matrix_trace, (), ())
TLALOC_OF_MATRIX(diagonal, diagonal, (), ())
TLALOC_OF_MATRIX(diag, diag, (), ())
TLALOC_OF_MATRIX(tril, triangle, (, extent_t k = 0), (, k))
TLALOC_OF_MATRIX(triu, triangle, (, extent_t k = 0), (, k))
TLALOC_OF_MATRIX(scale_triangles, triangle, (, double lower, double diagonal, double upper), (, lower, diagonal, upper))
TLALOC_OF_TWO(solve_triangular, linear_solve, (, triangular form = {}), (, form))
TLALOC_OF_TWO(solve, linear_solve, (), ())
TLALOC_OF_TWO(solve_spd, linear_solve, (), ())
TLALOC_OF_TWO(lstsq, least_squares, (), ())
TLALOC_OF_TWO(outer, outer, (), ())
TLALOC_OF_TWO(kron, kron, (), ())
TLALOC_END_OPS
#undef TLALOC_OF_MATRIX
#undef TLALOC_OF_TWO

template <typed_tensor A> auto slogdet(const A& a) {
  using R = detail::result<op::determinant, A>;
  const auto f = slogdet(a.any());
  return Slogdet<R>{R::adopt(f.sign), R::adopt(f.log_abs)};
}
template <typed_tensor A> auto qr(const A& a) {
  using Q = detail::result<op::left_factor, A>;
  using R = detail::result<op::right_factor, A>;
  const auto f = qr(a.any());
  return Qr<Q, R>{Q::adopt(f.q), R::adopt(f.r)};
}
template <typed_tensor A> auto eigh(const A& a) {
  using L = detail::result<op::eigenvalues, A>;
  using V = detail::result<op::square_matrix, A>;
  const auto f = eigh(a.any());
  return Eigh<L, V>{L::adopt(f.values), V::adopt(f.vectors)};
}
template <typed_tensor A> auto svd(const A& a) {
  using U = detail::result<op::left_factor, A>;
  using S = detail::result<op::singular_values, A>;
  using V = detail::result<op::right_factor, A>;
  const auto f = svd(a.any());
  return Svd<U, S, V>{U::adopt(f.u), S::adopt(f.s), V::adopt(f.vt)};
}

}  // namespace linalg
}  // namespace tlaloc
