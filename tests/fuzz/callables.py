# SPDX-License-Identifier: Apache-2.0
"""Level 2: what can be called besides functions: lambdas with captures, functors, overloads; functions of constants."""
import copy

from expressions import Var
from functions import Generator
from program import Block, Expr, Raw, Stmt
from statements import Context


class Callables(Generator):
    # --- functors, overloads, constants ---
    def functor(self):
        """A class that is called, and counts what it was given."""
        name, k, x, sum = self.name("Curve"), self.name("c"), self.name("h"), self.name("c")
        text = f"""template <class T>
struct {name} {{
  T {k}, {sum} = 0;
  T operator()(T {x}) {{
    {sum} += {x};
    return {self.expression_over([k, sum, x])};
  }}
  T operator()(T {x}, int n) const {{ return {self.expression_over([k, x])} * n; }}
}};"""
        self.functions.append(Raw(text, name))
        self.functors.append((name, sum))

    def declare_functor(self, ctx):
        if not self.functors:
            return None
        self.features.add("functor")
        (type, sum), name, out = self.rng.choice(self.functors), self.name("o"), self.name("v")
        exprs = [self.real(1, 2), self.within(self.integer(1), 5)]
        text = f"twice({name}, T({{}}), {{}})" if self.twice and self.chance(0.5) else f"{name}({{}}, {{}})"
        out_of = [Stmt(f"{type}<T> {name}{{{{{{}}}}}};", [self.real(1, 2)], name), Stmt(f"T {out} = {name}({{}}) + 0.5 * {text};", [self.real(1, 2), *exprs], out)]
        self.vars += [Var(out, "real", "T", 4), Var(f"{name}.{sum}", "real", "T", 4)]
        return out_of

    def overloads(self):
        """Functions of one name: the types of the arguments tell which is meant."""
        name, x = self.name("mix"), self.name("h")
        text = f"""template <class T>
T {name}(T {x}) {{ return {self.expression_over([x])}; }}
template <class T>
T {name}(T {x}, int k) {{ return {self.expression_over([x])} * k; }}
template <class T>
T {name}(const T& {x}, const T& y) {{ return {self.expression_over([x, "y"])}; }}"""
        self.functions.append(Raw(text, name))
        self.mix = name

    def overloaded_call(self, depth):
        self.features.add("overload")
        x = Expr("T({})", "T", [self.real(depth, 2)])
        form = self.rng.choice(["{}", "{}, {}", "{}, k"])
        if form == "{}, k":
            return Expr(f"{self.mix}({{}}, {{}})", "T", [x, self.within(self.integer(1), 3)], 4)
        kids = [x] if form == "{}" else [x, Expr("T({})", "T", [self.real(depth, 2)])]
        return Expr(f"{self.mix}({form})", "T", kids, 2)

    def constants(self):
        """An enum, and constants outside of functions."""
        kind, scale, limit, name, x = self.name("Kind"), self.name("scale"), self.name("limit"), self.name("curve"), self.name("h")
        text = f"""enum class {kind} {{ flat, steep = 4, wavy }};
constexpr int {limit} = {self.rng.randint(2, 4)};
const double {scale} = {self.literal()};
template <class T>
T {name}({kind} kind, T {x}) {{
  static const double slope = {self.literal()};
  switch (kind) {{
    case {kind}::flat:
      return {scale} * {x};
    case {kind}::steep:
      {x} *= {limit};
      [[fallthrough]];
    default:
      return {self.expression_over([x])} - slope * {x};
  }}
}}"""
        self.functions.append(Raw(text, name))
        self.kinds = (name, kind)

    def constant_call(self, depth):
        self.features |= {"constants and enums", "fall through", "switch"}
        name, kind = self.kinds
        which = self.rng.choice([f"{kind}::flat", f"{kind}::steep", "choice", "number"])
        x = Expr("T({})", "T", [self.real(depth, 2)])
        if which == "choice":
            return Expr(f"{name}({{}} ? {kind}::wavy : {kind}::flat, {{}})", "T", [self.condition(0), x], 8)
        if which == "number":
            return Expr(f"{name}(static_cast<{kind}>({{}}), {{}})", "T", [self.within(self.integer(1), 6), x], 8)
        return Expr(f"{name}({which}, {{}})", "T", [x], 8)

    def expression_statement(self, make):
        """A maker of statements around a maker of expressions."""
        def statement(ctx):
            name = self.name("v")
            e = make(1)
            self.vars.append(Var(name, "real", "T", max(2, e.bound)))
            return [Stmt(f"T {name} = {{}};", [e], name)]
        return statement

    # --- lambdas ---
    def lambda_body(self, ctx, params, writable):
        """A body over the parameters and what is in scope; by value or for reading only, nothing outside changes."""
        with self.scope(), self.holding({v.name for v in self.vars if v.type == "vector"}):
            if not writable:
                self.vars = [self.reading(v) for v in self.vars]
            self.vars += params
            inner = Context("T", depth=min(1, ctx.depth - 1), trips=ctx.trips * 4, returns=True)
            block = Block()
            for _ in range(self.rng.randint(0, 2)):
                block.statements += self.statement(inner)
            block.statements.append(Stmt("return {};", [Expr("T({})", "T", [self.real(2, 2)])]))
        return block

    @staticmethod
    def reading(var):
        var = copy.copy(var)
        var.writable = False
        return var

    def declare_lambda(self, ctx):
        if ctx.depth < 1:
            return None
        name, p, k = self.name("l"), self.name("h"), self.name("h")
        kind = self.rng.choice([kind for kind in ("value", "reference", "reading", "init") if f"lambda by {kind}" in self.themes] or ["value", "reference", "reading", "init"])
        params = [Var(p, "real", "T", 2), Var(k, "integer", "int", range=(0, 4), writable=False)]
        captured = ""
        extra, exprs = [], []
        if kind == "init":
            c = self.name("c")
            captured, exprs = f"{c} = {{}}", [self.real(1, 2)]
            extra = [Var(c, "real", "T", 2, writable=False)]
        body = self.lambda_body(ctx, params + extra, kind == "reference")
        head = {"value": "=", "reference": "&", "reading": "&", "init": "&, " + captured}[kind]
        self.features.add("lambda by reference" if kind == "reference" else "lambda by value")
        self.vars.append(Var(name, "lambda", "mutating" if kind == "reference" else "pure"))
        self.features.add("lambda")
        return [Stmt([f"auto {name} = [{head}](T {p}, int {k}) {{{{", body, "}};"], exprs, [name, p, k] + [v.name for v in extra])]

    def call_lambda(self, ctx):
        var = self.pick("lambda")
        if var is None:
            return self.declare_lambda(ctx)
        name = self.name("v")
        args = [self.real(1, 2), self.within(self.integer(1), 5)]
        self.vars.append(Var(name, "real", "T", 2))
        if self.twice and self.chance(0.5):
            self.features.add("lambda passed on")
            return [Stmt(f"T {name} = twice({var.name}, T({{}}), {{}});", args, name)]
        return [Stmt(f"T {name} = {var.name}({{}}, {{}});", args, name)]

    def pass_lambda(self, ctx):
        var = self.pick("lambda")
        if var is None or not self.twice:
            return None
        self.features.add("lambda passed on")
        place = self.writable_real()
        if place is None or var.type == "mutating":
            return None
        return [Stmt(f"{{}} += 0.5 * twice({var.name}, T({{}}), {{}});", [place, self.real(1, 2), self.within(self.integer(1), 5)])]

    def pure_lambda_call(self, depth):
        var = self.pick("lambda", lambda v: v.type == "pure")
        if var is None:
            return self.real_leaf()
        return Expr(f"{var.name}({{}}, {{}})", "T", [self.real(depth, 2), self.within(self.integer(1), 5)], 2)

    def immediate_lambda(self, ctx):
        if ctx.depth < 1:
            return None
        name = self.name("v")
        body = self.lambda_body(ctx, [], True)
        self.vars.append(Var(name, "real", "T", 2))
        return [Stmt([f"T {name} = [&] {{{{", body, "}}();"], [], name)]
