# SPDX-License-Identifier: Apache-2.0
"""The cases of golden.py: each is a program in our text form beside the JAX function that means the same."""
import random

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

TEXT = {"bool": "bool", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
for width in (8, 16, 32, 64):
    TEXT[f"int{width}"], TEXT[f"uint{width}"] = f"i{width}", f"u{width}"
DTYPE = {v: jnp.dtype(k) for k, v in TEXT.items()}


def type_text(spec):
    return TEXT[str(spec.dtype)] + (f"[{','.join(map(str, spec.shape))}]" if spec.shape else "")


class Node:
    def __init__(self, name, spec, value):
        self.name, self.spec, self.value = name, spec, value       # value: from the arguments

    shape = property(lambda self: self.spec.shape)
    dtype = property(lambda self: self.spec.dtype)


class Program:
    """Builds the text and the JAX function together; result types come from JAX."""

    def __init__(self):
        self.params, self.lines, self.count = [], [], 0

    def param(self, shape, dtype):
        spec, i = jax.ShapeDtypeStruct(tuple(shape), DTYPE[dtype]), len(self.params)
        self.params.append(spec)
        return Node(f"%p{i}", spec, lambda args: args[i])

    def op(self, kind, operands, f, /, **attrs):
        spec = jax.eval_shape(f, *[o.spec for o in operands])
        name = f"%v{self.count}"
        self.count += 1
        written = ", ".join(f"{k.rstrip('_')} = {list(v) if isinstance(v, tuple) else v}" for k, v in attrs.items())
        self.lines.append(f"  {name} = {kind} {', '.join(o.name for o in operands)}{' {' + written + '}' if written else ''} : {type_text(spec)}")
        return Node(name, spec, lambda args: f(*[o.value(args) for o in operands]))

    def text(self, *results):
        params = ", ".join(f"%p{i}: {type_text(s)}" for i, s in enumerate(self.params))
        return f"func f({params}) {{\n" + "\n".join(self.lines) + f"\n  yield {', '.join(r.name for r in results)}\n}}\n"


class Case:
    def __init__(self, name, text, function, specs, steps, arguments):
        self.name, self.text, self.function, self.specs, self.steps, self.arguments = name, text, function, specs, steps, arguments
        self.exact = function


class Draw:
    """Shapes and numbers of one seed; seed 0 is the committed file."""

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)

    def shape(self, rank, least=2, most=4):
        return tuple(self.random.randint(least, most) for _ in range(rank))

    def numbers(self, name, low, high):
        """Arguments for the types of a case: within [low, high] for the operands, anything moderate for what transforms add."""
        def arguments(specs, original):
            rng = np.random.default_rng([self.seed, sum(name.encode()) * 7919 + len(name)])
            out = []
            for i, s in enumerate(specs):
                a, b = (low, high) if i < original else (-1.5, 1.5)
                if s.dtype == bool:
                    out.append(rng.random(s.shape) < 0.5)
                elif jnp.issubdtype(s.dtype, jnp.integer):
                    least = 0 if jnp.issubdtype(s.dtype, jnp.unsignedinteger) else -9
                    out.append(np.asarray(rng.integers(max(least, int(np.floor(a))) if low >= 0 else least, max(int(high), 1) + 8 if high < 9 else int(high), s.shape), s.dtype))
                else:
                    out.append(np.asarray(np.asarray(rng.uniform(a, b, s.shape), np.float32), s.dtype))
            return out
        return arguments


def wide(name):
    return name.startswith("f") and name in ("f32", "f64")


