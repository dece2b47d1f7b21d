#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs as JAX exports them, with inputs and JAX's own results.

    jax_programs.py FOLDER

For each program: <name>.mlir with the function main, <name>.in<i>.npy, <name>.out<i>.npy (bf16 as uint16, .bf16 in the name).
all.mlir holds those that every run-time compiles, as functions of their names. programs.txt lists: name, inputs, outputs,
whether it is in all.mlir.
"""
import os
import pathlib
import re
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0"  # every program runs once
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
# For the reader of StableHLO alone: each costs the other run-times a compilation.
READ = {
    "conv_gradient": (jax.grad(lambda x, w: jnp.sum(conv(x, w) ** 2), (0, 1)), f32(2, 3, 9, 10), f32(4, 3, 3, 2)),
    "grouped_conv_gradient": (jax.grad(lambda x, w: jnp.sum(lax.conv_general_dilated(x, w, (2,), "SAME", feature_group_count=2) ** 2), (0, 1)),
                              f32(2, 4, 7), f32(6, 2, 3)),
    "transposed_conv": (lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), f32(1, 5, 5, 2), f32(3, 3, 2, 4)),
    "pool_gradient": (jax.grad(lambda x: jnp.sum(pool(x) ** 2)), f32(1, 2, 6, 8)),
    "average_pool": (lambda x: lax.reduce_window(x, np.float32(0), lax.add, (1, 3), (1, 2), "SAME"), f32(4, 9)),
    "any_window": (lambda x: lax.reduce_window(x, np.float32(1), lax.mul, (2, 3), (1, 2), ((1, 0), (0, 1)), window_dilation=(1, 2), base_dilation=(2, 1)), f32(4, 9)),
    "any_reduction": (lambda x: lax.reduce(x, np.float32(0.5), lambda a, b: a * np.float32(0.5) + b, (0, 2)), np.ones((3, 4, 2), np.float32)),
    "reductions": (lambda x, b: (x.prod(0), x.min(1), jnp.any(b, 0), jnp.all(b), x.max(), jnp.sum(x, dtype=np.float64)), f32(4, 5), f32(4, 5) > 0),
    "integer_reductions": (lambda x: (x.sum(0), x.prod(1), x.max(), lax.reduce_or(x, (0,)), lax.reduce_xor(x, (1,))), np.arange(-6, 6, dtype=np.int32).reshape(3, 4)),
    "scans": (lambda x: (jnp.cumprod(x, 0), lax.cummax(x, 1), lax.cummin(x, 0, reverse=True), lax.cumlogsumexp(x, 1), lax.associative_scan(jnp.add, x)), f32(5, 6)),
    "orders": (lambda x: (jnp.argsort(x, 1), jnp.argsort(x, 0, descending=True), lax.top_k(x, 3)), f32(5, 8).round(1)),
    "two_keys": (lambda a, b: lax.sort((a, b, a * 10 + b), dimension=0, num_keys=2), rng.integers(0, 3, 20).astype(np.int32), rng.integers(0, 4, 20).astype(np.int32)),
    "odd_sort": (jnp.sort, np.array([3, np.nan, -np.inf, 0.0, -0.0, np.inf, -1, np.nan], np.float32)),
    "unsigned_sort": (jnp.sort, np.array([3, 2**32 - 1, 0, 7], np.uint32)),
    "special": (lambda x: (jax.scipy.special.erf(x), jax.scipy.special.erfinv(x), jax.scipy.special.gammaln(x + 2), jax.scipy.special.digamma(x + 2)),
                np.linspace(-0.9, 0.9, 13)),
    "functions": (lambda x: (jnp.arcsin(x), jnp.arccos(x), jnp.arctan(x), jnp.sinh(x), jnp.arcsinh(x), jnp.arctanh(x), jnp.cbrt(x), jnp.tan(x), jnp.arctan2(x, x + 1),
                             jnp.log1p(x), jnp.expm1(x), x ** 3, jnp.power(x + 1, x), jnp.sign(x), jnp.logaddexp(x, x)), np.linspace(-0.9, 0.9, 14)),
    "rounding": (lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x), jnp.trunc(x), x % np.float32(0.7), jnp.clip(x, -1, 1), jnp.isfinite(x), x.astype(np.int32)),
                 np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 7.3], np.float32)),
    "shifts": (lambda x, n: (x << n, x >> n, lax.shift_right_logical(x, n)), np.array([-7, 1, 123456, -1], np.int32), np.array([0, 31, 32, 40], np.int32)),
    "bytes": (lambda x, y: (x + y, x * y, x - y, x // y, x % y, ~x, x > y), np.array([250, 3, 7], np.uint8), np.array([10, 200, 2], np.uint8)),
    "normal": (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (7,), np.float32), np.array([3, 9], np.uint32)),
    "permutation": (lambda k: jax.random.permutation(jax.random.wrap_key_data(k), 9), np.array([3, 9], np.uint32)),
    "batched_gather": (jax.vmap(lambda x, i: x[i]), f32(3, 7, 2), rng.integers(-2, 8, (3, 4)).astype(np.int32)),
    "gather_gradient": (jax.grad(lambda x, i: jnp.sum(jnp.take(x, i, 1, mode="clip") ** 2)), f32(3, 7), rng.integers(0, 7, (4,)).astype(np.int32)),
    "scatter_set": (lambda x, i, u: x.at[:, i].set(u, mode="drop"), f32(3, 7), np.array([1, 9, 4], np.int32), f32(3, 3)),
    "segments": (lambda x, i: jax.ops.segment_sum(x, i, 4), f32(9, 2), rng.integers(0, 4, 9).astype(np.int32)),
    "batched_product": (lambda a, b: jnp.einsum("bijc,bjkc->cbik", a, b), f32(2, 3, 4, 5), f32(2, 4, 6, 5)),
    "loop_gradient": (jax.grad(lambda x: lax.fori_loop(0, 5, lambda i, c: jnp.sin(c) * x + i, x).sum()), f32(4)),
    "rnn_gradient": (jax.grad(lambda h, xs: jnp.sum(rnn(h, xs)[1] ** 2), (0, 1)), f32(3), f32(7, 3)),
    "batched_while": (jax.vmap(collatz), np.arange(1, 9, dtype=np.int32)),
    "table": (lambda i: jnp.array(np.arange(3000, dtype=np.float32).reshape(1000, 3))[i], np.int32(777)),
    "bits_of_constants": (lambda x: x + jnp.array([1 / 3, -np.inf, 2e-40, 1e38], np.float32), f32(4)),
    "floats_of_bits": (lambda a, b, c, d: (lax.bitcast_convert_type(a, np.float32), lax.bitcast_convert_type(b, np.float64), lax.bitcast_convert_type(c, np.float16),
                                           lax.bitcast_convert_type(d, jnp.bfloat16)),
                       np.array([0, 1, 0x7FFFFF, 0x800000, 0x3F800001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x80000000, 0xC0490FDB], np.uint32),
                       np.array([0, 1, 2**52 - 1, 2**52, 0x3FF0000000000001, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000, 2**63 + 5, 0xC00921FB54442D18], np.uint64),
                       np.arange(0, 65536, 97).astype(np.uint16), np.arange(0, 65536, 97).astype(np.uint16)),
    "one_by": (lambda x: jnp.broadcast_to(x, (4, 3, 5)), f32(3, 1)),
    "nothing": (lambda x: (x.sum(0), jnp.concatenate([x, x])), f32(0, 3)),
}

def save(name, array):
    array = np.asarray(array)
    if array.dtype == ml_dtypes.bfloat16:
        np.save(folder / f"{name}.bf16.npy", array.view(np.uint16))
    else:
        np.save(folder / f"{name}.npy", array)


rows, functions = [], []
for name, (f, *inputs) in (P | READ).items():
    lowered = jax.jit(f, keep_unused=True).lower(*inputs)
    text = lowered.as_text()
    (folder / f"{name}.mlir").write_text(text)
    outputs = jax.tree.leaves(lowered.compile()(*inputs))
    for i, x in enumerate(inputs):
        save(f"{name}.in{i}", x)
    for i, y in enumerate(outputs):
        save(f"{name}.out{i}", y)
    if name in P:
        body = text.split("\n", 1)[1].rsplit("}", 1)[0]  # without the lines of the module
        functions.append(re.sub(r"@(\w+)", lambda m: f"@{name}" if m[1] == "main" else f"@{name}_{m[1]}", body))
    rows.append(f"{name} {len(inputs)} {len(outputs)} {int(name in P)}")
(folder / "all.mlir").write_text("module {" + "".join(functions) + "}\n")
(folder / "programs.txt").write_text("\n".join(rows) + "\n")
