# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs a list of programs in one translation unit per compiler, and says of each what became of it."""
import dataclasses
import os
import pathlib
import re
import shutil
import struct
import subprocess

import drivers

COMMON = ["-std=c++20", "-ffp-contract=off", "-w"]
HERE = pathlib.Path(__file__).resolve().parent
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
    compile_timeout: int = 240
    run_timeout: int = 20


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


def shell(command, cwd, timeout, env=None):
    try:
        done = subprocess.run(command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, env=env, errors="replace")
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "timeout", ""


class Numbers:
    """What a driver wrote: {(program, point): {what: [numbers]}}, with the points that were finished and those in trouble."""

    def __init__(self):
        self.values, self.done, self.trouble, self.broken = {}, set(), set(), {}

    def read(self, path):
        for line in path.read_text().splitlines():
            program, point, what = line.split(" ", 2)
            key = int(program), int(point)
            if what == "end":
                self.done.add(key)
            elif what == "trouble":
                self.trouble.add(key)
            elif what != "begin":
                words = what.split(" ")
                numbers = [float.fromhex(w) for w in words if re.match(r"^-?(0x|inf|nan)", w)]
                self.values.setdefault(key, {})[" ".join(words[:len(words) - len(numbers)])] = numbers


def run_driver(binary, count, tools):
    """Runs a driver to the end; a program that crashes or hangs is noted, and the rest still run."""
    numbers, start, out = Numbers(), 0, binary.with_suffix(".txt")
    out.unlink(missing_ok=True)
    while start < count:
        code, _ = shell([binary, out, str(start)], binary.parent, tools.run_timeout)
        if code == 0:
            break
        begun = [line.split(" ") for line in out.read_text().splitlines() if line.endswith(" begin")] if out.exists() else []
        bad = int(begun[-1][0]) if begun else start
        numbers.broken[bad] = "hangs" if code == "timeout" else f"ends with code {code}"
        start = bad + 1
    if out.exists():
        numbers.read(out)
    return numbers


def blame(output, work, begins, driver_text):
    """{program: message} of the compiler's errors, as far as they have a place in a program."""
    starts = [(line, i) for i, line in enumerate(begins)]
    for number, line in enumerate(driver_text.splitlines(), 1):
        if match := re.match(r"static void run(\d+)\(", line):
            starts.append((number + 10**6, int(match[1])))
    starts.sort()
    found, errors = {}, 0
    blocks = re.split(r"(?m)^(?=\S+?:\d+:\d+: (?:fatal )?error:)", output)
    for block in blocks[1:]:
        errors += 1
        for file, line in re.findall(r"(?m)^(?:\S*/)?(unit\.hpp|plugin\.cpp|printed\.cpp):(\d+):\d+: ", block):
            at = int(line) + (0 if file == "unit.hpp" else 10**6)
            owner = [i for start, i in starts if start <= at]
            if owner and (at >= 10**6) == (starts[[s for s, _ in starts].index(max(s for s, _ in starts if s <= at))][0] >= 10**6):
                found.setdefault(owner[-1], block.strip())
                break
    return found


def close(got, want, size, loose):
    if loose:
        return abs(got - want) <= 2e-5 * abs(want) + 1e-5 * (size + 1)
    return abs(got - want) <= 1e-9 * abs(want) + 1e-11 * (size + 1)


