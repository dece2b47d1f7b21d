#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes solvers.inc: derivatives of solutions, integrals and ODEs, from JAX and SciPy in double precision
(pip install jax==0.10.2 scipy==1.17.1).

Solutions are jax.lax.custom_root. Integrals
are closed forms in special functions, or SciPy's quad of the derivative's integrand. Runge-Kutta is the same formula in JAX;
the adaptive method is judged by the variational equations, solved by SciPy's DOP853.
tests/ad/solvers_test.cpp has the same functions in C++.

    python3 tests/golden/solvers.py > tests/golden/solvers.inc
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf, gammaln
from scipy.integrate import quad, solve_ivp

jax.config.update("jax_enable_x64", True)
d = jax.grad


# --- solutions ---
def newton(f, x):
    def solve(f, x):
        def step(_, x):
            return x - (jnp.linalg.solve(jax.jacfwd(f)(x), f(x)) if jnp.ndim(x) else f(x) / jax.jvp(f, (x,), (1.0,))[1])

        return jax.lax.fori_loop(0, 20, step, x)

    def tangent(g, y):
        return jnp.linalg.solve(jax.jacfwd(g)(y), y) if jnp.ndim(y) else y / g(jnp.ones_like(y))

    return jax.lax.custom_root(f, x, solve, tangent)


def cubic(a):
    return newton(lambda x: x**3 - a * x - 1, jnp.float64(1.0)) * a


def pair(p):
    z = newton(lambda z: z - jnp.array([jnp.tanh(0.5 * z[0] - p[0] * z[1] + 1), jnp.tanh(p[1] * z[0] + 0.3 * z[1])]), jnp.zeros(2))
    return z[0] * z[1] + z[1] * p[0]


def chain(w):
    def residual(z):
        before, after = jnp.append(0.0, z[:-1]), jnp.append(z[1:], 0.0)
        return z**3 + z - w - 0.3 * before - 0.2 * after

    return jnp.sum(newton(residual, jnp.zeros(len(w))) ** 2)


def nested(a):
    return newton(lambda y: y - newton(lambda x: x**3 + x - a * y, jnp.float64(1.0)) - a, jnp.float64(1.0)) ** 2


# --- integrals in closed form ---
def bell(z):
    a, b, k = z
    return jnp.sqrt(jnp.pi / k) / 2 * (erf(b * jnp.sqrt(k)) - erf(a * jnp.sqrt(k)))


def beta(z):
    return jnp.exp(gammaln(z[0]) + gammaln(z[1]) - gammaln(z[0] + z[1]))


def gamma(z):
    return jnp.exp(z[0] * jnp.log(z[1]) + gammaln(z[0]))


def line(z):
    return jnp.sqrt(2 * jnp.pi) * z[1] * jnp.exp(-z[1] ** 2 / 2) * jnp.cos(z[0])


def upward(z):  # x^2 + k x from 0 to b, of which the second derivatives mix the limit and k
    return z[0] ** 3 / 3 + z[1] * z[0] ** 2 / 2


def chirp(k, b):
    value = quad(lambda x: np.sin(k * x * x) / (1 + x), 0, b, epsabs=1e-14, epsrel=1e-13)[0]
    by_k = quad(lambda x: x * x * np.cos(k * x * x) / (1 + x), 0, b, epsabs=1e-14, epsrel=1e-13)[0]
    return [value, by_k, np.sin(k * b * b) / (1 + b)]


# --- differential equations ---
def field(p, y):
    return jnp.array([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - y[1]])


def rk4(f, y, t0, t1, steps):
    h = (t1 - t0) / steps

    def step(y, k):
        t = t0 + k * h
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return jax.lax.scan(step, y, jnp.arange(steps))[0]


def preys(z):
    y = rk4(lambda t, y: field(z[:3], y) + jnp.array([jnp.sin(t), 0.0]) * 0.1, z[3:5], z[5], z[6], 12)
    return y[0] + 2 * y[1]


def growth(z):  # one number
    return rk4(lambda t, y: z[0] * y * (1 - y) + t, z[1], 0.0, 1.5, 10)


def sensitivities(p, y0, t1):
    """The solution, then its derivatives by the three parameters, the two initial values and the end."""

    def rhs(t, state):
        (a, b), s = state[:2], state[2:].reshape(2, 5)
        by_y = np.array([[p[0] - p[1] * b, -p[1] * a], [p[2] * b, p[2] * a - 1]])
        by_p = np.array([[a, -a * b, 0], [0, 0, a * b]])
        ds = by_y @ s
        ds[:, :3] += by_p
        return np.concatenate([[p[0] * a - p[1] * a * b, p[2] * a * b - b], ds.ravel()])

    start = np.concatenate([y0, np.hstack([np.zeros((2, 3)), np.eye(2)]).ravel()])
    end = solve_ivp(rhs, (0, t1), start, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    y, s = end[:2], end[2:].reshape(2, 5)
    return [y, np.hstack([s, np.asarray(field(p, y))[:, None]])]


P2, W5 = jnp.array([0.4, 0.6]), jnp.array([1.0, -2.0, 3.0, 0.5, 1.5])
BELL, BETA, GAMMA, LINE, UP = (jnp.array(v) for v in ([-0.5, 1.2, 0.8], [0.5, 0.7], [1.7, 0.6], [0.4, 1.3], [1.1, 0.6]))
PREYS, GROWTH = jnp.array([1.1, 0.4, 0.1, 3.0, 2.0, 0.2, 2.5]), jnp.array([1.3, 0.2])
rows = {
    "cubic": [jax.jit(g)(0.7) for g in (cubic, d(cubic), d(d(cubic)), d(d(d(cubic))), d(d(d(d(cubic)))))],
    "pair": pair(P2), "pair_gradient": jax.jit(d(pair))(P2), "pair_hessian": jax.jit(jax.hessian(pair))(P2),
    "chain": chain(W5), "chain_gradient": jax.jit(d(chain))(W5), "chain_hessian": jax.jit(jax.hessian(chain))(W5),
    "nested": [jax.jit(g)(0.3) for g in (nested, d(nested), d(d(nested)))],
    "bell": bell(BELL), "bell_gradient": jax.jit(d(bell))(BELL), "bell_hessian": jax.jit(jax.hessian(bell))(BELL),
    "bell_bbkk": d(d(d(d(lambda b, k: bell((-0.5, b, k)), 0), 0), 1), 1)(1.2, 0.8),
    "beta": beta(BETA), "beta_gradient": jax.jit(d(beta))(BETA), "beta_hessian": jax.jit(jax.hessian(beta))(BETA),
    "gamma": gamma(GAMMA), "gamma_gradient": d(gamma)(GAMMA), "line": line(LINE), "line_gradient": d(line)(LINE),
    "upward_hessian": jax.hessian(upward)(UP), "chirp": chirp(3.0, 2.5),
    "preys": preys(PREYS), "preys_gradient": jax.jit(d(preys))(PREYS), "preys_hessian": jax.jit(jax.hessian(preys))(PREYS),
    "growth": growth(GROWTH), "growth_gradient": jax.jit(d(growth))(GROWTH),
    "sensitivities": np.concatenate([np.ravel(x) for x in sensitivities(np.array([1.1, 0.4, 0.1]), np.array([10.0, 5.0]), 6.0)]),
}
print("// SPDX-License-Identifier: Apache-2.0\n// Written by solvers.py.")
for name, value in rows.items():
    numbers = ", ".join(repr(float(x)) for x in np.ravel(np.asarray(value)))
    print(f'{{"{name}", {{{numbers}}}}},')
