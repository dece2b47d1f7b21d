// SPDX-License-Identifier: Apache-2.0
//
// Our derivatives against derivatives written by hand, and second derivatives against first: same compiler, flags and
// process. Checks every value and derivative against reference.json first.
#include "common/measure.hpp"
#include "common/memory.hpp"
#include "peers.hpp"
#include "reference_json.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

using bench::Peer;
using bench::Problem;
using nlohmann::json;

constexpr double kTolerance = 1e-9;

bool close(double got, double want, double scale) {
  return std::fabs(got - want) <= kTolerance * std::max(std::fabs(want), scale);
}

bool same_sums(const std::string& problem, const std::string& who, double sum, double norm, double magnitude, const json& want) {
  const bool good = close(norm, want.at("norm"), 0) && close(sum, want.at("sum"), magnitude);
  if (!good)
    std::fprintf(stderr, "%s: derivative %s differs from the reference (sum %.17g, norm %.17g)\n", problem.c_str(), who.c_str(), sum, norm);
  return good;
}
/// Compares with a reference entry: the derivative's sum and norm, and the entries that were recorded.
bool matches(const Problem& p, const std::string& who, const json& want) {
  double sum = 0, square = 0, magnitude = 0;
  for (double d : p.derivative) {
    sum += d;
    square += d * d;
    magnitude += std::fabs(d);
  }
  const double norm = want.at("norm");
  if (p.derivative.size() != want.at("size").get<std::size_t>() || !same_sums(p.name, who, sum, std::sqrt(square), magnitude, want)) return false;
  const bool whole = want.contains("gradient");
  const json& entries = whole ? want.at("gradient") : want.at("samples");
  const std::size_t stride = whole ? 1 : want.at("stride").get<std::size_t>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t at = i * stride;
    if (at < p.derivative.size() && close(p.derivative[at], entries[i], norm * 1e-6)) continue;
    std::fprintf(stderr, "%s: derivative %s: entry %zu differs from the reference\n", p.name.c_str(), who.c_str(), at);
    return false;
  }
  return true;
}

bool check(Problem& p, const json& reference) {
  const json& want = reference.at(p.name);
  const double value = p.primal();
  bool good = close(value, want.at("value"), 0);
  if (!good) std::fprintf(stderr, "%s: value %.17g differs from the reference\n", p.name.c_str(), value);
  auto run = [&](const std::function<void(double*)>& work, const std::string& who) {
    for (int twice = 0; twice < 2; ++twice) {      // nothing may be left over from the first call
      std::fill(p.derivative.begin(), p.derivative.end(), std::nan(""));
      work(p.derivative.data());
      good &= matches(p, who, want);
    }
  };
  run(p.ours, "by tlaloc");
  if (p.other && p.same) run(p.other, p.against);
  return good;
}

json measure(Problem& p) {
  double* to = p.derivative.data();
  volatile double sink = 0;
  const bench::Work ours = [&] { p.ours(to); }, primal = [&] { sink = sink + p.primal(); };
  const bench::Comparison over_primal = bench::compare(ours, primal);
  json row{{"problem", p.name}, {"primal_ms", over_primal.reference_ms}, {"over_primal", over_primal.ratio}};
  row["ours_bytes"] = p.ours_work * sizeof(double) + bench::peak_bytes(ours);
  if (p.other) {
    const bench::Work other = [&] { p.other(to); };
    const bench::Comparison c = bench::compare(ours, other);
    row["reference_bytes"] = p.other_work * sizeof(double) + bench::peak_bytes(other);
    row.update({{"ours_ms", c.ours_ms}, {"reference", p.against}, {"reference_ms", c.reference_ms}, {"ratio", c.ratio}});
  } else {
    row.update({{"ours_ms", over_primal.ours_ms}, {"reference", "primal"}, {"reference_ms", over_primal.reference_ms},
                {"ratio", over_primal.ratio}});
  }
  return row;
}

void print(const json& row) {
  const double primal = row["primal_ms"], ours = row["ours_ms"], over_primal = row["over_primal"];
  std::printf("%-24s %10.4f %10.4f %9.2f  %-8s %10.4f %8.3f %10.1f ", row["problem"].get<std::string>().c_str(), primal, ours,
              over_primal, row["reference"].get<std::string>().c_str(), row["reference_ms"].get<double>(),
              row["ratio"].get<double>(), row["ours_bytes"].get<double>() / 1024);
  if (row.contains("reference_bytes")) std::printf("%10.1f\n", row["reference_bytes"].get<double>() / 1024);
  else std::printf("%10s\n", "");
}