def compare(program, index, oracle, plugin):
    """What is wrong with one program's numbers, or None; `checked` counts the points that were compared."""
    loose, checked = "single<T>" in program.text(), 0
    for point in range(len(program.points)):
        key = index, point
        if key in oracle.trouble or key not in oracle.done:
            continue
        checked += 1
        want, got = oracle.values[key], plugin.values.get(key, {})
        if key not in plugin.done:
            return checked, f"point {point}: no result"
        value = got["value"][0]
        if not close(value, want["value"][0], abs(want["value"][0]), loose):
            return checked, f"point {point}: the oracle's value {want['value'][0]!r} is not the program's {value!r}"
        if "value again" in got and got["value again"][0] != value:
            return checked, f"point {point}: value_and_grad returns {got['value again'][0]!r}, f {value!r}"
        for i, (param, k) in enumerate(drivers.slots(program)):
            derivative, size = want[f"oracle[{i}]"]
            for what in ("grad", "again"):
                if what == "again" and "value again" not in got:
                    continue
                if f"{what}[{i}]" not in got:
                    return checked, f"point {point}: {what} has no component {i}"
                mine = got[f"{what}[{i}]"][0]
                if not close(mine, derivative, size, loose):
                    where = param.name + ("" if k is None else f"[{k}]")
                    return checked, f"point {point}: {'grad' if what == 'grad' else 'value_and_grad'} by {where} is {mine!r}, expected {derivative!r}"
        along, size = want["along"]
        if not close(got["jvp"][0], along, size, loose):
            return checked, f"point {point}: jvp is {got['jvp'][0]!r}, expected {along!r}"
    return checked, None


def compare_oracles(program, index, oracle, quad):
    if "single<T>" in program.text():  # floats are not rounded there
        return None
    for point in range(len(program.points)):
        key = index, point
        if key in oracle.trouble or key not in oracle.done:
            continue
        for i in range(len(drivers.slots(program))):
            want, size = oracle.values[key][f"oracle[{i}]"]
            got = quad.values.get(key, {}).get(f"difference[{i}]", [float("nan")])[0]
            if not close(got, want, size, False):
                return f"point {point}: component {i}: dual numbers give {want!r}, 128-bit differences {got!r}"
    return None


