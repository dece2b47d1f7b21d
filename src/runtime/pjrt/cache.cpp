// SPDX-License-Identifier: Apache-2.0
#include "runtime/pjrt/cache.hpp"

#include "data/sha256.hpp"

#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

namespace tlaloc::runtime::pjrt {
namespace {

constexpr std::size_t digest_size = 64;

/// What the compiled code may use: the features of the first processor.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  }
  return "";
}

std::string key(const Client& client, std::string_view module, const CompileOptions& options, Where where) {
  const Plugin& plugin = client.plugin();
  const auto written = std::filesystem::last_write_time(plugin.path()).time_since_epoch().count();
  std::string all;
  auto add = [&](std::string_view s) { all += std::to_string(s.size()) + ":" + std::string(s); };
  add(client.platform(where));
  add(client.platform_version(where));
  add(std::to_string(plugin.major()) + "." + std::to_string(plugin.minor()));
  add(plugin.path().string() + " " + std::to_string(std::filesystem::file_size(plugin.path())) + " " + std::to_string(written));
  add(processor());
  add(options.proto());
  add(module);
  return data::sha256(all);
}

}  // namespace

Cache::Cache(std::filesystem::path folder, Where where) : folder_(std::move(folder)) {
  std::error_code failed;
  if (std::filesystem::create_directories(folder_, failed)) std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  struct stat s;
  if (failed || stat(folder_.c_str(), &s) != 0 || !S_ISDIR(s.st_mode)) {
    throw Error("CANNOT_WRITE", folder_.string() + " is no folder and cannot be made one", where);
  }
  if (s.st_uid != geteuid() || (s.st_mode & (S_IWGRP | S_IWOTH))) {
    throw Error("UNSAFE_CACHE", folder_.string() + " holds programs to run and others can write there; way out: chmod go-w, or another folder", where);
  }
}

Executable Cache::compile(const Client& client, std::string_view module, const CompileOptions& options, Where where) {
  const auto file = folder_ / (key(client, module, options, where) + ".pjrt");
  if (const auto stored = read(file)) {
    ++hits;
    return client.deserialize(*stored, where);
  }
  ++misses;
  Executable compiled = client.compile(module, options, where);
  write(file, compiled.serialize(where), where);
  return compiled;
}

std::optional<std::string> Cache::read(const std::filesystem::path& path) const {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string all(std::istreambuf_iterator<char>(file), {});
  if (all.size() < digest_size) return std::nullopt;
  std::string bytes = all.substr(digest_size);
  if (data::sha256(bytes) != std::string_view(all).substr(0, digest_size)) return std::nullopt;
  return bytes;
}

void Cache::write(const std::filesystem::path& path, const std::string& bytes, Where where) const {
  // Written aside and renamed: other processes see all of it or nothing.
  std::string aside = (folder_ / "XXXXXX").string();
  const int descriptor = mkstemp(aside.data());
  if (descriptor >= 0) close(descriptor);
  std::ofstream file(aside, std::ios::binary);
  file << data::sha256(bytes) << bytes;
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(aside, path, failed);
  if (descriptor < 0 || !file || failed) {
    std::filesystem::remove(aside, failed);
    throw Error("CANNOT_WRITE", "an executable into " + folder_.string(), where);
  }
}

}  // namespace tlaloc::runtime::pjrt
