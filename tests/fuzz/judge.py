# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs a list of programs in one translation unit per compiler, and says of each what became of it."""
import dataclasses
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drivers
import sanitizer
from program import COTANGENT, FIRST, SECOND

COMMON = ["-std=c++20", "-ffp-contract=off", "-w"]
FAR = 10**6  # lines of a driver are numbered from here on
CODE = re.compile(r"error: ([A-Z][A-Z_]{3,}):")
CRASH = ("PLEASE submit a bug report", "Stack dump", "clang frontend command failed", "AddressSanitizer", "UndefinedBehaviorSanitizer")


@dataclasses.dataclass
class Tools:
    clang: str
    gxx: str
    plugin: str
    include: str
    preload: str = ""
    quad: bool = False
    printed: bool = True
    level: str = "-O1"  # at which the printed source is compiled
    env: dict = dataclasses.field(default_factory=dict)  # for the plugin
    compile_seconds: int = 20  # of processor time, and some for each program
    run_seconds: int = 5


@dataclasses.dataclass
class Verdict:
    """`kind`: passed, skipped (no point where derivatives are well defined), refused, or how it failed."""
    kind: str
    detail: str = ""

    def failed(self):
        return self.kind not in ("passed", "skipped", "refused")

    def same_as(self, other):
        """Whether it is the same trouble: for refusals, of the same code."""
        return self.kind == other.kind and (self.kind != "refused" or self.detail.split(":")[0] == other.detail.split(":")[0])


def shell(command, cwd, seconds, env=None):
    """(exit code or "timeout", output). The limit is one of processor time, so that a busy machine fails nothing."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

    try:
        done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60 + 40 * seconds, env=env,
                              errors="replace", preexec_fn=limit)
    except subprocess.TimeoutExpired:  # it waits for something
        return "timeout", ""
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or "CPU time limit exceeded" in done.stdout:
        return "timeout", ""
    return done.returncode, done.stdout


@dataclasses.dataclass
class Point:
    """What a driver wrote about one program at one point."""
    values: dict = dataclasses.field(default_factory=dict)  # {what: numbers}
    done: bool = False
    trouble: bool = False


class Numbers:
    """What a driver wrote about a list of programs; `broken`: those that crashed or hung."""

    def __init__(self):
        self.points, self.broken = {}, {}

    def of(self, n, program):
        return [self.points.get((n, point), Point()) for point in range(len(program.points))]

    def read(self, path):
        for line in path.read_text().splitlines():
            program, point, what = line.split(" ", 2)
            at = self.points.setdefault((int(program), int(point)), Point())
            if what in ("end", "trouble"):
                setattr(at, {"end": "done"}.get(what, what), True)
            elif what != "begin":
                words = what.split(" ")
                numbers = [float.fromhex(w) for w in words if re.match(r"^-?(0x|inf|nan)", w)]
                at.values[" ".join(words[:len(words) - len(numbers)])] = numbers


def run_driver(binary, count, tools):
    """Runs a driver to the end; a program that crashes or hangs is noted, and the rest still run."""
    numbers, start, out = Numbers(), 0, binary.with_suffix(".txt")
    out.unlink(missing_ok=True)
    while start < count:
        code, _ = shell([binary, out, str(start)], binary.parent, tools.run_seconds)
        if code == 0:
            break
        begun = [line.split(" ") for line in out.read_text().splitlines() if line.endswith(" begin")] if out.exists() else []
        bad = int(begun[-1][0]) if begun else start
        numbers.broken[bad] = "hangs" if code == "timeout" else f"ends with code {code}"
        start = bad + 1
    if out.exists():
        numbers.read(out)
    return numbers


def blame(output, begins, driver_text):
    """{program: message} of the compiler's errors, as far as they have a place in a program."""
    starts = [(line, i) for i, line in enumerate(begins)]
    for number, line in enumerate(driver_text.splitlines(), 1):
        if match := re.match(r"static void run(\d+)\(", line):
            starts.append((number + FAR, int(match[1])))
    found = {}
    for block in re.split(r"(?m)^(?=\S+?:\d+:\d+: (?:fatal )?error:)", output)[1:]:
        for file, line in re.findall(r"(?m)^(?:\S*/)?(unit\.hpp|plugin\.cpp|printed\.cpp):(\d+):\d+: ", block):
            at = int(line) + (0 if file == "unit.hpp" else FAR)
            owners = [(start, i) for start, i in starts if start <= at and (start >= FAR) == (at >= FAR)]
            if owners:
                found.setdefault(max(owners)[1], block.strip())
                break
    return found