# --- the operations: name, how many operands, JAX, where the operands lie ---
UNARY = [
    ("neg", jnp.negative, -3, 3), ("exp", jnp.exp, -3, 3), ("exp2", jnp.exp2, -3, 3), ("expm1", jnp.expm1, -2, 2), ("log", jnp.log, 0.2, 4),
    ("log2", jnp.log2, 0.2, 4), ("log10", jnp.log10, 0.2, 4), ("log1p", jnp.log1p, -0.5, 3), ("sqrt", jnp.sqrt, 0.2, 4), ("cbrt", lax.cbrt, 0.2, 4),
    ("rsqrt", lax.rsqrt, 0.2, 4), ("sin", jnp.sin, -3, 3), ("cos", jnp.cos, -3, 3), ("tan", jnp.tan, -1.2, 1.2), ("asin", jnp.arcsin, -0.8, 0.8),
    ("acos", jnp.arccos, -0.8, 0.8), ("atan", jnp.arctan, -3, 3), ("sinh", jnp.sinh, -2, 2), ("cosh", jnp.cosh, -2, 2), ("tanh", jnp.tanh, -2, 2),
    ("asinh", jnp.arcsinh, -3, 3), ("acosh", jnp.arccosh, 1.2, 4), ("atanh", jnp.arctanh, -0.8, 0.8), ("erf", lax.erf, -2, 2), ("erfc", lax.erfc, -2, 2),
    ("erf_inv", lax.erf_inv, -0.9, 0.9), ("lgamma", lax.lgamma, 0.3, 6), ("digamma", lax.digamma, 0.6, 6), ("logistic", jax.nn.sigmoid, -4, 4), ("abs", jnp.abs, -3, 3),
]
STEPS = [("sign", jnp.sign), ("floor", jnp.floor), ("ceil", jnp.ceil), ("trunc", jnp.trunc), ("rint", jnp.rint),
         ("round", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO)), ("isfinite", jnp.isfinite), ("isnan", jnp.isnan)]
BINARY = [
    ("add", jnp.add, -3, 3), ("sub", jnp.subtract, -3, 3), ("mul", jnp.multiply, -3, 3), ("div", jnp.divide, 0.5, 3), ("pow", jnp.power, 0.3, 2.5),
    ("atan2", jnp.arctan2, 0.3, 3), ("maximum", jnp.maximum, -3, 3), ("minimum", jnp.minimum, -3, 3), ("hypot", jnp.hypot, 0.5, 3), ("fmax", jnp.fmax, -3, 3), ("fmin", jnp.fmin, -3, 3),
]
INTEGER = [("add", jnp.add), ("sub", jnp.subtract), ("mul", jnp.multiply), ("maximum", jnp.maximum), ("bit_and", jnp.bitwise_and), ("bit_or", jnp.bitwise_or), ("bit_xor", jnp.bitwise_xor)]
ORDERS = {                                         # how many parameters are differentiated -> the chains of transforms
    "value": lambda w: [],
    "jvp": lambda w: [("jvp", w)],
    "vjp": lambda w: [("vjp", w)],
    "jvp_vjp": lambda w: [("vjp", w), ("jvp", w)],
    "vjp_jvp": lambda w: [("jvp", w), ("vjp", w)],
    "vjp_vjp": lambda w: [("vjp", w), ("vjp", w)],
    "jvp_jvp": lambda w: [("jvp", w), ("jvp", w)],
}
DEEP = {
    "vjp_vjp_vjp": lambda w: [("vjp", w)] * 3,
    "jvp_jvp_vjp_vjp": lambda w: [("vjp", w), ("vjp", w), ("jvp", w), ("jvp", w)],
}
n = lambda *xs: tuple(int(x) for x in xs)


