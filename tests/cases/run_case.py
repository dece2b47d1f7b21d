#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one differentiation case.

1. clang with the plugin compiles the case and prints the derivatives; the program checks its numbers.
2. The printed text compiles alone, without a warning, with clang and with g++.
3. The case is compiled by g++ against the printed text only; its numbers are the same to the last bit.
"""
import argparse
import pathlib
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sanitizer

STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wunused", "-Werror"]
COMMON = ["-std=c++20", "-ffp-contract=off"]


def run(what, command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        print(f"FAIL: {what}\n$ {shlex.join(map(str, command))}\n{done.stdout}")
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--gxx", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--include", required=True, help="folder of tlaloc/ad.hpp")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder to build in; emptied first")
    parser.add_argument("--numbers", action="store_true", help="only the first step")
    parser.add_argument("--preload", help="library the compiler needs when the plugin is built with a sanitizer")
    args = parser.parse_args()

    work = args.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    here = args.case.parent
    environment = sanitizer.environment(args.preload)

    # The source is named relative to its folder, as the printed file's name follows the name given.
    run("the plugin refuses the case or the compiler fails",
        [args.clang, *COMMON, "-O0", f"-I{args.include}", args.case.name, "-o", work / "by_plugin",
         f"-fplugin={args.plugin}", f"-fplugin-arg-tlaloc-print={work}"], cwd=here, env=environment)
    run("the numbers of the compiled derivative", [work / "by_plugin", work / "by_plugin.txt"], cwd=work)

    if args.numbers:
        return
    printed = sorted(work.rglob("*.tlaloc.hpp"))
    if len(printed) != 1:
        sys.exit(f"FAIL: expected one printed file under {work}, found {[p.name for p in printed]}")
    alone = work / "alone.cpp"
    alone.write_text(f'#include "{printed[0]}"\n')
    for compiler in (args.clang, args.gxx):
        run("the printed text does not compile alone", [compiler, *COMMON, *STRICT, "-fsyntax-only", alone], cwd=work)

    run("the printed text does not fit the case under g++",
        [args.gxx, *COMMON, "-O2", f'-DTLALOC_CASE_PRINTED="{printed[0]}"', args.case.name, "-o", work / "printed"],
        cwd=here)
    run("the numbers of the printed derivative", [work / "printed", work / "printed.txt"], cwd=work)

    ran = (work / "by_plugin.txt").read_text().splitlines()
    text = (work / "printed.txt").read_text().splitlines()
    ran = [line for line in ran if "by view" not in line]  # views exist in the plugin's interface only
    if ran != text:
        for left, right in zip(ran, text):
            if left != right:
                print(f"FAIL: compiled: {left}   printed: {right}")
        sys.exit(f"FAIL: the printed derivative differs from the one that ran ({len(ran)} and {len(text)} numbers)")


if __name__ == "__main__":
    main()
