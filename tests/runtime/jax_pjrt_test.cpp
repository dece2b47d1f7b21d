// SPDX-License-Identifier: Apache-2.0
//
// Programs exported by JAX, run by the client on both plugins, against JAX's own results.
#include "jax_programs.hpp"

#include "backend/stablehlo/print.hpp"
#include "frontend/stablehlo/read.hpp"
#include "runtime/pjrt/client.hpp"

namespace tlaloc::runtime {
namespace {

void check(const pjrt::Client& client, const JaxProgram& p, const std::string& text, double ulps) {
  SCOPED_TRACE(p.name);
  const auto f = client.compile(text);
  std::vector<pjrt::Buffer> in;
  for (auto& a : p.inputs) in.push_back(client.put(a));
  pjrt::Executable::Arguments arguments;
  for (auto& b : in) arguments.push_back(&b);
  const auto out = f.execute(arguments);
  ASSERT_EQ(out.size(), p.outputs.size());
  for (std::size_t i = 0; i < out.size(); ++i) expect_close(out[i].get(), p.outputs[i], p.name, ulps);
}
std::string text_of(const JaxProgram& p) { return read_text(std::string(TLALOC_JAX_PROGRAMS "/") + p.name + ".mlir"); }

class JaxPrograms : public testing::TestWithParam<const char*> {
 protected:
  pjrt::Client client{pjrt::Plugin::load(std::string(TLALOC_SITE_PACKAGES) + "/" + GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Plugins, JaxPrograms, testing::Values("xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"),
                         [](auto& p) { return std::string(p.param).starts_with("xla") ? "Older" : "Newer"; });

TEST_P(JaxPrograms, AsTheyAre) {
  int count = 0;
  for (auto& p : jax_programs()) if (p.compiled && ++count) check(client, p, text_of(p), 4);
  EXPECT_GE(count, 25);
}
/// Read and printed by us.
TEST_P(JaxPrograms, InOurText) {
  for (auto& p : jax_programs()) {
    if (!p.compiled) continue;
    std::string printed;
    try {
      const ir::Program program = read_stablehlo(text_of(p));
      printed = stablehlo(program, *program.find("main"));
      check(client, p, printed, 16);
    } catch (const ir::Error& e) {
      ADD_FAILURE() << p.name << ": " << e.what() << "\n" << printed;
    }
  }
}

}  // namespace
}  // namespace tlaloc::runtime
