// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices against SciPy, their derivatives against JAX on dense ones.
#include <tlaloc/jit.hpp>
#include <tlaloc/sparse.hpp>

#include "golden.hpp"
#include "tensor/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace tlaloc;
using sparse::Csr, sparse::Pattern;
using List = std::vector<std::int64_t>;

const GoldenArray& golden(const std::string& name) {
  static const auto all = [] {
    const GoldenArray rows[] = {
#include "golden/sparse.inc"
    };
    return by_name(rows);
  }();
  return all.at(name);
}
List integers(const std::string& name) {
  const auto& v = golden(name).values;
  return List(v.begin(), v.end());
}
template <class T> void expect(const std::string& name, const AnyTensor& y) {
  const GoldenArray& want = golden(name);
  const dynamic::Shape s = y.shape();
  ASSERT_EQ(std::vector<extent_t>(s.begin(), s.end()), want.shape) << name;
  const auto got = y.data<T>();
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want.values[i], (sizeof(T) == 8 ? 1e-12 : 2e-6) * std::max(1.0, std::fabs(want.values[i]))) << name << " " << i;
}
template <class T> void expect(const std::string& name, const Csr<T>& m) {
  EXPECT_EQ(m.pattern().row_start(), integers(name + ".row_start")) << name;
  EXPECT_EQ(m.pattern().column(), integers(name + ".column")) << name;
  expect<T>(name, m.values().any());
}
/// As in the script that wrote the numbers.
template <class X> X numbers(int seed, const typename X::shape_type& shape) {
  std::size_t n = 1;
  for (auto e : shape) n *= std::size_t(e);
  std::vector<typename X::value_type> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = typename X::value_type(double((i * 7919 + std::size_t(seed) * 1237 + 101) % 1021) / 256 - 510. / 256);
  return X::from(v, shape);
}
template <class T> Csr<T> stored(const std::string& name, extent_t n) {
  const auto& v = golden(name + ".values").values;
  const std::vector<T> values(v.begin(), v.end());
  return Csr<T>(Pattern(n, n, integers(name + ".row_start"), integers(name + ".column")), Vector<T>::from(values, {extent_t(values.size())}));
}

