// SPDX-License-Identifier: Apache-2.0
#include "tensor/device.hpp"

#include "runtime/pjrt/client.hpp"

#include <map>
#include <mutex>

namespace tlaloc::dynamic {
namespace {

namespace pjrt = runtime::pjrt;

struct Started {
  pjrt::Client client;
  std::mutex lock;
  std::map<std::string, pjrt::Executable> compiled;   // by text; nodes stay where they are
  explicit Started(const std::string& plugin) : client(pjrt::Plugin::load(plugin)) {}
  const pjrt::Executable& executable(const std::string& module) {
    const std::lock_guard hold(lock);
    auto& e = compiled[module];
    if (!e) e = client.compile(module);
    return e;
  }
};
Started& started(const std::string& plugin) {
  static std::mutex lock;
  // never destroyed: a plugin's threads outlive static objects
  static auto& all = *new std::map<std::string, std::unique_ptr<Started>>;
  const std::lock_guard hold(lock);
  auto& s = all[plugin];
  if (!s) s = std::make_unique<Started>(plugin);
  return *s;
}

}  // namespace

std::vector<ir::Array> run_on(const std::string& plugin, const std::string& stablehlo, std::span<const ir::Array> in) {
  Started& s = started(plugin);
  const pjrt::Executable& e = s.executable(stablehlo);
  std::vector<pjrt::Buffer> buffers;
  for (auto& a : in) buffers.push_back(s.client.put(a));
  pjrt::Executable::Arguments arguments;
  for (auto& b : buffers) arguments.push_back(&b);
  std::vector<ir::Array> out;
  for (auto& b : e.execute(arguments)) out.push_back(b.get());
  return out;
}

}  // namespace tlaloc::dynamic
