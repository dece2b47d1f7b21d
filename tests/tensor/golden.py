#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/golden/tensors.inc: what operations on tensors give, from JAX in f64 (pip install jax==0.10.2; any recent one will do).

A row is {name, {extents}, {values}}; `<name>.grad` rows hold the gradients of sum(op(x...) * c) by each operand in turn, where c
are numbers of the same kind as the inputs. Inputs are exact in both languages: see `numbers`.

    python3 tests/tensor/golden.py > tests/golden/tensors.inc
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)


def numbers(seed, *shape):
    """Multiples of 1/256 in [-2, 2), no two neighbours alike."""
    n = int(np.prod(shape, dtype=int))
    return jnp.array([((i * 7919 + seed * 1237 + 101) % 1021 - 510) / 256 for i in range(n)], dtype=jnp.float64).reshape(shape)


def positive(seed, *shape):
    return jnp.abs(numbers(seed, *shape)) + 0.25


CASES = {}


def case(name, f, *operands, grad=True):
    CASES[name] = (f, operands, grad)


x34, y34, r4, v3 = numbers(1, 3, 4), numbers(2, 3, 4), numbers(3, 4), numbers(4, 3)
p34 = positive(5, 3, 4)
x234 = numbers(6, 2, 3, 4)

# elementwise
case("add_row", lambda x, r: x + r, x34, r4)
case("mul_column", lambda x, v: x * v[:, None], x34, v3)
case("sub_outer", lambda v, r: v[:, None] - r[None, :], v3, r4)
case("div", lambda x, p: x / p, x34, p34)
case("pow", lambda p, x: jnp.power(p, x), p34, x34)
case("pow_number", lambda x: x ** 3, x34)
case("number_minus", lambda x: 2.5 - x, x34)
for name in ["exp", "expm1", "sin", "cos", "tan", "tanh", "sinh", "cosh", "arctan", "arcsinh"]:
    case(name, getattr(jnp, name), x34)
for name in ["log", "log1p", "sqrt", "cbrt", "log2"]:
    case(name, getattr(jnp, name), p34)
case("erf", jax.scipy.special.erf, x34)
case("lgamma", jax.scipy.special.gammaln, p34)
case("digamma", jax.scipy.special.digamma, p34)
case("sigmoid", jax.nn.sigmoid, x34)
case("atan2", jnp.arctan2, x34, p34)
case("hypot", jnp.hypot, x34, p34)
case("maximum", jnp.maximum, x34, y34)
case("minimum", jnp.minimum, x34, y34)
case("abs", jnp.abs, x34)
case("floor", jnp.floor, x34, grad=False)
case("where", lambda x, y: jnp.where(x > y, x * 2, y), x34, y34)
case("less", lambda x, y: (x < y), x34, y34, grad=False)
case("relu", jax.nn.relu, x34)
case("silu", jax.nn.silu, x34)
case("gelu", lambda x: jax.nn.gelu(x, approximate=False), x34)
case("gelu_tanh", lambda x: jax.nn.gelu(x, approximate=True), x34)
case("softplus", jax.nn.softplus, x34)
case("elu", jax.nn.elu, x34)
case("leaky_relu", lambda x: jax.nn.leaky_relu(x, 0.01), x34)
case("logaddexp", jnp.logaddexp, x34, y34)
case("clip", lambda x: jnp.clip(x, -0.5, 1.25), x34)

# reductions and along an axis
for name in ["sum", "mean", "max", "min", "prod", "var", "std"]:
    case(name + "_all", lambda x, f=getattr(jnp, name): f(x), x34)
    case(name + "_0", lambda x, f=getattr(jnp, name): f(x, axis=0), x34)
    case(name + "_02", lambda x, f=getattr(jnp, name): f(x, axis=(0, 2)), x234)
case("sum_keep", lambda x: jnp.sum(x, axis=1, keepdims=True), x34)
case("var_ddof", lambda x: jnp.var(x, axis=1, ddof=1), x34)
case("norm_two", lambda x: jnp.linalg.norm(x, axis=1), x34)
case("norm_one", lambda x: jnp.linalg.norm(x, ord=1, axis=1), x34)
case("norm_inf", lambda x: jnp.linalg.norm(x, ord=jnp.inf, axis=1), x34)
case("logsumexp", lambda x: jax.nn.logsumexp(x, axis=1), x34)
case("softmax", lambda x: jax.nn.softmax(x, axis=1), x34)
case("softmax_0", lambda x: jax.nn.softmax(x, axis=0), x34)
case("log_softmax", lambda x: jax.nn.log_softmax(x, axis=-1), x34)
case("argmax", lambda x: jnp.argmax(x, axis=1), x34, grad=False)
case("argmin", lambda x: jnp.argmin(x, axis=0), x34, grad=False)
case("any", lambda x: jnp.any(x > 1.5, axis=1), x34, grad=False)
case("all", lambda x: jnp.all(x > -1.5, axis=0), x34, grad=False)
case("cumsum", lambda x: jnp.cumsum(x, axis=1), x34)
case("cumprod", lambda x: jnp.cumprod(x, axis=0), x34)
case("sort", lambda x: jnp.sort(x, axis=1), x34)
case("sort_descending", lambda x: -jnp.sort(-x, axis=0), x34)
case("argsort", lambda x: jnp.argsort(x, axis=1), x34, grad=False)
case("top_k", lambda x: lax.top_k(x, 2)[0], x34)
case("top_k_indices", lambda x: lax.top_k(x, 2)[1], x34, grad=False)
case("roll", lambda x: jnp.roll(x, 3, axis=1), x34)
case("roll_back", lambda x: jnp.roll(x, -1, axis=0), x34)

