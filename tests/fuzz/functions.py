# SPDX-License-Identifier: Apache-2.0
"""Whole programs: helpers (by value, by reference, by pointer, recursive), the function f, and the points to try it at."""
import random

from expressions import SIGNED, Var
from program import Block, Expr, Function, Param, Program, Raw, Stmt, head_of_f
from statements import Context, Statements

THEMES = ["for up", "for down", "for step", "nested loop", "for triangular", "for unsigned", "range for", "pointer loop", "while", "do", "break", "continue",
          "return in loop", "early return", "if", "switch", "ternary", "short circuit", "compound assignment", "increment", "float", "array",
          "two-dimensional array", "pointer arithmetic", "pointer by condition", "reference", "reference by condition", "helper value",
          "helper reference", "helper pointer", "recursion", "min max clamp", "swap", "chained assignment", "constant table", "array parameter",
          "special functions", "parts of a number", "fall through", "second derivative"]
REFERENCE_LENGTH = 3  # elements that a helper may touch through a pointer


class Helper:
    """A function that programs call. Parameters: (kind, name), kind one of T, const T&, T&, int, const T*, T*, single<T>."""

    def __init__(self, name, params, result):
        self.name, self.params, self.result = name, params, result
        kinds = {kind for kind, _ in params}
        self.by_value = result == "T" and not kinds & {"T&", "T*", "const T*"}
        self.by_reference = "T&" in kinds
        self.by_pointer = bool(kinds & {"T*", "const T*"})
        self.called = False

    def head(self):
        return f"template <class T>\n{self.result} {self.name}({', '.join(f'{kind} {name}' for kind, name in self.params)})"

    def arguments(self, gen, depth):
        """None where the caller has nothing fit to pass."""
        out = []
        for kind, _ in self.params:
            if kind in ("T", "const T&"):
                e = gen.real(depth, 3)
            elif kind == "T&":
                e = gen.writable_real(lasting=True)
            elif kind == "int":
                e = gen.within(gen.integer(1), 5)
            elif kind == "single<T>":
                e = gen.single(1)
            else:
                var = gen.pick("array", lambda v: v.elements == "T" and v.length >= REFERENCE_LENGTH and (v.writable or kind == "const T*"))
                e = gen.argument_pointer(var) if var else None
            if e is None:
                return None
            out.append(e)
        self.called = True
        return out

    def call(self, gen, depth):
        args = self.arguments(gen, depth) or []
        name = self.name + ("<T>" if gen.chance(0.3) else "")
        return Expr(f"{name}({', '.join(['{}'] * len(args))})", "T", args, 2)

    def call_statement(self, gen):
        args = self.arguments(gen, 1)
        if args is None:
            return None
        call = f"{self.name}({', '.join(['{}'] * len(args))})"
        if self.result == "void":
            return [Stmt(call + ";", args)]
        if gen.chance(0.5):
            name = gen.name("v")
            gen.vars.append(Var(name, "real", "T", 2))
            return [Stmt(f"T {name} = {call};", args, name)]
        place = gen.writable_real()
        if place is None:
            return None
        return [Stmt(f"{{}} {gen.rng.choice(['=', '+='])} {call};", [place, *args])]


def themes_of(seed, themes, count):
    """Each theme comes up equally often in a run of seeds."""
    out = []
    for at in range(seed * count, (seed + 1) * count):
        turn, place = divmod(at, len(themes))
        out.append(random.Random(turn).sample(themes, len(themes))[place])
    return out


