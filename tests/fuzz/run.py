#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differentiates random programs and compares with dual numbers (and, with --quad, with 128-bit differences).

    run.py --plugin FILE --include DIR --count 300 --seed 1 --level 2

Each program: value, gradient in reverse mode, derivative in forward mode, and the printed source compiled by g++ alone,
bit for bit. Reports how many passed and failed, how many were refused (by code; none of these programs should be), and
how many have each construct. The first failures are made smaller and printed (--shrink N of them)."""
import argparse
import collections
import concurrent.futures
import pathlib
import sys
import tempfile
import time

import generate
from judge import Judge, Tools
from shrink import shrink


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default="", help="without it only the oracles are compared")
    parser.add_argument("--include", default="", help="folder of tlaloc/ad.hpp")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--gxx", default="g++")
    parser.add_argument("--preload", default="", help="library that the compiler needs when the plugin is built with a sanitizer")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--level", type=int, default=2, choices=(1, 2))
    parser.add_argument("--only", type=generate.themes_named, default=[], help="small programs of these constructs, say 'sort,scan'")
    parser.add_argument("--per-unit", type=int, default=25, help="programs per translation unit")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quad", action="store_true", help="128-bit differences too")
    parser.add_argument("--no-printed", action="store_true")
    parser.add_argument("--optimise", default="1", choices="0123", help="how the printed source is compiled")
    parser.add_argument("--shrink", type=int, default=3, help="how many failures to make smaller")
    parser.add_argument("--shrink-seconds", type=int, default=120)
    parser.add_argument("--histogram", action="store_true", help="print the constructs")
    parser.add_argument("--work", type=pathlib.Path, help="folder to build in (default: a temporary one)")
    args = parser.parse_args()
    if not args.plugin and not args.quad:
        parser.error("nothing to compare: give --plugin or --quad")
    for name in ("plugin", "include"):               # the compiler runs elsewhere
        if value := getattr(args, name):
            setattr(args, name, str(pathlib.Path(value).resolve()))
    return args


def failing(programs, verdicts):
    return [(p, v) for p, v in zip(programs, verdicts) if v.kind not in ("passed", "skipped")]


def make_smaller(bad, args, tools, work):
    """Prints the first failures made smaller, one of each kind first."""
    kinds, chosen = set(), []
    for p, v in bad:
        key = (v.kind, v.detail[:24] if v.kind == "refused" else "")
        chosen.insert(len(kinds) if key not in kinds else len(chosen), (p, v))
        kinds.add(key)
    for p, v in chosen[:args.shrink]:
        small, last = shrink(p, v, Judge(tools, work / "shrink"), args.shrink_seconds)
        print(f"\n--- seed {p.seed}, made smaller: {last.kind}: {last.detail}\n{small.text()}arguments: {[q.name for q in small.params]} at {small.points}")


def main():
    args = arguments()
    start = time.monotonic()
    tools = Tools(args.clang, args.gxx, args.plugin, args.include, args.preload, args.quad, not args.no_printed, f"-O{args.optimise}")
    programs = [generate.program(args.seed + i, args.level, only=args.only) for i in range(args.count)]
    units = [programs[i:i + args.per_unit] for i in range(0, len(programs), args.per_unit)]
    with tempfile.TemporaryDirectory() as scratch:
        work = args.work or pathlib.Path(scratch)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = pool.map(lambda item: Judge(tools, work / f"unit{item[0]}").verdicts(item[1]), enumerate(units))
            verdicts = []
            for unit, result in zip(units, results):
                for p, v in failing(unit, result):
                    print(f"seed {p.seed}: {v.kind}: {v.detail.splitlines()[0] if v.detail else ''}", flush=True)
                verdicts += result
        make_smaller(failing(programs, verdicts), args, tools, work)
    kinds = collections.Counter(v.kind for v in verdicts)
    codes = collections.Counter(v.detail.split(":")[0] for v in verdicts if v.kind == "refused")
    failed = sum(v.failed() for v in verdicts)
    rare = generate.rare(programs, args.level) if len(programs) >= 100 and not args.only else []
    if args.histogram:
        print(generate.histogram(programs))
    if rare:
        print(f"in too few of the programs: {', '.join(rare)}")
    print(f"{kinds['passed']} passed, {failed} failed, {kinds['refused']} refused {dict(codes) if codes else ''}, "
          f"{kinds['skipped']} skipped (no well defined derivative at their points), {time.monotonic() - start:.0f} s")
    sys.exit(1 if failed or rare or kinds["refused"] or kinds["skipped"] > len(programs) // 10 else 0)


if __name__ == "__main__":
    main()
