#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""editors.py BUILD_DIR SOURCE_DIR CLANGD CLANG_TIDY

What editors and linters of another Clang version see: every example as compile_commands.json says, and all public headers,
without a word from clangd and clang-tidy. Both are shown a bad file first, so that silence means something.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

build, source, clangd, tidy = sys.argv[1:]
failed = []


def said(command, cwd):
    done = subprocess.run([str(c) for c in command], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = [line for line in done.stdout.splitlines() if re.search(r"^E\[|(warning|error):", line)]
    return lines or ([f"exit code {done.returncode}"] if done.returncode else [])


def check(path, database, good=True):
    for name, command in (("clangd", [clangd, f"--check={path}", f"--compile-commands-dir={database}"]),
                          ("clang-tidy", [tidy, "--quiet", f"--config-file={source}/.clang-tidy", "-p", database, path])):
        lines = said(command, database)
        if bool(lines) == good:
            failed.append(f"{name} on {path}")
            print(f"FAIL {name} on {path}: " + ("\n".join(lines) if good else "says nothing about a bad file"))


commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
if any("fplugin" in c["command"] for c in commands):
    failed.append("compile_commands.json names the plugin")
examples = sorted({c["file"] for c in commands if f"{source}/examples/" in c["file"]})
on_disk = sorted(str(p) for p in pathlib.Path(source).glob("examples/**/*.cpp"))
if examples != on_disk:
    failed.append(f"compile_commands.json has {examples}, the examples are {on_disk}")
for example in examples:
    if not example.endswith("/refused.cpp"):  # which must not compile
        check(example, build)

with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    headers = sorted((pathlib.Path(source) / "include/tlaloc").glob("*.hpp"))
    (work / "headers.cpp").write_text("".join(f"#include <tlaloc/{h.name}>\n" for h in headers))
    (work / "bad.cpp").write_text("#include <vector>\nint f(std::vector<int> v) { return v.size() == 0 ? undeclared : 1; }\n")
    (work / "compile_commands.json").write_text(json.dumps([
        {"directory": folder, "file": str(work / name), "command": f"clang++ -std=c++20 -I{source}/include -c {work / name}"}
        for name in ("headers.cpp", "bad.cpp")]))
    check(work / "headers.cpp", work)
    check(work / "bad.cpp", work, good=False)

if failed:
    sys.exit("FAIL: " + "; ".join(failed))