# products
a234, b245, w45 = numbers(7, 2, 3, 4), numbers(8, 2, 4, 5), numbers(9, 4, 5)
case("matmul_2d", jnp.matmul, x34, w45)
case("matmul_batched", jnp.matmul, a234, b245)
case("matmul_shared", jnp.matmul, a234, w45)
case("matmul_left_shared", jnp.matmul, x34, b245)
case("matmul_vector", jnp.matmul, x34, r4)
case("matmul_row", jnp.matmul, v3, x34)
case("dot", jnp.matmul, r4, r4[::-1])
case("matmul_stretched", jnp.matmul, numbers(10, 1, 3, 4), b245)
case("einsum_diagonal", lambda x: jnp.einsum("ii->i", x), numbers(11, 3, 3))
case("einsum_trace", lambda x: jnp.einsum("ii", x), numbers(11, 3, 3))
case("einsum_sum", lambda x: jnp.einsum("ijk->k", x), x234)
case("einsum_outer", lambda v, r: jnp.einsum("i,j->ji", v, r), v3, r4)
case("einsum_attention", lambda q, k: jnp.einsum("bshd,bkhd->bhsk", q, k), numbers(12, 2, 3, 2, 4), numbers(13, 2, 5, 2, 4))
case("einsum_three", lambda a, b, c: jnp.einsum("ij,jk,kl->il", a, b, c), x34, w45, numbers(14, 5, 2))
case("einsum_batch_diagonal", lambda x, r: jnp.einsum("bii,i->b", x, r), numbers(15, 2, 4, 4), r4)

# shape
case("reshape", lambda x: x.reshape(2, 6), x34)
case("transpose", lambda x: x.transpose(2, 0, 1), x234)
case("broadcast_to", lambda r: jnp.broadcast_to(r, (3, 4)), r4)
case("slice", lambda x: x[:, 1:3], x34)
case("slice_strided", lambda x: x[:, 0:4:3], x34)
case("concat", lambda x, y: jnp.concatenate([x, y[:1]], axis=0), x34, y34)
case("pad", lambda x: jnp.pad(x, ((0, 0), (1, 2)), constant_values=0.5), x34)
case("flip", lambda x: jnp.flip(x, axis=(0,)), x34)

# indices
ids = jnp.array([2, 0, 2, 1])
case("one_hot", lambda: jax.nn.one_hot(ids, 3, dtype=jnp.float64), grad=False)
case("embedding", lambda t: t[ids], x34)
case("embedding_2d", lambda t: t[ids.reshape(2, 2)], x34)
case("gather_1", lambda x: jnp.take(x, ids, axis=1), x234)
case("take_along", lambda x: jnp.take_along_axis(x, jnp.array([[3, 0], [1, 1], [2, 3]]), axis=1), x34)
case("scatter", lambda x, u: x.at[:, jnp.array([3, 0])].set(u), x34, numbers(16, 3, 2))
case("scatter_add", lambda x, u: x.at[ids].add(u), x34, numbers(17, 4, 4))

# windows
def conv(x, w, stride=1, pad=0, dilation=1, groups=1, lhs=1, extra=0):
    n = x.ndim - 2
    spread = lambda v: [v] * n if isinstance(v, int) else list(v)
    return lax.conv_general_dilated(x, w, spread(stride), [(p, p + extra) for p in spread(pad)], spread(lhs), spread(dilation), feature_group_count=groups)


def conv_transpose(x, w, stride=1, pad=0, output_pad=0, dilation=1, groups=1):
    """As PyTorch: w[C, O / groups, ...]."""
    n, k = x.ndim - 2, w.shape[2:]
    g, c, o = groups, w.shape[0] // groups, w.shape[1]
    v = w.reshape(g, c, o, *k).swapaxes(1, 2).reshape(g * o, c, *k)
    v = jnp.flip(v, axis=tuple(range(2, 2 + n)))
    pads = [(dilation * (q - 1) - pad, dilation * (q - 1) - pad + output_pad) for q in k]
    return lax.conv_general_dilated(x, v, [1] * n, pads, [stride] * n, [dilation] * n, feature_group_count=g)


