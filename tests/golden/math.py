#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes math.inc: values and derivatives of every real op of the table, from mpmath (pip install mpmath==1.3.0).

Derivatives are numeric differentiation of mpmath's functions in 60 digits, so nothing here knows our rules.
A row is {op, order, {operands}, value, {first derivatives}, {second derivatives}}; derivatives run over the real operands
named by position in `by` (all others are integers or cannot be differentiated), the second ones over pairs i <= j.

    python3 tests/golden/math.py > tests/golden/math.inc
"""
from mpmath import mp, mpf

mp.dps = 60


def trunc(x):
    return mp.sign(x) * mp.floor(abs(x))


def round_away(x):
    return mp.sign(x) * mp.floor(abs(x) + mpf(1) / 2)


def derivative_of_legendre(n, m, x):
    """By the coefficients of P_n in powers of x."""
    before, now = [mpf(0)], [mpf(1)]
    for k in range(1, n + 1):
        up = [mpf(0)] + [mpf(2 * k - 1) / k * c for c in now]
        down = [mpf(k - 1) / k * c for c in before] + [mpf(0)] * (len(up) - len(before))
        before, now = now, [a - b for a, b in zip(up, down)]
    for _ in range(m):
        now = [i * c for i, c in enumerate(now)][1:]
    return mp.fsum(c * x**i for i, c in enumerate(now))


def assoc_legendre(n, m, x):
    return mp.sqrt(1 - x * x)**m * derivative_of_legendre(n, m, x)


def sph_legendre(n, m, t):
    scale = (2 * n + 1) / (4 * mp.pi) * mp.factorial(n - m) / mp.factorial(n + m)
    return (-1)**m * mp.sqrt(scale) * mp.sin(t)**m * derivative_of_legendre(n, m, mp.cos(t))


def hermite(n, x):
    before, now = mpf(0), mpf(1)
    for k in range(n):
        before, now = now, 2 * x * now - 2 * k * before
    return now


def laguerre(n, m, x):
    return mp.fsum((-1)**i * mp.binomial(n + m, n - i) * x**i / mp.factorial(i) for i in range(n + 1))


def spherical(f):
    return lambda n, x: mp.sqrt(mp.pi / (2 * x)) * f(n + mpf(1) / 2, x)


def ellint_d(k, phi):
    return (mp.ellipf(phi, k * k) - mp.ellipe(phi, k * k)) / (k * k)


def comp_ellint_d(k):
    return (mp.ellipk(k * k) - mp.ellipe(k * k)) / (k * k)


def frexp_exponent(x):
    return 0 if x == 0 else int(mp.floor(mp.log(abs(x), 2))) + 1


def pow_real(a, b):
    return a**int(b) if b == int(b) else a**b


anywhere = [-3.7, -0.8, 0.3, 1.9, 6.25]
positive = [0.02, 0.7, 1.3, 4.5, 60.0]
inside = [-0.93, -0.4, 0.1, 0.75, 0.999]
pairs = [(0.7, 1.4), (-2.5, 0.6), (3.25, -1.1), (-0.4, -5.0)]
tall = [(0.2, 0.5), (2.5, 0.8), (4.0, 6.5), (0.75, 12.0)]
degrees = [(0, 0.3), (1, -0.8), (2, 0.45), (3, 0.9), (5, -0.35), (8, 0.62)]
orders = [(0, 0.4), (0, 7.5), (1, 0.6), (1, 5.5), (2, 1.3), (3.5, 2.6), (0.25, 1.75), (6, 9.0)]
triples = [(0, 0, 0.3), (1, 0, -0.8), (1, 1, 0.4), (3, 2, 0.9), (4, 1, -0.35), (5, 5, 0.62), (6, 3, 0.15)]

# op: (function, points); a point is a number or a tuple, its length the number of operands.
ops = {
    "neg": (lambda x: -x, anywhere),
    "add": (lambda a, b: a + b, pairs),
    "sub": (lambda a, b: a - b, pairs),
    "mul": (lambda a, b: a * b, pairs),
    "div": (lambda a, b: a / b, pairs),
    "exp": (mp.exp, anywhere),
    "exp2": (lambda x: mpf(2)**x, anywhere),
    "expm1": (mp.expm1, anywhere + [-30.0, 1e-9]),
    "log": (mp.log, positive),
    "log2": (lambda x: mp.log(x, 2), positive),
    "log10": (mp.log10, positive),
    "log1p": (mp.log1p, positive + [-0.6, 1e-9]),
    "sqrt": (mp.sqrt, positive),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), anywhere),
    "pow": (pow_real, [(0.7, 1.4), (2.5, -0.6), (1.5, 7.0), (12.0, 0.5), (3.0, 1.0), (0.3, 2.0), (4.0, -1.0), (0.9, 3.0), (1.7, 4.0), (2.0, 0.0)]),
    "hypot": (lambda a, b: mp.sqrt(a * a + b * b), pairs),
    "hypot3": (lambda a, b, c: mp.sqrt(a * a + b * b + c * c), [(0.7, 1.4, -0.2), (-2.5, 0.6, 3.0), (1.0, -2.0, 2.0)]),
    "fma": (lambda a, b, c: a * b + c, [(0.7, 1.4, -0.2), (-2.5, 0.6, 3.0), (1.0, -2.0, 2.0)]),
    "lerp": (lambda a, b, t: a + t * (b - a), [(0.7, 1.4, 0.2), (-2.5, 0.6, 1.0), (1.0, -2.0, -0.5), (3.0, 3.5, 0.0)]),
    "sin": (mp.sin, anywhere),
    "cos": (mp.cos, anywhere),
    "tan": (mp.tan, anywhere),
    "asin": (mp.asin, inside),
    "acos": (mp.acos, inside),
    "atan": (mp.atan, anywhere),
    "atan2": (mp.atan2, pairs),
    "sinh": (mp.sinh, anywhere),
    "cosh": (mp.cosh, anywhere),
    "tanh": (mp.tanh, anywhere),
    "asinh": (mp.asinh, anywhere),
    "acosh": (mp.acosh, [1.001, 1.3, 4.5, 60.0]),
    "atanh": (mp.atanh, inside),
    "abs": (abs, anywhere),
    "fmax": (max, pairs),
    "fmin": (min, pairs),
    "fdim": (lambda a, b: max(a - b, mpf(0)), pairs),
    "copysign": (lambda a, b: abs(a) * mp.sign(b), pairs),
    "floor": (mp.floor, anywhere),
    "ceil": (mp.ceil, anywhere),
    "trunc": (trunc, anywhere),
    "round": (round_away, anywhere),
    "nearbyint": (mp.nint, anywhere),
    "rint": (mp.nint, anywhere),
    "logb": (lambda x: mpf(frexp_exponent(x) - 1), anywhere),
    "fmod": (lambda a, b: a - b * trunc(a / b), pairs + [(7.9, 0.75), (1.0, 0.1)]),
    "remainder": (lambda a, b: a - b * mp.nint(a / b), pairs[1:] + [(7.9, 0.75), (1.08, 0.1)]),
    "frexp_significand": (lambda x: x / mpf(2)**frexp_exponent(x), anywhere),
    "modf_fraction": (lambda x: x - trunc(x), anywhere),
    "ldexp": (lambda x, n: x * mpf(2)**n, [(0.7, 3), (-1.2, -4), (5.0, 0)]),
    "scalbn": (lambda x, n: x * mpf(2)**n, [(0.7, 3), (-1.2, -4), (5.0, 0)]),
    "scalbln": (lambda x, n: x * mpf(2)**n, [(0.7, 3), (-1.2, -4), (5.0, 0)]),
    "nextafter": (lambda a, b: a, pairs),                                       # equal within a rounding error
    "erf": (mp.erf, anywhere),
    "erfc": (mp.erfc, anywhere),
    "tgamma": (mp.gamma, positive[:-1] + [-0.6, -3.3, 20.0]),
    "lgamma": (lambda x: mp.log(abs(mp.gamma(x))), positive + [-0.6, -3.3]),
    "digamma": (mp.digamma, positive + [1.4, 1.461632144968, 1.55, 9.75, 1e6, -0.6, -3.3, -20.45]),
    "polygamma": (None, []),                                                    # below: one function per order
    "beta": (mp.beta, tall),
    "expint": (mp.ei, [-4.0, -0.7, 0.3, 1.9, 6.5]),
    "riemann_zeta": (mp.zeta, [-2.5, 0.5, 1.5, 4.0]),
    "comp_ellint_1": (lambda k: mp.ellipk(k * k), inside + [1e-4]),
    "comp_ellint_2": (lambda k: mp.ellipe(k * k), inside + [1e-4]),
    "comp_ellint_3": (lambda k, n: mp.ellippi(n, k * k), [(0.5, 0.6), (-0.7, -0.8), (0.2, 0.3), (0.9, 0.1)]),
    "comp_ellint_d": (comp_ellint_d, inside),
    "ellint_1": (lambda k, p: mp.ellipf(p, k * k), [(0.5, 0.6), (-0.7, -0.8), (0.2, 2.9), (0.9, 1.5), (1e-4, 0.9)]),
    "ellint_2": (lambda k, p: mp.ellipe(p, k * k), [(0.5, 0.6), (-0.7, -0.8), (0.2, 2.9), (0.9, 1.5), (1e-4, 0.9)]),
    "ellint_3": (lambda k, n, p: mp.ellippi(n, p, k * k), [(0.5, 0.6, 0.7), (-0.7, -0.8, 1.2), (0.2, 0.3, -0.4), (0.6, 0.5, 2.0)]),
    "ellint_d": (ellint_d, [(0.5, 0.6), (-0.7, -0.8), (0.2, 2.9), (0.9, 1.5), (0.4, 9.0)]),
    "cyl_bessel_j": (mp.besselj, orders),
    "cyl_bessel_i": (mp.besseli, orders),
    "cyl_bessel_k": (mp.besselk, orders),
    "cyl_neumann": (mp.bessely, orders),
    "sph_bessel": (spherical(mp.besselj), [(0, 0.4), (1, 2.5), (2, 1.3), (5, 6.5)]),
    "sph_neumann": (spherical(mp.bessely), [(0, 0.4), (1, 2.5), (2, 1.3), (5, 6.5)]),
    "hermite": (hermite, degrees),
    "laguerre": (lambda n, x: laguerre(n, 0, x), [(n, abs(x) * 5) for n, x in degrees]),
    "assoc_laguerre": (laguerre, [(n, m, abs(x) * 5) for n, m, x in triples]),
    "legendre": (lambda n, x: derivative_of_legendre(n, 0, x), degrees),
    "legendre_derivative": (derivative_of_legendre, triples),
    "assoc_legendre": (assoc_legendre, triples),
    "sph_legendre": (sph_legendre, [(n, m, abs(x) * 3) for n, m, x in triples]),
}
# Operands that are integers or passive, by position; all others are differentiated.
fixed = {"ldexp": 1, "scalbn": 1, "scalbln": 1, "cyl_bessel_j": 0, "cyl_bessel_i": 0, "cyl_bessel_k": 0, "cyl_neumann": 0,
         "sph_bessel": 0, "sph_neumann": 0, "hermite": 0, "laguerre": 0, "legendre": 0, "assoc_laguerre": (0, 1),
         "legendre_derivative": (0, 1), "assoc_legendre": (0, 1), "sph_legendre": (0, 1)}
integer = {"sph_bessel", "sph_neumann", "hermite", "laguerre", "legendre", "assoc_laguerre", "legendre_derivative",
           "assoc_legendre", "sph_legendre", "ldexp", "scalbn", "scalbln"}


def number(x):
    x = mp.re(x)
    return repr(float(x)) if abs(x) > mpf(10)**-40 else "0.0"        # a numeric derivative of zero


def row(op, order, f, point):
    point = point if isinstance(point, tuple) else (point,)
    held = fixed.get(op, ())
    held = held if isinstance(held, tuple) else (held,)
    at = [p if i in held and op in integer else mpf(p) for i, p in enumerate(point)]
    by = [i for i in range(len(point)) if i not in held]

    def along(*xs):
        full = list(at)
        for i, x in zip(by, xs):
            full[i] = x
        return f(*full)

    def derivative(*times):
        xs = tuple(at[i] for i in by)
        return mp.diff(along, xs, times) if len(xs) > 1 else mp.diff(along, xs[0], times[0])

    n = len(by)
    unit = [tuple(int(i == k) for i in range(n)) for k in range(n)]
    first = [derivative(*u) for u in unit]
    second = [derivative(*(a + b for a, b in zip(unit[i], unit[j]))) for i in range(n) for j in range(i, n)]
    print('{"%s", %d, {%s}, %s, {%s}, {%s}},' % (op, order, ", ".join(repr(float(p)) for p in point), number(f(*at)),
                                                ", ".join(map(number, first)), ", ".join(map(number, second))))


def main():
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by math.py; do not edit.")
    for op, (f, points) in ops.items():
        for p in points:
            row(op, 0, f, p)
    for order in (1, 2, 3, 7, 40):
        for x in (0.02, 0.7, 4.5, 60.0, -0.6, -3.3):
            row("polygamma", order, lambda y, n=order: mp.polygamma(n, y), x)


if __name__ == "__main__":
    main()
