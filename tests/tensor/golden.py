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

# pieces
case("squeeze", lambda x: jnp.squeeze(x.reshape(3, 1, 4, 1), (1, 3)), x34)
case("expand_dims", lambda x: jnp.expand_dims(x, -1), x34)
case("flatten", lambda x: x.reshape(2, 12), x234)
case("stack", lambda x, y: jnp.stack([x, y, x * 2]), x34, y34)
case("stack_last", lambda x, y: jnp.stack([x, y], axis=-1), x34, y34)
case("split", lambda x: jnp.split(x, 2, axis=1)[0] * jnp.split(x, 2, axis=1)[1], x34)
case("slice_at", lambda x: lax.dynamic_slice(x, (0, 3), (3, 2)), x34)
case("slice_at_tensor", lambda x: lax.dynamic_slice(x, (1, 0, 0), (1, 3, 4)), x234)
case("update_slice", lambda x, u: lax.dynamic_update_slice(x, u, (0, 1)), x34, numbers(16, 3, 2))

# pools whose windows differ: by loops, as PyTorch's documentation states them
def windowed(x, f, spans):
    rows, columns = spans
    return jnp.stack([jnp.stack([f(x[:, :, a:b, c:d]) for c, d in columns], axis=-1) for a, b in rows], axis=-2)


