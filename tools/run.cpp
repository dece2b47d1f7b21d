// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include "data/safetensors.hpp"
#include "data/text.hpp"
#include "backend/interpreter/interpreter.hpp"
#include "frontend/stablehlo/read.hpp"
#include "usage.hpp"
#include "runtime/pjrt/cache.hpp"

#include <cstdio>

namespace fs = std::filesystem;

namespace tlaloc::tools {
namespace {

namespace pjrt = runtime::pjrt;

void require_file(const fs::path& file) {
  if (!fs::exists(file)) throw UsageError{"no file '" + file.string() + "'"};
}

/// FILE.npy, or one array of a file that holds several: FILE.npz:NAME, FILE.safetensors:NAME.
ir::Array load_input(const std::string& text) {
  if (text.ends_with(".npy")) return require_file(text), data::load_npy(text);
  for (const std::string suffix : {".npz", ".safetensors"}) {
    const auto at = text.find(suffix + ":");
    const std::string file = text.substr(0, at == text.npos ? at : at + suffix.size());
    if (!file.ends_with(suffix)) continue;
    require_file(file);
    const data::Arrays arrays = suffix == ".npz" ? data::load_npz(file) : data::load_safetensors(file).arrays;
    const std::string name = at == text.npos ? "" : text.substr(at + suffix.size() + 1);
    if (at != text.npos && arrays.contains(name)) return arrays.at(name);
    std::string names;
    for (auto& [n, a] : arrays) names += (names.empty() ? "" : ", ") + n;
    throw UsageError{"'" + text + "' names no array; write " + file + ":NAME with one of: " + names};
  }
  throw UsageError{"'" + text + "' is no array file (.npy, .npz:NAME, .safetensors:NAME)"};
}

void save_outputs(const std::vector<std::string>& files, const std::vector<ir::Array>& results) {
  const bool together = files.size() == 1 && !files[0].ends_with(".npy");
  if (!together && files.size() != results.size()) {
    throw UsageError{"the program has " + std::to_string(results.size()) + " results and --output names " + std::to_string(files.size()) +
                     " files; name one .npy for each, or one .npz or .safetensors for all"};
  }
  if (!together) {
    for (std::size_t i = 0; i < files.size(); ++i) data::save_npy(files[i], results[i]);
    return;
  }
  data::Arrays named;
  for (std::size_t i = 0; i < results.size(); ++i) named[std::to_string(i)] = results[i];
  if (files[0].ends_with(".npz")) data::save_npz(files[0], named);
  else data::save_safetensors(files[0], named);
}

void check_outputs(const std::vector<std::string>& files) {
  for (auto& f : files) {
    if (!f.ends_with(".npy") && (files.size() > 1 || !(f.ends_with(".npz") || f.ends_with(".safetensors")))) {
      throw UsageError{"'" + f + "' cannot hold a result; name .npy files, or one .npz or .safetensors for all results"};
    }
  }
}

/// The reference interpreter: slow, and the meaning of every operation.
std::vector<ir::Array> run_by_interpreter(const data::Bytes& source, const std::string& name, const std::vector<ir::Array>& inputs) {
  const ir::Program program = read_stablehlo(source.text(), name);
  const ir::Function* main = program.find("main");
  if (!main) throw ir::Error("MALFORMED_PROGRAM: " + name + ": there is no function main");
  const auto& params = main->body->params;
  if (params.size() != inputs.size()) throw UsageError{"main takes " + std::to_string(params.size()) + " arguments and --input names " + std::to_string(inputs.size())};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!(params[i]->type == inputs[i].type)) {
      throw UsageError{"argument " + std::to_string(i) + " of main is " + text(params[i]->type) + " and --input gives " + text(inputs[i].type)};
    }
  }
  return ir::run(program, *main, inputs);
}

std::vector<ir::Array> run_by_pjrt(const RunOptions& options, const data::Bytes& program, const std::vector<ir::Array>& inputs) {
  const pjrt::Client client(pjrt::Plugin::load(options.device));
  const pjrt::Executable f = options.cache.empty() ? client.compile(program.text())
                                                   : pjrt::Cache(options.cache).compile(client, program.text());
  std::vector<pjrt::Buffer> buffers;
  pjrt::Executable::Arguments arguments;
  for (auto& a : inputs) buffers.push_back(client.put(a));
  for (auto& b : buffers) arguments.push_back(&b);
  std::vector<ir::Array> out;
  for (auto& b : f.execute(arguments)) out.push_back(b.get());
  return out;
}

}  // namespace

int run_program(const RunOptions& options) {
  check_outputs(options.outputs);
  require_file(options.program);
  if (!options.device.empty()) require_file(options.device);
  else if (!options.cache.empty()) throw UsageError{"--cache keeps what a device compiled; name one with --device"};
  const data::Bytes program = data::map_file(options.program);
  std::vector<ir::Array> inputs;
  for (auto& i : options.inputs) inputs.push_back(load_input(i));
  const auto results = options.device.empty() ? run_by_interpreter(program, fs::path(options.program).filename(), inputs)
                                              : run_by_pjrt(options, program, inputs);
  if (!options.outputs.empty()) save_outputs(options.outputs, results);
  else for (auto& r : results) std::printf("%s %s\n", text(r.type).c_str(), data::to_text(r).c_str());
  return 0;
}

}  // namespace tlaloc::tools
