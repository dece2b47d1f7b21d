#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py INCLUDE COMPILER...: each public header alone, twice and together with all others, under strict warnings."""
import pathlib
import subprocess
import sys

include, *compilers = sys.argv[1:]
names = sorted(h.name for h in (pathlib.Path(include) / "tlaloc").glob("*.hpp"))
texts = {name: f"#include <tlaloc/{name}>\n" * 2 for name in names}
texts["all together"] = "".join(f"#include <tlaloc/{name}>\n" for name in names)
texts["all together, backwards"] = "".join(f"#include <tlaloc/{name}>\n" for name in reversed(names))

failed = False
for compiler in compilers:
    for name, text in texts.items():
        command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{include}", "-x", "c++", "-"]
        done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode or done.stdout:
            failed = True
            print(f"FAIL {name} in {compiler}:\n{done.stdout}")
sys.exit(failed or not names)
