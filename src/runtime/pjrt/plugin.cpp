// SPDX-License-Identifier: Apache-2.0
#include "runtime/pjrt/plugin.hpp"

#include <cstring>
#include <mutex>

#include <dlfcn.h>

namespace tlaloc::runtime::pjrt {
namespace {

const char* code_name(int code) {
  static constexpr const char* names[] = {
      "OK",        "CANCELLED",           "UNKNOWN",  "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
      "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"};
  return code >= 0 && std::size_t(code) < std::size(names) ? names[code] : "UNKNOWN";
}

std::string with_place(const std::string& code, const std::string& message, const Where& where) {
  const std::string file = std::filesystem::path(where.file_name()).filename();
  return code + ": " + message + " [" + file + ":" + std::to_string(where.line()) + "]";
}

Attribute attribute(const abi::NamedValue& v) {
  // The value stands where string_value does.
  const void* place = &v.string_value;
  auto read = [&]<class T>(T x) { return std::memcpy(&x, place, sizeof x), x; };
  switch (v.type) {
    case abi::value_string: return std::string(v.string_value, v.value_size);
    case abi::value_int64: return read(std::int64_t{});
    case abi::value_int64_list: {
      const auto* p = read(static_cast<const std::int64_t*>(nullptr));
      return std::vector<std::int64_t>(p, p + v.value_size);
    }
    case abi::value_float: return read(0.0f);
    case abi::value_bool: return read(false);
  }
  return "a value of type " + std::to_string(v.type);
}

}  // namespace

Error::Error(std::string code_, const std::string& message, Where where_)
    : ir::Error(with_place(code_, message, where_)), code(std::move(code_)), where(where_) {}

std::vector<abi::NamedValue> named_values(const Attributes& attributes) {
  std::vector<abi::NamedValue> out;
  for (auto& [name, value] : attributes) {
    abi::NamedValue v{.struct_size = abi::known_size<abi::NamedValue>, .name = name.data(), .name_size = name.size(),
                      .type = abi::NamedValueType(value.index()), .value_size = 1};
    auto write = [&](auto x) { std::memcpy(&v.string_value, &x, sizeof x); };
    if (auto* s = std::get_if<std::string>(&value)) write(s->data()), v.value_size = s->size();
    if (auto* i = std::get_if<std::int64_t>(&value)) write(*i);
    if (auto* l = std::get_if<std::vector<std::int64_t>>(&value)) write(l->data()), v.value_size = l->size();
    if (auto* f = std::get_if<float>(&value)) write(*f);
    if (auto* b = std::get_if<bool>(&value)) write(*b);
    out.push_back(v);
  }
  return out;
}

Plugin::Plugin(std::filesystem::path path, const abi::Api* api) : path_(std::move(path)), api_(api) {}

const Plugin& Plugin::load(const std::filesystem::path& path, Where where) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::unique_ptr<const Plugin>> loaded;
  const std::scoped_lock lock(mutex);

  std::error_code missing;
  const auto file = std::filesystem::canonical(path, missing);
  if (missing) throw Error("CANNOT_LOAD_PLUGIN", path.string() + ": " + missing.message(), where);
  if (auto it = loaded.find(file); it != loaded.end()) return *it->second;

  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Error("CANNOT_LOAD_PLUGIN", dlerror(), where);
  auto get = reinterpret_cast<const abi::Api* (*)()>(dlsym(library, "GetPjrtApi"));
  if (!get) throw Error("CANNOT_LOAD_PLUGIN", path.string() + " is no PJRT plugin: it has no GetPjrtApi", where);
  const abi::Api* api = get();
  if (!api || api->struct_size < abi::entry_offset(0)) {
    throw Error("UNSUPPORTED_PLUGIN", path.string() + " has no table of functions", where);
  }
  if (api->version.major_version != 0) {
    throw Error("UNSUPPORTED_PLUGIN", path.string() + " has version " + std::to_string(api->version.major_version) + "." +
                                          std::to_string(api->version.minor_version) + " of the PJRT interface, known is 0", where);
  }
  std::unique_ptr<const Plugin> plugin(new Plugin(file, api));
  // Without these no error could be told or freed, so they come before the first call.
  plugin->require(plugin->has<abi::Error_Destroy>(), abi::Error_Destroy::entry_name, where);
  plugin->require(plugin->has<abi::Error_Message>(), abi::Error_Message::entry_name, where);
  plugin->require(plugin->has<abi::Error_GetCode>(), abi::Error_GetCode::entry_name, where);
  plugin->call(abi::Plugin_Initialize{}, where);
  return *(loaded[file] = std::move(plugin));
}

void Plugin::require(bool has, const char* entry, Where where) const {
  if (has) return;
  throw Error("UNSUPPORTED_PLUGIN", path_.filename().string() + " (PJRT interface " + std::to_string(major()) + "." +
                                        std::to_string(minor()) + ") has no " + entry, where);
}

template <class Call> void Plugin::call_void(Call& arguments) const {
  arguments.struct_size = abi::known_size<Call>;
  reinterpret_cast<void (*)(Call*)>(api_->table[Call::entry])(&arguments);
}

std::exception_ptr Plugin::exception(abi::Error* error, const char* entry, Where where) const {
  if (!error) return nullptr;
  abi::Error_Message message{.error = error};
  call_void(message);
  abi::Error_GetCode code{.struct_size = abi::known_size<abi::Error_GetCode>, .error = error};
  // An error about the error's code would have no reader.
  const bool known = !reinterpret_cast<abi::Error* (*)(abi::Error_GetCode*)>(api_->table[abi::Error_GetCode::entry])(&code);
  const std::string text = std::string(entry) + ": " + std::string(message.message, message.message_size);
  abi::Error_Destroy destroy{.error = error};
  call_void(destroy);
  return std::make_exception_ptr(Error(code_name(known ? code.code : 2), text, where));
}

void Plugin::check(abi::Error* error, const char* entry, Where where) const {
  if (auto e = exception(error, entry, where)) std::rethrow_exception(e);
}

Attributes Plugin::attributes(Where where) const {
  const auto got = call(abi::Plugin_Attributes{}, where);
  Attributes out;
  // The plugin may know a longer struct than we do: its size is the step.
  auto* at = reinterpret_cast<const char*>(got.attributes);
  for (std::size_t i = 0; i < got.num_attributes; ++i) {
    const auto& v = *reinterpret_cast<const abi::NamedValue*>(at);
    out[std::string(v.name, v.name_size)] = attribute(v);
    at += std::max(v.struct_size, sizeof v);
  }
  return out;
}

}  // namespace tlaloc::runtime::pjrt
