#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/random.inc: what JAX draws, in both of its streams.

A row is {name, {extents}, tolerance, {values}}: 0 for bits and for what is made of bits exactly; 1e-12 of a double's size; for a
float four times JAX's own distance from the formula in double on the same uniform numbers, or 1e-6.

    python3 tests/tensor/random_golden.py > tests/golden/random.inc
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from scipy import special

jax.config.update("jax_enable_x64", True)
print("// SPDX-License-Identifier: Apache-2.0\n// Written by tests/tensor/random_golden.py; do not edit.")


def row(name, value, tolerance=0.0):
    value = np.asarray(value)
    shape = ", ".join(str(n) for n in value.shape)
    if np.issubdtype(value.dtype, np.integer) or value.dtype == bool:
        data = ", ".join(str(int(v)) for v in value.ravel())
    else:
        data = ", ".join(repr(float(v)) for v in value.ravel())
    print(f'{{"{name}", {{{shape}}}, {tolerance:.3g}, {{{data}}}}},')


def close(name, drawn, exact):
    """A row of what the formula gives in double, and how far off a float may be."""
    size = np.maximum(1, np.abs(exact))
    row(name, exact, max(4 * float(np.max(np.abs(np.asarray(drawn, np.float64) - exact) / size)), 1e-6) if drawn.dtype == np.float32 else 1e-12)


def halves(x):                                     # of 64 bits: numbers that a double holds
    x = np.asarray(x)
    return np.stack([x >> np.uint64(32), x & np.uint64(0xFFFFFFFF)], -1)


for classic in (True, False):
    jax.config.update("jax_threefry_partitionable", not classic)
    tag = "classic" if classic else "partitionable"
    key = jax.random.PRNGKey(0x123456789ABCDEF)
    small = jax.random.key_data(jax.random.key(7))
    row(f"{tag}.key", key)
    row(f"{tag}.split", jax.random.split(key, 3))
    row(f"{tag}.fold_in", jax.random.fold_in(key, 4000000000))
    for width, t in ((8, "uint8"), (16, "uint16"), (32, "uint32")):
        for n in (1, 5, 8):
            row(f"{tag}.bits{width}.{n}", jax.random.bits(key, (n,), t))
    row(f"{tag}.bits32.matrix", jax.random.bits(key, (3, 5), "uint32"))
    row(f"{tag}.bits64", halves(jax.random.bits(key, (2, 3), "uint64")))
    row(f"{tag}.nothing", jax.random.bits(key, (0, 3), "uint32"))
    for t in ("float64", "float32", "float16", "bfloat16"):
        row(f"{tag}.uniform.{t}", jax.random.uniform(small, (2, 5), t).astype("float64"))
    for t in ("float64", "float32"):
        row(f"{tag}.between.{t}", jax.random.uniform(small, (7,), t, -2.0, 6.0).astype("float64"))
        lo = np.nextafter(np.array(-1, t), np.array(0, t))
        u = np.asarray(jax.random.uniform(small, (3, 4), t, lo, 1.0), np.float64)
        close(f"{tag}.normal.{t}", jax.random.normal(small, (3, 4), t), np.sqrt(2) * special.erfinv(u))
        u = np.asarray(jax.random.uniform(small, (3, 4), t), np.float64)
        close(f"{tag}.exponential.{t}", jax.random.exponential(small, (3, 4), t), -np.log1p(-u))
        eps = float(jnp.finfo(t).eps)
        u = np.asarray(jax.random.uniform(small, (3, 4), t, eps, 1.0), np.float64)
        close(f"{tag}.cauchy.{t}", jax.random.cauchy(small, (3, 4), t), np.tan(np.pi * (u - 0.5)))
        u = np.asarray(jax.random.uniform(small, (3, 4), t, jnp.finfo(t).tiny, 1.0), np.float64)
        close(f"{tag}.gumbel.{t}", jax.random.gumbel(small, (3, 4), t), -np.log(-np.log(u)))
        a, b = (np.asarray(lax.erf(np.asarray(v, t) / np.asarray(np.sqrt(2), t))) for v in (-0.5, 1.25))
        u = np.asarray(jax.random.uniform(small, (3, 4), t, a, b), np.float64)
        close(f"{tag}.truncated_normal.{t}", jax.random.truncated_normal(small, -0.5, 1.25, (3, 4), t), np.clip(np.sqrt(2) * special.erfinv(u), -0.5, 1.25))
        alpha = np.asarray([[0.3, 0.9, 1.0, 2.5], [7.0, 0.05, 40.0, 1.5]], t)
        tolerance = 1e-12 if t == "float64" else 4e-6
        row(f"{tag}.gamma.{t}", jax.random.gamma(small, alpha, dtype=t).astype("float64"), tolerance)
        row(f"{tag}.log_gamma.{t}", jax.random.loggamma(small, alpha, dtype=t).astype("float64"), tolerance)
        row(f"{tag}.chi_square.{t}", jax.random.chisquare(small, alpha, dtype=t).astype("float64"), tolerance)
        if t == "float64":
            for name, f in (("gamma", jax.random.gamma), ("log_gamma", jax.random.loggamma), ("chi_square", jax.random.chisquare)):
                row(f"{tag}.{name}.grad", jax.grad(lambda x: jnp.sum(f(small, x)))(alpha), 1e-11)
            row(f"{tag}.beta.grad", jax.grad(lambda x: jnp.sum(jax.random.beta(small, x, 1.5)))(alpha), 1e-11)
        row(f"{tag}.beta.{t}", jax.random.beta(small, alpha, np.asarray(1.5, t), dtype=t).astype("float64"), tolerance)
    p = np.linspace(0, 1, 20, dtype="float32")
    row(f"{tag}.bernoulli", jax.random.bernoulli(small, p))
    logits = np.asarray([[0.5, -1, 2, 0], [3, 3, -2, 1], [0, 0, 0, 0]], "float32")
    row(f"{tag}.categorical", jax.random.categorical(small, logits, axis=1))
    row(f"{tag}.categorical.0", jax.random.categorical(small, logits, axis=0))
    row(f"{tag}.permutation", jax.random.permutation(small, 50))
    row(f"{tag}.permutation.rows", jax.random.permutation(small, np.arange(12).reshape(4, 3)))
    row(f"{tag}.per_key", jax.vmap(lambda k: jax.random.normal(k, (3,), "float64"))(jax.random.split(small, 4)), 1e-12)
    row(f"{tag}.gamma.per_key", jax.vmap(lambda k: jax.random.gamma(k, np.asarray([0.5, 3.0]), dtype="float64"))(jax.random.split(small, 3)), 1e-12)
