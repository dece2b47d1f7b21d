# SPDX-License-Identifier: Apache-2.0
"""Random expressions. Reals stay tame (`bound`) and inside the domains of the functions applied to them; integers carry
their exact range, so that no index, division or shift is undefined."""
from program import Expr

INT_MAX = 2**31 - 1
SIGNED, UNSIGNED = "int", "unsigned"  # what an integer expression has become after C++'s promotions


class Var:
    """Something an expression can name. `kind`: real, single, integer, bool, array, grid (two dimensions), object."""

    def __init__(self, name, kind, type, bound=2.0, range=None, writable=True, length=0, columns=0, elements="T", sized=False):
        self.name, self.kind, self.type, self.bound, self.range = name, kind, type, bound, range
        self.writable, self.length, self.columns, self.elements = writable, length, columns, elements
        self.sized = sized  # begin(), end() and size() work


# name, what the argument must be, bound of the result
UNARY = [
    ("sin", "any", 1), ("cos", "any", 1), ("tanh", "any", 1), ("atan", "any", 1.6), ("erf", "any", 1), ("asinh", "any", 3),
    ("exp", "small", 3.4), ("exp2", "small", 2.4), ("expm1", "small", 2.4), ("sinh", "small", 1.6), ("cosh", "small", 1.9), ("tan", "small", 2.6),
    ("erfc", "small", 2), ("asin", "unit", 1.2), ("acos", "unit", 2.7), ("atanh", "unit", 1.5),
    ("log", "positive", 2), ("log2", "positive", 3), ("log10", "positive", 1), ("log1p", "positive", 2), ("sqrt", "positive", 2.5),
    ("cbrt", "positive", 2), ("acosh", "above one", 2.5), ("tgamma", "above one", 25), ("lgamma", "above one", 3.3),
    ("fabs", "kink", 1), ("abs", "kink", 1), ("floor", "step", 3), ("ceil", "step", 3), ("trunc", "step", 2), ("round", "step", 3), ("rint", "step", 3),
    ("nearbyint", "step", 3),
]
# spelling with holes for reals of at most 2, bound
SEVERAL = [
    ("std::pow({0}, 2)", 1, 4), ("std::pow({0}, 3)", 1, 8), ("std::pow((1.5 + std::sin({0})), {1})", 2, 6.3), ("std::pow((0.75 + {0} * {0}), 1.5)", 1, 11),
    ("std::pow(1.25, {0})", 1, 2), ("std::atan2({0}, (1.5 + std::cos({1})))", 2, 1.6), ("std::hypot({0}, (1 + {1} * {1}))", 2, 6),
    ("std::hypot({0}, {1}, (0.5 + {2}))", 3, 4), ("std::fmax({0}, {1})", 2, 2), ("std::fmin({0}, {1})", 2, 2), ("std::fmax({0}, 0.25)", 1, 2),
    ("std::fdim({0}, {1})", 2, 4), ("std::copysign({0}, {1})", 2, 2), ("std::fmod({0}, (1.25 + {1} * {1}))", 2, 2),
    ("std::remainder({0}, (0.75 + {1} * {1}))", 2, 2.4), ("std::fma({0}, {1}, {2})", 3, 6), ("std::lerp({0}, {1}, T(0.3))", 2, 3), ("std::lerp({0}, {1}, {2})", 3, 10), ("std::ldexp({0}, 1)", 1, 4),
    ("std::scalbn({0}, -2)", 1, 0.5),
]
# The special functions, and those of <cmath> that are rare. {k}: an order or degree, {m}: one that is not above it.
SPECIAL = [
    ("std::cyl_bessel_j({k}, (0.5 + {0} * {0}))", 1, 1), ("std::cyl_bessel_j({r}, (0.5 + {0} * {0}))", 1, 1), ("std::cyl_bessel_i({r}, (1.5 + std::sin({0})))", 1, 5),
    ("std::cyl_bessel_k({r}, (1.5 + std::sin({0})))", 1, 18), ("std::cyl_neumann({r}, (0.75 + {0} * {0}))", 1, 9), ("std::sph_bessel({k}, (0.5 + {0} * {0}))", 1, 1),
    ("std::sph_neumann({k}, (1.25 + {0} * {0}))", 1, 4), ("std::comp_ellint_1((0.9 * std::sin({0})))", 1, 2.4), ("std::comp_ellint_2((0.9 * std::sin({0})))", 1, 1.6),
    ("std::comp_ellint_3((0.9 * std::sin({0})), (-0.25 - {1} * {1}))", 2, 2.2), ("std::ellint_1((0.9 * std::sin({0})), {1})", 2, 5), ("std::ellint_2((0.9 * std::sin({0})), {1})", 2, 2),
    ("std::ellint_3((0.9 * std::sin({0})), (-0.25 - {1} * {1}), {2})", 3, 5), ("std::expint((0.5 + {0} * {0}))", 1, 24), ("std::expint((-0.5 - {0} * {0}))", 1, 1),
    ("std::beta((0.5 + {0} * {0}), (1.5 + std::sin({1})))", 2, 8), ("std::hermite({k}, {0})", 1, 40), ("std::laguerre({k}, (0.25 + {0} * {0}))", 1, 8),
    ("std::assoc_laguerre({k}, {m}, (0.25 + {0} * {0}))", 1, 12), ("std::legendre({k}, (0.9 * std::sin({0})))", 1, 1), ("std::assoc_legendre({k}, {m}, (0.9 * std::cos({0})))", 1, 15),
    ("std::sph_legendre({k}, {m}, (1.5 + std::sin({0})))", 1, 1), ("std::scalbln({0}, 1L)", 1, 4), ("std::nextafter({0}, {1})", 2, 2), ("(0.5 * {0} + std::ilogb(0.75 + {1} * {1}))", 2, 4),
]
STANDARD = [("std::max({0}, {1})", 2), ("std::min({0}, {1})", 2), ("std::clamp({0}, T(-0.75), T(0.875))", 1), ("std::max<T>({0}, 0.125)", 1)]