img, ker = numbers(18, 2, 4, 7, 6), numbers(19, 6, 4, 3, 2)
case("conv2d", conv, img, ker)
case("conv2d_options", lambda x, w: conv(x, w, (2, 1), (1, 2), (2, 1)), img, ker)
case("conv2d_groups", lambda x, w: conv(x, w, groups=2), img, numbers(20, 6, 2, 3, 3))
case("conv2d_depthwise", lambda x, w: conv(x, w, pad=1, groups=4), img, numbers(21, 4, 1, 3, 3))
case("conv1d", lambda x, w: conv(x, w, 2, 1), numbers(22, 2, 3, 9), numbers(23, 4, 3, 3))
case("conv3d", lambda x, w: conv(x, w, 1, 1), numbers(24, 1, 2, 4, 3, 5), numbers(25, 3, 2, 2, 3, 2))
case("conv_transpose2d", lambda x, w: conv_transpose(x, w, 2, 1, 1), numbers(26, 2, 4, 3, 4), numbers(27, 4, 3, 3, 3))
case("conv_transpose2d_groups", lambda x, w: conv_transpose(x, w, 3, 0, 0, 2, 2), numbers(26, 2, 4, 3, 4), numbers(28, 4, 3, 2, 3))
case("conv_transpose1d", lambda x, w: conv_transpose(x, w, 2, 0), numbers(29, 2, 3, 5), numbers(30, 3, 2, 4))


def pool(x, k, s, p, op, init):
    n = x.ndim - 2
    return lax.reduce_window(x, init, op, (1, 1) + (k,) * n, (1, 1) + (s,) * n, ((0, 0), (0, 0)) + ((p, p),) * n)


case("max_pool2d", lambda x: pool(x, 2, 2, 0, lax.max, -jnp.inf), img)
case("max_pool2d_overlap", lambda x: pool(x, 3, 2, 1, lax.max, -jnp.inf), img)
case("avg_pool2d", lambda x: pool(x, 2, 2, 0, lax.add, 0.0) / 4, img)
case("avg_pool2d_pad", lambda x: pool(x, 3, 2, 1, lax.add, 0.0) / 9, img)
case("avg_pool2d_inside", lambda x: pool(x, 3, 2, 1, lax.add, 0.0) / pool(jnp.ones_like(x), 3, 2, 1, lax.add, 0.0), img)
case("max_pool1d", lambda x: pool(x, 3, 1, 0, lax.max, -jnp.inf), numbers(22, 2, 3, 9))


def layer_norm(x, g, b, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + eps) * g + b


def group_norm(x, g, b, groups, eps=1e-5):
    y = x.reshape(x.shape[0], groups, -1)
    y = ((y - y.mean(-1, keepdims=True)) / jnp.sqrt(y.var(-1, keepdims=True) + eps)).reshape(x.shape)
    return y * g[None, :, None, None] + b[None, :, None, None]


case("layer_norm", layer_norm, x234, r4, numbers(31, 4))
case("rms_norm", lambda x, g: x / jnp.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g, x234, r4)
case("group_norm", lambda x, g, b: group_norm(x, g, b, 2), img, r4, numbers(31, 4))

# incomplete integrals
q34 = positive(53, 3, 4)
case("igamma", lambda x: jax.scipy.special.gammainc(p34, x), q34)
case("igammac", lambda x: jax.scipy.special.gammaincc(p34, x), q34)
case("betainc", lambda x: jax.scipy.special.betainc(p34, 1.5, x), q34 / 3)

case("step", lambda x: jnp.heaviside(x, 0.0), x34, grad=False)
case("polygamma_0", lambda x: jax.scipy.special.polygamma(0, x), p34)
case("polygamma_2", lambda x: jax.scipy.special.polygamma(2, x), p34)
case("embedding_padding", lambda t: jnp.where((ids == 2)[:, None], 0.0, t[ids]), x34)


def batch_norm(x, g, b, mean=None, var=None, eps=1e-5):
    if mean is None:
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
    c = lambda v: v[None, :, None, None]
    return (x - c(mean)) / jnp.sqrt(c(var) + eps) * c(g) + c(b)


case("batch_norm", batch_norm, img, r4, numbers(31, 4))
case("batch_norm_inference", batch_norm, img, r4, numbers(31, 4), numbers(32, 4), positive(33, 4))
case("cross_entropy", lambda x, t: -jnp.sum(t * jax.nn.log_softmax(x)) / jnp.sum(t), x34, p34)
case("nll_loss", lambda x, t: -jnp.sum(t * x) / jnp.sum(t), x34, p34)