def close(got, want, size, loose):
    if loose:
        return abs(got - want) <= 2e-5 * abs(want) + 1e-5 * (size + 1)
    return abs(got - want) <= 1e-9 * abs(want) + 1e-11 * (size + 1)


def compare(program, oracle, plugin):
    """What is wrong with one program's numbers, or None."""
    loose = "single<T>" in program.text()
    for at, (want, got) in enumerate(zip(oracle, plugin)):
        if not want.done or want.trouble:
            continue
        trouble = compare_point(program, want.values, got.values, loose) if got.done else "no result"
        if trouble:
            return f"point {at}: {trouble}"
    return None


def compare_point(program, want, got, loose):
    value = got["value"][0]
    if not close(value, want["value"][0], abs(want["value"][0]), loose):
        return f"the oracle's value {want['value'][0]!r} is not the program's {value!r}"
    exact = "std::pow" not in program.text()  # f itself depends on the optimisation level there: pow(x, 2) may be x * x
    if "value again" in got and got["value again"][0] != value and (exact or not close(got["value again"][0], value, abs(value), loose)):
        return f"value_and_grad returns {got['value again'][0]!r}, f {value!r}"
    for i, (param, k) in enumerate(drivers.slots(program)):
        derivative, size = want[f"oracle[{i}]"]
        for what in ("grad", "again") if "value again" in got else ("grad",):
            if f"{what}[{i}]" not in got:
                return f"{what} has no component {i}"
            mine = got[f"{what}[{i}]"][0]
            if not close(mine, derivative, size, loose):
                where = param.name + ("" if k is None else f"[{k}]")
                return f"{'grad' if what == 'grad' else 'value_and_grad'} by {where} is {mine!r}, expected {derivative!r}"
    for key in want:  # what the program changes
        if key.startswith("after_"):
            if not close(got[key][0], want[key][0], abs(want[key][0]), loose):
                return f"the oracle leaves {want[key][0]!r} in {key}, the program {got[key][0]!r}"
            again = got.get(key.replace("after_", "kept_"), got[key])
            if again != got[key] and (exact or not close(again[0], got[key][0], abs(got[key][0]), loose)):
                return f"value_and_grad leaves {again[0]!r} in {key}, f {got[key][0]!r}"
        elif key.startswith("moved_") and not close(got[key][0], want[key][0], abs(want[key][0]), loose):
            return f"jvp gives {got[key][0]!r} as {key}, expected {want[key][0]!r}"
    trouble = compare_transforms(program, want, got, loose)
    if trouble:
        return trouble
    along, size = want["along"]
    return None if close(got["jvp"][0], along, size, loose) else f"jvp is {got['jvp'][0]!r}, expected {along!r}"


def compare_transforms(program, want, got, loose):
    """What vjp, the Jacobians and the second derivatives are, against the same numbers of the oracle."""
    first, second, count = program.first_transform(), program.second_transform(), len(drivers.slots(program))
    if "transform value" in got and not close(got["transform value"][0], want["value"][0], abs(want["value"][0]), loose):
        return f"{first} returns {got['transform value'][0]!r}, expected {want['value'][0]!r}"
    if first == "value_and_jvp" and not close(got[first][0], *want["along"], loose):
        return f"{first} is {got[first][0]!r}, expected {want['along'][0]!r}"
    if first and first != "value_and_jvp":
        scale = COTANGENT if "vjp" in first else 1
        for i in range(count):
            derivative, size = want[f"oracle[{i}]"]
            if not close(got[f"{first}[{i}]"][0], scale * derivative, size, loose):
                return f"{first}[{i}] is {got[f'{first}[{i}]'][0]!r}, expected {scale * derivative!r}"
    if not second:
        return None
    number = next(i for i, (p, _) in enumerate(drivers.slots(program)) if p.kind == "real")
    for i in [number] if second == "grad of grad" else range(count):
        wide, small = want[f"curvature[{i}]"]
        row = {"hessian": [f"hessian[{i * count + k}]" for k in range(count)], "grad of grad": [f"grad of grad[{k}]" for k in range(count)]}.get(second)
        name = {"jvp of grad": "second"}.get(second, second)
        mine = sum(got[key][0] * drivers.direction(k) for k, key in enumerate(row)) if row else got[f"{name}[{i}]"][0]
        if abs(wide - small) <= 1e-6 * (1 + abs(small)) and not abs(mine - small) <= 1e-5 * (1 + abs(small)):
            return f"second derivative {i} by {second} is {mine!r}, expected {small!r}"
        if second == "grad of jvp" and not close(got[f"{second}[{count + i}]"][0], *want[f"oracle[{i}]"], loose):
            return f"{second}[{count + i}] is {got[f'{second}[{count + i}]'][0]!r}, expected {want[f'oracle[{i}]'][0]!r}"
    return None


