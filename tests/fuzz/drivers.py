# SPDX-License-Identifier: Apache-2.0
"""The programs around the programs: for a list of random programs, the sources that print their values and derivatives.

Every driver writes lines `PROGRAM POINT WHAT NUMBER`, PROGRAM being the position in the list:
  value          f at the point
  grad[i]        the gradient, scalars in f's order, then arrays
  jvp            the derivative along the direction of `direction()`
  second[i]      the derivative of grad[i] along that direction, by jvp of grad; hessian[i], vjp[i], ...: what that transform gives
  after_x[i]     what f left in a parameter that it changes; kept_x[i]: what value_and_grad left there; moved_x[i]: its tangent
The oracles write `oracle[i]`, `along` and `curvature[i]` instead, dual numbers with the size of what was added up."""

from program import COTANGENT

HEADS = {"<algorithm>", "<array>", "<cmath>", "<functional>", "<numeric>", "<optional>", "<span>", "<tuple>", "<utility>", "<vector>"}
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


SEEDS = ("0.5", "-0.25", "1.5", "-0.75", "0.375")  # cotangents of what a program writes through a T*


def at_point(p, k=0):
    text = f"{p.name}_at[point][{k}]"
    return f"fuzz::opaque(static_cast<float>({text}))" if p.kind == "single" else f"fuzz::opaque({text})"


def afresh(program):
    """C++ that gives arguments that f changes their values back."""
    out = [f"  {p.name} = {at_point(p)};" for p in program.params if p.kind == "reference"]
    return out + [f"  for (int k = 0; k < {p.length}; ++k) {p.name}_values[k] = {at_point(p, 'k')};" for p in program.params if p.type == "T*"]


def changed(program, what, place):
    """C++ that shows what f changed; `place` tells where the numbers of a parameter are."""
    out = []
    for p in program.params:
        if p.changed():
            out.append(f'  at = 0; out.array("{what}_{p.name}", at, {place(p)}, {max(1, p.length)});')
    return out


def own(p):
    return f"&{p.name}" if p.kind == "reference" else p.name


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
        const = "" if p.changed() else "const "
        if p.length:
            items = ", ".join(wrap(p, k, at_point(p, k)) for k in range(p.length))
            if p.kind == "array":
                out.append(f"{const}{type} {p.name}_values[{p.length}] = {{{items}}};")
                out.append(f"{const}{type}* {p.name} = {p.name}_values;")
            else:
                out.append(f"const {own_type(program, p, type)} {p.name} = {{{items}}};")
        else:
            own = type if p.kind != "single" else "float" if type == "double" else f"single<{type}>"
            out.append(f"{const}{own} {p.name} = {wrap(p, None, at_point(p) if type == 'double' else f'fuzz::opaque({p.name}_at[point][0])')};")
    return ["  " + line for line in out]


def own_type(program, param, type):
    """The type of a struct or container that a call passes, which for a span is a vector."""
    if param.kind == "struct":
        return f"{program.name()}::{param.type.removeprefix('const ').split('<')[0]}<{type}>"
    return f"std::array<{type}, {param.length}>" if "std::array" in param.type else f"std::vector<{type}>"


def names(program):
    return [p.name for p in program.params]


def tangents(program):
    """(declarations, tangents of what is not shadowed, names of shadows) of the direction."""
    lines, scalars, shadows = [], [], []
    for i, (p, k) in enumerate(slots(program)):
        if k is None:
            scalars.append(f"{'float' if p.kind == 'single' else 'double'}({direction(i)})")
        elif k == 0 and p.kind in ("container", "struct"):
            scalars.append(f"{own_type(program, p, 'double')}{{{', '.join(str(direction(i + n)) for n in range(p.length))}}}")
        elif k == 0:
            parts = ", ".join(str(direction(i + n)) for n in range(p.length))
            lines.append(f"  double v_{p.name}_values[{p.length}] = {{{parts}}};")
            lines.append(f"  double* v_{p.name} = v_{p.name}_values;")
            shadows.append(f"v_{p.name}")
    return lines, scalars, shadows


def cotangents(p):
    """What the shadow of an array holds before a call in reverse mode."""
    return ", ".join(SEEDS[k % len(SEEDS)] for k in range(p.length)) if p.changed() else ""


def zeros(program):
    _, arrays = program.inputs()
    lines = []
    for p in arrays:
        lines += [f"  double d_{p.name}_values[{p.length}] = {{{cotangents(p)}}};", f"  double* d_{p.name} = d_{p.name}_values;"]
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
                       "  int at = 0;", *changed(p, "after", own), *afresh(p), "  at = 0;",
                       f'  out.entries("grad", at, tlaloc::grad({f})({shadowed}));', *show_gradient(p), *afresh(p),
                       f'  out.line("jvp", tlaloc::jvp({f})({", ".join(along + scalars)}));',
                       *changed(Arrays(p), "moved", lambda q: f"v_{q.name}"),
                       *value_and_gradient(p, f, shadowed), *transforms(p, f, shadowed, ", ".join(along + scalars), scalars)])
    return main_of(programs, ['#include "harness.hpp"', '#include "tlaloc/ad.hpp"'], bodies)


