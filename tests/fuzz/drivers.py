# SPDX-License-Identifier: Apache-2.0
"""The programs around the programs: for a list of random programs, the sources that print their values and derivatives.

Every driver writes lines `PROGRAM POINT WHAT NUMBER`, PROGRAM being the position in the list:
  value          f at the point
  grad[i]        the gradient, scalars in f's order, then arrays
  jvp            the derivative along the direction of `direction()`
The oracles write `oracle[i]` and `along` instead, dual numbers with the size of what was added up."""

HEADS = {"<algorithm>", "<array>", "<cmath>", "<functional>", "<numeric>", "<span>", "<utility>", "<vector>"}
KIND = {"const T&": "double", "T": "double", "single<T>": "float"}


def unit(programs):
    """The header with the programs themselves, and the line that each begins at."""
    lines = ["#pragma once", *(f"#include {head}" for head in sorted(HEADS)), "using fuzz::single;"]
    begins = []
    for p in programs:
        begins.append(len(lines) + 1)
        lines += p.text().splitlines()
    return "\n".join(lines) + "\n", begins


def direction(i):
    """Component i of the direction of forward derivatives; exact in binary."""
    return (0.75, -1.25, 0.5, 2.0, -0.375)[i % 5]


def slots(program):
    """(param, element or None) for each component of the gradient."""
    returned, shadowed = program.inputs()
    return [(p, k) for p in returned + shadowed for k in (range(p.length) if p.length else [None])]


def literals(values):
    return ", ".join(repr(float(v)) if isinstance(v, float) else str(v) for v in values)


def declare(program, type="double", wrap=lambda param, k, text: text):
    """C++ that declares the arguments of one call; `wrap` says what becomes of an input's text."""
    out = []
    for n, p in enumerate(program.params):
        rows = ", ".join("{" + literals(point[n]) + "}" for point in program.points)
        if p.kind == "integer":
            out.append(f"static const {p.type} {p.name}_at[][1] = {{{rows}}};")
            out.append(f"const {p.type} {p.name} = fuzz::opaque({p.name}_at[point][0]);")
            continue
        out.append(f"static const double {p.name}_at[][{max(1, p.length)}] = {{{rows}}};")
        if p.kind in ("array", "container"):
            items = [wrap(p, k, f"fuzz::opaque({p.name}_at[point][{k}])") for k in range(p.length)]
            if p.kind == "container":
                out.append(f"const {own_type(p, type)} {p.name} = {{{', '.join(items)}}};")
                continue
            out.append(f"const {type} {p.name}_values[{p.length}] = {{{', '.join(items)}}};")
            out.append(f"const {type}* {p.name} = {p.name}_values;")
        else:
            own = type if p.kind == "real" else "float" if type == "double" else f"single<{type}>"
            text = f"fuzz::opaque({p.name}_at[point][0])"
            if p.kind == "single" and type == "double":
                text = f"fuzz::opaque(static_cast<float>({p.name}_at[point][0]))"
            out.append(f"const {own} {p.name} = {wrap(p, None, text)};")
    return ["  " + line for line in out]


def own_type(param, type):
    """The type of a container that a call passes, which for a span is a vector."""
    return f"std::array<{type}, {param.length}>" if "std::array" in param.type else f"std::vector<{type}>"


def names(program):
    return [p.name for p in program.params]


def tangents(program):
    """(declarations, tangents of what is not shadowed, names of shadows) of the direction."""
    lines, scalars, shadows = [], [], []
    for i, (p, k) in enumerate(slots(program)):
        if k is None:
            scalars.append(f"{'float' if p.kind == 'single' else 'double'}({direction(i)})")
        elif k == 0 and p.kind == "container":
            scalars.append(f"{own_type(p, 'double')}{{{', '.join(str(direction(i + n)) for n in range(p.length))}}}")
        elif k == 0:
            parts = ", ".join(str(direction(i + n)) for n in range(p.length))
            lines.append(f"  double v_{p.name}_values[{p.length}] = {{{parts}}};")
            lines.append(f"  double* v_{p.name} = v_{p.name}_values;")
            shadows.append(f"v_{p.name}")
    return lines, scalars, shadows