def compare_oracles(program, oracle, quad):
    if "single<T>" in program.text() or "special functions" in program.features:  # floats are not rounded there, special functions unknown
        return None
    for at, (want, got) in enumerate(zip(oracle, quad)):
        for i in range(len(drivers.slots(program))):
            if not want.done or want.trouble:
                continue
            derivative, size = want.values[f"oracle[{i}]"]
            mine = got.values.get(f"difference[{i}]", [float("nan")])[0]
            if not close(mine, derivative, size, False):
                return f"point {at}: component {i}: dual numbers give {derivative!r}, 128-bit differences {mine!r}"
    return None


class Judge:
    def __init__(self, tools, work):
        self.tools, self.work = tools, pathlib.Path(work)

    def verdicts(self, programs):
        """One verdict for each program."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.programs, self.out = programs, [None] * len(programs)
        self.oracle, self.quad = {}, {}
        self.run_oracles(list(range(len(programs))))
        if self.tools.plugin:
            self.run_plugin([i for i, verdict in enumerate(self.out) if verdict is None])
        for i, verdict in enumerate(self.out):
            if verdict is None:
                defined = any(not point.trouble for point in self.oracle[i])
                self.out[i] = Verdict("passed" if defined else "skipped")
        return self.out

    def run_oracles(self, places):
        """Fills self.oracle (and self.quad): per program a list of points."""
        programs = [self.programs[i] for i in places]
        oracle = self.build_and_run("oracle", drivers.oracle(programs), programs, [])
        quad = self.build_and_run("quad", drivers.differences(programs), programs, ["-std=gnu++20", "-lquadmath"]) if self.tools.quad and oracle else None
        if oracle is None or (self.tools.quad and quad is None):
            if len(places) == 1:
                self.out[places[0]] = Verdict("oracle does not compile", self.output[-2000:])
                return
            half = len(places) // 2
            self.run_oracles(places[:half])
            self.run_oracles(places[half:])
            return
        for n, i in enumerate(places):
            self.oracle[i] = oracle.of(n, self.programs[i])
            if n in oracle.broken:
                self.out[i] = Verdict("oracle " + oracle.broken[n])
            elif quad and (trouble := compare_oracles(self.programs[i], self.oracle[i], quad.of(n, self.programs[i]))):
                self.out[i] = Verdict("oracles disagree", trouble)

    def run_plugin(self, places):
        """Compiles these programs together; those that are refused get their verdict, and the others another try."""
        if not places:
            return
        programs = [self.programs[i] for i in places]
        (self.work / "unit.hpp").write_text(drivers.unit(programs)[0])
        text = drivers.by_plugin(programs)
        code, output = self.compile_with_plugin(text)
        if code != 0:
            self.refused(places, code, output, text)
            return
        plugin = run_driver(self.work / "plugin", len(programs), self.tools)
        for n, i in enumerate(places):
            if n in plugin.broken:
                self.out[i] = Verdict("derivative " + plugin.broken[n])
                continue
            trouble = compare(self.programs[i], self.oracle[i], plugin.of(n, self.programs[i]))
            if trouble:
                self.out[i] = Verdict("wrong number", trouble)
        if self.tools.printed:
            self.check_printed(places, plugin)

    def build_and_run(self, name, text, programs, flags):
        (self.work / "unit.hpp").write_text(drivers.unit(programs)[0])
        source = self.work / f"{name}.cpp"
        source.write_text(text)
        options = [flag for flag in flags if not flag.startswith("-l")]
        libraries = [flag for flag in flags if flag.startswith("-l")]
        code, self.output = shell([self.tools.gxx, *COMMON, *options, "-O0", f"-I{HERE}", source.name, "-o", name, *libraries], self.work, self.patience(text))
        return run_driver(self.work / name, len(programs), self.tools) if code == 0 else None

    def patience(self, driver):
        """How long a compiler may work on it."""
        return self.tools.compile_seconds + 3 * driver.count("static void run")

    def compile_with_plugin(self, text):
        (self.work / "plugin.cpp").write_text(text)
        env = sanitizer.environment(self.tools.preload, {**os.environ, **self.tools.env})
        return shell([self.tools.clang, *COMMON, "-O0", f"-I{HERE}", f"-I{self.tools.include}", "plugin.cpp", "-o", "plugin", f"-fplugin={self.tools.plugin}",
                      "-fplugin-arg-tlaloc-print=printed", "-ferror-limit=0"], self.work, self.patience(text), env)

    def refused(self, places, code, output, text):
        crashed = code == "timeout" or any(sign in output for sign in CRASH)
        crashed = crashed or "INTERNAL: " in output and len(places) > 1  # said of the file as a whole
        blamed = {} if crashed else blame(output, drivers.unit([self.programs[i] for i in places])[1], text)
        if blamed:
            for n, message in blamed.items():
                found = CODE.search(message)
                self.out[places[n]] = Verdict("refused", f"{found[1]}: {message}") if found else Verdict("compiler error", message[:3000])
            self.run_plugin([i for i in places if self.out[i] is None])
        elif len(places) == 1:
            kind = "compiler hangs" if code == "timeout" else "compiler crashes" if crashed else "compiler error"
            self.out[places[0]] = Verdict(kind, output[-3000:])
        else:  # one of these makes the compiler fail without saying where
            half = len(places) // 2
            self.run_plugin(places[:half])
            self.run_plugin(places[half:])

    def check_printed(self, places, plugin):
        """The printed text, compiled by g++ alone, must give the same bits."""
        programs = [self.programs[i] for i in places]
        files = sorted((self.work / "printed").rglob("*.tlaloc.hpp"))
        if len(files) != 1:
            troubles = {n: f"{len(files)} printed files" for n in range(len(programs))}
        else:
            text = drivers.by_text(programs, files[0].relative_to(self.work))
            (self.work / "printed.cpp").write_text(text)
            troubles = self.run_printed(programs, text, plugin, [])
            # g++ folds a call of libm whose argument it finds to be a constant, and rounds the result better than libm.
            if any(trouble and trouble.startswith("point") for trouble in troubles.values()):
                troubles = self.run_printed(programs, text, plugin, ["-frounding-math"])
        for n, trouble in troubles.items():
            if trouble and self.out[places[n]] is None:
                self.out[places[n]] = Verdict("printed source", trouble)

    def run_printed(self, programs, text, plugin, flags):
        code, output = shell([self.tools.gxx, *COMMON, self.tools.level, *flags, f"-I{HERE}", "printed.cpp", "-o", "by_text"], self.work, self.patience(text))
        if code != 0:
            blamed = blame(output, drivers.unit(programs)[1], text) or dict.fromkeys(range(len(programs)), output)
            return {n: "does not compile: " + message[:2000] for n, message in blamed.items()}
        numbers = run_driver(self.work / "by_text", len(programs), self.tools)
        return {n: numbers.broken.get(n) or difference(plugin.of(n, p), numbers.of(n, p)) for n, p in enumerate(programs)}


def bits(numbers):
    return [struct.pack("d", x) if x == x else "nan" for x in numbers]  # the sign of a NaN means nothing


def difference(plugin, printed):
    """What the printed functions compute differently, in any point."""
    for at, (mine, text) in enumerate(zip(plugin, printed)):
        for what, want in mine.values.items():
            got = text.values.get("again[-1]" if what == "value again" else what)
            if what not in ("value", "transform value", "value_and_jvp") and not what.startswith("after") and what.split("[")[0] not in FIRST + SECOND and (got is None or bits(got) != bits(want)):
                return f"point {at}: {what} is {got}, compiled in {want}"
    return None
