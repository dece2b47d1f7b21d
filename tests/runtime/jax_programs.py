#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs as JAX exports them, with inputs and JAX's own results.

    jax_programs.py FOLDER

For each program: <name>.mlir with the function main, <name>.in<i>.npy, <name>.out<i>.npy (bf16 as uint16, .bf16 in the name).
all.mlir holds every program that IREE is to run as a function of its name. programs.txt lists: name, inputs, outputs,
whether it is in all.mlir.
"""
import os
import pathlib
import re
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for old in folder.iterdir():
    old.unlink()
rng = np.random.default_rng(5)


def f32(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def mlp(w1, b1, w2, x):
    return jnp.tanh(x @ w1 + b1) @ w2


def loss(w1, b1, w2, x, y):
    return jnp.mean((mlp(w1, b1, w2, x) - y) ** 2)


def layer_norm(x, g, b):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b


def attention(q, k, v):
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(jnp.einsum("hqd,hkd->hqk", q, k) / np.float32(4), -1), v)


def conv(x, w):
    return lax.conv_general_dilated(x, w, (2, 1), ((1, 1), (0, 2)), rhs_dilation=(1, 2))


def pool(x):
    return lax.reduce_window(x, np.float32(-np.inf), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def collatz(n):
    return lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, jnp.int32(0)))[1]


def rnn(h, xs):
    return lax.scan(lambda c, x: (jnp.tanh(c * np.float32(0.9) + x),) * 2, h, xs)


P = {
    "add": (jnp.add, f32(3, 4), f32(3, 4)),
    "matmul": (jnp.matmul, f32(17, 33), f32(33, 9)),
    "mlp": (mlp, f32(6, 8), f32(8), f32(8, 3), f32(5, 6)),
    "mlp_gradient": (jax.grad(loss, (0, 1, 2)), f32(6, 8), f32(8), f32(8, 3), f32(5, 6), f32(5, 3)),
    "softmax": (lambda x: jax.nn.softmax(x, -1), f32(4, 10)),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, 0), f32(4, 10)),
    "layer_norm": (layer_norm, f32(4, 16), f32(16), f32(16)),
    "gelu": (lambda x: jax.nn.gelu(x, approximate=True), f32(50)),
    "attention": (attention, f32(2, 5, 16), f32(2, 7, 16), f32(2, 7, 16)),
    "conv": (conv, f32(2, 3, 9, 10), f32(4, 3, 3, 2)),
    "pool": (pool, f32(1, 2, 6, 8)),
    "collatz": (collatz, np.int32(97)),
    "branch": (lambda p, x: lax.cond(p, jnp.sin, lambda y: y * y, x), np.bool_(True), f32(6)),
    "choose": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), np.int32(2), f32(6)),
    "rnn": (rnn, f32(3), f32(7, 3)),
    "sort": (lambda x: jnp.sort(x, -1), f32(4, 9)),
    "arg": (lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), f32(5, 6)),
    "cumulative": (lambda x: jnp.cumsum(x, 1), f32(3, 8)),
    "gather": (lambda x, i: jnp.take(x, i, 0, mode="clip"), f32(7, 3), np.array([6, 0, 3, 3], np.int32)),
    "scatter": (lambda x, i, u: x.at[i].add(u), f32(7, 3), np.array([6, 0, 3, 3], np.int32), f32(4, 3)),
    "slices": (lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, np.int32(0)), (2, 3)) * 2, (0, 1)), f32(6, 4), np.int32(3)),
    "shapes": (lambda x: jnp.concatenate([jnp.pad(x, ((1, 0), (0, 2))), jnp.flip(x, 0)[:, :1].T.repeat(4, 0)[:, :1].repeat(5, 1)], 0), f32(3, 3)),
    "bits": (lambda k: jax.random.bits(jax.random.wrap_key_data(k), (5,)), np.array([1, 2], np.uint32)),
    "integers": (lambda a, b: (a * b, a // b, a ^ b, a << np.int32(3)), np.array([7, -9, 2**30, 5], np.int32), np.array([2, 4, 3, -3], np.int32)),
    "logic": (lambda a, b: (a > b) & ~(a == b), f32(20), f32(20)),
    "double": (lambda x: (jnp.exp(x) * jnp.log1p(x * x), jnp.sum(x ** 3)), rng.standard_normal(20)),
    "bf16": (lambda a, b: (a @ b, (a + a)), f32(8, 8).astype(ml_dtypes.bfloat16), f32(8, 8).astype(ml_dtypes.bfloat16)),
    "half": (lambda a: (a * a + a, a.astype(np.float32)), f32(9).astype(np.float16)),
    "small_integers": (lambda a, b: (a + b, a.astype(np.int64), b.astype(np.uint16)), np.array([100, 100, -7], np.int8), np.array([100, -100, 3], np.int8)),
}
# What IREE 3.13 itself cannot do, with its reason.
NOT_IREE = dict(line.split(": ", 1) for line in """
""".strip().splitlines())


def save(name, array):
    array = np.asarray(array)
    if array.dtype == ml_dtypes.bfloat16:
        np.save(folder / f"{name}.bf16.npy", array.view(np.uint16))
    else:
        np.save(folder / f"{name}.npy", array)


rows, functions = [], []
for name, (f, *inputs) in P.items():
    text = jax.jit(f, keep_unused=True).lower(*inputs).as_text()
    (folder / f"{name}.mlir").write_text(text)
    outputs = jax.tree.leaves(jax.jit(f)(*inputs))
    for i, x in enumerate(inputs):
        save(f"{name}.in{i}", x)
    for i, y in enumerate(outputs):
        save(f"{name}.out{i}", y)
    if name not in NOT_IREE:
        body = text.split("\n", 1)[1].rsplit("}", 1)[0]  # without the lines of the module
        functions.append(re.sub(r"@(\w+)", lambda m: f"@{name}" if m[1] == "main" else f"@{name}_{m[1]}", body))
    rows.append(f"{name} {len(inputs)} {len(outputs)} {int(name not in NOT_IREE)}")
(folder / "all.mlir").write_text("module {" + "".join(functions) + "}\n")
(folder / "programs.txt").write_text("\n".join(rows) + "\n")
