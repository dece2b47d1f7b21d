// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/options.hpp"

#include <filesystem>

namespace tlaloc::frontend {

std::string read_option(Options& options, const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals), value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name == "print" || name == "root") {
    if (value.empty()) return "option '" + name + "' needs a folder: -fplugin-arg-tlaloc-" + name + "=DIR";
    (name == "print" ? options.print : options.root) = value;
  } else if (name == "generate") {
    if (value.empty()) return "option 'generate' needs a file: -fplugin-arg-tlaloc-generate=FILE";
    options.generate = value;
  } else if (name == "dump") {
    if (value != "ir") return "option 'dump' knows 'ir', not '" + value + "'";
    options.dump_ir = true;
  } else if (name == "time" && equals == std::string::npos) {
    options.time = true;
  } else {
    return "no option '" + text + "'; there are print=DIR, root=DIR, generate=FILE, dump=ir and time";
  }
  return "";
}

std::string source_name(const std::string& given, const std::string& root) {
  namespace fs = std::filesystem;
  fs::path path = fs::path(given).lexically_normal();
  if (!root.empty()) {
    const fs::path inside = fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(root).lexically_normal());
    if (!inside.empty() && *inside.begin() != "..") path = inside;
  }
  if (path.is_absolute()) return path.filename().generic_string();
  fs::path out;
  for (auto& part : path)
    if (part != "..") out /= part;
  return out.generic_string();
}

}  // namespace tlaloc::frontend
