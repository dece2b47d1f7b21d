#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the fuzzer notice a wrong derivative rule? Flips the sign of one rule at a time in a copy of the sources, rebuilds
the plugin there, runs programs that use the op, and reports the share of rules that were caught (the goal is 95 %).

    mutate.py [--only NAME ...] [--programs 50] [--work DIR]

Long (a rebuild and fifty programs per rule), so not in CI. The working tree is not touched. Rules of functions that the
programs do not use (Bessel, elliptic, orthogonal polynomials: they have tables of their own among the unit tests) are
listed as not reached."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import generate
from judge import Judge, Tools

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["CMakeLists.txt", "CMakePresets.json", "cmake", "src", "include"]
RULE = re.compile(r"\.derivative = (pointwise|linear)\(")


def matching(text, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError("unbalanced brackets")


class Rule:
    def __init__(self, file, op, kind, start, end, spelling):
        self.file, self.op, self.kind, self.start, self.end, self.spelling = file, op, kind, start, end, spelling


def rules(source):
    """All rules; `start` and `end` are those of the lambda's body."""
    found = []
    for file in sorted((source / "src/ir/ops").glob("*.cpp")):
        text = file.read_text()
        for match in RULE.finditer(text):
            op = re.findall(r"FACTS\((\w+)\)", text[:match.start()])
            spelling = re.search(r'\.cpp = "([^"]*)"', text[match.start():])
            body = match.end()
            start = text.index("{", matching(text, text.index("(", body)))
            found.append(Rule(file.relative_to(source), op[-1] if op else "?", match[1], start, matching(text, start), spelling[1] if spelling else ""))
    return found


def flip(text, rule):
    """Negates every partial (or cotangent) that the rule returns: wraps the body of its lambda."""
    result = "Partials" if rule.kind == "pointwise" else "std::vector<X>"
    body = text[rule.start:rule.end]
    wrapped = f"{{ auto all = [&]() -> {result} {body}(); for (auto& one : all) if (one.v) one = -one; return all; }}"
    return text[:rule.start] + wrapped + text[rule.end:]


def programs_for(rule, count, pool):
    """Programs that mention the op's spelling; for operators, any."""
    name = re.match(r"std::(\w+)\(", rule.spelling)
    if not name:
        return pool[:count]
    wanted = {name[1]} | {"fmax": {"max"}, "fmin": {"min"}, "fabs": {"abs"}}.get(name[1], set())
    return [p for p in pool if any(f"std::{word}(" in p.text() or f"std::{word}<" in p.text() for word in wanted)][:count]


def build(work):
    done = subprocess.run(["cmake", "--build", work / "build", "--target", "tlaloc_plugin"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0, done.stdout


def caught(rule, pool, args, work):
    """True, False, or why the rule was not tried."""
    programs = programs_for(rule, args.programs, pool)
    if not programs:
        return "not reached"
    file = work / rule.file
    text = file.read_text()
    file.write_text(flip(text, rule))
    try:
        good, output = build(work)
        if not good:
            return "does not build: " + output[-600:]
        plugin = next((work / "build/lib/tlaloc").glob("tlaloc-*.so"))
        tools = Tools(args.clang, args.gxx, str(plugin), str(work / "include"), printed=False)
        for at in range(0, len(programs), 10):  # until the first that fails
            if any(v.failed() for v in Judge(tools, work / "run").verdicts(programs[at:at + 10])):
                return True
        return False
    finally:
        file.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="ops to try (default: all)")
    parser.add_argument("--programs", type=int, default=50, help="per rule")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--gxx", default="g++")
    parser.add_argument("--work", type=pathlib.Path, help="folder for the copy and its build; kept, so that the next run builds less")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = args.work or pathlib.Path(scratch)
        for name in COPIED:
            target = work / name
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target, dirs_exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)
        subprocess.run(["cmake", "-S", work, "-B", work / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={args.clang}", "-DCMAKE_BUILD_TYPE=Debug",
                        "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DTLALOC_TESTS=OFF", "-DTLALOC_BENCH=OFF", "-DTLALOC_EXAMPLES=OFF"], check=True, stdout=subprocess.DEVNULL)
        good, output = build(work)
        if not good:
            sys.exit("the unchanged sources do not build:\n" + output[-3000:])
        pool = [generate.program(700000 + i, 1) for i in range(12 * args.programs)]
        results = {}
        for rule in rules(work):
            if not args.only or rule.op in args.only:
                results[rule.op] = caught(rule, pool, args, work)
                print(f"{rule.op}: {results[rule.op]}", flush=True)
    tried = [r for r in results.values() if isinstance(r, bool)]
    print(f"{sum(tried)} of {len(tried)} rules caught ({100 * sum(tried) / max(1, len(tried)):.0f} %), "
          f"{sum(r == 'not reached' for r in results.values())} not reached, {len(results) - len(tried) - sum(r == 'not reached' for r in results.values())} not built")
    sys.exit(0 if tried and sum(tried) >= 0.95 * len(tried) and not any(str(r).startswith("does not") for r in results.values()) else 1)


if __name__ == "__main__":
    main()
