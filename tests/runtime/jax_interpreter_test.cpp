// SPDX-License-Identifier: Apache-2.0
//
// Programs exported by JAX, read and run by the interpreter, against JAX's own results.
#include "jax_programs.hpp"

#include "backend/interpreter/interpreter.hpp"
#include "backend/stablehlo/print.hpp"
#include "frontend/stablehlo/read.hpp"

namespace tlaloc::runtime {
namespace {

TEST(JaxPrograms, ByTheInterpreter) {
  const auto programs = jax_programs();
  ASSERT_GE(programs.size(), 60u);
  for (auto& p : programs) {
    SCOPED_TRACE(p.name);
    try {
      const ir::Program program = read_stablehlo(read_text(std::string(TLALOC_JAX_PROGRAMS "/") + p.name + ".mlir"), p.name + ".mlir");
      const auto out = ir::run(program, *program.find("main"), p.inputs);
      ASSERT_EQ(out.size(), p.outputs.size());
      for (std::size_t i = 0; i < out.size(); ++i) expect_close(out[i], p.outputs[i], p.name + " result " + std::to_string(i), 16);
    } catch (const ir::Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
}

/// What is read, printed and read again is the same program.
TEST(JaxPrograms, ReadBackFromOurText) {
  for (auto& p : jax_programs()) {
    SCOPED_TRACE(p.name);
    std::string printed;
    try {
      const ir::Program first = read_stablehlo(read_text(std::string(TLALOC_JAX_PROGRAMS "/") + p.name + ".mlir"));
      printed = stablehlo(first, *first.find("main"));
      const ir::Program second = read_stablehlo(printed, "printed.mlir");
      const auto a = ir::run(first, *first.find("main"), p.inputs), b = ir::run(second, *second.find("main"), p.inputs);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) expect_close(b[i], a[i], p.name + " result " + std::to_string(i), 4);
    } catch (const ir::Error& e) {
      ADD_FAILURE() << e.what() << "\n" << printed;
    }
  }
}

}  // namespace
}  // namespace tlaloc::runtime
