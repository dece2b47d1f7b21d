// SPDX-License-Identifier: Apache-2.0
//
// A PJRT plugin: a shared library that compiles and runs StableHLO on some device. It is loaded by its path and stays
// loaded, because the devices behind it do not survive an unload. Every entry is checked against the size of the
// plugin's table before it is called, and every error becomes an Error with the plugin's own message.
#pragma once

#include "ir/ir.hpp"
#include "runtime/pjrt/abi.hpp"

#include <exception>
#include <filesystem>
#include <map>
#include <source_location>
#include <variant>

namespace tlaloc::runtime::pjrt {

using Where = std::source_location;

/// What went wrong, in which entry of which plugin, and for which line of ours.
struct Error : ir::Error {
  Error(std::string code_, const std::string& message, Where where_);
  std::string code;                               // INVALID_ARGUMENT, UNIMPLEMENTED, ...: the names of PJRT; or one of ours, see docs/runtime.md
  Where where;
};

using Attribute = std::variant<std::string, std::int64_t, std::vector<std::int64_t>, float, bool>;
using Attributes = std::map<std::string, Attribute>;

class Plugin {
 public:
  /// Loads a plugin, once per process. Throws CANNOT_LOAD_PLUGIN, UNSUPPORTED_PLUGIN.
  static const Plugin& load(const std::filesystem::path&, Where = Where::current());

  const std::filesystem::path& path() const { return path_; }
  int major() const { return api_->version.major_version; }
  int minor() const { return api_->version.minor_version; }
  Attributes attributes(Where = Where::current()) const;

  template <class Call> bool has() const {
    return api_->struct_size >= abi::entry_offset(Call::entry + 1) && api_->table[Call::entry];
  }
  /// Calls the entry that the arguments belong to and returns them with what it filled in.
  template <class Call> Call call(Call arguments, Where where) const {
    require(has<Call>(), Call::entry_name, where);
    arguments.struct_size = abi::known_size<Call>;
    check(reinterpret_cast<abi::Error* (*)(Call*)>(api_->table[Call::entry])(&arguments), Call::entry_name, where);
    return arguments;
  }
  /// Throws an error of the plugin, and destroys it.
  void check(abi::Error*, const char* entry, Where) const;
  std::exception_ptr exception(abi::Error*, const char* entry, Where) const;  // null when there is none

 private:
  Plugin(std::filesystem::path, const abi::Api*);
  void require(bool has, const char* entry, Where) const;
  template <class Call> void call_void(Call&) const;
  std::filesystem::path path_;
  const abi::Api* api_;
};

/// Options for a plugin in the form of its interface, which points into the attributes.
std::vector<abi::NamedValue> named_values(const Attributes&);

}  // namespace tlaloc::runtime::pjrt
