# SPDX-License-Identifier: Apache-2.0
"""Level 2: expressions with effects, in every order that C++17 lays down: the right side of an assignment before the left,
operands of && || , ?: << and of braces from left to right. Operands of + or of a call have no order and are given none."""
from algorithms import THEMES_5, AlgorithmGenerator
from classes import THEMES_2
from containers import THEMES_4, Holes
from expressions import Var
from functions import THEMES
from groups import THEMES_3
from program import Raw

THEMES_6 = ["right side first", "compound with effects", "condition with effects", "conditional place", "exchange", "tie", "braces in order", "comma", "index with effects", "place from a call"]
EFFECTS = """template <class T>
T bump(T& x, T by) {
  x += 0.5 * by;
  return x * by;
}
template <class T>
T& choose(T& x, T& y, bool first) { return first ? x : y; }
template <class T>
struct Log {
  T sum = 0;
  Log& operator<<(T x) {
    sum = 0.5 * sum + x;
    return *this;
  }
};
template <class T>
struct Three {
  T a, b, c;
};"""


class OrderGenerator(AlgorithmGenerator):
    themes_of_level = THEMES + THEMES_2 + THEMES_3 + THEMES_4 + THEMES_5 + THEMES_6

    def more_functions(self):
        super().more_functions()
        if self.themes & set(THEMES_6):
            self.functions.append(Raw(EFFECTS, "bump"))

    def two_places(self, ctx):
        """(statements, names of two variables that are written)"""
        before = []
        while len(found := [v for v in self.vars if v.kind == "real" and v.writable and v.type == "T" and v.name.isidentifier()]) < 2:
            before += self.declare_real(ctx)
        return before, *(v.name for v in self.rng.sample(found, 2))

    def make_order(self, theme, forms):
        """A maker of statements out of (text with two variables x and y, a place r for a result, and holes)."""
        def statement(ctx):
            before, x, y = self.two_places(ctx)
            h, r = Holes(), self.name("v")
            self.features.add(theme)
            lines = self.rng.choice(forms)(x, y, r, h)
            if any(line.startswith(f"T {r} =") for line in lines):
                self.vars.append(Var(r, "real", "T", 8))
            # what was changed stays tame in loops
            return before + [h.statement(*lines, *(f"{name} = std::sin({name});" for name in (x, y)), declares=[r])]
        return statement

    def value(self, h, limit=1):
        return h(self.real(1, limit))

    def order_forms(self):
        e = self.value
        return {
            "right side first": [
                lambda x, y, r, h: [f"{x} = bump({x}, T({e(h)}));"],
                lambda x, y, r, h: [f"T {r} = {y};", f"{r} = ({y} = {e(h)}, {y} * 2);", f"{r} += {y};"],
                lambda x, y, r, h: [f"{x} = {y} = bump({y}, T({e(h)}));"],
                lambda x, y, r, h: [f"T a{r}[3] = {{{e(h)}, {e(h)}, 1}};", f"int k{r} = 0;", f"a{r}[k{r}] = (k{r} = 2, {x} + a{r}[0]);", f"T {r} = a{r}[0] - 2 * a{r}[2];"],
                lambda x, y, r, h: [f"std::vector<T> z{r}(2, {e(h)});", f"z{r}[0] = (z{r}[0] += {x}, z{r}.back() * 2);", f"T {r} = z{r}[0] * z{r}[1];"]],
            "compound with effects": [
                lambda x, y, r, h: [f"{x} += bump({x}, T({e(h)}));"], lambda x, y, r, h: [f"{x} *= ({x} = {e(h)}, {x} + 2);"],
                lambda x, y, r, h: [f"{x} -= bump({y}, {x});", f"{y} *= bump({x}, {y});"], lambda x, y, r, h: [f"({x} += {e(h)}) *= {y};"], lambda x, y, r, h: [f"{x} += {y} -= {x} *= {e(h)};"],
                lambda x, y, r, h: [f"(++{x}) *= {e(h)};", f"{y} += {x}++;"], lambda x, y, r, h: [f"T a{r}[2] = {{{x}, {e(h)}}};", f"T* p{r} = a{r};", f"*p{r}++ += bump(*p{r}, {y});", f"T {r} = a{r}[0] * a{r}[1] + *p{r};"]],
            "condition with effects": [
                lambda x, y, r, h: [f"if (bump({x}, T({e(h)})) > 0.1 && bump({y}, {x}) < 0.7) {x} -= {y};"], lambda x, y, r, h: [f"if (bump({x}, {y}) > 0.4 || bump({y}, T({e(h)})) > 0.2) {y} += 0.5 * {x};"],
                lambda x, y, r, h: [f"T {r} = ({x} *= {e(h)}) > 0.3 ? bump({y}, {x}) : bump({x}, {y});"], lambda x, y, r, h: [f"const bool b{r} = ({x} += {e(h)}) < 0.2 || ({y} -= {x}) > 0.3;", f"T {r} = b{r} ? {x} : {y} * 2;"],
                lambda x, y, r, h: [f"int k{r} = 0;", f"while (k{r}++ < 3 && bump({x}, T({e(h)})) < 0.9) {y} -= 0.25 * {x};"],
                lambda x, y, r, h: [f"if (T {r}c = bump({x}, T({e(h)})); {r}c > {y}) {y} = {r}c;", f"else {x} = 2 * {r}c;"]],
            "conditional place": [
                lambda x, y, r, h: [f"({h(self.condition())} ? {x} : {y}) += {e(h)};"], lambda x, y, r, h: [f"({x} < {y} ? {x} : {y}) = bump({x} > 0.3 ? {y} : {x}, T({e(h)}));"],
                lambda x, y, r, h: [f"T a{r}[2] = {{{x}, {y}}};", f"({h(self.condition())} ? a{r}[0] : {x}) *= {e(h)};", f"T {r} = a{r}[0] - {x} * a{r}[1];"],
                lambda x, y, r, h: [f"T* p{r} = &({h(self.condition())} ? {x} : {y});", f"*p{r} += {e(h)};"], lambda x, y, r, h: [f"bump({h(self.condition())} ? {x} : {y}, T({e(h)}));"]],
            "exchange": [
                lambda x, y, r, h: [f"T {r} = std::exchange({x}, {e(h)});"], lambda x, y, r, h: [f"{y} += std::exchange({x}, {y} * {e(h)});"], lambda x, y, r, h: [f"{x} = std::exchange({y}, {x});"],
                lambda x, y, r, h: [f"T {r} = std::exchange({x}, std::exchange({y}, T({e(h)})));"], lambda x, y, r, h: [f"std::array<T, 2> a{r}{{{x}, {y}}};", f"T {r} = std::exchange(a{r}, std::array<T, 2>{{{e(h)}, {e(h)}}})[0];", f"{r} *= a{r}[1];"]],
            "tie": [
                lambda x, y, r, h: [f"std::tie({x}, {y}) = std::make_tuple({y}, {x} * {e(h)});"], lambda x, y, r, h: [f"std::tie({x}, std::ignore) = std::pair<T, T>({e(h)}, {y});"],
                lambda x, y, r, h: [f"int k{r} = 0;", f"std::tie(k{r}, {y}) = std::pair<int, T>(3, {x} - {e(h)});", f"T {r} = k{r} * {y};"], lambda x, y, r, h: [f"T {r} = std::tie({x}, {y}) < std::tie({y}, {x}) ? {x} : T({e(h)});"],
                lambda x, y, r, h: [f"std::tie({x}, {y}) = [&] {{ return std::pair<T, T>({y} + {e(h)}, {x}); }}();"]],
            "braces in order": [
                lambda x, y, r, h: [f"const T a{r}[3] = {{bump({x}, T({e(h)})), {x}, bump({x}, {y})}};", f"T {r} = a{r}[0] - a{r}[1] * a{r}[2];"], lambda x, y, r, h: [f"Three<T> t{r}{{{x} += {e(h)}, {x} * 2, bump({y}, {x})}};", f"T {r} = t{r}.a + t{r}.b * t{r}.c;"],
                lambda x, y, r, h: [f"std::vector<T> z{r}{{bump({x}, T({e(h)})), {x}}};", f"z{r} = {{z{r}.back(), bump({y}, z{r}[0]), {y}}};", f"T {r} = z{r}[0] - z{r}[1] * z{r}[2];"], lambda x, y, r, h: [f"std::pair<T, T> t{r}{{{x}++, {x}}};", f"T {r} = t{r}.first * t{r}.second;"],
                lambda x, y, r, h: [f"Three<T> t{r}{{.a = bump({x}, T({e(h)})), .c = {x}}};", f"T {r} = t{r}.a + t{r}.b - t{r}.c;"], lambda x, y, r, h: [f"T {r} = std::max({{bump({x}, T({e(h)})), {x} + 0.1, {y}}});"]],
            "comma": [
                lambda x, y, r, h: [f"T {r} = ({x} += {e(h)}, {y} *= {x}, {x} + {y});"], lambda x, y, r, h: [f"for (int i{r} = 0, j{r} = 3; i{r} < j{r}; ++i{r}, {x} -= {e(h)}, --j{r}) {y} += 0.25 * {x};"],
                lambda x, y, r, h: [f"Log<T> log{r};", f"log{r} << {x} << bump({x}, T({e(h)})) << {x};", f"T {r} = log{r}.sum;"], lambda x, y, r, h: [f"({h(self.condition())}, {x}) *= {e(h)};"]],
            "index with effects": [
                lambda x, y, r, h: [f"T a{r}[4] = {{{x}, {e(h)}, {y}, 1}};", f"int k{r} = 1;", f"a{r}[k{r}++] += a{r}[k{r}] * {e(h)};", f"a{r}[k{r} = 3] -= a{r}[k{r}] * {x};", f"T {r} = a{r}[1] + a{r}[2] * a{r}[3];"],
                lambda x, y, r, h: [f"std::vector<T> z{r}(3, {e(h)});", f"std::size_t k{r} = 0;", f"while (k{r} < z{r}.size()) z{r}[k{r}++] *= {x} + k{r};", f"T {r} = z{r}[0] * z{r}[2];"],
                lambda x, y, r, h: [f"const T a{r}[3] = {{{x}, {y}, {e(h)}}};", f"const T* p{r} = a{r};", f"T {r} = *p{r}++;", f"{r} = {r} * *p{r}++;", f"{r} -= *p{r}--;", f"{r} += *p{r};"],
                lambda x, y, r, h: [f"std::array<T, 3> a{r}{{{x}, {e(h)}}};", f"int k{r} = 2;", f"a{r}[k{r}--] = a{r}[k{r}] + {y};", f"a{r}[--k{r}] *= 2;", f"T {r} = a{r}[0] + a{r}[1] * a{r}[2];"]],
            "place from a call": [
                lambda x, y, r, h: [f"choose({x}, {y}, {h(self.condition())}) = bump({x}, T({e(h)}));"], lambda x, y, r, h: [f"choose({x}, {y}, {x} < {y}) *= {e(h)};", f"T {r} = choose({x}, {y}, false);"],
                lambda x, y, r, h: [f"T a{r}[2] = {{{x}, {e(h)}}};", f"choose(a{r}[0], choose({x}, {y}, {h(self.condition())}), {y} > 0.2) += {e(h)};", f"T {r} = a{r}[0] * {x};"],
                lambda x, y, r, h: [f"auto at{r} = [&](int k) -> T& {{ return k % 2 ? {x} : {y}; }};", f"at{r}({h(self.within(self.integer(1), 4))}) += {e(h)};", f"at{r}(1) *= at{r}(2);"],
                lambda x, y, r, h: [f"std::swap(choose({x}, {y}, {h(self.condition())}), {x});", f"bump(choose({y}, {x}, true), T({e(h)}));"]]}

    def makers_of(self):
        return {**super().makers_of(), **{theme: self.make_order(theme, forms) for theme, forms in self.order_forms().items()}}

    def more_statements(self, ctx):
        out = super().more_statements(ctx)
        mine = self.themes & set(THEMES_6)
        return out + [(2, self.makers_of()[theme], "") for theme in sorted(mine)] if mine and ctx.depth > 0 else out
