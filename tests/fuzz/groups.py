# SPDX-License-Identifier: Apache-2.0
"""Level 2: several structs side by side, walked by reference, and pointers to structs."""
from classes import ClassGenerator, THEMES_2
from expressions import Var
from functions import THEMES
from program import Block, Stmt
from statements import MAX_TRIPS

THEMES_3 = ["array of structs", "pointer to struct"]


class GroupGenerator(ClassGenerator):
    themes_of_level = THEMES + THEMES_2 + THEMES_3

    def more_functions(self):
        super().more_functions()
        if self.themes & set(THEMES_3) and not self.plain():
            self.plain_struct()

    def plain(self):
        return next((s for s in self.structs if s.name.startswith("Vec")), None)

    def declare_group(self, ctx):
        struct = self.plain()
        if not struct or ctx.trips * 3 > MAX_TRIPS:
            return None
        self.features.add("array of structs")
        name, e, count = self.name("s"), self.name("e"), self.rng.randint(2, 3)
        exprs = [self.real(1, 2) for _ in range(2 * count)]
        kind = self.rng.choice(["C", "std::array", "std::vector"])
        if kind == "std::vector":
            adds = [f"{name}.push_back({{{{{{}}, {{}}}}}});"] * count
            made = Stmt([f"std::vector<{struct.name}<T>> {name};", *adds], exprs, name)
        else:
            items = ", ".join(["{{{}, {}}}"] * count)
            head = f"{struct.name}<T> {name}[{count}] = {{{{{items}}}}};" if kind == "C" else f"std::array<{struct.name}<T>, {count}> {name} = {{{{{{{{{items}}}}}}}}};"
            made = Stmt(head, exprs, name)
        with self.scope():
            const = "" if self.chance(0.6) else "const "
            self.vars += [Var(f"{e}.{field}", "real", "T", 2, writable=not const) for _, field in struct.fields]
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * count), 2) if ctx.depth > 0 else Block()
        for k in range(count):
            self.vars += [Var(f"{name}[{k}].{field}", "real", "T", 2) for _, field in struct.fields]
        self.vars.append(Var(name, "group", struct.name, length=count))
        return [made, *([Stmt([f"for ({const}auto& {e} : {name}) {{{{", body, "}}"], declares=e)] if body.statements else [])]

    def point_at_struct(self, ctx):
        struct = self.plain()
        group = self.pick("group", lambda v: v.writable)
        before = [] if group or len([v for v in self.objects(struct) if v.writable]) > 1 else self.declare_group(ctx) or []
        group = self.pick("group", lambda v: v.writable)
        known = [v for v in self.objects(struct) if v.writable]
        if not struct or not (group or len(known) > 1):
            return before or None
        self.features.add("pointer to struct")
        name = self.name("p")
        if group and (len(known) < 2 or self.chance(0.6)):
            made = Stmt(f"{struct.name}<T>* {name} = &{group.name}[{{}}];", [self.index(group.length)], name)
        else:
            a, b = self.rng.sample(known, 2)
            made = Stmt(f"{struct.name}<T>* {name} = {{}} ? &{a.name} : &{b.name};", [self.condition()], name)
        fields = [Var(f"{name}->{field}", "real", "T", 2) for _, field in struct.fields]
        self.vars += fields
        use = Stmt(f"{{}} += 0.5 * {name}->norm();", [self.written(self.rng.choice(fields))])
        return [*before, made, use]

    def more_statements(self, ctx):
        out = super().more_statements(ctx)
        if self.plain():
            out += [(4 if "array of structs" in self.themes else 1, self.declare_group, ""), (4 if "pointer to struct" in self.themes else 1, self.point_at_struct, "")]
        return out

    def missing(self, theme, ctx):
        make = {"array of structs": self.declare_group, "pointer to struct": self.point_at_struct}.get(theme)
        return super().missing(theme, ctx) if make is None else make(ctx) or []
