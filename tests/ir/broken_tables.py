#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""broken_tables.py COMPILER SRC LIBRARY: each edit to a copy of the op table must be refused by the compiler or the linker,
with a message that says what is wrong."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

compiler, src, library = sys.argv[1:4]
elementary, gamma = "ir/ops/elementary.cpp", "ir/ops/gamma.cpp"


def in_record(op, pattern, replacement):
    """An edit within FACTS(op) { ... };"""
    def edit(text):
        start = text.index(f"FACTS({op}) {{")
        end = text.index("\n};", start)
        return text[:start] + re.sub(pattern, replacement, text[start:end]) + text[end:]
    return edit


def anywhere(pattern, replacement):
    return lambda text: re.sub(pattern, replacement, text)


# what is broken, the file to edit, the edit, the file to compile, what the compiler must say
cases = [
    ("no derivative", elementary, in_record("exp", r"\.derivative = .*\n", ""), elementary, "Derivative"),
    ("no kernel", elementary, in_record("exp", r"\.kernel = .*\n", ""), elementary, "Kernel"),
    ("no type rule", elementary, in_record("exp", r"\.type = .*\n", ""), elementary, "TypeRule"),
    ("no C++ spelling", elementary, in_record("exp", r"\.cpp = .*\n", ""), elementary, "Spelling"),
    ("no cost", elementary, in_record("exp", r", \.cost = 20", ""), elementary, "Must<int>"),
    ("no effect", elementary, in_record("exp", r"\.effect = Effect::pure, ", ""), elementary, "Must<Effect>"),
    ("no doc", elementary, in_record("exp", r", \.doc = [^\n]*", ","), elementary, "Text"),
    ("a misspelled fact", elementary, in_record("exp", r"\.kernel", ".kernl"), elementary, "kernl"),
    ("a record without a line", "ir/ops.def", anywhere(r"OP\(exp, X\)\n", ""), elementary, "exp"),
    ("one operand too many", elementary, in_record("exp", r'\{"x"\}', '{"x", "y"}'), elementary, "operands differ from ops.def"),
    ("an attribute that is not declared", "ir/ops.def", anywhere(r"OP\(polygamma, X, std::int64_t\)", "OP(polygamma, X)"), gamma, "attributes differ from ops.def"),
    ("an attribute of another type", "ir/ops.def", anywhere(r"OP\(polygamma, X, std::int64_t\)", "OP(polygamma, X, DType)"), gamma, "attribute type differs from ops.def"),
    ("partials of another arity", elementary, in_record("hypot", r"X a, X b, X y\)", "X a, X y)"), elementary, "hypot|partials take|use of undeclared identifier 'b'"),
    ("a spelling that names a ghost", elementary, in_record("exp", r"std::exp\(\{x\}\)", "std::exp({z})"), elementary, "names neither an operand nor an attribute"),
    ("by_expansion without an expansion", elementary, in_record("exp", r"\.kernel = .*\n", ".kernel = by_expansion,\n"), elementary, "by_expansion needs an expansion"),
    ("an integer operand that is none", elementary, in_record("exp", r"\.type", '.integers = {{"n", DType::i32}}, .type'), elementary, "an integer operand is none of the operands"),
    ("a passive operand that is none", elementary, in_record("exp", r"\.kernel", '.passive = {{"n", "why"}}, .kernel'), elementary, "a passive operand is none of the operands"),
]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def copy(folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(src, "ir"), os.path.join(folder, "ir"))


def edit(folder, file, change):
    path = os.path.join(folder, file)
    with open(path) as f:
        before = f.read()
    after = change(before)
    assert after != before, f"the edit of {file} did nothing"
    with open(path, "w") as f:
        f.write(after)


def main():
    failed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.join(temporary, "src")
        compile_only = [compiler, "-std=c++20", "-I", folder, "-fsyntax-only"]
        copy(folder)
        for file in (elementary, gamma):
            whole = run(*compile_only, os.path.join(folder, file))
            assert whole.returncode == 0, f"the table as it is does not compile:\n{whole.stderr}"
        for what, file, change, compiled, message in cases:
            copy(folder)
            edit(folder, file, change)
            result = run(*compile_only, os.path.join(folder, compiled))
            if result.returncode == 0:
                failed.append(f"{what}: accepted")
            elif not re.search(message, result.stderr):
                failed.append(f"{what}: refused without '{message}':\n{result.stderr[:1500]}")
        # A line without a record is the linker's to find.
        copy(folder)
        edit(folder, "ir/ops.def", lambda text: text + "OP(ghost, X)\n")
        main_file, objects = os.path.join(temporary, "main.cpp"), os.path.join(temporary, "kind.o")
        with open(main_file, "w") as f:
            f.write('#include "ir/kind.hpp"\nint main() { return int(tlaloc::ir::all_kinds().size()); }\n')
        compiled = run(compiler, "-std=c++20", "-I", folder, "-c", os.path.join(folder, "ir/kind.cpp"), "-o", objects)
        assert compiled.returncode == 0, compiled.stderr
        linked = run(compiler, "-std=c++20", "-I", folder, main_file, objects, library, "-o", os.path.join(temporary, "a.out"))
        if linked.returncode == 0 or not re.search(r"undefined reference to `tlaloc::ir::ops::ghost'", linked.stderr):
            failed.append(f"a line without a record: {linked.stderr[:1500] or 'accepted'}")
    print("\n".join(failed) or f"{len(cases) + 1} broken tables are refused")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