def strided_pool(x, window, strides, dilations, low, high, init, f):
    """lax.reduce_window; extremes by indexing, since JAX has no second derivative of theirs."""
    if f is lax.add:
        return lax.reduce_window(x, np.asarray(init, x.dtype), f, window, strides, list(zip(low, high)), (1,) * len(window), dilations)
    wide = jnp.pad(x, list(zip(low, high)), constant_values=init)
    out = [(size - (w - 1) * d - 1) // s + 1 for size, w, s, d in zip(wide.shape, window, strides, dilations)]
    at = [np.arange(o)[:, None] * s + np.arange(w)[None, :] * d for o, w, s, d in zip(out, window, strides, dilations)]
    k = len(window)
    index = tuple(a.reshape([a.shape[0] if i == j else a.shape[1] if i == j + k else 1 for i in range(2 * k)]) for j, a in enumerate(at))
    parts = wide[index].reshape(*out, -1)
    first = jnp.argmax(parts if f is lax.max else -parts, -1, keepdims=True)
    return jnp.take_along_axis(parts, first, -1)[..., 0]


def structured(d):
    """(name, build(p, dtype) -> (result, differentiable parameters), low, high)"""
    r = d.random
    s2, s3 = d.shape(2), d.shape(3)
    all_axes = lambda s: tuple(range(len(s)))

    def simple(kind, taken, f, **attrs):
        def build(p, dtype):
            x = p.param(taken, dtype)
            return p.op(kind, [x], f, **attrs), [0]
        return build

    out = []
    add = lambda name, build, low=-3.0, high=3.0: out.append((name, build, low, high))
    # shapes
    perm = list(range(3))
    r.shuffle(perm)
    add("broadcast_in_dim", simple("broadcast_in_dim", s2, lambda x: lax.broadcast_in_dim(x, (3,) + s2 + (2,), (1, 2)), shape=(3,) + s2 + (2,), dims=(1, 2)))
    add("broadcast_scalar", simple("broadcast_in_dim", (), lambda x: jnp.broadcast_to(x, s2), shape=s2, dims=()))
    add("reshape", simple("reshape", s3, lambda x: x.reshape(s3[0] * s3[1], s3[2]), shape=(s3[0] * s3[1], s3[2])))
    add("transpose", simple("transpose", s3, lambda x: x.transpose(perm), dims=tuple(perm)))
    add("reverse", simple("reverse", s3, lambda x: jnp.flip(x, (0, 2)), axes=(0, 2)))
    big = d.shape(2, 5, 8)
    start, strides = n(r.randint(0, 2), r.randint(0, 2)), n(r.randint(1, 3), r.randint(1, 3))
    limit = n(big[0] - r.randint(0, 1), big[1] - r.randint(0, 1))
    add("slice", simple("slice", big, lambda x: lax.slice(x, start, limit, strides), start=start, limit=limit, strides=strides))

    def pad(low, high, interior):
        def build(p, dtype):
            x, v = p.param(s2, dtype), p.param((), dtype)
            return p.op("pad", [x, v], lambda x, v: lax.pad(x, v, list(zip(low, high, interior))), low=low, high=high, interior=interior), [0, 1]
        return build
    add("pad", pad(n(1, 2), n(0, 1), n(2, 0)))
    add("pad_negative", pad(n(-1, 1), n(1, -1), n(1, 0)))

    def concatenate(p, dtype):
        a, b, c = p.param((2, s2[1]), dtype), p.param((s2[0], s2[1]), dtype), p.param((1, s2[1]), dtype)
        return p.op("concatenate", [a, b, c], lambda *xs: jnp.concatenate(xs, 0), axis=0), [0, 1, 2]
    add("concatenate", concatenate)

    def dynamic_slice(p, dtype):
        x, i, j = p.param(big, dtype), p.param((), "i32"), p.param((), "i32")
        return p.op("dynamic_slice", [x, i, j], lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3), allow_negative_indices=False), sizes=(2, 3)), [0]
    add("dynamic_slice", dynamic_slice)

    def dynamic_update_slice(p, dtype):
        x, u, i, j = p.param(big, dtype), p.param((2, 3), dtype), p.param((), "i32"), p.param((), "i32")
        f = lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j), allow_negative_indices=False)
        return p.op("dynamic_update_slice", [x, u, i, j], f), [0, 1]
    add("dynamic_update_slice", dynamic_update_slice)

    def select(p, dtype):
        m, a, b = p.param(s2, "bool"), p.param(s2, dtype), p.param(s2, dtype)
        return p.op("select", [m, a, b], jnp.where), [1, 2]
    add("select", select)
    # reductions
    axes = n(*sorted(r.sample(range(3), 2)))
    for kind, f in (("sum", jnp.sum), ("max", jnp.max), ("min", jnp.min), ("prod", jnp.prod)):
        add(f"reduce_{kind}", simple(f"reduce_{kind}", s3, lambda x, f=f: f(x, axes).astype(x.dtype), axes=axes), 0.3, 1.8)
        add(f"reduce_{kind}_all", simple(f"reduce_{kind}", s2, lambda x, f=f: f(x).astype(x.dtype), axes=all_axes(s2)), 0.3, 1.8)

    def tied(kind, f):                             # equal winners
        def build(p, dtype):
            x = p.param((2, 3), dtype)
            twice = p.op("concatenate", [x, x], lambda a, b: jnp.concatenate([a, b], 1), axis=1)
            return p.op(kind, [twice], f, axes=(1,)), [0]
        return build
    add("reduce_max_ties", tied("reduce_max", lambda x: jnp.max(x, 1)))
    add("argmax", simple("argmax", s3, lambda x: lax.argmax(x, 1, np.int32), axis=1, dtype="i32"))
    add("argmin", simple("argmin", s3, lambda x: lax.argmin(x, 2, np.int64), axis=2, dtype="i64"))
    for kind, f in (("cumsum", lax.cumsum), ("cumprod", lax.cumprod), ("cummax", lax.cummax), ("cummin", lax.cummin)):
        for back in (0, 1):
            add(f"{kind}_{back}", simple(kind, d.shape(2, 3, 6), lambda x, f=f, back=back: f(x, 1, bool(back)), axis=1, reverse=back), 0.4, 1.7)
    add("sort", simple("sort", d.shape(2, 3, 6), lambda x: lax.sort(x, dimension=1), axis=1, descending=0))
    add("sort_down", simple("sort", d.shape(2, 3, 6), lambda x: jnp.flip(lax.sort(x, dimension=0), 0), axis=0, descending=1))
    add("sort_indices", simple("sort_indices", d.shape(2, 3, 6), lambda x: jnp.argsort(x, 1).astype(np.int32), axis=1, descending=0))
    # windows
    pooled = (2,) + d.shape(2, 5, 7)
    for k, (w, st, di, lo, hi) in enumerate([((1, 2, 2), (1, 2, 2), (1, 1, 1), (0, 0, 0), (0, 0, 0)), ((1, 3, 2), (1, 2, 1), (1, 1, 2), (0, 1, 0), (0, 1, 1))]):
        for kind, init, f in (("sum", 0.0, lax.add), ("max", -np.inf, lax.max), ("min", np.inf, lax.min)):
            add(f"reduce_window_{kind}_{k}", simple(f"reduce_window_{kind}", pooled, lambda x, w=w, st=st, di=di, lo=lo, hi=hi, init=init, f=f: strided_pool(x, w, st, di, lo, hi, init, f),
                                                    window=w, strides=st, dilations=di, low=lo, high=hi))
    # products
    def dot(shape_a, shape_b, ba, bb, ca, cb):
        def build(p, dtype):
            a, b = p.param(shape_a, dtype), p.param(shape_b, dtype)
            f = lambda a, b: lax.dot_general(a, b, ((ca, cb), (ba, bb)), precision=lax.Precision.HIGHEST)
            return p.op("dot_general", [a, b], f, batch_a=ba, batch_b=bb, contract_a=ca, contract_b=cb), [0, 1]
        return build
    m, k, q, b = d.shape(4)
    add("matmul", dot((m, k), (k, q), (), (), (1,), (0,)))
    add("dot", dot((k,), (k,), (), (), (0,), (0,)))
    add("outer", dot((m,), (q,), (), (), (), ()))
    add("batched_dot", dot((b, m, k), (b, k, q), (0,), (0,), (2,), (1,)))
    add("dot_general", dot((m, b, k, 2), (2, q, k, b), (1,), (3,), (3, 2), (0, 2)))

    def conv(rank, strides, low, high, dx, dw, groups):
        def build(p, dtype):
            x, w = p.param((2, 2 * groups) + d_spatial[:rank], dtype), p.param((2 * groups, 2) + d_window[:rank], dtype)
            spec = ("NC" + "HWD"[:rank], "OI" + "HWD"[:rank], "NC" + "HWD"[:rank])
            f = lambda x, w: lax.conv_general_dilated(x, w, strides, list(zip(low, high)), dx, dw, spec, feature_group_count=groups, precision=lax.Precision.HIGHEST)
            return p.op("convolution", [x, w], f, strides=strides, low=low, high=high, dilate_x=dx, dilate_w=dw, groups=groups), [0, 1]
        return build
    d_spatial, d_window = d.shape(3, 4, 6), d.shape(3, 1, 3)
    add("conv1d", conv(1, (2,), (1,), (0,), (1,), (1,), 1), -1.5, 1.5)
    add("conv2d", conv(2, (1, 2), (1, 0), (1, 1), (1, 1), (1, 2), 1), -1.5, 1.5)
    add("conv2d_groups", conv(2, (2, 1), (0, 1), (1, 1), (2, 1), (1, 1), 3), -1.5, 1.5)
    add("conv3d", conv(3, (1, 1, 2), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1), 1), -1.5, 1.5)

    # positions
    def gather(shape, indices, offset, collapsed, bx, bi, index_map, sizes):
        def build(p, dtype):
            x, i = p.param(shape, dtype), p.param(indices, "i32")
            dims = lax.GatherDimensionNumbers(offset, collapsed, index_map, bx, bi)
            f = lambda x, i: lax.gather(x, i, dims, sizes, mode="clip")
            return p.op("gather", [x, i], f, offset_dims=offset, collapsed=collapsed, batch_x=bx, batch_indices=bi, index_map=index_map, sizes=sizes), [0]
        return build
    add("gather_rows", gather((5, 3), (4, 1), (1,), (0,), (), (), (0,), (1, 3)))
    add("gather_windows", gather((5, 6), (3, 2), (1, 2), (), (), (), (1, 0), (2, 3)))
    add("gather_batched", gather((3, 5, 2), (3, 4, 1), (2,), (1,), (0,), (0,), (1,), (1, 1, 2)))

    def scatter(kind, f, shape, indices, updates, window, inserted, bx, bi, index_map):
        def build(p, dtype):
            x, u = p.param(shape, dtype), p.param(updates, dtype)
            if kind == "scatter_add":
                i = p.param(indices, "i32")
            else:                                  # places that differ
                flat = p.op("iota", [], lambda: lax.broadcasted_iota(np.int32, indices, 0), shape=indices, dtype="i32", axis=0)
                i = flat
            dims = lax.ScatterDimensionNumbers(window, inserted, index_map, bx, bi)
            g = lambda x, i, u: f(x, i, u, dims)
            return p.op(kind, [x, i, u], g, window_dims=window, inserted=inserted, batch_x=bx, batch_indices=bi, index_map=index_map), [0, 1]
        return build
    for kind, f in (("scatter_add", lax.scatter_add), ("scatter", lax.scatter)):
        add(f"{kind}_rows", scatter(kind, f, (5, 3), (4, 1), (4, 3), (1,), (0,), (), (), (0,)))
        add(f"{kind}_windows", scatter(kind, f, (9, 6), (3, 1), (3, 1, 2), (1, 2), (), (), (), (0,)))
    add("scatter_add_batched", scatter("scatter_add", lax.scatter_add, (3, 5, 2), (3, 4, 1), (3, 4, 2), (2,), (1,), (0,), (0,), (1,)))
    return out