class Arrays:
    """Of a program the parameters that come with a shadow."""

    def __init__(self, program):
        self.params = [p for p in program.params if p.kind == "array"]


def value_and_gradient(program, f, shadowed):
    """value_and_grad for every other program: its value, and what it changes, must be f's to the bit."""
    if program.seed % 2:
        return []
    return [*afresh(program), *shadows_afresh(program), "  at = 0;", f"  const auto both = tlaloc::value_and_grad({f})({shadowed});",
            '  out.line("value again", both.first);', '  out.entries("again", at, both.second);', *show_gradient(program, "again"), *changed(program, "kept", own)]


def shadows_afresh(program):
    out = []
    for p in program.inputs()[1]:
        out.append(f"  {{ const double seeds[{p.length}] = {{{cotangents(p)}}}; for (int k = 0; k < {p.length}; ++k) d_{p.name}_values[k] = seeds[k]; }}")
    return out


def transforms(program, f, shadowed, along, scalars):
    """The other transforms that this program is asked for."""
    first, second, out = program.first_transform(), program.second_transform(), []
    if first:
        call = f"tlaloc::{first}({f})"
        out += [*shadows_afresh(program), "  at = 0;"]
        out += {"vjp": [f'  out.entries("vjp", at, {call}({shadowed}, {COTANGENT}));'], "jacfwd": [f'  out.entries("jacfwd", at, {call}({shadowed}));'], "jacrev": [f'  out.entries("jacrev", at, {call}({shadowed}));'],
                "value_and_vjp": [f"  const auto pulled = {call}({shadowed}, {COTANGENT});", '  out.line("transform value", pulled.first);', '  out.entries("value_and_vjp", at, pulled.second);'],
                "value_and_jvp": [f"  const auto pushed = {call}({along});", '  out.line("transform value", pushed.first);', '  out.line("value_and_jvp", pushed.second);']}[first]
        out += show_gradient(program, first) if "vjp" in first.replace("jvp", "") else []
    if second:
        given, number = ", ".join(names(program)), next(i for i, p in enumerate(program.params) if p.kind == "real")
        tangent, n = ", ".join(names(program) + scalars), len(slots(program))
        out += ["  at = 0;"]
        out += {"jvp of grad": [f'  out.entries("second", at, tlaloc::jvp(tlaloc::grad({f}))({tangent}));'], "hvp": [f'  out.entries("hvp", at, tlaloc::hvp({f})({tangent}));'],
                "hessian": [f"  const auto H = tlaloc::hessian({f})({given});", f'  for (int k = 0; k < {n * n}; ++k) out.entry("hessian", k, fuzz::element(H, k / {n}, k % {n}));'],
                "grad of grad": [f'  out.entries("grad of grad", at, tlaloc::grad(tlaloc::grad<{number}>({f}))({given}));'],
                "grad of jvp": [f'  out.entries("grad of jvp", at, tlaloc::grad(tlaloc::jvp({f}))({tangent}));']}[second]
    return out


def passed(param):
    """A parameter as the printed function takes it: an array by its data, and by its length where the type does not tell
    it; the fields of a struct; the address of what it changes."""
    if param.kind == "struct":
        return ", ".join(f"{param.name}.{field}" for field in param.fields)
    if param.kind != "container":
        return own(param)
    return f"{param.name}.data()" + ("" if "std::array" in param.type else f", std::int64_t({param.name}.size())")


def printed_entries(program, what, call, with_value):
    """Lines that show the result of a printed function in the order in which the derivative's call gives it: containers
    and references come back through their shadows there."""
    params = [q for q in program.params if q.kind not in ("integer", "array")]
    behind = {"container": lambda q: f"std::vector<double>(d_{q.name}, d_{q.name} + {q.length})", "reference": lambda q: f"d_{q.name}[0]"}
    fields, parts = ["value"] * with_value, ["value"] * with_value
    for q in params:
        mine = [] if q.kind in behind else [f"part_{q.name}_{field}" for field in q.fields] or [f"part_{q.name}"]
        fields += mine
        parts += [behind[q.kind](q)] if q.kind in behind else mine
    bind = f"const auto {fields[0]} = " if len(fields) == 1 else f"const auto [{', '.join(fields)}] = " if fields else ""
    return [f"  {{ {bind}{call};", f'  out.entries("{what}", at, std::make_tuple({", ".join(parts)})); }}']


