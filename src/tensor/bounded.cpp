// SPDX-License-Identifier: Apache-2.0
#include "tlaloc/bounded.hpp"

#include "tensor/node.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

namespace tlaloc::detail {

using dynamic::refuse;

std::vector<extent_t> ladder(extent_t most) {
  std::vector<extent_t> out;
  for (extent_t n = 16; n < most; n *= 2) out.push_back(n);
  out.push_back(most);
  return out;
}

void refuse_bounded(const std::string& axis, extent_t one, extent_t other) {
  if (one == dyn) refuse("NAMED_INDEX_MISMATCH", "bounded: no argument has the axis " + axis);
  refuse("TENSOR_SHAPE_MISMATCH", "bounded: the axis " + axis + " has the extents " + std::to_string(one) + " and " + std::to_string(other));
}

void need_same(const std::vector<AnyTensor>& a, const std::vector<AnyTensor>& b, double within) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ir::Array &x = dynamic::buffer(a[i], "a result"), &y = dynamic::buffer(b[i], "a result");
    double most = 0, off = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      const double p = x.at(k).as_double(), q = y.at(k).as_double();
      most = std::fmax(most, std::fabs(q));
      if (!(p == q || (std::isnan(p) && std::isnan(q)))) off = std::isnan(p - q) ? INFINITY : std::fmax(off, std::fabs(p - q));
    }
    if (off > within * most)
      refuse("INVALID_OPERATION", "bounded: padding changes result " + std::to_string(i) + " by " + std::to_string(off) + "; the function must leave out what Valid<...>::mask does not have");
  }
}

void write_bounded(const std::string& folder, const std::string& name, const std::vector<std::string>& axes, const std::vector<BoundedModule>& modules) {
  std::filesystem::create_directories(folder);
  auto write = [&](const std::string& file, const std::string& text) {
    std::ofstream out(std::filesystem::path(folder) / file, std::ios::binary);
    if (!(out << text).flush()) refuse("INVALID_OPERATION", "bounded: cannot write " + file + " in " + folder);
  };
  auto list = [](const auto& items, auto show) {
    std::string s;
    for (auto& x : items) s += (s.empty() ? "" : ", ") + show(x);
    return s;
  };
  std::string rows;
  for (auto& m : modules) {
    std::string file = name;
    for (extent_t n : m.extents) file += "." + std::to_string(n);
    write(file + ".mlir", m.text);
    rows += (rows.empty() ? "" : ",\n") + std::string("    {\"extents\": [") + list(m.extents, [](extent_t n) { return std::to_string(n); }) + "], \"file\": \"" + file + ".mlir\"}";
  }
  write(name + ".json", "{\n  \"format\": \"tlaloc-bounded-v1\",\n  \"axes\": [" + list(axes, [](auto& a) { return "\"" + a + "\""; }) + "],\n  \"modules\": [\n" + rows + "\n  ]\n}\n");
}

}  // namespace tlaloc::detail