def control(d):
    """(name, text, JAX function, specs, differentiable parameters)"""
    S = lambda *shape, dtype=np.float64: jax.ShapeDtypeStruct(shape, dtype)
    k, m = d.random.randint(2, 4), d.random.randint(2, 5)
    v = f"f64[{m}]"
    loop = f"""func f(%x: {v}, %w: f64[{m},{m}]) {{
  %a = constant {{value = 0:i64}} : i64
  %b = constant {{value = {k}:i64}} : i64
  %y = for %a, %b, %x {{step = 1}} (%i: i64, %h: {v}) {{
    %z = dot_general %w, %h {{batch_a = [], batch_b = [], contract_a = [1], contract_b = [0]}} : {v}
    %t = tanh %z : {v}
    %c = cast %i {{dtype = f64}} : f64
    %s = broadcast_in_dim %c {{shape = [{m}], dims = []}} : {v}
    %u = add %t, %s : {v}
    %g = mul %u, %h : {v}
    yield %g
  }} : {v}
  yield %y
}}
"""
    turn = lambda i, h, w: (jnp.tanh(w @ h) + i) * h
    rounds = f"""func f(%x: {v}, %n: i64) {{
  %a = constant {{value = 0:i64}} : i64
  %y = for %a, %n, %x {{step = 1}} (%i: i64, %h: {v}) {{
    %t = sin %h : {v}
    %g = mul %t, %x : {v}
    yield %g
  }} : {v}
  yield %y
}}
"""
    until = f"""func f(%x: {v}) {{
  %y = while %x (%h: {v}) {{
    %s = reduce_max %h {{axes = [0]}} : f64
    %l = constant {{value = 20:f64}} : f64
    %c = compare %s, %l {{direction = lt}} : bool
    yield %c
  }} (%g: {v}) {{
    %q = mul %g, %g : {v}
    %r = add %q, %x : {v}
    %e = exp %x : {v}
    %t = add %r, %e : {v}
    yield %t
  }} : {v}
  yield %y
}}
"""
    choice = f"""func f(%x: {v}, %p: bool) {{
  %y = if %p () {{
    %a = sin %x : {v}
    %b = mul %a, %x : {v}
    yield %b
  }} () {{
    %c = exp %x : {v}
    yield %c
  }} : {v}
  yield %y
}}
"""
    return [
        ("for", loop, lambda x, w: [lax.fori_loop(0, k, lambda i, h: turn(i, h, w), x)], [S(m), S(m, m)], [0, 1]),
        ("for_rounds", rounds, lambda x, n: [fori_scan(x, n)], [S(m), S(dtype=np.int64)], [0]),
        ("while", until, lambda x: [while_scan(x)], [S(m)], [0]),
        ("if", choice, lambda x, p: [lax.cond(p, lambda x: jnp.sin(x) * x, jnp.exp, x)], [S(m), S(dtype=np.bool_)], [0]),
    ]