def spans(n, window, stride, pad, ceil):
    count = (-(-(n + 2 * pad - window) // stride) if ceil else (n + 2 * pad - window) // stride) + 1
    count -= (count - 1) * stride >= n + pad
    return [(max(i * stride - pad, 0), min(i * stride - pad + window, n)) for i in range(count)]


def adaptive(n, m):
    return [(i * n // m, -(-(i + 1) * n // m)) for i in range(m)]


top, average = lambda y: jnp.max(y, axis=(2, 3)), lambda y: jnp.mean(y, axis=(2, 3))
case("max_pool2d_ceil", lambda x: windowed(x, top, (spans(7, 2, 2, 0, True), spans(6, 2, 2, 0, True))), img)
case("max_pool2d_ceil_pad", lambda x: windowed(x, top, (spans(7, 3, 2, 1, True), spans(6, 3, 2, 1, True))), img)
case("avg_pool2d_ceil_inside", lambda x: windowed(x, average, (spans(7, 3, 2, 1, True), spans(6, 3, 2, 1, True))), img)
padded = lambda x: jnp.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
case("avg_pool2d_ceil", lambda x: windowed(padded(x), average, (spans(9, 3, 2, 0, True), [(0, 3), (2, 5), (4, 7), (6, 8)])), img)
case("adaptive_max_pool", lambda x: windowed(x, top, (adaptive(7, 3), adaptive(6, 4))), img)
case("adaptive_avg_pool", lambda x: windowed(x, average, (adaptive(7, 3), adaptive(6, 2))), img)
case("adaptive_avg_pool_more", lambda x: windowed(x, average, (adaptive(7, 9), adaptive(6, 1))), img)

# losses
q = jax.nn.softmax(p34, axis=1)
case("kl_div", lambda l, p: jnp.sum(p * (jnp.log(p) - l)) / 3, x34, q)
case("huber_loss", lambda x, y: jnp.mean(jnp.where(jnp.abs(x - y) <= 0.75, 0.5 * (x - y) ** 2, 0.75 * (jnp.abs(x - y) - 0.375))), x34, y34)
case("binary_cross_entropy_with_logits", lambda x, t: jnp.mean(-t * jax.nn.log_sigmoid(x) - (1 - t) * jax.nn.log_sigmoid(-x)), x34, jax.nn.sigmoid(y34))

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
case("solve", lambda x, b: jnp.linalg.solve(regular(x), b), m33, b32)
case("solve_vector", lambda x, b: jnp.linalg.solve(regular(x), b), m33, v3)
case("inv", lambda x: jnp.linalg.inv(regular(x)), m33)
case("det", jnp.linalg.det, m33)
case("slogdet", lambda x: jnp.linalg.slogdet(x)[1], m33)
case("slogdet_sign", lambda x: jnp.linalg.slogdet(x)[0], m33)
case("qr_q", lambda x: jnp.linalg.qr(x)[0], tall)
case("qr_r", lambda x: jnp.linalg.qr(x)[1], tall)
case("eigvalsh", lambda x: jnp.linalg.eigvalsh(apart(x)), m33)
case("eigh_vectors", lambda x: turned(jnp.linalg.eigh(apart(x))[1])[0], m33)
case("svdvals", lambda x: jnp.linalg.svd(x, compute_uv=False), wide)
case("svd_u", lambda x: svd(x)[0], tall)
case("svd_vt", lambda x: svd(x)[1].T, tall)
case("svd_vt_wide", lambda x: svd(x)[1].T, wide)
case("lstsq", lambda x, b: jnp.linalg.lstsq(x, b)[0], tall, r4)
case("lstsq_wide", lambda x, b: jnp.linalg.lstsq(x, b)[0], wide, b32)
case("pinv", jnp.linalg.pinv, tall)
case("norm_spectral", lambda x: jnp.linalg.norm(x, 2), tall)
case("norm_nuclear", lambda x: jnp.linalg.norm(x, "nuc"), tall)

# models: see models.hpp
weights = lambda seed, *shape: numbers(seed, *shape) / 2
x54, x43 = numbers(70, 5, 4), numbers(71, 4, 3)


def masked_attention(x, wq, wk, wv):
    scores = jnp.where(jnp.tril(jnp.ones((5, 5), bool)), (x @ wq) @ (x @ wk).T / 2, -1e9)
    return jax.nn.softmax(scores) @ (x @ wv)


def conv_net(x, k, w):
    h = pool(jax.nn.relu(conv(x, k, pad=1)), 2, 2, 0, lax.max, -jnp.inf).reshape(2, -1)
    return -jnp.mean(jax.nn.log_softmax(h @ w)[jnp.arange(2), jnp.array([2, 0])])


def mixture(x, mu, log_s, logits):
    d = (x[:, None] - mu) * jnp.exp(-log_s)
    return -jnp.mean(jax.nn.logsumexp(-0.5 * jnp.sum(d * d, -1) - jnp.sum(log_s, -1) + jax.nn.log_softmax(logits), axis=-1))


def kalman(a, y, q):
    f, h, noise = a / 4 + jnp.eye(2), jnp.array([[1, 0.5]]), jnp.diag(q * q + 0.1)
    m, p, total = jnp.zeros(2), jnp.eye(2), 0.0
    for i in range(4):
        m, p = f @ m, f @ p @ f.T + noise
        s, e = h @ p @ h.T + 0.5, y[i] - h @ m
        gain = jnp.linalg.solve(s, h @ p).T
        m, p = m + gain @ e, p - gain @ s @ gain.T
        total -= 0.5 * (jnp.linalg.slogdet(s)[1] + jnp.sum(e * jnp.linalg.solve(s, e)))
    return total


def recurrent(x, wx, wh, h):
    states = []
    for i in range(5):
        h = jnp.tanh(x[i] @ wx + h @ wh / 4)
        states.append(h)
    return jnp.mean(jnp.stack([states[0], states[2], states[4]])) + jnp.sum(h * h)


def principal_components(x):
    c = x - x.mean(0)
    u, s, vt = jnp.linalg.svd(c, full_matrices=False)
    return jnp.sum((c - c @ vt[:2].T @ vt[:2]) ** 2) + s[0] / jnp.sum(s)


def gaussian_process(x, y, hyper):
    k = jnp.exp(-0.5 * (x - x.T) ** 2 * jnp.exp(hyper[0])) + jnp.eye(5) * (jnp.exp(hyper[1]) * 0.1 + 0.1)
    l = jnp.linalg.cholesky(k)
    z = jax.scipy.linalg.solve_triangular(l, y, lower=True)
    return 0.5 * jnp.sum(z * z) + jnp.sum(jnp.log(jnp.diagonal(l)))


def policy(logits):
    action = jax.random.categorical(jax.random.key(3), logits.astype(jnp.float32))
    log_p = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
    return -jnp.mean(log_p * jnp.array([1, -0.5, 2, 0.25]))


def embedding_bag(table):
    sums = jax.ops.segment_sum(table[jnp.array([0, 3, 3, 1, 4, 0])], jnp.array([0, 0, 1, 1, 1, 2]), 3)
    return jnp.tanh(sums / jnp.array([[2], [3], [1]]))


def page_rank(v):
    links = jnp.zeros((4, 4)).at[jnp.array([0, 0, 1, 2, 2, 3]), jnp.array([1, 2, 3, 0, 3, 0])].set(jax.nn.softplus(v))
    r = jnp.full(4, 0.25)
    for _ in range(6):
        r = links.T @ r * 0.85 + 0.0375
        r = r / r.sum()
    return r


def learned_step(w, x, y):
    loss = lambda w: jnp.mean((x @ w - y) ** 4)
    return loss(w - 0.01 * jax.grad(loss)(w))


def newton(w, x):
    p = jax.nn.sigmoid(x @ w)
    g = x.T @ (p - jnp.array([1, 0, 1, 1])) + w
    return w - jnp.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]) + jnp.eye(3), g)


def hidden_markov(a, b):
    move, seen = jax.nn.log_softmax(a), jax.nn.log_softmax(b)
    alpha = seen[:, 1]
    for o in [0, 2, 3, 1]:
        alpha = jax.nn.logsumexp(alpha[:, None] + move, axis=0) + seen[:, o]
    return -jax.nn.logsumexp(alpha)


def autoencoder(x, encoder, decoder):
    mu, log_var = jnp.split(x @ encoder, 2, axis=1)
    off = x - (mu + jnp.exp(log_var / 2) * jax.random.normal(jax.random.key(5), (4, 2), jnp.float64)) @ decoder
    return jnp.mean(off ** 2) - 0.5 * jnp.mean(1 + log_var - mu ** 2 - jnp.exp(log_var))


case("masked_attention", masked_attention, x54, weights(72, 4, 4), weights(73, 4, 4), weights(74, 4, 4))
case("conv_net", conv_net, numbers(75, 2, 1, 8, 8), weights(76, 3, 1, 3, 3), weights(77, 48, 3))
case("mixture", mixture, numbers(78, 6, 2), numbers(79, 3, 2), weights(80, 3, 2), numbers(81, 3))
case("kalman", kalman, numbers(82, 2, 2), numbers(83, 4, 1), numbers(84, 2))
case("recurrent", recurrent, numbers(85, 5, 3), weights(86, 3, 4), weights(87, 4, 4), weights(88, 4))
case("principal_components", principal_components, numbers(89, 6, 3))
case("gaussian_process", gaussian_process, numbers(90, 5, 1), numbers(91, 5), numbers(92, 2))
case("policy", policy, numbers(93, 4, 3))
case("embedding_bag", embedding_bag, numbers(94, 5, 3))
case("page_rank", page_rank, numbers(95, 6))
case("transformer_block", lambda x, a, b, g, h: x + jax.nn.gelu(layer_norm(x, g, h) @ a, approximate=False) @ b, x54, weights(96, 4, 8), weights(97, 8, 4), r4, numbers(31, 4))
case("learned_step", learned_step, weights(98, 3), x43, numbers(99, 4))
case("margin", lambda x: jnp.mean(jax.nn.relu(1 - (lax.top_k(x, 2)[0][:, :1] - lax.top_k(x, 2)[0][:, 1:]))), x34)
case("newton", newton, numbers(100, 3), x43)
case("hidden_markov", hidden_markov, numbers(101, 3, 3), numbers(102, 3, 4))
case("autoencoder", autoencoder, x43, weights(103, 3, 4), weights(104, 2, 3))


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
