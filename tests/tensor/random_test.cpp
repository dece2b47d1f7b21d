// SPDX-License-Identifier: Apache-2.0
//
// Random numbers against JAX, in both of its streams; keys that only the run knows; keys that are mapped over.
#include <tlaloc/jit.hpp>
#include <tlaloc/random.hpp>

#include "golden.hpp"
#include "tensor/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tlaloc;
using namespace tlaloc::random;
using dynamic::Shape;

const std::map<std::string, TolerantArray>& golden() {
  static const auto all = [] {
    const TolerantArray rows[] = {
#include "golden/random.inc"
    };
    return by_name(rows);
  }();
  return all;
}
void expect(const std::string& name, const AnyTensor& y) {
  const auto row = golden().find(name);
  ASSERT_NE(row, golden().end()) << name;
  const Shape s = y.shape();
  ASSERT_EQ(std::vector<extent_t>(s.begin(), s.end()), row->second.shape) << name;
  const AnyTensor wide = cast<double>(y);
  const auto got = wide.data<double>();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = row->second.values[i];
    EXPECT_LE(std::fabs(got[i] - want), row->second.tolerance * std::max(1.0, std::fabs(want))) << name << " " << i << ": " << got[i] << " for " << want;
  }
}
template <class T> AnyTensor tensor(std::vector<T> v, const Shape& s) { return AnyTensor(dtype_of<T>, s, v.data()); }

class Random : public testing::TestWithParam<stream> {
 protected:
  std::string tag(const std::string& s) const { return (GetParam() == stream::classic ? "classic." : "partitionable.") + s; }
  Key key = random::key(0x123456789ABCDEF), small = random::key(7);
};
INSTANTIATE_TEST_SUITE_P(Both, Random, testing::Values(stream::classic, stream::partitionable));

TEST_P(Random, BitsAreThoseOfJax) {
  const stream s = GetParam();
  expect(tag("key"), key);
  expect(tag("split"), split(key.any(), {3}, s));
  expect(tag("fold_in"), fold_in(key, 4000000000u));
  for (extent_t n : {1, 5, 8}) {
    expect(tag("bits8." + std::to_string(n)), bits(key, dtype::u8, {n}, s));
    expect(tag("bits16." + std::to_string(n)), bits(key, dtype::u16, {n}, s));
    expect(tag("bits32." + std::to_string(n)), bits(key, dtype::u32, {n}, s));
  }
  expect(tag("bits32.matrix"), bits(key, dtype::u32, {3, 5}, s));
  expect(tag("nothing"), bits(key, dtype::u32, {0, 3}, s));
  const auto words = random::bits<Tensor<std::uint64_t, dim<2>, dim<3>>>(key, {2, 3}, s);
  std::vector<double> halves;
  for (std::uint64_t w : words.data()) halves.push_back(double(w >> 32)), halves.push_back(double(w & 0xFFFFFFFF));
  expect(tag("bits64"), tensor(halves, {2, 3, 2}));
  const auto [a, b, c] = random::split<3>(key, s);
  expect(tag("split"), concat({reshape(a.any(), {1, 2}), reshape(b.any(), {1, 2}), reshape(c.any(), {1, 2})}, 0));
}
TEST_P(Random, NumbersAreThoseOfJax) {
  const stream s = GetParam();
  const std::pair<const char*, dtype> types[] = {{"float64", dtype::f64}, {"float32", dtype::f32}, {"float16", dtype::f16}, {"bfloat16", dtype::bf16}};
  for (auto& [name, d] : types) expect(tag(std::string("uniform.") + name), uniform(small, d, {2, 5}, {}, s));
  for (auto& [name, d] : std::span(types).first(2)) {
    auto with_type = [&](const char* what) { return tag(std::string(what) + "." + name); };
    const Shape shape{3, 4};
    expect(with_type("between"), uniform(small, d, {7}, {-2, 6}, s));
    expect(with_type("normal"), normal(small, d, shape, random::normal_form::inverse_erf, s));
    expect(with_type("exponential"), exponential(small, d, shape, s));
    expect(with_type("cauchy"), cauchy(small, d, shape, s));
    expect(with_type("gumbel"), gumbel(small, d, shape, s));
    expect(with_type("truncated_normal"), truncated_normal(small, d, shape, {-0.5, 1.25}, s));
    const AnyTensor alpha = cast(tensor<double>({0.3, 0.9, 1.0, 2.5, 7.0, 0.05, 40.0, 1.5}, {2, 4}), d);
    expect(with_type("gamma"), random::gamma(small, alpha, s));
    expect(with_type("log_gamma"), random::log_gamma(small, alpha, s));
    expect(with_type("chi_square"), random::chi_square(small, alpha, s));
    expect(with_type("beta"), random::beta(small, alpha, 1.5, s));
  }
}
TEST_P(Random, ChoicesAreThoseOfJax) {
  const stream s = GetParam();
  std::vector<float> p(20);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = float(double(i) / 19);
  expect(tag("bernoulli"), random::bernoulli(small, tensor(p, {20}), s));
  const AnyTensor logits = tensor<float>({0.5f, -1, 2, 0, 3, 3, -2, 1, 0, 0, 0, 0}, {3, 4});
  expect(tag("categorical"), random::categorical(small, logits, 1, s));
  expect(tag("categorical.0"), random::categorical(small, logits, 0, s));
  expect(tag("permutation"), random::permutation(small, dynamic::arange(dtype::i32, 50), 0, s));
  expect(tag("permutation.rows"), random::permutation(small, reshape(dynamic::arange(dtype::i64, 12), {4, 3}), 0, s));
}
TEST_P(Random, DerivativesAreThoseOfJax) {
  const stream s = GetParam();
  using A = Tensor<double, dim<2>, dim<4>>;
  const auto alpha = A::from({0.3, 0.9, 1.0, 2.5, 7.0, 0.05, 40.0, 1.5});
  expect(tag("gamma.grad"), jit(grad<0>([&](const A& a) { return sum(random::gamma(small, a, s)); }))(alpha));
  expect(tag("log_gamma.grad"), jit(grad<0>([&](const A& a) { return sum(random::log_gamma(small, a, s)); }))(alpha));
  expect(tag("chi_square.grad"), jit(grad<0>([&](const A& a) { return sum(random::chi_square(small, a, s)); }))(alpha));
  expect(tag("beta.grad"), jit(grad<0>([&](const A& a) { return sum(random::beta(small, a, 1.5, s)); }))(alpha));
  const auto ones = A::full(1.0);
  expect(tag("gamma.grad"), jit(jvp<0>([&](const A& a) { return random::gamma(small, a, s); }))(alpha, ones));
}
struct Each : axis<> {};
TEST_P(Random, KeysAreMapped) {
  const stream s = GetParam();
  const auto keys = random::split<Each>(small, 4, s);
  expect(tag("per_key"), vmap<Each, in<0>>([&](const Key& k) { return random::normal<Tensor<double, dim<3>>>(k, {3}, random::normal_form::inverse_erf, s); })(keys));
  const auto alpha = Tensor<double, dim<2>>::from({0.5, 3.0});
  expect(tag("gamma.per_key"), vmap<Each, in<0>>([&](const Key& k) { return random::gamma(k, alpha, s); })(random::split<Each>(small, 3, s)));
}

