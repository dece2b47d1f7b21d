# SPDX-License-Identifier: Apache-2.0
"""Level 2: std::array, vector, span, algorithms, structs with members, methods and operators, lambdas with captures.
Members of an object are variables like others ("s5.x"), elements of a container are elements of an array."""
import contextlib

from callables import Callables
from expressions import Var
from functions import THEMES
from program import Block, Expr, Param, Raw, Stmt
from statements import MAX_TRIPS, Context

THEMES_2 = ["std::array", "std::vector", "push_back", "resize", "std::span", "struct", "method", "operator", "nested struct", "struct result", "lambda by value",
            "lambda by reference", "lambda passed on", "immediate lambda", "algorithm", "iterator", "structured binding", "container parameter",
            "if constexpr", "functor", "overload", "constants and enums", "vector member", "struct by reference", "struct parameter", "in-out parameter"]


class Struct:
    """A struct template of this program. `fields`: (type, name), T or T[n] or another struct's name."""

    def __init__(self, name, fields, methods=()):
        self.name, self.fields, self.methods = name, fields, list(methods)
        self.maker = None  # a function from such a struct to another


class ClassGenerator(Callables):
    themes_of_level, mean_budget, theme_count = THEMES + THEMES_2, -6, 11
    aside = 0.25

    def __init__(self, seed, wanted=None, themes=(), only=()):
        super().__init__(seed, wanted, themes, only)
        self.structs, self.frozen = [], set()  # frozen: vectors that something points into
        self.twice, self.fixed, self.mix, self.kinds, self.functors, self.mover = False, None, None, None, [], None  # functions of this program

    # --- structs ---
    def more_functions(self):
        if "functor" in self.themes:
            self.functor()
        if "overload" in self.themes:
            self.overloads()
        if "constants and enums" in self.themes:
            self.constants()
        if "vector member" in self.themes:
            self.vector_member()
        wanted = {"struct", "method", "operator", "nested struct", "struct result", "struct by reference", "struct parameter"} & self.themes
        if not wanted and not self.chance(0.1):
            return
        self.plain_struct()
        if "struct by reference" in self.themes:
            self.struct_by_reference()
        if "method" in self.themes or self.chance(0.2):
            self.state_class()
        if "nested struct" in self.themes:
            self.nested_struct()
        if "struct result" in self.themes:
            self.maker()

    def expression_over(self, names, depth=2, limit=2.0):
        """A random real of these names only."""
        with self.scope():
            self.vars = [Var(name, "real", "T", 2) for name in names]
            helpers, self.helpers = self.helpers, []
            e = self.real(depth, limit)
            self.helpers = helpers
            return str(e)

    def plain_struct(self):
        name = self.name("Vec")
        x, y = self.name("c"), self.name("c")
        text = f"""template <class T>
struct {name} {{
  T {x}, {y};
  T norm() const {{ return std::sqrt(0.5 + {x} * {x} + {y} * {y}); }}
  {name}& operator+=(const {name}& o) {{
    {x} += o.{x};
    {y} += 0.5 * o.{y};
    return *this;
  }}
}};
template <class T>
{name}<T> operator+(const {name}<T>& a, const {name}<T>& b) {{ return {{a.{x} + b.{x}, a.{y} + b.{y}}}; }}
template <class T>
{name}<T> operator-(const {name}<T>& a) {{ return {{-a.{x}, -a.{y}}}; }}
template <class T>
{name}<T> operator*(const T& s, const {name}<T>& a) {{ return {{s * a.{x}, {self.expression_over(["s", "a." + y])}}}; }}
template <class T>
T operator*(const {name}<T>& a, const {name}<T>& b) {{ return a.{x} * b.{x} + a.{y} * b.{y}; }}"""
        self.functions.append(Raw(text, name))
        self.structs.append(Struct(name, [("T", x), ("T", y)]))

    def state_class(self):
        """A class with private state: a constructor, a method that changes it, one that reads it."""
        name = self.name("State")
        text = f"""template <class T>
class {name} {{
 public:
  explicit {name}(T a) : a_(a), b_({self.expression_over(["a"])}) {{}}
  void step(T t) {{
    a_ = {self.expression_over(["a_", "b_", "t"])};
    if (a_ < t) b_ += 0.5 * {self.expression_over(["a_", "t"])};
    ++count_;
  }}
  T energy() const {{ return {self.expression_over(["a_", "b_"])} + 0.25 * count_; }}
  const T& first() const {{ return a_; }}

 private:
  T a_, b_;
  int count_ = 0;
}};"""
        self.functions.append(Raw(text, name))
        self.structs.append(Struct(name, [], ["step", "energy", "first"]))

    def nested_struct(self):
        inner = next(s for s in self.structs if s.name.startswith("Vec"))
        name, part, list_, scale = self.name("Body"), self.name("c"), self.name("c"), self.name("c")
        text = f"""template <class T>
struct {name} {{
  {inner.name}<T> {part};
  T {list_}[2];
  T {scale} = 0.5;
  T total() const {{ return {scale} * ({part}.{inner.fields[0][1]} + {list_}[0] * {list_}[1]) + {part}.norm(); }}
}};"""
        self.functions.append(Raw(text, name))
        self.structs.append(Struct(name, [(inner.name, part), ("T[2]", list_), ("T", scale)], ["total"]))

    def vector_member(self):
        """A class that owns a vector."""
        name, items, x = self.name("Bag"), self.name("c"), self.name("h")
        text = f"""template <class T>
struct {name} {{
  std::vector<T> {items};
  void add(const T& {x}) {{
    if ({items}.size() < 8) {items}.push_back({self.expression_over([x])});
  }}
  T total() const {{
    T sum = 0;
    for (const T& {x} : {items}) sum += {self.expression_over(["sum", x])};
    return sum;
  }}
}};"""
        self.functions.append(Raw(text, name))
        self.structs.append(Struct(name, [("vector", items)], ["add", "total"]))

    def struct_by_reference(self):
        inner = next(s for s in self.structs if s.fields and s.name.startswith("Vec"))
        name, a, b, t = self.name("move"), self.name("h"), self.name("h"), self.name("h")
        fields = [f"{v}.{f}" for v in (a, b) for _, f in inner.fields]
        body = f"  {fields[0]} = {self.expression_over(fields + [t])};\n  if ({fields[1]} < {t}) {fields[1]} -= 0.5 * {self.expression_over(fields[:3])};"
        self.functions.append(Raw(f"template <class T>\nvoid {name}({inner.name}<T>& {a}, const {inner.name}<T>& {b}, T {t}) {{\n{body}\n}}", name))
        self.mover = (name, inner)

    def move_struct(self, ctx):
        if not self.mover:
            return None
        name, struct = self.mover
        before = [] if any(v.writable for v in self.objects(struct)) else self.declare_object(ctx, struct.name)
        self.features.add("struct by reference")
        a = self.rng.choice([v for v in self.objects(struct) if v.writable])
        b = self.rng.choice([v for v in self.objects(struct) if v is not a] or [None])
        if b is None:
            return before + [Stmt(f"{name}({a.name}, {struct.name}<T>{{{{{{}}, {{}}}}}}, T({{}}));", [self.real(1, 2), self.real(1, 2), self.real(1, 2)])]
        return before + [Stmt(f"{name}({a.name}, {b.name}, T({{}}));", [self.real(1, 2)])]

    def declare_bag(self, ctx):
        return self.declare_object(ctx, "Bag")

    def maker(self):
        """A function that takes and returns a struct by value."""
        inner = next(s for s in self.structs if s.name.startswith("Vec"))
        name, a, t = self.name("make"), self.name("h"), self.name("h")
        fields = [f"{a}.{f}" for _, f in inner.fields]
        body = f"  {a}.{inner.fields[0][1]} = {self.expression_over(fields + [t])};\n  if ({t} > 0.3) return {{{t}, {fields[0]}}};\n  return {a};"
        self.functions.append(Raw(f"template <class T>\n{inner.name}<T> {name}({inner.name}<T> {a}, T {t}) {{\n{body}\n}}", name))
        inner.maker = name

    def objects(self, struct=None):
        return [v for v in self.vars if v.kind == "object" and (struct is None or v.type == struct.name)]

    def declare_state(self, ctx):
        return self.declare_object(ctx, "State")

    def declare_body(self, ctx):
        return self.declare_object(ctx, "Body")

    def declare_made(self, ctx):
        """A struct that a function returned."""
        struct = next(s for s in self.structs if s.maker)
        before = [] if self.objects(struct) else self.declare_object(ctx, struct.name)
        name = self.name("o")
        made = Stmt(f"const {struct.name}<T> {name} = {struct.maker}({self.rng.choice(self.objects(struct)).name}, {{}});", [self.real(1, 2)], name)
        self.features.add("struct result")
        self.vars.append(Var(name, "object", struct.name, writable=False))
        self.vars += [Var(f"{name}.{field}", "real", "T", 2, writable=False) for _, field in struct.fields]
        return before + [made]

    def use_state(self, ctx):
        var = next(v for v in self.objects() if v.type.startswith("State"))
        self.features.add("method")
        out = self.name("v")
        step = Stmt(f"{var.name}.step({{}});", [self.real(1, 2)])
        self.vars.append(Var(out, "real", "T", 4))
        return [step, Stmt(f"T {out} = {var.name}.energy();", [], out)]

    def declare_object(self, ctx, kind=""):
        fit = [s for s in self.structs if s.name.startswith(kind)]
        if not fit:
            return None
        struct = self.rng.choice(fit)
        name = self.name("o")
        self.features.add("struct")
        if struct.name.startswith("State"):
            stmt = Stmt(f"{struct.name}<T> {name}{{{{{{}}}}}};", [self.real(2, 2)], name)
            self.vars.append(Var(name, "object", struct.name))
        elif struct.name.startswith("Bag"):
            self.features.add("vector member")
            stmt = Stmt([f"{struct.name}<T> {name};", f"for (int i{name} = 0; i{name} < {self.rng.randint(1, 4)}; ++i{name}) {name}.add(T({{}}));"], [self.real(1, 2)], name)
            self.vars.append(Var(name, "object", struct.name))
            self.vars.append(Var(f"{name}.{struct.fields[0][1]}", "array", "vector", 4, length=1, sized=True))
        elif struct.name.startswith("Body"):
            self.features.add("nested struct")
            stmt = Stmt(f"{struct.name}<T> {name}{{{{{{{{{{}}, {{}}}}}}, {{{{{{}}, {{}}}}}}, {{}}}}}};", [self.real(1, 2) for _ in range(5)], name)
            inner, part = struct.fields[0]
            self.vars.append(Var(name, "object", struct.name))
            self.vars.append(Var(f"{name}.{part}", "object", inner))
            self.members(f"{name}.{part}", next(s for s in self.structs if s.name == inner))
            self.vars.append(Var(f"{name}.{struct.fields[1][1]}", "array", "array", 2, length=2, sized=True))
            self.vars.append(Var(f"{name}.{struct.fields[2][1]}", "real", "T", 2))
        else:
            text, exprs = self.vec(struct)
            stmt = Stmt(f"{struct.name}<T> {name} = {text};", exprs, name)
            self.vars.append(Var(name, "object", struct.name))
            self.members(name, struct)
        return [stmt]

    def members(self, name, struct):
        self.vars += [Var(f"{name}.{field}", "real", "T", 2) for _, field in struct.fields]

    def vec(self, struct):
        """(text with holes, expressions) of a value of a plain struct."""
        known = [v.name for v in self.objects(struct)]
        if not known or self.chance(0.3):
            return "{{{}, {}}}", [self.real(1, 2), self.real(1, 2)]
        a, b = self.rng.choice(known), self.rng.choice(known)
        if struct.maker and self.chance(0.6):
            self.features.add("struct result")
            return f"{struct.maker}({a}, {{}})", [self.real(1, 2)]
        self.features.add("operator")
        text = self.rng.choice([f"{a} + {b}", f"T({{}}) * {a}", f"-{a} + T({{}}) * {b}"])
        return text, [self.real(1, 1)] if "{}" in text else []

    def use_object(self, ctx):
        found = [v for v in self.objects() if v.writable]
        if not found:
            return self.declare_object(ctx)
        var = self.rng.choice(found)
        struct = next(s for s in self.structs if s.name == var.type)
        if struct.name.startswith("State"):
            self.features.add("method")
            return [Stmt(f"{var.name}.step({{}});", [self.real(1, 2)])]
        if struct.name.startswith("Bag"):
            return self.assign(ctx) if f"{var.name}.{struct.fields[0][1]}" in self.frozen else [Stmt(f"{var.name}.add({{}});", [self.real(1, 2)])]
        if struct.name.startswith("Body"):
            return self.assign(ctx)
        text, exprs = self.vec(struct)
        return [Stmt(f"{var.name} {self.rng.choice(['=', '=', '+='])} {text};", exprs)]

    def method_call(self, depth):
        var = self.rng.choice(self.objects())
        struct = next(s for s in self.structs if s.name == var.type)
        if struct.name.startswith("State"):
            self.features.add("method")
            return Expr(f"{var.name}.{self.rng.choice(['energy', 'first'])}()", "T", bound=4)
        if struct.name.startswith(("Body", "Bag")):
            return Expr(f"{var.name}.total()", "T", bound=12)
        other = self.rng.choice(self.objects(struct))
        self.features.add("operator")
        return Expr(self.rng.choice([f"{var.name}.norm()", f"({var.name} * {other.name})"]), "T", bound=4)

    # --- containers ---
    def declare_std_array(self, ctx):
        name, length = self.name("a"), self.rng.randint(2, 5)
        given = self.rng.randint(1, length)
        self.features.add("std::array")
        exprs = [self.real(1) for _ in range(given)]
        self.vars.append(Var(name, "array", "std::array", 4, length=length, sized=True))
        return [Stmt(f"std::array<T, {length}> {name}{{{{{', '.join(['{}'] * given)}}}}};", exprs, name)]

    def declare_vector(self, ctx):
        name, length = self.name("z"), self.rng.randint(2, 4)
        self.features.add("std::vector")
        kind = self.rng.choice(["list", "fill", "grown", "sized"])
        if kind == "list":
            out = [Stmt(f"std::vector<T> {name}{{{{{', '.join(['{}'] * length)}}}}};", [self.real(1) for _ in range(length)], name)]
        elif kind == "fill":
            out = [Stmt(f"std::vector<T> {name}({length}, {{}});", [self.real(1)], name)]
        elif kind == "sized":
            self.features.add("resize")
            out = [Stmt([f"std::vector<T> {name};", f"{name}.resize({length}, {{}});"], [self.real(1)], name)]
        else:
            self.features.add("push_back")
            i = self.name("i")
            with self.scope():
                self.vars.append(Var(i, "integer", "int", range=(0, length - 1), writable=False))
                e = self.real(2)
            out = [Stmt([f"std::vector<T> {name};", f"for (int {i} = 0; {i} < {length}; ++{i}) {name}.push_back({{}});"], [e], [name, i])]
        self.vars.append(Var(name, "array", "vector", 4, length=length, sized=True))
        return out

    def growing(self):
        return [v for v in self.vars if v.kind == "array" and v.type == "vector" and v.writable and v.name not in self.frozen]

    def push_back(self, ctx):
        if not self.growing():
            return self.declare_vector(ctx)
        var = self.rng.choice(self.growing())
        self.features.add("push_back")
        if self.chance(0.3):
            place = self.writable_real()
            if place is not None:
                return [Stmt([f"{var.name}.push_back({{}});", f"{{}} += 0.5 * {var.name}.back();", f"{var.name}.pop_back();"], [self.real(2), place])]
        return [Stmt(f"{var.name}.{self.rng.choice(['push_back', 'push_back', 'emplace_back'])}({{}});", [self.real(2)])]

    def resize(self, ctx):
        if not self.growing():
            return None
        var = self.rng.choice(self.growing())
        self.features.add("resize")
        return [Stmt(f"{var.name}.resize({self.rng.choice([f'{var.length}', f'{var.name}.size() + 1', f'{var.length + 2}'])}, {{}});", [self.real(1)])]

    def declare_span(self, ctx):
        var = self.pick("array", lambda v: v.elements == "T" and v.length > 1 and (v.sized or v.type == "pointer"))
        if not var:
            return None
        name = self.name("d")
        self.features.add("std::span")
        if var.type == "vector":
            self.frozen.add(var.name)
        const = "" if var.writable and self.chance(0.6) else "const "
        if var.sized and self.chance(0.5):
            text, length = var.name, var.length
        else:
            text = f"{var.name if var.type in ('array', 'pointer') else var.name + '.data()'}, {var.length}"
            length = var.length
        self.vars.append(Var(name, "array", "span", var.bound, writable=not const, length=length, sized=True))
        if length > 2 and self.chance(0.3):
            self.vars[-1].length -= 1
            return [Stmt(f"auto {name} = std::span<{const}T>({text}).subspan({{}});", [self.index(2)], name)]
        return [Stmt(f"std::span<{const}T> {name}({text});", declares=name)]

    def iterator_loop(self, ctx):
        var = self.pick("array", lambda v: v.elements == "T" and v.type in ("std::array", "vector", "span"))
        if not var or ctx.trips * var.length > MAX_TRIPS:
            return None
        self.features.add("iterator")
        name = self.name("q")
        index_form = self.chance(0.4)
        with self.scope(), self.holding({var.name}):
            if index_form:
                self.vars.append(Var(name, "integer", "std::size_t", range=(0, var.length + 8), writable=False))
                self.vars.append(Var(f"{var.name}[{name}]", "real", "T", var.bound, writable=var.writable))
            else:
                self.vars.append(Var(f"(*{name})", "real", "T", var.bound, writable=var.writable))
            body = self.block(self.inner(ctx, loop=True, switch=False, trips=ctx.trips * (var.length + 1)), 3)
        if index_form:
            return [Stmt([f"for (std::size_t {name} = 0; {name} < {var.name}.size(); ++{name}) {{{{", body, "}}"], declares=name)]
        return [Stmt([f"for (auto {name} = {var.name}.begin(); {name} != {var.name}.end(); ++{name}) {{{{", body, "}}"], declares=name)]

    @contextlib.contextmanager
    def holding(self, names):
        """While something refers to the elements of these vectors they must not grow."""
        before = set(self.frozen)
        self.frozen |= names
        yield
        self.frozen = before | (self.frozen - names)

    def range_for(self, ctx):
        with self.holding({v.name for v in self.vars if v.type == "vector"}):
            return super().range_for(ctx)

    def algorithm(self, depth):
        var = self.pick("array", lambda v: v.elements == "T" and v.type in ("array", "std::array", "vector", "span", "pointer", "parameter"))
        if var is None:
            return self.real_leaf()
        self.features.add("algorithm")
        ends = f"{var.name}.begin(), {var.name}.end()" if var.type in ("std::array", "vector", "span") else f"{var.name}, {var.name} + {var.length}"
        first = ends.split(",")[0]
        form = self.rng.choice(["std::accumulate({ends}, T(0))", "std::accumulate({ends}, T(1), std::multiplies<T>())", "std::inner_product({ends}, {first}, T(0))",
                                "*std::max_element({ends})"])
        text = form.replace("{ends}", ends).replace("{first}", first)
        return self.tame(Expr(text, "T", bound=30), 2)

    def algorithm_statement(self, ctx):
        var = self.pick("array", lambda v: v.writable and v.elements == "T" and v.type in ("std::array", "vector", "span"))
        if var is None:
            return None
        self.features.add("algorithm")
        ends = f"{var.name}.begin(), {var.name}.end()"
        t = self.name("t")
        with self.scope():
            self.vars = [v for v in self.vars if v.kind in ("real", "integer", "bool")]
            self.vars.append(Var(t, "real", "T", 2))
            e = self.real(2, 2)
        return [self.rng.choice([Stmt(f"std::fill({ends}, {{}});", [self.real(1, 2)]), Stmt(f"std::reverse({ends});"),
                                 Stmt(f"std::transform({ends}, {var.name}.begin(), [&](T {t}) {{{{ return T({{}}); }}}});", [e], t),
                                 Stmt(f"std::for_each({ends}, [&](T& {t}) {{{{ {t} = {{}}; }}}});", [e], t)])]

    # --- other ---
    def structured_binding(self, ctx):
        a, b = self.name("v"), self.name("v")
        known = [v for v in self.objects() if v.type.startswith("Vec")]
        if known and self.chance(0.6):
            stmt = Stmt(f"{self.rng.choice(['auto', 'auto&', 'const auto&'])} [{a}, {b}] = {self.rng.choice(known).name};", [], [a, b])
        else:
            stmt = Stmt(f"auto [{a}, {b}] = std::pair<T, T>({{}}, {{}});", [self.real(1), self.real(1)], [a, b])
        self.vars += [Var(a, "real", "T", 4, writable=False), Var(b, "real", "T", 4, writable=False)]
        return [stmt]

    def constexpr_function(self):
        """A template on a number, recursive at compile time."""
        name, x = self.name("fixed"), self.name("h")
        e = self.expression_over([x])
        self.functions.append(Raw(f"""template <int N, class T>
T {name}(T {x}) {{
  if constexpr (N == 0) {{
    return {x};
  }} else {{
    return 0.5 * {name}<N - 1>({e}) + {x} / N;
  }}
}}""", name))
        self.fixed = name

    def fixed_call(self, depth):
        self.features.add("if constexpr")
        return Expr(f"{self.fixed}<{self.rng.randint(0, 3)}>({{}})", "T", [Expr("T({})", "T", [self.real(depth, 2)])], 4)

    # --- what the grammar of level 1 asks for ---
    def more_statements(self, ctx):
        out = [(2, self.declare_std_array, "std::array"), (2, self.declare_vector, "std::vector"), (2, self.push_back, "push_back"), (1, self.resize, "resize"),
               (1, self.declare_span, "std::span"), (1, self.algorithm_statement, "algorithm"), (1, self.structured_binding, "structured binding"),
               (2, self.declare_lambda, "lambda by value"), (2, self.call_lambda, "lambda passed on"), (1, self.immediate_lambda, "immediate lambda")]
        if ctx.depth > 0:
            out += [(2, self.iterator_loop, "iterator")]
        out += [(3, self.declare_functor, "")] if self.functors else []
        out += [(3, self.move_struct, "")] if self.mover else []
        if self.structs:
            out += [(6, self.declare_object, "struct"), (8, self.use_object, "operator")]
        tags = {"declare_lambda", "call_lambda", "declare_object", "use_object", "push_back", "resize", "declare_span", "algorithm_statement", "iterator_loop"}
        return [(weight * 2 if feature in self.themes else weight, make, "" if make.__name__ in tags else feature) for weight, make, feature in out]

    def missing(self, theme, ctx):
        makers = {"std::array": [self.declare_std_array], "std::vector": [self.declare_vector], "push_back": [self.push_back, self.push_back],
                  "resize": [self.declare_vector, self.resize], "std::span": [self.declare_std_array, self.declare_span],
                  "struct": [self.declare_object], "method": [self.declare_state, self.use_state], "operator": [self.declare_object, self.use_object],
                  "nested struct": [self.declare_body], "struct result": [self.declare_made], "lambda by value": [self.declare_lambda, self.call_lambda],
                  "lambda by reference": [self.declare_lambda, self.call_lambda, self.call_lambda], "lambda passed on": [self.call_lambda, self.pass_lambda],
                  "immediate lambda": [self.immediate_lambda], "algorithm": [self.declare_vector, self.algorithm_statement],
                  "functor": [self.declare_functor], "overload": [self.expression_statement(self.overloaded_call)],
                  "constants and enums": [self.expression_statement(self.constant_call)], "vector member": [self.declare_bag],
                  "struct by reference": [self.move_struct], "if constexpr": [self.expression_statement(self.fixed_call)],
                  "iterator": [self.declare_std_array, self.iterator_loop], "structured binding": [self.structured_binding]}.get(theme)
        if makers is None:
            return super().missing(theme, ctx)
        made = [statement for make in makers for statement in make(ctx) or []]
        self.features |= {theme} if made else set()
        return made

    def more_reals(self):
        out = [(3, self.algorithm)] if "algorithm" in self.themes else []
        if self.objects():
            out.append((6, self.method_call))
        if any(v.kind == "lambda" and v.type == "pure" for v in self.vars):
            out.append((5, self.pure_lambda_call))
        out += [(4, self.fixed_call)] if self.fixed else []
        out += [(4, self.overloaded_call)] if self.mix else []
        out += [(4, self.constant_call)] if self.kinds else []
        return out

    def helpers_of_themes(self):
        if "if constexpr" in self.themes or self.chance(0.05):
            self.constexpr_function()
        if "lambda passed on" in self.themes or self.chance(0.3):
            self.functions.append(Raw("template <class F, class T>\nT twice(const F& f, T x, int k) { return f(f(x, k), k / 2); }", "twice"))
            self.twice = True
        super().helpers_of_themes()

    def params(self):
        out = super().params()
        if "struct parameter" in self.themes:
            struct = next(s for s in self.structs if s.name.startswith("Vec"))
            type = self.rng.choice([f"{struct.name}<T>", f"const {struct.name}<T>&"])
            out.insert(self.rng.randint(0, len(out)), Param(self.name("y"), "struct", type, 2, [field for _, field in struct.fields]))
            self.features.add("struct parameter")
        if "second derivative" in self.features:
            return out
        if "in-out parameter" in self.themes:
            self.features.add("in-out parameter")
            new = Param(self.name("x"), "reference", "T&") if self.chance(0.5) else Param(self.name("a"), "array", "T*", self.rng.randint(3, 5))
            out.insert(self.rng.randint(0, len(out)), new)
        if "container parameter" in self.themes or self.chance(0.02):
            length = self.rng.randint(2, 4)
            type = self.rng.choice([f"std::array<T, {length}>", f"const std::array<T, {length}>&", "const std::vector<T>&", "std::vector<T>", "std::span<const T>"])
            out.insert(self.rng.randint(0, len(out)), Param(self.name("y"), "container", type, length))
            self.features.add("container parameter")
        return out
