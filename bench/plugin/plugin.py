#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the plugin costs a compilation, in CPU time: its own timer against the whole of clang++ -O2. On a file that asks
for no derivative loading the plugin counts too, as the difference that it makes to an empty file. Runs alternate; the
least of each is what it costs, since a busy machine only adds.

With --check the goals must hold: at most 10 % of the compilation, at most 20 ms or 2 % where nothing is asked for."""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {"examples/quickstart": None, "examples/differentiable-physics": None,
         "no tlaloc": "#include <cmath>\n#include <string>\n#include <vector>\nint f(std::vector<std::string> v) { return int(v.size()); }\n",
         "tlaloc included, no derivative": "#include <tlaloc/ad.hpp>\nint f() { return 1; }\n"}


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"$ {' '.join(map(str, command))}\n{done.stdout}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("clang", "plugin"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plain = [args.clang, "-std=c++20", "-O2", f"-I{ROOT}/include", "-c", "-o", folder / "out.o"]
        plugin = [*plain, f"-fplugin={args.plugin}", "-fplugin-arg-tlaloc-time"]

        def both(source, rounds):
            pairs = [(cpu([*plain, source]), cpu([*plugin, source])) for _ in range(rounds)]
            reports = [report for _, (_, report) in pairs]
            return (min(ms for (ms, _), _ in pairs), min(ms for _, (ms, _) in pairs),
                    min(float(re.search(r"tlaloc: ([\d.]+) ms", r)[1]) for r in reports), reports[-1].strip())

        (folder / "file.cpp").write_text("int f() { return 1; }\n")
        without, loaded, _, _ = both(folder / "file.cpp", 3 * args.rounds)
        loading = max(0, loaded - without)
        print(f"loading the plugin: {loading:.1f} ms\n{'file':34} {'plugin':>11} {'clang':>11} {'ratio':>9}")
        for problem, text in FILES.items():
            source = ROOT / problem / "main.cpp"
            if text:
                source = folder / "file.cpp"
                source.write_text(text)
            primal, _, ours, breakdown = both(source, args.rounds)
            if text:
                ours += loading
            good = ours <= (max(20, 0.02 * primal) if text else 0.1 * primal)
            rows.append({"problem": problem, "ours_ms": ours, "primal_ms": primal, "reference": "clang++ -O2, no plugin",
                         "reference_ms": primal, "ratio": ours / primal})
            print(f"{problem:34} {ours:8.1f} ms {primal:8.1f} ms {100 * ours / primal:7.1f} %  {'' if good else 'missed'}\n    {breakdown}")
            if not good:
                missed.append(problem)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(f"missed: {', '.join(missed)}" if args.check and missed else 0)


if __name__ == "__main__":
    main()