def printed_tangent(q, scalars):
    """The tangent of a parameter as the printed jvp takes it."""
    if q.kind == "array":
        return f"v_{q.name}"
    text = next(scalars)
    if q.kind == "struct":
        return text[text.index("{") + 1:-1]
    return f"&v_{q.name}" if q.kind == "reference" else text + ".data()" * (q.kind == "container")


def by_text(programs, header):
    """The same numbers from the printed functions: f's parameters, then shadows (of jvp: all tangents, in f's order)."""
    bodies = []
    for p in programs:
        name = f"tlaloc::generated::{p.name()}_f_double"
        buffers = [q for q in p.params if q.kind in ("array", "container", "reference")]
        taken = [passed(q) for q in p.params]
        given = ", ".join(taken + [f"d_{q.name}" for q in buffers])
        lines, scalars, _ = tangents(p)
        lines += [f"  double v_{q.name} = {text};" for q, text in zip([q for q in p.params if q.kind not in ("integer", "array")], scalars) if q.kind == "reference"]
        along = [printed_tangent(q, given_scalars) for given_scalars in [iter(scalars)] for q in p.params if q.kind != "integer"]
        shadows = [f"  double d_{q.name}_values[{max(1, q.length)}] = {{{cotangents(q)}}}, *d_{q.name} = d_{q.name}_values;" for q in buffers]
        body = [*declare(p), *shadows, *lines, "  int at = 0;", *printed_entries(p, "grad", f"{name}_grad({given})", False), *show_gradient(p), *afresh(p),
                f'  out.line("jvp", {name}_jvp({", ".join(taken + along)}));', *changed(Arrays(p), "moved", lambda q: f"v_{q.name}")]
        if p.seed % 2 == 0:
            body += [*afresh(p), *shadows_afresh(p), *(f"  for (double& d : d_{q.name}_values) d = 0;" for q in buffers if q.kind != "array")]
            body += ["  at = -1;", *printed_entries(p, "again", f"{name}_value_and_grad({given})", True), *show_gradient(p, "again"), *changed(p, "kept", own)]
        if p.second_transform() == "jvp of grad":
            body += ["  at = 0;", *printed_entries(p, "second", f"{name}_grad_jvp({', '.join(taken + along)})", False)]
        bodies.append(body)
    return main_of(programs, ['#include "harness.hpp"', f'#include "{header}"'], bodies)


def with_outputs(program, call, type):
    """C++ that computes y, and `total`: y and what the program writes through T*, weighted like their cotangents."""
    outputs = [f" + {SEEDS[k % len(SEEDS)]} * {p.name}[{k}]" for p in program.params if p.type == "T*" for k in range(p.length)]
    return [f"    const {type} y = {call};", f"    const {type} total = y{''.join(outputs)};"]


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
                       *with_outputs(p, call, D),
                       '    if (which == 0) out.line("value", y.v);',
                       f'    if (which < {count}) out.line("oracle", which, total.d, total.size);',
                       '    else out.line("along", y.d, y.size);',
                       *("    if (which == 0) " + line for line in shown(p, "after", ".v")), *(f"    if (which == {count}) " + line for line in shown(p, "moved", ".d")),
                       "  }",
                       '  if (fuzz::trouble) out.note("trouble");', *second_differences(p, D, call)])
    return main_of(programs, ['#include "dual.hpp"'], bodies)


def shown(program, what, member):
    params = [p for p in program.params if p.changed() and (what == "after" or p.kind == "array")]
    return [f"for (int k = 0; k < {max(1, p.length)}; ++k) out.entry(\"{what}_{p.name}\", k, {own(p)}[k]{member});".replace("&" + p.name + "[k]", p.name) for p in params]


def second_differences(program, D, call):
    """The derivative of each component of the gradient along the direction: differences of fourth order of dual numbers,
    with two steps, so that where they disagree (a branch is near) nothing is said."""
    if not program.second_transform():
        return []
    place = {(q.name, k): i for i, (q, k) in enumerate(slots(program))}
    count = len(place)

    def moved(q, k, text):
        i = place[q.name, k]
        return f"{D}({text} + step * {direction(i)}, which == {i} ? 1.0 : 0.0, which == {i} ? 1.0 : 0.0)"

    return [f"  for (int which = 0; which < {count}; ++which) {{",
            "    const auto slope = [&](double step) {",
            *("    " + line for line in declare(program, D, moved)),
            f"      return {call}.d;",
            "    };",
            '    out.line("curvature", which, fuzz::difference(slope, 2e-4), fuzz::difference(slope, 1e-4));',
            "  }"]


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
                       *("  " + line for line in with_outputs(p, f"{p.name()}::f<{Q}>({', '.join(names(p))})", Q)),
                       "      ends[side] = total.v;",
                       "    }",
                       '    out.entry("difference", which, double((ends[1] - ends[0]) / 2e-11Q));',
                       "  }"])
    return main_of(programs, ['#include "quad.hpp"'], bodies)