def symbolic(d):
    """Functions of symbolic extents, at drawn sizes."""
    n_, m_ = d.random.randint(2, 6), d.random.randint(2, 6)
    S = lambda *shape: jax.ShapeDtypeStruct(shape, np.float64)
    layer = """func f(%x: f64[n,3], %w: f64[3,m]) {
  %y = dot_general %x, %w {batch_a = [], batch_b = [], contract_a = [1], contract_b = [0]} : f64[n,m]
  %t = tanh %y : f64[n,m]
  %s = reduce_sum %t {axes = [0]} : f64[m]
  %b = broadcast_in_dim %s {shape = [n,m], dims = [1]} : f64[n,m]
  %k = extent {shape = [n]} : i64
  %c = cast %k {dtype = f64} : f64
  %e = broadcast_in_dim %c {shape = [n,m], dims = []} : f64[n,m]
  %q = div %b, %e : f64[n,m]
  %i = iota {shape = [n,m], dtype = f64, axis = 0} : f64[n,m]
  %u = mul %q, %i : f64[n,m]
  %r = reshape %u {shape = [m*n]} : f64[m*n]
  %o = slice %r {start = [1], limit = [m*n], strides = [1]} : f64[m*n-1]
  %g = reduce_max %t {axes = [1]} : f64[n]
  yield %o, %g
}
"""

    def f(x, w):
        t = jnp.tanh(x @ w)
        u = jnp.broadcast_to(t.sum(0), t.shape) / t.shape[0] * jnp.arange(t.shape[0], dtype=x.dtype)[:, None]
        return [u.reshape(-1)[1:], t.max(1)]
    return [("layer", layer, f, [S(n_, 3), S(3, m_)], [0, 1])]


