# SPDX-License-Identifier: Apache-2.0
"""Random programs as data: expressions, statements, functions, and the inputs to call them with.

A node holds its text with holes, so that a program can be printed, counted and made smaller (shrink.py) without knowing
what each construct means. Every declared name occurs once in a program, so "is this name used?" is a question of text.
"""
import re

NAME = re.compile(r"[A-Za-z_]\w*")


class Expr:
    """`text` has a hole {} for each child. `type` is a C++ type as programs write it (T is the number type)."""

    def __init__(self, text, type, kids=(), bound=1.0, range=None):
        self.text, self.type, self.kids = text, type, list(kids)
        self.bound = bound  # reals: a rough limit of the absolute value, to keep programs tame
        self.range = range  # integers: (lowest, highest), exact
        self.lvalue = False  # it is written to: no value can stand in for it

    def __str__(self):
        return self.text.format(*self.kids) if self.kids else self.text

    def walk(self):
        yield self
        for kid in self.kids:
            if isinstance(kid, Expr):
                yield from kid.walk()


class Block:
    def __init__(self, statements=()):
        self.statements = list(statements)

    def lines(self, indent):
        for statement in self.statements:
            yield from statement.lines(indent)

    def walk(self):
        for statement in self.statements:
            yield from statement.walk()


class Stmt:
    """Parts are text lines and blocks in order: ["if ({}) {{", Block, "}} else {{", Block, "}}"]. The holes of all the
    texts take `exprs` in order. `declares`: the names that go with it."""

    def __init__(self, parts, exprs=(), declares=None):
        self.parts = [parts] if isinstance(parts, str) else list(parts)
        self.exprs = list(exprs)
        self.declares = [] if declares is None else [declares] if isinstance(declares, str) else list(declares)

    def blocks(self):
        return [part for part in self.parts if isinstance(part, Block)]

    def lines(self, indent):
        used = 0
        for part in self.parts:
            if isinstance(part, Block):
                yield from part.lines(indent + 1)
            else:
                holes = part.replace("{{", "").count("{}")
                yield "  " * indent + part.format(*self.exprs[used:used + holes])
                used += holes

    def walk(self):
        yield self
        for block in self.blocks():
            yield from block.walk()


class Function:
    def __init__(self, head, body, name):
        self.head, self.body, self.name = head, body, name  # head: text up to the opening brace

    def lines(self):
        yield self.head + " {"
        yield from self.body.lines(1)
        yield "}"


class Raw(Function):
    """Text that is not made smaller in parts: a struct, a table of constants."""

    def __init__(self, text, name):
        super().__init__(text, Block(), name)

    def lines(self):
        yield from self.head.splitlines()


class Param:
    """One argument of a program. `kind`: real, single, integer, reference (a T&), array (a pointer to `length` elements),
    container, or struct (of `length` numbers called `fields`)."""

    def __init__(self, name, kind, type, length=0, fields=()):
        self.name, self.kind, self.type, self.length, self.fields = name, kind, type, length, fields

    def changed(self):
        """Whether the caller sees what the program writes there."""
        return self.type in ("T&", "T*")


FIRST = ["vjp", "value_and_vjp", "value_and_jvp", "jacfwd", "jacrev"]
SECOND = ["jvp of grad", "hvp", "hessian", "grad of grad", "grad of jvp"]
COTANGENT = 0.75  # of the value of f, in vjp


def head_of_f(params):
    return f"template <class T>\nT f({', '.join(f'{p.type} {p.name}' for p in params)})"


class Program:
    def __init__(self, seed, params, functions, points, features=()):
        self.seed, self.params, self.functions, self.points = seed, params, functions, points
        self.tag = ""  # tells variants of one program apart
        self.features = sorted({*features, self.first_transform(), self.second_transform()} - {None})

    def name(self):
        return f"p{self.seed}{self.tag}"

    def text(self):
        lines = [f"namespace {self.name()} {{"]
        for function in self.functions:
            lines += function.lines()
        return "\n".join(lines) + f"\n}}  // namespace {self.name()}\n"

    def statements(self):
        return sum(1 for function in self.functions for _ in function.body.walk())

    def first_transform(self):
        """What is asked for beside grad, value_and_grad and jvp; None where the program writes through its parameters."""
        if any(p.changed() for p in self.params):
            return None
        numbers = all(p.kind in ("real", "integer") for p in self.params)
        return (FIRST + ["jacfwd", "jacrev"] if numbers else FIRST[:3])[self.seed % (len(FIRST) + 2 if numbers else 3)]

    def second_transform(self):
        """Which second derivative is asked for, if any."""
        fit = all(p.kind in ("real", "integer", "struct") for p in self.params) and any(p.kind == "real" for p in self.params) and "single<T>" not in self.text()
        return SECOND[self.seed % len(SECOND)] if fit and not any(p.changed() for p in self.params) else None

    def inputs(self):
        """The parameters whose derivative is returned, and those with a shadow: the order of a gradient."""
        returned = [p for p in self.params if p.kind not in ("integer", "array")]
        shadowed = [p for p in self.params if p.kind == "array"]
        return returned, shadowed
