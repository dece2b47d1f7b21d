# SPDX-License-Identifier: Apache-2.0
"""Makes a failing program smaller while it fails in the same way: drops statements, functions, branches and parameters,
and puts parts of expressions in the place of the whole. Many variants are judged in one translation unit."""
import copy
import random
import re
import time

from program import Expr, head_of_f

LITERAL = {"T": "T(0.5)", "int": "0", "unsigned": "0u", "long long": "0LL", "bool": "true", "single<T>": "single<T>(0.5f)", "double": "0.5"}


def names_in(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))


def text_of(nodes):
    return "\n".join(line for node in nodes for line in node.lines(0))


def bodies(program):
    """Every list of statements in the program."""
    for function in program.functions:
        yield function.body.statements
        for statement in function.body.walk():
            for block in statement.blocks():
                yield block.statements


def declared(statement):
    return {name for inner in statement.walk() for name in inner.declares}


def unneeded(program, statement):
    """No other part of the program names what it declares."""
    own, whole = text_of([statement]), program.text()
    return all(len(re.findall(rf"\b{name}\b", whole)) == len(re.findall(rf"\b{name}\b", own)) for name in declared(statement))


def is_return(statement):
    return text_of([statement]).startswith("return")


class Edits:
    """All ways of making a program smaller by one step: (how much goes, function that does it to a copy)."""

    def __init__(self, program):
        self.program = program
        self.found = []
        self.functions()
        self.statements()
        self.expressions()
        self.params()

    def add(self, gain, edit):
        self.found.append((gain, edit))

    def functions(self):
        for n, function in enumerate(self.program.functions[:-1]):
            others = "\n".join("\n".join(f.lines()) for f in self.program.functions if f is not function)
            if function.name not in names_in(others):
                self.add(len("\n".join(function.lines())) + 50, lambda p, n=n: p.functions.pop(n))

    def statements(self):
        for b, body in enumerate(bodies(self.program)):
            for s, statement in enumerate(body):
                size = len(text_of([statement]))
                if not is_return(statement) and unneeded(self.program, statement):
                    self.add(size, lambda p, b=b, s=s: list(bodies(p))[b].pop(s))
                blocks = statement.blocks()
                for k, block in enumerate(blocks):
                    inner = text_of(block.statements)
                    if names_in(inner) & set(statement.declares) or re.search(r"\b(break|continue)\b", inner):
                        continue
                    self.add(size - len(inner) - 1, lambda p, b=b, s=s, k=k: self.hoist(list(bodies(p))[b], s, k))
                if len(blocks) > 1 and statement.parts[0].startswith("if"):
                    self.add(len(text_of(blocks[-1].statements)) + 4, lambda p, b=b, s=s: self.drop_else(list(bodies(p))[b][s]))

    @staticmethod
    def hoist(body, s, k):
        body[s:s + 1] = body[s].blocks()[k].statements

    @staticmethod
    def drop_else(statement):
        at = max(i for i, part in enumerate(statement.parts) if not isinstance(part, str))
        if "if" in statement.parts[at - 1]:
            statement.exprs.pop()
        statement.parts[at - 1:] = ["}}"]

    def expressions(self):
        for e, expr in enumerate(all_expressions(self.program)):
            size = len(str(expr))
            if expr.lvalue or size < 9:
                continue
            simple = LITERAL.get(expr.type)
            if simple and str(expr) != simple and size > len(simple):
                self.add(size - len(simple), lambda p, e=e, simple=simple: become(all_expressions(p)[e], simple))
            for k, kid in enumerate(expr.kids):
                if isinstance(kid, Expr) and kid.type == expr.type:
                    self.add(size - len(str(kid)), lambda p, e=e, k=k: replace_by_kid(all_expressions(p)[e], k))

    def params(self):
        text = self.program.text()
        for n, param in enumerate(self.program.params):
            left = [q for i, q in enumerate(self.program.params) if i != n]
            if len(re.findall(rf"\b{param.name}\b", text)) == 1 and any(q.kind in ("real", "single") for q in left):
                self.add(20, lambda p, n=n: drop_param(p, n))


def drop_param(program, n):
    program.params.pop(n)
    for point in program.points:
        point.pop(n)
    program.functions[-1].head = head_of_f(program.params)


def all_expressions(program):
    out = []
    for function in program.functions:
        for statement in function.body.walk():
            for expr in statement.exprs:
                if isinstance(expr, Expr):
                    out += expr.walk()
    return out


def become(expr, text):
    expr.text, expr.kids = text, []


def replace_by_kid(expr, k):
    kid = expr.kids[k]
    expr.text, expr.kids = kid.text, kid.kids


def variant(program, edits, tag):
    copied = copy.deepcopy(program)
    for edit in edits:
        edit(copied)
    copied.tag = tag
    return copied


def length(program):
    return len(program.text())


def shrink(program, verdict, judge, seconds):
    """The smallest program found in the time, and its verdict."""
    judge.tools = copy.copy(judge.tools)
    judge.tools.quad = verdict.kind == "oracles disagree"
    judge.tools.printed = "print" in verdict.kind
    batch = 4 if "compiler" in verdict.kind else 12
    best, last, end, rng = program, verdict, time.monotonic() + seconds, random.Random(1)

    def attempt(variants):
        nonlocal best, last
        worked = [(length(v), n) for n, (v, got) in enumerate(zip(variants, results(variants))) if got.same_as(verdict)]
        if not worked:
            return False
        n = min(worked)[1]
        best, last = variants[n], kept[n]
        return True

    kept = []

    def results(variants):
        nonlocal kept
        kept = judge.verdicts(variants)
        return kept

    one_point = [variant(program, [lambda p, k=k: p.points.__setitem__(slice(None), [p.points[k]])], f"v{k}") for k in range(len(program.points))]
    for candidate in one_point:
        if time.monotonic() < end and attempt([candidate]):
            break
    tried = set()
    while time.monotonic() < end:
        edits = [edit for _, edit in sorted(Edits(best).found, key=lambda item: -item[0])]
        candidates = [variant(best, [edit], f"v{n}") for n, edit in enumerate(edits)]
        candidates = [c for c in candidates if untagged(c) not in tried and length(c) < length(best) + 8][:batch]
        many = several_statements(best, rng) if batch > 4 else []
        if not candidates:
            break
        tried |= {untagged(c) for c in candidates}
        attempt([c for c in many if untagged(c) not in tried] + candidates)
    best.tag = ""
    return best, last


def untagged(program):
    return program.text().replace(program.name(), "p")


def several_statements(program, rng):
    """Variants that miss a good part of the statements at once."""
    out = []
    for n, share in enumerate((0.7, 0.4, 0.4)):
        copied = copy.deepcopy(program)
        for body in list(bodies(copied)):
            for statement in reversed(list(body)):
                if rng.random() < share and not is_return(statement) and unneeded(copied, statement):
                    body.remove(statement)
        copied.tag = f"m{n}"
        if length(copied) < length(program):
            out.append(copied)
    return out
