// SPDX-License-Identifier: Apache-2.0
#include "tensor/module.hpp"

#include "tlaloc/jit.hpp"

#include <algorithm>
#include <cctype>

namespace tlaloc {
namespace {

using detail::sig;
using Axis = std::pair<std::string, extent_t>;

[[noreturn]] void refuse(const std::string& why) { dynamic::refuse("INVALID_OPERATION", "stablehlo: " + why); }

/// Each input that is donated beside the first result of its type that no other has taken.
std::vector<std::pair<int, int>> aliases(const Program::Recorded& r, const std::vector<int>& donate) {
  const auto& results = r.function->body->yields;
  std::vector<bool> taken(results.size());
  std::vector<std::pair<int, int>> out;
  for (int i : donate) {
    if (i < 0 || std::size_t(i) >= r.inputs.size()) dynamic::refuse("UNKNOWN_ARGUMENT", "the program has no input " + std::to_string(i));
    if (std::any_of(out.begin(), out.end(), [&](auto& a) { return a.first == i; })) dynamic::refuse("UNKNOWN_ARGUMENT", "input " + std::to_string(i) + " is donated twice");
    const ir::Type& type = r.function->body->params[std::size_t(i)]->type;
    std::size_t k = 0;
    while (k < results.size() && (taken[k] || results[k]->type != type)) ++k;
    if (k == results.size()) refuse("input " + std::to_string(i) + " is donated, but no result of its type, " + ir::text(type) + ", is left to take its memory");
    taken[k] = true;
    out.emplace_back(i, int(k));
  }
  return out;
}

ir::Sharding by_name(const sig& s, const std::vector<std::pair<std::string, std::string>>& spread) {
  ir::Sharding out(std::size_t(s.rank));
  for (int k = 0; k < s.rank; ++k)
    for (auto& [name, over] : spread)
      if (s.a[k].id && name == std::string(s.a[k].id->text, std::size_t(s.a[k].id->size))) out[std::size_t(k)] = over;
  return out;
}
void check(const ir::Sharding& s, const sig& x, const std::vector<Axis>& mesh, const std::string& what) {
  if (s.size() != std::size_t(x.rank)) refuse(what + " has " + std::to_string(x.rank) + " axes, and its sharding " + std::to_string(s.size()));
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (s[k].empty()) continue;
    const auto axis = std::find_if(mesh.begin(), mesh.end(), [&](auto& m) { return m.first == s[k]; });
    if (axis == mesh.end()) refuse("the mesh has no axis '" + s[k] + "'");
    if (std::count(s.begin(), s.end(), s[k]) > 1) refuse(what + " is spread over '" + s[k] + "' twice");
    if (const extent_t n = x.a[k].extent; n >= 0 && n % axis->second)
      refuse(what + ": " + std::to_string(axis->second) + " devices along '" + s[k] + "' do not divide an extent of " + std::to_string(n));
  }
}
std::vector<ir::Sharding> shardings(const std::vector<sig>& tensors, const std::vector<std::vector<std::string>>& given, const stablehlo_options& o, const char* what) {
  if (!given.empty() && given.size() != tensors.size())
    refuse(std::to_string(given.size()) + " shardings for " + std::to_string(tensors.size()) + " " + what + "s");
  std::vector<ir::Sharding> out;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    out.push_back(given.empty() ? by_name(tensors[i], o.spread) : given[i]);
    check(out.back(), tensors[i], o.mesh, std::string(what) + " " + std::to_string(i));
  }
  return out;
}

}  // namespace

ir::StableHloOptions module_options(const Program::Recorded& r, const stablehlo_options& o) {
  ir::StableHloOptions out;
  out.donated = aliases(r, o.donate);
  if (o.mesh.empty()) {
    if (!o.spread.empty() || !o.inputs.empty() || !o.outputs.empty()) refuse("tensors are spread over a mesh that is not given");
    return out;
  }
  for (auto& [name, n] : o.mesh) {
    const bool word = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!word || n < 1 || std::count_if(o.mesh.begin(), o.mesh.end(), [&](auto& m) { return m.first == name; }) > 1)
      refuse("an axis of the mesh '" + name + "' of " + std::to_string(n) + " devices");
    out.mesh.emplace_back(name, n);
  }
  out.parameters = shardings(r.inputs, o.inputs, o, "input");
  out.results = shardings(r.outputs, o.outputs, o, "result");
  return out;
}

std::vector<int> detail::leaves_between(const std::vector<int>& first, const std::vector<int>& arguments) {
  std::vector<int> out;
  for (int i : arguments) {
    if (i < 0 || std::size_t(i) + 1 >= first.size()) dynamic::refuse("UNKNOWN_ARGUMENT", "jit: no argument " + std::to_string(i) + " to donate");
    for (int k = first[std::size_t(i)]; k < first[std::size_t(i) + 1]; ++k) out.push_back(k);
  }
  return out;
}

}  // namespace tlaloc