class Generator(Statements):
    themes_of_level, mean_budget, theme_count = THEMES, 8, 8
    aside = 1.0  # how readily programs do what is not among their themes

    def __init__(self, seed, wanted=None, themes=(), only=()):
        """`wanted`: a function that the program is to use a lot; `themes`: more than its own; `only`: its own are of these."""
        self.rng = random.Random(seed)
        self.wanted = wanted
        self.seed, self.count, self.features, self.vars, self.helpers, self.functions = seed, 0, set(), [], [], []
        self.singles, self.forced = False, []
        self.themes = {*themes_of(seed, only or self.themes_of_level, min(3, len(only)) or self.theme_count), *themes}
        if only:
            self.mean_budget, self.aside = -20, 0
        self.budget = 0

    def argument_pointer(self, var):
        offset = self.rng.randint(0, var.length - REFERENCE_LENGTH)
        base = var.name if var.type in ("array", "pointer", "parameter") else f"{var.name}.data()"
        return Expr(f"{base} + {offset}" if offset else base, "T*")

    # --- helpers ---
    def open_params(self, params):
        """The variables that a function's parameters are to its body."""
        for kind, name in params:
            if kind in ("T", "const T&", "T&"):
                self.vars.append(Var(name, "real", "T", 3, writable=kind != "const T&"))
            elif kind == "int":
                self.vars.append(Var(name, "integer", "int", range=(0, 4), writable=False))
            elif kind == "single<T>":
                self.singles = True
                self.vars.append(Var(name, "single", "single<T>", 2))
            else:
                self.vars.append(Var(name, "array", "parameter", 4, writable=kind == "T*", length=REFERENCE_LENGTH))

    def helper(self, kinds, result, most):
        params = [(kind, self.name("h")) for kind in kinds]
        helper = Helper(self.name("helper"), params, result)
        with self.scope():
            self.vars = [v for v in self.vars if v.type == "table"]
            self.open_params(params)
            ctx = Context(result, depth=2, trips=4)
            body = self.body(ctx, most)
            if result == "T":
                body.statements.append(Stmt("return {};", [Expr("T({})", "T", [self.real(2, 2)])]))
        self.functions.append(Function(helper.head(), body, helper.name))
        self.helpers.append(helper)

    def body(self, ctx, most):
        """Statements in the function's own scope, so that the return can read them."""
        out, before = Block(), self.budget
        while self.budget > 0 and before - self.budget < most:
            out.statements += self.statement(ctx)
        return out

    def helpers_of_themes(self):
        choose = self.rng.choice
        if "helper value" in self.themes or self.chance(self.aside * 0.25):
            self.helper(choose([["T"], ["T", "T"], ["const T&", "int"], ["T", "int"], ["T", "single<T>"], ["T", "const T&", "T"]]), "T", 3)
        if "helper reference" in self.themes or self.chance(self.aside * 0.2):
            self.helper(choose([["T&", "T"], ["T&", "T&"], ["T", "T&", "int"], ["T&", "const T&"]]), choose(["void", "void", "T"]), 3)
        if "helper pointer" in self.themes or self.chance(self.aside * 0.2):
            self.helper(choose([["T*", "T"], ["const T*"], ["const T*", "T*"], ["T*", "int"], ["const T*", "T&"]]), choose(["void", "T"]), 3)
        if "recursion" in self.themes or self.chance(self.aside * 0.12):
            self.recursive()

    def recursive(self):
        """One function that calls itself, in one of the shapes that people write."""
        self.features.add("recursion")
        name, x, k = self.name("rec"), self.name("h"), self.name("h")
        shape = self.rng.choice(["linear", "halves", "two", "reference", "array", "in place"])
        if shape in ("array", "in place"):
            params = [("const T*" if shape == "array" else "T*", x), ("int", k)]
        else:
            params = [("T&" if shape == "reference" else "T", x), ("int", k)]
        helper = Helper(name, params, "void" if shape in ("reference", "in place") else "T")
        with self.scope():
            self.vars = [v for v in self.vars if v.type == "table"]
            self.open_params(params)
            body = Block(getattr(self, "recursive_" + shape.replace(" ", "_"))(name, x, k, Context(helper.result, depth=1, trips=10, returns=False)))
        self.functions.append(Function(helper.head(), body, name))
        self.helpers.append(helper)

    def recursive_linear(self, name, x, k, ctx):
        first = Stmt(f"if ({k} <= 0) return {{}};", [Expr("T({})", "T", [self.real(1, 2)])])
        middle = self.block_in_scope(ctx)
        return [first, *middle, Stmt("return {};", [Expr(f"(0.5 * {name}<T>({{}}, {k} - 1) + {{}})", "T", [self.real(1, 2), self.real(2, 2)])])]

    def recursive_halves(self, name, x, k, ctx):
        half = self.name("v")
        first = Stmt(f"if ({k} == 0) return {{}};", [Expr("T(1)", "T")])
        rest = Stmt(f"const T {half} = {name}({{}}, {k} / 2);", [Expr(x, "T")], half)
        self.vars.append(Var(half, "real", "T", 2, writable=False))
        return [first, rest, *self.block_in_scope(ctx), Stmt(f"return {k} % 2 == 0 ? {half} * {half} : {half} * {{}};", [Expr("{}", "T", [self.real(1, 1)])])]

    def recursive_two(self, name, x, k, ctx):
        first = Stmt(f"if ({k} < 2) return {{}};", [Expr("T({})", "T", [self.real(1, 2)])])
        last = Stmt("return {};", [Expr(f"(0.5 * {name}<T>({{}}, {k} - 1) - {name}<T>({{}}, {k} - 2) * {{}})", "T", [self.real(1, 2) for _ in range(3)])])
        return [first, *self.block_in_scope(ctx), last]

    def recursive_reference(self, name, x, k, ctx):
        first = Stmt(f"if ({k} <= 0) return;")
        change = [Stmt(f"{x} = {{}};", [self.real(2, 2)]), Stmt(f"{name}({x}, {k} - 1);"), Stmt(f"{x} *= {{}};", [self.real(2, 1)])]
        return [first, *self.block_in_scope(ctx), *change]

    def recursive_array(self, name, x, k, ctx):
        first = Stmt(f"if ({k} <= 0) return T(0);")
        self.vars = [v for v in self.vars if v.name not in (x, k)]  # only as many elements as are left
        element = self.name("v")
        self.vars.append(Var(element, "real", "T", 4, writable=False))
        limit = Stmt(f"if ({k} >= {REFERENCE_LENGTH}) return {name}({x}, {REFERENCE_LENGTH - 1});")
        return [first, limit, Stmt(f"const T {element} = {x}[0];", [], element), *self.block_in_scope(ctx),
                Stmt("return {};", [Expr(f"({{}} + 0.5 * {name}({x} + 1, {k} - 1))", "T", [self.real(2, 2)])])]

    def recursive_in_place(self, name, x, k, ctx):
        first = Stmt(f"if ({k} <= 0) return;")
        limit = Stmt(f"if ({k} >= {REFERENCE_LENGTH}) return {name}({x}, {REFERENCE_LENGTH - 1});")
        self.vars = [Var(f"{x}[0]", "real", "T", 4), Var(f"{x}[{k} - 1]", "real", "T", 4)]
        return [first, limit, *self.block_in_scope(ctx), Stmt(f"{x}[0] = {{}};", [self.real(2, 2)]), Stmt(f"{name}({x} + 1, {k} - 1);"),
                Stmt(f"{x}[{k} - 1] += {{}};", [self.real(1, 1)])]

    def block_in_scope(self, ctx):
        return self.statement(ctx) if self.chance(0.5) else []

    # --- the function itself ---
    def tables(self):
        if not ("constant table" in self.themes or self.chance(0.1 * self.aside)):
            return
        name, length = self.name("table"), self.rng.randint(3, 6)
        values = ", ".join(self.literal() for _ in range(length))
        self.functions.append(Raw(f"constexpr double {name}[{length}] = {{{values}}};", name))
        self.vars.append(Var(name, "array", "table", 2, writable=False, length=length, elements="double"))

    def declare_special(self, ctx):
        name, e = self.name("v"), self.special(1)
        self.vars.append(Var(name, "real", "T", e.bound))
        return [Stmt(f"T {name} = {{}};", [e], name)]

    def params(self):
        out = [Param(self.name("x"), "real", "T") for _ in range(self.rng.randint(1, 3))]
        if ("second derivative" in self.themes or self.chance(0.1 * self.aside)) and "in-out parameter" not in self.themes:
            self.features.add("second derivative")
            return [*out, Param(self.name("n"), "integer", "int")]
        if self.chance(0.15):
            out.append(Param(self.name("x"), "real", "const T&"))
        if self.chance(0.85):
            out.append(Param(self.name("n"), "integer", "int"))
        if self.chance(0.15):
            out.append(Param(self.name("m"), "integer", self.rng.choice(["unsigned", "long long", "short"])))
        if "array parameter" in self.themes or self.chance(0.3 * self.aside):
            out.append(Param(self.name("a"), "array", "const T*", self.rng.randint(3, 6)))
            self.features.add("array parameter")
        if self.chance(0.4 if "float" in self.themes else 0.02):
            out.append(Param(self.name("s"), "single", "single<T>"))
            self.singles = True
        self.rng.shuffle(out)
        return out

    def open_f(self, params):
        for p in params:
            if p.kind in ("real", "reference"):
                self.vars.append(Var(p.name, "real", "T", 1.5, writable=p.type != "const T&"))
            elif p.kind == "single":
                self.vars.append(Var(p.name, "single", "single<T>", 1.5))
            elif p.kind == "container":
                kind = next(kind for kind in ("std::array", "vector", "span") if kind in p.type)
                self.vars.append(Var(p.name, "array", kind, 1.5, writable="const" not in p.type, length=p.length, sized=True))
            elif p.kind == "array":
                self.vars.append(Var(p.name, "array", "parameter", 1.5, writable=p.changed(), length=p.length))
            elif p.kind == "struct":
                struct = p.type.removeprefix("const ").split("<")[0]
                self.vars.append(Var(p.name, "object", struct, writable="const" not in p.type))
                self.vars += [Var(f"{p.name}.{field}", "real", "T", 1.5, writable="const" not in p.type) for field in p.fields]
            else:
                self.vars.append(Var(p.name, "integer", p.type, range=(2, 6), writable=False))

    def values(self, param):
        def number():
            value = round(self.rng.uniform(-1.5, 1.5), 4)
            return value if param.kind != "single" else round(value * 64) / 64
        if param.kind == "integer":
            return [self.rng.randint(2, 6)]
        return [number() for _ in range(max(1, param.length))]

    def sum_over(self, p):
        """So that every element counts."""
        total, i = self.name("v"), self.name("i")
        with self.scope():
            self.vars.append(Var(i, "integer", "int", range=(0, p.length - 1), writable=False))
            term = Expr(f"{p.name}[{i}] * {{}}", "T", [self.real(1, 1.5)])
        self.vars.append(Var(total, "real", "T", 4))
        self.features.add("for up")
        return [Stmt(f"T {total} = 0;", declares=total), Stmt([f"for (int {i} = 0; {i} < {p.length}; ++{i}) {{{{", Block([Stmt(f"{total} += {{}};", [term])]), "}}"], declares=i)]

    def result(self, params, body):
        """Adds up what is alive, so that little of the program is dead."""
        kids = [self.real(2)] + ([self.form_of(self.wanted, 1)] if self.wanted else [])
        text = "\n".join(body.lines(0))
        for p in params:
            if p.kind in ("real", "single", "reference") and p.name not in text:
                kids.append(Expr("{} * {}", "T", [self.read(next(v for v in self.vars if v.name == p.name)), self.real(1, 2)]))
        for var in self.rng.sample(self.vars, len(self.vars)):
            if len(kids) < 14 and var.kind in ("real", "array", "grid", "single") and var.elements != "int":
                kids.append(Expr("{} * {}", "T", [Expr(self.rng.choice(["0.5", "1.25", "-0.75", "2"]), "double"), self.read(var)]))
        return Stmt("return {};", [Expr(" + ".join(["{}"] * len(kids)), "T", kids)])

    def program(self):
        self.budget = max(1, int(self.rng.gauss(self.mean_budget, 4)))
        self.more_functions()
        self.tables()
        self.helpers_of_themes()
        params = self.params()
        with self.scope():
            self.open_f(params)
            ctx = Context("T")
            body = Block([s for p in params if p.kind == "array" and self.chance(0.6) for s in self.sum_over(p)])
            while self.budget > 0:
                body.statements += self.statement(ctx)
            for theme in sorted(self.themes - self.features):
                body.statements += self.missing(theme, ctx)
            for helper in self.helpers:
                body.statements += self.first_call(helper, ctx)
            arrays = [v for v in self.vars if v.kind == "array" and v.elements == "T" and v.writable and v.type != "pointer"]
            body.statements += [s for v in arrays[:3] if self.chance(self.aside) for s in self.sum_over(v)]
            body.statements.append(self.result(params, body))
        self.functions.append(Function(head_of_f(params), body, "f"))
        points = [[self.values(p) for p in params] for _ in range(4)]
        return Program(self.seed, params, self.functions, points, self.features)

    def missing(self, theme, ctx):
        """Statements for a theme that has not come up by itself."""
        jumps = {"break": [self.declare_real, self.break_if], "continue": [self.continue_if], "return in loop": [self.declare_real, self.return_if],
                 "nested loop": [self.for_loop], "early return": [self.return_if]}
        self.forced = jumps.get(theme, [])  # what the next loop begins with
        make = {"reference by condition": self.choose_reference, "chained assignment": self.chain, "swap": self.swap, "pointer loop": self.pointer_loop,
                "while": self.while_loop, "do": self.do_loop, "switch": self.switch_statement, "increment": self.increment,
                "parts of a number": self.bits_to_real, "fall through": self.switch_statement, "special functions": self.declare_special,
                "float": self.declare_single, "pointer by condition": self.choose_pointer,
                "range for": self.range_for, "two-dimensional array": self.declare_grid, "array": self.declare_array,
                "if": self.if_block, "compound assignment": self.compound,
                "pointer arithmetic": self.declare_pointer, "reference": self.declare_reference}.get(theme)
        make = self.if_block if theme == "early return" else self.for_loop if theme in jumps or theme.startswith("for ") else make
        before = []
        for _ in range(4):
            made = make and make(ctx)
            if made and (theme in self.features or theme not in ("pointer by condition", "range for")):  # these may only prepare
                self.features.add(theme)
                return before + made
            before += made or []
            before += self.declare_array(ctx) + self.declare_real(ctx) if make and not made and not before else []
        return before

    def if_block(self, ctx):
        forced, self.forced = self.forced, []
        return [Stmt(["if ({}) {{", self.block(self.inner(ctx), 2, forced), "}}"], [self.condition(1)])]

    def first_call(self, helper, ctx):
        """A call of a helper that nothing has called yet."""
        feature = "helper pointer" if helper.by_pointer else "helper reference" if helper.by_reference else "helper value"
        if helper.called:
            return []
        self.features.add(feature)
        before = [] if not helper.by_pointer else [s for _ in range(2) for s in self.declare_array(ctx)]
        return before + (helper.call_statement(self) or [])

    def more_functions(self):
        pass
