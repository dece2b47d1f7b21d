// SPDX-License-Identifier: Apache-2.0
//
// One module of more than twenty functions, compiled and run by IREE, against JAX's results.
#include "jax_programs.hpp"
#include "runtime/iree/iree.hpp"

#include <gmock/gmock.h>

namespace tlaloc::runtime::iree {
namespace {

Tools tools() { return {TLALOC_SITE_PACKAGES "/iree/compiler/_mlir_libs/iree-compile", TLALOC_SITE_PACKAGES "/iree/_runtime_libs/iree-run-module"}; }

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Iree, RunsTheFunctionsOfAModule) {
  const Module module(tools(), read_text(TLALOC_JAX_PROGRAMS "/all.mlir"));
  int functions = 0;
  for (auto& p : jax_programs()) {
    if (!p.compiled) continue;
    ++functions;
    ir::Types types;
    for (auto& y : p.outputs) types.push_back(y.type);
    const auto out = module.run(p.name, p.inputs, types);
    for (std::size_t i = 0; i < out.size(); ++i) expect_close(out[i], p.outputs[i], p.name, 16);
  }
  EXPECT_GE(functions, 20);

  ir::Array x(ir::Type{ir::DType::f32, {3, 4}});
  EXPECT_THAT(error_of([&] { module.run("nothing", {}, {}); }), testing::HasSubstr("iree-run-module ended with"));
  EXPECT_THAT(error_of([&] { module.run("add", std::vector{x, x}, {ir::Type{ir::DType::f32, {3, 5}}}); }), testing::HasSubstr("48 bytes, which is no f32[3,5]"));
}

TEST(Iree, ErrorsSayWhatTheProgramSaid) {
  EXPECT_THAT(error_of([] { Module(tools(), "module { func.func @main() { stablehlo.nonsense return } }"); }),
              testing::AllOf(testing::HasSubstr("TOOL_FAILED: iree-compile ended with exit code 1"), testing::HasSubstr("nonsense")));
  EXPECT_THAT(error_of([] { Module({"/nowhere/iree-compile", "iree-run-module"}, "module {}"); }),
              testing::HasSubstr("cannot run '/nowhere/iree-compile': No such file or directory; way out"));
}

}  // namespace
}  // namespace tlaloc::runtime::iree
