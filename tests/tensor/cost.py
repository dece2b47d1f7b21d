#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What <tlaloc/tensor.hpp> costs whoever includes it: CPU seconds of the compiler for the header alone, and what a function
of 30 operations on types of its own adds. Best of several runs, header and function in turn.

    cost.py COMPILER INCLUDE LIMIT_HEADER LIMIT_FUNCTION
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

HEAVY = {"memory", "string", "vector", "string_view", "functional", "map", "algorithm", "iostream", "istream", "ostream", "sstream",
         "iosfwd", "locale", "tuple", "optional", "variant"}


def function(ops=30):
    layers = ops // 5
    text = "using namespace tlaloc;\nstruct Batch : axis<> {};\n"
    text += "".join(f"struct H{i} : axis<{64 + i}> {{}};\n" for i in range(layers + 1))
    text += "struct Model {\n"
    text += "".join(f"  Tensor<float, H{i}, H{i + 1}> w{i}; Tensor<float, H{i + 1}> b{i}, g{i};\n" for i in range(layers))
    text += "};\nauto model(const Model& m, const Tensor<float, Batch, H0>& h0) {\n"
    text += "".join(f"  auto h{i + 1} = tanh(matmul(h{i}, m.w{i}) + m.b{i}) * m.g{i} + 1;\n" for i in range(layers))
    return text + f"  return h{layers};\n}}\nauto* keep = &model;\n"


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    compiler, include, limit_header, limit_function = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        include_line = "#include <tlaloc/tensor.hpp>\n"
        (folder / "header.cpp").write_text(include_line)
        (folder / "function.cpp").write_text(include_line + function())
        base = [compiler, "-std=c++20", "-O0", f"-I{include}", "-c", "-o", str(folder / "out.o")]

        listed = subprocess.run([compiler, "-std=c++20", f"-I{include}", "-M", str(folder / "header.cpp")], check=True, text=True, capture_output=True).stdout
        heavy = sorted({pathlib.Path(p).name for p in listed.replace("\\\n", " ").split()} & HEAVY)
        header, both = [], []
        for _ in range(5):
            header.append(seconds(base + [str(folder / "header.cpp")]))
            both.append(seconds(base + [str(folder / "function.cpp")]))
    alone, added = min(header), min(both) - min(header)
    print(f"header {alone:.2f} s, 30 operations add {added:.2f} s")
    problems = [f"<{h}> is included" for h in heavy]
    if alone > limit_header:
        problems.append(f"the header costs more than {limit_header} s")
    if added > limit_function:
        problems.append(f"30 operations add more than {limit_function} s")
    if problems:
        sys.exit("FAIL: " + "; ".join(problems))


if __name__ == "__main__":
    main()