/// A row of ours against a peer's; null where there is none, and `good` is false where the peer's is wrong.
json against(const Peer& peer, Problem& p, const json& want, bool check_only, const json& row, bool& good) {
  const auto found = std::find_if(peer.problems.begin(), peer.problems.end(), [&](auto& q) { return q.name == p.name; });
  if (found == peer.problems.end()) return {};
  Problem theirs = *found;
  const bench::Work work = [&] { theirs.ours(theirs.derivative.data()); };
  const auto bytes = bench::peak_bytes_in_child(work);
  if (!bytes) {
    std::fprintf(stderr, "%s: %s does not come to its end\n", p.name.c_str(), peer.name.c_str());
    return {};
  }
  work();
  good = matches(theirs, "by " + peer.name, want);
  if (check_only) return json{{"problem", p.name}, {"reference", peer.name}};
  const bench::Comparison c = bench::compare([&] { p.ours(p.derivative.data()); }, work);
  json r = row;
  r.update({{"ours_ms", c.ours_ms}, {"reference", peer.name}, {"reference_ms", c.reference_ms}, {"ratio", c.ratio},
            {"reference_bytes", theirs.ours_work * sizeof(double) + *bytes}});
  return r;
}
json against_jax(const std::string& python, const Problem& p, const json& want, bool check_only, const json& row, bool& good) {
  const json line = json::parse(bench::jax_gradient(python, p.name), nullptr, false);
  if (line.is_discarded()) {
    good = false;
    std::fprintf(stderr, "%s: JAX failed\n", p.name.c_str());
    return {};
  }
  good = same_sums(p.name, "by JAX", line.at("sum"), line.at("norm"), line.at("magnitude"), want);
  if (check_only) return json{{"problem", p.name}, {"reference", "JAX"}};
  json r = row;
  r.update({{"reference", "JAX"}, {"reference_ms", line.at("ms")}, {"ratio", row.at("ours_ms").get<double>() / line.at("ms").get<double>()},
            {"reference_bytes", line.at("bytes")}});
  return r;
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
               "ad [--check] [--only TEXT] [--json FILE] [--peers [--include FOLDER]... [--python PROGRAM]]\n"
               "  --check      compare with the reference only, measure nothing\n"
               "  --only TEXT  problems whose name contains TEXT\n"
               "  --json FILE  also write the table as a JSON list\n"
               "  --peers      against other tools too: CoDiPack and Adept by --include FOLDER of their headers, Clad and\n"
               "               Enzyme by the environment's CLAD_PLUGIN and ENZYME_PLUGIN (compiled with CLAD_CXX and\n"
               "               ENZYME_CXX), JAX where PROGRAM imports it\n");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only, file, python = TLALOC_BENCH_PYTHON;
  std::vector<std::string> include_folders;
  bool check_only = false, with_peers = false;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--help") return usage(0);
    if (arg == "--check") check_only = true;
    else if (arg == "--only" && i + 1 < argc) only = argv[++i];
    else if (arg == "--json" && i + 1 < argc) file = argv[++i];
    else if (arg == "--peers") with_peers = true;
    else if (arg == "--include" && i + 1 < argc) include_folders.push_back(argv[++i]);
    else if (arg == "--python" && i + 1 < argc) python = argv[++i];
    else return usage(2);
  }

  const json reference = json::parse(kReferenceJson);
  std::vector<Peer> peers;
  if (with_peers) {
    peers = bench::compiled_peers(include_folders);
    peers.push_back({"JAX", bench::jax_absent(python), {}});
    for (auto& p : peers) std::printf("%-10s %s\n", p.name.c_str(), p.absent.empty() ? "present" : ("absent: " + p.absent).c_str());
  }
  bench::pin_to_one_cpu();
  bool good = true;
  json rows = json::array();
  if (!check_only)
    std::printf("%-24s %10s %10s %9s  %-8s %10s %8s %10s %10s\n", "problem", "primal ms", "ours ms", "/ primal", "against",
                "its ms", "ratio", "ours KiB", "its KiB");
  for (Problem& p : all_problems()) {
    if (p.name.find(only) == std::string::npos) continue;
    const bool matched = check(p, reference);
    good &= matched;
    if (check_only) std::printf("%-24s %s\n", p.name.c_str(), matched ? "matches the reference" : "DIFFERS");
    const bool measured = !check_only && p.measured;
    if (!check_only && !measured) continue;
    if (measured) {
      rows.push_back(measure(p));
      print(rows.back());
    }
    const json row = measured ? rows.back() : json();
    for (auto& peer : peers) {
      if (!peer.absent.empty() || !p.gradient) continue;
      bool right = true;
      const json theirs = peer.name == "JAX" ? against_jax(python, p, reference.at(p.name), check_only, row, right)
                                             : against(peer, p, reference.at(p.name), check_only, row, right);
      if (check_only && !theirs.is_null()) std::printf("%-24s %s %s\n", p.name.c_str(), peer.name.c_str(), right ? "matches the reference" : "DIFFERS");
      if (!check_only && !theirs.is_null()) print(theirs), rows.push_back(theirs);
      if (check_only) good &= right;
    }
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