# Loops whose trips only the run tells, in a form that JAX can differentiate.
def fori_scan(x, n):
    return lax.scan(lambda h, i: (jnp.where(i < n, jnp.sin(h) * x, h), None), x, jnp.arange(40))[0]


def while_scan(x):
    def turn(h, _):
        running = jnp.max(h) < 20
        safe = jnp.where(running, h, 1.0)
        return jnp.where(running, safe * safe + x + jnp.exp(x), h), None
    return lax.scan(turn, x, None, length=40)[0]


def cases(d):
    out = []

    def add(name, text, function, specs, steps, low, high):
        draw = d.numbers(name, low, high)
        out.append(Case(name, text, function, specs, steps, lambda s, n=len(specs): draw(s, n)))

    def family(name, build, low, high, dtypes, orders):
        for dtype in dtypes:
            p = Program()
            result, wanted = build(p, dtype)
            f = lambda *args, result=result: [result.value(args)]
            differentiable = jnp.issubdtype(result.dtype, jnp.floating)
            for order, chain in orders.items():
                if order != "value" and not differentiable:
                    continue
                if dtype == "f32" and order not in ("value", "jvp", "vjp"):
                    continue
                add(f"{name}/{order}/{dtype}", p.text(result), f, p.params, chain(wanted), low, high)
            if dtype != "f64":
                continue
            for k, axes in enumerate(vmaps(p.params, d.random)):
                add(f"{name}/vmap_{k}", p.text(result), f, p.params, [("vmap", axes, 3)], low, high)
            if differentiable:
                first = [0] * len(p.params)
                add(f"{name}/vmap_vjp", p.text(result), f, p.params, [("vjp", wanted), ("vmap", first + [0], 2)], low, high)
                add(f"{name}/vjp_vmap", p.text(result), f, p.params, [("vmap", first, 2), ("vjp", wanted)], low, high)

    def unary(kind, f):
        return lambda p, dtype: (p.op(kind, [p.param(shape, dtype)], f), [0])

    def binary(kind, f):
        return lambda p, dtype: (p.op(kind, [p.param(shape, dtype), p.param(shape, dtype)], f), [0, 1])

    for kind, f, low, high in UNARY:
        shape = d.shape(2)
        family(kind, unary(kind, f), low, high, ["f64", "f32"], {**ORDERS, **DEEP})
    family("polygamma", lambda p, dtype: (p.op("polygamma", [p.param((3,), dtype)], lambda x: jax.scipy.special.polygamma(1, x), order=1), [0]), 0.6, 5, ["f64"],
           {k: ORDERS[k] for k in ("value", "jvp", "vjp")})
    family("igamma", binary("igamma", lax.igamma), 0.4, 6, ["f64", "f32"], {k: ORDERS[k] for k in ("value", "jvp", "vjp")})
    family("igammac", binary("igammac", lax.igammac), 0.4, 6, ["f64", "f32"], {k: ORDERS[k] for k in ("value", "jvp", "vjp")})
    family("igamma_grad_a", binary("igamma_grad_a", lax.igamma_grad_a), 0.4, 6, ["f64", "f32"], {"value": ORDERS["value"]})
    family("random_gamma_grad", binary("random_gamma_grad", lax.random_gamma_grad), 0.4, 6, ["f64", "f32"], {"value": ORDERS["value"]})

    def betainc(p, dtype):
        a, b, x = p.param(shape, dtype), p.param(shape, dtype), p.param(shape, dtype)
        return p.op("betainc", [a, b, x], lax.betainc), [2]
    family("betainc", betainc, 0.05, 0.95, ["f64", "f32"], ORDERS)

    def bits(p, dtype):
        return p.op("bitcast", [p.param(shape, dtype)], lambda x: lax.bitcast_convert_type(x, np.dtype(f"uint{x.dtype.itemsize * 8}")), dtype="u" + dtype[1:]), []
    family("bitcast", bits, -3, 3, ["f64", "f32", "f16"], {"value": ORDERS["value"]})
    for kind, f in STEPS:
        shape = d.shape(2)
        family(kind, unary(kind, f), -3, 3, ["f64", "f32"], {k: ORDERS[k] for k in ("value", "vjp")})
    for kind, f, low, high in BINARY:
        shape = d.shape(2)
        family(kind, binary(kind, f), low, high, ["f64", "f32"], {**ORDERS, **DEEP})
    for kind, f in INTEGER:
        shape = d.shape(2)
        family(kind, binary(kind, f), -9, 9, ["i8", "i32", "i64", "u8", "u16", "u64"], {"value": ORDERS["value"]})
    for kind in ("add", "mul", "exp"):
        shape = d.shape(2)
        f = {"add": jnp.add, "mul": jnp.multiply, "exp": jnp.exp}[kind]
        family(kind, unary(kind, f) if kind == "exp" else binary(kind, f), -2, 2, ["f16", "bf16"], {k: ORDERS[k] for k in ("value", "vjp")})
    for name, build, low, high in structured(d):
        family(name, build, low, high, ["f64", "f32"], ORDERS)
    for name, build, low, high in structured(d):
        if name in ("reduce_sum", "reduce_max", "sort", "transpose", "gather_rows", "scatter_add_rows", "cumsum_0", "matmul", "argmax"):
            family(name, build, 0, 9, ["i32", "u8"], {"value": ORDERS["value"]})
    for name, text, f, specs, wanted in control(d):
        for order in ORDERS:
            add(f"{name}/{order}/f64", text, f, specs, ORDERS[order](wanted), 0.2, 0.9)
        add(f"{name}/vmap", text, f, specs, [("vmap", [0] * len(specs), 3)], 0.2, 0.9)
        add(f"{name}/vmap_vjp", text, f, specs, [("vjp", wanted), ("vmap", [0] * (len(specs) + 1), 2)], 0.2, 0.9)
        add(f"{name}/vjp_vmap", text, f, specs, [("vmap", [0] * len(specs), 2), ("vjp", wanted)], 0.2, 0.9)
    for name, text, f, specs, wanted in symbolic(d):
        for order in ORDERS:
            add(f"symbolic_{name}/{order}/f64", text, f, specs, ORDERS[order](wanted), -1, 1)
        add(f"symbolic_{name}/vmap", text, f, specs, [("vmap", [0, -1], 3)], -1, 1)
    return out


def vmaps(params, rng):
    """In-axes: all in front; for several operands each alone; one drawn at random."""
    yield [0] * len(params)
    if len(params) > 1:
        for i in range(len(params)):
            yield [0 if j == i else -1 for j in range(len(params))]
    axes = [rng.randint(-1, len(s.shape)) for s in params]
    if any(a >= 0 for a in axes):
        yield axes