def zeros(program):
    _, arrays = program.inputs()
    lines = []
    for p in arrays:
        lines += [f"  double d_{p.name}_values[{p.length}] = {{}};", f"  double* d_{p.name} = d_{p.name}_values;"]
    return lines


def show_gradient(program, what="grad"):
    _, arrays = program.inputs()
    return [f'  out.array("{what}", at, d_{p.name}, {p.length});' for p in arrays]


def main_of(programs, head, bodies):
    lines = [*head, '#include "unit.hpp"', ""]
    for i, body in enumerate(bodies):
        lines += [f"static void run{i}(fuzz::Out& out, int point) {{", *body, "}"]
    table = ", ".join(f"run{i}" for i in range(len(bodies)))
    lines += [f"static void (*const programs[])(fuzz::Out&, int) = {{{table}}};",
              f"int main(int argc, char** argv) {{ return fuzz::run(argc, argv, {len(bodies)}, programs, {len(programs[0].points)}); }}"]
    return "\n".join(lines) + "\n"


def by_plugin(programs):
    bodies = []
    for p in programs:
        f = f"tlaloc::fn<{p.name()}::f<double>>"
        shadowed = ", ".join(f"tlaloc::shadow({q.name}, d_{q.name})" if q.kind == "array" else q.name for q in p.params)
        along = [f"tlaloc::shadow({q.name}, v_{q.name})" if q.kind == "array" else q.name for q in p.params]
        lines, scalars, _ = tangents(p)
        bodies.append([*declare(p), *zeros(p), *lines,
                       f'  out.line("value", {p.name()}::f<double>({", ".join(names(p))}));',
                       "  int at = 0;",
                       f'  out.entries("grad", at, tlaloc::grad({f})({shadowed}));', *show_gradient(p),
                       f'  out.line("jvp", tlaloc::jvp({f})({", ".join(along + scalars)}));',
                       *second_gradient(p, f, shadowed)])
    return main_of(programs, ['#include "harness.hpp"', '#include "tlaloc/ad.hpp"'], bodies)


def second_gradient(program, f, shadowed):
    """value_and_grad for every other program: its value must be f's to the bit."""
    if program.seed % 2:
        return []
    _, arrays = program.inputs()
    clear = [f"  for (double& d : d_{p.name}_values) d = 0;" for p in arrays]
    return [*clear, "  at = 0;", f"  const auto both = tlaloc::value_and_grad({f})({shadowed});", '  out.line("value again", both.first);',
            '  out.entries("again", at, both.second);', *show_gradient(program, "again")]


def passed(param):
    """A parameter as the printed function takes it: an array by its data, and by its length where the type does not tell it."""
    if param.kind != "container":
        return param.name
    return f"{param.name}.data()" + ("" if "std::array" in param.type else f", std::int64_t({param.name}.size())")


def printed_entries(program, what, call, with_value):
    """Lines that show the result of a printed function in the order in which the derivative's call gives it: containers
    come back through their shadows there."""
    own = [q for q in program.params if q.kind not in ("integer", "array")]
    containers = [q for q in own if q.kind == "container"]
    if not containers:
        return [f'  out.entries("{what}", at, {call});']
    fields = ["value"] * with_value + [f"part_{q.name}" for q in own if q.kind != "container"]
    bind = f"const auto {fields[0]} = " if len(fields) == 1 else f"const auto [{', '.join(fields)}] = " if fields else ""
    parts = ["value"] * with_value + [f"std::vector<double>(d_{q.name}, d_{q.name} + {q.length})" if q.kind == "container" else f"part_{q.name}" for q in own]
    return [f"  {{ {bind}{call};", f'  out.entries("{what}", at, std::make_tuple({", ".join(parts)})); }}']


