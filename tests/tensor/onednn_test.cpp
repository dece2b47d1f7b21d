// SPDX-License-Identifier: Apache-2.0
//
// Products and convolutions large enough for oneDNN, against the same ones in f64, which it does not compute.
#include "tensor/cases.hpp"

namespace {

using namespace cases;

void expect_near(const AnyTensor& narrow, const AnyTensor& wide, double per_term) {
  ASSERT_TRUE(narrow.shape() == wide.shape());
  const auto a = doubles(narrow), b = doubles(wide);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
  EXPECT_LE(worst, per_term * 4 * 6e-8);          // numbers below 2 in magnitude
  EXPECT_GT(worst, 0) << "f32 that is exact is not f32";
}
template <class F> void both(const AnyTensor& a, const AnyTensor& b, double terms, F f) {
  const AnyTensor third = AnyTensor(1.0 / 3);     // no exact products
  const AnyTensor x = cast(a * third, dtype::f32), w = cast(b * third, dtype::f32);
  expect_near(f(x, w), f(cast(x, dtype::f64), cast(w, dtype::f64)), terms);
}

TEST(OneDnn, Products) {
  const auto by_matmul = [](const AnyTensor& x, const AnyTensor& w) { return matmul(x, w); };
  both(numbers(1, {70, 90}), numbers(2, {90, 50}), 90, by_matmul);
  both(numbers(1, {3, 40, 60}), numbers(2, {3, 60, 50}), 60, by_matmul);
  both(numbers(1, {3, 40, 60}), numbers(2, {60, 50}), 60, by_matmul);
  both(numbers(1, {400, 300}), numbers(2, {300}), 300, by_matmul);
  // contracted axes first, in the middle, two at once; a transposed result
  both(numbers(1, {90, 70}), numbers(2, {90, 50}), 90, [](const auto& x, const auto& w) { return einsum("ki,kj->ji", {x, w}); });
  both(numbers(1, {20, 30, 40}), numbers(2, {30, 50}), 30, [](const auto& x, const auto& w) { return einsum("ikj,kl->ijl", {x, w}); });
  both(numbers(1, {50, 6, 20}), numbers(2, {6, 20, 40}), 120, [](const auto& x, const auto& w) { return einsum("iab,abj->ij", {x, w}); });
  both(numbers(1, {2, 30, 4, 16}), numbers(2, {2, 35, 4, 16}), 16, [](const auto& x, const auto& w) { return einsum("bshd,bkhd->bhsk", {x, w}); });
}
TEST(OneDnn, Convolutions) {
  both(numbers(1, {2, 8, 20, 18}), numbers(2, {16, 8, 3, 3}), 72, [](const auto& x, const auto& w) { return conv(x, w, {.stride = {2, 1}, .pad = {1, 2}}); });
  both(numbers(1, {2, 8, 20, 18}), numbers(2, {16, 2, 3, 3}), 18, [](const auto& x, const auto& w) { return conv(x, w, {.pad = 1, .dilation = 2, .groups = 4}); });
  both(numbers(1, {2, 16, 300}), numbers(2, {32, 16, 5}), 80, [](const auto& x, const auto& w) { return conv(x, w, {.stride = 3}); });
  both(numbers(1, {1, 4, 9, 10, 11}), numbers(2, {8, 4, 3, 2, 3}), 72, [](const auto& x, const auto& w) { return conv(x, w); });
  both(numbers(1, {2, 8, 12, 12}), numbers(2, {8, 6, 3, 3}), 72, [](const auto& x, const auto& w) { return conv_transpose(x, w, {.stride = 2, .pad = 1}); });
}

}  // namespace
