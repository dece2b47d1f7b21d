#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gen.py TLALOC CLANG GXX INCLUDE: the program `tlaloc gen` as a user sees it, right and wrong."""
import pathlib
import subprocess
import sys
import tempfile

tlaloc, clang, gxx, include = sys.argv[1:]
failed = []


def check(name, command, code, *parts, stream="stderr"):
    done = subprocess.run([tlaloc, *command], cwd=work, text=True, capture_output=True)
    text = getattr(done, stream)
    if done.returncode != code or not all(part in text for part in parts):
        failed.append(name)
        print(f"FAIL {name}: exit code {done.returncode}, expected {code} and {parts}\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    (work / "sub").mkdir()
    (work / "good.cpp").write_text(
        "#include <tlaloc/ad.hpp>\n#include NUMBER\ndouble f(double x) { return x * x; }\n"
        "int main() { return tlaloc::grad(f)(number) == 6 ? 0 : 1; }\n")
    (work / "number.hpp").write_text("inline double number = 3;\n")
    (work / "plain.cpp").write_text("int main() { return 0; }\n")
    (work / "broken.cpp").write_text("int main() { return }\n")
    (work / "refused.cpp").write_text("#include <tlaloc/ad.hpp>\ndouble g(double x);\ndouble f(double x) { return g(x); }\n"
                                      "int main() { return int(tlaloc::grad(f)(2.0)); }\n")
    flags = ["--", "-std=c++20", f"-I{include}"]

    check("help", ["gen", "--help"], 0, "--output", "Examples", stream="stdout")
    check("version", ["--version"], 0, "tlaloc 0.", stream="stdout")
    check("no subcommand", [], 2, "--help")
    check("no output", ["gen", "good.cpp"], 2, "--output")
    check("no such source", ["gen", "none.cpp", "-o", "x.cpp"], 2, "none.cpp")
    check("no source", ["gen", "number.hpp", "-o", "x.cpp"], 2, "not a C++ source")
    check("an unknown option", ["gen", "good.cpp", "-o", "x.cpp", "--shout"], 2, "--shout")
    check("another compiler", ["gen", "good.cpp", "-o", "x.cpp", f"--clang={gxx}"], 2, "is not Clang", "--clang=clang++-")
    check("no compiler", ["gen", "good.cpp", "-o", "x.cpp", "--clang=no-such-clang"], 2, "no-such-clang")
    (work / "clang++-7").write_text("#!/bin/sh\necho 'clang version 7.0.1'\n")
    (work / "clang++-7").chmod(0o755)
    check("a version without a plugin", ["gen", "good.cpp", "-o", "x.cpp", "--clang=./clang++-7"], 2, "is Clang 7", "plugins for: ")
    check("a response file", ["gen", "good.cpp", "-o", "x.cpp", "--", "@flags"], 2, "@flags")
    check("launched without an object", ["gen", "--launch", "--", gxx, "-c", "good.cpp"], 2, "-o")
    check("launched with nothing", ["gen", "--launch"], 2, "--launch")
    check("launched, no compilation", ["gen", "--launch", "--", gxx, "--version"], 0, "Free Software Foundation", stream="stdout")
    check("launched, two sources", ["gen", "--launch", "--", gxx, "-c", "good.cpp", "plain.cpp", "-o", "x.o"], 2, "more than one")

    (work / "x.cpp").write_text("old\n")
    check("an error in the source", ["gen", "broken.cpp", "-o", "x.cpp"], 1, "broken.cpp:1:21", "error")
    check("a derivative that does not exist", ["gen", "refused.cpp", "-o", "x.cpp", *flags], 1, "NOT_DIFFERENTIABLE", "'g'")
    if (work / "x.cpp").exists():
        failed.append("an old file stays beside an error")
    check("a place that cannot be written", ["gen", "plain.cpp", "-o", "/dev/null/x.cpp"], 1, "CANNOT_WRITE")

    more = ["-DNUMBER=\"number.hpp\"", "-Wlogical-op", "-fmax-errors=3", "-O1", "-g"]      # two that only g++ knows
    check("a good one", ["gen", "good.cpp", "-o", "sub/out.cpp", "--depfile", "out.d", *flags, *more], 0)
    made = subprocess.run([gxx, "-std=c++20", f"-I{include}", *more, "sub/out.cpp", "-o", "out"], cwd=work)
    if made.returncode or subprocess.run([work / "out"]).returncode:
        failed.append("the program of a good one")
    depends = (work / "out.d").read_text()
    if not depends.startswith("sub/out.cpp:") or "number.hpp" not in depends:
        failed.append("the dependencies")
    if folder in (work / "sub/out.cpp").read_text():
        failed.append("the generated file names a path of this machine")
    check("a file without derivatives", ["gen", "--launch", "--", gxx, "-c", "plain.cpp", "-o", "plain.o"], 0)
    check("relaunched", ["gen", "--launch", "--clang", clang, "--", gxx, "-std=c++20", f"-I{include}", more[0], "-c", "good.cpp", "-o", "good.o"], 0)

if failed:
    sys.exit("FAIL: " + ", ".join(failed))
