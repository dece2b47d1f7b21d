// SPDX-License-Identifier: Apache-2.0
//
// The command line program `tlaloc`. Exit codes: 0 done, 1 the input has errors (reported by whoever found them), 2 the
// command or its surroundings are wrong (one line on standard error).
#include "gen.hpp"
#include "run.hpp"
#include "version.hpp"

#include "ir/ir.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

using namespace tlaloc;

int main(int argc, char** argv) {
  CLI::App app{"Exact derivatives of ordinary C++.", "tlaloc"};
  app.set_version_flag("--version", std::string("tlaloc ") + version());
  app.require_subcommand(1);

  tools::GenOptions options;
  auto* gen = app.add_subcommand("gen", "Writes a source file's derivatives as C++ for g++ and other compilers");
  gen->add_option("-o,--output", options.output, "the file to write; compile it in place of the source");
  gen->add_option("--clang", options.clang, "the Clang that reads the source (default: clang++ of the plugin's version)");
  gen->add_option("--root", options.root, "a source inside this folder is named relative to it in what is written");
  gen->add_option("--print", options.print, "also write the derivatives alone to DIR/<source>.tlaloc.hpp")->option_text("DIR");
  gen->add_option("--depfile", options.depfile, "write the files that were read, as a Make rule for the output");
  gen->add_flag("--launch", options.launch, "be a compiler's launcher: after -- comes its whole command; write the derivatives beside the object, then compile");
  gen->add_option("source", options.source, "the C++ source; the flags of its compiler follow after --")->option_text("SOURCE");
  gen->footer("Examples:\n"
              "  tlaloc gen main.cpp -o main.tlaloc.cpp -- -std=c++20 -Iinclude\n"
              "  g++ -std=c++20 -Iinclude -c main.tlaloc.cpp -o main.o\n"
              "  tlaloc gen --launch -- g++ -std=c++20 -Iinclude -c main.cpp -o main.o");
  gen->final_callback([&] {
    if (!options.launch && (options.source.empty() || options.output.empty()))
      throw CLI::RequiredError("SOURCE and --output, or --launch,");
    if (options.launch && !(options.source + options.output + options.depfile).empty())
      throw CLI::ExcludesError("--launch", "SOURCE, --output and --depfile: the compiler's own command has them");
    if (options.launch && options.command.empty()) throw CLI::RequiredError("--launch needs -- and a compiler's command, which");
  });

  tools::RunOptions run_options;
  auto* run = app.add_subcommand("run", "Runs a program in StableHLO (its function main) with arrays from files");
  run->add_option("program", run_options.program, "text (.mlir) or bytecode")->required()->option_text("PROGRAM");
  run->add_option("-i,--input", run_options.inputs, "an argument: FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME; once for each, in order")->option_text("FILE");
  run->add_option("-o,--output", run_options.outputs, "where results go: one .npy for each, or one .npz or .safetensors for all (without: printed)")->option_text("FILE");
  run->add_option("-d,--device", run_options.device, "the PJRT plugin that compiles and runs it (without: the reference interpreter)")->option_text("PLUGIN");
  run->add_option("--cache", run_options.cache, "a folder that keeps compiled programs")->option_text("DIR");
  run->footer("Example:\n  tlaloc run scale.mlir --input x.npy --device pjrt_c_api_cpu_plugin.so --output y.npy");

  std::string inspected;
  auto* look = app.add_subcommand("inspect", "Tells what a file holds: arrays (.npy, .npz, .safetensors), a program (.mlir) or a PJRT plugin (.so)");
  look->add_option("file", inspected, "the file")->required()->option_text("FILE");

  char** const end = std::find(argv, argv + argc, std::string_view("--"));
  if (end != argv + argc) options.command.assign(end + 1, argv + argc);

  try {
    app.parse(int(end - argv), argv);
    if (run->parsed()) return tools::run_program(run_options);
    if (look->parsed()) return tools::inspect(inspected);
    return tools::gen(options);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const tools::UsageError& e) {
    std::fprintf(stderr, "tlaloc %s: %s\n", app.get_subcommands().front()->get_name().c_str(), e.text.c_str());
    return 2;
  } catch (const ir::Error& e) {
    std::fprintf(stderr, "tlaloc %s: %s\n", app.get_subcommands().front()->get_name().c_str(), e.what());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tlaloc %s: %s\n", app.get_subcommands().front()->get_name().c_str(), e.what());
    return 2;
  }
}
