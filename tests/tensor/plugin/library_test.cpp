// SPDX-License-Identifier: Apache-2.0
//
// Losses, linear algebra and random numbers by way of the plugin, judged by JAX as in ops_test.cpp.
#include "tensor/plugin/judged.hpp"

#include <tlaloc/random.hpp>

namespace {

using namespace judged;

struct Row : axis<> {};
struct Class : axis<> {};

const S33 m33 = typed<double, dim<3>, dim<3>>(numbers(60, {3, 3}));
const M tall = typed<double, dim<>, dim<>>(numbers(61, {4, 3})),
        wide = typed<double, dim<>, dim<>>(numbers(62, {3, 4})),
        b32 = typed<double, dim<>, dim<>>(numbers(63, {3, 2}));
const Tensor<double, dim<4>, dim<3>> s43 = typed<double, dim<4>, dim<3>>(numbers(61, {4, 3}));
const Tensor<double, dim<3>, dim<4>> s34w = typed<double, dim<3>, dim<4>>(numbers(62, {3, 4}));

S33 eye(double c) { return linalg::diag(Tensor<double, dim<3>>::full(c)); }
S33 spd(const S33& x) { return matmul(x, transpose<1, 0>(x)) + eye(3); }
S33 regular(const S33& x) { return x + eye(4); }
const auto steps = Tensor<double, dim<3>>::from({1, 5, 12});

TEST(PluginLosses, OfClasses) {
  EXPECT_OP("cross_entropy", ([](const M& x, const M& t) {
              return cross_entropy<Class>(rename<Row, Class>(x), rename<Row, Class>(t));
            }),
            x34, p34);
  EXPECT_OP("nll_loss", ([](const M& x, const M& t) {
              return nll_loss<Row>(rename<Row, Class>(x), rename<Row, Class>(t));
            }),
            x34, p34);
}
TEST(PluginLinalg, Triangles) {
  EXPECT_OP("cholesky", ([](const S33& x) { return linalg::cholesky(spd(x)); }), m33);
  EXPECT_OP("solve_triangular",
            ([](const S33& x, const M& b) { return linalg::solve_triangular(regular(x), b); }), m33,
            b32);
  EXPECT_OP("solve_triangular_up", ([](const S33& x, const M& b) {
              return linalg::solve_triangular(
                  regular(x), b, {.lower = false, .transpose = true, .unit_diagonal = true});
            }),
            m33, b32);
  EXPECT_OP("solve_spd", ([](const S33& x, const V& b) { return linalg::solve_spd(spd(x), b); }),
            m33, v3);
  EXPECT_OP("inv_spd", ([](const S33& x) { return linalg::inv_spd(spd(x)); }), m33);
  EXPECT_OP("log_det_spd", ([](const S33& x) { return linalg::log_det_spd(spd(x)); }), m33);
  EXPECT_OP("tril", ([](const M& x) { return linalg::tril(x, -1); }), tall);
  EXPECT_OP("triu", ([](const M& x) { return linalg::triu(x, 1); }), tall);
  EXPECT_OP("scale_triangles",
            ([](const S33& x) { return linalg::scale_triangles(x, 0, 0.5, -2); }), m33);
}
TEST(PluginLinalg, Matrices) {
  EXPECT_OP("trace", ([](const S33& x) { return linalg::trace(x); }), m33);
  EXPECT_OP("diagonal",
            ([](const Tensor<double, dim<4>, dim<3>>& x) { return linalg::diagonal(x); }), s43);
  EXPECT_OP("diag", ([](const V& x) { return linalg::diag(x); }), v3);
  EXPECT_OP("outer", ([](const V& x, const V& y) { return linalg::outer(x, y); }), v3, r4);
  EXPECT_OP("kron", ([](const M& x, const M& y) { return linalg::kron(x, y); }),
            (typed<double, dim<>, dim<>>(m33.any())), b32);
  EXPECT_OP("norm_frobenius", ([](const M& x) { return linalg::norm(x); }), tall);
  EXPECT_OP("norm_nuclear", ([](const Tensor<double, dim<4>, dim<3>>& x) {
              return linalg::norm(x, linalg::matrix_norm::nuclear);
            }),
            s43);
}
TEST(PluginLinalg, Factorisations) {
  EXPECT_OP("solve", ([](const S33& x, const M& b) { return linalg::solve(regular(x), b); }),
            m33, b32);
  EXPECT_OP("inv", ([](const S33& x) { return linalg::inv(regular(x)); }), m33);
  EXPECT_OP("det", ([](const S33& x) { return linalg::det(x); }), m33);
  EXPECT_OP("slogdet", ([](const S33& x) { return linalg::slogdet(x).log_abs; }), m33);
  EXPECT_OP("qr_q", ([](const Tensor<double, dim<4>, dim<3>>& x) { return linalg::qr(x).q; }),
            s43);
  EXPECT_OP("qr_r", ([](const Tensor<double, dim<4>, dim<3>>& x) {
              auto [q, r] = linalg::qr(x);
              return r;
            }),
            s43);
  EXPECT_OP("eigvalsh",
            ([](const S33& x) { return linalg::eigvalsh(x + linalg::diag(steps)); }), m33);
  EXPECT_OP("eigh_vectors",
            ([](const S33& x) { return linalg::eigh(x + linalg::diag(steps)).vectors; }), m33);
  EXPECT_OP("svd_u",
            ([](const Tensor<double, dim<4>, dim<3>>& x) { return linalg::svd(x).u; }), s43);
  EXPECT_OP("svd_vt_wide",
            ([](const Tensor<double, dim<3>, dim<4>>& x) { return linalg::svd(x).vt; }), s34w);
  EXPECT_OP("lstsq", ([](const Tensor<double, dim<4>, dim<3>>& x, const V& b) {
              return linalg::lstsq(x, b);
            }),
            s43, r4);
}

/// The library's own draws, which random_test.cpp compares with JAX, are those that a derivative
/// makes, to the bit.
using Rows = Tensor<double, dim<>, dim<5>>;
Scalar<double> noisy(const Rows& x, std::uint64_t seed, int step) {
  const random::Key key = random::fold_in(random::key(seed), std::uint32_t(step));
  const Rows z = random::normal<Rows>(key, {x.extent(0), 5});
  return sum(x * z + sin(x) * random::uniform<Rows>(key, {x.extent(0), 5}, {-1, 2}));
}
TEST(PluginRandom, DrawsAreThoseOfTheLibrary) {
  const Rows x = typed<double, dim<>, dim<5>>(numbers(1, {3, 5}));
  const random::Key key = random::fold_in(random::key(0x123456789), 7u);
  const Rows expected =
      random::normal<Rows>(key, {3, 5}) + cos(x) * random::uniform<Rows>(key, {3, 5}, {-1, 2});
  EXPECT_EQ(doubles(grad<0>(noisy)(x, 0x123456789, 7).any()), doubles(expected.any()));
}
TEST(PluginRandom, ByParameters) {
  using A = Tensor<double, sized<Row, 2>, sized<Class, 4>>;
  const A alpha = A::from({0.3, 0.9, 1.0, 2.5, 7.0, 0.05, 40.0, 1.5});
  const random::Key key = random::key(7);
  const auto by_plugin = grad<0>(
      [](const A& a, const random::Key& k) { return sum(random::gamma(k, a)); })(alpha, key);
  const auto by_recording =
      jit(grad<0>([&](const A& a) { return sum(random::gamma(key, a)); }))(alpha); // judged by JAX
  for (int i = 0; i < 8; ++i)
    EXPECT_NEAR(by_plugin.at(i / 4, i % 4), by_recording.at(i / 4, i % 4),
                1e-12 * std::fabs(by_recording.at(i / 4, i % 4)));
  const auto shuffled = vjp<0>([](const A& a, const random::Key& k) {
    return random::permutation<Class>(k, a);
  })(alpha, key, alpha);
  EXPECT_EQ(doubles(random::permutation<Class>(key, shuffled).any()), doubles(alpha.any()));
}

}  // namespace
