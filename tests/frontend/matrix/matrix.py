#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles small programs in every way that the plugin must survive, and runs them.

With --all the whole matrix: every optimisation level, C++20 and 23, -ffast-math and sanitizers on one program, and a project
of three files with a rule in its header as separate files, as one, with a shared library, with both kinds of LTO."""
import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import sanitizer

HERE = pathlib.Path(__file__).resolve().parent
STRICT = ("-Werror -Wall -Wextra -Wpedantic -Wshadow -Wunused -Wunused-macros -Wundefined-func-template "
          "-Wundefined-internal -Wundefined-inline -Wconversion").split()


class Matrix:
    def __init__(self, args, work):
        self.args, self.work, self.failed = args, work, []
        self.plugin = [f"-fplugin={args.plugin}"]
        self.base = ["-std=c++20", f"-I{args.include}", f"-I{HERE}"]
        self.environment = sanitizer.environment(args.preload)

    def run(self, command, clean=False):
        done = subprocess.run([str(c) for c in command], cwd=self.work, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=None if clean else self.environment)
        return done.returncode, f"$ {shlex.join(map(str, command))}\n{done.stdout}"

    def compile(self, *more, plugin=True, compiler=None):
        return self.run([compiler or self.args.clang, *self.base, *(self.plugin if plugin else []), *more])

    def expect(self, name, *steps):
        """Each step is a call that gives (exit code, text); the last text must hold 'right' when it ran a program."""
        for step in steps:
            code, text = step()
            if code != 0:
                self.failed.append(name)
                print(f"FAIL {name}\n{text}")
                return
        print(f"ok   {name}")

    def refuse(self, name, step, code):
        status, text = step()
        if status == 1 and code in text and "PLEASE submit" not in text:
            print(f"ok   {name}")
        else:
            self.failed.append(name)
            print(f"FAIL {name}: expected an error {code}\n{text}")

    def program(self, name, source, *flags):
        out = self.work / "program"
        self.expect(name, lambda: self.compile(*flags, HERE / source, "-o", out), lambda: self.run([out], clean=True))

    def two_units(self, name, *flags, before=(), link=("first.o", "second.o"), use=()):
        steps = [lambda b=b: self.compile(*flags, *b[0], plugin=b[1]) for b in before]
        for unit in ("first", "second"):
            steps.append(lambda unit=unit: self.compile(*flags, *use, "-c", HERE / f"{unit}.cpp", "-o", f"{unit}.o"))
        steps.append(lambda: self.run([self.args.clang, *flags, *link, "-o", "two"]))
        steps.append(lambda: self.run([self.work / "two"], clean=True))
        self.expect(name, *steps)


    def project(self, kind, *flags):
        """rules.cpp defines a function and its rule; two other files differentiate what calls it."""
        more = {"LTO": ["-flto"], "thin LTO": ["-flto=thin"], "shared library": ["-fPIC"]}.get(kind, [])
        names = ["rules", "rules_other", "rules_main"]
        if kind == "one file":
            (self.work / "unity.cpp").write_text("".join(f'#include "{HERE}/{n}.cpp"\n' for n in names))
            sources = {"unity": self.work / "unity.cpp"}
        else:
            sources = {n: HERE / f"{n}.cpp" for n in names}
        steps = [lambda n=n, s=s: self.compile(*flags, *more, "-c", s, "-o", f"{n}.o") for n, s in sources.items()]
        objects = [f"{n}.o" for n in sources]
        if kind == "shared library":
            steps.append(lambda: self.run([self.args.clang, *flags, "-shared", "rules.o", "rules_other.o", "-o", "librules.so"]))
            objects = ["rules_main.o", "librules.so", f"-Wl,-rpath,{self.work}"]
        steps.append(lambda: self.run([self.args.clang, *flags, *more, *objects, "-o", "project"]))
        steps.append(lambda: self.run([self.work / "project"], clean=True))
        self.expect(f"{kind}, {' '.join(flags)}", *steps)


KINDS = ("separate files", "one file", "shared library", "LTO", "thin LTO")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def whole(m):
    for level in ("-O0", "-O1", "-O2", "-O3"):
        for more in ((), ("-ffast-math",), SANITIZERS, ("-std=c++23",)):
            m.program(" ".join(("one program,", level, *more)), "basic.cpp", level, *more)
    for flags in (("-O0",), ("-O2",), ("-O3", "-std=c++23")):
        for kind in KINDS:
            m.project(kind, *flags)
    m.project("separate files", "-O2", "-ffast-math")
    m.project("shared library", "-O1", *SANITIZERS)


def header(flags, source, out):
    return [*flags, "-x", "c++-header", HERE / source if isinstance(source, str) else source, "-o", out]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("clang", "plugin", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--preload")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        m = Matrix(args, work)
        if args.all:
            whole(m)
            sys.exit(1 if m.failed else 0)
        m.program("-O0", "basic.cpp", "-O0")
        m.program("-O2 -g, printed", "basic.cpp", "-O2", "-g", f"-fplugin-arg-tlaloc-print={work}/printed")
        m.program("C++23", "basic.cpp", "-std=c++23", "-O1")
        m.program("GNU dialect", "basic.cpp", "-std=gnu++20")
        m.program("macros and pragmas", "macros.cpp", "-O1")
        m.program("made, never called", "unused.cpp")
        m.program("included before everything", "basic.cpp", "-include", "tlaloc/ad.hpp", "-include", "vector", "-O1")
        m.expect("syntax only, strict", lambda: m.compile("-fsyntax-only", *STRICT, HERE / "second.cpp"))
        m.expect("LLVM text", lambda: m.compile("-S", "-emit-llvm", "-O1", HERE / "basic.cpp", "-o", "a.ll"))
        m.expect("coverage", lambda: m.compile("-fprofile-instr-generate", "-fcoverage-mapping", "-c", HERE / "basic.cpp", "-o", "c.o"))
        m.expect("sanitizers", lambda: m.compile("-O1", "-fsanitize=undefined,address", "-c", HERE / "basic.cpp", "-o", "s.o"))
        m.expect("dependencies", lambda: m.compile("-MD", "-MF", "a.d", "-c", HERE / "basic.cpp", "-o", "a.o"))
        m.expect("saved temporaries", lambda: m.compile("-save-temps", HERE / "basic.cpp", "-o", "saved"),
                 lambda: m.run([work / "saved"], clean=True))
        (work / "nothing.cpp").write_text("int main() {}\n")
        (work / "plain.c").write_text("int main(void) { return 0; }\n")
        m.expect("a file without us", lambda: m.compile("-c", work / "nothing.cpp", "-o", "n.o"))
        m.expect("a C file", lambda: m.run([args.clang, "-x", "c", *m.plugin, "-c", work / "plain.c", "-o", "p.o"]))
        m.two_units("two units -O0", "-O0")
        m.two_units("two units -O2", "-O2")
        m.two_units("two units, linked the other way round", "-O0", link=("second.o", "first.o"))
        m.project("shared library", "-O2")
        m.project("one file", "-O1")
        m.project("LTO", "-O2")
        fn = ("-DFN_ONLY", "-O2")
        use = ("-include-pch", "shared.pch")
        m.two_units("precompiled header", *fn, before=[(header((), "shared.hpp", "shared.pch"), True)], use=use)
        m.two_units("precompiled without the plugin", *fn, before=[(header((), "shared.hpp", "shared.pch"), False)], use=use)
        m.two_units("precompiled instances", *fn, "-fpch-instantiate-templates",
                    before=[(header((), "shared.hpp", "shared.pch"), True)], use=use)
        m.compile(*header(("-O2",), "shared.hpp", "site.pch"))
        m.refuse("call sites in a precompiled header",
                 lambda: m.compile("-O2", "-include-pch", "site.pch", "-c", HERE / "first.cpp", "-o", "f.o"), "CALL_SITE_IN_PCH")
        m.refuse("-fdelayed-template-parsing", lambda: m.compile("-fdelayed-template-parsing", "-fsyntax-only", HERE / "basic.cpp"),
                 "UNSUPPORTED_FLAG")
        m.refuse("an unknown option", lambda: m.compile("-fplugin-arg-tlaloc-shout", "-fsyntax-only", HERE / "basic.cpp"),
                 "UNSUPPORTED_OPTION")
        m.refuse("a folder that cannot be written",
                 lambda: m.compile("-fplugin-arg-tlaloc-print=/dev/null/x", "-fsyntax-only", HERE / "basic.cpp"), "CANNOT_WRITE")
        status, text = m.run([args.clang, *m.base, HERE / "basic.cpp", "-o", "unlinked"])
        name = "without the plugin the linker says so"
        if status == 0 or "tlaloc_error_this_file_was_compiled_without_the_tlaloc_plugin" not in text:
            m.failed.append(name)
            print(f"FAIL {name}\n{text}")
        else:
            print(f"ok   {name}")
    sys.exit(1 if m.failed else 0)


if __name__ == "__main__":
    main()
