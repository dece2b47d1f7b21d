#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles a file with the plugin and compares the diagnostics with the file's own comments:

    // expect: LINE:COLUMN CODE text that the message contains
    // expect-note: LINE:COLUMN text that the note contains
    // flags: -fsome-option                      further arguments of the compiler
    // expect-driver: CODE text                  an error that has no place in the source

Every error must be expected and every expectation met; notes may be more than those expected. A file without any
expectation of an error must compile silently. The text may have several parts, separated by ' ... '.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sanitizer

PLACED = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<kind>fatal error|error|warning|note): (?P<text>.*)$")
PLACELESS = re.compile(r"^(?:[\w+.-]+: )?(?P<kind>fatal error|error|warning): (?P<text>.*)$")
CRASH = ("PLEASE submit a bug report", "Stack dump", "clang frontend command failed", "AddressSanitizer")


class Expectation:
    def __init__(self, kind, place, text):
        self.kind, self.place, self.parts = kind, place, [part.strip() for part in text.split(" ... ")]

    def met_by(self, kind, place, text):
        return kind == self.kind and place == self.place and all(part in text for part in self.parts)

    def __str__(self):
        where = f"{self.place[0]}:{self.place[1]}" if self.place else "(no place)"
        return f"{self.kind} at {where}: {' ... '.join(self.parts)}"


def expectations(source):
    wanted, flags = [], []
    for comment in re.findall(r"//\s*((?:expect|flags)[\w-]*:.*)$", source, re.M):
        name, rest = comment.split(":", 1)
        rest = rest.strip()
        if name == "flags":
            flags += shlex.split(rest)
        elif name == "expect-driver":
            wanted.append(Expectation("error", None, rest))
        elif name in ("expect", "expect-note"):
            match = re.match(r"(\d+):(\d+)\s+(.*)", rest)
            if not match:
                sys.exit(f"FAIL: cannot read '// {comment}'")
            kind = "note" if name == "expect-note" else "error"
            wanted.append(Expectation(kind, (int(match[1]), int(match[2])), match[3]))
        else:
            sys.exit(f"FAIL: unknown comment '// {comment}'")
    return wanted, flags


def diagnostics(output, name):
    for line in output.splitlines():
        match = PLACED.match(line)
        if match:
            kind = "error" if match["kind"] == "fatal error" else match["kind"]
            own = pathlib.Path(match["file"]).name == name
            yield kind, (int(match["line"]), int(match["column"])) if own else ("elsewhere", match["file"]), match["text"], line
            continue
        match = PLACELESS.match(line)
        if match:
            yield "error" if match["kind"] == "fatal error" else match["kind"], None, match["text"], line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--preload")
    args = parser.parse_args()

    source = args.file.read_text()
    wanted, flags = expectations(source)
    command = [args.clang, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{args.include}", args.file.name,
               f"-fplugin={args.plugin}", *flags]
    environment = sanitizer.environment(args.preload)
    done = subprocess.run(command, cwd=args.file.parent, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment)

    problems = [f"the compiler crashed ({sign})" for sign in CRASH if sign in done.stdout]
    found = list(diagnostics(done.stdout, args.file.name))
    open_ones = list(wanted)
    for kind, place, text, line in found:
        hit = next((w for w in open_ones if w.met_by(kind, place, text)), None)
        if hit:
            open_ones.remove(hit)
        elif kind != "note":
            problems.append(f"unexpected: {line}")
    problems += [f"missing: {w}" for w in open_ones]
    fails = any(w.kind == "error" for w in wanted)
    if fails and done.returncode != 1:
        problems.append(f"the compiler's exit code is {done.returncode}, expected 1")
    if not fails and (done.returncode != 0 or done.stdout):
        problems.append("expected a silent, successful compilation")
    if problems:
        print("\n".join(f"FAIL: {p}" for p in problems))
        print(f"$ {shlex.join(command)}\n{done.stdout}")
        sys.exit(1)


if __name__ == "__main__":
    main()
