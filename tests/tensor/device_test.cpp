// SPDX-License-Identifier: Apache-2.0
//
// Every case and its gradients as StableHLO on XLA's CPU plugin, against JAX: the judge of what is printed.
#include "tensor/cases.hpp"
#include "tensor/refusal.hpp"

#include <tlaloc/jit.hpp>

namespace {

using namespace cases;

TEST(Device, CasesAndGradientsAreThoseOfJax) {
  for (auto& c : all()) {
    const auto p = trace([&](const List& x) { return c.f(x); }, spec<List>(c.operands));
    if (c.name.starts_with("here_")) {
      EXPECT_NE(refusal([&] { p.stablehlo(); }).find("StableHLO has no such factorisation"), std::string::npos) << c.name;
      continue;
    }
    try {
      if (!golden().contains(c.name + ".grad0")) {
        EXPECT_LE(distance(c.name, p.run(c.operands, TLALOC_XLA_CPU)[0]), 1e-12) << c.name;
        continue;
      }
      List in = c.operands;
      in.push_back(numbers(40, c.f(c.operands).shape()));
      const auto y = p.value_and_vjp().run(in, TLALOC_XLA_CPU);
      EXPECT_LE(distance(c.name, y[0]), 1e-12) << c.name;
      for (std::size_t k = 1; k < y.size(); ++k) EXPECT_LE(distance(c.name + ".grad" + std::to_string(k - 1), y[k]), 1e-12) << c.name << " by operand " << k - 1;
    } catch (const tensor_error& e) {
      ADD_FAILURE() << c.name << ": " << e.what();
    }
  }
}

using V = Tensor<float, dim<3>>;
Scalar<float> cubes(const V& x) { return sum(x * x * x); }
TEST(Device, JitTakesADevice) {
  const V x = V::from({1, 2, 3});
  EXPECT_EQ(jit(cubes, {.device = TLALOC_XLA_CPU})(x).item(), 36);
  EXPECT_EQ(jit(grad(cubes), {.device = TLALOC_XLA_CPU})(x).at(2), 27);
  try {
    jit(cubes, {.device = "nowhere.so"})(x);
    ADD_FAILURE() << "a plugin that is not there";
  } catch (const tensor_error& e) {
    EXPECT_STREQ(e.code(), "CANNOT_LOAD_PLUGIN");
  }
}

}  // namespace
