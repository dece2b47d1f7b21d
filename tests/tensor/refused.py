#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a file of mistakes and compares the errors with the file's own comments:

    auto r = matmul(x, w);  // refused: TENSOR_SHAPE_MISMATCH op::matmul inner_extents_differ sized<Hidden, 512> dim<256>

Each such line must give exactly one error whose text, notes included, contains the words in that order, and no other line may
give any. Words are separated by blanks; a comma glues: 'Hidden, 512' is one word.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

PLACED = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?P<kind>fatal error|error|warning|note): (?P<text>.*)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER, help="the compiler and its further arguments")
    args = parser.parse_args()

    wanted = {}
    for number, line in enumerate(args.file.read_text().splitlines(), 1):
        if match := re.search(r"// refused: (.*)$", line):
            wanted[number] = re.split(r"(?<!,) ", match[1])
    if not wanted:
        sys.exit(f"FAIL: {args.file} expects nothing")

    command = [*args.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", str(args.file)]
    command += ["-fno-elide-type", "-ferror-limit=0"] if "clang" in pathlib.Path(args.compiler[0]).name else []
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})

    errors, current = [], None
    for line in done.stdout.splitlines():
        match = PLACED.match(line)
        if not match:
            continue
        if match["kind"] == "note":
            if current:
                current[1] += "\n" + match["text"]
            continue
        place = int(match["line"]) if pathlib.Path(match["file"]).name == args.file.name else 0
        current = [place, match["kind"] + ": " + match["text"], line]
        errors.append(current)

    problems = []
    for place, text, line in errors:
        if place not in wanted:
            problems.append(f"unexpected: {line}")
            continue
        at = 0
        for word in wanted[place]:
            found = text.replace("tlaloc::", "").find(word, at)
            if found < 0:
                problems.append(f"line {place}: '{word}' is not said, or not there: {text}")
                break
            at = found
    for place in wanted:
        count = sum(1 for e in errors if e[0] == place)
        if count != 1:
            problems.append(f"line {place}: {count} errors, expected one")
    if problems:
        print("\n".join(f"FAIL: {p}" for p in problems))
        print(f"$ {shlex.join(command)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
