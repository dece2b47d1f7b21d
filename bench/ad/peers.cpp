// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace bench {

namespace {

namespace fs = std::filesystem;

std::string shell_word(const std::string& text) {
  std::string r = "'";
  for (char c : text) r += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return r + "'";
}
std::string variable(const std::string& name) {
  const char* v = std::getenv(name.c_str());
  return v ? v : "";
}
/// What a command wrote, and whether it ended well.
bool ran(const std::string& command, std::string& out) {
  out.clear();
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return false;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) out.append(part, n);
  return pclose(pipe) == 0;
}

struct Folder {                                   // removed at the end
  std::string path = (fs::temp_directory_path() / "tlaloc-peers-XXXXXX").string();
  Folder() { if (!mkdtemp(path.data())) throw std::runtime_error("ad: cannot make " + path); }
  Folder(const Folder&) = delete;
  ~Folder() { std::error_code ignored; fs::remove_all(path, ignored); }
};

struct Recipe {
  const char *name, *header;                      // found by the header,
  const char* plugin;                             // or by the environment variable <plugin>_PLUGIN
  const char *source, *include;                   // under peers/
};
constexpr Recipe recipes[] = {
    {"CoDiPack", "codi.hpp", nullptr, "overloading.cpp", "codipack.hpp"},
    {"Adept", "adept_source.h", nullptr, "overloading.cpp", "adept.hpp"},
    {"Clad", "clad/Differentiator/Differentiator.h", "CLAD", "transforming.cpp", "clad.hpp"},
    {"Enzyme", nullptr, "ENZYME", "transforming.cpp", "enzyme.hpp"},
};

Peer made(const Recipe& recipe, const std::vector<std::string>& folders, const Folder& room) {
  Peer peer{recipe.name, "", {}};
  const std::string variables = recipe.plugin ? recipe.plugin : "";
  std::string compiler = variable(variables + "_CXX"), options;
  if (compiler.empty()) compiler = TLALOC_BENCH_CXX;
  for (auto& f : folders) options += " -isystem " + shell_word(f);
  if (recipe.plugin) {
    const std::string plugin = variable(variables + "_PLUGIN");
    if (plugin.empty()) return peer.absent = variables + "_PLUGIN is not set", peer;
    // As installed: <prefix>/lib/<plugin>, <prefix>/include.
    options += " -fplugin=" + shell_word(plugin) + " -isystem " + shell_word((fs::path(plugin).parent_path().parent_path() / "include").string());
  }
  std::string out;
  if (recipe.header && !ran("echo '#if !__has_include(<" + std::string(recipe.header) + ">)\n#error\n#endif' | " + shell_word(compiler) + options +
                                " -std=c++20 -fsyntax-only -x c++ - 2>&1", out))
    return peer.absent = std::string(recipe.header) + " is not found", peer;
  const std::string source = TLALOC_BENCH_SOURCE, library = room.path + "/" + recipe.include + ".so";
  const std::string command = shell_word(compiler) + options + " -std=c++20 -O3 -march=native -w -shared -fPIC -I " + shell_word(source) + " -I " +
                              shell_word(source + "/peers") + " -DTLALOC_BENCH_PEER='\"" + recipe.include + "\"' " +
                              shell_word(source + "/peers/" + recipe.source) + " -o " + shell_word(library) + " 2>&1";
  if (!ran(command, out)) return peer.absent = "does not compile: " + out.substr(0, out.find('\n', out.find("error"))), peer;
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* fill = loaded ? reinterpret_cast<void (*)(std::vector<Problem>&)>(dlsym(loaded, "tlaloc_bench_peer")) : nullptr;
  if (!fill) return peer.absent = std::string("does not load: ") + dlerror(), peer;
  fill(peer.problems);
  return peer;
}

}  // namespace

std::vector<Peer> compiled_peers(const std::vector<std::string>& folders) {
  const Folder room;
  std::vector<Peer> all;
  for (auto& r : recipes) all.push_back(made(r, folders, room));
  return all;
}

std::string jax_absent(const std::string& python) {
  std::string out;
  return ran(shell_word(python) + " -c 'import jax' 2>&1", out) ? "" : "'" + python + "' cannot import it";
}
std::string jax_gradient(const std::string& python, const std::string& problem) {
  const std::string source = TLALOC_BENCH_SOURCE;
  std::string out;
  return ran(shell_word(python) + " " + shell_word(source + "/peers/jax_peer.py") + " " + shell_word(source + "/reference.py") + " " + shell_word(problem), out) ? out : "";
}

}  // namespace bench
