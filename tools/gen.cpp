// SPDX-License-Identifier: Apache-2.0
#include "gen.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;

namespace tlaloc::tools {

using runtime::become, runtime::Command, runtime::output_of;
namespace {

struct Plugin {
  int major = 0;
  fs::path file;
};

/// The plugins of this installation, the newest first.
std::vector<Plugin> plugins() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  std::vector<Plugin> out;
  for (const char* where : {"../" TLALOC_LIBRARY_FOLDER "/tlaloc", "../lib/tlaloc"}) {
    std::error_code none;
    for (auto& entry : fs::directory_iterator(here / where, none)) {
      const std::string stem = entry.path().stem().string();
      int major = 0;
      if (entry.path().extension() == ".so" && stem.starts_with("tlaloc-"))
        std::from_chars(stem.data() + 7, stem.data() + stem.size(), major);
      if (major) out.push_back({major, entry.path().lexically_normal()});
    }
    if (!out.empty()) break;
  }
  if (out.empty()) throw UsageError{"no plugin beside this program (looked in ../lib/tlaloc); install Tlaloc again"};
  std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.major > b.major; });
  return out;
}

/// Clang and the plugin of its version.
struct Front {
  std::string clang;
  fs::path plugin;
};
Front front(const std::string& wanted) {
  const auto have = plugins();
  const std::string clang = wanted.empty() ? "clang++-" + std::to_string(have.front().major) : wanted;
  const std::string says = output_of({clang, "--version"});
  const std::string mark = "clang version ";
  const auto at = says.find(mark);
  if (at == std::string::npos) throw UsageError{"'" + clang + "' is not Clang; choose one with --clang=clang++-" + std::to_string(have.front().major)};
  int major = 0;
  std::from_chars(says.data() + at + mark.size(), says.data() + says.size(), major);
  std::string list;
  for (auto& p : have) {
    if (p.major == major) return {clang, p.file};
    list += (list.empty() ? "" : ", ") + std::to_string(p.major);
  }
  throw UsageError{"'" + clang + "' is Clang " + std::to_string(major) + ", and there are plugins for: " + list + "; choose one with --clang"};
}

bool is_source(const std::string& word) {
  static constexpr const char* endings[] = {".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"};
  return !word.starts_with("-") && std::find(std::begin(endings), std::end(endings), fs::path(word).extension().string()) != std::end(endings);
}

int generate(const GenOptions& options, const std::string& source, const std::string& output, const std::vector<std::string>& flags) {
  if (!fs::exists(source)) throw UsageError{"no file '" + source + "'"};
  const Front f = front(options.clang);
  const std::string arg = "-fplugin-arg-tlaloc-";
  Command command{f.clang, "-fsyntax-only", "-w", "-fplugin=" + f.plugin.string(), arg + "generate=" + output};
  if (!options.root.empty()) command.push_back(arg + "root=" + options.root);
  if (!options.print.empty()) command.push_back(arg + "print=" + options.print);
  if (!options.depfile.empty()) command.insert(command.end(), {"-MD", "-MF", options.depfile, "-MT", output});
  const auto reading = flags_for_reading(flags);
  command.insert(command.end(), reading.begin(), reading.end());
  command.push_back(source);
  std::error_code none;
  fs::remove(output, none);                       // never an old file beside an error
  const int status = runtime::run(command).status();
  return status == 0 || status == 1 ? status : 2;
}

/// In front of a compiler, as build systems put it there.
int launch(const GenOptions& options) {
  std::optional<std::size_t> source;
  std::string object;
  bool compiles = false;
  for (std::size_t i = 1; i < options.command.size(); ++i) {
    const std::string& word = options.command[i];
    if (word == "-c") compiles = true;
    else if (word == "-o" && i + 1 < options.command.size()) object = options.command[++i];
    else if (is_source(word) && source) throw UsageError{"more than one source in a command: '" + options.command[*source] + "' and '" + word + "'"};
    else if (is_source(word)) source = i;
  }
  if (!compiles || !source) become(options.command);
  if (object.empty()) throw UsageError{"the compiler's command names no object file (-o)"};
  Command command = options.command;
  command[*source] = object + ".tlaloc.cpp";
  std::vector<std::string> flags(options.command.begin() + 1, options.command.end());
  flags.erase(flags.begin() + std::ptrdiff_t(*source) - 1);
  if (const int status = generate(options, options.command[*source], command[*source], flags)) return status;
  become(command);
}

}  // namespace

std::vector<std::string> flags_for_reading(const std::vector<std::string>& flags) {
  static constexpr const char* with_value[] = {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot"};
  static constexpr const char* dropped_with_value[] = {"-o", "-MF", "-MT", "-MQ", "-x", "--param", "-Xlinker", "-T", "-u", "-aux-info", "-dumpbase", "-dumpdir"};
  static constexpr const char* kept[] = {"-ansi", "-pthread", "-nostdinc", "-nostdinc++", "-fopenmp", "-fexceptions", "-fno-exceptions",
                                         "-frtti", "-fno-rtti", "-fsigned-char", "-funsigned-char", "-fchar8_t", "-fno-char8_t",
                                         "-fshort-enums", "-fms-extensions", "-fno-operator-names", "-fpack-struct", "-ffast-math"};
  static constexpr const char* kept_beginnings[] = {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-std=", "-m", "-O", "--sysroot="};
  std::vector<std::string> out;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    auto is = [&](const char* known) { return flag == known; };
    if (flag.starts_with("@")) throw UsageError{"response files ('" + flag + "') are not read; give the flags themselves"};
    if (std::any_of(std::begin(with_value), std::end(with_value), is)) {
      out.push_back(flag);
      if (i + 1 < flags.size()) out.push_back(flags[++i]);
    } else if (std::any_of(std::begin(dropped_with_value), std::end(dropped_with_value), is)) {
      ++i;
    } else if (std::any_of(std::begin(kept), std::end(kept), is) ||
               std::any_of(std::begin(kept_beginnings), std::end(kept_beginnings), [&](const char* k) { return flag.starts_with(k); })) {
      out.push_back(flag);
    }
  }
  return out;
}

int gen(const GenOptions& options) {
  if (options.launch) return launch(options);
  if (!is_source(options.source)) throw UsageError{"'" + options.source + "' is not a C++ source file (.cpp, .cc, .cxx)"};
  return generate(options, options.source, options.output, options.command);
}

}  // namespace tlaloc::tools
