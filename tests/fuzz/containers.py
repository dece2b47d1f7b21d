# SPDX-License-Identifier: Apache-2.0
"""Level 2: vectors of structs, arrays, vectors and pairs, with every constructor and member that programs use.

Such a vector is a Var of kind "store". It is never empty: what takes elements away asks first whether enough are left,
what adds some asks whether there are not too many, so any statement may be dropped. Its elements move when it grows, so
that nothing but an expression refers to them (Var.type is "moving")."""
import contextlib

from classes import THEMES_2
from expressions import Var
from functions import THEMES
from groups import GroupGenerator, THEMES_3
from program import Raw, Stmt
from statements import MAX_TRIPS

THEMES_4 = ["vector of structs", "vector of arrays", "vector of vectors", "vector of pairs", "vector of structs with vectors", "copies of an object", "elements added",
            "elements inserted", "elements removed", "all elements replaced", "own element", "vector copied", "vector moved", "array of vectors", "optional", "tuple"]
MOST = 7  # elements of a store that it is still added to
KINDS = {"vector of structs": "struct", "vector of arrays": "array", "vector of vectors": "vector", "vector of pairs": "pair", "vector of structs with vectors": "row"}


class Holes:
    """Builds a statement of text whose "@" stand for expressions, in their order."""

    def __init__(self):
        self.exprs = []

    def __call__(self, e):
        self.exprs.append(e)
        return "@"

    def statement(self, *parts, declares=None):
        return Stmt([part if not isinstance(part, str) else part.replace("{", "{{").replace("}", "}}").replace("@", "{}") for part in parts], self.exprs, declares)


class Element:
    """What a store holds. `given`: how many numbers one is made of; `parts`: what follows an element's text to name a
    number of it; `bound`: whether `auto& [a, b]` takes it apart."""

    def __init__(self, type, make, parts, given=2, bound=False, emplace="@, @"):
        self.type, self.make, self.parts, self.given, self.bound, self.emplace = type, make, parts, given, bound, emplace


