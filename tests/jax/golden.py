#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers of JAX for the op table's tensor ops: values, derivatives in both modes and their nestings, and batching.

  golden.py write FILE [--seed N] [--part I/N] [--only NAME]   writes cases (see golden.cpp) with JAX's results
  golden.py add FILE PATTERN ...                 appends the cases of such names that the file lacks
  golden.py live BINARY [--seed N] [--sample N]  draws new shapes and cases, checks the interpreter and what XLA makes of our StableHLO

An f64 result may differ by 1e-12 of the result's size; one of f32 by four times what JAX's own f32 differs from its f64, or 1e-6.
"""
import argparse
import fnmatch
import os
import random
import re
import subprocess
import sys
import tempfile

import jax
import numpy as np
from cases import Draw, cases

jax.config.update("jax_enable_x64", True)

NAMES = {"bool": "bool", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
for width in (8, 16, 32, 64):
    NAMES[f"int{width}"], NAMES[f"uint{width}"] = f"i{width}", f"u{width}"
real = lambda spec: jax.numpy.issubdtype(spec.dtype, jax.numpy.floating)


def type_text(spec):
    return NAMES[str(spec.dtype)] + (f"[{','.join(map(str, spec.shape))}]" if spec.shape else "")


def specs_of(f, specs):
    return [jax.ShapeDtypeStruct(s.shape, s.dtype) for s in jax.eval_shape(lambda *a: list(f(*a)), *specs)]


def with_arguments(args, where, values):
    args = list(args)
    for i, v in zip(where, values):
        args[i] = v
    return args


def step(f, specs, how, wanted, extent=0):
    """The function of the next transform, and what it takes: as forward, reverse and batch do it."""
    outs = specs_of(f, specs)
    reals = [k for k, s in enumerate(outs) if real(s)]
    some = lambda *a: [f(*a)[k] for k in reals]
    if how == "jvp":
        n = len(specs)
        g = lambda *a: jax.jvp(lambda *w: some(*with_arguments(a[:n], wanted, w)), [a[i] for i in wanted], list(a[n:]))[1]
        return g, specs + [specs[i] for i in wanted]
    if how == "vjp":
        n = len(specs)
        g = lambda *a: list(jax.vjp(lambda *w: some(*with_arguments(a[:n], wanted, w)), *[a[i] for i in wanted])[1](list(a[n:])))
        return g, specs + [outs[k] for k in reals]
    axes = [None if a < 0 else a for a in wanted]
    widened = [s if a is None else jax.ShapeDtypeStruct(s.shape[:a] + (extent,) + s.shape[a:], s.dtype) for s, a in zip(specs, axes)]
    return jax.vmap(f, in_axes=tuple(axes)), widened


def numbers(x):
    x = np.asarray(x)
    if x.dtype == bool or np.issubdtype(x.dtype, np.integer):
        return " ".join(str(int(v)) for v in x.reshape(-1))
    return " ".join(repr(float(v)) for v in x.reshape(-1))


def allowed(want, exact, dtype):
    want, exact = np.asarray(want, dtype=np.float64), np.asarray(exact, dtype=np.float64)
    if not want.size:
        return 0.0
    finite = exact[np.isfinite(exact)]
    size = max(1.0, float(np.max(np.abs(finite)))) if finite.size else 1.0
    if dtype == np.float64:
        return 1e-12 * size
    gap = np.abs(want - exact)
    gap = float(np.max(gap[np.isfinite(gap)], initial=0.0))
    unit = {"float32": 1e-6, "float16": 2e-3, "bfloat16": 1.6e-2}[str(np.dtype(dtype)) if dtype != jax.numpy.bfloat16 else "bfloat16"]
    return max(4 * gap, unit * size)


def evaluated(case):
    """The lines of a case, its arguments and its results."""
    f, f64, specs, lines = case.function, case.exact, case.specs, []
    exact_specs = [jax.ShapeDtypeStruct(s.shape, np.float64) if real(s) else s for s in specs]
    for how, wanted, *extent in case.steps:
        lines.append(f"do {how} " + "".join(f"{e} " for e in extent) + ",".join(map(str, wanted)))
        f, specs = step(f, specs, how, wanted, *extent)
        f64, exact_specs = step(f64, exact_specs, how, wanted, *extent)
    args = case.arguments(specs)
    want = [np.asarray(y) for y in jax.jit(lambda *a: list(f(*a)))(*args)]
    exact = want
    if any(real(s) and s.dtype != np.float64 for s in specs):
        exact = [np.asarray(y) for y in jax.jit(lambda *a: list(f64(*a)))(*[np.asarray(a, s.dtype) for a, s in zip(args, exact_specs)])]
        exact = [e if real(w) else w for w, e in zip(want, exact)]    # what is no number, bits say, is of its own type
    text = [f"case {case.name}", case.text.rstrip()] + lines
    tolerance = [allowed(w, e, w.dtype) if real(w) else 0.0 for w, e in zip(want, exact)]
    for a, s in zip(args, specs):
        text.append(f"in {type_text(s)} {numbers(a)}")
    for w, e, t in zip(want, exact, tolerance):
        text.append(f"out {type_text(w)} {t:.3g} {numbers(e)}")
    return "\n".join(text + ["end", ""]), args, exact, tolerance


def chosen(seed, part="0/1", sample=None, only=""):
    i, n = map(int, part.split("/"))
    some = [c for k, c in enumerate(cases(Draw(seed))) if k % n == i and c.name.startswith(only)]
    return random.Random(seed).sample(some, min(sample, len(some))) if sample else some


def refined(text, args):
    """A module with symbolic extents for arguments of known shape, by the pass that JAX uses for its own."""
    from jax._src.interpreters import mlir
    from jaxlib import _jax
    from jaxlib.mlir import ir
    takes, gives = re.search(r"func.func public @main\((.*)\) -> \((.*)\) {", text).groups()
    types = re.findall(r": (tensor<[^>]*>)", takes)
    given = ["tensor<" + "".join(f"{n}x" for n in np.shape(a)) + t.rstrip(">").split("x")[-1].removeprefix("tensor<") + ">" for a, t in zip(args, types)]
    params = ", ".join(f"%a{i}: {t}" for i, t in enumerate(given))
    widened = "".join(f"    %d{i} = stablehlo.convert %a{i} : ({g}) -> {t}\n" for i, (g, t) in enumerate(zip(given, types)))
    passed, n = ", ".join(f"%d{i}" for i in range(len(types))), len(gives.split(", "))
    results = ", ".join(f"%r#{k}" for k in range(n)) if n > 1 else "%r"
    main = (f"  func.func public @main({params}) -> ({gives}) {{\n{widened}    %r{':' + str(n) if n > 1 else ''} = func.call @inner({passed}) : "
            f"({', '.join(types)}) -> ({gives})\n    return {results} : {gives}\n  }}\n")
    text = text.replace("func.func public @main", "func.func private @inner").replace("module {\n", "module {\n" + main)
    with mlir.make_ir_context():
        code = mlir.module_to_bytecode(ir.Module.parse(text))
        return str(ir.Module.parse(_jax.mlir.refine_polymorphic_shapes(code)))


def run_on_xla(text, args):
    from jaxlib import xla_client
    if "?" in text:
        text = refined(text, args)
    device = jax.devices("cpu")[0]
    program = device.client.compile_and_load(text, xla_client.DeviceList((device,)), xla_client.CompileOptions())
    out = program.execute_sharded([jax.device_put(a, device) for a in args]).disassemble_into_single_device_arrays()
    return [np.asarray(o[0]) for o in out]


def close(got, want, tolerance):
    if got.shape != np.shape(want) or got.dtype.kind != np.asarray(want).dtype.kind and real(got) != real(np.asarray(want)):
        return False
    if not real(got):
        return bool(np.array_equal(got, want))
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    with np.errstate(invalid="ignore"):
        return bool(np.all((np.isnan(got) & np.isnan(want)) | (got == want) | (np.abs(got - want) <= tolerance)))


def live(binary, seed, sample):
    print(f"seed {seed}", flush=True)
    done = [(c, *evaluated(c)) for c in chosen(seed, sample=sample)]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.txt")
        with open(path, "w") as file:
            file.writelines(text for _, text, *_ in done)
        if subprocess.run([binary, "check", path]).returncode:
            failed.append("the interpreter")
        subprocess.run([binary, "stablehlo", path, folder], check=True)
        for k, (case, _, args, want, tolerance) in enumerate(done):
            with open(os.path.join(folder, f"{k}.mlir")) as file:
                text = file.read()
            try:
                if text.startswith("//"):
                    raise RuntimeError(text)
                got = run_on_xla(text, args)
                wrong = len(got) != len(want) or not all(close(g, w, t) for g, w, t in zip(got, want, tolerance))
                what = f"XLA gives {got}, not {want}" if wrong else ""
            except Exception as error:                     # each case is reported, whatever its program does
                what = f"{type(error).__name__}: {str(error)[:600]}"
            if what:
                failed.append(f"{case.name} on XLA")
                print(f"{case.name}: {what}\n{text if os.environ.get('SHOW') else ''}")
    print(f"{len(done)} cases, failed: {failed or 'none'}")
    return 1 if failed or not done else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["write", "add", "live"])
    parser.add_argument("path")
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--sample", type=int, default=None)
    parser.add_argument("--only", default="", help="cases whose names begin so")
    a = parser.parse_args()
    if a.what == "live":
        return live(a.path, a.seed if a.seed is not None else random.randrange(10**6), a.sample)
    if a.what == "add":
        with open(a.path) as file:
            known = {line.split()[1] for line in file if line.startswith("case ")}
        with open(a.path, "a") as file:
            for c in chosen(a.seed or 0):
                if c.name not in known and any(fnmatch.fnmatch(c.name, p) for p in a.patterns):
                    file.write(evaluated(c)[0])
        return 0
    with open(a.path, "w") as file:
        file.write("# Written by tests/jax/golden.py; JAX " + jax.__version__ + "\n")
        file.writelines(evaluated(c)[0] for c in chosen(a.seed or 0, a.part, only=a.only))
    return 0


if __name__ == "__main__":
    sys.exit(main())
