#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/sparse.inc: what SciPy's sparse matrices give, and JAX's gradients of the same on dense ones.

A row is {name, {extents}, {values}}; `.grad0` is that of sum(result * c) by the stored values, `.grad1` by the other operand.

    python3 tests/tensor/sparse_golden.py > tests/golden/sparse.inc
"""
import jax
import jax.numpy as jnp
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

jax.config.update("jax_enable_x64", True)
print("// SPDX-License-Identifier: Apache-2.0\n// Written by tests/tensor/sparse_golden.py; do not edit.")


def numbers(seed, *shape):                         # as in golden.py
    n = int(np.prod(shape, dtype=int))
    return np.array([((i * 7919 + seed * 1237 + 101) % 1021 - 510) / 256 for i in range(n)]).reshape(shape)


def row(name, value):
    value = np.asarray(value, np.float64)
    print(f'{{"{name}", {{{", ".join(map(str, value.shape))}}}, {{{", ".join(repr(float(v)) for v in value.ravel())}}}}},')


def matrix(name, m):
    m = m.tocsr()
    m.sort_indices()
    row(f"{name}.row_start", m.indptr)
    row(f"{name}.column", m.indices)
    row(name, m.data)


# places in any order, one of them twice, a row and a column without any
i, j = np.array([4, 0, 2, 2, 0, 4, 1, 2, 0, 1]), np.array([1, 3, 0, 2, 0, 5, 2, 0, 5, 3])
v = numbers(1, 10)
a = sparse.coo_matrix((v, (i, j)), shape=(5, 6)).tocsr()
a.sum_duplicates()
a.sort_indices()
matrix("from_coo", a)
rows = np.repeat(np.arange(5), np.diff(a.indptr))
dense = lambda w: jnp.zeros((5, 6)).at[rows, a.indices].set(w)
row("to_dense", a.toarray())
bi, bj = np.array([0, 0, 1, 2, 4, 4]), np.array([0, 4, 2, 1, 1, 5])
b = sparse.csr_matrix((numbers(2, 6), (bi, bj)), shape=(5, 6))
ci, cj = np.array([0, 1, 2, 2, 3, 5]), np.array([1, 0, 0, 2, 3, 1])
c = sparse.csr_matrix((numbers(3, 6), (ci, cj)), shape=(6, 4))
x, xs = numbers(4, 6), numbers(5, 6, 3)
matrix("transpose", a.T)


def gradients(name, f, *operands):
    y = f(*operands)
    weights = numbers(40, *y.shape)
    for k, g in enumerate(jax.grad(lambda *o: jnp.sum(f(*o) * weights), argnums=tuple(range(len(operands))))(*operands)):
        row(f"{name}.grad{k}", g)



row("spmv", a @ x)
gradients("spmv", lambda w, x: dense(w) @ x, a.data, x)
row("spmm", a @ xs)
gradients("spmm", lambda w, x: dense(w) @ x, a.data, xs)
ones = lambda m: sparse.csr_matrix((np.ones_like(m.data), m.indices, m.indptr), m.shape)      # structural zeros stay


def result(name, pattern, f, *operands):
    pattern = pattern.tocsr()
    pattern.sort_indices()
    at = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr)), pattern.indices
    row(f"{name}.row_start", pattern.indptr)
    row(f"{name}.column", pattern.indices)
    g = lambda *o: f(*o)[at]
    row(name, g(*operands))
    gradients(name, g, *operands)


dense_b = lambda w: jnp.zeros((5, 6)).at[bi, bj].set(w)
dense_c = lambda w: jnp.zeros((6, 4)).at[ci, cj].set(w)
result("spgemm", ones(a) @ ones(c), lambda w, u: dense(w) @ dense_c(u), a.data, c.data)
result("add", ones(a) + ones(b), lambda w, u: dense(w) + dense_b(u), a.data, b.data)
result("sub", ones(a) + ones(b), lambda w, u: dense(w) - dense_b(u), a.data, b.data)
result("mul", ones(a).multiply(ones(b)), lambda w, u: dense(w) * dense_b(u), a.data, b.data)
result("mul_dense", a, lambda w, d: dense(w) * d, a.data, numbers(6, 5, 6))
assert np.allclose((a @ c).toarray(), dense(a.data) @ dense_c(c.data))
# equations: of a general matrix, and of one that is symmetric and positive definite
n = 6
si, sj = np.array([0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5]), np.array([0, 4, 0, 1, 3, 2, 5, 3, 0, 4, 2, 5])
sv = numbers(7, 12) + np.where(si == sj, 5, 0)
s = sparse.csr_matrix((sv, (si, sj)), shape=(n, n))
s.sort_indices()
si, sj, sv = np.repeat(np.arange(n), np.diff(s.indptr)), s.indices, s.data
row("solve.row_start", s.indptr)
row("solve.column", s.indices)
row("solve.values", s.data)
row("solve", spsolve(s.tocsc(), x))
general = lambda w: jnp.zeros((n, n)).at[si, sj].set(w)
gradients("solve", lambda w, r: jnp.linalg.solve(general(w), r), sv, x)
row("solve_columns", spsolve(s.tocsc(), xs))
gradients("solve_columns", lambda w, r: jnp.linalg.solve(general(w), r), sv, xs)
t = sparse.diags([np.full(5, -1.0), np.arange(3.0, 9), np.full(5, -1.0)], [-1, 0, 1]).tocsr()
ti = np.repeat(np.arange(n), np.diff(t.indptr))
row("solve_spd.row_start", t.indptr)
row("solve_spd.column", t.indices)
row("solve_spd.values", t.data)
row("solve_spd", spsolve(t.tocsc(), x))
gradients("solve_spd", lambda w, r: jnp.linalg.solve(jnp.zeros((n, n)).at[ti, t.indices].set(w), r), t.data, x)
