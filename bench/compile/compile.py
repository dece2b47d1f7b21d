#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a gradient costs to compile, as multiples of its primal: (a file with the gradient - a file with the headers) over
(a file with the primal - a file with the headers), in CPU time and in peak memory, clang++ -O2. Runs alternate; the least
of each counts, since a busy machine only adds.

With --check no ratio may be above 3."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 3.0

GMM = ('#include "gmm.hpp"\n', "bench::gmm::log_posterior<double>", '"alpha", "mu", "q", "l"',
       "int d, int k, int n, const double* alpha, const double* mu, const double* q, const double* l, const double* x, double gamma, int m, double* s",
       "d, k, n, {alpha}, {mu}, {q}, {l}, x, gamma, m, {s}")
LSTM = ('#include "lstm.hpp"\n', "bench::lstm::loss<double>", '"weights", "readout"',
        "int w, int layers, int n, const double* weights, const double* readout, const double* start, const double* x, double* s",
        "w, layers, n, {weights}, {readout}, start, x, {s}")


def problem(header, function, wanted, params, call):
    """The three files of a function from bench/ad."""
    shadowed = ["alpha", "mu", "q", "l", "weights", "readout", "s"]
    plain = call.format(**{name: name for name in shadowed})
    with_shadows = call.format(**{name: f"tlaloc::shadow({name}, d_{name})" for name in shadowed})
    d_params = "".join(f", double* d_{name}" for name in shadowed if "{" + name + "}" in call)
    headers = f"#include <tlaloc/ad.hpp>\n{header}"
    return (headers, f"{headers}double primal({params}) {{ return {function}({plain}); }}\n",
            f"{headers}void gradient({params}{d_params}) {{ tlaloc::grad<{wanted}>(tlaloc::fn<{function}>)({with_shadows}); }}\n")


def fifty():
    """Fifty small functions, each with a loop, a branch and calls of <cmath>, and all under grad."""
    bodies = []
    for i in range(50):
        bodies.append(f"""inline double f{i}(double x, double y, int n) {{
  double s = {i}.5 * x;
  for (int k = 0; k < n; ++k) {{
    const double t = {("std::sin", "std::exp", "std::tanh", "std::sqrt")[i % 4]}(0.1 * k + x * y * x * y);
    if (t > {i}.25 * y) s += t * x; else s -= {i % 7 + 1}.0 * y / (2.0 + t * t);
  }}
  return s;
}}
""")
    headers = "#include <tlaloc/ad.hpp>\n#include <cmath>\n"
    functions = headers + "".join(bodies)
    primal = "double primal(double x, double y, int n) { return " + " + ".join(f"f{i}(x, y, n)" for i in range(50)) + "; }\n"
    calls = "".join(f"  {{ auto [dx, dy] = tlaloc::grad(f{i})(x, y, n); s += dx + dy; }}\n" for i in range(50))
    return headers, functions + primal, functions + f"double gradient(double x, double y, int n) {{\n  double s = 0;\n{calls}  return s;\n}}\n"


def cost(command):
    """CPU milliseconds and peak MiB of a compilation, in which clang does all in one process."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"$ {' '.join(map(str, command))}\n{output}")
    return 1e3 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("clang", "plugin"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    rows, missed = [], []
    print(f"{'file':14} {'headers':>9} {'primal':>9} {'gradient':>9} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        base = [args.clang, "-std=c++20", "-O2", "-fintegrated-cc1", f"-I{ROOT}/include", f"-I{ROOT}/bench/ad", "-c", "-o", folder / "out.o"]
        for name, texts in {"gmm": problem(*GMM), "lstm": problem(*LSTM), "50 functions": fifty()}.items():
            least = {}
            for k, text in enumerate(texts):
                (folder / f"{k}.cpp").write_text(text)
            for _ in range(args.rounds):
                for k in range(3):
                    command = [*base, folder / f"{k}.cpp"] + ([f"-fplugin={args.plugin}"] if k == 2 else [])
                    least[k] = [min(pair) for pair in zip(cost(command), least.get(k, (1e9, 1e9)))]
            for unit, (headers, primal, gradient) in zip(("ms", "MiB"), zip(*(least[k] for k in range(3)))):
                ratio = (gradient - headers) / (primal - headers)
                rows.append({"problem": f"{name} ({unit})", "headers": headers, "primal": primal, "gradient": gradient, "ratio": ratio})
                print(f"{name:14} {headers:9.1f} {primal:9.1f} {gradient:9.1f} {ratio:6.2f}  {unit}{'' if ratio <= MOST else '  missed'}")
                if ratio > MOST:
                    missed.append(rows[-1]["problem"])
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(f"missed: {', '.join(missed)}" if args.check and missed else 0)


if __name__ == "__main__":
    main()