class Expressions:
    """Needs self.rng, self.features, self.vars (what is in scope) and self.themes (features to prefer)."""

    def chance(self, probability):
        return self.rng.random() < probability

    def likes(self, feature, probability):
        """More likely where the program's themes name the feature."""
        return self.chance(min(0.9, probability * (5 if feature in self.themes else 1)))

    def pick(self, kind, test=lambda var: True):
        found = [var for var in self.vars if var.kind == kind and test(var)]
        return self.rng.choice(found[-5:] if self.chance(0.6) else found) if found else None

    def literal(self):
        return self.rng.choice(["0.5", "0.25", "1.5", "0.75", "1.25", "0.3", "0.7", "1.1", "0.125", "2.0", "0.9", "-0.4", "-1.2"])

    # --- reals (type T) ---
    def real(self, depth=2, limit=4.0):
        """A T of at most about `limit`."""
        return self.tame(self.some_real(depth), limit)

    def tame(self, e, limit):
        if e.bound <= limit:
            return e
        if limit >= 1 and self.chance(0.7):
            name = self.rng.choice(["sin", "tanh", "cos", "erf"] + (["atan"] if limit >= 1.6 else []))
            self.features |= {"cmath", f"std::{name}"}
            return Expr(f"std::{name}({{}})", "T", [e], 1.0)
        factor = next((f for f in (0.5, 0.25, 0.0625, 0.015625) if e.bound * f <= limit), None)
        if factor is None:
            scale = "0.5" if limit >= 0.5 else f"{limit:g}"
            return Expr(f"({scale} * std::sin({{}}))", "T", [e], float(scale))
        return Expr(f"({factor} * {{}})", "T", [e], e.bound * factor)

    def some_real(self, depth):
        if depth <= 0 or self.chance(0.12):
            return self.real_leaf()
        makers = [(26, self.arithmetic), (26, self.unary), (14, self.several), (7, self.mixed), (4, self.conditional), (3, self.negated)]
        makers += [(9 if "helper value" in self.themes else 3, self.value_call)] if self.value_functions() else []
        makers += [(8 if "min max clamp" in self.themes else 2, self.standard), (8 if "special functions" in self.themes else 0, self.special)]
        makers += [(12, lambda depth: self.form_of(self.wanted, depth))] if self.wanted else []
        makers += self.more_reals()
        total = sum(weight for weight, _ in makers)
        at = self.rng.random() * total
        for weight, make in makers:
            at -= weight
            if at < 0:
                return make(depth - 1)
        return self.real_leaf()

    def more_reals(self):
        return []

    def real_leaf(self):
        for _ in range(4):
            kind = self.rng.choice(["real"] * 12 + ["array"] * 6 + ["grid", "grid", "literal", "integer"] + ["single"] * 2)
            if kind == "literal":
                return Expr(f"T({self.literal()})", "T", bound=2)
            if kind == "integer":
                return self.converted_integer()
            var = self.pick(kind, lambda var: kind not in ("array", "grid") or var.elements != "int")
            if var is not None:
                return self.read(var)
        var = self.pick("real")
        return self.read(var) if var else Expr("T(0.5)", "T", bound=0.5)

    def read(self, var):
        """The value of a variable, or of some element of it, as a T."""
        text = self.place(var)
        if var.kind == "single" or var.elements != "T":
            self.features.add("float" if var.kind == "single" or var.elements == "single<T>" else "constant table")
            return Expr(self.rng.choice(["T({})", "static_cast<T>({})"]), "T", [text], var.bound)
        return text

    def place(self, var):
        """The lvalue: a variable, or some element of it. Of type T or single<T>."""
        type = "T" if var.kind == "real" else var.type if var.kind == "single" else var.elements
        if var.kind == "array":
            if var.type == "pointer" and self.chance(0.3):
                self.features.add("pointer arithmetic")
                return Expr(f"*({var.name} + {{}})", type, [self.index(var.length)], var.bound)
            return Expr(f"{var.name}[{{}}]", type, [self.index(var.length)], var.bound)
        if var.kind == "grid":
            self.features.add("two-dimensional array")
            return Expr(f"{var.name}[{{}}][{{}}]", type, [self.index(var.length), self.index(var.columns)], var.bound)
        return Expr(var.name, type, bound=var.bound)

    def arithmetic(self, depth):
        a, b = self.some_real(depth), self.some_real(depth)
        op = self.rng.choice("++-**/")
        if op == "/":
            form = self.rng.choice(["({0} / (1.5 + {1} * {1}))", "({0} / (2 + std::cos({1})))", "({0} / (1 + std::exp(-{1})))"])
            b = self.tame(b, 2)
            return Expr(form, "T", [a, b], a.bound)
        bound = a.bound * b.bound if op == "*" else a.bound + b.bound
        if bound > 64:
            a, b = self.tame(a, 4), self.tame(b, 4)
            bound = a.bound * b.bound if op == "*" else a.bound + b.bound
        return Expr(f"({{}} {op} {{}})", "T", [a, b], bound)

    def negated(self, depth):
        a = self.some_real(depth)
        return Expr(self.rng.choice(["(-{})", "(-{})", "(+{})"]), "T", [a], a.bound)

    def unary(self, depth, row=None):
        name, domain, bound = row or self.rng.choice(UNARY)
        self.features |= {"cmath", f"std::{name}"}
        a = self.some_real(depth)
        if domain == "small":
            a = self.tame(a, 1.2)
        elif domain == "unit":
            a = Expr("(0.9 * std::sin({}))", "T", [a], 0.9)
        elif domain == "positive":
            a = Expr("(0.5 + {0} * {0})", "T", [self.tame(self.real_leaf(), 2)]) if self.chance(0.5) else Expr("(1.5 + std::sin({}))", "T", [a])
        elif domain == "above one":
            a = Expr("(1.25 + {0} * {0})", "T", [self.tame(self.real_leaf(), 2)])
        elif domain in ("kink", "step"):
            a = self.tame(a, 2)
            bound = a.bound + (domain == "step")
        return Expr(f"std::{name}({{}})", "T", [a], bound)

    def form_of(self, name, depth):
        """An expression with the function of this name (for mutate.py)."""
        for table, make in ((UNARY, self.unary), (SEVERAL, self.several), (SPECIAL, self.special)):
            found = [row for row in table if f"std::{row[0]}" == name or f"{name}(" in row[0]]
            if found:
                return make(depth, self.rng.choice(found))
        raise ValueError(f"no expression has {name}")

    def several(self, depth, form=None):
        form, count, bound = form or self.rng.choice(SEVERAL)
        self.features |= {"cmath", form.split("(")[0]}
        return Expr(form, "T", self.different([self.tame(self.some_real(depth), 2) for _ in range(count)]), bound)

    def special(self, depth, form=None):
        form, count, bound = form or self.rng.choice(SPECIAL)
        self.features |= {"cmath", "special functions", form.split("(")[0]}
        high = self.rng.choice([1, 2, 3])
        if self.chance(0.5):
            k, m = Expr(f"{high}{self.rng.choice(['', 'u'])}", SIGNED, range=(high, high)), Expr(str(self.rng.randint(0, 1)), SIGNED, range=(0, 1))
        else:
            k, m = self.within(self.integer(0), high + 1), Expr("0", SIGNED, range=(0, 0))
        kids = self.different([self.tame(self.some_real(depth), 2) for _ in range(count)])
        text = form.replace("{k}", f"{{{count}}}").replace("{m}", f"{{{count + 1}}}").replace("{r}", self.rng.choice(["0", "1", "2", "0.5", "1.75", "1.25f"]))
        return self.tame(Expr(text, "T", [*kids, k, m], bound), 8)

    def standard(self, depth):
        form, count = self.rng.choice(STANDARD)
        self.features.add("min max clamp")
        kids = self.different([self.some_real(depth) for _ in range(count)])
        return Expr(form, "T", kids, max([1.0] + [kid.bound for kid in kids]))

    def different(self, kids):
        """No two alike: their order would be a tie."""
        return [kid if all(str(kid) != str(other) for other in kids[:i]) else Expr(f"T({self.literal()})", "T", bound=2) for i, kid in enumerate(kids)]

    def conditional(self, depth):
        self.features.add("ternary")
        a, b = self.some_real(depth), self.some_real(depth)
        return Expr("({} ? {} : {})", "T", [self.condition(1), a, b], max(a.bound, b.bound))

    def mixed(self, depth):
        """A T with an integer, a bool, a float constant or a float variable: C++'s usual conversions."""
        a = self.some_real(depth)
        kind = self.rng.choice(["integer", "integer", "bool", "float constant", "single", "cast to integer"])
        if kind == "single" and (self.singles or self.pick("single")):
            b = self.single(1)
            self.features.add("float")
            return Expr(self.rng.choice(["({} * {})", "({} + {})", "({1} - {0})"]), "T", [a, b], a.bound * b.bound + a.bound + b.bound)
        if kind == "bool":
            self.features.add("bool to real")
            return Expr("({} * {})", "T", [a, self.condition(0)], a.bound)
        if kind == "float constant":
            self.features.add("float constant")
            return Expr(self.rng.choice(["({} * 0.25f)", "({} + 1.5f)", "(0.1f * {})"]), "T", [a], a.bound + 1.5)
        if kind == "cast to integer":
            self.features.add("real to integer")
            return Expr(self.rng.choice(["({} - static_cast<int>({}))", "({} * int(std::floor({})))"]), "T", [a, self.tame(self.some_real(0), 3)], 3 * a.bound + 3)
        self.features.add("integer to real")
        b = self.integer(1)
        low, high = b.range
        if low > 0 and self.chance(0.3):
            return Expr("({} / {})", "T", [a, b], a.bound)
        b = self.within(b, 7)
        return Expr(self.rng.choice(["({} * {})", "({1} * {0})", "({} + {})"]), "T", [a, b], 6 * a.bound + 6)

    def converted_integer(self):
        self.features.add("integer to real")
        e = self.within(self.integer(1), 5)
        return Expr(self.rng.choice(["T({})", "static_cast<T>({})", "(0.25 * T({}))", "T(0.5f * {})"]), "T", [e], 4)

    def value_functions(self):
        return [f for f in self.helpers if f.by_value]

    def value_call(self, depth):
        f = self.rng.choice(self.value_functions())
        self.features.add("helper value")
        return f.call(self, depth)

    # --- floats that carry a derivative (type single<T>) ---
    def single(self, depth):
        var = self.pick("single")
        if depth <= 0 or var is None or self.chance(0.3):
            if var is not None and self.chance(0.7):
                return Expr(var.name, "single<T>", bound=var.bound)
            return Expr(self.rng.choice(["single<T>({})", "static_cast<single<T>>({})"]), "single<T>", [self.tame(self.some_real(1), 2)], 2)
        a, b = self.single(depth - 1), self.single(depth - 1)
        form, bound = self.rng.choice([("({} * {})", a.bound * b.bound), ("({} + {})", a.bound + b.bound), ("std::sin({})", 1), ("({} * 0.5f)", a.bound),
                                       ("std::exp(-({0} * {0}))", 1), ("({} * 3)", 3 * a.bound)])
        return Expr(form, "single<T>", [a, b], bound)

    # --- integers ---
    def integer(self, depth=1):
        if depth <= 0 or self.chance(0.3):
            var = self.pick("integer")
            if var is not None and self.chance(0.9):
                return Expr(var.name, UNSIGNED if var.type == "unsigned" else SIGNED if var.type in ("int", "short", "signed char", "unsigned char") else var.type, range=var.range)
            k = self.rng.choice([1, 2, 3, 5, 7])
            if self.chance(0.15):
                return Expr(f"{k}u", UNSIGNED, range=(k, k))
            return Expr(str(k), SIGNED, range=(k, k))
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.rng.choice([self.sum_of, self.sum_of, self.product_of, self.quotient_of, self.bits_of, self.cast_of, self.choice_of])(a, b)

    def int_op(self, form, a, b, low, high):
        """Refuses (returns a) what C++ leaves undefined or what mixes widths and signs."""
        narrow = {a.type, b.type} <= {SIGNED, UNSIGNED}
        unsigned = UNSIGNED in (a.type, b.type)
        if not narrow and (a.range[0] < 0 or b.range[0] < 0):
            return a
        if not narrow or not unsigned:
            if low < -INT_MAX // 4 or high > INT_MAX // 4 or (low < 0 and not narrow and (a.type, b.type) != ("long long", "long long")):
                return a
            return Expr(form, SIGNED if narrow else "long long" if "std::size_t" not in (a.type, b.type) else "std::size_t", [a, b], range=(low, high))
        if a.range[0] < 0 or b.range[0] < 0:
            return a
        if low < 0 or high >= 2**32:
            self.features.add("unsigned wrap")
            low, high = 0, 2**32 - 1
        return Expr(form, UNSIGNED, [a, b], range=(low, high))

    def sum_of(self, a, b):
        self.features.add("integer arithmetic")
        if self.chance(0.6):
            return self.int_op("({} + {})", a, b, a.range[0] + b.range[0], a.range[1] + b.range[1])
        return self.int_op("({} - {})", a, b, a.range[0] - b.range[1], a.range[1] - b.range[0])

    def product_of(self, a, b):
        ends = [x * y for x in a.range for y in b.range]
        return self.int_op("({} * {})", a, b, min(ends), max(ends))

    def quotient_of(self, a, b):
        self.features.add("integer division")
        if a.range[0] < 0 and a.type != SIGNED:
            return a
        k = self.rng.choice([2, 3, 5])
        by = Expr(str(k), SIGNED, range=(k, k))
        if self.chance(0.5):
            return self.int_op("({} / {})", a, by, int(a.range[0] / k), int(a.range[1] / k))
        return self.int_op("({} % {})", a, by, -(k - 1) if a.range[0] < 0 else 0, k - 1)

    def bits_of(self, a, b):
        self.features.add("bits and shifts")
        k = self.rng.choice([1, 3, 6])
        mask = Expr(str(k), SIGNED, range=(k, k))
        form = self.rng.choice(["&", "|", "^", "<<", ">>"])
        if a.range[0] < 0 or a.range[1] > 1000:
            return self.int_op("({} & {})", a, mask, 0, k) if a.type == SIGNED or a.range[0] >= 0 else a
        top = (1 << max(a.range[1], k).bit_length()) - 1
        low, high = {"&": (0, k), "|": (0, top), "^": (0, top), "<<": (0, a.range[1] << k), ">>": (0, a.range[1] >> k)}[form]
        return self.int_op(f"({{}} {form} {{}})", a, mask, low, high)

    def cast_of(self, a, b):
        if self.chance(0.3):
            self.features.add("real to integer")
            e = self.tame(self.some_real(1), 3)
            return Expr(self.rng.choice(["static_cast<int>(3 * std::sin({}))", "int(3 * std::tanh({}))", "(int)(3 * std::cos({}))"]), SIGNED, [e], range=(-3, 3))
        self.features.add("integer conversion")
        type, low, high = self.rng.choice([("short", -2**15, 2**15 - 1), ("unsigned char", 0, 255), ("signed char", -128, 127), ("long long", -2**62, 2**62),
                                           ("unsigned", 0, 2**32 - 1)])
        kept = low <= a.range[0] and a.range[1] <= high
        promoted = type if type in ("long long", "unsigned") else SIGNED
        return Expr(f"static_cast<{type}>({{}})", promoted, [a], range=a.range if kept else (low, high))

    def choice_of(self, a, b):
        if a.type != b.type:
            return a
        self.features.add("ternary")
        return Expr("({} ? {} : {})", a.type, [self.condition(0), a, b], range=(min(a.range[0], b.range[0]), max(a.range[1], b.range[1])))

    def within(self, e, count):
        """An integer of [0, count)."""
        low, high = e.range
        if 0 <= low and high < count:
            return e
        if low >= 0:
            return Expr(f"({{}} % {count})", e.type, [e], range=(0, count - 1))
        return Expr(f"(({{}} % {count} + {count}) % {count})", e.type, [e], range=(0, count - 1))

    def index(self, count):
        var = self.pick("integer", lambda var: var.range[0] >= 0 and var.range[1] < count)
        if var is not None and self.chance(0.5):
            return Expr(var.name, SIGNED, range=var.range)
        if self.chance(0.35):
            k = self.rng.randrange(count)
            return Expr(str(k), SIGNED, range=(k, k))
        return self.within(self.integer(1), count)

    # --- conditions ---
    def condition(self, depth=1):
        if depth > 0 and self.likes("short circuit", 0.15):
            self.features.add("short circuit")
            return Expr(self.rng.choice(["({} && {})", "({} || {})", "(!{} || {})"]), "bool", [self.condition(depth - 1), self.condition(depth - 1)])
        choice = self.rng.random()
        if choice < 0.6:
            a, b = self.some_real(1), self.real_leaf() if self.chance(0.5) else Expr(self.literal(), "double", bound=2)
            a, b = self.different([a, b])
            return Expr(f"({{}} {self.rng.choice(['<', '>', '<=', '>='])} {{}})", "bool", [a, b])
        var = self.pick("bool")
        if choice < 0.7 and var:
            return Expr(var.name, "bool")
        a = self.integer(1)
        k = self.rng.choice([0, 1, 2, 3])
        if a.type == UNSIGNED or a.range[0] >= 0:
            return Expr(f"({{}} {self.rng.choice(['% 2 == 0', '% 3 != 1', f'< {k + 1}u' if a.type == UNSIGNED else f'<= {k}'])})", "bool", [a])
        return Expr(f"({{}} {self.rng.choice(['<', '>', '==', '!=', '<=', '>='])} {k})", "bool", [a])

    def seldom(self):
        """A condition that mostly does not hold: for jumps, so that what follows them is alive."""
        if self.chance(0.2):
            return self.condition()
        loops = self.pick("integer", lambda v: not v.writable and v.range[1] > 1)
        if loops is not None and self.chance(0.4):
            return Expr(f"({loops.name} {self.rng.choice(['> 3', '== 2', '% 4 == 3'])})", "bool")
        test = Expr("({} > {})", "bool", [self.tame(self.some_real(1), 2), Expr(self.rng.choice(["0.8", "0.9", "1.1"]), "double")])
        if self.chance(0.3):
            self.features.add("short circuit")
            return Expr("({} && {})", "bool", [test, self.condition(0)])
        return test