TEST(Keys, AreValuesOfTheRun) {
  using X = Tensor<double, dim<5>>;
  auto sample = [](const Key& k, const Scalar<double>& mu, const Scalar<double>& sigma) {
    const X z = random::normal<X>(fold_in(k, 3u));
    const X y = mu + sigma * z;
    return sum(y * y);
  };
  const auto program = trace(sample, spec<Key>(), spec<Scalar<double>>(), spec<Scalar<double>>());
  for (int seed : {1, 2}) {
    const Key k = random::key(std::uint64_t(seed));
    EXPECT_EQ(program(k, 0.5, 2.0).item(), sample(k, 0.5, 2.0).item());
    // the draws are constants of the derivative
    const X z = random::normal<X>(fold_in(k, 3u)), y = 0.5 + 2.0 * z;
    const auto [d_mu, d_sigma] = jit(grad<1, 2>(sample))(k, Scalar<double>(0.5), Scalar<double>(2.0));
    EXPECT_NEAR(d_mu.item(), sum(2.0 * y).item(), 1e-12);
    EXPECT_NEAR(d_sigma.item(), sum(2.0 * y * z).item(), 1e-12);
  }
  EXPECT_NE(program(random::key(1), 0.5, 2.0).item(), program(random::key(2), 0.5, 2.0).item());
}
TEST(Normal, ByBoxAndMuller) {
  constexpr std::size_t n = 20000;
  using X = Tensor<double, dim<n>>;
  const Key k = random::key(3);
  const X z = random::normal<X>(k, X::static_extents, random::normal_form::box_muller);
  const auto u = random::uniform<Tensor<double, dim<2 * n>>>(k);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(z.at(i), std::sqrt(-2 * std::log1p(-u.at(i))) * std::cos(2 * 3.141592653589793 * u.at(i + n)), 1e-14);
  EXPECT_NEAR(mean(z).item(), 0, 0.03);
  EXPECT_NEAR(var(z).item(), 1, 0.04);
}
TEST(Refusals, OfRandomNumbers) {
  const Key k = random::key(1);
  EXPECT_EQ(refusal([&] { uniform(tensor<float>({1, 2}, {2}), dtype::f32, {3}); }), "INVALID_OPERATION: uniform: a key is two numbers of u32, not f32[2]");
  EXPECT_EQ(refusal([&] { normal(k, dtype::i32, {3}); }), "DTYPE_MISMATCH: normal: gives floating-point numbers, not i32");
  EXPECT_EQ(refusal([&] { bits(k, dtype::f32, {3}); }), "DTYPE_MISMATCH: bits: gives unsigned integers, not f32");
  EXPECT_EQ(refusal([&] { normal(k, dtype::f32, {-1}); }), "TENSOR_SHAPE_MISMATCH: normal: an extent of -1");
  EXPECT_EQ(refusal([&] { truncated_normal(k, dtype::f32, {3}, {1, 1}); }), "INVALID_OPERATION: truncated_normal: the interval is empty");
  const AnyTensor alpha = tensor<double>({1.5, 2}, {2});
  auto twice = [&](const Tensor<double, dim<2>>& a) { return sum(jit(grad<0>([&](const Tensor<double, dim<2>>& b) { return sum(random::gamma(k, b)); }))(a)); };
  EXPECT_EQ(refusal([&] { jit(grad<0>(twice))(typed<double, dim<2>>(alpha)); }),
            "NOT_DIFFERENTIABLE: random_gamma_grad by a: the second derivative by the shape has no closed form");
}

}  // namespace
