// SPDX-License-Identifier: Apache-2.0
//
// Every case of golden.py as a recorded program: its values and its gradients against JAX, its tangents against its gradients.
#include "tensor/cases.hpp"

#include <tlaloc/trace.hpp>

namespace {

using namespace cases;

TEST(Traced, ProgramsGiveWhatJaxGives) {
  for (auto& c : all()) EXPECT_LE(distance(c.name, recorded(c).run(c.operands)[0]), 1e-12) << c.name;
}
TEST(Traced, GradientsAreThoseOfJax) {
  int n = 0;
  for (auto& c : all()) {
    if (!has_gradient(c)) continue;
    try {
      const auto g = weighted(c).grad().run(c.operands);
      ASSERT_EQ(g.size(), c.operands.size());
      for (std::size_t k = 0; k < g.size(); ++k) {
        EXPECT_LE(distance(c.name + ".grad" + std::to_string(k), g[k]), 1e-12) << c.name << " by operand " << k;
        ++n;
      }
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
  EXPECT_GT(n, 150);
}
TEST(Traced, TangentsAgreeWithGradients) {
  for (auto& c : all()) {
    if (!has_gradient(c)) continue;
    List in = c.operands;
    for (std::size_t k = 0; k < c.operands.size(); ++k) in.push_back(numbers(50 + int(k), c.operands[k].shape()));
    try {
      double want = 0, scale = 1;
      const auto g = weighted(c).grad().run(c.operands);
      for (std::size_t k = 0; k < g.size(); ++k) {
        const auto d = doubles(g[k]), t = doubles(in[c.operands.size() + k]);
        for (std::size_t i = 0; i < d.size(); ++i) want += d[i] * t[i], scale += std::fabs(d[i] * t[i]);
      }
      EXPECT_NEAR(weighted(c).jvp().run(in)[0].item<double>(), want, 1e-13 * scale) << c.name;
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}

// Derivatives of gradients, forward over reverse, against differences of gradients that JAX confirmed.
TEST(Traced, SecondDerivativesAreDifferencesOfGradients) {
  for (auto& c : all()) {
    if (!has_gradient(c)) continue;
    const std::size_t n = c.operands.size();
    const double h = 1e-5;
    List in = c.operands, up, down;
    for (std::size_t k = 0; k < n; ++k) {
      in.push_back(numbers(50 + int(k), c.operands[k].shape()));
      up.push_back(c.operands[k] + in.back() * h);
      down.push_back(c.operands[k] - in.back() * h);
    }
    try {
      const Program g = weighted(c).grad();
      const auto products = g.jvp().run(in), plus = g.run(up), minus = g.run(down);
      for (std::size_t k = 0; k < n; ++k) {
        const auto got = doubles(products[k]), p = doubles(plus[k]), m = doubles(minus[k]);
        for (std::size_t i = 0; i < got.size(); ++i) {
          const double want = (p[i] - m[i]) / (2 * h), scale = 1 + std::fabs(want) + std::fabs(p[i]);
          EXPECT_NEAR(got[i], want, 1e-6 * scale) << c.name << " by operand " << k;
        }
      }
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}
// The inputs are exact in f32.
TEST(Traced, SinglePrecisionIsNear) {
  for (auto& c : all()) {
    if (!has_gradient(c)) continue;
    Case narrow = c;
    for (auto& x : narrow.operands) x = cast(x, dtype::f32);
    EXPECT_LE(distance(c.name, narrow.f(narrow.operands)), 4e-6) << c.name;
    const auto p = trace([&](const List& x) {
      const AnyTensor y = c.f(x);
      return sum(y * cast(numbers(40, y.shape()), dtype::f32));
    }, spec<List>(narrow.operands));
    try {
      const auto g = p.grad().run(narrow.operands);
      for (std::size_t k = 0; k < g.size(); ++k) EXPECT_LE(distance(c.name + ".grad" + std::to_string(k), g[k]), 1e-5) << c.name << " by operand " << k;
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}
TEST(Traced, ProgramsAreStableHlo) {
  const auto p = trace([](const List& x) { return softmax(matmul(x[0], x[1])); }, spec<List>({numbers(1, {2, 3}), numbers(2, {3, 4})}));
  const std::string text = p.stablehlo();
  for (const char* part : {"func.func public @main(", "tensor<2x3xf64>", "stablehlo.dot_general", "stablehlo.exponential", "stablehlo.reduce"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
