#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the constants of main.cpp: the same model in JAX (f64), fitted by SciPy."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import solve_triangular
from scipy.optimize import minimize

jax.config.update("jax_enable_x64", True)
i = np.arange(20)
x = jnp.array(0.35 * i)
y = jnp.array(np.sin(0.35 * i) + ((37 * i) % 11 - 5) / 50)


def kernel(h, a, b):
    return jnp.exp(2 * h[1] - 0.5 * ((a[:, None] - b[None, :]) / jnp.exp(h[0])) ** 2)


def factor(h):
    return jnp.linalg.cholesky(kernel(h, x, x) + jnp.exp(2 * h[2]) * jnp.eye(20))


def evidence(h):
    l = factor(h)
    z = solve_triangular(l, y, lower=True)
    return -0.5 * z @ z - jnp.sum(jnp.log(jnp.diag(l))) - 10 * jnp.log(2 * jnp.pi)


h = jnp.array([0.25, -0.5, -1.5])
value, gradient = jax.value_and_grad(evidence)(h)
print("evidence", repr(float(value)), "gradient", [repr(float(g)) for g in gradient])
best = minimize(lambda v: -evidence(v), h, jac=jax.grad(lambda v: -evidence(v)), method="BFGS", options={"gtol": 1e-10})
print("fitted", [repr(float(v)) for v in best.x])
h = jnp.array(best.x)
t = jnp.array([1.0, 3.3, 8.0])
l = factor(h)
z = solve_triangular(l, y, lower=True)
v = solve_triangular(l, kernel(h, x, t), lower=True)
print("mean", [repr(float(m)) for m in v.T @ z])
print("variance", [repr(float(m)) for m in jnp.exp(2 * h[1]) - jnp.sum(v * v, 0)])