class Judge:
    def __init__(self, tools, work):
        self.tools, self.work = tools, pathlib.Path(work)

    def verdicts(self, programs):
        """One verdict for each program."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        out = [None] * len(programs)
        self.judge(programs, list(range(len(programs))), out)
        return out

    def judge(self, programs, places, out):
        if not programs:
            return
        oracle = self.build_and_run("oracle", drivers.oracle(programs), programs, [])
        if oracle is None:
            return self.split(programs, places, out, Verdict("oracle does not compile", self.output[-2000:]))
        quad = None
        if self.tools.quad:
            quad = self.build_and_run("quad", drivers.differences(programs), programs, ["-std=gnu++20", "-lquadmath"])
            if quad is None:
                return self.split(programs, places, out, Verdict("oracle does not compile", self.output[-2000:]))
        plugin = None
        if self.tools.plugin:
            text = drivers.by_plugin(programs)
            code, output = self.compile_with_plugin(text)
            if code != 0:
                return self.refused(programs, places, out, code, output, text)
            plugin = run_driver(self.work / "plugin", len(programs), self.tools)
        for i, program in enumerate(programs):
            out[places[i]] = self.verdict(program, i, oracle, quad, plugin)
        if plugin and self.tools.printed:
            self.check_printed(programs, places, out, plugin)

    def verdict(self, program, i, oracle, quad, plugin):
        if i in oracle.broken:
            return Verdict("oracle " + oracle.broken[i])
        if quad and (trouble := compare_oracles(program, i, oracle, quad)):
            return Verdict("oracles disagree", trouble)
        if plugin is None:
            points = [(i, point) not in oracle.trouble for point in range(len(program.points))]
            return Verdict("passed" if any(points) else "skipped")
        if i in plugin.broken:
            return Verdict("derivative " + plugin.broken[i])
        checked, trouble = compare(program, i, oracle, plugin)
        if trouble:
            return Verdict("wrong number", trouble)
        return Verdict("passed" if checked else "skipped")

    def build_and_run(self, name, text, programs, flags):
        (self.work / "unit.hpp").write_text(drivers.unit(programs)[0])
        source = self.work / f"{name}.cpp"
        source.write_text(text)
        options = [flag for flag in flags if not flag.startswith("-l")]
        libraries = [flag for flag in flags if flag.startswith("-l")]
        code, self.output = shell([self.tools.gxx, *COMMON, *options, "-O0", f"-I{HERE}", source.name, "-o", name, *libraries], self.work, self.tools.compile_timeout)
        return run_driver(self.work / name, len(programs), self.tools) if code == 0 else None

    def compile_with_plugin(self, text):
        (self.work / "plugin.cpp").write_text(text)
        env = dict(os.environ)
        if self.tools.preload:
            env.update(LD_PRELOAD=self.tools.preload, ASAN_OPTIONS="detect_leaks=0")
        return shell([self.tools.clang, *COMMON, "-O0", f"-I{HERE}", f"-I{self.tools.include}", "plugin.cpp", "-o", "plugin", f"-fplugin={self.tools.plugin}",
                      "-fplugin-arg-tlaloc-print=printed", "-ferror-limit=0"], self.work, self.tools.compile_timeout, env)

    def refused(self, programs, places, out, code, output, text):
        """Some programs do not compile: says which, and judges the others without them."""
        crashed = code == "timeout" or any(sign in output for sign in CRASH)
        blamed = {} if crashed else blame(output, self.work, drivers.unit(programs)[1], text)
        if not blamed:
            kind = "compiler hangs" if code == "timeout" else "compiler crashes" if crashed else "compiler error"
            return self.split(programs, places, out, Verdict(kind, output[-3000:]))
        for i, message in blamed.items():
            found = CODE.search(message)
            out[places[i]] = Verdict("refused", f"{found[1]}: {message}") if found else Verdict("compiler error", message[:3000])
        rest = [i for i in range(len(programs)) if i not in blamed]
        self.judge([programs[i] for i in rest], [places[i] for i in rest], out)

    def split(self, programs, places, out, verdict):
        """One of these makes the compiler fail without saying where: halves them until it is alone."""
        if len(programs) == 1:
            out[places[0]] = verdict
            return
        half = len(programs) // 2
        self.judge(programs[:half], places[:half], out)
        self.judge(programs[half:], places[half:], out)

    def check_printed(self, programs, places, out, plugin):
        """The printed text, compiled by g++ alone, must give the same bits."""
        files = sorted((self.work / "printed").rglob("*.tlaloc.hpp"))
        if len(files) != 1:
            troubles = {i: f"{len(files)} printed files" for i in range(len(programs))}
        else:
            text = drivers.by_text(programs, files[0].relative_to(self.work))
            (self.work / "printed.cpp").write_text(text)
            code, output = shell([self.tools.gxx, *COMMON, "-O1", f"-I{HERE}", "printed.cpp", "-o", "by_text"], self.work, self.tools.compile_timeout)
            if code != 0:
                blamed = blame(output, self.work, drivers.unit(programs)[1], text)
                troubles = {i: "does not compile: " + message[:2000] for i, message in blamed.items()} or {i: "does not compile: " + output[:2000] for i in range(len(programs))}
            else:
                numbers = run_driver(self.work / "by_text", len(programs), self.tools)
                troubles = {i: difference(i, plugin, numbers) for i in range(len(programs))}
        for i, trouble in troubles.items():
            if trouble and not out[places[i]].failed():
                out[places[i]] = Verdict("printed source", trouble)


def bits(numbers):
    return [struct.pack("d", x) for x in numbers]


def difference(index, plugin, printed):
    """What the printed functions compute differently, in any point."""
    if index in printed.broken:
        return printed.broken[index]
    for key in sorted(k for k in plugin.done if k[0] == index):
        for what, want in plugin.values[key].items():
            got = printed.values.get(key, {}).get("again[-1]" if what == "value again" else what)
            if what != "value" and (got is None or bits(got) != bits(want)):
                return f"point {key[1]}: {what} is {got}, compiled in {want}"
    return None