class ContainerGenerator(GroupGenerator):
    themes_of_level = THEMES + THEMES_2 + THEMES_3 + THEMES_4

    def __init__(self, seed, wanted=None, themes=(), only=()):
        super().__init__(seed, wanted, themes, only)
        self.elements = {"number": Element("T", "T(@)", [""], 1, emplace="@"), "array": Element("std::array<T, 2>", "std::array<T, 2>{@, @}", ["[0]", "[1]"], bound=True, emplace=""),
                         "vector": Element("std::vector<T>", "std::vector<T>{@, @}", ["[0]", ".back()", "[1]"], emplace="2, @"),
                         "pair": Element("std::pair<T, T>", "std::pair<T, T>(@, @)", [".first", ".second"], bound=True)}

    def more_functions(self):
        super().more_functions()
        if "vector of structs" in self.themes and not self.plain():
            self.plain_struct()
        if struct := self.plain():
            x, y = (field for _, field in struct.fields)
            self.elements["struct"] = Element(f"{struct.name}<T>", f"{struct.name}<T>{{@, @}}", [f".{x}", f".{y}"], bound=True)
        if "vector of structs with vectors" in self.themes:
            name, scale, items = self.name("Row"), self.name("c"), self.name("c")
            self.functions.append(Raw(f"template <class T>\nstruct {name} {{\n  T {scale};\n  std::vector<T> {items};\n  T total() const {{\n    T sum = {scale};\n"
                                      f"    for (const T& item : {items}) sum += {self.expression_over(['item', scale])};\n    return sum;\n  }}\n}};", name))
            self.elements["row"] = Element(f"{name}<T>", f"{name}<T>{{@, {{@, @}}}}", [f".{scale}", f".{items}[0]", f".{items}.back()"], 3, emplace="")

    # --- pieces of text ---
    def fresh(self, element, holes, depth=1):
        """A new element."""
        text = element.make
        for _ in range(element.given):
            holes(self.real(depth, 2))
        return text

    def refill(self, z, element, holes):
        """An element for z where z may be empty, so that nothing may read it."""
        with self.scope():
            self.vars = [v for v in self.vars if not v.name.startswith((f"{z}.", f"{z}[")) and v.kind != "lambda"]
            return f"{z}.push_back({self.fresh(element, holes)});"

    def arguments_of(self, element, holes):
        """What emplace takes to make one."""
        if not element.emplace:
            return self.fresh(element, holes)
        for _ in range(element.emplace.count("@")):
            holes(self.real(1, 2))
        return element.emplace

    def position(self, z):
        k = self.pick("integer", lambda v: v.range[0] >= 0)
        choices = [f"{z}.begin()", f"{z}.end()", f"{z}.begin() + 1", f"{z}.end() - 1", f"{z}.begin() + {z}.size() / 2"]
        return self.rng.choice(choices + ([f"{z}.begin() + {k.name} % {z}.size()"] if k else []))

    def element_of(self, z):
        k = self.pick("integer", lambda v: v.range[0] >= 0)
        choices = [f"{z}.front()", f"{z}.back()", f"{z}[0]", f"{z}[{z}.size() / 2]", f"{z}.at({z}.size() - 1)", f"(*{z}.begin())", f"{z}.data()[0]", f"(*({z}.end() - 1))"]
        return self.rng.choice(choices + ([f"{z}[{k.name} % {z}.size()]"] if k else []))

    def part(self, element, text):
        return text + self.rng.choice(element.parts)

    @contextlib.contextmanager
    def only(self, names, writable=()):
        """Scope of a lambda that an algorithm calls: numbers of the program that stay where they are, and these names."""
        with self.scope():
            self.vars = [v for v in self.vars if v.kind in ("real", "integer", "bool") and v.type not in ("moving", "object")]
            self.vars += [Var(name, "real", "T", 2, writable=name in writable) for name in names]
            yield

    # --- stores ---
    def stores(self, kind=None):
        return [v for v in self.vars if v.kind == "store" and v.name not in self.frozen and v.writable and kind in (None, v.elements)]

    def some_store(self, ctx, count=1, kind=None):
        """(statements, variables): as many different stores of one kind of element, made where there are too few."""
        wished = [KINDS[t] for t in KINDS if t in self.themes]
        known = {v.elements for v in self.stores()}
        kind = kind or self.rng.choice([k for k in wished if k in known] or [*known] or wished or ["number", "array", "pair", "vector"])
        before = []
        while len(self.stores(kind)) < count:
            before += self.declare_store(ctx, kind)
        return before, self.rng.sample(self.stores(kind), count)

    def declare_store(self, ctx, kind=None):
        kind = kind or self.rng.choice([KINDS[t] for t in KINDS if t in self.themes] or ["number", "array", "pair", "vector"])
        element, z, h = self.elements[kind], self.name("z"), Holes()
        type, others = f"std::vector<{element.type}>", self.stores(kind)
        form = self.rng.choice(["copies", "list", "grown", "sized", "array", "reserved"] + ["copy", "range", "backwards", "part"] * bool(others))
        if "copies of an object" in self.themes - self.features:
            form = "copies"
        other = self.rng.choice(others).name if others else ""
        if form == "copies":
            self.features.add("copies of an object")
            text = [f"{type} {z}({self.rng.randint(2, 3)}, {self.fresh(element, h)});"]
        elif form == "list":
            text = [f"{type} {z}{self.rng.choice(['', ' = '])}{{{self.fresh(element, h)}, {self.fresh(element, h)}}};"]
        elif form == "grown":
            text = [f"{type} {z};", f"{z}.push_back({self.fresh(element, h)});", f"{z}.emplace_back({self.arguments_of(element, h)});"]
        elif form == "reserved":
            text = [f"{type} {z};", f"{z}.reserve(4);", f"for (int i{z} = 0; i{z} < 2; ++i{z}) {z}.push_back({self.fresh(element, h)});"]
        elif form == "sized":
            text = [f"{type} {z}(2);", f"for (auto& e{z} : {z}) e{z} = {self.fresh(element, h)};"]
        elif form == "array":
            text = [f"const {element.type} a{z}[] = {{{self.fresh(element, h)}, {self.fresh(element, h)}}};", f"{type} {z}({self.rng.choice([f'a{z}, a{z} + 2', f'std::begin(a{z}), std::end(a{z})'])});"]
        else:
            self.features.add("vector copied")
            text = {"copy": [self.rng.choice([f"{type} {z}({other});", f"{type} {z} = {other};", f"auto {z} = {other};"])], "range": [f"{type} {z}({other}.begin(), {other}.end());"],
                    "backwards": [f"{type} {z}({other}.rbegin(), {other}.rend());"], "part": [f"{type} {z}({other}.begin() + 1, {other}.end());", f"{z}.push_back({self.fresh(element, h)});"]}[form]
        self.features |= {theme for theme in KINDS if KINDS[theme] == kind}
        self.add_store(z, kind)
        return [h.statement(*text, declares=[z])]

    def add_store(self, z, kind):
        element = self.elements[kind]
        self.vars.append(Var(z, "store", "vector", elements=kind))
        for place in (f"{z}.front()", f"{z}.back()", f"{z}[{z}.size() / 2]"):
            self.vars.append(Var(self.part(element, place), "real", "moving", 4))

    def add_elements(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h = self.elements[z.elements], z.name, Holes()
        self.features.add("elements added")
        form = self.rng.choice(["push", "emplace", "emplaced", "resize", "moved"])
        if form == "push":
            text = f"{z}.push_back({self.fresh(element, h)});"
        elif form == "emplace":
            text = f"{z}.emplace_back({self.arguments_of(element, h)});"
        elif form == "emplaced":
            text = f"{self.part(element, f'{z}.emplace_back({self.arguments_of(element, h)})')} += {h(self.real(1, 1))};"
        elif form == "resize":
            text = f"{z}.resize({z}.size() + 2, {self.fresh(element, h)});"
        else:
            text = f"{{ {element.type} t{z} = {self.fresh(element, h)}; {z}.push_back(std::move(t{z})); }}"
        return before + [h.statement(f"if ({z}.size() < {MOST}) {text}")]

    def insert_elements(self, ctx):
        before, (z, w) = self.some_store(ctx, 2)
        element, z, w, h = self.elements[z.elements], z.name, w.name, Holes()
        self.features.add("elements inserted")
        form = self.rng.choice(["one", "one", "emplace", "copies", "range", "backwards", "list", "result"])
        at = self.position(z)
        if form == "one":
            text = f"{z}.insert({at}, {self.fresh(element, h)});"
        elif form == "emplace":
            text = f"{z}.emplace({at}, {self.arguments_of(element, h)});"
        elif form == "copies":
            text = f"{z}.insert({at}, 2, {self.fresh(element, h)});"
        elif form == "list":
            text = f"{z}.insert({at}, {{{self.fresh(element, h)}, {self.fresh(element, h)}}});"
        elif form == "result":
            it = self.name("q")
            text = f"{{ auto {it} = {z}.insert({at}, {self.fresh(element, h)}); {self.part(element, f'(*{it})')} *= {h(self.real(1, 1))}; }}"
        else:
            text = f"{z}.insert({at}, {w}.begin(), {w}.end());" if form == "range" else f"{z}.insert({at}, {w}.rbegin(), {w}.rend() - 1);"
        return before + [h.statement(f"if ({z}.size() < {MOST}) {text}")]

    def remove_elements(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h, e = self.elements[z.elements], z.name, Holes(), self.name("e")
        self.features.add("elements removed")
        form = self.rng.choice(["pop", "erase", "erase last", "erase range", "erase_if", "resize", "clear", "remove_if", "erased"])
        if form in ("erase_if", "remove_if", "clear"):
            test = f"[&](const {element.type}& {e}) {{ return {self.part(element, e)} > 0.4; }}"
            text = {"erase_if": f"std::erase_if({z}, {test});", "remove_if": f"{z}.erase(std::remove_if({z}.begin(), {z}.end(), {test}), {z}.end());", "clear": f"{z}.clear();"}[form]
            return before + [h.statement(text, f"if ({z}.empty()) {self.refill(z, element, h)}")]
        text = {"pop": f"{z}.pop_back()", "erase": f"{z}.erase({z}.begin() + {z}.size() / 2)", "erase last": f"{z}.erase({z}.end() - 1)", "erase range": f"{z}.erase({z}.begin() + 1, {z}.end())",
                "resize": f"{z}.resize(1)", "erased": f"{self.part(element, f'(*--{z}.erase({z}.begin() + 1, {z}.end()))')} *= {h(self.real(1, 1)) if form == 'erased' else ''}"}[form]
        return before + [h.statement(f"if ({z}.size() > 1) {text};")]

    def replace_elements(self, ctx):
        before, (z, w) = self.some_store(ctx, 2)
        element, z, w, h = self.elements[z.elements], z.name, w.name, Holes()
        self.features.add("all elements replaced")
        form = self.rng.choice(["assign copies", "assign list", "assign range", "assign back", "list", "value", "fill", "loop"])
        text = {"assign copies": lambda: f"{z}.assign(2, {self.fresh(element, h)});", "assign list": lambda: f"{z}.assign({{{self.fresh(element, h)}, {self.fresh(element, h)}}});",
                "assign range": lambda: f"{z}.assign({w}.begin(), {w}.end());", "assign back": lambda: f"{z}.assign({w}.rbegin(), {w}.rend());",
                "list": lambda: f"{z} = {{{self.fresh(element, h)}, {self.fresh(element, h)}}};", "value": lambda: f"{z} = std::vector<{element.type}>(3, {self.fresh(element, h)});",
                "fill": lambda: f"std::fill({z}.begin(), {z}.end(), {self.fresh(element, h)});",
                "loop": lambda: f"for (std::size_t i{z} = 0; i{z} < {z}.size(); ++i{z}) {z}[i{z}] = {self.fresh(element, h)};"}[form]()
        return before + [h.statement(text)]

    def own_element(self, ctx):
        """What a vector is given is one of its own elements."""
        before, (z,) = self.some_store(ctx)
        element, z, h = self.elements[z.elements], z.name, Holes()
        self.features.add("own element")
        own = self.element_of(z)
        if element.given == 2 and self.chance(0.4):
            make = element.make.replace("@", "%s") % (f"{h(self.real(1, 1))} + {self.part(element, self.element_of(z))}", self.part(element, self.element_of(z)))
            text = self.rng.choice([f"{z}.push_back({make});", f"{z} = {{{z}.back(), {make}}};", f"{z}.assign(2, {make});", f"{z}.insert({z}.begin(), {{{z}.back(), {make}}});"])
        else:
            text = self.rng.choice([f"{z}.push_back({own});", f"{z}.insert({self.position(z)}, {own});", f"{z}.insert({self.position(z)}, 2, {own});", f"{z}.resize({z}.size() + 2, {own});",
                                    f"{z}.emplace_back({own});", f"{z}.emplace({self.position(z)}, {own});", f"{self.element_of(z)} = {own};", f"std::swap({z}.front(), {z}.back());"])
        return before + [h.statement(f"if ({z}.size() < {MOST}) {text}")]

    def copy_vector(self, ctx):
        before, (z, w) = self.some_store(ctx, 2)
        element, z, w, h = self.elements[z.elements], z.name, w.name, Holes()
        self.features.add("vector copied")
        form = self.rng.choice(["assign", "swap", "std::swap", "change", "self", "exchange"])
        if form == "change":  # a copy is a thing of its own
            t = self.name("z")
            return before + [h.statement(f"{{ auto {t} = {z};", f"  {self.part(element, self.element_of(t))} += {h(self.real(1, 1))};", f"  {w} = {t};", f"  {self.part(element, self.element_of(t))} = 0; }}")]
        text = {"assign": f"{z} = {w};", "swap": f"{z}.swap({w});", "std::swap": f"std::swap({z}, {w});", "self": f"{z} = {z};", "exchange": f"{w} = std::exchange({z}, {w});"}[form]
        return before + [h.statement(text)]

    def move_vector(self, ctx):
        """What is moved from is empty, and may be used again."""
        before, (z,) = self.some_store(ctx)
        kind, z, h, t, place = z.elements, z.name, Holes(), self.name("z"), self.writable_real(lasting=True)
        element = self.elements[kind]
        self.features.add("vector moved")
        form = self.rng.choice(["construct", "assign", "through", "return"])
        type = f"std::vector<{element.type}>"
        if form == "construct":
            made = f"{type} {t} = std::move({z});"
        elif form == "assign":
            made = f"{type} {t}(1, {self.fresh(element, h)}); {t} = std::move({z});"
        elif form == "through":
            made = f"auto {t} = []({type} given) {{ given.push_back(given.front()); return given; }}(std::move({z}));"
        else:
            made = f"auto {t} = [&] {{ auto inner = std::move({z}); {self.part(element, 'inner.back()')} *= 0.5; return inner; }}();"
        again = self.refill(z, element, h)
        use = [] if place is None else [f"{h(place)} += 0.25 * {z}.size() + 0.125 * {t}.size();"]
        self.add_store(t, kind)
        return before + [h.statement(made, again, *use, declares=t)]

    def loop_over_store(self, ctx):
        if ctx.depth < 1 or ctx.trips * MOST > MAX_TRIPS:
            return None
        before, (z,) = self.some_store(ctx)
        element, z, e = self.elements[z.elements], z.name, self.name("e")
        with self.scope(), self.holding({z}):
            form = self.rng.choice(["auto&", "const auto&", "auto", "reverse", "iterator"] + ["bound"] * element.bound)
            if form == "bound":
                a, b = self.name("v"), self.name("v")
                kind = self.rng.choice(["auto&", "const auto&", "auto"])
                self.vars += [Var(name, "real", "moving", 2, writable="const" not in kind) for name in (a, b)]
                head, names = f"for ({kind} [{a}, {b}] : {z}) {{{{", [a, b]
            else:
                place = {"reverse": f"(*{e})", "iterator": f"(*{e})"}.get(form, e)
                self.vars += [Var(place + part, "real", "moving", 2, writable=form != "const auto&") for part in element.parts[:2]]
                head = {"reverse": f"for (auto {e} = {z}.rbegin(); {e} != {z}.rend(); ++{e}) {{{{", "iterator": f"for (auto {e} = {z}.begin(); {e} < {z}.end(); {e}++) {{{{"}.get(form, f"for ({form} {e} : {z}) {{{{")
                names = [e]
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * MOST), 2)
        return before + [Stmt([head, body, "}}"], declares=names)]

    # --- other containers ---
    def declare_optional(self, ctx):
        self.features.add("optional")
        o, v, h = self.name("o"), self.name("v"), Holes()
        kind = self.rng.choice(["number", "number", "pair", "array", *(["struct"] if "struct" in self.elements else [])])
        element = self.elements[kind]
        type = f"std::optional<{element.type}>"
        form = self.rng.choice(["{};", " = std::nullopt;", "{fresh};", " = fresh;"])
        lines = [f"{type} {o}" + (form.replace("fresh", self.fresh(element, h)) if "fresh" in form else form.removeprefix("{}"))]
        lines.append(f"if ({h(self.condition())}) {o} = {self.fresh(element, h)};")
        if self.chance(0.4):
            lines.append(f"if ({h(self.condition())}) {o}.reset();")
        if self.chance(0.4):
            lines.append(f"if (!{o}) {o}.emplace({self.fresh(element, h)});")
        if kind == "number":
            lines += [f"T {v} = {o}.value_or({h(self.real(1, 2))});", f"if ({o}.has_value()) *{o} *= {h(self.real(1, 1))};", f"if ({o}) {v} += {o}.value();"]
        else:
            lines += [f"T {v} = {h(self.real(1, 2))};", f"if ({o}) {self.part(element, f'(*{o})')} += {v};", f"if ({o}) {v} *= {self.part(element, f'{o}.value()')};",
                      f"const auto copy{o} = {o};", f"if (copy{o}.has_value()) {v} += {self.part(element, f'(*copy{o})')};"]
        self.vars.append(Var(v, "real", "T", 4))
        return [h.statement(*lines, declares=[o, v])]

    def declare_tuple(self, ctx):
        self.features.add("tuple")
        t, v, w, h = self.name("t"), self.name("v"), self.name("v"), Holes()
        a, b, k = self.name("v"), self.name("v"), self.name("k")
        head = self.rng.choice([f"std::tuple<T, int, T> {t}(@, @, @);", f"std::tuple<T, int, T> {t}{{@, @, @}};", f"auto {t} = std::make_tuple(T(@), int(@), T(@));", f"std::tuple {t}(T(@), int(@), T(@));"])
        h(self.real(2, 2)), h(self.within(self.integer(1), 5)), h(self.real(1, 2))
        form = self.rng.choice(["get", "binding", "apply", "swap", "nested"])
        lines = {"get": lambda: [f"std::get<0>({t}) += std::get<1>({t}) * std::get<2>({t});", f"T {v} = std::get<0>({t});"],
                 "binding": lambda: [f"auto& [{a}, {k}, {b}] = {t};", f"{a} *= {h(self.real(1, 1))};", f"{b} -= {a} * {k};", f"T {v} = std::get<0>({t}) + std::get<2>({t});"],
                 "apply": lambda: [f"T {v} = std::apply([](T {a}, int {k}, const T& {b}) {{ return T({a} * {k} - {self.expression_over([a, b])}); }}, {t});"],
                 "swap": lambda: [f"std::swap(std::get<0>({t}), std::get<2>({t}));", f"const auto [{a}, {k}, {b}] = {t};", f"T {v} = {a} * {k} + {b};"],
                 "nested": lambda: [f"std::pair<std::tuple<T, int, T>, T> {w}{{{t}, {h(self.real(1, 2))}}};", f"auto& [{a}, {k}, {b}] = {w}.first;", f"{a} *= {w}.second;", f"T {v} = {a} - {b} * {k};"]}[form]()
        self.vars.append(Var(v, "real", "T", 4))
        self.vars += [Var(f"std::get<{n}>({t})", "real", "T", 4) for n in (0, 2)]
        return [h.statement(head, *lines, declares=[t, v])]

    def array_of_vectors(self, ctx):
        self.features.add("array of vectors")
        g, row, v, h = self.name("g"), self.name("e"), self.name("v"), Holes()
        type = self.rng.choice([f"std::array<std::vector<T>, 2> {g}", f"std::vector<T> {g}[2]"])
        head = self.rng.choice([f"{type};", f"{type} = {{std::vector<T>(1, @)}};"])
        if "@" in head:
            h(self.real(1, 2))
        lines = [head, f"{g}[0] = {{{h(self.real(1, 2))}, {h(self.real(1, 2))}}};", f"{g}[1].assign(3, {h(self.real(2, 2))});", f"{g}[{h(self.index(2))}].push_back({h(self.real(1, 2))});"]
        lines += self.rng.choice([[f"std::swap({g}[0], {g}[1]);"], [f"for (auto& {row} : {g}) {row}.push_back({row}.front() * {row}.back());"], [f"{g}[0].insert({g}[0].end(), {g}[1].begin(), {g}[1].end());"], []])
        lines += [f"T {v} = 0;", f"for (const auto& {row} : {g}) for (const T& x{row} : {row}) {v} += x{row} * {h(self.real(1, 1))};"]
        self.vars.append(Var(v, "real", "T", 8))
        self.vars += [Var(place, "real", "moving", 4) for place in (f"{g}[0].back()", f"{g}[1][1]")]
        return [h.statement(*lines, declares=[g, v])]

    def writable_real(self, lasting=False):
        for _ in range(4):
            place = super().writable_real(lasting)
            if not lasting or place is None or not any(v.type == "moving" and v.name == str(place) for v in self.vars):
                return place
        return None

    # --- what the grammar asks for ---
    def makers_of(self):
        return {"copies of an object": self.declare_store, "elements added": self.add_elements, "elements inserted": self.insert_elements, "elements removed": self.remove_elements,
                "all elements replaced": self.replace_elements, "own element": self.own_element, "vector copied": self.copy_vector, "vector moved": self.move_vector,
                "array of vectors": self.array_of_vectors, "optional": self.declare_optional, "tuple": self.declare_tuple, **dict.fromkeys(KINDS, self.declare_store)}

    def more_statements(self, ctx):
        out = super().more_statements(ctx)
        if not self.stores():
            return out
        return out + [(2, make, "") for make in (self.add_elements, self.insert_elements, self.remove_elements, self.replace_elements, self.own_element, self.copy_vector, self.loop_over_store)]

    def missing(self, theme, ctx):
        make = self.makers_of().get(theme)
        if make is None:
            return super().missing(theme, ctx)
        made = make(ctx, KINDS[theme]) if theme in KINDS else make(ctx)
        return (made or []) + (self.loop_over_store(ctx) or [] if theme in KINDS else [])
