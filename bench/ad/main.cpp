// SPDX-License-Identifier: Apache-2.0
//
// Our gradients against gradients written by hand: same compiler, flags and process.
// Checks every value and gradient against reference.json first.
#include "common/measure.hpp"
#include "common/memory.hpp"
#include "problem.hpp"
#include "reference_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

using bench::Problem;
using nlohmann::json;

constexpr double kTolerance = 1e-9;

bool close(double got, double want, double scale) {
  return std::fabs(got - want) <= kTolerance * std::max(std::fabs(want), scale);
}

/// Compares with a reference entry: the value, the gradient's sum and norm, and the entries that were recorded.
bool matches(const Problem& p, const char* who, const std::vector<double>& gradient, const json& want) {
  double sum = 0, square = 0, magnitude = 0;
  for (double g : gradient) {
    sum += g;
    square += g * g;
    magnitude += std::fabs(g);
  }
  const double norm = want.at("norm");
  bool good = gradient.size() == want.at("size").get<std::size_t>() && close(std::sqrt(square), norm, 0) &&
              close(sum, want.at("sum"), magnitude);
  const bool whole = want.contains("gradient");
  const json& entries = whole ? want.at("gradient") : want.at("samples");
  const std::size_t stride = whole ? 1 : want.at("stride").get<std::size_t>();
  for (std::size_t i = 0; good && i < entries.size(); ++i)
    good = i * stride < gradient.size() && close(gradient[i * stride], entries[i], norm * 1e-6);
  if (!good)
    std::fprintf(stderr, "%s: gradient %s differs from the reference (sum %.17g, norm %.17g)\n", p.name.c_str(), who,
                 sum, std::sqrt(square));
  return good;
}

bool check(Problem& p, const json& reference) {
  const json& want = reference.at(p.name);
  const double value = p.primal();
  bool good = close(value, want.at("value"), 0);
  if (!good) std::fprintf(stderr, "%s: value %.17g differs from the reference\n", p.name.c_str(), value);
  for (int run = 0; run < 2; ++run) {  // twice: nothing may be left over from the first call
    std::fill(p.gradient.begin(), p.gradient.end(), std::nan(""));
    p.ours(p.gradient.data());
    good &= matches(p, "by tlaloc", p.gradient, want);
  }
  if (p.by_hand) {
    std::fill(p.gradient.begin(), p.gradient.end(), std::nan(""));
    p.by_hand(p.gradient.data());
    good &= matches(p, "by hand", p.gradient, want);
  }
  return good;
}

json measure(Problem& p) {
  double* gradient = p.gradient.data();
  volatile double sink = 0;
  const bench::Work ours = [&] { p.ours(gradient); }, primal = [&] { sink = sink + p.primal(); };
  const bench::Comparison over_primal = bench::compare(ours, primal);
  json row{{"problem", p.name}, {"primal_ms", over_primal.reference_ms}, {"over_primal", over_primal.ratio}};
  row["ours_bytes"] = p.ours_work * sizeof(double) + bench::peak_bytes(ours);
  if (p.by_hand) {
    const bench::Work by_hand = [&] { p.by_hand(gradient); };
    const bench::Comparison c = bench::compare(ours, by_hand);
    row["reference_bytes"] = p.by_hand_work * sizeof(double) + bench::peak_bytes(by_hand);
    row.update({{"ours_ms", c.ours_ms}, {"reference", "by hand"}, {"reference_ms", c.reference_ms}, {"ratio", c.ratio}});
  } else {
    row.update({{"ours_ms", over_primal.ours_ms}, {"reference", "primal"}, {"reference_ms", over_primal.reference_ms},
                {"ratio", over_primal.ratio}});
  }
  return row;
}

void print(const json& row) {
  const double primal = row["primal_ms"], ours = row["ours_ms"], over_primal = row["over_primal"];
  std::printf("%-16s %10.4f %10.4f %9.2f  %-8s %10.4f %8.3f %10.1f ", row["problem"].get<std::string>().c_str(), primal, ours,
              over_primal, row["reference"].get<std::string>().c_str(), row["reference_ms"].get<double>(),
              row["ratio"].get<double>(), row["ours_bytes"].get<double>() / 1024);
  if (row.contains("reference_bytes")) std::printf("%10.1f\n", row["reference_bytes"].get<double>() / 1024);
  else std::printf("%10s\n", "");
}

std::vector<Problem> all_problems() {
  std::vector<Problem> all;
#define TLALOC_BENCH_PROBLEM(name) \
  for (Problem& p : bench::name##_problems()) all.push_back(std::move(p));
  TLALOC_BENCH_PROBLEMS
#undef TLALOC_BENCH_PROBLEM
  return all;
}

int usage(int code) {
  std::fprintf(code ? stderr : stdout,
               "ad [--check] [--only TEXT] [--json FILE]\n"
               "  --check      compare with the reference only, measure nothing\n"
               "  --only TEXT  problems whose name contains TEXT\n"
               "  --json FILE  also write the table as a JSON list\n");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only, file;
  bool check_only = false;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--help") return usage(0);
    if (arg == "--check") check_only = true;
    else if (arg == "--only" && i + 1 < argc) only = argv[++i];
    else if (arg == "--json" && i + 1 < argc) file = argv[++i];
    else return usage(2);
  }

  const json reference = json::parse(kReferenceJson);
  bench::pin_to_one_cpu();
  bool good = true;
  json rows = json::array();
  if (!check_only)
    std::printf("%-16s %10s %10s %9s  %-8s %10s %8s %10s %10s\n", "problem", "primal ms", "ours ms", "/ primal", "against",
                "its ms", "ratio", "ours KiB", "its KiB");
  for (Problem& p : all_problems()) {
    if (p.name.find(only) == std::string::npos) continue;
    const bool matched = check(p, reference);
    good &= matched;
    if (check_only) std::printf("%-16s %s\n", p.name.c_str(), matched ? "matches the reference" : "DIFFERS");
    if (check_only || !p.measured) continue;
    rows.push_back(measure(p));
    print(rows.back());
  }
  if (!file.empty()) {
    std::ofstream out(file);
    out << rows.dump(1) << '\n';
    if (!out) {
      std::fprintf(stderr, "ad: cannot write %s\n", file.c_str());
      return 2;
    }
  }
  return good ? 0 : 1;
}