def by_text(programs, header):
    """The same numbers from the printed functions: f's parameters, then shadows (of jvp: all tangents, in f's order)."""
    bodies = []
    for p in programs:
        name = f"tlaloc::generated::{p.name()}_f_double"
        buffers = [q for q in p.params if q.kind in ("array", "container")]
        taken = [passed(q) for q in p.params]
        given = ", ".join(taken + [f"d_{q.name}" for q in buffers])
        lines, scalars, _ = tangents(p)
        scalars = iter(scalars)
        along = [f"v_{q.name}" if q.kind == "array" else next(scalars) + ".data()" * (q.kind == "container") for q in p.params if q.kind != "integer"]
        shadows = [f"  double d_{q.name}_values[{q.length}] = {{}}, *d_{q.name} = d_{q.name}_values;" for q in buffers]
        body = [*declare(p), *shadows, *lines, "  int at = 0;", *printed_entries(p, "grad", f"{name}_grad({given})", False), *show_gradient(p),
                f'  out.line("jvp", {name}_jvp({", ".join(taken + along)}));']
        if p.seed % 2 == 0:
            body += [f"  for (double& d : d_{q.name}_values) d = 0;" for q in buffers]
            body += ["  at = -1;", *printed_entries(p, "again", f"{name}_value_and_grad({given})", True), *show_gradient(p, "again")]
        bodies.append(body)
    return main_of(programs, ['#include "harness.hpp"', f'#include "{header}"'], bodies)


def oracle(programs):
    """Dual numbers: one run per component of the gradient, one along the direction."""
    D = "fuzz::Dual<double>"
    bodies = []
    for p in programs:
        place = {(q.name, k): i for i, (q, k) in enumerate(slots(p))}

        def seeded(q, k, text, place=place):
            inner = f"static_cast<float>({text})" if q.kind == "single" else text
            own = D if q.kind != "single" else f"single<{D}>"
            return f"{own}({inner}, seed({place[q.name, k]}), std::fabs(seed({place[q.name, k]})))"

        call = f"{p.name()}::f<{D}>({', '.join(names(p))})"
        count = len(place)
        weights = ", ".join(str(direction(i)) for i in range(count))
        bodies.append([f"  static const double weights[] = {{{weights}}};",
                       "  fuzz::trouble = false;",
                       f"  for (int which = 0; which <= {count}; ++which) {{",
                       f"    const auto seed = [&](int i) {{ return which == {count} ? weights[i] : i == which ? 1.0 : 0.0; }};",
                       *("  " + line for line in declare(p, D, seeded)),
                       f"    const {D} y = {call};",
                       "    if (which == 0) out.line(\"value\", y.v);",
                       f"    if (which < {count}) {{ char what[24]; std::snprintf(what, sizeof what, \"oracle[%d]\", which); out.line(what, y.d, y.size); }}",
                       "    else out.line(\"along\", y.d, y.size);",
                       "  }",
                       "  if (fuzz::trouble) out.note(\"trouble\");"])
    return main_of(programs, ['#include "dual.hpp"'], bodies)


def differences(programs):
    """Central differences in 128-bit floats."""
    Q = "fuzz::Quad"
    bodies = []
    for p in programs:
        place = {(q.name, k): i for i, (q, k) in enumerate(slots(p))}

        def moved(q, k, text, place=place):
            return f"{Q}(__float128({text}) + ({place[q.name, k]} == which ? h : 0))"

        count = len(place)
        bodies.append([f"  for (int which = 0; which < {count}; ++which) {{",
                       "    __float128 ends[2];",
                       "    for (int side = 0; side < 2; ++side) {",
                       "      const __float128 h = side ? 1e-11Q : -1e-11Q;",
                       *("    " + line for line in declare(p, Q, moved)),
                       f"      ends[side] = {p.name()}::f<{Q}>({', '.join(names(p))}).v;",
                       "    }",
                       '    out.entry("difference", which, double((ends[1] - ends[0]) / 2e-11Q));',
                       "  }"])
    return main_of(programs, ['#include "quad.hpp"'], bodies)
