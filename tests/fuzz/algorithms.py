# SPDX-License-Identifier: Apache-2.0
"""Level 2: <algorithm> and <numeric> over the stores of containers.py, with comparators and lambdas that read the program."""
from classes import THEMES_2
from containers import THEMES_4, ContainerGenerator, Holes
from expressions import Var
from functions import THEMES
from groups import THEMES_3

THEMES_5 = ["sort", "rotate and partition", "copied by algorithm", "scan", "reduction", "extreme element", "search"]


class AlgorithmGenerator(ContainerGenerator):
    themes_of_level = THEMES + THEMES_2 + THEMES_3 + THEMES_4 + THEMES_5

    def ends(self, z):
        return f"{z}.begin(), {z}.end()"

    def less(self, element, names=("a", "b")):
        """A comparator of elements."""
        a, b = (self.name(n) for n in names)
        part = self.rng.choice(element.parts)
        return f"[](const {element.type}& {a}, const {element.type}& {b}) {{ return {a}{part} {self.rng.choice('<>')} {b}{part}; }}"

    def test(self, element, e):
        """A predicate of an element."""
        return f"[&](const {element.type}& {e}) {{ return {self.part(element, e)} {self.rng.choice('<>')} {self.rng.choice(['0.2', '-0.1', '0.55'])}; }}"

    def over_element(self, element, extra=(), limit=2):
        """(name of a parameter, a real of it and of the program)."""
        e = self.name("e")
        with self.only([e + part for part in element.parts] + list(extra)):
            return e, self.real(2, limit)

    def sort_store(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h = self.elements[z.elements], z.name, Holes()
        self.features.add("sort")
        lines = [f"std::sort({self.ends(z)}, {self.less(element)});", f"std::stable_sort({self.ends(z)}, {self.less(element)});",
                 # the order of the rest is the library's own
                 f"std::partial_sort({z}.begin(), {z}.begin() + 1, {z}.end(), {self.less(element)}); {z}.erase({z}.begin() + 1, {z}.end());",
                 f"std::nth_element({z}.begin(), {z}.begin() + {z}.size() / 2, {z}.end(), {self.less(element)}); {z}.front() = {z}[{z}.size() / 2]; {z}.erase({z}.begin() + 1, {z}.end());"]
        if element.type == "T":
            lines += [f"std::sort({self.ends(z)});", f"std::sort({self.ends(z)}, std::greater<T>());"]
        # Elements that are copies of each other would tie.
        return before + [h.statement(f"for (std::size_t i{z} = 0; i{z} < {z}.size(); ++i{z}) {self.spread(element, z, h)}", self.rng.choice(lines))]

    def spread(self, element, z, h):
        """Makes copies of an element different."""
        return "{ " + " ".join(f"{z}[i{z}]{part} += {0.01171875 * (n + 1)} * i{z} * {h(self.real(0, 2))};" for n, part in enumerate(element.parts[:2])) + " }"

    def rotate_store(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, e, h = self.elements[z.elements], z.name, self.name("e"), Holes()
        self.features.add("rotate and partition")
        lines = [f"std::rotate({z}.begin(), {self.position(z)}, {z}.end());", f"std::reverse({self.ends(z)});", f"std::iter_swap({z}.begin(), {z}.end() - 1);",
                 f"std::partition({self.ends(z)}, {self.test(element, e)});",
                 f"std::swap_ranges({z}.begin(), {z}.begin() + {z}.size() / 2, {z}.begin() + ({z}.size() + 1) / 2);", f"std::rotate({z}.rbegin(), {z}.rbegin() + 1, {z}.rend());",
                 f"std::copy({z}.begin() + 1, {z}.end(), {z}.begin());"]
        if element.given < 3 and element.type != "std::vector<T>":  # what is moved from may be read
            lines.append(f"std::move({z}.begin() + {z}.size() / 2, {z}.end(), {z}.begin());")
        line = self.rng.choice(lines)
        if self.chance(0.3):
            start = self.rng.choice([f"std::replace_if({self.ends(z)}, {self.test(element, e)}", f"std::fill_n({z}.begin(), 1"])
            line = f"{start}, {self.fresh(element, h)});"
        return before + [h.statement(line)]

    def copy_by_algorithm(self, ctx):
        before, (z,) = self.some_store(ctx)
        kind, z, h, t = z.elements, z.name, Holes(), self.name("z")
        element, form = self.elements[kind], self.rng.choice(["copy_if", "copy", "transform", "to numbers", "remove_copy_if", "generate", "merge", "reverse_copy"])
        self.features.add("copied by algorithm")
        type = f"std::vector<{element.type}>"
        if form == "to numbers":
            e, value = self.over_element(element)
            self.add_store(t, "number")
            return before + [h.statement(f"std::vector<T> {t};", f"std::transform({self.ends(z)}, std::back_inserter({t}), [&](const {element.type}& {e}) {{ return T({h(value)}); }});", declares=[t, e])]
        if form == "transform":
            e, value = self.over_element(element)
            line = f"std::transform({self.ends(z)}, {t}.begin(), [&]({element.type} {e}) {{ {self.part(element, e)} *= {h(value)}; return {e}; }});"
            self.add_store(t, kind)
            return before + [h.statement(f"{type} {t}({z}.size(){', ' + element.make.replace('@', 'T(0.5)') if kind in ('vector', 'row') else ''});", line, declares=[t, e])]
        e = self.name("e")
        inserter = self.rng.choice([f"std::back_inserter({t})", f"std::inserter({t}, {t}.begin())"])
        line = {"copy_if": f"std::copy_if({self.ends(z)}, {inserter}, {self.test(element, e)});", "copy": f"std::copy({self.ends(z)}, {inserter});",
                "remove_copy_if": f"std::remove_copy_if({self.ends(z)}, {inserter}, {self.test(element, e)});",
                "generate": f"std::generate_n(std::back_inserter({t}), 2, [&] {{ return {z}.back(); }});", "merge": f"std::copy({z}.rbegin(), {z}.rend(), {inserter});",
                "reverse_copy": f"std::reverse_copy({self.ends(z)}, {inserter});"}[form]
        again = f"{t}.push_back({self.fresh(element, h)});"
        self.add_store(t, kind)
        return before + [h.statement(f"{type} {t};", line, again, declares=[t, e])]

    def scan(self, ctx):
        before, (z,) = self.some_store(ctx, kind="number")
        z, h, a, b = z.name, Holes(), self.name("v"), self.name("v")
        self.features.add("scan")
        with self.only([a, b]):
            value = self.real(2, 1)
        out, into = self.rng.choice([("", f"{z}.begin()"), (f"std::vector<T> t{z}({z}.size()); ", f"t{z}.begin()"), (f"std::vector<T> t{z}; ", f"std::back_inserter(t{z})")])
        form = self.rng.choice(["partial_sum", "partial_sum with", "adjacent_difference", "adjacent_difference with", "inclusive_scan", "exclusive_scan", "iota"])
        call = {"partial_sum": lambda: f"std::partial_sum({self.ends(z)}, {into});", "adjacent_difference": lambda: f"std::adjacent_difference({self.ends(z)}, {into});",
                "partial_sum with": lambda: f"std::partial_sum({self.ends(z)}, {into}, [&](T {a}, T {b}) {{ return T(0.5 * {a} + {h(value)}); }});",
                "adjacent_difference with": lambda: f"std::adjacent_difference({self.ends(z)}, {into}, [&](T {a}, T {b}) {{ return T({a} * 0.5 - {h(value)}); }});",
                "inclusive_scan": lambda: f"std::inclusive_scan({self.ends(z)}, {into});", "exclusive_scan": lambda: f"std::exclusive_scan({self.ends(z)}, {into}, T({h(self.real(1, 2))}));",
                "iota": lambda: f"std::iota({self.ends(z)}, T({h(self.real(1, 2))}));"}[form]()
        back = f" {z} = t{z};" if out and form != "iota" else ""
        return before + [h.statement(f"{{ {out if form != 'iota' else ''}{call}{back} for (T& e{z} : {z}) e{z} *= 0.5; }}", declares=[])]

    def reduction(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h, v, s = self.elements[z.elements], z.name, Holes(), self.name("v"), self.name("v")
        self.features.add("reduction")
        e, value = self.over_element(element, [s], 1)
        form = self.rng.choice(["accumulate", "inner_product", "transform_reduce", "for_each", "pointer"] + ["reduce"] * (element.type == "T"))
        type, part = element.type, self.rng.choice(element.parts)
        call = {"accumulate": lambda: f"std::accumulate({self.ends(z)}, T({h(self.real(1, 2))}), [&](T {s}, const {type}& {e}) {{ return T(0.5 * {s} + {h(value)}); }})",
                "inner_product": lambda: f"std::inner_product({self.ends(z)}, {z}.rbegin(), T({h(self.real(1, 2))}), std::plus<>(), [&](const {type}& {e}, const {type}& {s}o) {{ const T {s} = {s}o{part}; return T({h(value)}); }})",
                "transform_reduce": lambda: f"std::transform_reduce({self.ends(z)}, T({h(self.real(1, 2))}), std::plus<>(), [&](const {type}& {e}) {{ const T {s} = {e}{part}; return T({h(value)}); }})",
                "reduce": lambda: f"std::reduce({self.ends(z)}, T({h(self.real(1, 2))}))",
                "pointer": lambda: f"std::accumulate({z}.data(), {z}.data() + 1, T(0), [&](T {s}, const {type}& {e}) {{ return T({s} + {h(value)}); }})",
                "for_each": lambda: f"[&] {{ T {s} = 0.5; std::for_each({self.ends(z)}, [&](const {type}& {e}) {{ {s} += {h(value)}; }}); return {s}; }}()"}[form]()
        self.vars.append(Var(v, "real", "T", 8))
        return before + [h.statement(f"T {v} = {call};", declares=[v, e, s])]

    def extreme(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h, v, q = self.elements[z.elements], z.name, Holes(), self.name("v"), self.name("q")
        self.features.add("extreme element")
        less = self.less(element)
        spread = f"for (std::size_t i{z} = 0; i{z} < {z}.size(); ++i{z}) {self.spread(element, z, h)}"
        form = self.rng.choice(["max_element", "min_element", "minmax_element", "changed", "index"])
        part = self.rng.choice(element.parts)
        lines = {"max_element": [f"T {v} = (*std::max_element({self.ends(z)}, {less})){part};"], "min_element": [f"T {v} = std::min_element({self.ends(z)}, {less})->{part[1:]};"] if part.startswith(".") else
                 [f"T {v} = (*std::min_element({self.ends(z)}, {less})){part};"],
                 "minmax_element": [f"const auto {q} = std::minmax_element({self.ends(z)}, {less});", f"T {v} = (*{q}.first){part} * (*{q}.second){part};"],
                 "changed": [f"auto {q} = std::max_element({self.ends(z)}, {less});", f"(*{q}){part} *= 0.5;", f"T {v} = (*{q}){part};"],
                 "index": [f"const auto {q} = std::min_element({self.ends(z)}, {less}) - {z}.begin();", f"T {v} = {z}[{q}]{part} * (1 + {q});"]}[form]
        self.vars.append(Var(v, "real", "T", 8))
        return before + [h.statement(spread, *lines, declares=[v, q])]

    def search(self, ctx):
        before, (z,) = self.some_store(ctx)
        element, z, h, v, e, q = self.elements[z.elements], z.name, Holes(), self.name("v"), self.name("e"), self.name("q")
        self.features.add("search")
        part = self.rng.choice(element.parts)
        x, test = h(self.real(1, 2)), self.test(element, e)
        form = self.rng.choice(["find_if", "any_of", "all_of", "count_if", "lower_bound", "upper_bound"])
        spread = ""
        if form.endswith("bound"):
            spread = f"for (std::size_t i{z} = 0; i{z} < {z}.size(); ++i{z}) {{ {z}[i{z}]{part} *= 0.015625; {z}[i{z}]{part} += 0.5 * i{z}; }}"
        lines = {"find_if": [f"if (auto {q} = std::find_if({self.ends(z)}, {test}); {q} != {z}.end()) {v} += (*{q}){part} * ({q} - {z}.begin() + 1);"],
                 "any_of": [f"if (std::any_of({self.ends(z)}, {test})) {v} *= 0.75 * {z}.front(){part};"], "all_of": [f"{v} *= std::all_of({self.ends(z)}, {test}) ? {z}.back(){part} : T(0.5);"],
                 "count_if": [f"{v} *= std::count_if({self.ends(z)}, {test});"],
                 "lower_bound": [spread, f"const auto {q} = std::lower_bound({self.ends(z)}, 0.3, [](const {element.type}& {e}, double limit) {{ return {e}{part} < limit; }}) - {z}.begin();", f"{v} *= 1 + {q};"],
                 "upper_bound": [spread, f"const auto {q} = std::upper_bound({self.ends(z)}, 0.3, [](double limit, const {element.type}& {e}) {{ return limit < {e}{part}; }}) - {z}.begin();", f"{v} *= 1 + {q};"]}[form]
        self.vars.append(Var(v, "real", "T", 8))
        return before + [h.statement(f"T {v} = {x};", *lines, declares=[v, q, e])]

    def makers_of(self):
        return {**super().makers_of(), "sort": self.sort_store, "rotate and partition": self.rotate_store, "copied by algorithm": self.copy_by_algorithm, "scan": self.scan,
                "reduction": self.reduction, "extreme element": self.extreme, "search": self.search}

    def more_statements(self, ctx):
        out = super().more_statements(ctx)
        return out + [(1, make, "") for make in (self.sort_store, self.rotate_store, self.copy_by_algorithm, self.reduction, self.extreme, self.search)] if self.stores() else out
