#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes nestings.inc: Jacobians, Hessians and nestings of transforms, from JAX in double precision (pip install jax==0.10.2).

tests/ad/transforms_test.cpp has the same functions in C++.

    python3 tests/golden/nestings.py > tests/golden/nestings.inc
"""
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def wave(x):
    return x * jnp.sin(x) + jnp.exp(-x) / (1 + x * x)


def pair(x):
    return jnp.array([x[0] * x[1] + jnp.exp(x[2]), x[0] / x[2] + jnp.sin(x[1])])


def chain(x):
    s = 1.0
    for i in range(len(x)):
        s = s * jnp.sin(x[i]) + x[i] * x[i]
        s = jnp.where(s > 1, jnp.log(s) + x[i], s)
    return s


def power(x, y):
    return x**3 * y + jnp.exp(x * y)


def springs(x):
    return jnp.sum(jnp.sin(x[:-1] * x[1:]))


def entry(t):
    j = jax.jacfwd(pair)(jnp.array([t, 2 * t, t * t + 1]))
    return j[0, 1] * j[1, 2]


def trace(x):
    h = jax.hessian(springs)(x)
    return jnp.sum(jnp.diag(h) * h[:, 0])


X3 = jnp.array([0.7, -0.4, 1.3])
X4 = jnp.array([0.3, -0.8, 1.1, 0.6])
V4 = jnp.array([1.0, -0.5, 0.25, 2.0])
X6 = jnp.array([0.3, -0.4, 0.9, 1.3, -1.1, 0.2])
V6 = jnp.array([0.5, 1.0, -0.75, 0.2, 0.1, -2.0])
d = jax.grad

rows = {
    "wave_1": d(wave)(0.7),
    "wave_4": d(d(d(d(wave))))(0.7),
    "pair_jacobian": jax.jacfwd(pair)(X3),
    "pair_second": jax.jacfwd(jax.jacrev(pair))(X3),
    "pair_third": jax.jacfwd(jax.jacfwd(jax.jacrev(pair)))(X3),
    "chain_hessian": jax.hessian(chain)(X4),
    "chain_hessian_along": jax.jvp(jax.hessian(chain), (X4,), (V4,))[1],
    "chain_hvp": jax.jvp(jax.grad(chain), (X4,), (V4,))[1],
    "chain_hvp_gradient": jax.grad(lambda x: jnp.dot(jax.jvp(jax.grad(chain), (x,), (V4,))[1], V4))(X4),
    "power_hessian": jax.hessian(lambda z: power(z[0], z[1]))(jnp.array([0.9, 0.4])),
    "power_xxyy": d(d(d(d(power, 0), 0), 1), 1)(0.9, 0.4),
    "power_blocks": jnp.array(jax.jacrev(power, (0, 1))(0.9, 0.4)),
    "springs_hessian": jax.hessian(springs)(X6),
    "springs_hvp": jax.jvp(jax.grad(springs), (X6,), (V6,))[1],
    "entry": d(entry)(0.7),
    "trace": d(trace)(X6),
}
print("// SPDX-License-Identifier: Apache-2.0\n// Written by nestings.py.")
for name, value in rows.items():
    numbers = ", ".join(repr(float(x)) for x in np.ravel(value))
    print(f'{{"{name}", {{{numbers}}}}},')
