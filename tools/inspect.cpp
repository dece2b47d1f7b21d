// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include "data/safetensors.hpp"
#include "frontend/stablehlo/read.hpp"
#include "usage.hpp"
#include "runtime/pjrt/client.hpp"

#include <cstdio>

namespace fs = std::filesystem;

namespace tlaloc::tools {
namespace {

namespace pjrt = runtime::pjrt;

void line(const std::string& name, const std::string& type, std::size_t bytes) {
  std::printf("%-40s %-24s %zu bytes\n", name.c_str(), type.c_str(), bytes);
}
void line(const std::string& name, const ir::Array& a) { line(name, text(a.type), a.size() * ir::byte_width(a.type.dtype)); }

/// The header alone: also dtypes that nothing here computes with.
void inspect_safetensors(const std::string& file) {
  const auto header = data::read_safetensors_header(data::map_file(file), file);
  for (auto& [key, value] : header.metadata) std::printf("%s: %s\n", key.c_str(), value.c_str());
  std::size_t total = 0;
  for (auto& e : header.entries) {
    std::string type = e.dtype + "[";
    for (std::size_t i = 0; i < e.shape.size(); ++i) type += (i ? "," : "") + std::to_string(e.shape[i]);
    line(e.name, type + "]", e.end - e.begin);
    total += e.end - e.begin;
  }
  std::printf("%zu tensors, %zu bytes\n", header.entries.size(), total);
}

void inspect_program(const std::string& file) {
  const data::Bytes source = data::map_file(file);
  const ir::Program program = read_stablehlo(source.text(), fs::path(file).filename().string());
  for (auto& f : program.functions) {
    std::string in, out;
    for (auto* p : f.body->params) in += (in.empty() ? "" : ", ") + text(p->type);
    for (auto* y : f.body->yields) out += (out.empty() ? "" : ", ") + text(y->type);
    int operations = 0;
    walk(*f.body, [&](ir::Op*) { ++operations; });
    std::printf("%s(%s) -> (%s), %d operations\n", f.name.c_str(), in.c_str(), out.c_str(), operations);
  }
}

std::string attribute_text(const pjrt::Attribute& value) {
  if (auto* s = std::get_if<std::string>(&value)) return *s;
  if (auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (auto* f = std::get_if<float>(&value)) return std::to_string(*f);
  if (auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  std::string out;
  for (std::int64_t i : std::get<std::vector<std::int64_t>>(value)) out += (out.empty() ? "" : ".") + std::to_string(i);
  return out;
}

void inspect_plugin(const std::string& file) {
  const pjrt::Plugin& plugin = pjrt::Plugin::load(file);
  const pjrt::Client client(plugin);
  std::printf("PJRT plugin, interface %d.%d\nplatform: %s %s\n", plugin.major(), plugin.minor(), client.platform().c_str(),
              client.platform_version().c_str());
  for (auto& d : client.devices()) std::printf("device: %s (%s)\n", d.text().c_str(), d.kind().c_str());
  if (!plugin.has<pjrt::abi::Plugin_Attributes>()) return;
  for (auto& [name, value] : plugin.attributes()) std::printf("%s: %s\n", name.c_str(), attribute_text(value).c_str());
}

}  // namespace

int inspect(const std::string& file) {
  if (!fs::exists(file)) throw UsageError{"no file '" + file + "'"};
  if (file.ends_with(".npy")) line(fs::path(file).filename(), data::load_npy(file));
  else if (file.ends_with(".npz")) for (auto& [name, a] : data::load_npz(file)) line(name, a);
  else if (file.ends_with(".safetensors")) inspect_safetensors(file);
  else if (file.ends_with(".mlir")) inspect_program(file);
  else if (file.ends_with(".so")) inspect_plugin(file);
  else throw UsageError{"'" + file + "' is of no known kind (.npy, .npz, .safetensors, .mlir, a PJRT plugin .so)"};
  return 0;
}

}  // namespace tlaloc::tools