# linear algebra
m33, tall, wide, b32 = numbers(60, 3, 3), numbers(61, 4, 3), numbers(62, 3, 4), numbers(63, 3, 2)
spd, regular = lambda x: x @ x.T + 3 * jnp.eye(3), lambda x: x + 4 * jnp.eye(3)
apart = lambda x: x + jnp.diag(jnp.array([1.0, 5.0, 12.0]))


def turned(u, *along):
    """The largest entry of each column of u becomes positive, and what belongs to it turns along."""
    sign = lax.stop_gradient(jnp.sign(jnp.take_along_axis(u, jnp.argmax(jnp.abs(u), 0)[None], 0)))
    return [u * sign] + [v * sign for v in along]


def svd(x):
    u, s, vt = jnp.linalg.svd(x, full_matrices=False)
    return turned(u, vt.T)


case("cholesky", lambda x: jnp.linalg.cholesky(spd(x)), m33)
case("solve_triangular", lambda x, b: jax.scipy.linalg.solve_triangular(regular(x), b, lower=True), m33, b32)
case("solve_triangular_up", lambda x, b: jax.scipy.linalg.solve_triangular(regular(x), b, trans=1, unit_diagonal=True), m33, b32)
case("solve_spd", lambda x, b: jnp.linalg.solve(spd(x), b), m33, v3)
case("inv_spd", lambda x: jnp.linalg.inv(spd(x)), m33)
case("log_det_spd", lambda x: jnp.linalg.slogdet(spd(x))[1], m33)
case("trace", jnp.trace, m33)
case("diagonal", jnp.diagonal, tall)
case("diag", jnp.diag, v3)
case("tril", lambda x: jnp.tril(x, -1), tall)
case("triu", lambda x: jnp.triu(x, 1), tall)
case("scale_triangles", lambda x: jnp.diag(jnp.diag(x)) * 0.5 - 2 * jnp.triu(x, 1), m33)
case("outer", jnp.outer, v3, r4)
case("kron", jnp.kron, m33, b32)
case("norm_frobenius", jnp.linalg.norm, tall)
case("here_solve", lambda x, b: jnp.linalg.solve(regular(x), b), m33, b32)
case("here_solve_vector", lambda x, b: jnp.linalg.solve(regular(x), b), m33, v3)
case("here_inv", lambda x: jnp.linalg.inv(regular(x)), m33)
case("here_det", jnp.linalg.det, m33)
case("here_slogdet", lambda x: jnp.linalg.slogdet(x)[1], m33)
case("here_slogdet_sign", lambda x: jnp.linalg.slogdet(x)[0], m33)
case("here_qr_q", lambda x: jnp.linalg.qr(x)[0], tall)
case("here_qr_r", lambda x: jnp.linalg.qr(x)[1], tall)
case("here_eigvalsh", lambda x: jnp.linalg.eigvalsh(apart(x)), m33)
case("here_eigh_vectors", lambda x: turned(jnp.linalg.eigh(apart(x))[1])[0], m33)
case("here_svdvals", lambda x: jnp.linalg.svd(x, compute_uv=False), wide)
case("here_svd_u", lambda x: svd(x)[0], tall)
case("here_svd_vt", lambda x: svd(x)[1].T, tall)
case("here_svd_vt_wide", lambda x: svd(x)[1].T, wide)
case("here_lstsq", lambda x, b: jnp.linalg.lstsq(x, b)[0], tall, r4)
case("here_lstsq_wide", lambda x, b: jnp.linalg.lstsq(x, b)[0], wide, b32)
case("here_pinv", jnp.linalg.pinv, tall)
case("here_norm_spectral", lambda x: jnp.linalg.norm(x, 2), tall)
case("here_norm_nuclear", lambda x: jnp.linalg.norm(x, "nuc"), tall)


def row(name, value):
    value = np.asarray(value)
    shape = ", ".join(str(n) for n in value.shape)
    data = ", ".join(repr(float(v)) for v in value.ravel())
    print(f'{{"{name}", {{{shape}}}, {{{data.replace("inf", "INFINITY").replace("nan", "NAN")}}}}},')


print("// SPDX-License-Identifier: Apache-2.0\n// Written by tests/tensor/golden.py; do not edit.")
for name, (f, operands, grad) in CASES.items():
    y = f(*operands)
    row(name, y)
    if grad:
        c = numbers(40, *y.shape)
        for k, g in enumerate(jax.grad(lambda *xs: jnp.sum(f(*xs) * c), argnums=tuple(range(len(operands))))(*operands)):
            row(f"{name}.grad{k}", g)
