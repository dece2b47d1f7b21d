#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""helpers.py OP_TABLE COMPILER...: helper texts compile without a warning and give the bits of the kernels."""
import os
import subprocess
import sys
import tempfile

table, compilers = sys.argv[1], sys.argv[2:]
warnings = "-Wall -Wextra -Wshadow -Wunused -Werror".split()


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


expected = said(table, "numbers")
failed = len(expected.splitlines()) < 50
with tempfile.TemporaryDirectory() as folder:
    source, program = os.path.join(folder, "helpers.cpp"), os.path.join(folder, "helpers")
    with open(source, "w") as f:
        f.write(said(table, "program"))
    for compiler in compilers:
        for level in ("-O0", "-O3"):
            said(compiler, "-std=c++20", level, "-ffp-contract=off", *warnings, source, "-o", program)
            got = said(program)
            if got != expected:
                failed = True
                off = sum(a != b for a, b in zip(got.splitlines(), expected.splitlines()))
                print(f"{compiler} {level}: {off} numbers differ from the kernels")
sys.exit(failed)
