// SPDX-License-Identifier: Apache-2.0
//
// Every case and its gradients as StableHLO on XLA's CPU plugin, against JAX: the judge of what is printed.
#include "tensor/cases.hpp"

#include <tlaloc/jit.hpp>

#include "runtime/pjrt/client.hpp"
#include "tensor/refusal.hpp"

namespace {

using namespace cases;

TEST(Device, CasesAndGradientsAreThoseOfJax) {
  for (auto& c : all()) {
    const auto p = trace([&](const List& x) { return c.f(x); }, spec<List>(c.operands));
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


namespace pjrt = runtime::pjrt;
ir::Array array(const ir::Shape& shape, std::vector<float> v) {
  ir::Array a(ir::Type{ir::DType::f32, shape});
  std::copy(v.begin(), v.end(), a.data<float>());
  return a;
}
std::vector<float> values(const ir::Array& a) { return {a.data<float>(), a.data<float>() + a.size()}; }

TEST(Device, ResultsTakeOverWhatIsDonated) {
  const auto p = trace([](const V& x, const V& y) { return x - y; }, spec<V>(), spec<V>());
  const std::string text = p.stablehlo({.donate = {1}});
  EXPECT_NE(text.find("%y: tensor<3xf32> {tf.aliasing_output = 0 : i32}"), std::string::npos) << text;
  EXPECT_EQ(text, p.stablehlo({.donate = {1}}));
  const pjrt::Client client(pjrt::Plugin::load(TLALOC_XLA_CPU));
  const pjrt::Buffer x = client.put(array({3}, {1, 2, 3})), y = client.put(array({3}, {4, 4, 4}));
  const auto out = client.compile(text).execute({&x, &y});
  EXPECT_EQ(values(out[0].get()), (std::vector<float>{-3, -2, -1}));
  EXPECT_TRUE(y.deleted());
  EXPECT_FALSE(x.deleted());
}
struct Weights { V w, b; };
TEST(Device, JitDonatesAllOfAnArgument) {
  auto step = [](const Weights& m, const V& x) { return Weights{m.w - x, m.b * x}; };
  const Weights m{V::from({1, 2, 3}), V::from({4, 5, 6})};
  const V x = V::from({1, 1, 2});
  const auto f = jit(step, {.device = TLALOC_XLA_CPU, .donate = {0}});
  for (int i = 0; i < 2; ++i) {
    const Weights n = f(m, x);
    EXPECT_EQ(n.w.at(2), 1);
    EXPECT_EQ(n.b.at(2), 12);
  }
  EXPECT_EQ(m.w.at(2), 3);                        // tensors on the host are nobody's to take
  EXPECT_EQ(refusal([&] { jit(cubes, {.device = TLALOC_XLA_CPU, .donate = {0}})(x); }),
            "INVALID_OPERATION: stablehlo: input 0 is donated, but no result of its type, f32[3], is left to take its memory");
  EXPECT_EQ(refusal([&] { jit(cubes, {.donate = {1}})(x); }), "UNKNOWN_ARGUMENT: jit: no argument 1 to donate");
}

struct Batch : axis<> {};
struct Model : axis<2> {};
struct Out : axis<4> {};
using Rows = Tensor<float, Batch, Model>;
using Kernel = Tensor<float, Model, Out>;
TEST(Device, ProgramsAreSpreadOverAMesh) {
  const auto p = trace([](const Rows& x, const Kernel& w) { return matmul(x, w); }, spec<Rows>({4, 2}), spec<Kernel>());
  const std::string text = p.stablehlo({.mesh = {{"data", 2}, {"model", 2}}, .spread = {{"Batch", "data"}, {"Out", "model"}}});
  for (const char* part : {"sdy.mesh @mesh = <[\"data\"=2, \"model\"=2]>", "%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}",
                           "-> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {\"model\"}]>})"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const pjrt::Client client(pjrt::Plugin::load(TLALOC_XLA_CPU));
  pjrt::CompileOptions four;
  four.partitions = 4, four.spmd = true, four.shardy = true;
  const pjrt::Executable f = client.compile(text, four);
  const auto devices = f.devices();
  ASSERT_EQ(devices.size(), 4u);
  std::vector<pjrt::Buffer> buffers;
  for (int d = 0; d < 4; ++d) {                   // rows 2 i, 2 i + 1 and columns 2 j, 2 j + 1 are device 2 i + j's
    const float i = float(d / 2 * 4), j = float(d % 2 * 2);
    buffers.push_back(client.put(array({2, 2}, {i, i + 1, i + 2, i + 3}), devices[std::size_t(d)]));
    buffers.push_back(client.put(array({2, 2}, {j, j + 1, j + 4, j + 5}), devices[std::size_t(d)]));
  }
  std::vector<pjrt::Executable::Arguments> arguments;
  for (std::size_t d = 0; d < 4; ++d) arguments.push_back({&buffers[2 * d], &buffers[2 * d + 1]});
  const auto out = f.execute_on_all(arguments);
  for (int d = 0; d < 4; ++d) {
    const auto y = values(out[std::size_t(d)][0].get());
    ASSERT_EQ(y.size(), 4u);
    for (int r = 0; r < 2; ++r) for (int c = 0; c < 2; ++c) {
      const int row = d / 2 * 2 + r, column = d % 2 * 2 + c;     // x[a, b] = 2 a + b, w[b, c] = 4 b + c
      EXPECT_EQ(y[std::size_t(2 * r + c)], float(2 * row * column + (2 * row + 1) * (4 + column)));
    }
  }
  auto refused = [&](const stablehlo_options& o) { return refusal([&] { p.stablehlo(o); }); };
  EXPECT_EQ(refused({.mesh = {{"data", 3}}, .spread = {{"Batch", "data"}}}), "INVALID_OPERATION: stablehlo: input 0: 3 devices along 'data' do not divide an extent of 4");
  EXPECT_EQ(refused({.mesh = {{"data", 2}}, .spread = {{"Batch", "rows"}}}), "INVALID_OPERATION: stablehlo: the mesh has no axis 'rows'");
  EXPECT_EQ(refused({.mesh = {{"data", 2}}, .spread = {{"Batch", "data"}, {"Out", "data"}}}), "INVALID_OPERATION: stablehlo: result 0 is spread over 'data' twice");
  EXPECT_EQ(refused({.spread = {{"Batch", "data"}}}), "INVALID_OPERATION: stablehlo: tensors are spread over a mesh that is not given");
  EXPECT_EQ(refused({.mesh = {{"data", 2}}, .inputs = {{"data"}, {"", ""}}}), "INVALID_OPERATION: stablehlo: input 0 has 2 axes, and its sharding 1");
}

}  // namespace
