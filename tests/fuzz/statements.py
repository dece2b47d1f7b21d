# SPDX-License-Identifier: Apache-2.0
"""Random statements. Whatever is dropped from a program later, what stays is well defined: every name is initialised
where it is declared, every loop ends by the text of its head, every index is in range by itself."""
import contextlib
from dataclasses import dataclass, replace

from expressions import Expressions, SIGNED, Var
from program import Block, Expr, Stmt

MAX_TRIPS = 250  # of all loops around a statement


@dataclass
class Context:
    result: str             # T, or void
    depth: int = 3          # how much deeper statements may nest
    loop: bool = False      # break and continue mean something
    switch: bool = False    # break would leave a switch
    trips: int = 1
    returns: bool = True


class Statements(Expressions):
    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    @contextlib.contextmanager
    def scope(self):
        outer, self.vars = self.vars, list(self.vars)
        yield
        self.vars = outer

    def block(self, ctx, most, first=()):
        """A block of its own scope; `first` are makers of statements that it begins with."""
        with self.scope():
            out = Block()
            outer = len(self.vars)
            for make in first:
                out.statements += make(ctx) or []
            count = self.rng.randint(1, max(1, most))
            while count > 0 and (self.budget > 0 or not out.statements):
                count -= 1
                out.statements += self.statement(ctx)
            out.statements += self.outlive(ctx, self.vars[:outer], self.vars[outer:])
            return out

    def outlive(self, ctx, outer, own):
        """Mostly, something that a block computed gets out of it."""
        own = [v for v in own if v.kind in ("real", "array", "grid", "single") and v.elements != "int"]
        outer = [v for v in outer if v.writable and v.kind in ("real", "array", "grid") and v.elements == "T"]
        if not own or not outer or self.chance(0.1):
            return []
        kept = self.rng.sample(own, min(len(own), 3))
        sum_of = Expr(" + ".join(["{}"] * len(kept)), "T", [self.read(var) for var in kept])
        op = self.rng.choice(["+=", "-=", "+="])
        return [Stmt(f"{{}} {op} {{}};", [self.written(self.rng.choice(outer[-6:])), Expr("0.25 * ({})", "T", [sum_of])])]

    def inner(self, ctx, **changes):
        return replace(ctx, depth=ctx.depth - 1, **changes)

    def statement(self, ctx):
        makers = [(12, self.declare_real, ""), (14, self.assign, ""), (12, self.compound, "compound assignment"), (5, self.store, ""),
                  (3, self.increment, "increment"), (4, self.declare_integer, ""), (2, self.declare_bool, ""), (3, self.assign_integer, ""),
                  (3, self.declare_array, "array"), (2, self.declare_grid, "two-dimensional array"), (2, self.declare_pointer, "pointer arithmetic"),
                  (2, self.choose_pointer, ""), (2, self.declare_reference, "reference"), (2, self.choose_reference, "reference by condition"),
                  (2, self.swap, "swap"), (2, self.chain, "chained assignment"), (1 if self.singles or "float" in self.themes else 0, self.declare_single, "float"),
                  (6 if any(f.by_reference for f in self.helpers) else 0, self.call_by_reference, "helper reference"),
                  (6 if any(f.by_pointer for f in self.helpers) else 0, self.call_with_array, "helper pointer"), (1, self.bits_to_real, "parts of a number")]
        if ctx.depth > 0:
            makers += [(self.for_weight(ctx), self.for_loop, "for"), (3, self.pointer_loop, "pointer loop"), (3, self.range_for, ""), (3, self.while_loop, "while"),
                       (3, self.do_loop, "do"), (7, self.if_statement, "if"), (3, self.switch_statement, "switch"), (2, self.scoped, "block")]
        if ctx.loop:
            makers += [(3, self.continue_if, "continue")]
            makers += [] if ctx.switch else [(3, self.break_if, "break")]
        if ctx.returns and ctx.depth < 3:
            makers += [(3, self.return_if, "return in loop" if ctx.loop else "early return")]
        makers += self.more_statements(ctx)
        named = {"range_for": "range for", "choose_pointer": "pointer by condition"}  # these say themselves what they made
        for _ in range(8):
            weights = [weight * (6 if (feature or named.get(make.__name__)) in self.themes else 1) for weight, make, feature in makers]
            _, make, feature = self.rng.choices(makers, weights)[0]
            made = make(ctx)
            if made:
                self.budget -= len(made)
                self.features |= {feature} if feature else set()
                return made
        return self.declare_real(ctx)

    def more_statements(self, ctx):
        return []

    # --- declarations ---
    def declare_real(self, ctx):
        name, e = self.name("v"), self.real(2)
        const = self.chance(0.25)
        self.vars.append(Var(name, "real", "T", max(e.bound, 2), writable=not const))
        form = self.rng.choice([f"T {name} = {{}};", f"T {name} = {{}};", f"T {name}({{}});", f"T {name}{{{{{{}}}}}};", f"auto {name} = {{}};"])
        if str(e).startswith("T("):  # T v(T(x)); declares a function
            form = f"T {name} = {{}};"
        return [Stmt(("const " if const else "") + form, [e], name)]

    def declare_single(self, ctx):
        self.singles = True
        name, e = self.name("s"), self.real(2, 2) if self.chance(0.6) else self.single(2)
        self.vars.append(Var(name, "single", "single<T>", 2))
        return [Stmt(f"single<T> {name} = {{}};", [e], name)]

    def declare_integer(self, ctx):
        name, e = self.name("k"), self.integer(2)
        type = self.rng.choice(["int", "int", "int", "unsigned", "long long", "short", "unsigned char"])
        e = self.within(e, 11)
        self.vars.append(Var(name, "integer", type, range=(0, 10)))
        form = f"{type} {name} = static_cast<{type}>({{}});" if type in ("short", "unsigned char") else f"{type} {name} = {{}};"
        return [Stmt(form, [e], name)]

    def declare_bool(self, ctx):
        name = self.name("b")
        e = self.condition(2)
        self.vars.append(Var(name, "bool", "bool"))
        return [Stmt(f"const bool {name} = {{}};", [e], name)]

    def declare_array(self, ctx):
        name, length = self.name("a"), self.rng.randint(2, 6)
        elements = "single<T>" if self.singles and self.chance(0.3) else "T"
        self.singles |= elements != "T"
        given = self.rng.randint(1, length)
        exprs = [self.real(1) for _ in range(given)] if elements == "T" else [Expr("single<T>({})", elements, [self.real(1, 2)], 2) for _ in range(given)]
        self.vars.append(Var(name, "array", "array", 4, length=length, elements=elements, sized=True))
        return [Stmt(f"{elements} {name}[{length}] = {{{{{', '.join(['{}'] * given)}}}}};", exprs, name)]

    def declare_grid(self, ctx):
        name, rows, columns = self.name("g"), self.rng.randint(2, 3), self.rng.randint(2, 4)
        exprs = [self.real(1) for _ in range(rows * 2)]
        text = ", ".join(["{{{}, {}}}"] * rows)
        self.vars.append(Var(name, "grid", "grid", 4, length=rows, columns=columns))
        return [Stmt(f"T {name}[{rows}][{columns}] = {{{{" + text + "}};", exprs, name)]

    def pointer_into(self, var):
        """(text, how many elements follow) of a pointer into an array."""
        offset = self.rng.randrange(0, max(1, var.length - 1))
        if var.type in ("array", "pointer", "parameter"):
            text = self.rng.choice([f"{var.name} + {offset}", f"&{var.name}[{offset}]"]) if offset else var.name
        else:
            text = self.rng.choice([f"{var.name}.data() + {offset}", f"&{var.name}[{offset}]"])
        return text, var.length - offset

    def declare_pointer(self, ctx):
        var = self.pick("array", lambda v: v.elements == "T" and v.length > 1 and v.type != "vector")
        if not var:
            return None
        self.features.add("pointer arithmetic")
        text, length = self.pointer_into(var)
        name, writable = self.name("p"), var.writable and self.chance(0.7)
        out = [Stmt(f"{'' if writable else 'const '}T* {name} = {text};", declares=name)]
        if length > 2 and self.chance(0.4):  # moved by a run-time amount
            step = self.index(2)
            out[0].parts[0] = out[0].parts[0].replace(";", " + {};")
            out[0].exprs.append(step)
            length -= 1
        self.vars.append(Var(name, "array", "pointer", var.bound, writable=writable, length=length))
        return out

    def choose_pointer(self, ctx):
        found = [v for v in self.vars if v.kind == "array" and v.elements == "T" and v.length > 1 and v.type != "vector"]
        before = []
        while len(found) < 2 and len(before) < 3:
            before += self.declare_array(ctx)
            found += [self.vars[-1]] if self.vars[-1].elements == "T" else []
        if len(found) < 2:
            return before
        self.features.add("pointer by condition")
        first, second = self.rng.sample(found, 2)
        (a, m), (b, n) = self.pointer_into(first), self.pointer_into(second)
        name, writable = self.name("p"), first.writable and second.writable and self.chance(0.7)
        const, condition = "" if writable else "const ", self.condition()
        self.vars.append(Var(name, "array", "pointer", max(first.bound, second.bound), writable=writable, length=min(m, n)))
        cast = "" if writable else "static_cast<const T*>"
        if self.chance(0.6):
            return before + [Stmt(f"{const}T* {name} = {{}} ? {cast}({a}) : {cast}({b});", [condition], name)]
        return before + [Stmt(f"{const}T* {name} = {a};", declares=name), Stmt(f"if ({{}}) {name} = {b};", [condition])]

    def writable_real(self, lasting=False):
        """A place of type T that may be written, or None. `lasting`: no element of a vector, which may grow and move."""
        kind = self.rng.choice(["real", "real", "real", "array", "grid"])
        var = self.pick(kind, lambda v: v.writable and (kind == "real" or v.elements == "T") and not (lasting and v.type == "vector"))
        return self.written(var) if var else None

    def written(self, var):
        place = self.place(var)
        place.lvalue = True
        return place

    def declare_reference(self, ctx):
        place = self.writable_real(lasting=True)
        if place is None:
            return None
        name = self.name("r")
        self.vars.append(Var(name, "real", "T", place.bound))
        return [Stmt(f"{self.rng.choice(['T&', 'auto&'])} {name} = {{}};", [place], name)]

    def choose_reference(self, ctx):
        a, b = self.writable_real(lasting=True), self.writable_real(lasting=True)
        if a is None or b is None:
            return None
        name, condition = self.name("r"), self.condition()
        self.vars.append(Var(name, "real", "T", max(a.bound, b.bound)))
        return [Stmt(f"T& {name} = {{}} ? {{}} : {{}};", [condition, a, b], name)]

    # --- changes ---
    def assign(self, ctx):
        place = self.writable_real()
        if place is None:
            return None
        e = self.real(3, place.bound)
        if self.chance(0.6):  # a function of itself: what was there before stays alive
            e = Expr("({} + 0.5 * {})", "T", [e, Expr(str(place), "T")])
        return [Stmt("{} = {};", [place, e])]

    def store(self, ctx):
        var = self.pick("array", lambda v: v.writable and v.elements in ("T", "single<T>"))
        if not var:
            return None
        op = self.rng.choice(["=", "=", "+="])
        return [Stmt(f"{{}} {op} {{}};", [self.written(var), self.real(2, 1.0 if op == "+=" else var.bound)])]

    def compound(self, ctx):
        single = self.pick("single", lambda v: v.writable) if self.chance(0.3) else None
        place = self.written(single) if single else self.writable_real()
        if place is None:
            return None
        self.features.add("compound assignment")
        op = self.rng.choice(["+=", "+=", "+=", "-=", "-=", "*=", "*=", "/="])
        if op == "*=":
            e = self.real(2, 1.0)
        elif op == "/=":
            e = self.rng.choice([Expr("(1.25 + {0} * {0})", "T", [self.real(1, 2)]), Expr("{}", SIGNED, [self.rng.choice(["2", "3", "4u"])])])
        else:
            e = self.real(2, 1.0 if ctx.trips < 20 else 0.25)
            if self.chance(0.15):
                e = self.within(self.integer(1), 3)
        return [Stmt(f"{{}} {op} {{}};", [place, e])]

    def increment(self, ctx):
        form = self.rng.choice(["++{};", "{}++;", "--{};", "{}--;"])
        self.features.add("increment")
        if ctx.trips < 10 and self.chance(0.4):
            place = self.writable_real()
            if place is not None:
                return [Stmt(form, [place])]
        array = self.pick("array", lambda v: v.writable and v.elements == "T" and v.length > 2)
        if array is None:
            return None
        name = self.name("k")  # an index that moves inside an expression
        self.vars.append(Var(name, "integer", "int", range=(0, 3), writable=False))
        steps = [(f"{array.name}[{name}++] = {{}};", f"{array.name}[{name}--] += {{}};"), (f"{array.name}[++{name}] = {{}};", f"{array.name}[--{name}] *= {{}};")]
        first, second = self.rng.choice(steps)
        return [Stmt([f"int {name} = 0;", first, second], [self.real(2, array.bound), self.real(1, 1.0)], name)]

    def assign_integer(self, ctx):
        var = self.pick("integer", lambda v: v.writable)
        if not var:
            return None
        count = var.range[1] + 1
        if self.chance(0.5):
            self.features.add("compound assignment")
            op = self.rng.choice(["+", "*", "|"])
            k = self.rng.choice([1, 2, 3])
            return [Stmt([f"{var.name} {op}= {{}};", f"{var.name} %= {count};"], [Expr(str(k), SIGNED, range=(k, k))])]
        e = self.within(self.integer(2), count)
        return [Stmt(f"{var.name} = static_cast<{var.type}>({{}});", [e])]

    def swap(self, ctx):
        a, b = self.writable_real(), self.writable_real()
        if a is None or b is None:
            return None
        return [Stmt("std::swap({}, {});", [a, b])]

    def chain(self, ctx):
        a, b = self.writable_real(), self.writable_real()
        if a is None or b is None or str(a) == str(b):
            return None
        e = self.real(2, min(a.bound, b.bound, 1))
        return [Stmt(self.rng.choice(["{} = {} = {};", "{} = ({} += {});", "{} = -({} = {});"]), [a, b, e])]

    def bits_to_real(self, ctx):
        """The two parts of a number that modf, frexp and remquo give."""
        whole, rest = self.name("v"), self.name("v")
        kind, e = self.rng.choice(["modf", "frexp", "remquo"]), self.real(1, 3)
        self.features |= {"parts of a number", f"std::{kind}"}
        self.vars.append(Var(rest, "real", "T", 1))
        if kind == "modf":
            self.vars.append(Var(whole, "real", "T", 3))
            return [Stmt([f"T {whole} = 0;", f"T {rest} = std::modf({{}}, &{whole});"], [e], [whole, rest])]
        form = "std::frexp(0.75 + {0} * {0}, &" if kind == "frexp" else "std::remquo({0}, 0.75, &"
        self.vars.append(Var(whole, "integer", "int", range=(-7, 7), writable=False))
        return [Stmt([f"int {whole} = 0;", f"T {rest} = {{}};"], [Expr(form + whole + ")", "T", [e])], [whole, rest])]

    # --- control ---
    def for_weight(self, ctx):
        wished = sum(theme.startswith("for ") for theme in self.themes) + ("nested loop" in self.themes) * (3 if ctx.loop else 1)
        return 8 + 12 * wished

    def for_loop(self, ctx):
        forms = {"for up": self.up, "for down": self.down, "for step": self.step, "for triangular": self.triangular, "for unsigned": self.unsigned_for}
        weights = [10 if form in self.themes else 2 for form in forms]
        form = self.rng.choices(list(forms), weights)[0]
        name = self.name("i")
        made = forms[form](name)
        if not made or ctx.trips * made[1] > MAX_TRIPS:
            return None
        head, high = made
        self.features.add(form)
        if ctx.loop:
            self.features.add("nested loop")
        with self.scope():
            self.vars.append(Var(name, "integer", "unsigned" if form == "for unsigned" else "int", range=(0, high), writable=False))
            forced, self.forced = self.forced, []
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * high), 4, forced)
        return [Stmt([f"for ({head}) {{{{", body, "}}"], declares=name)]

    def bound_of_loop(self):
        """(text of a small positive integer, its largest value)"""
        var = self.pick("integer", lambda v: 0 <= v.range[0] and v.range[1] <= 6 and v.type == "int" and not v.writable)
        if var is not None and self.chance(0.7):
            return var.name, max(var.range[1], 1)
        k = self.rng.randint(2, 6)
        return str(k), k

    def up(self, i):
        text, high = self.bound_of_loop()
        start = self.rng.choice([0, 0, 1])
        return self.rng.choice([f"int {i} = {start}; {i} < {text}; ++{i}", f"int {i} = {start}; {i} != {text} + {start}; {i}++", f"int {i} = {start}; {i} <= {text}; {i} += 1"]), high + 1

    def down(self, i):
        text, high = self.bound_of_loop()
        return self.rng.choice([f"int {i} = {text} - 1; {i} >= 0; --{i}", f"int {i} = {text}; {i}-- > 0;", f"int {i} = {text}; {i} > 0; {i}--"]), high

    def step(self, i):
        text, high = self.bound_of_loop()
        return self.rng.choice([f"int {i} = 0; {i} < 2 * {text}; {i} += 2", f"int {i} = 1; {i} <= {text} + 3; {i} *= 2", f"int {i} = 3 * {text}; {i} > 0; {i} -= 3"]), 3 * high + 3

    def triangular(self, i):
        var = self.pick("integer", lambda v: 0 <= v.range[0] and v.range[1] <= 8 and v.type == "int" and not v.writable)
        if var is None:
            return None
        return self.rng.choice([f"int {i} = 0; {i} < {var.name}; ++{i}", f"int {i} = {var.name}; {i} < {var.range[1] + 1}; ++{i}",
                                f"int {i} = 0; {i} <= {var.name}; ++{i}"]), var.range[1] + 1

    def unsigned_for(self, i):
        k = self.rng.randint(2, 5)
        return self.rng.choice([f"unsigned {i} = 0; {i} < {k}u; ++{i}", f"unsigned {i} = {k}; {i} > 0; --{i}", f"unsigned {i} = {k}; {i}--;"]), k

    def pointer_loop(self, ctx):
        var = self.pick("array", lambda v: v.elements == "T" and v.type in ("array", "pointer", "parameter"))
        if not var or ctx.trips * var.length > MAX_TRIPS:
            return None
        p = self.name("q")
        const = "" if var.writable and self.chance(0.6) else "const "
        with self.scope():
            self.vars.append(Var(f"(*{p})", "real", "T", var.bound, writable=not const))
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * var.length), 3)
        head = self.rng.choice([f"{const}T* {p} = {var.name}; {p} != {var.name} + {var.length}; ++{p}", f"{const}T* {p} = {var.name}; {p} - {var.name} < {var.length}; {p}++"])
        return [Stmt([f"for ({head}) {{{{", body, "}}"], declares=p)]

    def range_for(self, ctx):
        var = self.pick("array", lambda v: v.sized and v.elements == "T")
        before = []
        if not var:  # then over an array of its own
            before = self.declare_array(ctx)
            var = self.vars[-1]
        if var.elements != "T" or ctx.trips * var.length > MAX_TRIPS:
            return before or None
        self.features.add("range for")
        name, kind = self.name("e"), self.rng.choice(["T", "const T&", "T&"] if var.writable else ["T", "const T&"])
        with self.scope():
            self.vars.append(Var(name, "real", "T", var.bound, writable=kind != "const T&"))
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * var.length), 3)
        return before + [Stmt([f"for ({kind} {name} : {var.name}) {{{{", body, "}}"], declares=name)]

    def counted(self, ctx):
        """What while and do share: a counter that ends them, and a condition on data in half of them."""
        limit = self.rng.randint(2, 6)
        if ctx.trips * limit > MAX_TRIPS:
            return None
        name = self.name("w")
        test = Expr(f"{name} < {limit}", "bool")
        if self.chance(0.5):
            test = Expr(self.rng.choice([f"{name} < {limit} && {{}}", f"{{}} && {name} < {limit}"]), "bool", [self.condition(0)])
        with self.scope():
            self.vars.append(Var(name, "integer", "int", range=(1, limit), writable=False))
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * limit), 4)
        return name, test, body

    def while_loop(self, ctx):
        made = self.counted(ctx)
        if not made:
            return None
        name, test, body = made
        return [Stmt([f"int {name} = 0;", "while ({}) {{", f"  ++{name};", body, "}}"], [test], name)]

    def do_loop(self, ctx):
        made = self.counted(ctx)
        if not made:
            return None
        name, test, body = made
        return [Stmt([f"int {name} = 0;", "do {{", f"  ++{name};", body, "}} while ({});"], [test], name)]

    def if_statement(self, ctx):
        condition, parts = self.condition(2), ["if ({}) {{", self.block(self.inner(ctx), 3)]
        exprs = [condition]
        if self.chance(0.3):
            parts += ["}} else if ({}) {{", self.block(self.inner(ctx), 2)]
            exprs.append(self.condition(1))
        if self.chance(0.5):
            self.features.add("else")
            parts += ["}} else {{", self.block(self.inner(ctx), 3)]
        return [Stmt(parts + ["}}"], exprs)]

    def switch_statement(self, ctx):
        count = self.rng.randint(2, 4)
        parts = ["switch ({}) {{"]
        for case in range(count):
            label = "default" if case == count - 1 and self.chance(0.7) else f"case {case}"
            parts += [f"  {label}: {{{{", self.block(self.inner(ctx, switch=True), 2), "  }}"]
            if self.chance(0.1 if "fall through" in self.themes else 0.6):
                parts += ["  break;"]
            elif case < count - 1:
                self.features.add("fall through")
                parts += ["  [[fallthrough]];"]
        return [Stmt(parts + ["}}"], [self.within(self.integer(1), count + 1)])]

    def scoped(self, ctx):
        return [Stmt(["{{", self.block(self.inner(ctx), 3), "}}"])]

    def break_if(self, ctx):
        return [Stmt("if ({}) break;", [self.seldom()])]

    def continue_if(self, ctx):
        return [Stmt("if ({}) continue;", [self.seldom()])]

    def return_if(self, ctx):
        if ctx.result == "void":
            return [Stmt("if ({}) return;", [self.seldom()])]
        return [Stmt("if ({}) return {};", [self.seldom(), Expr("T({})", "T", [self.real(2)])])]

    # --- helpers called as statements ---
    def call_by_reference(self, ctx):
        found = [f for f in self.helpers if f.by_reference]
        return self.rng.choice(found).call_statement(self) if found else None

    def call_with_array(self, ctx):
        found = [f for f in self.helpers if f.by_pointer]
        return self.rng.choice(found).call_statement(self) if found else None
