// SPDX-License-Identifier: Apache-2.0
//
// Programs exported by JAX, run by the client on both plugins, against JAX's own results.
#include "jax_programs.hpp"
#include "runtime/pjrt/client.hpp"

namespace tlaloc::runtime {
namespace {

TEST(JaxPrograms, ByPjrt) {
  const auto programs = jax_programs();
  ASSERT_GE(programs.size(), 25u);
  for (const char* file : {"/xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so", "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so"}) {
    const pjrt::Client client(pjrt::Plugin::load(std::string(TLALOC_SITE_PACKAGES) + file));
    for (auto& p : programs) {
      const auto f = client.compile(read_text(std::string(TLALOC_JAX_PROGRAMS "/") + p.name + ".mlir"));
      std::vector<pjrt::Buffer> in;
      for (auto& a : p.inputs) in.push_back(client.put(a));
      pjrt::Executable::Arguments arguments;
      for (auto& b : in) arguments.push_back(&b);
      const auto out = f.execute(arguments);
      ASSERT_EQ(out.size(), p.outputs.size()) << p.name;
      for (std::size_t i = 0; i < out.size(); ++i) expect_close(out[i].get(), p.outputs[i], p.name, 4);
    }
  }
}

}  // namespace
}  // namespace tlaloc::runtime
