#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the fuzzer notice a wrong derivative rule? Flips the sign of one rule at a time (the partial or the cotangent of
one operand of one op) and asks whether a program fails, out of fifty that use the op. The goal is 95 % of the rules.

    mutate.py --work DIR [--only OP ...] [--seed 700000]    copies the sources, changes the copy, builds it, and tries
    mutate.py --instrument DIR                              only changes the sources in DIR
    mutate.py --plugin FILE                                 tries with a plugin that was built of such sources

The change: in the copy, TLALOC_FLIP=op:operand in the environment of the compiler negates that rule. So one build serves
all rules, and the product knows nothing of it. Not in CI: some 20 minutes of processor time."""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import generate
from expressions import SEVERAL, SPECIAL, UNARY
from judge import Judge, Tools

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "src", "include", "tools"]
BATCHES = (3, 7, 15, 25)  # programs tried at once, until one fails
# What a program must call where the op's own spelling does not say it: ops of second derivatives, and parts of a number.
CALLED = {"digamma": "std::lgamma", "comp_ellint_d": "std::comp_ellint_1", "ellint_d": "std::ellint_1", "legendre_derivative": "std::legendre", "select": "std::hypot",
          "hypot3": "std::hypot"}
PARTS = {"frexp_significand": "std::frexp(", "modf_fraction": "std::modf("}
EXEMPT = {("copysign", "b"): "is zero", ("nextafter", "b"): "is zero", ("polygamma", "x"): "belongs to third derivatives"}

FLIPPED = """
// For tests/fuzz/mutate.py: negates one rule.
#include <cstdlib>
namespace tlaloc::ir {
std::vector<X> flipped(const Op& op, std::vector<X> rules) {
  static const std::string which = std::getenv("TLALOC_FLIP") ? std::getenv("TLALOC_FLIP") : "";
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].v && which == std::string(op.kind->name) + ":" + std::to_string(i)) rules[i] = -rules[i];
  return rules;
}
Partials partials(const Op& op, std::span<const X> in, X out) { return flipped(op, unflipped(op, in, out)); }
}  // namespace tlaloc::ir
"""
DECLARED = "Partials partials(const Op&, std::span<const X>, X);\n"


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path} does not have exactly one `{old}`: tell mutate.py where rules are applied now")
    path.write_text(text.replace(old, new))


def instrument(source):
    """Partials are asked for in one place, transposes in another."""
    kinds, adjoints = source / "src/ir/kind.cpp", source / "src/transforms/reverse_adjoint.cpp"
    replace(kinds, "Partials partials(const Op& op,", "static Partials unflipped(const Op& op,")
    replace(kinds, "static std::vector<int> trace_reads(", DECLARED + "static std::vector<int> trace_reads(")
    kinds.write_text(kinds.read_text() + FLIPPED)
    replace(adjoints, "op->kind->derivative.transpose(*op, in, {ob_, d})", "flipped(*op, op->kind->derivative.transpose(*op, in, {ob_, d}))")
    text = adjoints.read_text()
    adjoints.write_text(text.replace("namespace tlaloc::ir {\n", "namespace tlaloc::ir {\nstd::vector<X> flipped(const Op&, std::vector<X>);\n", 1))


def build(work, clang):
    """The plugin of the changed copy."""
    for name in COPIED:
        target = work / name
        if (ROOT / name).is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(ROOT / name, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    instrument(work)
    subprocess.run(["cmake", "-S", work, "-B", work / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={clang}", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DTLALOC_TESTS=OFF", "-DTLALOC_BENCH=OFF", "-DTLALOC_EXAMPLES=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", work / "build", "--target", "tlaloc_plugin"], check=True, stdout=subprocess.DEVNULL)
    return next((work / "build/lib/tlaloc").glob("tlaloc-*.so"))


def rules():
    """{op: [(number, name) of each operand with a rule]} and {op: spelling}, as docs/ops.md has them of the op table."""
    found, spellings, columns = {}, {}, []
    for line in (ROOT / "docs/ops.md").read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if "C++" in cells:
            columns = cells
        if not cells or len(cells) != len(columns):
            continue
        row = dict(zip(columns, cells))
        if not row["derivative"].startswith(("partials", "linear")) or not row["C++"].startswith("`"):
            continue
        op, passive = row["op"].strip("`"), re.findall(r"not by (\w+)", row["derivative"])
        operands = [part.strip() for part in row["takes"].split(", ") if "`" not in part]
        found[op] = [(i, name) for i, name in enumerate(operands) if ":" not in name and name not in passive and name != "mask"]
        spellings[op] = row["C++"].strip("`")
    return found, spellings


def known(function):
    return any(function in (f"std::{row[0]}", row[0]) or f"{function}(" in row[0] for row in UNARY + SEVERAL + SPECIAL)


def programs_for(op, spelling, count, seed):
    """Programs that use the op, where they can be told to; for operators, any."""
    name = CALLED.get(op) or (re.match(r"std::\w+", spelling) or [""])[0]
    if name and not known(name):
        return []
    themes = {"second derivative"} if op in CALLED and op != "hypot3" else {"parts of a number"} if op in PARTS else set()
    out = []
    for at in range(seed, seed + 40 * count):
        program = generate.program(at, 2, wanted=name, themes=themes)
        if PARTS.get(op, name) in program.text() and (themes != {"second derivative"} or program.second_transform()):
            out.append(program)
        if len(out) == count:
            break
    return out


class Remembering(Judge):
    """Runs the oracle of a program once."""

    def __init__(self, tools, work, oracles):
        super().__init__(tools, work)
        self.oracles = oracles

    def run_oracles(self, places):
        new = [i for i in places if self.programs[i].seed not in self.oracles]
        if new:
            super().run_oracles(new)
        for i in places:
            self.oracle[i] = self.oracles.setdefault(self.programs[i].seed, self.oracle.get(i))


class Trial:
    def __init__(self, args, plugin, work):
        self.args, self.plugin, self.work = args, plugin, work

    def judge(self, programs, oracles, flip):
        env = {"TLALOC_FLIP": flip} if flip else {}
        tools = Tools(self.args.clang, self.args.gxx, str(self.plugin), str(ROOT / "include"), printed=False, env=env)
        return Remembering(tools, self.work / threading.current_thread().name, oracles).verdicts(programs)

    def of_op(self, item):
        """[(rule, number of programs until one failed, or 0)] of one op."""
        op, operands, spelling = item
        programs, oracles, out = programs_for(op, spelling, sum(BATCHES), self.args.seed), {}, []
        waiting = {i: name for i, name in operands if (op, name) not in EXEMPT}
        at = 0
        for size in BATCHES:
            batch = programs[at:at + size]
            if not batch or not waiting:
                break
            batch = [p for p, v in zip(batch, self.judge(batch, oracles, "")) if v.kind == "passed"]  # as they should
            for i in list(waiting) if batch else []:
                bad = [v.failed() for v in self.judge(batch, oracles, f"{op}:{i}")]
                if any(bad):
                    out.append((op, waiting.pop(i), at + bad.index(True) + 1))
            at += size
        return out + [(op, name, 0) for name in waiting.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="ops to try (default: all)")
    parser.add_argument("--seed", type=int, default=700000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--gxx", default="g++")
    path = lambda text: pathlib.Path(text).resolve()
    parser.add_argument("--work", type=path, help="folder for the copy and its build")
    parser.add_argument("--instrument", type=path)
    parser.add_argument("--plugin", type=path)
    args = parser.parse_args()
    if args.instrument:
        return instrument(args.instrument)
    with tempfile.TemporaryDirectory() as scratch:
        work = args.work or pathlib.Path(scratch)
        trial = Trial(args, args.plugin or build(work, args.clang), work / "run")
        found, spellings = rules()
        items = [(op, operands, spellings[op]) for op, operands in found.items() if not args.only or op in args.only]
        results = []
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for result in pool.map(trial.of_op, items):
                results += result
                for op, name, tried in result:
                    print(f"{op} by {name}: {f'by program {tried}' if tried else 'survives'}", flush=True)
    caught = sum(tried > 0 for _, _, tried in results)
    exempt = [f"{op} by {name} {why}" for (op, name), why in EXEMPT.items() if op in found]
    print(f"{caught} of {len(results)} rules caught ({100 * caught / max(1, len(results)):.1f} %); not tried: {', '.join(exempt)}; "
          f"survivors: {', '.join(f'{op} by {name}' for op, name, tried in results if not tried) or 'none'}")
    sys.exit(0 if results and caught >= 0.95 * len(results) else 1)


if __name__ == "__main__":
    main()
