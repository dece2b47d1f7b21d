// SPDX-License-Identifier: Apache-2.0
#include "runtime/iree/iree.hpp"

#include "data/file.hpp"
#include "runtime/process.hpp"

#include <cerrno>
#include <cstring>
#include <ostream>

namespace tlaloc::runtime::iree {
namespace {

namespace fs = std::filesystem;

/// Runs a program; what it prints goes to the file `log`. Throws unless it ends with 0.
void run_program(const Command& command, const fs::path& log) try {
  const Ended ended = runtime::run(command, log);
  if (!ended.status()) return;
  const std::string how = ended.signal ? "signal " + std::to_string(ended.signal) : "exit code " + std::to_string(ended.code);
  throw Error(fs::path(command[0]).filename().string() + " ended with " + how + ": " + std::string(data::map_file(log).text()));
} catch (const ProcessError& e) {
  throw Error(e.what() + std::string("; way out: install iree-base-compiler and iree-base-runtime, or name the program"));
}

/// A new folder; the last six letters of the path are X and become others.
fs::path new_folder(const fs::path& pattern) {
  std::string name = pattern.string();
  if (!mkdtemp(name.data())) throw Error("no temporary folder: " + std::string(std::strerror(errno)));
  return name;
}

/// As IREE's flags name a type: 2x3xf32. Integers there have no sign.
std::string type_name(const ir::Type& t) {
  std::string out;
  for (std::int64_t d : t.dims) out += std::to_string(d) + "x";
  if (t.dtype == ir::DType::boolean) return out + "i1";
  return out + (ir::is_real(t.dtype) ? text(t.dtype) : "i" + std::to_string(ir::bit_width(t.dtype)));
}

}  // namespace

Module::Module(const Tools& tools, std::string_view stablehlo) : tools_(tools) {
  folder_ = std::shared_ptr<const fs::path>(new fs::path(new_folder(fs::temp_directory_path() / "tlaloc-iree-XXXXXX")), [](const fs::path* p) {
    std::error_code ignored;                      // nobody could do anything about a folder that stays
    fs::remove_all(*p, ignored);
    delete p;
  });
  data::write_file(*folder_ / "module.mlir", [&](std::ostream& f) { f << stablehlo; });
  Command command{tools.compiler, "--iree-input-type=stablehlo", "--iree-hal-target-device=local",
                                   "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host",
                                   "--iree-input-demote-f64-to-f32=false"};
  command.insert(command.end(), tools.compile_flags.begin(), tools.compile_flags.end());
  command.insert(command.end(), {*folder_ / "module.mlir", "-o", *folder_ / "module.vmfb"});
  run_program(command, *folder_ / "log");
}

std::vector<ir::Array> Module::run(std::string_view function, std::span<const ir::Array> arguments, const ir::Types& results) const {
  const fs::path call = new_folder(*folder_ / "call-XXXXXX");   // calls may be made at the same time
  Command command{tools_.runner, "--module=" + (*folder_ / "module.vmfb").string(), "--device=local-sync",
                                   "--function=" + std::string(function)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::Array& a = arguments[i];
    const fs::path file = call / ("in" + std::to_string(i) + ".bin");
    data::write_file(file, [&](std::ostream& f) {
      f.write(reinterpret_cast<const char*>(a.bytes.get()), std::streamsize(a.size() * ir::byte_width(a.type.dtype)));
    });
    command.push_back("--input=" + type_name(a.type) + "=@" + file.string());
  }
  for (std::size_t i = 0; i < results.size(); ++i) command.push_back("--output=@" + (call / ("out" + std::to_string(i) + ".bin")).string());
  run_program(command, call / "log");
  std::vector<ir::Array> out;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const data::Bytes bytes = data::map_file(call / ("out" + std::to_string(i) + ".bin"));
    if (bytes.size != data::byte_size(results[i].dtype, results[i].dims)) {
      throw Error("result " + std::to_string(i) + " of " + std::string(function) + " has " + std::to_string(bytes.size) + " bytes, which is no " + text(results[i]));
    }
    out.push_back(data::view(results[i], bytes));
  }
  fs::remove_all(call);                           // what is mapped stays
  return out;
}

}  // namespace tlaloc::runtime::iree