template <class T> class Sparse : public testing::Test {
 protected:
  using V = Vector<T>;
  using M = Matrix<T>;
  const List i{4, 0, 2, 2, 0, 4, 1, 2, 0, 1}, j{1, 3, 0, 2, 0, 5, 2, 0, 5, 3};
  Csr<T> a = Csr<T>::from_coo(5, 6, i, j, numbers<V>(1, {10}));
  Csr<T> b = Csr<T>::from_coo(5, 6, List{0, 0, 1, 2, 4, 4}, List{0, 4, 2, 1, 1, 5}, numbers<V>(2, {6}));
  Csr<T> c = Csr<T>::from_coo(6, 4, List{0, 1, 2, 2, 3, 5}, List{1, 0, 0, 2, 3, 1}, numbers<V>(3, {6}));
  V x = numbers<V>(4, {6});
  M xs = numbers<M>(5, {6, 3}), d = numbers<M>(6, {5, 6});

  /// f on other values of m and another second operand: the gradients, and the derivative in forward mode against them.
  template <class Other, class F> void gradients(const std::string& name, const Csr<T>& m, const Other& other, F f) {
    auto loss = [&](const V& values, const Other& o) {
      const auto y = f(Csr<T>(m.pattern(), values), o);
      using Y = std::remove_cvref_t<decltype(y)>;
      typename Y::shape_type shape;
      for (int k = 0; k < Y::rank; ++k) shape[std::size_t(k)] = y.extent(k);
      return tlaloc::sum(y * numbers<Y>(40, shape));
    };
    const auto [g, h] = jit(grad<0, 1>(loss))(m.values(), other);
    expect<T>(name + ".grad0", g.any());
    expect<T>(name + ".grad1", h.any());
    const V t = numbers<V>(8, {m.pattern().nonzeros()});
    EXPECT_NEAR(jit(jvp<0>(loss))(m.values(), other, t).item(), tlaloc::sum(g * t).item(), sizeof(T) == 8 ? 1e-11 : 1e-4) << name;
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Sparse, Types);

TYPED_TEST(Sparse, ValuesAreThoseOfSciPy) {
  using T = TypeParam;
  expect<T>("from_coo", this->a);
  expect<T>("to_dense", to_dense(this->a).any());
  expect<T>("transpose", transpose(this->a));
  expect<T>("spmv", matmul(this->a, this->x).any());
  expect<T>("spmm", matmul(this->a, this->xs).any());
  expect<T>("spgemm", matmul(this->a, this->c));
  expect<T>("add", this->a + this->b);
  expect<T>("sub", this->a - this->b);
  expect<T>("mul", this->a * this->b);
  expect<T>("mul_dense", this->a * this->d);
  expect<T>("solve", solve(stored<T>("solve", 6), this->x).any());
  expect<T>("solve_columns", solve(stored<T>("solve", 6), this->xs).any());
  expect<T>("solve_spd", solve(stored<T>("solve_spd", 6), this->x).any());
}
TYPED_TEST(Sparse, DerivativesAreThoseOfJax) {
  using T = TypeParam;
  using V = Vector<T>;
  using M = Matrix<T>;
  const Csr<T>&a = this->a, &b = this->b, &c = this->c;
  this->gradients("spmv", a, this->x, [](const Csr<T>& m, const V& o) { return matmul(m, o); });
  this->gradients("spmm", a, this->xs, [](const Csr<T>& m, const M& o) { return matmul(m, o); });
  this->gradients("spgemm", a, c.values(), [&](const Csr<T>& m, const V& o) { return matmul(m, Csr<T>(c.pattern(), o)).values(); });
  this->gradients("add", a, b.values(), [&](const Csr<T>& m, const V& o) { return (m + Csr<T>(b.pattern(), o)).values(); });
  this->gradients("sub", a, b.values(), [&](const Csr<T>& m, const V& o) { return (m - Csr<T>(b.pattern(), o)).values(); });
  this->gradients("mul", a, b.values(), [&](const Csr<T>& m, const V& o) { return (m * Csr<T>(b.pattern(), o)).values(); });
  this->gradients("mul_dense", a, this->d, [](const Csr<T>& m, const M& o) { return (m * o).values(); });
  this->gradients("solve", stored<T>("solve", 6), this->x, [](const Csr<T>& m, const V& o) { return solve(m, o); });
  this->gradients("solve_columns", stored<T>("solve", 6), this->xs, [](const Csr<T>& m, const M& o) { return solve(m, o); });
  this->gradients("solve_spd", stored<T>("solve_spd", 6), this->x, [](const Csr<T>& m, const V& o) { return solve(m, o); });
}
// Second derivatives, by differences of first ones.
TEST(SparseSolve, IsDifferentiatedTwice) {
  using V = Vector<double>;
  const auto a = stored<double>("solve", 6);
  const V x = numbers<V>(4, {6}), t = numbers<V>(9, {12});
  auto loss = [&](const V& v) { const V y = solve(Csr<double>(a.pattern(), v), x); return tlaloc::sum(y * y * y); };
  auto slope = [&](const V& v) { return jit(grad<0>(loss))(v); };
  const V got = jit(jvp<0>(slope))(a.values(), t), want = (slope(a.values() + t * 1e-5) - slope(a.values() - t * 1e-5)) / 2e-5;
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(got.at(k), want.at(k), 1e-7 * (1 + std::fabs(want.at(k))));
}
TEST(SparseSolve, OfASingularMatrixIsNaN) {
  const Csr<double> a(Pattern(2, 2, {0, 1, 2}, {0, 0}), Vector<double>::from({1, 2}, {2}));
  EXPECT_TRUE(std::isnan(solve(a, Vector<double>::from({1, 1}, {2})).at(0)));
}
TEST(SparseEdges, NothingIsStored) {
  const Csr<float> none(Pattern(2, 3, {0, 0, 0}, {}), Vector<float>::zeros({0}));
  EXPECT_EQ(matmul(none, Vector<float>::from({1, 2, 3}, {3})).at(1), 0);
  EXPECT_EQ((none + none).pattern().nonzeros(), 0);
  EXPECT_EQ(to_dense(none).extent(1), 3);
}
TEST(SparseRefusals, SayWhatDoesNotFit) {
  const auto v = Vector<float>::from({1, 2}, {2});
  EXPECT_EQ(refusal([&] { Pattern(2, 2, {0, 2}, {0, 1}); }), "TENSOR_SHAPE_MISMATCH: sparse: 2 row starts for 2 rows");
  EXPECT_EQ(refusal([&] { Pattern(1, 2, {0, 2}, {1, 0}); }), "TENSOR_SHAPE_MISMATCH: sparse: the columns of row 0 do not ascend");
  EXPECT_EQ(refusal([&] { Pattern(1, 2, {0, 1}, {2}); }), "INDEX_OUT_OF_RANGE: sparse: the column 2 of 2");
  EXPECT_EQ(refusal([&] { Pattern(1, 2, {0, 1}, {0, 1}); }), "TENSOR_SHAPE_MISMATCH: sparse: the row starts do not ascend from 0 to the number of values");
  const Pattern p(2, 3, {0, 1, 2}, {0, 2});
  EXPECT_EQ(refusal([&] { Csr<float>(p, Vector<float>::zeros({3})); }), "TENSOR_SHAPE_MISMATCH: sparse: f32[3] for 2 stored values");
  const Csr<float> a(p, v);
  EXPECT_EQ(refusal([&] { matmul(a, v); }), "TENSOR_SHAPE_MISMATCH: matmul: 2 x 3 and f32[2]");
  EXPECT_EQ(refusal([&] { matmul(a, a); }), "TENSOR_SHAPE_MISMATCH: matmul: 2 x 3 and 2 x 3");
  EXPECT_EQ(refusal([&] { solve(a, v); }), "TENSOR_SHAPE_MISMATCH: solve: 2 x 3 and f32[2]");
  EXPECT_EQ(refusal([&] { a + transpose(a); }), "TENSOR_SHAPE_MISMATCH: add: 2 x 3 and 3 x 2");
  EXPECT_EQ(refusal([&] { Csr<float>::from_coo(2, 2, List{0, 2}, List{0, 0}, v); }), "INDEX_OUT_OF_RANGE: from_coo: the row 2 of 2");
}

}  // namespace
