#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""command.py TLALOC PLUGIN: `tlaloc run` and `tlaloc inspect` as a user sees them, right and wrong."""
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np
import safetensors.numpy

tlaloc, plugin = sys.argv[1:]
failed = []


def check(name, command, code, *parts, stream="stderr"):
    done = subprocess.run([tlaloc, *map(str, command)], cwd=work, text=True, capture_output=True)
    text = getattr(done, stream)
    if done.returncode != code or not all(part in text for part in parts):
        failed.append(name)
        print(f"FAIL {name}: exit code {done.returncode}, expected {code} and {parts}\n{done.stdout}{done.stderr}")


def same(name, got, want):
    if got.dtype != want.dtype or got.shape != want.shape or got.tobytes() != want.tobytes():
        failed.append(name)
        print(f"FAIL {name}: {got} instead of {want}")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    (work / "two.mlir").write_text(
        "module { func.func @main(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xi1>) {\n"
        "  %0 = stablehlo.subtract %a, %b : tensor<2x2xf32>\n"
        "  %1 = stablehlo.compare GT, %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>\n"
        "  return %0, %1 : tensor<2x2xf32>, tensor<2x2xi1> } }\n")
    (work / "broken.mlir").write_text("module { func.func @main() { stablehlo.nonsense return } }\n")
    a, b = np.float32([[1, 2.5], [-3, 0.1]]), np.float32([[1, 1], [1, 1]])
    np.save(work / "a.npy", a)
    np.savez(work / "both.npz", a=a, b=b)
    safetensors.numpy.save_file({"b": b, "half": np.zeros((3, 2), ml_dtypes.bfloat16), "tiny": np.zeros(4, ml_dtypes.float8_e4m3fn)},
                                work / "some.safetensors", metadata={"origin": "a test"})
    safetensors.numpy.save_file({"b": b}, work / "b.safetensors")
    (work / "bad.safetensors").write_bytes((work / "b.safetensors").read_bytes()[:-1])

    # --- run ---
    run = ["run", "two.mlir", "--device", plugin]
    good = [*run, "--input", "a.npy", "--input", "both.npz:b"]
    check("help", ["run", "--help"], 0, "--input", "--device", "Example", stream="stdout")
    check("printed", good, 0, "f32[2,2] [[0, 1.5], [-4, -0.9]]\nbool[2,2] [[false, true], [false, false]]\n", stream="stdout")
    check("to .npy", [*good, "-o", "x.npy", "-o", "y.npy"], 0)
    same("x.npy", np.load(work / "x.npy"), a - b)
    same("y.npy", np.load(work / "y.npy"), a > b)
    check("to .npz", [*good, "-o", "xy.npz"], 0)
    same("xy.npz", np.load(work / "xy.npz")["1"], a > b)
    check("to safetensors", ["run", "two.mlir", "-d", plugin, "-i", "a.npy", "-i", "b.safetensors:b", "-o", "xy.safetensors"], 0)
    same("xy.safetensors", safetensors.numpy.load_file(work / "xy.safetensors")["0"], a - b)
    for _ in range(2):
        check("cached", [*good, "--cache", "cache"], 0, "f32[2,2] [[0, 1.5]", stream="stdout")
    if len(list((work / "cache").iterdir())) != 1:
        failed.append("one entry in the cache")
    plain = ["run", "two.mlir", "-i", "a.npy", "-i", "both.npz:b"]
    check("by the interpreter", plain, 0, "f32[2,2] [[0, 1.5], [-4, -0.9]]\nbool[2,2] [[false, true], [false, false]]\n", stream="stdout")
    check("the interpreter has no cache", [*plain, "--cache", "cache"], 2, "--device")
    check("too few inputs for it", ["run", "two.mlir", "-i", "a.npy"], 2, "main takes 2 arguments and --input names 1")
    np.save(work / "c.npy", np.zeros(3, np.float32))
    check("a wrong input for it", ["run", "two.mlir", "-i", "a.npy", "-i", "c.npy"], 2, "argument 1 of main is f32[2,2] and --input gives f32[3]")
    check("a broken program for it", ["run", "broken.mlir"], 1, "MALFORMED_PROGRAM: broken.mlir:1:")
    check("no such program", ["run", "none.mlir", "-d", plugin], 2, "none.mlir")
    check("no such plugin", ["run", "two.mlir", "-d", "none.so"], 2, "none.so")
    check("no plugin", ["run", "two.mlir", "-d", "a.npy"], 1, "CANNOT_LOAD_PLUGIN")
    check("no such input", [*run, "-i", "none.npy"], 2, "none.npy")
    check("which array", [*run, "-i", "both.npz"], 2, "both.npz:NAME with one of: a, b")
    check("no such array", [*run, "-i", "both.npz:c"], 2, "with one of: a, b")
    check("no array file", [*run, "-i", "two.mlir"], 2, "no array file")
    check("malformed input", [*run, "-i", "bad.safetensors:b"], 1, "MALFORMED_FILE: bad.safetensors: is cut off")
    check("an unsupported dtype", [*run, "-i", "some.safetensors:b"], 1, "UNSUPPORTED_DTYPE: some.safetensors: tensor 'tiny'")
    check("too few inputs", [*run, "-i", "a.npy"], 1, "INVALID_ARGUMENT")
    check("too few outputs", [*good, "-o", "x.npy"], 2, "2 results and --output names 1")
    check("no place for results", [*good, "-o", "x.txt"], 2, "x.txt")
    check("a broken program", ["run", "broken.mlir", "-d", plugin], 1, "PJRT_Client_Compile", "nonsense")
    check("an unknown option", [*good, "--shout"], 2, "--shout")

    # --- inspect ---
    check("inspect .npy", ["inspect", "a.npy"], 0, "a.npy", "f32[2,2]", "16 bytes", stream="stdout")
    check("inspect .npz", ["inspect", "both.npz"], 0, "a ", "b ", "f32[2,2]", stream="stdout")
    check("inspect safetensors", ["inspect", "some.safetensors"], 0, "origin: a test", "BF16[3,2]", "F8_E4M3[4]", "3 tensors, 32 bytes", stream="stdout")
    check("inspect a plugin", ["inspect", plugin], 0, "interface 0.81", "platform: cpu", "device: ", "stablehlo_current_version: 1.", stream="stdout")
    check("inspect a malformed file", ["inspect", "bad.safetensors"], 1, "MALFORMED_FILE")
    check("inspect a program", ["inspect", "two.mlir"], 0, "main(f32[2,2], f32[2,2]) -> (f32[2,2], bool[2,2]), 2 operations", stream="stdout")
    check("inspect a broken program", ["inspect", "broken.mlir"], 1, "MALFORMED_PROGRAM")
    check("inspect something else", ["inspect", "../" + work.name], 2, "no known kind")
    check("inspect nothing", ["inspect", "none.npy"], 2, "none.npy")
    check("inspect without a file", ["inspect"], 2, "file")

sys.exit(bool(failed))
